"""Games that are no marking games, each as ours and as the oracle's."""

from __future__ import annotations

from typing import NamedTuple

from noughts.rules.board import Board
from noughts.rules.game import Game
from tests import naive

__all__ = ["OTHERS", "Other"]


class Other(NamedTuple):
    """One game twice: as a board and its play, and as the oracle has it, with its symmetries."""

    board: Board
    rules: naive.Rules
    group: tuple[naive.Permutation, ...]

    @property
    def game(self) -> Game:
        return Game(self.board)


def _of(spec: str, rules: naive.Rules, group: tuple[naive.Permutation, ...]) -> Other:
    return Other(Board.parse(spec), rules, group)


def _wild(spec: str, rows: int, columns: int, k: int, torus: bool = False, **how: object) -> Other:
    board = naive.grid(rows, columns, k, torus=torus)

    def lined(position: str, mark: str) -> bool:
        return naive.has_line(board, position, mark)

    found = naive.exact(rows, columns, k) if "exact" in spec else lined
    rules = naive.wild(board.cells, found, **how)  # type: ignore[arg-type]
    return _of(spec, rules, naive.isometries(rows, columns, torus=torus))


OTHERS: dict[str, Other] = {
    each.board.spec: each
    for each in (
        _of("3x3+notakto", naive.notakto(naive.grid(3, 3, 3)), naive.isometries(3, 3)),
        _of("2x4:3+notakto", naive.notakto(naive.grid(2, 4, 3)), naive.isometries(2, 4)),
        _of("1x3:2+notakto*2", naive.notakto(naive.grid(1, 3, 2), 2), naive.copies(naive.isometries(1, 3), 2)),
        _of("2x2:2+notakto*2", naive.notakto(naive.grid(2, 2, 2), 2), naive.copies(naive.isometries(2, 2), 2)),
        _of("1x2:2+notakto*3", naive.notakto(naive.grid(1, 2, 2), 3), naive.copies(naive.isometries(1, 2), 3)),
        _wild("2x2:2+wild", 2, 2, 2),
        _wild("1x5:3+wild+misere", 1, 5, 3, misere=True),
        _wild("2x3:2+torus+wild", 2, 3, 2, torus=True),
        _wild("1x5:2+wild+exact", 1, 5, 2),
        _wild("1x5:3+order", 1, 5, 3, order="X"),
        _wild("2x2:2+chaos", 2, 2, 2, order="O"),
        _wild("1x5:2+chaos+exact", 1, 5, 2, order="O"),
        _of("2x4:2+exact", naive.marked_exactly(2, 4, 2), naive.isometries(2, 4)),
        _of("1x6:2+misere+exact", naive.marked_exactly(1, 6, 2, misere=True), naive.isometries(1, 6)),
        *(
            _of(f"{rows}x{columns}:{k}+gravity", naive.gravity(rows, columns, k), naive.mirror(rows, columns))
            for rows, columns, k in ((3, 3, 3), (2, 4, 2), (4, 3, 3), (3, 4, 3))
        ),
    )
}
"""Each game that every engine for any game must count and solve as the oracle does."""
