"""The states of a frontier: which open lines each player could still complete.

A state is `2 * words` machine words. The first half has a bit for each open line that is all X so far, the second for
each that is all O. A line with neither bit is dead. A line has a bit from the step of its first cell to its last.

The masks of one step are six rows of `words` words. The first three are for X: lines through the cell, lines that open
there, lines that close there. The other three are for O.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.arrays import I8x1, I32x1, I32x2, I64x1, U64x2
from noughts.kernels.frontier.hashing import find_or_add
from noughts.kernels.jit import helper, kernel

Words = NDArray[np.uint64]
Ints = NDArray[np.int32]

ZERO = np.uint64(0)
ONE = np.uint64(1)
LOW = np.uint64(63)
REFUSED = 2


@helper
def _forget(child: Words, half: int, words: int, slots: Ints, clears: Words) -> None:
    """Drop from one half of a state each line that a stricter open line makes superfluous.

    `clears[j]` are the lines to drop while the line in bit `slots[j]` is alive.
    """
    base = half * words
    for j in range(slots.shape[0]):
        slot = slots[j]
        word = child[base + (slot >> 6)]
        if (word >> (np.uint64(slot) & LOW)) & ONE:
            for w in range(words):
                child[base + w] &= ~clears[j, w]


@helper
def _place(parent: Words, child: Words, words: int, masks: Words, move: int) -> bool:
    """Write the state after one cell became blank (0), X (1) or O (2); tell whether no line was completed."""
    for w in range(words):
        x, o = parent[w], parent[words + w]
        if move == 1:
            x |= masks[1, w]
            o &= ~masks[3, w]
            if x & masks[2, w]:
                return False
        elif move == 2:
            x &= ~masks[0, w]
            o |= masks[4, w]
            if o & masks[5, w]:
                return False
        else:
            x &= ~masks[0, w]
            o &= ~masks[3, w]
        child[w] = x
        child[words + w] = o
    return True


@helper
def _order(state: Words, words: int) -> int:
    """Compare the X half of a state with its O half: -1, 0 or 1."""
    for w in range(words):
        if state[w] != state[words + w]:
            return -1 if state[w] < state[words + w] else 1
    return 0


@helper
def reach(
    parent: Words,
    child: Words,
    words: int,
    masks: Words,
    x_slots: Ints,
    x_clears: Words,
    o_slots: Ints,
    o_clears: Words,
    swap: bool,
    move: int,
) -> int:
    """Write the state that stands for the one after a move; tell how it compared with its twin, or `REFUSED`.

    With `swap` the lesser of the two stands for both: 1 if the colours are exchanged, 0 if it is its own twin.
    """
    if not _place(parent, child, words, masks, move):
        return REFUSED
    _forget(child, 0, words, x_slots, x_clears)
    _forget(child, 1, words, o_slots, o_clears)
    order = _order(child, words) if swap else -1
    if order > 0:
        for w in range(words):
            child[w], child[words + w] = child[words + w], child[w]
    return order


@kernel
def expand(
    states: U64x2,
    count: int,
    masks: U64x2,
    x_slots: I32x1,
    x_clears: U64x2,
    o_slots: I32x1,
    o_clears: U64x2,
    swap: bool,
    table: I32x1,
    found: U64x2,
    known: int,
    sources: I32x1,
    targets: I32x1,
    codes: I8x1,
    scratch: U64x2,
) -> tuple[int, int]:
    """Visit one cell: write the states that follow `states[:count]` into `found`, return their number and the edges'.

    `found[:known]` are there already, and in `table`, an open-addressing hash table of indices into `found`, -1 where
    free. An edge is a source, a target and a code. The code is twice the mark on the cell (0 blank, 1 X, 2 O), plus
    1 if the source is read with its colours exchanged. With `swap` a state stands for its colour-swapped twin as well.
    There are at most two edges a move, so six a state (three without `swap`). `scratch` has a row for a state. Returns
    (-1, 0) when `found` is too small.
    """
    words = masks.shape[1]
    child = scratch[0]
    size, edges = known, 0
    for i in range(count):
        twin_differs = swap and _order(states[i], words) != 0
        for move in range(3):
            order = reach(states[i], child, words, masks, x_slots, x_clears, o_slots, o_clears, swap, move)
            if order == REFUSED:
                continue
            index = find_or_add(table, found, size, child)
            if index < 0:
                return -1, 0
            if index == size:
                size += 1
            if order > 0 and not twin_differs:
                continue  # a state that is its own twin reaches this one by the other colour, too
            other = 3 - move if move else 0
            sources[edges] = i
            targets[edges] = index
            codes[edges] = 2 * other + 1 if order > 0 else 2 * move
            edges += 1
            if order == 0 and twin_differs:
                sources[edges] = i
                targets[edges] = index
                codes[edges] = 2 * other + 1
                edges += 1
    return size, edges


@kernel
def explore(
    states: U64x2,
    begin: int,
    end: int,
    masks: U64x2,
    x_slots: I32x1,
    x_clears: U64x2,
    o_slots: I32x1,
    o_clears: U64x2,
    swap: bool,
    table: I32x1,
    found: U64x2,
    known: int,
    edges: I32x2,
    scratch: U64x2,
) -> int:
    """As `expand` for the states `begin..end`, with one edge for each move; return how many states are found.

    `edges[state, move]` becomes twice the state reached, plus 1 if its colours are exchanged, or -1 where refused. With
    `swap` the state without living lines is its own twin: a sum along edges counts it half. `found` must
    have room for three more states than are found for each of these.
    """
    words = masks.shape[1]
    child = scratch[0]
    size = known
    for i in range(begin, end):
        for move in range(3):
            edges[i, move] = -1
            order = reach(states[i], child, words, masks, x_slots, x_clears, o_slots, o_clears, swap, move)
            if order == REFUSED:
                continue
            index = find_or_add(table, found, size, child)
            size = max(size, index + 1)
            edges[i, move] = 2 * index + (order > 0)
    return size


@helper
def _net_factor(alive: Words, done: Words, freed: Words, weights: Ints, j: int) -> int:
    """Add up the weights of the shared sets that let off the same living lines as the j-th; 0 but at the first of them.

    `alive` are the living lines, `done` those just completed: a set lets off all lines that hold it, and these must be
    among them.
    """
    total = 0
    for other in range(freed.shape[0]):
        same = True
        for w in range(alive.shape[0]):
            if done[w] & ~freed[other, w] or alive[w] & (freed[other, w] ^ freed[j, w]):
                same = False
                break
        if same:
            if other < j:
                return 0
            total += weights[other]
    return total


@kernel
def branch(
    states: U64x2,
    count: int,
    masks: U64x2,
    freed: U64x2,
    weights: I32x1,
    x_slots: I32x1,
    x_clears: U64x2,
    o_slots: I32x1,
    o_clears: U64x2,
    swap: bool,
    table: I32x1,
    found: U64x2,
    known: int,
    sources: I32x1,
    targets: I32x1,
    codes: I8x1,
    factors: I32x1,
    scratch: U64x2,
) -> tuple[int, int]:
    """Put X on one cell where that completes lines, the first ones of the game.

    The completed lines must go on sharing a cell. For each set T of `shared sets` that all those completed now hold,
    the lines that hold it (`freed[j]`) may be completed from now on, so they need no watching, and no others. Each
    such child counts with the weight of the set. Otherwise as `expand`; `factors` are the weights of the edges, at most
    twice the number of sets a state; `scratch` has three rows.
    """
    words = masks.shape[1]
    child, alive, done = scratch[0], scratch[1, :words], scratch[2, :words]
    size, edges = known, 0
    for i in range(count):
        twins = 2 if swap and _order(states[i], words) != 0 else 1
        for twin in range(twins):
            completes = False
            for w in range(words):
                alive[w] = states[i, twin * words + w] | masks[1, w]
                done[w] = alive[w] & masks[2, w]
                completes |= done[w] != ZERO
            if not completes:
                continue
            for j in range(freed.shape[0]):
                factor = _net_factor(alive, done, freed, weights, j)
                if factor == 0:
                    continue
                for w in range(words):
                    child[w] = alive[w] & ~freed[j, w]
                    child[words + w] = states[i, (1 - twin) * words + w] & ~masks[3, w]
                _forget(child, 0, words, x_slots, x_clears)
                _forget(child, 1, words, o_slots, o_clears)
                index = find_or_add(table, found, size, child)
                if index < 0:
                    return -1, 0
                if index == size:
                    size += 1
                sources[edges] = i
                targets[edges] = index
                codes[edges] = 2 + twin
                factors[edges] = factor
                edges += 1
    return size, edges


@kernel
def group_edges(targets: I32x1, edges: int, starts: I64x1, order: I32x1) -> None:
    """Sort edges by target: `order[starts[j]:starts[j + 1]]` become the edges into state j. A counting sort."""
    starts[:] = 0
    for e in range(edges):
        starts[targets[e] + 1] += 1
    for j in range(starts.shape[0] - 1):
        starts[j + 1] += starts[j]
    for e in range(edges - 1, -1, -1):
        # fill each group from its end; `starts` is shifted back below
        target = targets[e] + 1
        starts[target] -= 1
        order[starts[target]] = e
    for j in range(starts.shape[0] - 1):
        starts[j] = starts[j + 1]
    starts[starts.shape[0] - 1] = edges


# Walks through the states of a frontier, each by a mark on every cell: where none meet, there are many states.


@kernel
def wander(
    walkers: U64x2,
    masks: U64x2,
    x_slots: I32x1,
    x_clears: U64x2,
    o_slots: I32x1,
    o_clears: U64x2,
    swap: bool,
    dice: I8x1,
    scratch: U64x2,
) -> None:
    """Visit one cell: each state of the `walkers` becomes the one after the mark that its die says.

    0 is a blank, 1 X, 2 O; where that is refused the next will do, and a blank never is. The other arrays are those of
    `expand` in `states`.
    """
    words = masks.shape[1]
    child = scratch[0]
    for i in range(walkers.shape[0]):
        for turn in range(3):
            move = (dice[i] + turn) % 3
            if reach(walkers[i], child, words, masks, x_slots, x_clears, o_slots, o_clears, swap, move) != REFUSED:
                for w in range(2 * words):
                    walkers[i, w] = child[w]
                break
