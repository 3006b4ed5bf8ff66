"""An open-addressing hash table from keys of several words to their index in an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.arrays import I32x1, U64x2
from noughts.kernels.jit import helper, kernel

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@helper
def find_or_add(table: NDArray[np.int32], keys: NDArray[np.uint64], count: int, key: NDArray[np.uint64]) -> int:
    """Return the index of `key` in `keys[:count]`; write it to `keys[count]` and return `count` if it is new.

    `table` holds indices into `keys`, -1 where free; its length is a power of two and more than that of `keys`.
    Returns -1 when `keys` is full. Expected constant time.
    """
    value = np.uint64(0)
    for w in range(key.shape[0]):
        value = (value ^ key[w]) * _MULTIPLIER
        value ^= value >> _SHIFT
    last = np.int64(table.shape[0] - 1)
    place = np.int64(value >> np.uint64(1)) & last
    while True:
        index = table[place]
        if index < 0:
            if count >= keys.shape[0]:
                return -1
            table[place] = count
            for w in range(key.shape[0]):
                keys[count, w] = key[w]
            return count
        same = True
        for w in range(key.shape[0]):
            if keys[index, w] != key[w]:
                same = False
                break
        if same:
            return int(index)
        place = (place + 1) & last


@kernel
def reenter(table: I32x1, found: U64x2, count: int, again: U64x2) -> None:
    """Enter the states `found[:count]` into an empty table, as `again[:count]`."""
    for s in range(count):
        find_or_add(table, again, s, found[s])
