"""Families of sets in the weak game (`solving.weak.family` says what they are), compiled: up to 64 cells.

A family is an array of masks, sorted where it is a key. The same results as the plain version, move for move and pair
for pair. Nothing is allocated: all work is done on a `FamilyScratch`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I64x1, I64x2, ReadU64x1, U64x1, U64x3
from noughts.kernels.bits import ONE, ZERO, lowest, popcount
from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.survey import image_of, plane_of

Array = npt.NDArray[Any]


class FamilyScratch(NamedTuple):
    """Room to work in. ``lines``, ``image`` and ``other`` hold a family each; ``image`` has the family that was made.

    ``common`` has for each cell the cells that all members with it have. ``by_size`` and ``least`` are sets of cells by
    the size of members. ``together`` is the weight of the members that hold two cells, ``pairs`` what was chosen.
    """

    lines: U64x1
    image: U64x1
    other: U64x1
    common: U64x1
    by_size: U64x1
    least: U64x1
    weights: I64x1
    moves: I64x1
    cells: I64x1
    together: I64x2
    pairs: I64x2


@helper
def find_common(lines: Array, count: int, common: Array) -> Any:
    """Write for each cell the cells that all members with it have; return the cells of all members."""
    seen = ZERO
    for i in range(count):
        rest = lines[i]
        while rest:
            cell = lowest(rest)
            bit = ONE << np.uint64(cell)
            common[cell] = common[cell] & lines[i] if seen & bit else lines[i]
            seen |= bit
            rest ^= bit
    return seen


@helper
def strike(lines: Array, count: int, common: Array) -> int:
    """Leave out the members that hold twins, until there are none; return how many members are left."""
    while True:
        rest = find_common(lines, count, common)
        twins = ZERO
        while rest:
            cell = lowest(rest)
            bit = ONE << np.uint64(cell)
            rest ^= bit
            others = common[cell] & ~bit
            while others:
                other = lowest(others)
                others ^= ONE << np.uint64(other)
                if common[other] & bit:
                    twins |= bit
                    break
        if not twins:
            return count
        left = 0
        for i in range(count):
            line = lines[i]
            lines[left] = line
            left += (line & twins) == ZERO
        count = left


@helper
def take(lines: Array, count: int, bit: Any, out: Array) -> int:
    """Write the family after Maker takes a cell, its twins not struck; return how many members it has."""
    made = 0
    for i in range(count):
        if lines[i] & bit:
            out[made] = lines[i] ^ bit
            made += 1
    shorter = made
    for i in range(count):
        line = lines[i]
        if not line & bit:
            minimal = True
            for j in range(shorter):
                if not out[j] & ~line:
                    minimal = False
                    break
            if minimal:
                out[made] = line
                made += 1
    return made


@helper
def sort_masks(masks: Array, count: int) -> None:
    """Sort a short array, by insertion."""
    for i in range(1, count):
        mask = masks[i]
        j = i - 1
        while j >= 0 and masks[j] > mask:
            masks[j + 1] = masks[j]
            j -= 1
        masks[j + 1] = mask


@helper
def compare_sets(by_size: Array, least: Array, unit: int, images: Array, element: int) -> int:
    """Return -1, 0 or 1 as the image of the sets by size is less than the least so far, equal, or more."""
    for size in range(1, unit + 1):
        if by_size[size]:
            image = image_of(by_size[size], images, element)
            if image < least[size]:
                return -1
            if image > least[size]:
                return 1
    return 0


@kernel
def canonical(lines: U64x1, count: int, images: U64x3, longest: int, bench: FamilyScratch) -> int:
    """Write the least image of a family to ``bench.image``, sorted; return the number of the symmetry that makes it.

    Sets of the cells of all members of a size are compared first, the members only where these are equal.
    """
    by_size, least, image, other = bench.by_size, bench.least, bench.image, bench.other
    for size in range(longest + 1):
        by_size[size] = ZERO
    for i in range(count):
        by_size[popcount(lines[i])] |= lines[i]
    best = 0
    for element in range(images.shape[0]):
        order = -1 if element == 0 else compare_sets(by_size, least, longest, images, element)
        if order > 0:
            continue
        target = image if order < 0 else other
        for i in range(count):
            target[i] = image_of(lines[i], images, element)
        sort_masks(target, count)
        if order < 0:
            for size in range(1, longest + 1):
                least[size] = image_of(by_size[size], images, element)
            best = element
            continue
        for i in range(count):
            if other[i] != image[i]:
                if other[i] < image[i]:
                    for j in range(count):
                        image[j] = other[j]
                    best = element
                break
    return best


@kernel
def child(
    lines: ReadU64x1, cell: int, by_maker: bool, images: U64x3, longest: int, bench: FamilyScratch
) -> tuple[int, int, Any]:
    """Take a cell and write the key of what comes to ``bench.image``.

    Returns how many members it has, the symmetry, and, where Maker's move leaves two members of one cell each, those
    cells: then nothing is written, as Breaker cannot take both.
    """
    bit = ONE << np.uint64(cell)
    left = bench.lines
    count = 0
    if by_maker:
        count = take(lines, lines.size, bit, left)
        single = ZERO
        for i in range(count):
            if not left[i] & (left[i] - ONE):
                single |= left[i]
        if single and single & (single - ONE):
            return 0, 0, single
    else:
        for i in range(lines.size):
            if not lines[i] & bit:
                left[count] = lines[i]
                count += 1
    count = strike(left, count, bench.common)
    return count, canonical(left, count, images, longest, bench), ZERO


@helper
def weigh(lines: Array, count: int, unit: int, weights: Array) -> int:
    """Write the weight of each cell and return that of all members."""
    for cell in range(64):
        weights[cell] = 0
    total = 0
    for i in range(count):
        rest = lines[i]
        weight = 1 << plane_of(popcount(rest), unit)
        total += weight
        while rest:
            cell = lowest(rest)
            rest ^= ONE << np.uint64(cell)
            weights[cell] += weight
    return total


@kernel
def list_moves(lines: ReadU64x1, unit: int, bench: FamilyScratch) -> int:
    """Write the cells that no other dominates to ``bench.moves``, the heaviest first; return how many there are."""
    weights, moves = bench.weights, bench.moves
    rest = find_common(lines, lines.size, bench.common)
    weigh(lines, lines.size, unit, weights)
    count = 0
    while rest:
        cell = lowest(rest)
        bit = ONE << np.uint64(cell)
        rest ^= bit
        if bench.common[cell] == bit:
            j = count - 1
            while j >= 0 and weights[moves[j]] < weights[cell]:
                moves[j + 1] = moves[j]
                j -= 1
            moves[j + 1] = cell
            count += 1
    return count


# Pairs of cells shared between the members of a family, chosen one by one, compiled: see `solving.weak.sharing`.

MOST_CELLS = 64


@helper
def add_together(line: Any, weight: int, bench: FamilyScratch) -> None:
    """Add a weight to every two cells of a member."""
    cells, together = bench.cells, bench.together
    known = 0
    while line:
        cell = lowest(line)
        line ^= ONE << np.uint64(cell)
        for i in range(known):
            together[cell, cells[i]] += weight
        cells[known] = cell
        known += 1


@helper
def clear_together(cells: int, together: Array) -> None:
    """Set the weights of every two of the first cells to zero."""
    for a in range(cells):
        for b in range(a):
            together[a, b] = 0


@helper
def add_single(line: Any, weight: int, weights: Array) -> None:
    """Add a weight to every cell of a member."""
    while line:
        cell = lowest(line)
        line ^= ONE << np.uint64(cell)
        weights[cell] += weight


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
def apply_pair(lines: Array, count: int, both: Any, unit: int, bench: FamilyScratch) -> int:
    """Strike the members with both cells of a pair, take its cells out of the others; return how many are left."""
    left = 0
    for i in range(count):
        line = lines[i]
        hit = line & both
        if hit:
            weight = 1 << plane_of(popcount(line), unit)
            add_single(line, -weight, bench.weights)
            add_together(line, -weight, bench)
            if hit == both:
                continue
            line ^= hit
            weight = 1 << plane_of(popcount(line), unit)
            add_single(line, weight, bench.weights)
            add_together(line, weight, bench)
        lines[left] = line
        left += 1
    return left


@kernel
def shared_pairs(given: ReadU64x1, count: int, unit: int, maker_moves: bool, bench: FamilyScratch) -> tuple[int, int]:
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


# What the moves of the weak game lead to, with a look at each: one call for all of Maker's moves, compiled.


class ReplyScratch(NamedTuple):
    """Room for replies: their families one after another, and for each its members, symmetry and least weight."""

    keys: U64x1
    sizes: I64x1
    elements: I64x1
    weights: I64x1


@kernel
def list_replies(
    lines: ReadU64x1, unit: int, images: U64x3, longest: int, bench: FamilyScratch, replies: ReplyScratch
) -> tuple[int, Any]:
    """Write what Maker's moves lead to, the moves in ``bench.moves``; return how many, and the cells of a fork.

    Stops at the first move after which Breaker needs two cells at once, the one after those that are counted; there is
    no fork where no bit is set. Each family has the least weight that pairs make with Breaker to move. Assumes room in
    ``replies`` for 64 replies of as many members as the board has lines.
    """
    moves = list_moves(lines, unit, bench)
    end = 0
    for i in range(moves):
        count, element, fork = child(lines, bench.moves[i], True, images, longest, bench)
        if fork:
            return i, fork
        for j in range(count):
            replies.keys[end + j] = bench.image[j]
        end += count
        replies.sizes[i] = count
        replies.elements[i] = element
        replies.weights[i] = shared_pairs(bench.image, count, unit, False, bench)[0]
    return moves, ZERO


@kernel
def answer(
    lines: ReadU64x1, cell: int, unit: int, images: U64x3, longest: int, bench: FamilyScratch
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
