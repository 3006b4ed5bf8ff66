"""The game tree of a blind and a sighted player in sequence form, up to symmetry.

A *place* is a history of the blind player; a *truth* there is (own marks, opponent's marks, last move). The sighted
player is to move at a *fork in the truth* after a call: there the replies lead to truths at places of the next call.
Histories that a symmetry of the board maps to each other are one place, and so are the truths that the symmetries
fixing the history map to each other: playing the average over the symmetries loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from noughts.blindfold.game.rules import BlindRules
from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.symmetry import Permutation

__all__ = ["CELL_LIMIT", "Option", "Place", "SequenceGame", "SightedPlace", "Term", "Truth", "image_of"]

CELL_LIMIT = 10
"""Larger boards are refused before work starts."""

Truth = tuple[Mask, Mask, int]
Heard = tuple[str, Mask]


@dataclass(eq=False)
class Place:
    """Where the blind player calls: `calls` maps one call of each orbit to the size of the orbit.

    `terms[truth]` lists what each call of each orbit leads to; `number` counts places in the order of making, and
    `after` is the call and place that lead here. `path` holds the calls and answers so far. `below` has the place for
    each call and answer, `replies` what follows a call in a truth.
    """

    number: int
    after: tuple[Place, Cell] | None
    path: tuple[tuple[Cell, Heard], ...]
    barred: Mask
    symmetries: list[Permutation]
    calls: dict[Cell, int] = field(default_factory=dict)
    terms: dict[Truth, list[Term]] = field(default_factory=dict)
    below: dict[tuple[Cell, Heard], Place] = field(default_factory=dict)
    replies: dict[tuple[Cell, Truth], Option | SightedPlace] = field(default_factory=dict)


@dataclass(eq=False)
class SightedPlace:
    """Where the sighted player moves, after `call` at `place`, in `truth`: one option per different consequence."""

    number: int
    place: Place | None
    call: Cell
    truth: Truth
    options: dict[Cell, Option] = field(default_factory=dict)


Option = int | tuple[Place, Truth]
"""What follows: the payoff to the blind player, or a truth at the next place."""

Term = tuple[Cell, "Option | SightedPlace"]
"""A call, by the one that stands for its orbit, and what follows."""


class SequenceGame:
    """The sequence form for one board and one set of rules.

    `opening` fixes X's first mark, told to a blind O. With `retry` and normal play the blind player first calls cells
    that would complete a line, if there are any (*free tries*): it costs nothing, for who then plays on as if nothing
    had been tried does as well against every opponent. `budget` is the largest number of truths; BudgetError beyond.
    """

    def __init__(self, board: Board, rules: BlindRules, opening: Cell | None = None, budget: int = 400_000) -> None:
        if board.cells > CELL_LIMIT:
            raise BudgetError(
                f"the value in mixed strategies is worked out for boards of up to {CELL_LIMIT} cells, and {board} has "
                f"{board.cells}: ask about 3x3"
            )
        self.board, self.rules, self.budget = board, rules, budget
        self.places: list[Place] = []
        self.replies: list[SightedPlace] = []
        self._truths = 0
        self._has_line: dict[Mask, bool] = {}
        elements = list(board.group().elements)
        self.root: Option | SightedPlace
        if rules.blind == "X":
            self.root = self._root([(0, 0, -1)], 0, elements)
        elif opening is not None:
            fixing = [g for g in elements if g[opening] == opening]
            self.root = self._root([(0, 1 << opening, opening)], 1 << opening, fixing)
        else:
            self.root = self._untold(elements)

    def _untold(self, elements: list[Permutation]) -> Option | SightedPlace:
        first = SightedPlace(0, None, -1, (0, 0, -1))
        self.replies.append(first)
        place = Place(0, None, (), 0, elements)
        truths = []
        for cell in range(self.board.cells):
            truth = self._canonical((0, 1 << cell, cell), elements)
            over = self._outcome(0, 1 << cell, 1 << cell, mine=False)
            if over is not None:
                first.options[cell] = over
            elif truth == (0, 1 << cell, truth[2]):
                first.options[cell] = (place, truth)
                truths.append(truth)
        self._build(place, truths)
        return first

    def _root(self, truths: list[Truth], barred: Mask, symmetries: list[Permutation]) -> Option:
        own, other, _ = truths[0]
        over = self._outcome(own, other, other, mine=False) if other else None
        if over is not None:
            return over
        place = Place(0, None, (), barred, symmetries)
        self._build(place, [self._forget(truth) for truth in truths])
        return place, self._forget(truths[0])

    def _forget(self, truth: Truth) -> Truth:
        return truth if self.rules.told == "last-move" else (truth[0], truth[1], -1)

    def _canonical(self, truth: Truth, symmetries: Iterable[Permutation]) -> Truth:
        own, other, last = self._forget(truth)
        images = ((image_of(g, own), image_of(g, other), g[last] if last >= 0 else -1) for g in symmetries)
        return min(images)

    def _line(self, marks: Mask) -> bool:
        found = self._has_line.get(marks)
        if found is None:
            found = self._has_line[marks] = self.board.has_line(marks)
        return found

    def _outcome(self, own: Mask, other: Mask, moved: Mask, *, mine: bool) -> int | None:
        if self._line(moved):
            return 1 if mine != self.board.misere else -1
        return 0 if own | other == self.board.full else None

    # Building

    def _build(self, place: Place, truths: list[Truth]) -> None:
        place.number = len(self.places)
        self.places.append(place)
        self._truths += len(truths)
        if self._truths > self.budget:
            raise BudgetError(
                f"the sequence form of this game has more than {self.budget:,} truths: the value is computed for "
                "smaller boards, for a told opening, or for --collision lose-turn"
            )
        images = self._orbits(place, self._allowed(place, truths))
        for cell, _ in images.values():
            place.calls[cell] = place.calls.get(cell, 0) + 1
        below: dict[tuple[Cell, Heard], tuple[Place, set[Truth]]] = {}
        replies: dict[tuple[Cell, Truth], Option | SightedPlace] = {}
        for truth in truths:
            place.terms[truth] = [
                (cell, self._follow(place, cell, self._moved(truth, g), below, replies)) for cell, g in images.values()
            ]
        place.replies = replies
        place.below = {key: child for key, (child, _) in below.items()}
        for child, found in below.values():
            self._build(child, sorted(found))

    def _orbits(self, place: Place, cells: list[Cell]) -> dict[Cell, tuple[Cell, Permutation]]:
        """Return for each cell the one that stands for its orbit, and a symmetry that takes it there."""
        return {cell: min(((g[cell], g) for g in place.symmetries), key=lambda pair: pair[0]) for cell in cells}

    def _allowed(self, place: Place, truths: list[Truth]) -> list[Cell]:
        cells = list(cells_of(self.board.full & ~place.barred))
        if self.rules.loses_turn or self.board.misere or self.rules.told == "nothing":
            return cells
        own = truths[0][0]
        for cell in cells:
            if self._line(own | 1 << cell) and any(not truth[1] >> cell & 1 for truth in truths):
                return sorted({g[cell] for g in place.symmetries})
        return cells

    def _moved(self, truth: Truth, g: Permutation) -> Truth:
        return image_of(g, truth[0]), image_of(g, truth[1]), g[truth[2]] if truth[2] >= 0 else -1

    def _follow(
        self,
        place: Place,
        cell: Cell,
        truth: Truth,
        below: dict[tuple[Cell, Heard], tuple[Place, set[Truth]]],
        replies: dict[tuple[Cell, Truth], Option | SightedPlace],
    ) -> Option | SightedPlace:
        own, other, last = truth
        fixing = [g for g in place.symmetries if g[cell] == cell]
        if other >> cell & 1:
            heard = self._heard(truth)
            if not self.rules.loses_turn:
                return self._enter(place, cell, heard, truth, fixing, below)
        else:
            heard = ("next" if self.rules.told == "nothing" else "free", 0)
            own |= 1 << cell
            over = self._outcome(own, other, own, mine=True)
            if over is not None:
                return over
        after = self._canonical((own, other, last), fixing)
        key = (cell, after)
        if key not in replies:
            replies[key] = self._replies(place, cell, heard, after, fixing, below)
        return replies[key]

    def _heard(self, truth: Truth) -> Heard:
        if self.rules.told == "nothing":
            return ("next", 0)
        told = {"all": truth[1], "last-move": 1 << truth[2] if truth[2] >= 0 else 0}.get(self.rules.told, 0)
        return ("taken", told)

    def _replies(
        self,
        place: Place,
        cell: Cell,
        heard: Heard,
        truth: Truth,
        fixing: list[Permutation],
        below: dict[tuple[Cell, Heard], tuple[Place, set[Truth]]],
    ) -> Option | SightedPlace:
        own, other, _ = truth
        if heard[0] == "taken" and self.rules.told != "collision":
            heard = self._heard(truth)
        options: dict[Cell, Option] = {}
        for reply in cells_of(self.board.full & ~(own | other)):
            over = self._outcome(own, other | 1 << reply, other | 1 << reply, mine=False)
            if over == -1:
                return -1
            options[reply] = (
                over if over is not None
                else self._enter(place, cell, heard, (own, other | 1 << reply, reply), fixing, below)
            )  # fmt: skip
        distinct = {option: reply for reply, option in reversed(options.items())}
        if len(distinct) == 1:
            return next(iter(distinct))
        found = SightedPlace(
            len(self.replies), place, cell, truth, {reply: option for option, reply in distinct.items()}
        )
        self.replies.append(found)
        return found

    def _enter(
        self,
        place: Place,
        cell: Cell,
        heard: Heard,
        truth: Truth,
        fixing: list[Permutation],
        below: dict[tuple[Cell, Heard], tuple[Place, set[Truth]]],
    ) -> Option:
        told = min(image_of(g, heard[1]) for g in fixing)
        g = next(g for g in fixing if image_of(g, heard[1]) == told)
        key = (cell, (heard[0], told))
        if key not in below:
            kept = [h for h in fixing if image_of(h, told) == told]
            barred = place.barred | 1 << cell | told
            below[key] = Place(-1, (place, cell), (*place.path, key), barred, kept), set()
        child, truths = below[key]
        canonical = self._canonical(self._moved(truth, g), child.symmetries)
        truths.add(canonical)
        return child, canonical


_IMAGES: dict[tuple[Permutation, Mask], Mask] = {}


def image_of(g: Permutation, mask: Mask) -> Mask:
    """Return the image of a set of cells under a permutation."""
    found = _IMAGES.get((g, mask))
    if found is None:
        found = 0
        for cell in cells_of(mask):
            found |= 1 << g[cell]
        _IMAGES[g, mask] = found
    return found
