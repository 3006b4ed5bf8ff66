"""What a machine is worth on average after some games, over all that may be drawn in them: exact, where few enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from noughts.bots.menace.boxes import Cabinet
from noughts.bots.menace.course import Filling, GameChances, PlayGraph, Trail
from noughts.bots.menace.lessons import box_after
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Player, opponent
from noughts.machine.progress import Progress, silent

__all__ = ["OUTCOMES", "Expectation", "expectations"]

OUTCOMES = 60_000
"""Fillings of the boxes up to which they are all gone through: some ten seconds on 3x3."""

Changes = tuple[tuple[tuple[Player, int], tuple[int, ...]], ...]
"""The boxes whose beads are not those of the beginning, and what they hold."""


@dataclass(frozen=True)
class Expectation:
    """The chances of the next game after so many games, averaged over all that may be drawn in those.

    `fillings` is how many different fillings of the boxes those games can lead to.
    """

    games: int
    chances: GameChances
    fillings: int

    def as_dict(self, player: Player) -> dict[str, object]:
        """Return the expectation for JSON, as the machine that plays `player` sees it."""
        win, draw, loss = self.chances.of(player)
        return {
            "games": self.games,
            "win": str(win),
            "draw": str(draw),
            "loss": str(loss),
            "fillings": str(self.fillings),
        }


def expectations(
    course: PlayGraph,
    cabinets: dict[Player, Cabinet],
    beads: Filling,
    games: int,
    progress: Progress = silent,
) -> tuple[Expectation, ...]:
    """Return what is expected after 0, 1, ... up to so many games.

    Raises BudgetError, before it begins, where there may be over OUTCOMES fillings.
    """
    known = course.known(beads)
    found = [Expectation(0, course.chances(beads), 1)]
    if games:
        _require_few(course, beads, games)
    states: dict[Changes, Fraction] = {(): Fraction(1)}
    for game in range(1, games + 1):
        states = _after_one(course, cabinets, beads, states)
        x = draw = Fraction(0)
        for number, (changes, share) in enumerate(states.items()):
            if number % 256 == 0:
                progress(number, len(states), "fillings")
            chances = course.changed(known, dict(changes), beads)
            x += share * chances.x_wins
            draw += share * chances.draws
        found.append(Expectation(game, GameChances(x, draw, 1 - x - draw), len(states)))
    return tuple(found)


def _require_few(course: PlayGraph, beads: Filling, games: int) -> None:
    ways = len({(tuple(trail), outcome) for trail, outcome, _ in _played(course, beads)})
    if ways**games > OUTCOMES:
        raise BudgetError(
            f"{games} game{'s' * (games > 1)} on {course.board} may fill the boxes in up to {ways**games:,} ways, and "
            f"up to {OUTCOMES:,} are gone through: ask about fewer games or a smaller board"
        )


def _after_one(
    course: PlayGraph, cabinets: dict[Player, Cabinet], beads: Filling, states: dict[Changes, Fraction]
) -> dict[Changes, Fraction]:
    """Return the fillings after one more game, each with its probability."""
    following: dict[Changes, Fraction] = {}
    for changes, share in states.items():
        held = {player: [tuple(box) for box in boxes] for player, boxes in beads.items()}
        for (who, where), filled in changes:
            held[who][where] = filled
        for trail, outcome, chance in _played(course, held):
            after = dict(changes)
            for player, place, colour in trail:
                box = box_after(cabinets[player], place, held[player][place], colour, outcome)
                after[player, place] = tuple(box)
            key = tuple(sorted(after.items()))
            following[key] = following.get(key, Fraction(0)) + share * chance
    return following


def _played(course: PlayGraph, beads: Filling) -> Iterator[tuple[Trail, Outcome, Fraction]]:
    """Yield every way to play a game with these beads: the boxes opened, how it ends, and how likely that is."""
    stack: list[tuple[int, Trail, Fraction]] = [(0, [], Fraction(1))]
    while stack:
        number, trail, chance = stack.pop()
        step = course.steps[number]
        if step.outcome is not None:
            yield trail, step.outcome, chance
            continue
        weights: Sequence[int] = step.weights if step.box is None else beads[step.mover][step.box]
        whole = sum(weights)
        if not whole:
            yield trail, opponent(step.mover), chance
            continue
        for place, (weight, then) in enumerate(zip(weights, step.after, strict=True)):
            if weight:
                opened = trail if step.box is None else [*trail, (step.mover, step.box, place)]
                stack.append((then, opened, chance * Fraction(weight, whole)))
