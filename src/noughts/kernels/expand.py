"""One ply forward: from the classes of a layer to those of the next, with exact weights.

Records are taken apart once for each group; the loops over parents and children see plain arrays (see `moves`).
"""

import numpy as np

from noughts.kernels.bits import ONE, ZERO, Int, completing_cells, has_line, kernel
from noughts.kernels.images import element_to_least, image, least_image, orders_of_stabilisers, stabiliser
from noughts.kernels.moves import best_cells, recall_children, rule_cells
from noughts.kernels.records import (
    ANY,
    DECIDED,
    DRAW,
    FULL,
    KIND_SHIFT,
    LINED,
    O_WINS,
    OPEN,
    PERFECT,
    UNVALUED,
    X_WINS,
    Children,
    Geometry,
    Groups,
    Output,
    Play,
    Scratch,
)
from noughts.kernels.table import FIRST, add_number, enter_child, find_slot

__all__ = ["expand_groups"]


@kernel
def expand_groups(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    children: Children,
    scratch: Scratch,
    output: Output,
    begin: Int,
    end: Int,
) -> Int:
    """Expand the groups `begin` to `end` of a layer; return how many unfinished children were written to `output`.

    Children are written group by group, each class once. Assumes that `scratch` is twice as large as the children of
    any group and that `output` has room. The sums in `output` are added to; weights are exact if
    (sum of the layer's weights) * (blank cells) < 2**(limb_bits * limbs).
    """
    first: Int = np.int64(1)
    written: Int = np.int64(0)
    for group in range(begin, end):
        lead = layer.leads[group]
        kept = stabiliser(geometry.images, lead, scratch.stabiliser)
        count = recall_children(children, lead, play.end != DECIDED, scratch, first)
        count = _fill_group(geometry, play, layer, scratch, group, lead, kept, first, count)
        written = _leave_group(geometry, play, scratch, output, lead, kept, first, count, written)
        if play.emit > 1:
            output.ends[group - begin] = written
        first += layer.offsets[group + 1] - layer.offsets[group] + 1
    return written


@kernel
def _fill_group(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    scratch: Scratch,
    group: Int,
    lead: np.uint64,
    kept: Int,
    first: Int,
    count: Int,
) -> Int:
    """Add the weights of all parents of a group to their children in the scratch table; return the number of these."""
    full, lines, images, others, parents = geometry.full, geometry.lines, geometry.images, layer.others, layer.weights
    keys, stamps, states, weights, order, elements = scratch
    threats = completing_cells(lead, full & ~lead, lines)
    lead_lined = play.end == FULL and has_line(lead, lines)
    lined_state, open_state = _new_states(play.end, play.final, play.lined_outcome)
    for parent in range(layer.offsets[group], layer.offsets[group + 1]):
        stamp = first + 1 + parent - layer.offsets[group]
        own = others[parent]
        blank = full & ~(lead | own)
        wins = completing_cells(own, blank, lines)
        lined = lead_lined or (play.end == FULL and has_line(own, lines))
        moves = blank
        if play.rule == PERFECT and not lined:
            known = (images, elements, keys, stamps, states)
            moves = best_cells(known, kept, first, own, moves, wins, play.x_moves, play.lined_outcome, play.final)
        elif play.rule != ANY and not lined:
            moves = rule_cells(play.rule, own, blank, wins, threats, lines)
        while moves != ZERO:
            rest = moves & (moves - ONE)
            bit = moves ^ rest
            moves = rest
            key = own | bit
            if kept > 1:
                key = least_image(images, elements, kept, key)
            slot = find_slot(keys, stamps, key, first)
            if stamps[slot] < first:
                enter_child(keys, weights, slot, key)
                states[slot] = lined_state if lined or bit & wins != ZERO else open_state
                order[count] = slot
                count += 1
            elif play.distinct and stamps[slot] == stamp:
                continue
            stamps[slot] = stamp
            if play.end == FULL:
                won_by_o = states[slot] & np.uint8(LINED) != 0 and play.lined_outcome == O_WINS
                _add_columns(weights, slot, parents, parent, lined, won_by_o, play.limbs, play.limb_bits)
            else:
                add_number(weights, slot, FIRST, parents, parent, FIRST, play.limbs, play.limb_bits)
    return count


@kernel
def _new_states(end: Int, final: Int, lined_outcome: Int) -> tuple[np.uint8, np.uint8]:
    """The state bytes of children that were not recalled: one that completes a line, and any other."""
    if end == FULL:
        return np.uint8(UNVALUED | LINED), np.uint8(UNVALUED)
    unlined = DRAW | DRAW << KIND_SHIFT if final else UNVALUED
    return np.uint8(lined_outcome | lined_outcome << KIND_SHIFT), np.uint8(unlined)


@kernel
def _add_columns(
    weights: np.ndarray,
    slot: Int,
    parents: np.ndarray,
    parent: Int,
    lined: bool,
    won_by_o: bool,
    limbs: Int,
    bits: np.uint64,
) -> None:
    """Add a parent's two weights, where play goes on after a line.

    Without a line on the board there is one weight, in the first column. Afterwards the first column counts the paths
    in which X has won and the second those in which O has.
    """
    if lined:
        add_number(weights, slot, limbs, parents, parent, limbs, limbs, bits)
    add_number(weights, slot, limbs if won_by_o and not lined else FIRST, parents, parent, FIRST, limbs, bits)


@kernel
def _leave_group(
    geometry: Geometry,
    play: Play,
    scratch: Scratch,
    output: Output,
    lead: np.uint64,
    kept: Int,
    first: Int,
    count: Int,
    written: Int,
) -> Int:
    """Count the children of a group, by outcome, and write the unfinished ones; return the number written so far."""
    images, fixed, lead_table = geometry.images, geometry.fixed, geometry.lead_table
    keys, stamps, states, weights, order, elements = scratch
    classes, boards, paths, surplus = output.classes, output.boards, output.paths, output.surplus
    fixers: Int = 1
    keepers: Int = 1
    for j in range(count):
        slot = order[j]
        if stamps[slot] == first:
            continue  # recalled but not reached
        own = keys[slot]
        kind: Int = (np.int64(states[slot]) >> KIND_SHIFT) & OPEN
        if kept > 1:
            played = (lead | own) & ~play.start
            keepers, fixers = orders_of_stabilisers(images, fixed, elements, kept, own, played)
        classes[kind] += 1
        boards[kind] += images.shape[0] // keepers
        if play.end == FULL:
            kind = _first_column(np.int64(states[slot]), play.final)
            second = O_WINS if play.final else OPEN
            _count_paths(paths, surplus, second, weights, slot, play.limbs, fixers, play.limbs, play.limb_bits)
        _count_paths(paths, surplus, kind, weights, slot, FIRST, fixers, play.limbs, play.limb_bits)
        if play.emit and kind == OPEN:
            _write_class(output.leads, output.others, written, images, lead_table, lead, own)
            if play.emit > 1:
                output.masks[written] = own
            for k in range(weights.shape[1]):
                output.weights[written, k] = weights[slot, k]
            written += 1
    return written


@kernel
def _first_column(state: Int, final: Int) -> Int:
    """The outcome that a class's first column counts where play goes on after a line."""
    if not final:
        return OPEN
    return X_WINS if state & LINED else DRAW


@kernel
def _count_paths(
    paths: np.ndarray,
    surplus: np.ndarray,
    kind: Int,
    weights: np.ndarray,
    slot: Int,
    column: Int,
    fixers: Int,
    limbs: Int,
    bits: np.uint64,
) -> None:
    """Add a weight to the sum of paths, and, for each symmetry but the identity that fixes them, to the surplus."""
    add_number(paths, kind, FIRST, weights, slot, column, limbs, bits)
    for _ in range(fixers - 1):
        add_number(surplus, kind, FIRST, weights, slot, column, limbs, bits)


@kernel
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
