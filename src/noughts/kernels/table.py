"""The hash table for the children of one group, and sums of numbers too large for one word."""

import numpy as np

from noughts.kernels.bits import ONE, ZERO, Int, kernel

__all__ = ["FIRST", "add_number", "enter_child", "find_slot"]

_LOW = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_FOLD = np.uint64(29)
# Odd 32-bit constants (the golden ratio, and a prime): products of 32-bit halves stay below 2**64.
_MIX_LOW = np.uint64(0x9E3779B1)
_MIX_HIGH = np.uint64(0x85EBCA77)

FIRST = np.int64(0)
"""The first column. Typed, as a kernel called with a literal 0 is compiled a second time."""


@kernel
def find_slot(keys: np.ndarray, stamps: np.ndarray, key: np.uint64, first: Int) -> Int:
    """The slot where `key` is, or the empty one where it belongs: linear probing, cost about 1.2 probes.

    A slot is empty if its stamp is before `first`. Assumes that at most half the slots are taken.
    """
    last = np.uint64(keys.shape[0]) - ONE
    mixed = ((key & _LOW) * _MIX_LOW) ^ ((key >> _WORD) * _MIX_HIGH)
    slot = (mixed ^ (mixed >> _FOLD)) & last
    while stamps[slot] >= first and keys[slot] != key:
        slot = (slot + ONE) & last
    return slot


@kernel
def enter_child(keys: np.ndarray, weights: np.ndarray, slot: Int, key: np.uint64) -> None:
    """Take an empty slot, with weight zero."""
    keys[slot] = key
    for j in range(weights.shape[1]):
        weights[slot, j] = ZERO


@kernel
def add_number(
    target: np.ndarray, row: Int, column: Int, source: np.ndarray, at: Int, begin: Int, limbs: Int, bits: np.uint64
) -> None:
    """Add the number `source[at, begin:begin + limbs]` to the number that starts at `target[row, column]`.

    A number is a row of words (uint64), the lowest first, each below 2**bits with bits <= 63: a sum of two words and a
    carry cannot wrap around. The target has room for the sum; if its row is longer than `limbs` words past `column`,
    the carry goes on into the next word.
    """
    limit = (ONE << bits) - ONE
    total = target[row, column] + source[at, begin]
    target[row, column] = total & limit
    carry = total >> bits
    if limbs > 1:
        carry = _add_words(target, row, column, source, at, begin, limbs, bits, carry)
    if carry != ZERO:
        target[row, column + limbs] += carry


@kernel
def _add_words(
    target: np.ndarray,
    row: Int,
    column: Int,
    source: np.ndarray,
    at: Int,
    begin: Int,
    limbs: Int,
    bits: np.uint64,
    carry: np.uint64,
) -> np.uint64:
    """Add the words after the first; return what is carried out of the last."""
    limit = (ONE << bits) - ONE
    for j in range(1, limbs):
        total = target[row, column + j] + source[at, begin + j] + carry
        target[row, column + j] = total & limit
        carry = total >> bits
    return carry
