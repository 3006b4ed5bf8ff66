"""How a generation comes from the one before: the fittest live on, others are children of two that won a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.bots.breeding.chance import Dice
from noughts.domain.arguments import one_of, whole_number, wrong_type
from noughts.domain.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CROSSINGS", "Breeding"]

CROSSINGS = ("uniform", "one-point", "none")


@dataclass(frozen=True)
class Breeding:
    """The rules of breeding.

    `elite` bots live on unchanged. Each other is the child of two parents, each the fittest of `tournament` bots drawn
    with equal chances. `crossover` says which genes a child has of which: `uniform`, each of either; `one-point`, those
    up to a place of one and the others of the other; `none`, all of the first. Then `mutations` genes on average change
    to another allele, each with the same chance. Raises InputError for what makes no sense.
    """

    population: int = 500
    tournament: int = 3
    elite: int = 2
    crossover: str = "uniform"
    mutations: float = 8.0

    def __post_init__(self) -> None:
        whole_number("the population", self.population)
        if self.population < 2:
            raise InputError(f"a population of {self.population} cannot breed: take 2 bots or more")
        whole_number("the size of a tournament", self.tournament, 1)
        if self.tournament > max(3, self.population):  # draws may repeat: the usual 3 suit two bots
            raise InputError(
                f"a tournament of {self.tournament} is more than the {self.population} bots of a generation: take fewer"
            )
        whole_number("the elite", self.elite)
        if self.elite >= self.population:
            raise InputError(f"an elite of {self.elite} leaves no room for children: take fewer than the population")
        one_of("the crossover", self.crossover, CROSSINGS)
        if isinstance(self.mutations, bool) or not isinstance(self.mutations, int | float):
            raise wrong_type("the mutations", self.mutations, "a number from 0: so many genes of a child change")
        if not 0 <= self.mutations < float("inf"):
            raise InputError(f"the mutations cannot be {self.mutations}: give a number from 0")

    def first(self, sizes: NDArray[Any], dice: Dice) -> NDArray[Any]:
        """Return the first generation, drawn at random: uint16[population, genes]; `sizes` counts the alleles."""
        import numpy as np

        return dice.below(sizes, self.population, len(sizes)).astype(np.uint16)

    def next(self, alleles: NDArray[Any], order: NDArray[Any], sizes: NDArray[Any], dice: Dice) -> NDArray[Any]:
        """Return the next generation; `order` has the numbers of the bots, the fittest first."""
        import numpy as np

        children = self.population - self.elite
        # The smaller a place in the order, the fitter; so the winner of a tournament is its least place.
        parents = order[dice.below(self.population, 2, children, self.tournament).min(axis=2)]
        born = np.where(self._of_first(children, len(sizes), dice), alleles[parents[0]], alleles[parents[1]])
        changed = dice.happens(min(1.0, self.mutations / max(1, len(sizes))), children, len(sizes)) & (sizes > 1)
        of = sizes[np.nonzero(changed)[1]]
        born[changed] = (born[changed] + 1 + dice.below(of - 1, len(of))) % of
        return np.concatenate([alleles[order[: self.elite]], born])

    def _of_first(self, children: int, genes: int, dice: Dice) -> NDArray[Any]:
        """Return for each gene of each child whether it is the first parent's."""
        import numpy as np

        if self.crossover == "uniform":
            mine = dice.happens(0.5, children, genes)
        elif self.crossover == "one-point":
            mine = np.arange(genes) < dice.below(genes + 1, children, 1)
        else:
            mine = np.ones((children, genes), bool)
        return mine
