"""Pairs of cells shared between the members of a family, chosen one by one, compiled: see `solving.weak.sharing`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import ONE, ZERO, lowest, popcount
from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.families import FamilyDesk, weigh
from noughts.kernels.search.survey import plane_of

__all__ = ["add_single", "add_together", "apply_pair", "choose_pair", "clear_together", "shared_pairs"]

Array = npt.NDArray[Any]
MOST_CELLS = 64


@helper
def add_together(line: Any, worth: int, bench: FamilyDesk) -> None:
    """Add a weight to every two cells of a member."""
    cells, together = bench.cells, bench.together
    known = 0
    while line:
        cell = lowest(line)
        line ^= ONE << np.uint64(cell)
        for i in range(known):
            together[cell, cells[i]] += worth
        cells[known] = cell
        known += 1


@helper
def clear_together(cells: int, together: Array) -> None:
    """Set the weights of every two of the first cells to zero."""
    for a in range(cells):
        for b in range(a):
            together[a, b] = 0


@helper
def add_single(line: Any, worth: int, weights: Array) -> None:
    """Add a weight to every cell of a member."""
    while line:
        cell = lowest(line)
        line ^= ONE << np.uint64(cell)
        weights[cell] += worth


@helper
def choose_pair(cells: int, weights: Array, together: Array) -> tuple[int, int, int]:
    """Return the two of the first cells that as a pair lessen the weight of all members most, and by how much.

    Members with both go, those with one of them weigh double; 0 where no pair lessens it. Of equals the first. Cells
    that lie on no member weigh nothing; asking that of each costs more than counting them.
    """
    best, first, second = 0, 0, 0
    for a in range(cells):
        if weights[a]:
            least = 0
            for b in range(a):
                least = min(least, weights[b] - 3 * together[a, b])
            if least + weights[a] < best:
                best, first, second = least + weights[a], a, 0
                while weights[second] - 3 * together[a, second] != least:
                    second += 1
    return best, first, second


@helper
def apply_pair(lines: Array, count: int, both: Any, unit: int, bench: FamilyDesk) -> int:
    """Strike the members with both cells of a pair, take its cells out of the others; return how many are left."""
    kept = 0
    for i in range(count):
        line = lines[i]
        hit = line & both
        if hit:
            worth = 1 << plane_of(popcount(line), unit)
            add_single(line, -worth, bench.weights)
            add_together(line, -worth, bench)
            if hit == both:
                continue
            line ^= hit
            worth = 1 << plane_of(popcount(line), unit)
            add_single(line, worth, bench.weights)
            add_together(line, worth, bench)
        lines[kept] = line
        kept += 1
    return kept


@kernel
def shared_pairs(given: Array, count: int, unit: int, maker_moves: bool, bench: FamilyDesk) -> tuple[int, int]:
    """Choose disjoint pairs of cells one by one, each the one that lessens the weight most, and write them down.

    Returns the least weight on the way, with Maker to move that of the heaviest cell included, and how many pairs make
    it; it ends where that is below 2**unit. A pair's two cells stand in ``bench.pairs``. The family given may be
    ``bench.image``.
    """
    lines, weights, together = bench.lines, bench.weights, bench.together
    live = ZERO
    for i in range(count):
        lines[i] = given[i]
        live |= given[i]
    cells = 0
    while cells < MOST_CELLS and live >> np.uint64(cells):
        cells += 1
    total = weigh(lines, count, unit, weights)
    limit = 1 << unit
    least, pairs, chosen = -1, 0, 0
    while True:
        heaviest = 0
        if maker_moves:
            for cell in range(64):
                heaviest = max(heaviest, weights[cell])
        if least < 0 or total + heaviest < least:
            least, pairs = total + heaviest, chosen
        if least < limit:
            return least, pairs
        if chosen == 0:
            clear_together(cells, together)
            for i in range(count):
                add_together(lines[i], 1 << plane_of(popcount(lines[i]), unit), bench)
        change, a, b = choose_pair(cells, weights, together)
        if change >= 0:
            return least, pairs
        total += change
        both = (ONE << np.uint64(a)) | (ONE << np.uint64(b))
        count = apply_pair(lines, count, both, unit, bench)
        bench.pairs[chosen, 0] = a
        bench.pairs[chosen, 1] = b
        chosen += 1
