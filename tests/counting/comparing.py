"""What the tests of several engines share: boards to try, positions to start from, and how two censuses differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from hypothesis import strategies as st

from noughts.counting.census import Census
from noughts.counting.question import Sameness
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.domain.rules import EndRule

COUNTED: tuple[Sameness, ...] = ("labelled", "symmetry")
ENDS: tuple[EndRule, ...] = ("line", "full")
"""What is counted without a tree."""

LINES = st.integers(3, 7).flatmap(
    lambda cells: st.tuples(
        st.just(cells),
        st.frozensets(st.frozensets(st.integers(0, cells - 1), min_size=1, max_size=4), max_size=7),
    )
)


def differences(mine: Census, other: Census) -> list[str]:
    """Return where two censuses differ in the columns that both give."""
    assert [row.ply for row in mine.plies] == [row.ply for row in other.plies]
    return [
        f"ply {row.ply}, {name}: {count} by {mine.engine}, {asdict(twin)[name]} by {other.engine}"
        for row, twin in zip(mine.plies, other.plies, strict=True)
        for name, count in asdict(row).items()
        if None not in (count, asdict(twin)[name]) and count != asdict(twin)[name]
    ]


def first_moves(spec: str) -> Iterator[Position]:
    """Yield the positions after the middle cell, the first and the last, up to the end of the game.

    On boards of over nine cells only the last of them, from which recursion is quick.
    """
    start = Position(Board.parse(spec))
    for cell in (start.board.cells // 2, 0, start.board.cells - 1):
        start = start.play(cell)
        if start.board.cells <= 9 or start.ply == 3:
            yield start
        if start.is_terminal:
            return
