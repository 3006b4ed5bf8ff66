"""The position classes of any game: their children, and how play ends in each.

A state is the set of X shifted by 32 bits, and the set of O, on boards of up to 32 cells. Where marks fall it is a key
of `kernels.stacks`, which has 64 bits. The canonical form of a state is its least image as a number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.arrays import I64x1, U8x1, U64x1, U64x3
from noughts.kernels.bits import BYTE, EIGHT, ONE, ZERO, popcount
from noughts.kernels.jit import helper, inner_kernel, kernel
from noughts.kernels.stacks import occupied_cells

Array = NDArray[Any]
SHIFT = np.uint64(32)
HALF = np.uint64(2**32 - 1)
CELLS = 32
"""Number of cells of the largest board on which marks do not fall."""
IN_TURN, ONE_MARK, CHOSEN = range(3)
"""Whose marks a move may place: those of the side to move, X alone, or either."""
OPEN, LINED, FILLED = range(3)
"""How play stands: it goes on, a line has ended it, or no cell is left to play."""


class GameTerms(NamedTuple):
    """A game as numbers.

    ``full``: all cells; ``lines``: uint64[lines]; ``guards``: each line with the cells that must not have its mark too,
    if lines are exact; ``parts``: the cells of each board; ``floor``: with gravity the bottom row, else no cell, and
    ``below`` as in `occupied_cells`; ``marks``: IN_TURN, ONE_MARK or CHOSEN; ``judged_full``: 1 if lines count on the
    full board only; ``images``: uint64[symmetries, bytes of a set, 256], the identity first; ``width``: the cells of
    one of several boards whose order does not matter, else 0.
    """

    full: np.uint64
    lines: U64x1
    guards: U64x1
    parts: U64x1
    floor: np.uint64
    below: U64x1
    marks: int
    judged_full: int
    images: U64x3
    width: int


@helper
def sets_of(kind: GameTerms, state: Any) -> Any:
    """The sets of X and of O in a state."""
    if kind.floor == ZERO:
        return state >> SHIFT, state & HALF
    occupied = occupied_cells(state, kind.below)
    return state & occupied, occupied & ~state


@helper
def state_of(kind: GameTerms, x: Any, o: Any) -> Any:
    """The state with these sets of X and of O."""
    if kind.floor == ZERO:
        return x << SHIFT | o
    return (x | o) + kind.floor | x


@inner_kernel
def image_of(images: np.ndarray, g: Any, cells: Any) -> Any:
    """The image of a set of cells under a symmetry."""
    found = ZERO
    for j in range(images.shape[1]):
        found |= images[g, j, cells & BYTE]
        cells >>= EIGHT
    return found


@helper
def least_of(kind: GameTerms, x: Any, o: Any) -> Any:
    """The canonical form of a state."""
    images = kind.images
    if kind.width:
        return least_boards(kind, x) << SHIFT
    least = state_of(kind, x, o)
    for g in range(1, images.shape[0]):
        state = state_of(kind, image_of(images, g, x), image_of(images, g, o))
        if state < least:
            least = state
    return least


@helper
def least_boards(kind: GameTerms, x: Any) -> Any:
    """The set of X with each board in its least form, the boards in rising order from the highest cells down."""
    images, width = kind.images, np.uint64(kind.width)
    found = ZERO
    for number in range(kind.parts.shape[0]):
        own = (x & kind.parts[number]) >> np.uint64(number * kind.width)
        least = own
        for g in range(1, images.shape[0]):
            image = image_of(images, g, own)
            if image < least:
                least = image
        at = ZERO
        while at < np.uint64(number) and found >> at * width & kind.parts[0] < least:
            at += ONE
        low = (ONE << at * width) - ONE
        found = found & low | least << at * width | (found & ~low) << width
    return found


@helper
def keepers_of(kind: GameTerms, x: Any, o: Any) -> Any:
    """How many symmetries keep a canonical state: those of each board, and the orders of equal boards."""
    order = 1
    if kind.width == 0:
        for g in range(1, kind.images.shape[0]):
            if image_of(kind.images, g, x) == x and image_of(kind.images, g, o) == o:
                order += 1
        return order
    before, equal = ZERO, 0
    for number in range(kind.parts.shape[0]):
        own = (x & kind.parts[number]) >> np.uint64(number * kind.width)
        equal = equal + 1 if number and own == before else 1
        before = own
        keeping = 1
        for g in range(1, kind.images.shape[0]):
            if image_of(kind.images, g, own) == own:
                keeping += 1
        order *= keeping * equal
    return order


@inner_kernel
def is_lined(kind: GameTerms, own: Any, part: Any) -> bool:
    """Whether a set of marks has a line within one board."""
    for j in range(kind.lines.shape[0]):
        if own & kind.guards[j] == kind.lines[j] and kind.lines[j] & ~part == ZERO:
            return True
    return False


@helper
def cells_to_play(kind: GameTerms, x: Any, o: Any) -> Any:
    """The cells that a move may take, as if play went on; none where every board has a line."""
    alive = kind.full
    if kind.judged_full == 0 or x | o == kind.full:
        for j in range(kind.parts.shape[0]):
            part = kind.parts[j]
            if is_lined(kind, x & part, part) or is_lined(kind, o & part, part):
                alive &= ~part
    if alive == ZERO:
        return alive
    found = alive & ~(x | o)
    if kind.floor != ZERO:
        found &= (x | o) + kind.floor
    return found


@kernel
def make_canonical(kind: GameTerms, states: U64x1) -> int:
    """Replace states by their canonical forms; return how many there are."""
    count = 0
    for i in range(states.shape[0]):
        x, o = sets_of(kind, states[i])
        states[i] = least_of(kind, x, o)
        count += 1
    return count


@kernel
def describe(kind: GameTerms, states: U64x1, ends: U8x1, orders: I64x1) -> int:
    """Write for each state how play stands, and how many symmetries keep it; return how many are OPEN."""
    still_open = 0
    for i in range(states.shape[0]):
        x, o = sets_of(kind, states[i])
        orders[i] = keepers_of(kind, x, o)
        if cells_to_play(kind, x, o) != ZERO:
            ends[i] = OPEN
            still_open += 1
            continue
        ends[i] = LINED
        for j in range(kind.parts.shape[0]):
            part = kind.parts[j]
            if not (is_lined(kind, x & part, part) or is_lined(kind, o & part, part)):
                ends[i] = FILLED
    return still_open


@kernel
def expand(kind: GameTerms, states: U64x1, within: np.uint64, children: U64x1, parents: I64x1) -> int:
    """Write the canonical child of each move `within` a set of cells, and its parent's number; return how many.

    The states are open. The children of a parent are together, one for each move. The arrays have room for the blank
    cells of all states, twice where players choose the mark.
    """
    count = 0
    for i in range(states.shape[0]):
        x, o = sets_of(kind, states[i])
        cells = cells_to_play(kind, x, o) & within
        places_x = kind.marks != IN_TURN or popcount(x) <= popcount(o)
        places_o = kind.marks == CHOSEN or not places_x
        while cells != ZERO:
            bit = cells & (~cells + ONE)
            cells ^= bit
            if places_x:
                children[count] = least_of(kind, x | bit, o)
                parents[count] = i
                count += 1
            if places_o:
                children[count] = least_of(kind, x, o | bit)
                parents[count] = i
                count += 1
    return count
