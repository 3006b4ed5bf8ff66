"""Blocks of the perfect index for the backward pass: what describes them, and how their codes are written.

A block has one entry for every set of O among the cells that a canonical set of X leaves; see `retrograde` for the
codes. Two-bit tables pack four entries a byte, lowest bits first; a block starts on a byte. Nothing is checked and
nothing allocated; arrays are int64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I32x2, I64x1, I64x2, U8x1, U8x2, U16x2, U32x1
from noughts.kernels.bits import lowest, popcount
from noughts.kernels.index.ranks import CELL_BITS, HAS_LINE, NO_CRITICAL
from noughts.kernels.jit import helper, kernel

Array = npt.NDArray[Any]


class Rules(NamedTuple):
    """What is the same for all layers.

    ``permutations``: (g, cells), the identity first; ``marks``: `ranks.popcounts` of half a board; ``choose``:
    `ranks.binomials`; ``codes``: uint8, loss in 0, draw, win in 0, none; ``turn``: uint8[256]; ``packed``: 1 for two
    bits an entry; ``misere``: 1 where a line loses.
    """

    permutations: I64x2
    marks: I64x1
    choose: I64x2
    codes: U8x1
    turn: U8x1
    packed: int
    misere: int


class LayerCodes(NamedTuple):
    """One layer of a table: ``data`` uint8 with ``stride`` bytes a block; ``first`` is the first block at hand."""

    data: U8x1
    stride: int
    first: int


class Blocks(NamedTuple):
    """Some blocks of a layer: their canonical ``leads``, the cells that complete a line of each (uint32), and the sets.

    ``subsets``: all sets of ``taken`` marks of O among the blanks; ``threats``: `lead.threat_table` (uint32) of all
    sets of ``taken`` cells of the board by rank.
    """

    leads: I64x1
    own_threats: U32x1
    subsets: I64x1
    taken: int
    threats: U32x1


class Scratch(NamedTuple):
    """Memory of one thread: ``rows`` (3, 32), ``low`` and ``high`` (blanks + 1, 2**half).

    ``entries``: uint8 (2, size + 4), the codes of a block and which of its sets are least.
    """

    rows: I64x2
    low: I64x2
    high: I64x2
    entries: U8x2


@helper
def put_block(rules: Rules, out: LayerCodes, block: int, size: int, entries: Array, order: int, tally: Array) -> None:
    """Write a block of codes to its layer and add it to ``tally[0]`` (positions) and ``tally[1]`` (classes) by code."""
    weight = rules.permutations.shape[0] // order
    codes, least, data = entries[0], entries[1], out.data
    start = (out.first + block) * out.stride
    for r in range(size):
        tally[0, codes[r]] += weight
        tally[1, codes[r]] += least[r]
    if rules.packed:
        for r in range(size, size + 3):
            codes[r] = 3
        for r in range(0, size, 4):
            data[start + (r >> 2)] = codes[r] | (codes[r + 1] << 2) | (codes[r + 2] << 4) | (codes[r + 3] << 6)
    else:
        for r in range(size):
            data[start + r] = codes[r]


@helper
def list_blanks(lead: Any, threats: Any, cells: Array) -> int:
    """Fill ``cells`` with the blanks of a lead set; return, as a set of those blanks, the ones among ``threats``."""
    j = 0
    own = 0
    for c in range(30):
        if j < cells.size and lead >> c & 1 == 0:
            cells[j] = c
            if threats >> c & 1:
                own |= 1 << j
            j += 1
    return own


# Half-board tables of one block: ranks on the whole board, permuted sets, and which sets of O are least.
#
# A block is a set of X, ``cells`` its blank cells in order. Sets of O are masks over those blanks, split into a low
# part of ``low`` bits and a high part; a table entry for each part, added or joined, replaces a loop over the marks.
# All arrays are int64 unless said otherwise; nothing is allocated.


@helper
def fill_ranks(
    cells: Array, low: int, count: int, marks: Array, choose: Array, low_table: Array, high_table: Array
) -> None:
    """Fill the half tables of the rank, among all ``count``-sets of the whole board, of a set of blanks.

    ``marks``: the number of marks of every mask up to a half; ``choose``: binomial coefficients.
    """
    low_table[0] = 0
    for b in range(low):
        for m in range(1 << b):
            low_table[m | (1 << b)] = low_table[m] + choose[cells[b], marks[m] + 1]
    high = cells.size - low
    high_table[0] = 0
    for b in range(high - 1, -1, -1):
        for m in range(0, 1 << high, 2 << b):
            index = count - marks[m >> (b + 1)]
            high_table[m | (1 << b)] = high_table[m] + (choose[cells[low + b], index] if index > 0 else 0)


@helper
def fill_images(cells: Array, skip: int, permutation: Array, low: int, low_table: Array, high_table: Array) -> None:
    """Fill the half tables that take a set of blanks to a set of the blanks left after a mark on ``skip``.

    The board is turned by ``permutation``, and blanks are numbered afresh; ``skip`` is the index of the blank that
    becomes a mark, or the number of blanks for none.
    """
    left = 0
    for j in range(cells.size):
        if j != skip:
            left |= 1 << permutation[cells[j]]
    low_table[0] = 0
    high_table[0] = 0
    for j in range(cells.size):
        bit = 0
        if j != skip:
            bit = 1 << popcount(left & ((1 << permutation[cells[j]]) - 1))
        if j < low:
            for m in range(1 << j):
                low_table[m | (1 << j)] = low_table[m] | bit
        else:
            for m in range(1 << (j - low)):
                high_table[m | (1 << (j - low))] = high_table[m] | bit


@helper
def mark_least(
    lead: int, cells: Array, low: int, subsets: Array, permutations: Array, least: Array, low_table: Array,
    high_table: Array,
) -> int:  # fmt: skip
    """Set ``least[r]`` (uint8) where subset r is the least of its images under the stabiliser of ``lead``.

    Returns the order of the stabiliser. Assumes that the first of ``permutations`` is the identity.
    """
    for r in range(subsets.size):
        least[r] = 1
    order = 1
    for g in range(1, permutations.shape[0]):
        image = 0
        for c in range(permutations.shape[1]):
            if lead >> c & 1:
                image |= 1 << permutations[g, c]
        if image != lead:
            continue
        order += 1
        fill_images(cells, cells.size, permutations[g], low, low_table, high_table)
        low_mask = (1 << low) - 1
        for r in range(subsets.size):
            m = subsets[r]
            if (low_table[m & low_mask] | high_table[m >> low]) < m:
                least[r] = 0
    return order


# The backward pass over the perfect index, one block (a canonical set of the lead player X) after another.
#
# A table holds, for each block, one entry for every set of O among the cells that X leaves, in colexicographic order.
# An entry is a code for the side to move:
#
#     one byte:   loss in r plies = r     draw = 100   win in r plies = 200 - r   no such position = 255
#     two bits:   loss = 0                draw = 1     win = 2                    no such position = 3
#
# The side to move wants the child with the least code; ``turn[code of a child]`` is the code of its parent.
#
# Nothing is checked and nothing allocated. Boards have at most 30 cells, so that all masks, ranks and offsets are
# positive int64; arrays are int64 unless said otherwise.


class Ends(NamedTuple):
    """Codes (uint8) that need no look at a child: those of `Rules.codes`, of a position with a line to complete, with
    a loss in two plies, and where every move loses by a line.
    """

    loss: Any
    draw: Any
    win: Any
    none: Any
    win_next: Any
    loss_next: Any
    after_win: Any


@helper
def _ends(rules: Rules) -> Ends:
    """Return the codes that need no look at a child."""
    loss, draw, win, none = rules.codes[0], rules.codes[1], rules.codes[2], rules.codes[3]
    turn = rules.turn
    return Ends(loss, draw, win, none, turn[loss], turn[turn[loss]], turn[win])


@helper
def _lead_choice(known: Any, own: int, blanks: int, lead: int, ends: Ends, misere: int) -> tuple[Any, int]:
    """Return the code of a position of X, and 0, where the block alone tells it.

    Otherwise return the least code of a child that is known, and the moves to look up: some of ``blanks``, or the one
    cell of the board that stops O's only threat, as a negative number. ``known``: the word of `lead.threat_table` for
    O's set; ``own`` and ``blanks``: the cells that complete a line of X and the open cells, as sets of blanks.
    """
    if known & HAS_LINE:
        return (ends.none if known & NO_CRITICAL else (ends.win if misere else ends.loss)), 0
    if blanks == 0:
        return ends.draw, 0
    if misere:
        if blanks & ~own == 0:
            return ends.after_win, 0
        return ends.none, blanks & ~own
    if own & blanks:
        return ends.win_next, 0
    against = known & CELL_BITS & ~lead
    if against & (against - 1):
        return ends.loss_next, 0
    return ends.none, -against if against else blanks


@helper
def _reply_choice(
    known: Any, against: int, marks: int, lead: int, ends: Ends, misere: int, moves: int
) -> tuple[Any, int, int]:
    """Return the code of a position of O where the block alone tells it; else none, and the range of moves to look up.

    ``against``: X's threats among the open cells; ``marks``: O's set; ``moves``: the number of open cells. The range is
    empty where the code is known.
    """
    if known & HAS_LINE:
        return ends.none, 0, 0
    if moves == 0:
        return ends.draw, 0, 0
    if misere == 0:
        if known & CELL_BITS & ~lead:
            return ends.win_next, 0, 0
        if against & (against - 1):
            return ends.loss_next, 0, 0
        if against:
            first = popcount(~marks & (against - 1))
            return ends.none, first, first + 1
    return ends.none, 0, moves


@kernel
def lead_moves(
    rules: Rules, blocks: Blocks, child: I32x2, symmetry: U16x2, child_low: int, child_low_ranks: I64x1,
    child_high_ranks: I64x1, children: LayerCodes, out: LayerCodes, scratch: Scratch, tally: I64x2,
) -> None:  # fmt: skip
    """Fill blocks of a layer in which X is to move, from the layer with one more X.

    ``child`` (int32), ``symmetry`` (uint16): `lead.LeadLayer` of these blocks; ``child_*``: `ranks.half_ranks` among
    one blank less; ``tally``: (2, 256), added to. A move that completes a line is known from the block alone, and a
    single threat of O leaves one move to look up.
    """
    blanks = child.shape[1]
    low = blanks // 2
    low_mask, child_mask, everywhere = (1 << low) - 1, (1 << child_low) - 1, (1 << blanks) - 1
    ends = _ends(rules)
    stop = ends.loss if rules.packed else np.uint8(2 - rules.misere)
    cells, place, ready = scratch.rows[0, :blanks], scratch.rows[1], scratch.rows[2]
    rank_low, rank_high = scratch.low[blanks], scratch.high[blanks]
    all_low, all_high, codes, least = scratch.low, scratch.high, scratch.entries[0], scratch.entries[1]
    leads, subsets, threats = blocks.leads, blocks.subsets, blocks.threats
    data, stride, turn, packed, misere = children.data, children.stride, rules.turn, rules.packed, rules.misere

    for i in range(leads.size):
        lead = leads[i]
        own = list_blanks(lead, np.int64(blocks.own_threats[i]), cells)
        for j in range(blanks):
            place[cells[j]] = j
            ready[j] = 0
        order = mark_least(lead, cells, low, subsets, rules.permutations, least, rank_low, rank_high)
        fill_ranks(cells, low, blocks.taken, rules.marks, rules.choose, rank_low, rank_high)

        for r in range(subsets.size):
            m = subsets[r]
            m_low, m_high = m & low_mask, m >> low
            known = np.int64(threats[rank_low[m_low] + rank_high[m_high]])
            best, open_cells = _lead_choice(known, own, everywhere & ~m, lead, ends, misere)
            if open_cells == 0:
                codes[r] = best
                continue
            if open_cells < 0:
                open_cells = 1 << place[lowest(-open_cells)]
            while open_cells:
                j = lowest(open_cells)
                open_cells &= open_cells - 1
                if ready[j] == 0:
                    fill_images(cells, j, rules.permutations[symmetry[i, j]], low, all_low[j], all_high[j])
                    ready[j] = 1
                image = all_low[j, m_low] | all_high[j, m_high]
                rank = child_low_ranks[image & child_mask] + child_high_ranks[image >> child_low]
                base = np.int64(child[i, j]) * stride
                code = data[base + (rank >> 2)] >> ((rank & 3) << 1) & 3 if packed else np.int64(data[base + rank])
                if code < best:
                    best = np.uint8(code)
                    if best <= stop:
                        break
            codes[r] = turn[best]
        put_block(rules, out, i, subsets.size, scratch.entries, order, tally)


@kernel
def reply_moves(
    rules: Rules,
    blocks: Blocks,
    supersets: I32x2,
    children: LayerCodes,
    out: LayerCodes,
    scratch: Scratch,
    tally: I64x2,
) -> None:
    """Fill blocks of a layer in which O is to move, from the layer with one more O: the same blocks.

    ``supersets`` (int32): `ranks.supersets`; the rest as for `lead_moves`.
    """
    moves = supersets.shape[1]
    blanks = moves + blocks.taken
    low = blanks // 2
    low_mask = (1 << low) - 1
    ends = _ends(rules)
    stop = ends.loss if rules.packed else np.uint8(2 - rules.misere)
    cells = scratch.rows[0, :blanks]
    rank_low, rank_high = scratch.low[blanks], scratch.high[blanks]
    codes, least = scratch.entries[0], scratch.entries[1]
    leads, subsets, threats = blocks.leads, blocks.subsets, blocks.threats
    data, turn, packed, misere = children.data, rules.turn, rules.packed, rules.misere

    for i in range(leads.size):
        lead = leads[i]
        own = list_blanks(lead, np.int64(blocks.own_threats[i]), cells)
        order = mark_least(lead, cells, low, subsets, rules.permutations, least, rank_low, rank_high)
        fill_ranks(cells, low, blocks.taken, rules.marks, rules.choose, rank_low, rank_high)
        base = (children.first + i) * children.stride

        for r in range(subsets.size):
            m = subsets[r]
            known = np.int64(threats[rank_low[m & low_mask] + rank_high[m >> low]])
            best, first, last = _reply_choice(known, own & ~m, m, lead, ends, misere, moves)
            if first == last:
                codes[r] = best
                continue
            for b in range(first, last):
                rank = np.int64(supersets[r, b])
                code = data[base + (rank >> 2)] >> ((rank & 3) << 1) & 3 if packed else np.int64(data[base + rank])
                if code < best:
                    best = np.uint8(code)
                    if best <= stop:
                        break
            codes[r] = turn[best]
        put_block(rules, out, i, subsets.size, scratch.entries, order, tally)


@kernel
def won_positions(rules: Rules, blocks: Blocks, blanks: int, scratch: Scratch, tally: I64x2) -> None:
    """Add to ``tally[:, 0]`` the positions and the classes of won sets of X beside line-free sets of O.

    ``blocks.leads`` are canonical sets of X with a line that its last mark completed; they leave ``blanks`` cells.
    """
    low = blanks // 2
    low_mask = (1 << low) - 1
    cells = scratch.rows[0, :blanks]
    rank_low, rank_high = scratch.low[blanks], scratch.high[blanks]
    least = scratch.entries[1]
    leads, subsets, threats = blocks.leads, blocks.subsets, blocks.threats
    for i in range(leads.size):
        lead = leads[i]
        list_blanks(lead, 0, cells)
        order = mark_least(lead, cells, low, blocks.subsets, rules.permutations, least, rank_low, rank_high)
        fill_ranks(cells, low, blocks.taken, rules.marks, rules.choose, rank_low, rank_high)
        for r in range(subsets.size):
            m = subsets[r]
            known = np.int64(threats[rank_low[m & low_mask] + rank_high[m >> low]])
            if known & HAS_LINE == 0:
                tally[0, 0] += rules.permutations.shape[0] // order
                tally[1, 0] += least[r]
