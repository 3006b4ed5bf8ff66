"""Numbers of paths over the perfect index, two plies forward: X marks a cell, then O, without hashing.

A layer of an even ply has a block for every canonical line-free set of X, and in it a number for every set of O, zero
where play does not go on: nobody comes there, or O has a line. The blocks of the layer two plies later are made one
by one. A block collects what its parents hold, which have one X less; then each of its sets of O collects from the sets
with one O less, in the same block. Counted by choices a class collects once from each of its parents.

A number is kept as 32 low bits and as many more bytes as the layer needs; in between as `LIMB` bits and the rest. It is
at most p! q! for p X and q O. Sets of O and their ranks are uint32 and the hottest loops go through one array
at a time, so that they are compiled to vectors; other arrays are int64 unless said otherwise. Nothing is checked and
nothing allocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import popcount
from noughts.kernels.index.lead import HAS_LINE
from noughts.kernels.jit import helper, kernel
from noughts.kernels.paths.counts import count_entries
from noughts.kernels.paths.records import (
    DECIDED,
    KINDS,
    LIMB,
    LeadTables,
    PathBench,
    PathEnds,
    PathNumbers,
    PathRules,
    PathValues,
    SetTables,
)
from noughts.kernels.paths.rules import forbid, is_allowed, is_fork, mark_openings
from noughts.kernels.paths.turned import among, blanks_of, fill_least, fill_places, image_of, recall_threats
from noughts.kernels.paths.values import forbid_worse, keeps_value, tell_ends

__all__ = ["collect"]

Array = npt.NDArray[Any]
FORK, PERFECT = 3, 4


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
        ruled = rules.x_rule >= PERFECT or (rules.x_rule != 0 and leads.lined == 0)
        if rules.x_rule >= PERFECT:
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
            if rules.o_rule >= PERFECT:
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
    """Let nobody go on from where play is decided."""
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
    ends: PathEnds, bench: PathBench, out: PathNumbers, limbs: int, tally: Array,
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
            if rules.o_rule < PERFECT:
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
