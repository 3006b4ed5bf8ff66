"""How a generation comes from the one before: the fittest live on, others are children of two that won a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noughts.bots.breeding.chance import Dice

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ELITE, _TOURNAMENT = 2, 3
"""So many of the fittest live on unchanged, and a parent is the fittest of so many bots drawn with equal chances."""
SMALLEST = _ELITE + 1
"""The smallest population that has room for children."""


def first_generation(sizes: NDArray[Any], population: int, dice: Dice) -> NDArray[Any]:
    """Return bots drawn at random: uint16[population, genes]; `sizes` counts the alleles of each gene."""
    import numpy as np

    return dice.below(sizes, population, len(sizes)).astype(np.uint16)


def next_generation(
    alleles: NDArray[Any], order: NDArray[Any], sizes: NDArray[Any], mutations: float, dice: Dice
) -> NDArray[Any]:
    """Return the next generation; `order` has the numbers of the bots, the fittest first.

    A child has each gene of one of its two parents, with equal chances; then `mutations` genes on average change to
    another allele.
    """
    import numpy as np

    shape = len(alleles) - _ELITE, len(sizes)
    # The smaller a place in the order, the fitter; so the winner of a tournament is its least place.
    parents = order[dice.below(len(alleles), 2, shape[0], _TOURNAMENT).min(axis=2)]
    born = np.where(dice.happens(0.5, *shape), alleles[parents[0]], alleles[parents[1]])
    changed = dice.happens(min(1.0, mutations / max(1, len(sizes))), *shape) & (sizes > 1)
    of = sizes[np.nonzero(changed)[1]]
    born[changed] = (born[changed] + 1 + dice.below(of - 1, len(of))) % of
    return np.concatenate([alleles[order[:_ELITE]], born])
