"""Teaching: games drawn one after the other, beads added and taken after each, and what the machine is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noughts.bots.menace.boxes import Cabinet
from noughts.bots.menace.course import Beads, GameChances, PlayGraph, Trail
from noughts.bots.menace.draws import Draws
from noughts.domain.position import Outcome, Player
from noughts.machine.progress import Progress, silent

__all__ = ["Lesson", "Mark", "box_after", "kept", "rewarded", "taught"]


@dataclass(frozen=True)
class Mark:
    """After so many games of a lesson: the exact chances of the next game, and how the games so far ended."""

    games: int
    chances: GameChances
    wins: int
    draws: int
    losses: int
    beads: int
    empty: int

    def as_dict(self, player: Player) -> dict[str, object]:
        """Return the mark for JSON, as the machine that plays `player` sees it."""
        win, draw, loss = self.chances.of(player)
        return {
            "games": self.games,
            "win": str(win),
            "draw": str(draw),
            "loss": str(loss),
            "won": self.wins,
            "drawn": self.draws,
            "lost": self.losses,
            "beads": self.beads,
            "empty_boxes": self.empty,
        }


@dataclass(frozen=True)
class Lesson:
    """One run of games: the seed it was drawn from, its marks in order, and the beads in the end."""

    seed: int
    marks: tuple[Mark, ...]
    beads: tuple[tuple[int, ...], ...]

    @property
    def last(self) -> Mark:
        """The mark after the last game."""
        return self.marks[-1]


def box_after(cabinet: Cabinet, place: int, held: Sequence[int], colour: int, outcome: Outcome) -> list[int]:
    """Return the beads of a box that was opened, after the game: there are never fewer than none."""
    rules, box = cabinet.rules, list(held)
    box[colour] = max(0, box[colour] + rules.reward(cabinet.player, outcome))
    if not any(box):
        if rules.empty == "refill":
            return list(cabinet.boxes[place].start)
        if rules.empty == "keep":
            box[colour] = 1
    return box


def rewarded(beads: Beads, cabinets: dict[Player, Cabinet], trail: Trail, outcome: Outcome) -> None:
    """Put beads into the boxes that were opened, and take them, as the rules say."""
    for player, place, colour in trail:
        beads[player][place] = box_after(cabinets[player], place, beads[player][place], colour, outcome)


def taught(
    course: PlayGraph,
    cabinets: dict[Player, Cabinet],
    beads: Beads,
    player: Player,
    stops: Sequence[int],
    seed: int,
    progress: Progress = silent,
) -> Lesson:
    """Return a lesson of as many games as the last of `stops`, with a mark at each of them, in rising order.

    `beads` are changed: they are what the machine goes on with.
    """
    draws, tally, marks = Draws(seed), {"X": 0, "draw": 0, "O": 0}, []
    other: Player = "O" if player == "X" else "X"
    games = 0
    for stop in stops:
        while games < stop:
            outcome, trail = course.played(beads, draws)
            rewarded(beads, cabinets, trail, outcome)
            tally[outcome] += 1
            games += 1
            if games % 256 == 0:
                progress(games, stops[-1], "games")
        mine = beads[player]
        marks.append(
            Mark(
                games,
                course.chances(beads),
                tally[player],
                tally["draw"],
                tally[other],
                sum(map(sum, mine)),
                sum(not any(box) for box in mine),
            )
        )
    return Lesson(seed, tuple(marks), kept(beads[player]))


def kept(beads: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    """Return beads as a value."""
    return tuple(tuple(box) for box in beads)
