"""Which moves a rule allows, and what is known of the children of a group.

The functions called for each position take plain arrays rather than the records: compiled, each look into a record
counts a reference, which two threads cannot do at the same time.
"""

import numpy as np

from noughts.kernels.bits import ONE, ZERO, Int, completing_cells
from noughts.kernels.jit import kernel
from noughts.kernels.layers.images import least_image
from noughts.kernels.layers.records import (
    BLOCK,
    DRAW,
    KIND_SHIFT,
    OPEN,
    PLIES_SHIFT,
    QUICKEST,
    WIN,
    X_WINS,
    Children,
    ChildTable,
    Play,
)
from noughts.kernels.layers.table import STAMP, STATE, enter_child, find_row

__all__ = ["best_cells", "child_state", "forking_cells", "recall_children", "rule_cells"]


@kernel
def rule_cells(
    rule: Int, own: np.uint64, blank: np.uint64, wins: np.uint64, threats: np.uint64, lines: np.ndarray
) -> np.uint64:
    """The cells that a rule from WIN to FORK allows an unfinished position's mover, as a mask; never empty.

    `own`: the mover's marks; `wins`, `threats`: the cells that complete a line for the mover and for the opponent;
    `lines`: uint64[L].
    """
    if wins != ZERO:
        return wins
    if rule == WIN:
        return blank
    if threats & blank != ZERO:
        return threats & blank
    if rule == BLOCK:
        return blank
    forks = forking_cells(own, blank, lines)
    return forks if forks != ZERO else blank


@kernel
def forking_cells(own: np.uint64, blank: np.uint64, lines: np.ndarray) -> np.uint64:
    """The cells of `blank` after which `own` has at least two threats, two different cells."""
    forks = ZERO
    left = blank
    while left != ZERO:
        rest = left & (left - ONE)
        bit = left ^ rest
        left = rest
        cells = completing_cells(own | bit, blank ^ bit, lines)
        if cells != ZERO and cells & (cells - ONE) != ZERO:
            forks |= bit
    return forks


@kernel
def recall_children(
    children: Children, lead: np.uint64, forget: bool, scratch: ChildTable, columns: np.uint64, first: np.uint64
) -> Int:
    """Put the known children of the group of `lead` into the scratch table; return how many.

    They are stamped `first`, which says: known, not yet reached. With `forget` their outcomes become OPEN.
    """
    leads, offsets, masks, known = children
    table, shift, _, order, _ = scratch
    group = _first_not_below(leads, lead)
    if group == leads.shape[0] or leads[group] != lead:
        return 0
    count = 0
    for i in range(offsets[group], offsets[group + 1]):
        row = find_row(table, shift, masks[i], first)
        state = np.uint64(known[i])
        if forget:
            state |= np.uint64(OPEN << KIND_SHIFT)
        enter_child(table, row, masks[i], state, columns)
        table[row + STAMP] = first
        order[count] = row
        count += 1
    return count


@kernel
def _first_not_below(leads: np.ndarray, lead: np.uint64) -> Int:
    """The index of the first of the ascending `leads` (uint64[n]) that is not below `lead`; n if all are."""
    low = 0
    high = leads.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if leads[middle] < lead:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def best_cells(
    known: tuple[np.ndarray, ...],
    shift: np.uint64,
    kept: Int,
    first: np.uint64,
    own: np.uint64,
    moves: np.uint64,
    wins: np.uint64,
    play: Play,
) -> np.uint64:
    """Those of `moves` that keep the best value of the side to move, as a mask: by value alone, or the quickest.

    `known`: images, stabiliser, table of the records; see `child_state` for the rest.
    """
    best: Int = -1
    cells = ZERO
    while moves != ZERO:
        rest = moves & (moves - ONE)
        bit = moves ^ rest
        moves = rest
        state = child_state(known, shift, kept, first, own | bit, bit & wins != ZERO, play)
        value = state & OPEN
        if not play.x_moves:
            value = X_WINS - value
        if play.rule == QUICKEST:
            plies = state >> PLIES_SHIFT
            value = (value << PLIES_SHIFT + PLIES_SHIFT) + (0 if value == DRAW else plies if value < DRAW else -plies)
        if value > best:
            best = value
            cells = ZERO
        if value == best:
            cells |= bit
    return cells


@kernel
def child_state(
    known: tuple[np.ndarray, ...],
    shift: np.uint64,
    kept: Int,
    first: np.uint64,
    child: np.uint64,
    lined: bool,
    play: Play,
) -> Int:
    """The state of a child: of a finished one by its outcome, of an unfinished one as it was recalled.

    `known`: images, stabiliser, table of the records; `kept`: the order of the stabiliser; `first`: the
    stamp of the group; `child`: the mover's marks; `lined`: whether they hold a line.
    """
    if lined:
        return play.lined_outcome | play.lined_outcome << KIND_SHIFT
    if play.final:
        return DRAW | DRAW << KIND_SHIFT
    images, elements, table = known
    return np.int64(table[find_row(table, shift, least_image(images, elements, kept, child), first) + STATE])
