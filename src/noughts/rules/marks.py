"""Sets of cells as integers: bit i represents cell i.

The cells of a 3x3 board in reading order, their numbers, and their bits:

    a1 b1 c1        0 1 2          1   2   4
    a2 b2 c2        3 4 5          8  16  32
    a3 b3 c3        6 7 8         64 128 256
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

Cell = int
Mask = int


def cells_of(mask: Mask) -> Iterator[Cell]:
    """Yield the cells of a set in rising order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: Iterable[Cell]) -> Mask:
    """Return the set of the given cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


# The two players, and the outcomes of a game.

Player = Literal["X", "O"]
Outcome = Literal["X", "O", "draw"]

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""X wins, O wins, draw: the order of columns, and of the numbers in kernels."""


def opponent(player: Player) -> Player:
    """Return the other player."""
    return "O" if player == "X" else "X"
