"""Mixed strategies along real games: from the sequence form, where one history stands for all its images."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noughts.blindfold.mixed.sequence import Heard, Place, SightedPlace, Truth, image_of
from noughts.blindfold.mixed.solution import MixedSolution
from noughts.domain.bits import Cell, cells_of
from noughts.domain.symmetry import Permutation, compose, inverse

__all__ = ["Follower", "Spot"]


@dataclass(frozen=True)
class Spot:
    """A place of the sequence form, and the symmetry that takes the real cells to its cells.

    `tried` are cells, as the place counts them, that count as called in vain though they were not called: a player who
    left out a free try is followed as if it had been made.
    """

    place: Place
    symmetry: Permutation
    tried: int = 0


class Follower:
    """Looks up both players' mixes; every cell and set given or returned is real."""

    def __init__(self, solution: MixedSolution) -> None:
        self.solution, self.game = solution, solution.game
        self.identity = tuple(range(self.game.board.cells))

    def start(self) -> Spot | None:
        """Return the spot of the first call; None where the game is over before it."""
        return Spot(self.game.places[0], self.identity) if self.game.places else None

    def openings(self) -> dict[Cell, Fraction]:
        """Return the mix of X's openings against a blind O who is not told."""
        assert isinstance(self.game.root, SightedPlace)
        return self._spread(self.solution.replies[self.game.root.number], self.game.places[0].symmetries)

    def _spread(self, mix: dict[Cell, Fraction], symmetries: list[Permutation]) -> dict[Cell, Fraction]:
        found: dict[Cell, Fraction] = {}
        for cell, share in mix.items():
            orbit = {g[cell] for g in symmetries}
            found |= {image: share / len(orbit) for image in orbit}
        return found

    def calls(self, spot: Spot) -> dict[Cell, Fraction]:
        """Return how likely the blind player makes each call."""
        back = inverse(spot.symmetry)
        mix = self._spread(self.solution.calls[spot.place.number], spot.place.symmetries)
        return {back[cell]: share for cell, share in sorted(mix.items())}

    def _aligned(self, spot: Spot, cell: Cell) -> tuple[Cell, Permutation]:
        """Return the call that stands for this one, and the symmetry from real cells to where it is that call."""
        seen = spot.symmetry[cell]
        stands = min(g[seen] for g in spot.place.symmetries)
        g = next(g for g in spot.place.symmetries if g[seen] == stands)
        return stands, compose(spot.symmetry, g)

    def answered(self, spot: Spot | None, cell: Cell, heard: Heard) -> Spot | None:
        """Return the spot after a call and its answer; None where the opponent's play does not matter any more."""
        spot = self._caught_up(spot, cell)
        if spot is None:
            return None
        if spot.tried >> spot.symmetry[cell] & 1:
            return spot
        stands, g = self._aligned(spot, cell)
        fixing = [h for h in spot.place.symmetries if h[stands] == stands]
        told = image_of(g, heard[1])
        least = min(image_of(h, told) for h in fixing)
        h = next(h for h in fixing if image_of(h, told) == least)
        below = spot.place.below.get((stands, (heard[0], least)))
        if below is None:
            return None
        after = compose(g, h)
        return Spot(below, after, image_of(compose(inverse(spot.symmetry), after), spot.tried))

    def _caught_up(self, spot: Spot | None, cell: Cell) -> Spot | None:
        """Return the spot as if all free tries before this call had been made in vain."""
        while spot is not None and not spot.tried >> spot.symmetry[cell] & 1:
            seen = spot.symmetry[cell]
            if any(g[seen] in spot.place.calls for g in spot.place.symmetries):
                return spot
            back = inverse(spot.symmetry)
            attempt = back[next(iter(spot.place.calls))]
            spot = self.answered(spot, attempt, ("taken", 0))
            if spot is not None:
                spot = Spot(spot.place, spot.symmetry, spot.tried | 1 << spot.symmetry[attempt])
        return spot

    def replies(self, spot: Spot | None, cell: Cell, truth: Truth) -> dict[Cell, Fraction]:
        """Return how likely the opponent makes each reply after a call; `truth` is (own, other, last) after it."""
        blanks = list(cells_of(self.game.board.full & ~(truth[0] | truth[1])))
        winning = [c for c in blanks if self.game.board.has_line(truth[1] | 1 << c)]
        if winning and not self.game.board.misere:
            return {winning[0]: Fraction(1)}
        spot = self._caught_up(spot, cell)
        if spot is None or spot.tried >> spot.symmetry[cell] & 1:
            return {blanks[0]: Fraction(1)}
        stands, g = self._aligned(spot, cell)
        fixing = [h for h in spot.place.symmetries if h[stands] == stands]
        images = [(self._seen(compose(g, h), truth), h) for h in fixing]
        least, h = min(images, key=lambda pair: pair[0])
        option = spot.place.replies.get((stands, least))
        if not isinstance(option, SightedPlace):
            return {blanks[0]: Fraction(1)}  # all replies that matter lead to the same
        back = inverse(compose(g, h))
        keeping = [k for k in fixing if self._seen(k, least) == least]
        mix = self._spread(self.solution.replies[option.number], keeping)
        return {back[c]: share for c, share in sorted(mix.items())}

    def _seen(self, g: Permutation, truth: Truth) -> Truth:
        own, other, last = truth
        keeps_last = self.game.rules.told == "last-move" and last >= 0
        return image_of(g, own), image_of(g, other), g[last] if keeps_last else -1
