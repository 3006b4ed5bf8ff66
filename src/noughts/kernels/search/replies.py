"""What the moves of the weak game lead to, with a look at each: one call for all of Maker's moves, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.bits import ONE, ZERO
from noughts.kernels.jit import kernel
from noughts.kernels.search.families import FamilyDesk, child, list_moves
from noughts.kernels.search.sharing import shared_pairs

__all__ = ["ReplyDesk", "answer", "list_replies"]

Array = npt.NDArray[Any]


class ReplyDesk(NamedTuple):
    """Room for replies: their families one after another, and for each its members, symmetry and least weight."""

    keys: Array
    sizes: Array
    elements: Array
    weights: Array


@kernel
def list_replies(
    lines: Array, unit: int, images: Array, longest: int, bench: FamilyDesk, desk: ReplyDesk
) -> tuple[int, Any]:
    """Write what Maker's moves lead to, the moves in ``bench.moves``; return how many, and the cells of a fork.

    Stops at the first move after which Breaker needs two cells at once, the one after those that are counted; there is
    no fork where no bit is set. Each family has the least weight that pairs make with Breaker to move. Assumes room in
    ``desk`` for 64 replies of as many members as the board has lines.
    """
    moves = list_moves(lines, unit, bench)
    end = 0
    for i in range(moves):
        count, element, fork = child(lines, bench.moves[i], True, images, longest, bench)
        if fork:
            return i, fork
        for j in range(count):
            desk.keys[end + j] = bench.image[j]
        end += count
        desk.sizes[i] = count
        desk.elements[i] = element
        desk.weights[i] = shared_pairs(bench.image, count, unit, False, bench)[0]
    return moves, ZERO


@kernel
def answer(
    lines: Array, cell: int, unit: int, images: Array, longest: int, bench: FamilyDesk
) -> tuple[int, int, Any, int]:
    """Take a cell for Breaker and write the key of what comes to ``bench.image``.

    Returns how many members it has, the symmetry, the first member of one cell, which Maker takes next, and where there
    is none the least weight that pairs make with Maker to move.
    """
    count, element, _ = child(lines, cell, False, images, longest, bench)
    for i in range(count):
        if not bench.image[i] & (bench.image[i] - ONE):
            return count, element, bench.image[i], 0
    return count, element, ZERO, shared_pairs(bench.image, count, unit, True, bench)[0]
