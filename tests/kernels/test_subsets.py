"""Sums over subsets and what is summed, against the definitions; and classes in which nobody threatens."""

from __future__ import annotations

import random
from functools import reduce
from operator import and_

import numpy as np
import pytest

from noughts.kernels.frontier.subsets import FREE, fill, high_bits, low_bits, reap, statuses
from noughts.kernels.layers.advance import count_quiet
from noughts.rules.board import Board
from noughts.rules.position import completing_cells

CELLS = 11
WEIGHTS = [1, 2, 1, 3, 1, 1, 2, 1, 1, 2, 1]
SETS = 1 << CELLS


def weight(mask: int) -> int:
    return sum(each for cell, each in enumerate(WEIGHTS) if mask >> cell & 1)


LOW = np.array([weight(mask) for mask in range(SETS)], np.uint8)
HIGH = np.zeros(1, np.uint8)


@pytest.mark.parametrize("meet", [False, True])
def test_all_subsets_are_combined(meet: bool) -> None:
    """Block by block in the low nine bits, and then by the two high ones."""
    dice = random.Random(7)
    values = np.array([dice.getrandbits(32) for _ in range(SETS)], np.uint32)
    before = values.tolist()
    with np.errstate(over="ignore"):  # 2^32 is the modulus
        for begin, end in ((0, 1), (1, 4)):
            low_bits(values, 9, meet, begin, end)
        high_bits(values, 9, 2, meet, 0, 1)
    for mask in [0, 1, SETS - 1, *(dice.randrange(SETS) for _ in range(40))]:
        inside = [before[some] for some in range(SETS) if some & ~mask == 0]
        assert values[mask] == (reduce(and_, inside) if meet else sum(inside) % 2**32)


def test_high_bits_are_combined_piece_by_piece() -> None:
    """Several pieces of columns below the bits, and several groups of bits above: each piece alone, in any order."""
    first, bits, top = 10, 2, 13
    dice = random.Random(8)
    values = np.array([dice.getrandbits(32) for _ in range(1 << top)], np.uint32)
    before = values.tolist()
    pieces = list(range(1 << top - 9 - bits))
    dice.shuffle(pieces)
    with np.errstate(over="ignore"):
        for piece in pieces[1:]:
            high_bits(values, first, bits, False, piece, piece + 1)
    group, columns = divmod(pieces[0], 1 << first - 9)
    left = {group << first + bits | row << first | columns * 512 + column for row in range(4) for column in range(512)}
    combined = 3 << first
    for mask in range(1 << top):
        inside = [mask & ~combined | row << first for row in range(4) if not row << first & ~mask]
        expected = [mask] if mask in left else inside
        assert values[mask] == sum(before[some] for some in expected) % 2**32


def test_sets_weigh_their_low_and_their_high_cells() -> None:
    """Of more than 15 cells the weights stand in two tables: every sum of both is met."""
    size = 1 << 17
    dice = random.Random(9)
    low, high = np.array([dice.randrange(3) for _ in range(1 << 15)], np.uint8), np.array([1, 2, 0, 1], np.uint8)
    weights = [int(low[mask % (1 << 15)]) + int(high[mask >> 15]) for mask in range(size)]
    chosen = [part * (1 << 15) + dice.randrange(1 << 15) for part in range(4) for _ in range(60)]
    status = np.zeros(size, np.uint8)
    status[chosen] = [dice.choice([0, 1, 3, 255, 255]) for _ in chosen]
    values = np.full(size // 2, 77, np.uint32)
    ways = np.array([dice.getrandbits(32) for _ in range(size // 2)], np.uint32)
    for weight in range(5):
        totals, met = np.zeros(3, np.uint64), [0, 0, 0]
        for mask in set(chosen):
            begin = mask % (size // 2)
            fill(values, status, low, high, weight, 2, begin, begin + 1)
            twins = (begin, begin + size // 2)
            assert values[begin] == sum(status[each] == FREE and weights[each] == weight for each in twins)
            if mask >= size // 2:
                reap(ways, status, low, high, weight, size // 2, begin, begin + 1, totals)
                shared, way = int(status[mask]), int(ways[size // 2 - 1 - begin])
                if weights[mask] == weight:
                    met[0] += way if shared == FREE else 0
                    met[1] += way if 0 < shared < FREE else 0
                    met[2] += way * shared if shared < FREE else 0
        assert totals.tolist() == met
        assert weight == 4 or all(met)


def test_statuses_are_the_weights_of_shared_cells() -> None:
    shared = np.array([0xFFFFFFFF, 0, 0b1011, 1 << 15, 0b1 | 1 << 16], np.uint32)
    high = np.array([0, 5, 7, 12], np.uint8)
    status = np.full(5, 9, np.uint8)
    statuses(shared, LOW, high, status, 1, 5)
    assert status.tolist() == [9, 0, 6, 5, 8]
    statuses(shared, LOW, high, status, 0, 1)
    assert status[0] == FREE


@pytest.mark.parametrize("halves", [1, 2])
def test_sets_of_a_weight_are_sown_and_reaped(halves: int) -> None:
    dice = random.Random(halves)
    status = np.array([dice.choice([0, 1, 3, 255, 255]) for _ in range(SETS)], np.uint8)
    size = SETS // halves
    values = np.full(size, 77, np.uint32)
    for cut in ((0, 100), (100, size)):
        fill(values, status, LOW, HIGH, 6, halves, *cut)
    sown = [status[mask] == FREE and weight(mask) == 6 for mask in range(SETS)]
    assert values.tolist() == [sum(sown[i + half * size] for half in range(halves)) for i in range(size)]
    values[:] = [dice.getrandbits(32) for _ in range(size)]
    offset, totals = SETS - size, np.array([1, 2, 3], np.uint64)
    for cut in ((0, 300), (300, size)):
        reap(values, status, LOW, HIGH, 7, offset, *cut, totals)
    met = [(int(status[i + offset]), int(values[size - 1 - i])) for i in range(size) if weight(i + offset) == 7]
    won = [(shared, ways) for shared, ways in met if 0 < shared < 255]
    expected = sum(ways for shared, ways in met if shared == 255), sum(ways for _, ways in won)
    assert totals.tolist() == [expected[0] + 1, expected[1] + 2, sum(shared * ways for shared, ways in won) + 3]


def test_quiet_classes_of_a_layer() -> None:
    board = Board.parse("3x4:3")
    dice = random.Random(3)
    leads = [sum(1 << cell for cell in dice.sample(range(12), 3)) for _ in range(8)]
    others = [[dice.getrandbits(12) & dice.getrandbits(12) & ~lead for _ in range(dice.randrange(9))] for lead in leads]
    quiet = 0
    for lead, group in zip(leads, others, strict=True):
        for other in group:
            blank = board.full & ~(lead | other)
            quiet += not completing_cells(board, lead, blank) | completing_cells(board, other, blank)
    offsets = np.cumsum([0, *map(len, others)])
    everything = np.array([other for group in others for other in group], np.uint64)
    lines = np.array(board.line_masks, np.uint64)
    found = count_quiet(np.array(leads, np.uint64), offsets, everything, np.uint64(board.full), lines)
    assert 0 < quiet == found < len(everything)
