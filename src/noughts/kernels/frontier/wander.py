"""Walks through the states of a frontier, each by a mark on every cell: where none meet, there are many states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.frontier.states import REFUSED, reach
from noughts.kernels.jit import kernel

__all__ = ["wander"]

Words = NDArray[np.uint64]
Ints = NDArray[np.int32]


@kernel
def wander(
    walkers: Words,
    masks: Words,
    x_slots: Ints,
    x_clears: Words,
    o_slots: Ints,
    o_clears: Words,
    swap: bool,
    dice: NDArray[np.int8],
    scratch: Words,
) -> None:
    """Visit one cell: each state of the `walkers` becomes the one after the mark that its die says.

    0 is a blank, 1 X, 2 O; where that is refused the next will do, and a blank never is. The other arrays are those of
    `expand` in `states`.
    """
    words = masks.shape[1]
    child = scratch[0]
    for i in range(walkers.shape[0]):
        for turn in range(3):
            move = (dice[i] + turn) % 3
            if reach(walkers[i], child, words, masks, x_slots, x_clears, o_slots, o_clears, swap, move) != REFUSED:
                for w in range(2 * words):
                    walkers[i, w] = child[w]
                break
