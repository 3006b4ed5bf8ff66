"""What one look at the lines tells about a position of a positional game: threats, forks, weights, and bounds.

The *attacker* wants to complete a line; the *defender* wants to prevent it, or to complete one first. A line is *live*
for a player while the other has no mark on it. The weight of a live line with b blanks is 2**-b. Weights are summed in
units of 2**-unit. `unit` is the length of the longest line, at most 40; smaller weights are rounded up.
Erdos and Selfridge (1973): let the defender be to move. If the weights of the attacker's live lines sum to less than 1,
the defender can keep every line from being completed.

Sums by cell are kept in *planes*: plane p holds, as a mask, bit p of the sum of every cell. Adding a line to all its
cells at once is a carry that ripples through a plane or two. All cells are compared plane by plane, without a loop
over cells. Masks are uint64, one bit a cell, up to 64 cells. Nothing is allocated.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import U64x1
from noughts.kernels.bits import ONE, ZERO, popcount
from noughts.kernels.jit import helper

Array = npt.NDArray[Any]
TWO_LEFT = 2


class LineRoom(NamedTuple):
    """Room to work in, all uint64: the blanks of each player's live lines, those of the attacker's lines that no pair
    guards, and planes of weights."""

    our_lines: U64x1
    their_lines: U64x1
    unpaired: U64x1
    planes: U64x1


class View(NamedTuple):
    """What `survey` found, as masks: cells that complete a line, that make a fork, that make a threat, of live lines.

    ``ours`` and ``theirs`` are the numbers of live lines, ``live_lines`` of either, ``weight`` the attacker's weight.
    """

    our_wins: Any
    their_wins: Any
    our_forks: Any
    their_forks: Any
    our_pairs: Any
    their_pairs: Any
    our_live: Any
    their_live: Any
    ours: Any
    theirs: Any
    weight: Any
    live_lines: Any


@helper
def plane_of(blanks: int, unit: int) -> int:
    """Return the plane to which a live line with so many blanks is added: weight 2**plane units."""
    return max(unit - blanks, 0)


@helper
def shared_cells(pair: Any, lines: Array, count: int) -> Any:
    """Return the cells that a pair of blanks shares with another pair among the lines: taking one makes a fork."""
    forks = ZERO
    for i in range(count):
        other = lines[i]
        if other & pair and other != pair and popcount(other) == TWO_LEFT:
            forks |= other & pair
    return forks


@helper
def breaking(forks: Any, lines: Array, count: int) -> Any:
    """Return the cells that may break every one of some forks, if their owner is left no threat to answer.

    ``lines``: the blanks of the owner's live lines. A move elsewhere that makes no threat lets the owner fork.
    """
    cells = ~ZERO
    while forks:
        fork = forks & (~forks + ONE)
        forks ^= fork
        around = ZERO
        for i in range(count):
            if lines[i] & fork and popcount(lines[i]) == TWO_LEFT:
                around |= lines[i]
        cells &= around
    return cells


@helper
def survey(attack: Any, defend: Any, lines: Array, count: int, live_lines: Array, unit: int, scratch: LineRoom) -> View:
    """Look at ``count`` lines, list the live ones in the scratch space, and return what was found.

    Those live for either player go to ``live_lines``: the lines to look at in later positions. Lists are written
    without branching, because it is hard to predict which lines are live.
    """
    our_wins, their_wins, our_forks, their_forks = ZERO, ZERO, ZERO, ZERO
    our_live, their_live, our_pairs, their_pairs = ZERO, ZERO, ZERO, ZERO
    our_lines, their_lines = scratch.our_lines, scratch.their_lines
    left_over = 0
    our_count = 0
    their_count = 0
    weight = 0
    for i in range(count):
        line = lines[i]
        ours, theirs = line & attack, line & defend
        blanks = line ^ (ours | theirs)
        left = popcount(blanks)
        for_us, for_them = theirs == ZERO, ours == ZERO
        live_lines[left_over] = line
        left_over += for_us | for_them
        our_lines[our_count] = blanks
        our_live |= line if for_us else ZERO
        weight += 1 << plane_of(left, unit) if for_us else 0
        their_lines[their_count] = blanks
        their_live |= line if for_them else ZERO
        if left <= TWO_LEFT:
            if for_us:
                if left == 1:
                    our_wins |= blanks
                else:
                    if blanks & our_pairs:
                        our_forks |= shared_cells(blanks, our_lines, our_count)
                    our_pairs |= blanks
            if for_them:
                if left == 1:
                    their_wins |= blanks
                else:
                    if blanks & their_pairs:
                        their_forks |= shared_cells(blanks, their_lines, their_count)
                    their_pairs |= blanks
        our_count += for_us
        their_count += for_them
    return View(
        our_wins,
        their_wins,
        our_forks,
        their_forks,
        our_pairs,
        their_pairs,
        our_live,
        their_live,
        our_count,
        their_count,
        weight,
        left_over,
    )


@helper
def clear(planes: Array) -> None:
    """Set the sums of all cells to zero."""
    for p in range(planes.size):
        planes[p] = ZERO


@helper
def add_lines(planes: Array, lines: Array, count: int, unit: int) -> None:
    """Add the weight of every line to the sums of its blanks. Assumes that the planes hold the greatest sum."""
    for i in range(count):
        carry = lines[i]
        p = plane_of(popcount(carry), unit)
        while carry:
            both = planes[p] & carry
            planes[p] ^= carry
            carry = both
            p += 1


@helper
def heaviest(planes: Array, cells: Any) -> Any:
    """Return those of the given cells whose sum is greatest."""
    for p in range(planes.size - 1, -1, -1):
        if cells & planes[p]:
            cells &= planes[p]
    return cells


@helper
def sum_at(planes: Array, cells: Any) -> int:
    """Return the sum at given cells, which all have the same."""
    total = 0
    for p in range(planes.size):
        if cells & planes[p]:
            total |= 1 << p
    return total


@helper
def unpaired_lines(given: Array, count: int, lines: Array) -> int:
    """Write to ``lines`` the attacker's live lines that no pair of cells guards; return how many there are.

    Two blanks that lie on no other line left are a pair: whenever the attacker takes one, the defender takes the other.
    Striking such lines may free cells for the next, so it goes on until nothing changes.
    """
    for i in range(count):
        lines[i] = given[i]
    changed = True
    while changed:
        once, twice = ZERO, ZERO
        for i in range(count):
            twice |= once & lines[i]
            once |= lines[i]
        private = once & ~twice
        remaining = 0
        for i in range(count):
            blanks = lines[i]
            lines[remaining] = blanks
            remaining += popcount(blanks & private) < TWO_LEFT
        changed = remaining < count
        count = remaining
    return count


@helper
def is_hopeless(view: View, choice: Any, attacker_moves: bool, unit: int, scratch: LineRoom) -> Any:
    """Tell whether the defender can keep the attacker from every line, by pairs and the Erdos-Selfridge bound.

    With the attacker to move the bound is taken after the attacker's best move among the cells of ``choice``; among all
    cells where one of them may lie on a pair, as its answer there leaves the attacker to move again. The defender's own
    lines are left out of account: they only help.
    """
    limit = 1 << unit
    if view.weight + (view.weight if attacker_moves else 0) < limit:
        return True
    unpaired = scratch.unpaired
    count = unpaired_lines(scratch.our_lines, view.ours, unpaired)
    weight = view.weight
    if count < view.ours:
        weight = 0
        for i in range(count):
            weight += 1 << plane_of(popcount(unpaired[i]), unit)
    if attacker_moves and weight < limit:
        planes, given = scratch.planes, scratch.our_lines
        clear(planes)
        add_lines(planes, unpaired, count, unit)
        if count < view.ours and choice & (choice - ONE) == ZERO:
            open_cells, guarded = ZERO, ZERO
            for i in range(count):
                open_cells |= unpaired[i]
            for i in range(view.ours):
                guarded |= given[i] & ~open_cells
            if choice & guarded:
                choice = open_cells
        weight += sum_at(planes, heaviest(planes, choice))
    return weight < limit


@helper
def avoids(view: View, blanks: Any, attacker_moves: bool, unit: int, scratch: LineRoom) -> Any:
    """Tell whether the defender avoids every line under misere, by pairs and weights: see `solving.avoiding`."""
    unpaired = scratch.unpaired
    weight = 0
    for i in range(unpaired_lines(scratch.their_lines, view.theirs, unpaired)):
        weight += 1 << plane_of(popcount(unpaired[i]), unit)
    has_last_move = (popcount(blanks) & 1) != attacker_moves
    return (weight << 1 if has_last_move else weight) < 1 << unit


@helper
def image_of(mask: Any, images: Array, element: int) -> Any:
    """Return the image of a set of cells; ``images``: see `bits.image_tables`."""
    image = ZERO
    chunk = 0
    while mask:
        image |= images[element, chunk, mask & np.uint64(255)]
        mask >>= np.uint64(8)
        chunk += 1
    return image
