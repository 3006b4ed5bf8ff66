"""Small boards that every engine must count as the oracle does: each as ours and as the oracle's."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from noughts.rules.board import Board
from tests import naive

__all__ = ["FLOWER", "GRIDS", "HYPERGRAPHS", "SMALL", "Small", "small"]


class Small(NamedTuple):
    """One board twice, and its isometries as the oracle finds them."""

    board: Board
    game: naive.Game
    isometries: tuple[naive.Permutation, ...]

    def group(self, symmetry: str) -> tuple[naive.Permutation, ...]:
        return self.isometries if symmetry == "board" else naive.automorphisms(self.game)


GRIDS: dict[str, dict[str, Any]] = {
    "1x1:1": {"rows": 1, "columns": 1, "k": 1},
    "1x2:1": {"rows": 1, "columns": 2, "k": 1},
    "1x4:2": {"rows": 1, "columns": 4, "k": 2},
    "5x1:3": {"rows": 5, "columns": 1, "k": 3},
    "1x6:3": {"rows": 1, "columns": 6, "k": 3},
    "1x5:6": {"rows": 1, "columns": 5, "k": 6},
    "2x2:2": {"rows": 2, "columns": 2, "k": 2},
    "2x2:3": {"rows": 2, "columns": 2, "k": 3},
    "2x3:2": {"rows": 2, "columns": 3, "k": 2},
    "3x2:2": {"rows": 3, "columns": 2, "k": 2},
    "2x3:3": {"rows": 2, "columns": 3, "k": 3},
    "3x2:3": {"rows": 3, "columns": 2, "k": 3},
    "2x3:2+torus": {"rows": 2, "columns": 3, "k": 2, "torus": True},
    "2x3:3+torus": {"rows": 2, "columns": 3, "k": 3, "torus": True},
    "1x5:3+torus": {"rows": 1, "columns": 5, "k": 3, "torus": True},
    "2x3:3+misere": {"rows": 2, "columns": 3, "k": 3, "misere": True},
    "1x6:3+misere": {"rows": 1, "columns": 6, "k": 3, "misere": True},
    "1x7:3": {"rows": 1, "columns": 7, "k": 3},
    "1x2x3:2": {"rows": 1, "columns": 2, "layers": 3, "k": 2},
    "2x1x3:3": {"rows": 2, "columns": 1, "layers": 3, "k": 3},
}
"""Specification and sides, each at most seven cells. Those of 3 x 2 are the twins of those of 2 x 3."""

FLOWER = (7, ((0, 1), (2, 3, 4), (1, 4, 5), (0, 2, 5, 6)))
"""Lines of two, three and four cells on seven cells."""

HYPERGRAPHS: dict[str, tuple[int, tuple[tuple[int, ...], ...]]] = {
    "flower": FLOWER,
    "fano": (7, ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))),
    "loose": (6, ((0,), (1, 2), (3, 4, 5))),
    "nested": (5, ((0, 1), (0, 1, 2), (2, 3), (3, 4))),
    "nothing": (4, ()),
}


@cache
def small(name: str) -> Small:
    """Return a board of `GRIDS` or `HYPERGRAPHS` by name; a hypergraph has its automorphisms for isometries."""
    if name in GRIDS:
        sides = dict(GRIDS[name])
        game = naive.grid(**sides)
        del sides["k"]
        sides.pop("misere", None)
        return Small(Board.parse(name), game, naive.isometries(**sides))
    cells, lines = HYPERGRAPHS[name]
    game = naive.Game(cells, frozenset(frozenset(line) for line in lines))
    group = naive.automorphisms(game)
    return Small(Board.from_lines(cells, lines, group), game, group)


SMALL: tuple[str, ...] = (*GRIDS, *HYPERGRAPHS)
