"""Which moves a rule allows, and what is known of the children of a group.

The functions called for each position take plain arrays, not records. Compiled code counts a reference at each look
into a record, which two threads cannot do at the same time.
"""

from __future__ import annotations

import numpy as np

from noughts.kernels.bits import ONE, ZERO, Int, completing_cells, has_line
from noughts.kernels.jit import helper, inner_kernel, kernel
from noughts.kernels.layers.tables import (
    ANY,
    BLOCK,
    DECIDED,
    DRAW,
    FULL,
    KIND_SHIFT,
    LINED,
    LINED_BIT,
    O_WINS,
    OPEN,
    PERFECT,
    PLIES_SHIFT,
    QUICKEST,
    STAMP,
    STATE,
    UNVALUED,
    WEIGHT,
    WIN,
    X_WINS,
    Children,
    ChildTable,
    Geometry,
    Groups,
    Output,
    Play,
    add_number,
    element_to_least,
    enter_child,
    find_row,
    image,
    least_image,
    orders_of_stabilisers,
    stabiliser,
)


@helper
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


@helper
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


@helper
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


@helper
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


@helper
def best_cells(
    known: tuple[np.ndarray, ...],
    shift: np.uint64,
    stabiliser_order: Int,
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
        state = child_state(known, shift, stabiliser_order, first, own | bit, bit & wins != ZERO, play)
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


@helper
def child_state(
    known: tuple[np.ndarray, ...],
    shift: np.uint64,
    stabiliser_order: Int,
    first: np.uint64,
    child: np.uint64,
    lined: bool,
    play: Play,
) -> Int:
    """The state of a child: of a finished one by its outcome, of an unfinished one as it was recalled.

    `known`: images, stabiliser, table of the records; `stabiliser_order`: the order of the stabiliser; `first`: the
    stamp of the group; `child`: the mover's marks; `lined`: whether they hold a line.
    """
    if lined:
        return play.lined_outcome | play.lined_outcome << KIND_SHIFT
    if play.final:
        return DRAW | DRAW << KIND_SHIFT
    images, elements, table = known
    return np.int64(
        table[find_row(table, shift, least_image(images, elements, stabiliser_order, child), first) + STATE]
    )


# One ply forward: from the classes of a layer to those of the next, with exact weights.
#
# Records are taken apart once for each group; the loops over parents and children see plain arrays (see `moves`).


@kernel
def expand_groups(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    children: Children,
    scratch: ChildTable,
    output: Output,
) -> Int:
    """Expand all groups of a layer; return how many unfinished children were written to `output`.

    Children are written group by group, each class once. Assumes that `scratch` is twice as large as the children of
    any group and that `output` has room. The sums in `output` are added to; weights are exact if
    (sum of the layer's weights) * (blank cells) < 2**(limb_bits * limbs).
    """
    first = scratch.clock[0] + ONE
    written: Int = np.int64(0)
    simple = play.rule == ANY and play.end != FULL and play.limbs == ONE
    for group in range(layer.leads.shape[0]):
        lead = layer.leads[group]
        stabiliser_order = stabiliser(geometry.images, lead, scratch.stabiliser)
        count = recall_children(children, lead, play.end != DECIDED, scratch, play.columns, first)
        if simple:  # a call of its own: the compiler leaves out what does not happen then
            count = _fill_group(geometry, play, layer, scratch, group, lead, stabiliser_order, first, count, True)
        else:
            count = _fill_group(geometry, play, layer, scratch, group, lead, stabiliser_order, first, count, False)
        written = _leave_group(geometry, play, scratch, output, lead, stabiliser_order, first, count, written)
        if play.emit > 1:
            output.ends[group] = written
        first += np.uint64(layer.offsets[group + 1] - layer.offsets[group] + 1)
    scratch.clock[0] = first
    return written


@inner_kernel
def _fill_group(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    scratch: ChildTable,
    group: Int,
    lead: np.uint64,
    stabiliser_order: Int,
    first: np.uint64,
    count: Int,
    simple: bool,
) -> Int:
    """Add the weights of all parents of a group to their children in the scratch table; return the number of these.

    `simple`: any move may be made, play ends at a line, and a weight is one word.
    """
    full, lines, images, others, parents = geometry.full, geometry.lines, geometry.images, layer.others, layer.weights
    table, shift, _, order, elements = scratch
    known = (images, elements, table)
    threats = completing_cells(lead, full & ~lead, lines)
    lead_lined = play.end == FULL and has_line(lead, lines)
    lined_state, open_state = _new_states(play.end, play.final, play.lined_outcome)
    columns = ONE if simple else play.columns
    stamp = first
    for parent in range(layer.offsets[group], layer.offsets[group + 1]):
        stamp += ONE
        source = np.uint64(parent) * columns
        own = others[parent]
        blank = full & ~(lead | own)
        wins = completing_cells(own, blank, lines)
        lined = not simple and (lead_lined or (play.end == FULL and has_line(own, lines)))
        moves = blank
        if not (simple or lined):
            if play.rule >= PERFECT:
                moves = best_cells(known, shift, stabiliser_order, first, own, moves, wins, play)
            elif play.rule != ANY:
                moves = rule_cells(play.rule, own, blank, wins, threats, lines)
        while moves != ZERO:
            rest = moves & (moves - ONE)
            bit = moves ^ rest
            moves = rest
            key = own | bit
            if stabiliser_order > 1:
                key = least_image(images, elements, stabiliser_order, key)
            row = find_row(table, shift, key, first)
            if table[row + STAMP] < first:
                state = lined_state if lined or bit & wins != ZERO else open_state
                enter_child(table, row, key, state, columns)
                order[count] = row
                count += 1
            elif play.distinct and table[row + STAMP] == stamp:
                continue
            table[row + STAMP] = stamp
            if simple:
                table[row + WEIGHT] += parents[source]
            elif play.end == FULL:
                won_by_o = table[row + STATE] & LINED_BIT != ZERO and play.lined_outcome == O_WINS
                _add_columns(table, row + WEIGHT, parents, source, lined, won_by_o, play.limbs, play.limb_bits)
            else:
                add_number(table, row + WEIGHT, parents, source, play.limbs, play.limb_bits)
    return count


@helper
def _new_states(end: Int, final: Int, lined_outcome: Int) -> tuple[np.uint64, np.uint64]:
    """The states of children that were not recalled: one that completes a line, and any other."""
    if end == FULL:
        return np.uint64(UNVALUED | LINED), np.uint64(UNVALUED)
    unlined = DRAW | DRAW << KIND_SHIFT if final else UNVALUED
    return np.uint64(lined_outcome | lined_outcome << KIND_SHIFT), np.uint64(unlined)


@helper
def _add_columns(
    table: np.ndarray,
    to: np.uint64,
    parents: np.ndarray,
    source: np.uint64,
    lined: bool,
    won_by_o: bool,
    limbs: np.uint64,
    bits: np.uint64,
) -> None:
    """Add a parent's two weights, where play goes on after a line.

    Without a line on the board there is one weight, in the first column. Afterwards the first column counts the paths
    in which X has won and the second those in which O has.
    """
    if lined:
        add_number(table, to + limbs, parents, source + limbs, limbs, bits)
    add_number(table, to + limbs if won_by_o and not lined else to, parents, source, limbs, bits)


@inner_kernel
def _leave_group(
    geometry: Geometry,
    play: Play,
    scratch: ChildTable,
    output: Output,
    lead: np.uint64,
    stabiliser_order: Int,
    first: np.uint64,
    count: Int,
    written: Int,
) -> Int:
    """Count the children of a group, by outcome, and write the unfinished ones; return the number written so far."""
    images, fixed, lead_table = geometry.images, geometry.fixed, geometry.lead_table
    table, _, _, order, elements = scratch
    classes, boards, paths, surplus = output.classes, output.boards, output.paths, output.surplus
    weights = output.weights
    fixers: Int = 1
    orbit: Int = images.shape[0]
    for j in range(count):
        row = order[j]
        if table[row + STAMP] == first:
            continue  # recalled but not reached
        own = table[row]
        state = np.int64(table[row + STATE])
        kind: Int = (state >> KIND_SHIFT) & OPEN
        if stabiliser_order > 1:
            played = (lead | own) & ~play.start
            keepers, fixers = orders_of_stabilisers(images, fixed, elements, stabiliser_order, own, played)
            orbit = images.shape[0] // keepers
        classes[kind] += 1
        boards[kind] += orbit
        if play.end == FULL:
            kind = _first_column(state, play.final)
            second = O_WINS if play.final else OPEN
            _count_paths(paths, surplus, second, table, row + WEIGHT + play.limbs, fixers, play.limbs, play.limb_bits)
        _count_paths(paths, surplus, kind, table, row + WEIGHT, fixers, play.limbs, play.limb_bits)
        if play.emit and kind == OPEN:
            _write_class(output.leads, output.others, written, images, lead_table, lead, own)
            if play.emit > 1:
                output.masks[written] = own
            _copy_words(weights, np.uint64(written) * play.columns, table, row + WEIGHT, play.columns)
            written += 1
    return written


@helper
def _first_column(state: Int, final: Int) -> Int:
    """The outcome that a class's first column counts where play goes on after a line."""
    if not final:
        return OPEN
    return X_WINS if state & LINED else DRAW


@inner_kernel
def _count_paths(
    paths: np.ndarray,
    surplus: np.ndarray,
    kind: Int,
    table: np.ndarray,
    at: np.uint64,
    fixers: Int,
    limbs: np.uint64,
    bits: np.uint64,
) -> None:
    """Add a weight to the sum of paths, and, for each symmetry but the identity that fixes them, to the surplus."""
    to = np.uint64(kind) * (limbs + ONE)
    add_number(paths, to, table, at, limbs, bits)
    for _ in range(fixers - 1):
        add_number(surplus, to, table, at, limbs, bits)


@inner_kernel
def _copy_words(target: np.ndarray, to: np.uint64, source: np.ndarray, at: np.uint64, words: np.uint64) -> None:
    target[to] = source[at]
    for i in range(words - ONE):
        j = np.uint64(i) + ONE
        target[to + j] = source[at + j]


@inner_kernel
def _write_class(
    leads: np.ndarray,
    others: np.ndarray,
    at: Int,
    images: np.ndarray,
    lead_table: np.ndarray,
    lead: np.uint64,
    own: np.uint64,
) -> None:
    """Write an unfinished child, turned so that the mover's marks, which lead the next layer, are least."""
    element = np.int64(lead_table[own]) if lead_table.shape[0] else element_to_least(images, own)
    leads[at] = image(images, element, own)
    others[at] = image(images, element, lead)
