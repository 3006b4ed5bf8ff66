"""Plans for a goal over the numbered pairs of a board: how few places they need, and which pairs they reach.

What is called for each cell of each pair takes plain arrays rather than the records: compiled, each look into a record
counts a reference, and tables took a quarter longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.blindfold.pairs import Pairs, Sets, masks_of
from noughts.kernels.jit import helper, kernel

__all__ = ["BAD", "PlanRules", "Plans", "after_call", "fill_places", "mark_reachable"]

Array = npt.NDArray[Any]

BAD = -1
"""Says that the goal is not certain any more."""


class PlanRules(NamedTuple):
    """The rules and the goal: ``lead`` is how many marks the opponent is ahead, the last three are 0 or 1."""

    cells: int
    lead: int
    loses_turn: int
    misere: int
    always_win: int


class Plans(NamedTuple):
    """Tables over the pairs: ``largest`` of `blindfold_pairs.fill_largest`, ``places`` of `fill_places`.

    ``threats`` remembers whether the opponent can complete a line there: 0 not asked yet, 1 no, 2 yes.
    """

    largest: Array
    threats: Array
    places: Array


@helper
def _completes(own: int, known: int, hidden: int, sets: Sets, largest: Array) -> bool:
    """Tell whether an opponent with `hidden` marks, `known` among them, can complete a line with the next."""
    lines, ternary, sizes, _ = sets
    for line in lines:
        if line & own:
            continue
        rest = line & ~known
        while rest:
            last = rest & -rest
            rest ^= last
            needed = known | (line ^ last)
            if sizes[needed] <= hidden <= largest[ternary[own | last] + 2 * ternary[needed]]:
                return True
    return False


@helper
def _after_reply(
    number: int, own: int, known: int, hidden: int, game: PlanRules, sets: Sets, largest: Array, threats: Array,
    places: Array,
) -> int:  # fmt: skip
    """Return the fewest places after a reply to pair `number`, or BAD."""
    if game.misere == 0:
        if threats[number] == 0:
            threats[number] = 1 + _completes(own, known, hidden, sets, largest)
        if threats[number] == 2:
            return BAD
    if largest[number] < hidden + 1:
        return 0
    if sets.sizes[own] + hidden + 1 == game.cells:
        return BAD if game.always_win else 0
    return places[number] if places[number] > 0 else BAD


@helper
def after_call(
    number: int, cell: int, own: int, known: int, hidden: int, game: PlanRules, sets: Sets, powers: Array,
    largest: Array, threats: Array, places: Array,
) -> int:  # fmt: skip
    """Return the fewest places of a plan after a call, or BAD; the arrays are those of `Pairs` and `Plans`."""
    _, _, sizes, free = sets
    bit = 1 << cell
    total = 0
    placed, taken = number + powers[cell], number + 2 * powers[cell]
    if sizes[known] <= hidden <= largest[placed]:
        if not free[own | bit]:
            if game.misere:
                return BAD
        elif sizes[own] + 1 + hidden == game.cells:
            if game.always_win:
                return BAD
        else:
            part = _after_reply(placed, own | bit, known, hidden, game, sets, largest, threats, places)
            if part == BAD:
                return BAD
            total += part
    if sizes[known] + 1 <= hidden <= largest[taken]:
        if game.loses_turn:
            part = _after_reply(taken, own, known | bit, hidden, game, sets, largest, threats, places)
        else:
            part = places[taken] if places[taken] > 0 else BAD
        if part == BAD:
            return BAD
        total += part
    return total


@kernel
def fill_places(pairs: Pairs, game: PlanRules, plans: Plans) -> None:
    """Write for each pair at which the player can be to call the fewest places of a plan for the goal; 0 if none."""
    cells, halves, powers, sets = pairs
    sizes, free = sets.sizes, sets.free
    largest, threats, places = plans
    lead, loses = game.lead, game.loses_turn
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        own, known = masks_of(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        if not free[own] or not sizes[known] <= hidden <= largest[number] or sizes[own] + hidden >= cells:
            continue
        best = 0
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            after = after_call(number, cell, own, known, hidden, game, sets, powers, largest, threats, places)
            if after != BAD and (best == 0 or after + 1 < best):
                best = after + 1
        places[number] = best


@kernel
def mark_reachable(good_only: bool, pairs: Pairs, game: PlanRules, plans: Plans, reached: Array) -> int:
    """Spread `reached` from the marked pairs over all calls, or over the good ones; return how many are marked."""
    cells, halves, powers, sets = pairs
    sizes, free = sets.sizes, sets.free
    largest, threats, places = plans
    lead, loses = game.lead, game.loses_turn
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    found = 0
    for number in range(powers[cells]):
        if not reached[number]:
            continue
        found += 1
        own, known = masks_of(number, halves, half, shift)
        hidden = sizes[own] + lead + loses * sizes[known]
        unknown = full & ~(own | known)
        while unknown:
            bit = unknown & -unknown
            unknown ^= bit
            cell = sizes[bit - 1]
            if (
                good_only
                and after_call(number, cell, own, known, hidden, game, sets, powers, largest, threats, places) == BAD
            ):
                continue
            placed, taken = number + powers[cell], number + 2 * powers[cell]
            open_after = sizes[own] + 1 + hidden + 1 < cells
            if free[own | bit] and open_after and hidden + 1 <= largest[placed] and sizes[known] <= hidden:
                reached[placed] = 1
            if sizes[known] + 1 <= hidden <= largest[taken] and (
                loses == 0 or (hidden + 1 <= largest[taken] and sizes[own] + hidden + 1 < cells)
            ):
                reached[taken] = 1
    return found
