"""The backward pass over the perfect index, one block (a canonical set of the lead player X) after another.

A table holds, for each block, one entry for every set of O among the cells that X leaves, in colexicographic order.
An entry is a code for the side to move:

    one byte:   loss in r plies = r     draw = 100   win in r plies = 200 - r   no such position = 255
    two bits:   loss = 0                draw = 1     win = 2                    no such position = 3

The side to move wants the child with the least code; ``turn[code of a child]`` is the code of its parent.

Nothing is checked and nothing allocated. Boards have at most 30 cells, so that all masks, ranks and offsets are
positive int64; arrays are int64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import lowest, popcount
from noughts.kernels.index.blocks import Blocks, LayerCodes, Rules, Scratch, list_blanks, put_block
from noughts.kernels.index.halves import fill_images, fill_ranks, mark_least
from noughts.kernels.index.lead import CELL_BITS, HAS_LINE, NO_CRITICAL
from noughts.kernels.jit import helper, kernel

__all__ = ["Ends", "lead_moves", "reply_moves", "won_positions"]

Array = npt.NDArray[Any]


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
    rules: Rules, blocks: Blocks, child: Array, symmetry: Array, child_low: int, child_low_ranks: Array,
    child_high_ranks: Array, children: LayerCodes, out: LayerCodes, scratch: Scratch, tally: Array,
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
    supersets: Array,
    children: LayerCodes,
    out: LayerCodes,
    scratch: Scratch,
    tally: Array,
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
def won_positions(rules: Rules, blocks: Blocks, blanks: int, scratch: Scratch, tally: Array) -> None:
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
