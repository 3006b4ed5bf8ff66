from __future__ import annotations

import random
import sys

import numpy as np

from noughts.kernels.sort import count_digits, scatter
from noughts.kernels.table import FIRST, add_number, enter_child, find_slot


def test_table_finds_what_was_entered_and_forgets_by_stamp() -> None:
    rng = random.Random(3)
    keys, stamps = np.empty(64, np.uint64), np.zeros(64, np.int64)
    weights = np.ones((64, 2), np.uint64)
    for first in (1, 2, 5):
        masks = [rng.getrandbits(64) for _ in range(32)]
        places = {}
        for mask in masks:
            slot = int(find_slot(keys, stamps, np.uint64(mask), first))
            assert stamps[slot] < first
            enter_child(keys, weights, slot, np.uint64(mask))
            assert not weights[slot].any()
            stamps[slot] = first
            weights[slot] = 1
            places[mask] = slot
        assert len(set(places.values())) == 32
        assert all(int(find_slot(keys, stamps, np.uint64(mask), first)) == slot for mask, slot in places.items())


def value(words: np.ndarray, bits: int) -> int:
    return sum(int(word) << bits * j for j, word in enumerate(words))


def test_sums_carry_from_word_to_word() -> None:
    rng = random.Random(4)
    for bits, limbs in ((63, 1), (63, 2), (63, 3), (7, 4), (1, 5)):
        target = np.zeros((1, limbs + 1), np.uint64)
        whole = 0
        for _ in range(20):
            number = rng.getrandbits(bits * limbs)
            source = np.array([[number >> bits * j & (1 << bits) - 1 for j in range(limbs)]], np.uint64)
            add_number(target, 0, FIRST, source, 0, FIRST, limbs, np.uint64(bits))
            whole += number
            assert value(target[0], bits) == whole
            assert all(int(word) < 1 << bits for word in target[0, :limbs])


def test_scatter_is_a_stable_sort_of_one_digit() -> None:
    rng = np.random.default_rng(5)
    keys = rng.integers(0, 1 << 63, 500, dtype=np.uint64)
    others = np.arange(500, dtype=np.uint64)
    weights = np.stack([others, keys], axis=1)
    shift, digit = np.uint64(50), np.uint64(15)
    counts = np.zeros(16, np.int64)
    count_digits(keys, shift, digit, counts)
    digits = (keys >> shift & digit).astype(np.int64)
    assert counts.tolist() == np.bincount(digits, minlength=16).tolist()
    sorted_keys, sorted_others, sorted_weights = np.empty_like(keys), np.empty_like(others), np.empty_like(weights)
    places = np.cumsum(counts) - counts
    scatter(keys, others, weights, shift, digit, places, sorted_keys, sorted_others, sorted_weights)
    order = np.argsort(digits, kind="stable")
    assert sorted_keys.tolist() == keys[order].tolist()
    assert sorted_others.tolist() == order.tolist()
    assert sorted_weights.tolist() == weights[order].tolist()


def test_kernels_keep_no_references() -> None:
    """Kernels are compiled without reference counts: what they are given is let go all the same."""
    keys, counts = np.zeros(10, np.uint64), np.zeros(16, np.int64)
    before = sys.getrefcount(keys), sys.getrefcount(counts)
    for _ in range(3):
        count_digits(keys, np.uint64(0), np.uint64(15), counts)
    assert counts[0] == 30
    assert (sys.getrefcount(keys), sys.getrefcount(counts)) == before
