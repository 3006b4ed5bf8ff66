"""Shared by the tests of engines: boards, start positions, and the differences of two censuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from hypothesis import strategies as st

from noughts.counting.census import Census
from noughts.counting.engines import WANTED, row_of
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import Pattern
from noughts.counting.question import Question, Sameness
from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import Progress, silent, workers_for
from noughts.rules.board import Board
from noughts.rules.play import EndRule
from noughts.rules.position import Position

COUNTED: tuple[Sameness, ...] = ("labelled", "symmetry")
ENDS: tuple[EndRule, ...] = ("line", "full")
"""Questions for engines that count without a tree."""

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


def pattern_of(spec: str) -> Pattern:
    """Return the pattern of a board by its lines alone."""
    board = Board.parse(spec)
    return Pattern.of(board.cells, board.line_masks)


_MODES = {"points": ("frontier", 1), "transfer points": ("transfer", 1)}


def offered(name: str, question: Question, limits: Limits = Limits()) -> CountingOffer | Refusal:  # noqa: B008 - a value
    """Return the offer or refusal of an engine named with its mode; a name with ` games` is for the games alone."""
    mode = name.removesuffix(" games")
    engine, number = _MODES.get(mode, (mode, 0))
    request = Request(question, WANTED["games" if mode != name else "all"], strict=True)
    return row_of(engine).offers(request)[number](limits)


def refusal(name: str, question: Question) -> str | None:
    """Return why an engine cannot answer, or None."""
    found = offered(name, question)
    return found.reason if isinstance(found, Refusal) else None


def counted(
    name: str, question: Question, *, threads: int = 1, progress: Progress = silent, resume: Path | None = None
) -> Census:
    """Return the census by an engine that can answer."""
    offer = offered(name, question)
    assert isinstance(offer, CountingOffer), offer
    return offer.count(Run(workers_for(threads), progress, resume))


def estimated(name: str, question: Question, limits: Limits = Limits()) -> Estimate:  # noqa: B008 - a value
    """Return an engine's estimate for a question, within the limits or not."""
    found = offered(name, question, limits)
    assert found.estimate is not None
    return found.estimate
