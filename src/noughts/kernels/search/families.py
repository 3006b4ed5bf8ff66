"""Families of sets in the weak game (`solving.weak.family` says what they are), compiled: up to 64 cells.

A family is an array of masks, sorted where it is a key. The same results as the plain version, move for move and pair
for pair. Nothing is allocated: all work is done on a `FamilyDesk`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import ONE, ZERO, lowest, popcount
from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.survey import image_of, plane_of

__all__ = [
    "FamilyDesk",
    "canonical",
    "child",
    "compare_sets",
    "find_common",
    "list_moves",
    "sort_masks",
    "strike",
    "take",
    "weigh",
]

Array = npt.NDArray[Any]


class FamilyDesk(NamedTuple):
    """Room to work in. ``lines``, ``image`` and ``other`` hold a family each; ``image`` has the family that was made.

    ``common`` has for each cell the cells that all members with it have. ``by_size`` and ``least`` are sets of cells by
    the size of members. ``together`` is the weight of the members that hold two cells, ``pairs`` what was chosen.
    """

    lines: Array
    image: Array
    other: Array
    common: Array
    by_size: Array
    least: Array
    weights: Array
    moves: Array
    cells: Array
    together: Array
    pairs: Array


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
        kept = 0
        for i in range(count):
            line = lines[i]
            lines[kept] = line
            kept += (line & twins) == ZERO
        count = kept


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
            kept = True
            for j in range(shorter):
                if not out[j] & ~line:
                    kept = False
                    break
            if kept:
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
def canonical(lines: Array, count: int, images: Array, longest: int, bench: FamilyDesk) -> int:
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
    lines: Array, cell: int, by_maker: bool, images: Array, longest: int, bench: FamilyDesk
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
        worth = 1 << plane_of(popcount(rest), unit)
        total += worth
        while rest:
            cell = lowest(rest)
            rest ^= ONE << np.uint64(cell)
            weights[cell] += worth
    return total


@kernel
def list_moves(lines: Array, unit: int, bench: FamilyDesk) -> int:
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
