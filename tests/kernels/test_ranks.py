"""Ranks, subsets and half-board tables against plain loops."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from noughts.kernels.bits import lowest, popcount
from noughts.kernels.index import ranks
from noughts.kernels.index.lead import HAS_LINE, NO_CRITICAL, blanks, canonical_images, images, threat_table


def sets(n: int, q: int) -> list[int]:
    return sorted(sum(1 << cell for cell in chosen) for chosen in combinations(range(n), q))


@pytest.mark.parametrize("n", range(9))
def test_subsets_and_their_ranks(n: int) -> None:
    for q in range(n + 1):
        masks = sets(n, q)
        assert ranks.subsets(n, q).tolist() == masks
        low, low_table, high_table = ranks.half_ranks(n, q)
        assert [low_table[m & ((1 << low) - 1)] + high_table[m >> low] for m in masks] == list(range(len(masks)))


@pytest.mark.parametrize("n", range(8))
def test_supersets(n: int) -> None:
    for q in range(n + 1):
        bigger = sets(n, q + 1)
        table = ranks.supersets(n, q)
        assert table.dtype == np.int32
        for row, mask in zip(table.tolist(), sets(n, q), strict=True):
            assert row == [bigger.index(mask | 1 << cell) for cell in range(n) if not mask >> cell & 1]


def test_binomials_and_popcounts() -> None:
    assert ranks.binomials(30)[30, 15] == 155117520
    assert ranks.binomials(5).tolist() == [[comb(i, j) for j in range(7)] for i in range(7)]
    assert ranks.popcounts(10).tolist() == [m.bit_count() for m in range(1024)]


def test_words() -> None:
    for word in (1, 2, 6, 1 << 40, (1 << 62) | 8):
        assert popcount(np.uint64(word)) == word.bit_count()
        assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1
    assert popcount(np.uint64(2**64 - 1)) == 64
    assert lowest(np.uint64(1 << 63)) == 63


def test_images_of_all_sets_of_a_row_of_five() -> None:
    mirror = np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]], np.int64)
    tables = images(mirror)
    assert (tables.low.shape, tables.high.shape) == ((2, 4), (2, 8))
    every = np.arange(32, dtype=np.int64)
    least, element = canonical_images(every, tables)
    for mask in range(32):
        mirrored = int(f"{mask:05b}"[::-1], 2)
        assert least[mask] == min(mask, mirrored)
        assert (mask, mirrored)[int(element[mask])] == least[mask]


def test_blanks() -> None:
    assert blanks(np.array([0b00101, 0b11000]), 5, 3).tolist() == [[1, 3, 4], [0, 1, 2]]


def test_threats_by_hand() -> None:
    lines = [0b000111, 0b111000, 0b100001]
    found = threat_table(np.array([0b000011, 0b000000, 0b111111, 0b000111, 0b100001], np.int64), lines)
    assert int(found[0]) == 0b100100
    assert int(found[1]) == 0
    assert int(found[2]) & HAS_LINE
    assert int(found[2]) & NO_CRITICAL
    assert int(found[3]) & HAS_LINE
    assert not int(found[3]) & NO_CRITICAL
    assert int(found[4]) & HAS_LINE
