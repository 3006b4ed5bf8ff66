"""The hash table for the children of one group, and sums of numbers too large for one word.

Both are flat arrays of words, addressed by unsigned offsets: signed ones would be checked for counting from the end.
"""

import numpy as np

from noughts.kernels.bits import ONE, ZERO
from noughts.kernels.jit import inner_kernel, kernel

__all__ = ["STAMP", "STATE", "WEIGHT", "add_number", "enter_child", "find_row"]

_LOW = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_FOLD = np.uint64(29)
# Odd 32-bit constants (the golden ratio, and a prime): products of 32-bit halves stay below 2**64.
_MIX_LOW = np.uint64(0x9E3779B1)
_MIX_HIGH = np.uint64(0x85EBCA77)

STAMP = np.uint64(1)
"""Offset in a row of when it was last touched. The first word of a row is its key, the mover's marks."""
STATE = np.uint64(2)
"""Offset in a row of the state of the child (see `records`)."""
WEIGHT = np.uint64(3)
"""Offset in a row of the first word of the weight."""


@inner_kernel
def find_row(table: np.ndarray, shift: np.uint64, key: np.uint64, first: np.uint64) -> np.uint64:
    """The offset of the row of `key`, or of the empty one where it belongs: linear probing, about 1.2 probes.

    `table`: uint64[capacity << shift], rows of 1 << shift words. A row is empty if its stamp is before `first`: to
    enter a group with a later stamp empties the table. Assumes that at most half the rows are taken.
    """
    last = (np.uint64(table.shape[0]) >> shift) - ONE
    mixed = ((key & _LOW) * _MIX_LOW) ^ ((key >> _WORD) * _MIX_HIGH)
    slot = (mixed ^ (mixed >> _FOLD)) & last
    row = slot << shift
    while table[row + STAMP] >= first and table[row] != key:
        slot = (slot + ONE) & last
        row = slot << shift
    return row


@inner_kernel
def enter_child(table: np.ndarray, row: np.uint64, key: np.uint64, state: np.uint64, columns: np.uint64) -> None:
    """Take an empty row, with a weight of `columns` words of zero. The stamp is left to the caller."""
    table[row] = key
    table[row + STATE] = state
    table[row + WEIGHT] = ZERO
    if columns > ONE:
        _clear(table, row + WEIGHT + ONE, columns - ONE)


@kernel
def _clear(table: np.ndarray, at: np.uint64, words: np.uint64) -> None:
    for j in range(words):
        table[at + np.uint64(j)] = ZERO


@inner_kernel
def add_number(
    target: np.ndarray, to: np.uint64, source: np.ndarray, at: np.uint64, limbs: np.uint64, bits: np.uint64
) -> None:
    """Add the number at `source[at]` to the number at `target[to]`.

    A number is a run of `limbs` words (uint64), the lowest first, each below 2**bits with bits <= 63: a sum of two
    words and a carry cannot wrap around. What is carried out of the last word goes to the one after it; where a bound
    says that the sum fits, no such word is needed.
    """
    limit = (ONE << bits) - ONE
    total = target[to] + source[at]
    target[to] = total & limit
    carry = total >> bits
    if limbs > ONE:
        carry = _add_words(target, to, source, at, limbs, bits, carry)
    if carry != ZERO:
        target[to + limbs] += carry


@kernel
def _add_words(
    target: np.ndarray,
    to: np.uint64,
    source: np.ndarray,
    at: np.uint64,
    limbs: np.uint64,
    bits: np.uint64,
    carry: np.uint64,
) -> np.uint64:
    """Add the words after the first; return what is carried out of the last."""
    limit = (ONE << bits) - ONE
    for i in range(limbs - ONE):
        j = np.uint64(i) + ONE
        total = target[to + j] + source[at + j] + carry
        target[to + j] = total & limit
        carry = total >> bits
    return carry
