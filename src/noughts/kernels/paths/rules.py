"""Which moves the rules win, block and fork allow, told from a block and a set of O; 0 any, 1 win, 2 block, 3 fork."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int
from noughts.kernels.index.lead import CELL_BITS, HAS_LINE
from noughts.kernels.jit import helper
from noughts.kernels.paths.records import PathBench, PathRules, SetTables
from noughts.kernels.paths.turned import among

__all__ = ["forbid", "is_allowed", "is_fork", "leave_moves", "mark_openings"]

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
def _forking(forks: Array, blank: Int) -> int:
    """Return those of the ``blank`` cells after a move on which X has two threats: see `_has_fork`."""
    found = 0
    for b in range(forks.size):
        seen = np.int64(forks[b]) & blank
        if blank >> b & 1 and seen & (seen - 1):
            found |= 1 << b
    return found


@helper
def leave_moves(rule: int, sets: SetTables, known: Array, lead: int, cells: Array, own: int, forks: Array,
                allowed: Array) -> None:  # fmt: skip
    """Fill ``allowed`` (uint32) with the moves that the rule leaves X beside each set of O, as sets of blanks.

    ``known``: O's threats (cells of the board); as sets of blanks: ``own``, X's threats, ``forks``, those after a move
    on each blank.
    """
    subsets, everywhere = sets.subsets, (1 << cells.size) - 1
    for t in range(subsets.size):
        blank = everywhere & ~np.int64(subsets[t])
        moves: Int = own & blank
        against = np.int64(known[t]) & CELL_BITS & ~lead
        if moves == 0 and rule >= BLOCK and against:
            moves = among(against, cells, cells.size)
        elif moves == 0 and rule >= FORK:
            moves = _forking(forks, blank)
        allowed[t] = moves if moves else blank


@helper
def is_fork(threats: Int, lead: int) -> bool:
    """Tell whether two of O's threats, but no line of it, are where X is not."""
    seen = np.int64(threats) & CELL_BITS & ~lead
    return threats & HAS_LINE == 0 and seen & (seen - 1) != 0


@helper
def mark_openings(rules: PathRules, sets: SetTables, replies: SetTables, bench: PathBench, lead: int) -> None:
    """Set flags for the sets of O beside a block: 1 where O can complete a line, 2 where O can make two threats."""
    flags, known, reply_known, below = bench.flags, bench.known, bench.reply_known, replies.below
    for u in range(sets.subsets.size):
        flags[u] = 1 if known[u] & CELL_BITS & ~lead else 0
    if rules.o_rule >= FORK:
        for t in range(replies.subsets.size):
            if is_fork(reply_known[t], lead):
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
