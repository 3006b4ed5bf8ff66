from __future__ import annotations

import random
from math import comb

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.domain.symmetry import inverse
from noughts.kernels.layers.geometry import inverse_elements, make_geometry, prepare_leads
from noughts.kernels.layers.images import (
    UNSET,
    element_to_least,
    image,
    least_image,
    next_set,
    orders_of_stabilisers,
    stabiliser,
)

BOARDS = ["3x3", "3x4:3", "4x3:3", "2x2x2", "3x3+torus", "8x8:8", "1x9:3"]


def sets(cells: int) -> list[int]:
    rng = random.Random(2)
    return [0, (1 << cells) - 1, 1 << cells - 1, *(rng.getrandbits(cells) for _ in range(20))]


@pytest.mark.parametrize("spec", BOARDS)
def test_images_are_those_of_the_group(spec: str) -> None:
    board = Board.parse(spec)
    group = board.group()
    geometry = make_geometry(board.cells, board.line_masks, group.elements)
    assert geometry.images.dtype == np.uint64
    everything = np.arange(group.order)
    for mask in sets(board.cells):
        expected = [moved(mask) for moved in group.images]
        found = [image(geometry.images, g, np.uint64(mask)) for g in range(group.order)]
        assert [int(other) for other in found] == expected
        assert int(least_image(geometry.images, everything, group.order, np.uint64(mask))) == min(expected)
        assert expected[int(element_to_least(geometry.images, np.uint64(mask)))] == min(expected)
        kept = np.zeros(group.order, np.int64)
        count = int(stabiliser(geometry.images, np.uint64(mask), kept))
        assert list(kept[:count]) == [g for g, other in enumerate(expected) if other == mask]
    assert [group.elements[g] for g in inverse_elements(geometry)] == [inverse(e) for e in group.elements]


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2", "3x3+torus"])
def test_lead_table_leads_to_the_least_image(spec: str) -> None:
    board = Board.parse(spec)
    geometry = make_geometry(board.cells, board.line_masks, board.group().elements)
    for size in (0, 2, board.cells // 2):
        prepare_leads(geometry, size)
        of_size = [mask for mask in range(1 << board.cells) if mask.bit_count() == size]
        for mask in of_size:
            turned = image(geometry.images, int(geometry.lead_table[mask]), np.uint64(mask))
            assert int(turned) == min(moved(mask) for moved in board.group().images)
    assert (geometry.lead_table == UNSET).any()


def test_sets_of_one_size_in_order() -> None:
    mask = np.uint64(0b111)
    seen = [int(mask)]
    for _ in range(comb(9, 3) - 1):
        mask = np.uint64(next_set(mask))
        seen.append(int(mask))
    assert seen == [mask for mask in range(512) if mask.bit_count() == 3]


def test_orders_of_stabilisers() -> None:
    board = Board.parse("3x3")
    geometry = make_geometry(9, board.line_masks, board.group().elements)
    elements = np.arange(8)
    row, diagonal, nothing = 0b000111000, 0b100010001, 0
    for mask, expected in ((row, (4, 2)), (diagonal, (4, 2)), (nothing, (8, 8)), (0b1, (2, 2)), (0b11, (1, 1))):
        found = orders_of_stabilisers(geometry.images, geometry.fixed, elements, 8, np.uint64(mask), np.uint64(mask))
        assert tuple(map(int, found)) == expected
