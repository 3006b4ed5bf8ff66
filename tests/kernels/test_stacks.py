"""The kernel that merges falling marks: compiled and uncompiled it gives the same, and each layer is sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from noughts.counting.stacked import Stacks
from noughts.kernels.stacks import DRAWN, OPEN, WON, has_run, is_mirrored, merge_children, occupied_cells
from noughts.rules.board import Board
from tests.kernels.plain import plain


def next_layer(kernel: Any, stacks: Stacks, layer: tuple[Any, Any], ply: int, limbs: int, bits: int) -> Any:
    """Return the open children, their weights, and what was counted of them."""
    keys, weights = layer
    shifts = stacks.shifts
    widest = max(map(len, shifts))
    room = keys.size * stacks.columns + 1
    children, sums = np.zeros(room, np.uint64), np.zeros(room * limbs, np.uint64)
    boards, paths = np.zeros(6, np.int64), np.zeros(6 * (limbs + 1), np.uint64)
    found = kernel(
        keys,
        weights,
        np.zeros(stacks.columns, np.int64),
        np.full(stacks.columns, keys.size, np.int64),
        np.uint64(stacks.height),
        np.array(stacks.below, np.uint64),
        np.array([row + [0] * (widest - len(row)) for row in shifts], np.uint64),
        ply % 2,
        int(ply == stacks.rows * stacks.columns),
        0,
        np.uint64(limbs),
        np.uint64(bits),
        np.zeros(stacks.columns, np.uint64),
        children,
        sums,
        boards,
        paths,
    )
    return children[:found], sums[: found * limbs], boards.tolist(), paths.tolist()


@pytest.mark.parametrize(("board", "limbs", "bits"), [("2x3:3+gravity", 1, 63), ("3x3:3+gravity", 3, 3)])
def test_compiled_and_uncompiled_merge_alike(board: str, limbs: int, bits: int) -> None:
    stacks = Stacks(Board.parse(board))
    layer = np.array([stacks.key(0, 0)], np.uint64), np.array([1] + [0] * (limbs - 1), np.uint64)
    kinds = np.zeros(6, np.int64)
    for ply in range(1, stacks.rows * stacks.columns + 1):
        compiled = next_layer(merge_children, stacks, layer, ply, limbs, bits)
        for mine, other in zip(
            compiled, next_layer(plain(merge_children), stacks, layer, ply, limbs, bits), strict=True
        ):
            assert np.array_equal(mine, other)
        keys = compiled[0]
        assert np.all(keys[1:] > keys[:-1])
        assert compiled[2][OPEN] == keys.size
        layer = compiled[0], compiled[1]
        kinds += compiled[2]
    assert min(kinds[WON], kinds[DRAWN], kinds[OPEN]) > 0
    assert compiled[2][OPEN] == 0


def test_cells_runs_and_mirror_images_of_a_key() -> None:
    """On 3x4 the middle columns hold X over O, and the key is its own mirror image."""
    board = Board.parse("3x4:2+gravity")
    stacks = Stacks(board)
    key = np.uint64(stacks.key(0b0110_0000, 0b0110_0000_0000))
    below = np.array(stacks.below, np.uint64)
    occupied = plain(occupied_cells)(key, below)
    assert occupied == 0b0000_0011_0011_0000
    assert plain(is_mirrored)(key, 4, np.uint64(4))
    assert not plain(is_mirrored)(np.uint64(stacks.key(0, 1 << 8)), 4, np.uint64(4))
    shifts = np.array(stacks.shifts, np.uint64)
    assert plain(has_run)(key & occupied, shifts)
    assert not plain(has_run)(np.uint64(1), shifts)
