"""One ply back: the value and the settled outcome of each class of a layer from those of its children."""

import numpy as np

from noughts.kernels.bits import ONE, ZERO, Int, completing_cells
from noughts.kernels.jit import kernel
from noughts.kernels.layers.images import stabiliser
from noughts.kernels.layers.moves import best_cells, child_state, recall_children, rule_cells
from noughts.kernels.layers.records import (
    ANY,
    KIND_SHIFT,
    O_WINS,
    OPEN,
    PERFECT,
    PLIES_SHIFT,
    X_WINS,
    Children,
    ChildTable,
    Geometry,
    Groups,
    Play,
)

__all__ = ["value_groups"]


@kernel
def value_groups(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    children: Children,
    scratch: ChildTable,
    states: np.ndarray,
) -> None:
    """Write the state (value | outcome << 2 | plies << 5) of each class of a layer to `states` (uint16).

    The value is that of the best of the moves that `play.graph_rule` allows, for the outcomes' order for X: under free
    play if that is ANY; the plies are those to the end where the winner hurries and the loser delays. The outcome is
    the common one of all continuations that `play.rule` allows, or OPEN.
    Assumes that `children` holds every unfinished child; a finished one is recognised here.
    """
    first = ONE
    for group in range(layer.leads.shape[0]):
        kept = stabiliser(geometry.images, layer.leads[group], scratch.stabiliser)
        recall_children(children, layer.leads[group], False, scratch, play.columns, first)
        _value_group(geometry, play, layer, scratch, states, group, kept, first)
        first += ONE


@kernel
def _value_group(
    geometry: Geometry,
    play: Play,
    layer: Groups,
    scratch: ChildTable,
    result: np.ndarray,
    group: Int,
    kept: Int,
    first: np.uint64,
) -> None:
    """Write the states of one group of unfinished classes."""
    full, lines, others, lead = geometry.full, geometry.lines, layer.others, layer.leads[group]
    known, shift = (geometry.images, scratch.stabiliser, scratch.table), scratch.shift
    threats = completing_cells(lead, full & ~lead, lines)
    for i in range(layer.offsets[group], layer.offsets[group + 1]):
        own = others[i]
        blank = full & ~(lead | own)
        wins = completing_cells(own, blank, lines)
        moves = blank
        if play.graph_rule != ANY:
            moves = rule_cells(play.graph_rule, own, blank, wins, threats, lines)
        allowed = moves
        if play.rule >= PERFECT:
            allowed = best_cells(known, shift, kept, first, own, blank, wins, play)
        elif play.rule != play.graph_rule:
            allowed = rule_cells(play.rule, own, blank, wins, threats, lines)
        value: Int = -1
        outcome: Int = -1
        plies: Int = 0
        while moves != ZERO:
            rest = moves & (moves - ONE)
            bit = moves ^ rest
            moves = rest
            state = child_state(known, shift, kept, first, own | bit, bit & wins != ZERO, play)
            child = state & OPEN
            far = state >> PLIES_SHIFT
            if value < 0 or (child != value and (child > value) == (play.x_moves == 1)):
                value = child
                plies = far
            elif child == value:
                hurries = child == (X_WINS if play.x_moves else O_WINS)
                plies = min(plies, far) if hurries else max(plies, far)
            if bit & allowed != ZERO:
                settled = (state >> KIND_SHIFT) & OPEN
                outcome = settled if outcome < 0 or outcome == settled else OPEN
        result[i] = value | outcome << KIND_SHIFT | (plies + 1) << PLIES_SHIFT
