"""A machine of matchboxes as a value: its boxes, the beads in them, what it was taught and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noughts.bots.menace.boxes import Cabinet, bead_colour, bead_letter
from noughts.bots.menace.course import GameChances
from noughts.bots.menace.expectation import Expectation
from noughts.bots.menace.given import board_given, opponent_given
from noughts.bots.menace.lessons import Lesson
from noughts.bots.menace.readings import Reading
from noughts.bots.menace.saved import saved_machine
from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import short
from noughts.domain.players import Player
from noughts.strategy.policies import FilePolicy, Policy, policy

__all__ = ["Menace"]


@dataclass(frozen=True, repr=False)
class Menace:
    """A machine that plays X or O by drawing beads, taught by `lessons`, each from the same beads and another seed.

    `beads` are those of each box, in the order of its cells, after the first lesson; `games` how many games it has been
    taught altogether. `against` names the opponent. Chances are those of the outcomes of one game against it, exact; of
    an opponent that is a machine and learns as well, as it is then. `expected` are averages over all that
    may be drawn, where they were asked for.
    """

    cabinet: Cabinet
    beads: tuple[tuple[int, ...], ...]
    games: int
    against: str
    readings: tuple[Reading, ...]
    lessons: tuple[Lesson, ...]
    expected: tuple[Expectation, ...] = ()
    rival: Policy | None = None
    """The policy of the opponent; None where that is a machine that learns."""

    def __repr__(self) -> str:
        count = len(self.cabinet.boxes)
        return f"<Menace on {short(self.board)} as {self.player}: {count:,} boxes, {self.games:,} games>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.cabinet.board

    @property
    def player(self) -> Player:
        """Whether it plays X or O."""
        return self.cabinet.player

    @property
    def chances(self) -> GameChances:
        """The exact chances of the next game, after the first lesson."""
        return self.lessons[0].last.chances

    @property
    def value(self) -> Fraction:
        """The chance to win the next game less that to lose it."""
        return self.chances.value(self.player)

    @property
    def policy(self) -> FilePolicy:
        """The machine as it is, as a policy that no longer learns.

        A policy cannot resign: where a box is empty it plays at random.
        """
        made = policy(self.board, self.saved_as_dict())
        assert isinstance(made, FilePolicy)
        return made

    def saved_as_dict(self) -> dict[str, object]:
        """Return the machine as a file has it, which is a policy too: `load` goes on from it, `versus` plays it."""
        return saved_machine(self.cabinet, self.beads, self.games)

    def as_dict(self) -> dict[str, object]:
        """Return the machine for JSON: fractions as text, seen from the machine."""
        board, cabinet = self.board, self.cabinet
        return {
            "board": board.spec,
            "as": self.player,
            "rules": cabinet.rules.as_dict(),
            "boxes": [
                {
                    "number": box.number,
                    "position": str(box.position),
                    "turn": box.turn,
                    "start": box.beads,
                    "beads": {cell_name(board, cell): n for cell, n in zip(box.cells, beads, strict=True)},
                    "alike": {
                        cell_name(board, cell): [cell_name(board, each) for each in cells_of(cells)]
                        for cell, cells in zip(box.cells, box.alike, strict=True)
                        if cells.bit_count() > 1
                    },
                }
                for box, beads in zip(cabinet.boxes, self.beads, strict=True)
            ],
            "colours": {
                cell_name(board, cell): {
                    "letter": bead_letter(cell),
                    "colour": bead_colour(cell),
                    "beads": cabinet.start_of(cell),
                }
                for cell in range(board.cells)
            },
            "readings": [reading.as_dict() for reading in self.readings],
            "games": self.games,
            "against": self.against,
            "lessons": [
                {"seed": lesson.seed, "marks": [mark.as_dict(self.player) for mark in lesson.marks]}
                for lesson in self.lessons
            ],
            "expected": [each.as_dict(self.player) for each in self.expected],
            "geometry": board_given(board),
            "opponent": opponent_given(board, self.player, self.rival),
        }
