from __future__ import annotations

import random
import sys

import numpy as np

from noughts.kernels.layers.sort import count_digits, scatter
from noughts.kernels.layers.table import add_number, enter_child, find_row


def test_table_finds_what_was_entered_and_forgets_by_stamp() -> None:
    rng = random.Random(3)
    columns, shift = np.uint64(4), np.uint64(3)
    table = np.zeros(64 << 3, np.uint64)
    for first in map(np.uint64, (1, 2, 5)):
        masks = [rng.getrandbits(64) for _ in range(32)]
        places = {}
        for mask in masks:
            row = int(find_row(table, shift, np.uint64(mask), first))
            assert row % 8 == 0
            assert table[row + 1] < first
            enter_child(table, np.uint64(row), np.uint64(mask), np.uint64(7), columns)
            assert table[row + 2 : row + 7].tolist() == [7, 0, 0, 0, 0]
            table[row + 1] = first
            table[row + 3 : row + 7] = first
            places[mask] = row
        assert len(set(places.values())) == 32
        assert all(int(find_row(table, shift, np.uint64(mask), first)) == row for mask, row in places.items())


def value(words: list[int], bits: int) -> int:
    return sum(word << bits * j for j, word in enumerate(words))


def test_sums_carry_from_word_to_word() -> None:
    rng = random.Random(4)
    for bits, limbs in ((63, 1), (63, 2), (63, 3), (7, 4), (1, 5)):
        target = np.zeros(limbs + 2, np.uint64)
        whole = 0
        for _ in range(20):
            number = rng.getrandbits(bits * limbs)
            source = np.array([0, *(number >> bits * j & (1 << bits) - 1 for j in range(limbs))], np.uint64)
            add_number(target, np.uint64(1), source, np.uint64(1), np.uint64(limbs), np.uint64(bits))
            whole += number
            assert value(target[1:].tolist(), bits) == whole
            assert all(word < 1 << bits for word in target[1:-1].tolist())
        assert target[0] == 0


def test_scatter_is_a_stable_sort_of_one_digit() -> None:
    rng = np.random.default_rng(5)
    keys = rng.integers(0, 1 << 63, 500, dtype=np.uint64)
    others = np.arange(500, dtype=np.uint64)
    shift, digit = np.uint64(50), np.uint64(15)
    counts = np.zeros(16, np.int64)
    count_digits(keys, shift, digit, counts)
    digits = (keys >> shift & digit).astype(np.int64)
    assert counts.tolist() == np.bincount(digits, minlength=16).tolist()
    order = np.argsort(digits, kind="stable")
    for weights in (others[:, None], np.stack([others, keys, others], axis=1)):
        moved = np.empty_like(keys), np.empty_like(others), np.empty(weights.size, np.uint64)
        places = np.cumsum(counts) - counts
        scatter(keys, others, weights.ravel(), weights.shape[1], shift, digit, places, *moved)
        assert moved[0].tolist() == keys[order].tolist()
        assert moved[1].tolist() == order.tolist()
        assert moved[2].tolist() == weights[order].ravel().tolist()


def test_kernels_keep_no_references() -> None:
    """Kernels are compiled without reference counts: what they are given is let go all the same."""
    keys, counts = np.zeros(10, np.uint64), np.zeros(16, np.int64)
    before = sys.getrefcount(keys), sys.getrefcount(counts)
    for _ in range(3):
        count_digits(keys, np.uint64(0), np.uint64(15), counts)
    assert counts[0] == 30
    assert (sys.getrefcount(keys), sys.getrefcount(counts)) == before
