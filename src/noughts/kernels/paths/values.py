"""Which moves keep the best value, and which positions are decided, told from tables with two bits a position.

A position has the value of its best move: a loss (0), a draw (1) or a win (2) for the side to move. So a move from a
position of value v is perfect iff it leads to one of value 2 - v. Nothing is checked and nothing allocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.jit import helper
from noughts.kernels.paths.records import DECIDED, PathValues

__all__ = ["forbid_worse", "keeps_value", "tell_ends"]

Array = npt.NDArray[Any]
BEST = 2


@helper
def _value(codes: Array, rank: int) -> int:
    """Return an entry of a block of a table; 3 where there is no such position."""
    return int(codes[rank >> 2]) >> ((rank & 3) << 1) & 3


@helper
def forbid_worse(values: PathValues, parent: int, block: int, lined: int, row: Array) -> None:
    """Set -1 in ``row`` where X's move from a place of the block ``parent`` does not keep the value.

    The moves lead to the sets of O in order: beside the sets of X ``block``, or where X has a line.
    """
    before = values.before[parent]
    if lined:
        for t in range(row.size):
            if row[t] >= 0 and _value(before, row[t]) + values.lined != BEST:
                row[t] = -1
        return
    after = values.between[block]
    for t in range(row.size):
        if row[t] >= 0 and _value(before, row[t]) + _value(after, t) != BEST:
            row[t] = -1


@helper
def keeps_value(values: PathValues, block: int, before: int, after: int) -> bool:
    """Tell whether O's move from one set of O to the next, beside the same set of X, keeps the value."""
    return _value(values.between[block], before) + _value(values.after[block], after) == BEST


@helper
def tell_ends(codes: Array, known: Array) -> None:
    """Put in place of the threats of each set of O beside a block how play ends there, from the bit `DECIDED` on."""
    for t in range(known.size):
        known[t] = np.uint32(_value(codes, t) << DECIDED)
