"""Numbers of paths collected two plies forward, what is counted of a block, and how play can end, block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I64x1, I64x3, U8x1, U8x2
from noughts.kernels.bits import Int, popcount
from noughts.kernels.index.ranks import HAS_LINE
from noughts.kernels.jit import helper, kernel
from noughts.kernels.paths.moves import (
    among,
    blanks_of,
    code,
    fill_least,
    fill_places,
    forbid,
    forbid_worse,
    image_of,
    is_allowed,
    is_fork,
    keeps_value,
    leave_moves,
    mark_openings,
    recall_threats,
    tell_ends,
    two_bits,
)
from noughts.kernels.paths.records import (
    DECIDED,
    HALF_LIMB,
    KINDS,
    LIMB,
    LeadMoves,
    LeadTables,
    PathBench,
    PathEnds,
    PathNumbers,
    PathRules,
    PathValues,
    SetTables,
)

Array = npt.NDArray[Any]


@helper
def _count_all(sums: Array, known: Array, tally: Array) -> None:
    """Add all entries to ``tally[0]``, and where ``known`` has a line to ``tally[1]``, as if each were a class."""
    lower, upper, half = sums[0], sums[1], (1 << HALF_LIMB) - 1
    entries: Int = 0
    lined_entries: Int = 0
    first, second, third = 0, 0, 0
    lined_first, lined_second, lined_third = 0, 0, 0
    for t in range(known.size):
        a, b, lined = lower[t], upper[t], np.int64(known[t] >> np.uint32(31))
        reached, every = np.int64(a | b != 0), -lined
        entries += reached
        first += a & half
        second += a >> HALF_LIMB
        third += b
        lined_entries += reached & every
        lined_first += a & half & every
        lined_second += a >> HALF_LIMB & every
        lined_third += b & every
    tally[0, 0] += entries - lined_entries
    tally[0, 1] += entries - lined_entries
    tally[0, 2] += first - lined_first
    tally[0, 3] += second - lined_second
    tally[0, 4] += third - lined_third
    tally[1, 0] += lined_entries
    tally[1, 1] += lined_entries
    tally[1, 2] += lined_first
    tally[1, 3] += lined_second
    tally[1, 4] += lined_third


@helper
def _count_classes(rules: PathRules, sums: Array, least: Array, known: Array, order: int, tally: Array) -> None:
    """Do the same for all kinds, where a class may have several entries: the one at its least place stands for it."""
    half, shift = (1 << HALF_LIMB) - 1, np.uint32(rules.shift)
    for t in range(known.size):
        a, b = sums[0, t], sums[1, t]
        if a | b:
            kind, first = known[t] >> shift, order == 1 or least[t] == t
            tally[kind, 0] += 1
            tally[kind, 1] += first
            if first or rules.distinct == 0:
                tally[kind, 2] += a & half
                tally[kind, 3] += a >> HALF_LIMB
                tally[kind, 4] += b


@helper
def _count_surplus(
    rules: PathRules, lead: int, sets: SetTables, sums: Array, known: Array, cells: Array, tally: Array
) -> None:
    """Add the entries once for every symmetry but the identity that keeps each of their cells."""
    half, subsets, shift = (1 << HALF_LIMB) - 1, sets.subsets, np.uint32(rules.shift)
    for g in range(1, rules.permutations.shape[0]):
        moved = 0
        for c in range(rules.permutations.shape[1]):
            if rules.permutations[g, c] != c:
                moved |= 1 << c
        if moved & lead:
            continue
        moved = among(moved, cells, cells.size)
        for t in range(subsets.size):
            if subsets[t] & moved == 0:
                kind = known[t] >> shift
                tally[kind, 5] += sums[0, t] & half
                tally[kind, 6] += sums[0, t] >> HALF_LIMB
                tally[kind, 7] += sums[1, t]


@helper
def count_entries(
    rules: PathRules, lead: int, sets: SetTables, sums: Array, least: Array, known: Array, order: int, cells: Array,
    tally: Array,
) -> None:  # fmt: skip
    """Add what is reached to the row of ``tally`` that ``known`` tells: see `KINDS`."""
    if order == 1 and rules.shift > DECIDED:
        _count_all(sums, known, tally)
    else:
        _count_classes(rules, sums, least, known, order, tally)
    if rules.surplus:
        _count_surplus(rules, lead, sets, sums, known, cells, tally)


# Numbers of paths over the perfect index, two plies forward: X marks a cell, then O, without hashing.
#
# A layer of an even ply has a block for every canonical line-free set of X. A block has a number for every set of O,
# zero where play does not continue: it does not reach them, or O has a line. The blocks of the layer two plies later
# are made one by one. A block collects from its parents, which have one X less. Then each of its sets of O
# collects from the sets with one O less, in the same block. By choices a class collects once from each parent.
#
# A number is kept as 32 low bits and as many more bytes as the layer needs; in between as `LIMB` bits and the rest.
# It is at most p! q! for p X and q O. Sets of O and their ranks are uint32 and the hottest loops go through one array
# at a time, so that they are compiled to vectors; other arrays are int64 unless said otherwise. Nothing is checked
# and nothing allocated.

FORK, PERFECT_COLLECT = 3, 4


@helper
def _add(numbers: PathNumbers, block: int, row: Array, sums: Array, some: bool) -> None:
    """Add the numbers of a block, at the places in ``row``; with ``some`` only where these are not negative."""
    low, lower = numbers.low[block], sums[0]
    if some:
        for t in range(row.size):
            if row[t] >= 0:
                lower[t] += low[row[t]]
    else:
        for t in range(row.size):
            lower[t] += low[np.uint32(row[t])]
    for w in range(numbers.high.shape[1]):
        part = numbers.high[block, w]
        limb = 0 if 32 + 8 * w < LIMB else 1
        shift, limbs = 32 + 8 * w - LIMB * limb, sums[limb]
        for t in range(row.size):
            if row[t] >= 0:
                limbs[t] += np.int64(part[row[t]]) << shift


@helper
def _carry(sums: Array, size: int, limbs: int) -> None:
    """Take what exceeds the lower limbs to the upper ones, where there are two."""
    if limbs < 2:
        return
    for t in range(size):
        sums[1, t] += sums[0, t] >> LIMB
        sums[0, t] &= (1 << LIMB) - 1


@helper
def _collect_from_parents(
    rules: PathRules, leads: LeadTables, k: int, sets: SetTables, numbers: PathNumbers, values: PathValues,
    bench: PathBench, limbs: int,
) -> None:  # fmt: skip
    """Fill the sums of a block with what its parents hold."""
    size, marks = sets.subsets.size, leads.parents.shape[1]
    lead, blanks = leads.sets[k], rules.permutations.shape[1] - marks
    cells, permutations, sums = bench.cells[:blanks], rules.permutations, bench.sums
    sums[:limbs, :size] = 0
    after = among(np.int64(leads.threats[k]), cells, blanks)
    rest = lead
    for j in range(marks):
        cell = popcount((rest & -rest) - 1)
        rest &= rest - 1
        block = leads.parents[k, j]
        if block < 0:
            continue
        twins = 0
        if rules.distinct:
            for i in range(marks):
                twins += leads.parents[k, i] == block
        row = bench.places[j if twins > 1 else marks, :size]
        before, element = lead & ~(1 << cell), leads.elements[k, j]
        target = image_of(before, permutations, element)
        fill_places(cells, blanks, sets.subsets, permutations, element, target, sets.before, sets.before_ranks,
                    bench.tables, row, 0)  # fmt: skip
        if twins > 1:
            for g in range(permutations.shape[0]):
                if g != element and image_of(before, permutations, g) == target:
                    fill_places(cells, blanks, sets.subsets, permutations, g, target, sets.before, sets.before_ranks,
                                bench.tables, row, 1)  # fmt: skip
            for i in range(j):
                if leads.parents[k, i] == block:
                    for t in range(size):
                        if bench.places[i, t] == row[t]:
                            row[t] = -1
        ruled = rules.x_rule >= PERFECT_COLLECT or (rules.x_rule != 0 and leads.lined == 0)
        if rules.x_rule >= PERFECT_COLLECT:
            forbid_worse(values, block, k, leads.lined, row)
        elif ruled:
            own = among(np.int64(leads.own[k, j]), cells, blanks)
            forks = leads.forks[k, j] if rules.x_rule == FORK else leads.forks[0, 0]
            forbid(rules.x_rule, sets, bench.known, lead, cell, own, after, forks, row)
        _add(numbers, block, row, sums, twins > 1 or ruled)
    _carry(sums, size, limbs)


@helper
def _reply_freely(below: Array, sums: Array, out: Array) -> None:
    """Fill one limb of the sums of O's ply where O may make any move and nothing is to be counted once."""
    for t in range(below.shape[1]):
        out[t] = 0
    for s in range(below.shape[0]):
        row = below[s]
        for t in range(row.size):
            out[t] += sums[row[t]]


@helper
def _reply(
    rules: PathRules, replies: SetTables, values: PathValues, bench: PathBench, k: int, lead: int, against: int,
    order: int,
) -> None:  # fmt: skip
    """Fill the sums of O's ply: by the rule, and once from each parent where these are to be distinct."""
    below, subsets, sums, out = replies.below, replies.subsets, bench.sums, bench.reply_sums
    once = rules.distinct and order > 1
    for t in range(subsets.size):
        m = np.int64(subsets[t])
        forking = is_fork(bench.reply_known[t], lead)
        ruled = rules.o_rule != 0 and bench.reply_known[t] & HAS_LINE == 0
        total, upper = 0, 0
        rest = m
        for s in range(below.shape[0]):
            cell = popcount((rest & -rest) - 1)
            rest &= rest - 1
            u = below[s, t]
            if rules.o_rule >= PERFECT_COLLECT:
                if not keeps_value(values, k, u, t):
                    continue
            elif ruled and not is_allowed(rules.o_rule, bench.flags[u], cell, against, m, forking):
                continue
            if once:
                seen_before = False
                for i in range(s):
                    seen_before |= bench.least[0, below[i, t]] == bench.least[0, u]
                if seen_before:
                    continue
            total += sums[0, u]
            upper += sums[1, u]
        out[0, t] = total
        out[1, t] = upper


@helper
def _stop(known: Array, sums: Array) -> None:
    """Clear the numbers where play is decided, so that it ends there."""
    for t in range(known.size):
        if known[t] >> np.uint32(DECIDED):
            sums[0, t] = 0
            sums[1, t] = 0


@helper
def _put(rules: PathRules, out: PathNumbers, k: int, sums: Array, known: Array) -> None:
    """Write the numbers of a block, zero where play is over."""
    low, shift_of_kind = out.low[k], np.uint32(rules.shift)
    for t in range(known.size):
        play_goes_on = -np.int64(known[t] >> shift_of_kind == 0)
        low[t] = sums[0, t] & play_goes_on & ((1 << 32) - 1)
    for w in range(out.high.shape[1]):
        limb = 0 if 32 + 8 * w < LIMB else 1
        shift, limbs, part = 32 + 8 * w - LIMB * limb, sums[limb], out.high[k, w]
        for t in range(known.size):
            part[t] = limbs[t] >> shift & 255 & -np.int64(known[t] >> shift_of_kind == 0)


@kernel
def collect(
    rules: PathRules, leads: LeadTables, sets: SetTables, replies: SetTables, numbers: PathNumbers, values: PathValues,
    ends: PathEnds, bench: PathBench, out: PathNumbers, limbs: int, tally: I64x3,
) -> None:  # fmt: skip
    """Collect the blocks of ``leads`` from ``numbers``, count what is reached, and write them to ``out``.

    ``values`` are asked for where a rule is perfect or quickest, ``ends`` where play ends when it is decided. O's ply
    is left out where ``out`` has no blocks. ``limbs``: 1 where no number reaches 2**`LIMB`, else 2. ``tally``:
    (n, 2 `KINDS` + 1, `COUNTS`), zero before.
    """
    marks = leads.parents.shape[1]
    blanks = rules.permutations.shape[1] - marks
    cells = bench.cells[:blanks]
    for k in range(leads.sets.size):
        lead = leads.sets[k]
        blanks_of(lead, bench.cells, blanks)
        size = sets.subsets.size
        known, least = bench.known[:size], bench.least[0, :size]
        recall_threats(rules.marks, rules.choose, sets, cells, bench.board, known)
        _collect_from_parents(rules, leads, k, sets, numbers, values, bench, limbs)
        if rules.shift == DECIDED and leads.lined == 0:
            tell_ends(ends.between[k], known)
        order = fill_least(lead, cells, blanks, sets.subsets, rules.permutations, sets.half, sets.ranks, bench.tables,
                           least)  # fmt: skip
        tally[k, 2 * KINDS, 0] = order
        count_entries(rules, lead, sets, bench.sums, least, known, order, cells, tally[k, :KINDS])
        if out.low.shape[0] == 0:
            continue
        if rules.shift == DECIDED:
            _stop(known, bench.sums)
        size = replies.subsets.size
        known, least = bench.reply_known[:size], bench.least[1, :size]
        recall_threats(rules.marks, rules.choose, replies, cells, bench.board, known)
        if rules.o_rule == 0 and (order == 1 or rules.distinct == 0):
            for limb in range(limbs):
                _reply_freely(replies.below, bench.sums[limb], bench.reply_sums[limb])
        else:
            if rules.o_rule < PERFECT_COLLECT:
                mark_openings(rules, sets, replies, bench, lead)
            against = among(np.int64(leads.threats[k]), cells, blanks)
            _reply(rules, replies, values, bench, k, lead, against, order)
        _carry(bench.reply_sums, size, limbs)
        if rules.shift == DECIDED:
            tell_ends(ends.after[k], known)
        if order > 1:
            fill_least(lead, cells, blanks, replies.subsets, rules.permutations, replies.half, replies.ranks,
                       bench.tables, least)  # fmt: skip
        count_entries(rules, lead, replies, bench.reply_sums, least, known, order, cells, tally[k, KINDS : 2 * KINDS])
        _put(rules, out, k, bench.reply_sums, known)


# Which outcomes play can still have by its rules, block by block and backward: where that is one, play is decided.
#
# The layers are those of `index.retrograde`. An entry is a set of outcomes: 1 X wins, 2 O wins, 4 drawn. Each is what
# the children that a rule allows have together; of these it is known how play ends, two bits each, as `PathEnds` has
# it. Nothing is checked and nothing allocated; sets of O are uint32, other arrays int64 unless said otherwise.

X, PERFECT_OUTCOMES = 0, 4
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
    valued, packed, asks, given = rules.x_rule >= PERFECT_OUTCOMES, values.packed, values.asks[X], values.gives[X]
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
    others: I64x1, ends: U8x1, children: U8x2, out: U8x2,
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
        if 0 < rules.x_rule < PERFECT_OUTCOMES:
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
    children: U8x2, out: U8x2,
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
        if rules.o_rule < PERFECT_OUTCOMES:
            blanks_of(lead, bench.cells, blanks)
            recall_threats(rules.marks, rules.choose, sets, cells, bench.board, known)
            recall_threats(rules.marks, rules.choose, replies, cells, bench.board, reply_known[: subsets.size])
            mark_openings(rules, sets, replies, bench, lead)
            against = among(np.int64(leads.threats[i]), cells, blanks)
        for t in range(subsets.size):
            lined = rules.o_rule < PERFECT_OUTCOMES and reply_known[t] & HAS_LINE != 0
            forking = rules.o_rule < PERFECT_OUTCOMES and is_fork(reply_known[t], lead)
            marks = np.int64(subsets[t])
            rest = marks
            for s in range(below.shape[0]):
                cell, u = popcount((rest & -rest) - 1), below[s, t]
                rest &= rest - 1
                if rules.o_rule >= PERFECT_OUTCOMES:
                    if not keeps_value(values, i, u, t):
                        continue
                elif not lined and not is_allowed(rules.o_rule, bench.flags[u], cell, against, marks, forking):
                    continue
                out[i, u] |= _outcomes(children[i], t)
