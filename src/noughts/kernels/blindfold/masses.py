"""How often a blind player wins against random replies, over the numbered pairs of a board, in whole numbers.

The largest number is a mass, at most 18! = 6.4e15, so int64 holds them all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.blindfold.pairs import Pairs, masks_of
from noughts.kernels.blindfold.plans import BAD, PlanRules, Plans, after_call
from noughts.kernels.jit import helper, kernel

__all__ = ["factorial", "fill_masses"]

Array = npt.NDArray[Any]


@helper
def factorial(number: int) -> Any:
    """Return the number of orders of so many things, at most 20."""
    product = np.int64(1)
    for i in range(2, number + 1):
        product *= i
    return product


@kernel
def fill_masses(
    size: int, good_only: bool, pairs: Pairs, game: PlanRules, plans: Plans, counts: Array, masses: Array
) -> None:
    """Write the masses of the pairs where the opponent has `size` marks: the sum over the possible sets of marks of
    the largest chance to win, times the factorial of the blank cells. Larger sizes must be there; not for misere.

    `counts`: those of `blindfold_pairs.fill_counts` for this size; with `good_only` the player makes good calls only.
    """
    cells, halves, powers, sets = pairs
    sizes, free = sets.sizes, sets.free
    largest, threats, places = plans
    shift = cells // 2
    half = powers[shift]
    full = (1 << cells) - 1
    for number in range(powers[cells] - 1, -1, -1):
        own, known = masks_of(number, halves, half, shift)
        hidden = sizes[own] + game.lead + game.loses_turn * sizes[known]
        if hidden != size or not free[own] or not sizes[known] <= hidden <= largest[number]:
            continue
        blanks = cells - sizes[own] - hidden
        if blanks <= 0 or (good_only and places[number] == 0):
            continue
        orders = factorial(blanks)
        origins = hidden + 1 - sizes[known]
        best = np.int64(-1)
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
            mass = np.int64(0)
            placed, taken = number + powers[cell], number + 2 * powers[cell]
            if hidden <= largest[placed]:
                if not free[own | bit]:
                    mass += counts[placed] * orders
                elif blanks > 2 and hidden + 1 <= largest[placed]:
                    mass += blanks * origins * masses[placed]
            if sizes[known] + 1 <= hidden <= largest[taken]:
                if game.loses_turn == 0:
                    mass += masses[taken]
                elif blanks > 1 and hidden + 1 <= largest[taken]:
                    mass += (origins - 1) * masses[taken]
            best = max(best, mass)
        masses[number] = best
