"""What is counted of a block: its entries and classes that are reached, and the sums of their numbers of paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int
from noughts.kernels.jit import helper
from noughts.kernels.paths.records import DECIDED, HALF_LIMB, PathRules, SetTables
from noughts.kernels.paths.turned import among

__all__ = ["count_entries"]

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
