"""Where the sets beside one set of X are found beside another: places of parents, and threats seen from a block.

A block is a canonical set of X with all sets of O of one size. Each is a mask over the blanks of the block. A
parent of a block has one X less; a symmetry of the board takes it to a canonical set, whose block holds its paths.

Sets of O and tables of them are uint32, so that compiled loops over them use vectors; other arrays are int64 unless
said otherwise. Nothing is checked and nothing allocated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import Int, popcount
from noughts.kernels.index.ranks import CELL_BITS, HAS_LINE
from noughts.kernels.index.retrograde import fill_ranks
from noughts.kernels.jit import helper
from noughts.kernels.paths.records import DECIDED, PathBench, PathRules, PathValues, SetTables

Array = npt.NDArray[Any]


@helper
def image_of(marks: int, permutations: Array, g: int) -> int:
    """Return the image of a set of cells of the board."""
    image = 0
    for c in range(permutations.shape[1]):
        if marks >> c & 1:
            image |= 1 << permutations[g, c]
    return image


@helper
def blanks_of(lead: int, cells: Array, count: int) -> None:
    """Fill ``cells[:count]`` with the cells that a set of X leaves, increasing."""
    j = 0
    c = 0
    while j < count:
        if lead >> c & 1 == 0:
            cells[j] = c
            j += 1
        c += 1


@helper
def among(marks: Int, cells: Array, count: int) -> int:
    """Return, as a set of the blanks ``cells[:count]``, which of them are in a set of cells of the board."""
    found = 0
    for j in range(count):
        if marks >> cells[j] & 1:
            found |= 1 << j
    return found


@helper
def _fill_turned(cells: Array, count: int, permutations: Array, g: int, target: int, low: int, tables: Array) -> None:
    """Fill ``tables`` (2, 2**half): a set of ``cells[:count]``, turned by ``g``, as a set of what ``target`` leaves."""
    tables[0, 0] = 0
    tables[1, 0] = 0
    for j in range(count):
        cell = permutations[g, cells[j]]
        below = (1 << cell) - 1
        bit = 1 << (cell - popcount(target & below))
        if j < low:
            for m in range(1 << j):
                tables[0, m | (1 << j)] = tables[0, m] | bit
        else:
            for m in range(1 << (j - low)):
                tables[1, m | (1 << (j - low))] = tables[1, m] | bit


@helper
def fill_places(
    cells: Array, count: int, subsets: Array, permutations: Array, g: int, target: int, half_low: int, ranks: Array,
    tables: Array, places: Array, least: int,
) -> None:  # fmt: skip
    """Fill ``places`` (int32) with the rank of each set, turned by ``g``, among those that ``target`` leaves.

    ``half_low`` and ``ranks`` (2, 2**half): `ranks.half_ranks` of the target. With ``least`` what is there stays where
    it is less.
    """
    _fill_turned(cells, count, permutations, g, target, count // 2, tables)
    low, half = np.uint32(count // 2), np.uint32(half_low)
    low_mask, rank_mask = np.uint32((1 << count // 2) - 1), np.uint32((1 << half_low) - 1)
    low_table, high_table, low_ranks, high_ranks = tables[0], tables[1], ranks[0], ranks[1]
    if least:
        for t in range(subsets.size):
            image = low_table[subsets[t] & low_mask] | high_table[subsets[t] >> low]
            places[t] = min(places[t], np.int32(low_ranks[image & rank_mask] + high_ranks[image >> half]))
        return
    for t in range(subsets.size):
        image = low_table[subsets[t] & low_mask] | high_table[subsets[t] >> low]
        places[t] = low_ranks[image & rank_mask] + high_ranks[image >> half]


@helper
def fill_least(
    lead: int, cells: Array, count: int, subsets: Array, permutations: Array, half_low: int, ranks: Array,
    tables: Array, places: Array,
) -> int:  # fmt: skip
    """Fill ``places`` (int32) with the least rank of the images of each set under the stabiliser of ``lead``.

    Returns the order of the stabiliser; where it is 1 nothing is filled.
    """
    order = 1
    for g in range(1, permutations.shape[0]):
        if image_of(lead, permutations, g) == lead:
            if order == 1:
                for t in range(subsets.size):
                    places[t] = t
            order += 1
            fill_places(cells, count, subsets, permutations, g, lead, half_low, ranks, tables, places, 1)
    return order


@helper
def recall_threats(marks: Array, choose: Array, sets: SetTables, cells: Array, board: Array, known: Array) -> None:
    """Fill ``known`` with the threats of each set of O beside a block, by its rank on the whole board.

    ``marks`` and ``choose``: see `PathRules`.
    """
    low = cells.size // 2
    fill_ranks(cells, low, sets.taken, marks, choose, board[0], board[1])
    low_mask, low_bits = np.uint32((1 << low) - 1), np.uint32(low)
    subsets, threats, low_ranks, high_ranks = sets.subsets, sets.threats, board[0], board[1]
    for t in range(subsets.size):
        known[t] = threats[low_ranks[subsets[t] & low_mask] + high_ranks[subsets[t] >> low_bits]]


# The moves that the rules allow, from a block and a set of O: 0 any, 1 win, 2 block, 3 fork.

BLOCK, FORK = 2, 3


@helper
def _has_fork(forks: Array, blank: Int, cells: Int) -> bool:
    """Tell whether a move on one of the ``blank`` cells makes two threats; ``forks``: what each move threatens."""
    for b in range(forks.size):
        if blank >> b & 1:
            seen = np.int64(forks[b]) & cells
            if seen & (seen - 1):
                return True
    return False


@helper
def forbid(rule: int, sets: SetTables, known: Array, lead: int, cell: int, own: int, after: int, forks: Array,
            row: Array) -> None:  # fmt: skip
    """Set -1 in ``row`` where the rule forbids X the move to ``cell`` that completes no line.

    ``known``: O's threats (cells of the board); as sets of blanks: ``own``, X's threats before, ``after``, those
    afterwards, ``forks``, those after another move, the cell being one blank more.
    """
    subsets = sets.subsets
    for t in range(subsets.size):
        m = np.int64(subsets[t])
        if own & ~m:
            row[t] = -1
        elif rule >= BLOCK and known[t] >> cell & 1 == 0:
            left = after & ~m
            if known[t] & CELL_BITS & ~lead or (rule >= FORK and left & (left - 1) == 0 and _has_fork(forks, ~m, ~m)):
                row[t] = -1


@helper
def _forking(forks: Array, blank: Int) -> int:
    """Return those of the ``blank`` cells after a move on which X has two threats: see `_has_fork`."""
    found = 0
    for b in range(forks.size):
        seen = np.int64(forks[b]) & blank
        if blank >> b & 1 and seen & (seen - 1):
            found |= 1 << b
    return found


@helper
def leave_moves(rule: int, sets: SetTables, known: Array, lead: int, cells: Array, own: int, forks: Array,
                allowed: Array) -> None:  # fmt: skip
    """Fill ``allowed`` (uint32) with the moves that the rule leaves X beside each set of O, as sets of blanks.

    ``known``: O's threats (cells of the board); as sets of blanks: ``own``, X's threats, ``forks``, those after a move
    on each blank.
    """
    subsets, everywhere = sets.subsets, (1 << cells.size) - 1
    for t in range(subsets.size):
        blank = everywhere & ~np.int64(subsets[t])
        moves: Int = own & blank
        against = np.int64(known[t]) & CELL_BITS & ~lead
        if moves == 0 and rule >= BLOCK and against:
            moves = among(against, cells, cells.size)
        elif moves == 0 and rule >= FORK:
            moves = _forking(forks, blank)
        allowed[t] = moves if moves else blank


@helper
def is_fork(threats: Int, lead: int) -> bool:
    """Tell whether two of O's threats, but no line of it, are where X is not."""
    seen = np.int64(threats) & CELL_BITS & ~lead
    return threats & HAS_LINE == 0 and seen & (seen - 1) != 0


@helper
def mark_openings(rules: PathRules, sets: SetTables, replies: SetTables, bench: PathBench, lead: int) -> None:
    """Set flags for the sets of O beside a block: 1 where O can complete a line, 2 where O can make two threats."""
    flags, known, reply_known, below = bench.flags, bench.known, bench.reply_known, replies.below
    for u in range(sets.subsets.size):
        flags[u] = 1 if known[u] & CELL_BITS & ~lead else 0
    if rules.o_rule >= FORK:
        for t in range(replies.subsets.size):
            if is_fork(reply_known[t], lead):
                for s in range(below.shape[0]):
                    flags[below[s, t]] |= 2


@helper
def is_allowed(rule: int, flag: int, cell: int, against: int, marks: Int, forking: bool) -> bool:
    """Tell whether the rule allows O the move to ``cell`` that completes no line and leads to the set ``marks``.

    ``flag``: what O could do instead; ``against``: X's threats, as a set of blanks.
    """
    if flag & 1:
        return False
    if rule < BLOCK or against >> cell & 1:
        return True
    if against & ~marks:
        return False
    return rule < FORK or forking or flag & 2 == 0


# The moves that the rules perfect and quickest leave, and the decided positions, from tables of all positions.
#
# A position has the code of its best move, which follows from the code of the child: see `index.retrograde`. So a
# move is one of the best iff the child's code gives what the parent's asks for. Nothing is checked or allocated.

X, O = 0, 1  # noqa: E741 - the players have these names


@helper
def two_bits(codes: Array, rank: Int) -> Int:
    """Return an entry of a block of a table with four entries a byte."""
    return int(codes[rank >> 2]) >> ((rank & 3) << 1) & 3


@helper
def code(codes: Array, rank: Int, packed: int) -> Int:
    """Return an entry of a block of a table of values."""
    if packed:
        return two_bits(codes, rank)
    return int(codes[rank])


@helper
def forbid_worse(values: PathValues, parent: int, block: int, lined: int, row: Array) -> None:
    """Set -1 in ``row`` where X's move from a place of the block ``parent`` is not among the best.

    The moves lead to the sets of O in order: beside the sets of X ``block``, or where X has a line.
    """
    before, packed, asks, gives = values.before[parent], values.packed, values.asks[X], values.gives[X]
    if lined:
        given = gives[values.lined]
        for t in range(row.size):
            if row[t] >= 0 and asks[code(before, row[t], packed)] != given:
                row[t] = -1
        return
    after = values.between[block]
    for t in range(row.size):
        if row[t] >= 0 and asks[code(before, row[t], packed)] != gives[code(after, t, packed)]:
            row[t] = -1


@helper
def keeps_value(values: PathValues, block: int, before: Int, after: Int) -> bool:
    """Tell whether O's move from one set of O to the next, beside the same set of X, is among the best."""
    before_value = values.asks[O, code(values.between[block], before, values.packed)]
    return bool(before_value == values.gives[O, code(values.after[block], after, values.packed)])


@helper
def tell_ends(codes: Array, known: Array) -> None:
    """Add to the threats of each set of O beside a block how play ends there, from the bit `DECIDED` on."""
    for t in range(known.size):
        known[t] = known[t] & np.uint32(CELL_BITS) | np.uint32(two_bits(codes, t) << DECIDED)
