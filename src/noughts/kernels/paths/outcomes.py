"""Which outcomes play can still have by its rules, block by block and backward: where that is one, play is decided.

The layers are those of `index.retrograde`. An entry is a set of outcomes: 1 X wins, 2 O wins, 4 drawn. Each is what the
children that a rule allows have together; of these it is known how play ends, two bits each, as `PathEnds` has it.
Nothing is checked and nothing allocated; sets of O are uint32, other arrays int64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int, popcount
from noughts.kernels.index.lead import HAS_LINE
from noughts.kernels.jit import helper, kernel
from noughts.kernels.paths.records import LeadMoves, PathBench, PathRules, PathValues, SetTables
from noughts.kernels.paths.rules import is_allowed, is_fork, leave_moves, mark_openings
from noughts.kernels.paths.turned import among, blanks_of, fill_places, image_of, recall_threats
from noughts.kernels.paths.values import code, keeps_value, two_bits

__all__ = ["outcomes_of_o", "outcomes_of_x"]

Array = npt.NDArray[Any]
X, PERFECT = 0, 4
_SETS = 0x4217
"""The sets of outcomes by how play ends, four bits each; all where that is not decided."""


@helper
def _outcomes(children: Array, rank: Int) -> Int:
    """Return the set of outcomes of an entry of a block."""
    return _SETS >> (two_bits(children, rank) << 2) & 7


@helper
def _ranks_beside(fewer: SetTables, j: int, row: Array) -> None:
    """Fill ``row`` (int32) with the rank of each set of what blank ``j`` leaves, among the blanks with it."""
    half, own, low = np.uint32(fewer.before), fewer.before_ranks, np.uint32((1 << j) - 1)
    mask = np.uint32((1 << fewer.before) - 1)
    for s in range(fewer.subsets.size):
        m = fewer.subsets[s]
        wider = (m & low) | (m & ~low) << np.uint32(1)
        row[s] = own[0, wider & mask] + own[1, wider >> half]


@helper
def _children_of(
    rules: PathRules, leads: LeadMoves, i: int, j: int, fewer: SetTables, bench: PathBench, others: Array, row: Array
) -> None:
    """Fill ``row`` (int32) with the place in the next layer of each set of O where X takes blank ``j``."""
    count, block_cells = leads.child.shape[1] - 1, bench.cells
    for c in range(count):
        others[c] = block_cells[c if c < j else c + 1]
    g = leads.symmetry[i, j]
    target = image_of(leads.sets[i] | 1 << block_cells[j], rules.permutations, g)
    fill_places(others[:count], count, fewer.subsets, rules.permutations, g, target, fewer.half, fewer.ranks,
                bench.tables, row, 0)  # fmt: skip


@helper
def _gather(
    rules: PathRules, j: int, block: int, ranks: Array, places: Array, allowed: Array, values: PathValues, i: int,
    line: int, children: Array, out: Array,
) -> None:  # fmt: skip
    """Add to each set of O what comes after X takes blank ``j``, where the rule allows that."""
    if rules.x_rule == 0:
        for s in range(ranks.size):
            out[ranks[s]] |= _outcomes(children[block], places[s]) if block >= 0 else line
        return
    valued, packed, asks, given = rules.x_rule >= PERFECT, values.packed, values.asks[X], values.gives[X]
    parent = values.before[i if valued else 0]
    child = values.between[block] if valued and block >= 0 else parent
    for s in range(ranks.size):
        rank = ranks[s]
        if valued:
            found = code(child, places[s], packed) if block >= 0 else values.lined
            if asks[code(parent, rank, packed)] != given[found]:
                continue
        elif allowed[rank] >> np.uint32(j) & np.uint32(1) == 0:
            continue
        out[rank] |= _outcomes(children[block], places[s]) if block >= 0 else line


@kernel
def outcomes_of_x(
    rules: PathRules, leads: LeadMoves, sets: SetTables, fewer: SetTables, values: PathValues, bench: PathBench,
    others: Array, ends: Array, children: Array, out: Array,
) -> None:  # fmt: skip
    """Fill the blocks of ``leads`` where X is to move from the layer with one X more.

    ``sets``: those of O beside them; ``fewer``: those among one blank less. ``values``: ``before`` of these blocks, and
    ``between`` of all of the layer with one X more. ``others`` (32): memory. ``ends``: the outcomes of a line of X, and
    of O; ``children``, ``out``: uint8, a row for each block, four entries a byte and one.
    """
    blanks = leads.child.shape[1]
    known, allowed = bench.known[: sets.subsets.size], bench.reply_known
    cells, size = bench.cells[:blanks], fewer.subsets.size
    places, ranks = bench.least[0, :size], bench.least[1, :size]
    for i in range(leads.sets.size):
        blanks_of(leads.sets[i], cells, blanks)
        recall_threats(rules.marks, rules.choose, sets, cells, bench.board, known)
        if 0 < rules.x_rule < PERFECT:
            own = among(np.int64(leads.threats[i]), cells, blanks)
            leave_moves(rules.x_rule, sets, known, leads.sets[i], cells, own, leads.forks[i], allowed)
        out[i, :] = 0
        for j in range(blanks):
            if leads.child[i, j] >= 0:
                _children_of(rules, leads, i, j, fewer, bench, others, places)
            _ranks_beside(fewer, j, ranks)
            _gather(rules, j, leads.child[i, j], ranks, places, allowed, values, i, ends[0], children, out[i])
        for t in range(known.size):
            if known[t] & HAS_LINE:
                out[i, t] = ends[1]


@kernel
def outcomes_of_o(
    rules: PathRules, leads: LeadMoves, sets: SetTables, replies: SetTables, values: PathValues, bench: PathBench,
    children: Array, out: Array,
) -> None:  # fmt: skip
    """Fill the blocks of ``leads`` where O is to move from the same blocks with one O more, of the sets ``replies``.

    ``values``: ``between`` of these blocks, and ``after`` of the same with one O more.
    """
    below, subsets = replies.below, replies.subsets
    blanks = rules.permutations.shape[1] - popcount(leads.sets[0])
    cells, known, reply_known = bench.cells[:blanks], bench.known[: sets.subsets.size], bench.reply_known
    for i in range(out.shape[0]):
        out[i, :] = 0
        if rules.o_rule == 0:
            for s in range(below.shape[0]):
                for t in range(below.shape[1]):
                    out[i, below[s, t]] |= _outcomes(children[i], t)
            continue
        lead, against = leads.sets[i], 0
        if rules.o_rule < PERFECT:
            blanks_of(lead, bench.cells, blanks)
            recall_threats(rules.marks, rules.choose, sets, cells, bench.board, known)
            recall_threats(rules.marks, rules.choose, replies, cells, bench.board, reply_known[: subsets.size])
            mark_openings(rules, sets, replies, bench, lead)
            against = among(np.int64(leads.threats[i]), cells, blanks)
        for t in range(subsets.size):
            lined = rules.o_rule < PERFECT and reply_known[t] & HAS_LINE != 0
            forking = rules.o_rule < PERFECT and is_fork(reply_known[t], lead)
            marks = np.int64(subsets[t])
            rest = marks
            for s in range(below.shape[0]):
                cell, u = popcount((rest & -rest) - 1), below[s, t]
                rest &= rest - 1
                if rules.o_rule >= PERFECT:
                    if not keeps_value(values, i, u, t):
                        continue
                elif not lined and not is_allowed(rules.o_rule, bench.flags[u], cell, against, marks, forking):
                    continue
                out[i, u] |= _outcomes(children[i], t)
