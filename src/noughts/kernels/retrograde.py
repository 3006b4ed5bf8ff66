"""The backward pass over the perfect index, one block (a canonical set of the lead player X) after another.

A table holds, for each block, one entry for every set of O among the cells that X leaves, in colexicographic order.
An entry is a code for the side to move. The less the better for the player who moved into it:

    one byte:   loss in r plies = r     draw = 100   win in r plies = 200 - r   no such position = 255
    two bits:   loss = 0                draw = 1     win = 2                    no such position = 3

``turn[code of a child]`` is the code of the parent that moves there, and the best child has the least code.
Two-bit tables pack four entries a byte, lowest bits first; a block starts on a byte.

Compiled when Numba is used, plain Python under NUMBA_DISABLE_JIT=1. No checks. Boards of up to 30 cells, so that all
masks, ranks and offsets stay positive int64. Nothing here knows of symmetry but through the given permutations.
"""

from __future__ import annotations

import numba
import numpy as np

HAS_LINE = 1 << 31
NO_CRITICAL = 1 << 30
CELL_BITS = (1 << 30) - 1

compiled = numba.njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
helper = numba.njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)


@helper
def real_rank_tables(cells, low, count, marks, choose, low_table, high_table):
    """Fill the half tables of the rank, among all ``count``-sets of the board, of a mask over the blanks ``cells``."""
    low_table[0] = 0
    for b in range(low):
        for m in range(1 << b):
            low_table[m | (1 << b)] = low_table[m] + choose[cells[b], marks[m] + 1]
    high = cells.size - low
    high_table[0] = 0
    for b in range(high - 1, -1, -1):
        for m in range(0, 1 << high, 2 << b):
            index = max(count - marks[m >> (b + 1)], 0)
            high_table[m | (1 << b)] = high_table[m] + choose[cells[low + b], index] * (index > 0)


@helper
def permuted_tables(cells, skip, permutation, low, low_table, high_table):
    """Fill the half tables that take a mask over the blanks ``cells`` to the blanks left after a mark on ``skip``.

    The board is turned by ``permutation``; ``skip`` (the number of blanks for none) is the index of the blank that becomes a mark.
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
            before = left & ((1 << permutation[cells[j]]) - 1)
            bit = 1
            while before:
                before &= before - 1
                bit <<= 1
        if j < low:
            for m in range(1 << j):
                low_table[m | (1 << j)] = low_table[m] | bit
        else:
            b = j - low
            for m in range(1 << b):
                high_table[m | (1 << b)] = high_table[m] | bit


@helper
def mark_orbits(lead, cells, low, subsets, permutations, least, low_table, high_table):
    """Set ``least[r]`` where subset r is the least of its images under the stabiliser of ``lead``; return its order."""
    for r in range(subsets.size):
        least[r] = 1
    order = 0
    for g in range(permutations.shape[0]):
        image = 0
        for c in range(permutations.shape[1]):
            if lead >> c & 1:
                image |= 1 << permutations[g, c]
        if image != lead:
            continue
        order += 1
        if order == 1:
            continue
        permuted_tables(cells, cells.size, permutations[g], low, low_table, high_table)
        mask_low = (1 << low) - 1
        for r in range(subsets.size):
            m = subsets[r]
            if (low_table[m & mask_low] | high_table[m >> low]) < m:
                least[r] = 0
    return order


@helper
def finish_block(codes, size, packed, out, start, least, order, symmetries, tally):
    """Write the codes of a block to the table at ``start`` and add them to ``tally[labelled 0 or classes 1, code]``."""
    weight = symmetries // order
    for r in range(size):
        tally[0, codes[r]] += weight
    if order == 1:
        for r in range(size):
            tally[1, codes[r]] += 1
    else:
        for r in range(size):
            tally[1, codes[r]] += least[r]
    if packed:
        for r in range(size, (size + 3) & ~3):
            codes[r] = 3
        for r in range(0, size, 4):
            word = codes[r] | (codes[r + 1] << 2) | (codes[r + 2] << 4) | (codes[r + 3] << 6)
            out[start + (r >> 2)] = word
    else:
        for r in range(size):
            out[start + r] = codes[r]


@compiled
def lead_moves(
    leads, lead_threats, child, symmetry, permutations, subsets, count, threats, marks, choose,
    child_low, child_low_ranks, child_high_ranks, children, child_stride, out, stride, first_out,
    packed, misere, codes_of, turn, tally, rows, moved_low, moved_high, entry_rows,
):  # fmt: skip
    """Fill the blocks of one layer in which X is to move, from the layer with one more X.

    ``leads``: canonical line-free sets of X; ``lead_threats``: cells completing a line of theirs; ``child``,
    ``symmetry``: see `lead.LeadLayer`; ``subsets``: all sets of ``count`` among the blanks; ``threats``: the threat
    table of all sets of ``count`` cells by rank; ``child_*_ranks``: half ranks among one blank less;
    ``children``, ``out``: tables with their bytes a block; block i goes to ``out[(first_out + i) * stride:]``;
    ``codes_of``: loss in 0, draw, win in 0, none; ``tally``: int64 (2, 256), added to.
    """
    cells_on_board = permutations.shape[1]
    blanks = child.shape[1]
    size = subsets.size
    low = blanks // 2
    low_mask = (1 << low) - 1
    child_mask = (1 << child_low) - 1
    everywhere = (1 << blanks) - 1
    loss, draw, win, none = codes_of[0], codes_of[1], codes_of[2], codes_of[3]
    win_next, loss_next = turn[loss], turn[turn[loss]]
    best_possible = loss if packed else np.uint8(2 - misere)

    cells, place, base, ready = rows[0, :blanks], rows[1], rows[2], rows[3]
    rank_low, rank_high = moved_low[blanks], moved_high[blanks]
    codes, least = entry_rows[0], entry_rows[1]

    for i in range(leads.size):
        lead = leads[i]
        j = 0
        own = 0
        for c in range(cells_on_board):
            if lead >> c & 1 == 0:
                cells[j] = c
                place[c] = j
                if lead_threats[i] >> c & 1:
                    own |= 1 << j
                base[j] = np.int64(child[i, j]) * child_stride
                ready[j] = 0
                j += 1
        order = mark_orbits(lead, cells, low, subsets, permutations, least, moved_low[0], moved_high[0])
        real_rank_tables(cells, low, count, marks, choose, rank_low, rank_high)
        others = CELL_BITS & ~lead

        for r in range(size):
            m = subsets[r]
            m_low = m & low_mask
            m_high = m >> low
            known = np.int64(threats[rank_low[m_low] + rank_high[m_high]])
            if known & HAS_LINE:
                codes[r] = none if known & NO_CRITICAL else (win if misere else loss)
                continue
            open_cells = everywhere & ~m
            if open_cells == 0:
                codes[r] = draw
                continue
            best = none
            if misere:
                if own & open_cells:
                    best = win
                open_cells &= ~own
            else:
                if own & open_cells:
                    codes[r] = win_next
                    continue
                against = known & others
                if against:
                    if against & (against - 1):
                        codes[r] = loss_next
                        continue
                    c = 0
                    while against >> c != 1:
                        c += 1
                    open_cells = 1 << place[c]
            while open_cells:
                j = 0
                bit = open_cells & -open_cells
                while bit >> j != 1:
                    j += 1
                open_cells ^= bit
                if ready[j] == 0:
                    permuted_tables(cells, j, permutations[symmetry[i, j]], low, moved_low[j], moved_high[j])
                    ready[j] = 1
                image = moved_low[j, m_low] | moved_high[j, m_high]
                rank = child_low_ranks[image & child_mask] + child_high_ranks[image >> child_low]
                if packed:
                    code = (children[base[j] + (rank >> 2)] >> ((rank & 3) << 1)) & 3
                else:
                    code = children[base[j] + rank]
                if code < best:
                    best = np.uint8(code)
                    if best <= best_possible:
                        break
            codes[r] = turn[best]
        finish_block(
            codes, size, packed, out, (first_out + i) * stride, least, order, permutations.shape[0], tally
        )


@compiled
def reply_moves(
    leads, lead_threats, permutations, subsets, count, supersets, threats, marks, choose,
    children, child_stride, first_child, out, stride, first_out, packed, misere, codes_of, turn, tally, rows, moved_low, moved_high, entry_rows,
):  # fmt: skip
    """Fill the blocks of one layer in which O is to move, from the layer with one more O: the same blocks.

    ``supersets``: `ranks.supersets`; ``children``: the table in which block i starts at
    ``(first_child + i) * child_stride``; the rest as for `lead_moves`.
    """
    cells_on_board = permutations.shape[1]
    size = subsets.size
    blanks = supersets.shape[1] + count
    low = blanks // 2
    low_mask = (1 << low) - 1
    loss, draw, none = codes_of[0], codes_of[1], codes_of[3]
    win_next, loss_next = turn[loss], turn[turn[loss]]
    best_possible = loss if packed else np.uint8(2 - misere)

    cells = rows[0, :blanks]
    rank_low, rank_high = moved_low[blanks], moved_high[blanks]
    codes, least = entry_rows[0], entry_rows[1]

    for i in range(leads.size):
        lead = leads[i]
        j = 0
        own = 0
        for c in range(cells_on_board):
            if lead >> c & 1 == 0:
                cells[j] = c
                if lead_threats[i] >> c & 1:
                    own |= 1 << j
                j += 1
        order = mark_orbits(lead, cells, low, subsets, permutations, least, rank_low, rank_high)
        real_rank_tables(cells, low, count, marks, choose, rank_low, rank_high)
        others = CELL_BITS & ~lead
        base = (first_child + i) * child_stride

        for r in range(size):
            m = subsets[r]
            known = np.int64(threats[rank_low[m & low_mask] + rank_high[m >> low]])
            if known & HAS_LINE:
                codes[r] = none
                continue
            if blanks == count:
                codes[r] = draw
                continue
            first = 0
            last = blanks - count
            if misere == 0:
                if known & others:
                    codes[r] = win_next
                    continue
                against = own & ~m
                if against:
                    if against & (against - 1):
                        codes[r] = loss_next
                        continue
                    before = ~m & (against - 1)
                    while before:
                        before &= before - 1
                        first += 1
                    last = first + 1
            best = none
            for b in range(first, last):
                rank = np.int64(supersets[r, b])
                if packed:
                    code = (children[base + (rank >> 2)] >> ((rank & 3) << 1)) & 3
                else:
                    code = children[base + rank]
                if code < best:
                    best = np.uint8(code)
                    if best <= best_possible:
                        break
            codes[r] = turn[best]
        finish_block(
            codes, size, packed, out, (first_out + i) * stride, least, order, permutations.shape[0], tally
        )


@compiled
def won_positions(
    leads, permutations, subsets, blanks, count, threats, marks, choose, tally, rows, moved_low, moved_high, entry_rows,
):  # fmt: skip
    """Add to ``tally[0]`` the positions, to ``tally[1]`` the classes, of the won sets ``leads`` of X beside open sets.

    Each set of X has a line; those of O (``subsets`` of the ``blanks`` cells left, of ``count`` marks) may have none.
    """
    cells_on_board = permutations.shape[1]
    low = blanks // 2
    low_mask = (1 << low) - 1
    cells = rows[0, :blanks]
    rank_low, rank_high = moved_low[blanks], moved_high[blanks]
    least = entry_rows[1]
    for i in range(leads.size):
        lead = leads[i]
        j = 0
        for c in range(cells_on_board):
            if lead >> c & 1 == 0:
                cells[j] = c
                j += 1
        order = mark_orbits(lead, cells, low, subsets, permutations, least, rank_low, rank_high)
        real_rank_tables(cells, low, count, marks, choose, rank_low, rank_high)
        weight = permutations.shape[0] // order
        for r in range(subsets.size):
            m = subsets[r]
            known = np.int64(threats[rank_low[m & low_mask] + rank_high[m >> low]])
            if known & HAS_LINE == 0:
                tally[0] += weight
                tally[1] += least[r]
