"""What the kernels of this room are given: rules, sets of X, sets of O, numbers of paths, and memory of their own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.arrays import I32x2, I64x1, I64x2, U8x1, U8x2, U8x3, U16x2, U32x1, U32x2, U32x3
from noughts.kernels.index.ranks import MAX_CELLS

Array = npt.NDArray[Any]
LIMB = 56
"""Bits of the lower part of a number while it is added to."""
HALF_LIMB = 28
KINDS = 4
"""What a block counts of X's ply, and of O's: where play continues, and where it is over, at a line or by outcome.

The outcomes are won by X, won by O, drawn. The order of its stabiliser comes last.
"""
DECIDED = MAX_CELLS
"""The bit from which on the word of a set tells its kind, where play ends when it is decided; else 31."""
COUNTS = 8
"""Of each kind: entries reached, classes reached, three parts of the sum of numbers, three of the sum of surpluses."""


class PathRules(NamedTuple):
    """What is the same for all layers.

    ``permutations``: (g, cells), the identity first; ``marks``: `ranks.popcounts` of half a board; ``choose``:
    `ranks.binomials`; ``distinct``: 1 where a class collects once from each parent; ``surplus``: 1 where paths are
    weighed by the symmetries that keep their cells; ``x_rule``, ``o_rule``: 0 any, 1 win, 2 block, 3 fork, 4 perfect,
    5 quickest; ``shift``: 31, or `DECIDED`.
    """

    permutations: I64x2
    marks: I64x1
    choose: I64x2
    distinct: int
    surplus: int
    x_rule: int
    o_rule: int
    shift: int


class LeadTables(NamedTuple):
    """Sets of X, of as many marks each, and their parents: one for each cell of the set, from the lowest.

    ``sets``; ``threats`` (uint32) of each; ``parents`` (n, p): the block of the set without the cell, -1 for none;
    ``elements`` (n, p): what takes it there; ``own`` (n, p), uint32: its threats; ``forks`` (n, p, blanks), uint32: the
    threats after it takes a blank cell instead, where the rule asks for them. ``lined``: 1 for sets with a line.
    """

    sets: I64x1
    threats: U32x1
    parents: I32x2
    elements: U16x2
    own: U32x2
    forks: U32x3
    lined: int


class LeadMoves(NamedTuple):
    """Sets of X without a line, of as many marks each, from which X or O moves on.

    ``sets``; ``threats`` (uint32) of each; ``child`` (n, blanks), int32: the block of the set with one blank cell more,
    -1 where that has a line; ``symmetry`` (n, blanks), uint16: what takes it there; ``forks`` (n, blanks), uint32: what
    X threatens after each move, as sets of blanks, where the rule asks for it.
    """

    sets: I64x1
    threats: U32x1
    child: I32x2
    symmetry: U16x2
    forks: U32x2


class SetTables(NamedTuple):
    """All sets of ``taken`` cells among the blanks of a block.

    ``subsets``, uint32; ``half`` and ``ranks`` (2, 2**half), uint32: `ranks.half_ranks` of these; ``before`` and
    ``before_ranks``: of the same among one blank more; ``below`` (taken, n), uint32: the ranks of each without one of
    its cells, from the lowest; ``threats``, uint32: of all sets of ``taken`` cells of the board, by rank.
    """

    taken: int
    subsets: U32x1
    half: int
    ranks: U32x2
    before: int
    before_ranks: U32x2
    below: U32x2
    threats: U32x1


class PathNumbers(NamedTuple):
    """The numbers of blocks: ``low`` (blocks, size), uint32, and ``high`` (blocks, bytes, size), uint8."""

    low: U32x2
    high: U8x3


class PathValues(NamedTuple):
    """Values of positions, for the rules perfect and quickest, in uint8: see `index.retrograde`.

    ``before``: a row for each of the blocks whose numbers are at hand; ``between`` and ``after``: one for each block
    that is made, after X's move and after O's. ``packed``: 1 for four sets of O a byte, 0 for one. ``lined``: the code
    for O where X has a line. ``asks``, ``gives`` (2, 256), uint8: a move of X, of O, is allowed iff what the code of
    the parent asks for is what that of the child gives.
    """

    before: U8x2
    between: U8x2
    after: U8x2
    packed: int
    lined: int
    asks: U8x2
    gives: U8x2


class PathEnds(NamedTuple):
    """How play ends where it is decided: 0 not yet, 1 X wins, 2 O wins, 3 drawn. A byte has four sets of O.

    ``between``, ``after``: a row for each block that is made, after X's move and after O's.
    """

    between: U8x2
    after: U8x2


class PathBench(NamedTuple):
    """Memory of one thread.

    ``cells`` (32); ``tables``, uint32, and ``board`` (2, 2**half); ``places`` (p + 1, sets of O), int32; ``least``
    (2, sets), int32; ``sums`` and ``reply_sums`` (2, sets), zero before; ``known`` and ``reply_known`` (sets), uint32;
    ``flags`` (sets), uint8.
    """

    cells: I64x1
    tables: U32x2
    board: I64x2
    places: I32x2
    least: I32x2
    sums: I64x2
    reply_sums: I64x2
    known: U32x1
    reply_known: U32x1
    flags: U8x1
