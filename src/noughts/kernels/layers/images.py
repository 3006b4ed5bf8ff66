"""Images of cell sets under a group of permutations, by one look-up for each eight cells."""

import numpy as np

from noughts.kernels.bits import BYTE, EIGHT, ONE, ZERO, Int
from noughts.kernels.jit import inner_kernel, kernel

__all__ = [
    "UNSET",
    "element_to_least",
    "fill_lead_table",
    "image",
    "least_image",
    "next_set",
    "orders_of_stabilisers",
    "stabiliser",
]

UNSET = np.uint16(65535)


@inner_kernel
def image(images: np.ndarray, element: Int, mask: np.uint64) -> np.uint64:
    """The image of `mask` under one group element.

    `images`: uint64[elements, ceil(cells / 8), 256]; `images[g, j, b]` is the image under g of the cells 8j + i
    for the bits i of b.
    """
    result = ZERO
    for j in range(images.shape[1]):
        result |= images[element, j, mask & BYTE]
        mask >>= EIGHT
    return result


@kernel
def stabiliser(images: np.ndarray, mask: np.uint64, found: np.ndarray) -> Int:
    """How many elements map `mask` to itself; their numbers are written to `found` (int64[elements]), in order."""
    count = 0
    for g in range(images.shape[0]):
        if image(images, g, mask) == mask:
            found[count] = g
            count += 1
    return count


@inner_kernel
def least_image(images: np.ndarray, elements: np.ndarray, count: Int, mask: np.uint64) -> np.uint64:
    """The least image of `mask` under the first `count` of `elements`, of which the first is the identity."""
    least = mask
    for j in range(1, count):
        other = image(images, elements[j], mask)
        if other < least:
            least = other
    return least


@kernel
def orders_of_stabilisers(
    images: np.ndarray, fixed: np.ndarray, elements: np.ndarray, count: Int, mask: np.uint64, cells: np.uint64
) -> tuple[Int, Int]:
    """How many of the first `count` of `elements` map `mask` to itself, and how many of these fix each of `cells`.

    `fixed`: uint64[elements], the cells that each element fixes.
    """
    keepers = 1
    fixers = 1
    for j in range(1, count):
        if image(images, elements[j], mask) == mask:
            keepers += 1
            if cells & ~fixed[elements[j]] == ZERO:
                fixers += 1
    return keepers, fixers


@kernel
def element_to_least(images: np.ndarray, mask: np.uint64) -> Int:
    """The first element under which the image of `mask` is least among all its images. Cost: all images."""
    best = 0
    least = mask
    for g in range(1, images.shape[0]):
        other = image(images, g, mask)
        if other < least:
            least = other
            best = g
    return best


@kernel
def fill_lead_table(images: np.ndarray, inverses: np.ndarray, cells: Int, size: Int, table: np.ndarray) -> Int:
    """Write for each set of `size` cells an element that takes it to its least image; return the number of orbits.

    `table`: uint16[2**cells], `UNSET` where not yet written; `inverses`: int64[elements], the number of the inverse.
    The sets are visited in increasing order, so the first unwritten one is the least of its orbit, and the orbit is
    filled from there: the cost is that of visiting all sets, whatever the size of the group.
    """
    orbits = 0
    mask = (ONE << np.uint64(size)) - ONE
    limit = ONE << np.uint64(cells)
    while mask < limit:
        if table[mask] == UNSET:
            orbits += 1
            for g in range(images.shape[0]):
                other = image(images, g, mask)
                if table[other] == UNSET:
                    table[other] = inverses[g]
        if mask == ZERO:
            break
        mask = next_set(mask)
    return orbits


@kernel
def next_set(mask: np.uint64) -> np.uint64:
    """The next larger mask with as many bits as `mask`, which is not zero and has less than 63 significant bits."""
    low = mask ^ (mask & (mask - ONE))
    carried = mask + low
    return carried | (((mask ^ carried) // low) >> np.uint64(2))
