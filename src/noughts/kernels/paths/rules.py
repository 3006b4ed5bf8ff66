"""Which moves the rules win, block and fork allow, told from a block and a set of O; 0 any, 1 win, 2 block, 3 fork."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int
from noughts.kernels.jit import helper
from noughts.kernels.paths.records import CELL_BITS, HAS_LINE, PathBench, PathRules, SetTables

__all__ = ["forbid", "is_allowed", "mark_openings"]

Array = npt.NDArray[Any]
BLOCK, FORK = 2, 3


@helper
def _has_fork(forks: Array, blank: Int, cells: Int) -> bool:
    """Tell whether a move on one of the ``blank`` cells makes two threats; ``forks``: what each move threatens."""
    for b in range(forks.size):
        if blank >> b & 1:
            seen = np.int64(forks[b]) & cells
            if seen & (seen - 1):
                return True
    return False


@helper
def forbid(rule: int, sets: SetTables, known: Array, lead: int, cell: int, own: int, after: int, forks: Array,
            row: Array) -> None:  # fmt: skip
    """Set -1 in ``row`` where the rule forbids X the move to ``cell`` that completes no line.

    ``known``: O's threats (cells of the board); as sets of blanks: ``own``, X's threats before, ``after``, those
    afterwards, ``forks``, those after another move, the cell being one blank more.
    """
    subsets = sets.subsets
    for t in range(subsets.size):
        m = np.int64(subsets[t])
        if own & ~m:
            row[t] = -1
        elif rule >= BLOCK and known[t] >> cell & 1 == 0:
            left = after & ~m
            if known[t] & CELL_BITS & ~lead or (rule >= FORK and left & (left - 1) == 0 and _has_fork(forks, ~m, ~m)):
                row[t] = -1


@helper
def mark_openings(rules: PathRules, sets: SetTables, replies: SetTables, bench: PathBench, lead: int) -> None:
    """Set flags for the sets of O beside a block: 1 where O can complete a line, 2 where O can make two threats."""
    flags, known, reply_known, below = bench.flags, bench.known, bench.reply_known, replies.below
    for u in range(sets.subsets.size):
        flags[u] = 1 if known[u] & CELL_BITS & ~lead else 0
    if rules.o_rule >= FORK:
        for t in range(replies.subsets.size):
            seen = reply_known[t] & CELL_BITS & ~lead
            if reply_known[t] & HAS_LINE == 0 and seen & (seen - 1):
                for s in range(below.shape[0]):
                    flags[below[s, t]] |= 2


@helper
def is_allowed(rule: int, flag: int, cell: int, against: int, marks: Int, forking: bool) -> bool:
    """Tell whether the rule allows O the move to ``cell`` that completes no line and leads to the set ``marks``.

    ``flag``: what O could do instead; ``against``: X's threats, as a set of blanks.
    """
    if flag & 1:
        return False
    if rule < BLOCK or against >> cell & 1:
        return True
    if against & ~marks:
        return False
    return rule < FORK or forking or flag & 2 == 0
