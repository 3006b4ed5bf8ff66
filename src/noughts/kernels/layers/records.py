"""The arrays that kernels share, as named tuples: what each holds, its shape and its type.

A *layer* keeps the position classes of one ply in groups. Each group has one *lead*: the marks of the player who has
just moved, as the least of its images. The other player, who moves next, owns the *others*. As the mover's opponent
stays put, all children of a group have the same lead, and nothing outside the group can become equal to them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "KIND_SHIFT",
    "LINED",
    "UNVALUED",
    "ChildTable",
    "Children",
    "Geometry",
    "Groups",
    "Ints",
    "Masks",
    "Output",
    "Play",
    "States",
]

Masks = NDArray[np.uint64]
Ints = NDArray[np.int64]
States = NDArray[np.uint16]

# Rules by number. Outcomes are ordered by how good they are for X.
ANY, WIN, BLOCK, FORK, PERFECT, QUICKEST = range(6)
LINE, DECIDED, FULL = range(3)
O_WINS, DRAW, X_WINS, OPEN = range(4)

# A state: value under free play | outcome (OPEN while undecided) << 2 | whether somebody has a line << 4 | plies to the
# end where winners hurry and losers delay << 5.
KIND_SHIFT = 2
PLIES_SHIFT = 5
LINED = 16
LINED_BIT = np.uint64(LINED)
UNVALUED = OPEN | OPEN << KIND_SHIFT


class Geometry(NamedTuple):
    """A board and a group of its symmetries, the identity first."""

    full: np.uint64  # all cells
    lines: Masks  # [lines]
    images: Masks  # [elements, ceil(cells / 8), 256], see `images.image`
    fixed: Masks  # [elements], the cells that the element fixes
    lead_table: NDArray[np.uint16]  # [2**cells], see `images.fill_lead_table`; empty on large boards


class Play(NamedTuple):
    """How the moves from one layer go."""

    rule: int  # ANY .. QUICKEST, of the mover
    graph_rule: int  # the moves that the kept graph holds: for values under free play ANY
    x_moves: int  # 1 if X moves, else 0
    lined_outcome: int  # X_WINS or O_WINS: the outcome when the mover completes a line
    final: int  # 1 if the children are full boards
    end: int  # LINE, DECIDED, FULL
    distinct: int  # 1 to count each child class of a parent once
    emit: int  # 1 to write the unfinished children out, 2 to write `masks` and `ends` as well
    start: np.uint64  # the marks of the start position
    limbs: np.uint64  # words of one weight
    columns: np.uint64  # words of all weights of a class: `limbs`, or with FULL twice as many
    limb_bits: np.uint64  # bits used of each word, 63 at most, so that sums of two never wrap around


class Groups(NamedTuple):
    """The position classes of one ply: those of group g are `offsets[g]:offsets[g + 1]`."""

    leads: Masks  # [groups], ascending but for the start
    offsets: Ints  # [groups + 1]
    others: Masks  # [classes]
    weights: Masks  # [classes * columns * limbs], lowest limb first; with FULL a column for X's wins and one for O's


class Children(NamedTuple):
    """What is known of the unfinished children of each group, from the backward pass; empty when none was made."""

    leads: Masks  # [groups], ascending
    offsets: Ints  # [groups + 1]
    masks: Masks  # [children], the mover's marks, least under the stabiliser of the lead
    states: States  # [children]


class ChildTable(NamedTuple):
    """A hash table for the children of one group, with capacity for twice as many: a power of two."""

    table: Masks  # [capacity << shift], rows of key, stamp, state and weight: see `table`
    shift: np.uint64
    clock: Masks  # [1], the last stamp that was given
    order: Masks  # [capacity], the rows in order of insertion
    stabiliser: Ints  # [elements], the elements that keep the lead


class Output(NamedTuple):
    """Where the children go, and what is counted of them by outcome (O_WINS, DRAW, X_WINS, OPEN)."""

    leads: Masks  # [room], the mover's marks, turned so that they are least
    others: Masks  # [room], the other player's marks, turned with them
    masks: Masks  # [room], the mover's marks before they were turned
    weights: Masks  # [room * columns * limbs]
    ends: Ints  # [groups], how many classes were written up to the end of each group
    classes: Ints  # [4], position classes
    boards: Ints  # [4], the positions in them
    paths: Masks  # [4 * (limbs + 1)], the sum of the weights
    surplus: Masks  # [4 * (limbs + 1)], the sum of weight times (order of the pointwise stabiliser - 1)
