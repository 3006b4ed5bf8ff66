"""Which moves the rules perfect and quickest leave, and which positions are decided, told from tables of all positions.

A position has the code of its best move, which the code of the child tells: see `index.retrograde`. So a move is one of
the best iff the child's code gives what the parent's asks for. Nothing is checked and nothing allocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int
from noughts.kernels.index.lead import CELL_BITS
from noughts.kernels.jit import helper
from noughts.kernels.paths.records import DECIDED, PathValues

__all__ = ["code", "forbid_worse", "keeps_value", "tell_ends", "two_bits"]

Array = npt.NDArray[Any]
X, O = 0, 1  # noqa: E741 - the players have these names


@helper
def two_bits(codes: Array, rank: Int) -> Int:
    """Return an entry of a block of a table with four entries a byte."""
    return int(codes[rank >> 2]) >> ((rank & 3) << 1) & 3


@helper
def code(codes: Array, rank: Int, packed: int) -> Int:
    """Return an entry of a block of a table of values."""
    if packed:
        return two_bits(codes, rank)
    return int(codes[rank])


@helper
def forbid_worse(values: PathValues, parent: int, block: int, lined: int, row: Array) -> None:
    """Set -1 in ``row`` where X's move from a place of the block ``parent`` is not among the best.

    The moves lead to the sets of O in order: beside the sets of X ``block``, or where X has a line.
    """
    before, packed, asks, gives = values.before[parent], values.packed, values.asks[X], values.gives[X]
    if lined:
        given = gives[values.lined]
        for t in range(row.size):
            if row[t] >= 0 and asks[code(before, row[t], packed)] != given:
                row[t] = -1
        return
    after = values.between[block]
    for t in range(row.size):
        if row[t] >= 0 and asks[code(before, row[t], packed)] != gives[code(after, t, packed)]:
            row[t] = -1


@helper
def keeps_value(values: PathValues, block: int, before: Int, after: Int) -> bool:
    """Tell whether O's move from one set of O to the next, beside the same set of X, is among the best."""
    asked = values.asks[O, code(values.between[block], before, values.packed)]
    return bool(asked == values.gives[O, code(values.after[block], after, values.packed)])


@helper
def tell_ends(codes: Array, known: Array) -> None:
    """Add to the threats of each set of O beside a block how play ends there, from the bit `DECIDED` on."""
    for t in range(known.size):
        known[t] = known[t] & np.uint32(CELL_BITS) | np.uint32(two_bits(codes, t) << DECIDED)
