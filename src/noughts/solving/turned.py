"""The same board lying another way: its sides in another order, and where each cell is then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from noughts.domain.board import Board
from noughts.domain.geometry import coordinates, index
from noughts.domain.specification import format_specification
from noughts.domain.symmetry import Permutation

__all__ = ["lyings"]


def lyings(board: Board) -> Iterator[tuple[str, Permutation]]:
    """Yield the specifications of a board with its sides in every order, its own first, each once.

    With each comes the number there of every cell here. The lines are the same, as lines run along all sides and
    diagonals alike. Nothing for a board given by its lines.
    """
    given, shape = board.specification, board.shape
    if given is None or shape is None:
        return
    seen = set()
    for order in permutations(range(3)):
        rows, columns, layers = (shape[axis] for axis in order)
        sides = (rows, columns, layers)[: len(given.sides)]
        spec = format_specification(replace(given, sides=sides))
        if spec in seen or (len(given.sides) == 2 and layers > 1):
            continue
        seen.add(spec)
        places = (coordinates(shape, cell) for cell in range(board.cells))
        yield spec, tuple(index((rows, columns, layers), tuple(place[axis] for axis in order)) for place in places)
