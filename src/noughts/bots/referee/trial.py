"""What the referee found about a program, as values: one side, or both."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from noughts.bots.referee.blunders import Blunder
from noughts.bots.referee.earlier import TwoAnswers
from noughts.bots.referee.sampling import Interval, clopper_pearson
from noughts.bots.referee.score import FoulPlay
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import short
from noughts.domain.position import Player

__all__ = ["SideTrial", "Trial"]


@dataclass(frozen=True)
class SideTrial:
    """What the answers of a program as X or as O came to. Ends are counted in lines, seen from the program.

    `illegal` counts the lines that ended because it gave no move or none in time, `fouls` says where. `games` is None
    where every line was played; else so many games were, against replies at random. `two_answers` is a question that
    was answered otherwise when it was asked again, None where all were answered the same. `blunders` is None where the
    positions of the board cannot be valued. `complete` says that nothing was broken off. `walked` is what came out of
    every line before an answer was found to vary, None where none did by then. `questions` and `fouls` are those of the
    lines or games that are counted, `first_questions` and `first_fouls` those of the few games before; `asked_again`
    questions were put once more to see whether it answers the same, and `asked` is how many it was asked in all.
    """

    role: Player
    wins: int
    draws: int
    losses: int
    illegal: int
    questions: int
    shortest_loss: tuple[Cell, ...] | None
    fouls: tuple[FoulPlay, ...]
    blunders: tuple[Blunder, ...] | None
    two_answers: TwoAnswers | None
    games: int | None
    complete: bool
    walked: SideTrial | None = None
    asked_again: int = 0
    first_questions: int = 0
    first_fouls: tuple[FoulPlay, ...] = ()
    asked: int = 0

    @property
    def lines(self) -> int:
        """The number of lines, or of games."""
        return self.wins + self.draws + self.losses + self.illegal

    @property
    def consistent(self) -> bool:
        """Whether every question that was asked again was answered the same."""
        return self.two_answers is None

    @property
    def known_consistent(self) -> bool | None:
        """Whether it answered the same when it was asked again; None where nothing was."""
        return None if self.consistent and not self.asked_again else self.consistent

    @property
    def erred_again(self) -> bool:
        """Whether a question that it had answered got no move when it was asked again."""
        return self.two_answers is not None and self.two_answers.then is None

    @property
    def moves_made(self) -> int:
        """How many of its answers were moves."""
        return self.questions - len(self.fouls)

    @property
    def every_foul(self) -> tuple[FoulPlay, ...]:
        """What was no move in the few games before, in every line before its answers were found to vary, and then."""
        return (*self.first_fouls, *(() if self.walked is None else self.walked.fouls), *self.fouls)

    @property
    def passed(self) -> bool:
        """Whether it neither lost nor gave what is no move, in anything that was played or asked again."""
        clean = not self.losses and not self.illegal and not self.erred_again and not self.first_fouls
        return clean and (self.walked is None or self.walked.passed)

    @property
    def chance_of_loss(self) -> Interval | None:
        """Between which bounds its chance to lose or to err against replies at random lies; None of every line."""
        return None if self.games is None or not self.lines else clopper_pearson(self.losses + self.illegal, self.lines)

    def as_dict(self, board: Board) -> dict[str, object]:
        """Return the side for JSON."""
        chance = self.chance_of_loss
        return {
            "lines": self.lines,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "illegal": self.illegal,
            "shortest_loss": _names(board, self.shortest_loss),
            "consistent": self.known_consistent,
            "asked_again": self.asked_again,
            "complete": self.complete,
            "questions": self.questions,
            "games": self.games,
            "chance_not_to_pass": None if chance is None else chance.as_dict(),
            "two_answers": self._two_answers(board),
            "walked": None if self.walked is None else self.walked.as_dict(board),
            "asked": self.asked,
            "first_questions": self.first_questions,
            "first_fouls": [_foul(board, foul) for foul in self.first_fouls],
            "fouls": [_foul(board, foul) for foul in self.fouls],
            "blunders": None if self.blunders is None else [blunder.as_dict() for blunder in self.blunders],
        }

    def _two_answers(self, board: Board) -> dict[str, object] | None:
        found = self.two_answers
        if found is None:
            return None
        first, then = (None if cell is None else cell_name(board, cell) for cell in (found.first, found.then))
        return {"moves": _names(board, found.history), "first": first, "then": then, "said": found.said}


@dataclass(frozen=True, repr=False)
class Trial:
    """What the referee found about a program on a board. `same` says what it was asked once for."""

    board: Board
    command: tuple[str, ...]
    name: str
    author: str
    same: str
    seed: int
    move_seconds: float
    sides: tuple[SideTrial, ...]

    def __repr__(self) -> str:
        return (
            f"<Trial of {short(self.title, 30)} on {short(self.board)}: {self.lines:,} lines, {self.wins:,} won, "
            f"{self.draws:,} drawn, {self.losses:,} lost, {self.illegal:,} illegal>"
        )

    @property
    def title(self) -> str:
        """What the program calls itself, else its command."""
        return self.name or shlex.join(self.command)

    @property
    def lines(self) -> int:
        """The number of lines of both sides, or of games where its answers vary."""
        return sum(side.lines for side in self.sides)

    @property
    def wins(self) -> int:
        """The lines that the program wins."""
        return sum(side.wins for side in self.sides)

    @property
    def draws(self) -> int:
        """The lines that are drawn."""
        return sum(side.draws for side in self.sides)

    @property
    def losses(self) -> int:
        """The lines that the program loses."""
        return sum(side.losses for side in self.sides)

    @property
    def illegal(self) -> int:
        """The lines that end because it gave no move, or none in time."""
        return sum(side.illegal for side in self.sides)

    @property
    def shortest_loss(self) -> tuple[Cell, ...] | None:
        """The moves of a shortest loss among all that was played, lines or games; None where it lost nothing."""
        sides = [*self.sides, *(side.walked for side in self.sides if side.walked is not None)]
        found = [side.shortest_loss for side in sides if side.shortest_loss is not None]
        return min(found, key=lambda moves: (len(moves), moves), default=None)

    @property
    def consistent(self) -> bool:
        """Whether every question that was asked again was answered the same."""
        return all(side.consistent for side in self.sides)

    @property
    def passed(self) -> bool:
        """Whether the program neither lost nor gave what is no move, in anything that was played or asked again."""
        return all(side.passed for side in self.sides)

    def as_dict(self) -> dict[str, object]:
        """Return the trial for JSON: both sides together, then each; ends are seen from the program."""
        return {
            "board": self.board.spec,
            "program": self.title,
            "author": self.author,
            "command": list(self.command),
            "as": self.sides[0].role if len(self.sides) == 1 else "both",
            "lines": self.lines,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "illegal": self.illegal,
            "shortest_loss": _names(self.board, self.shortest_loss),
            "consistent": self.consistent if any(side.known_consistent is not None for side in self.sides) else None,
            "passed": self.passed,
            "same": self.same,
            "seed": self.seed,
            "move_seconds": self.move_seconds,
            "sides": {side.role: side.as_dict(self.board) for side in self.sides},
        }


def _names(board: Board, cells: tuple[Cell, ...] | None) -> list[str] | None:
    return None if cells is None else [cell_name(board, cell) for cell in cells]


def _foul(board: Board, foul: FoulPlay) -> dict[str, object]:
    return {
        "position": str(foul.position),
        "moves": _names(board, foul.history),
        "kind": foul.kind,
        "said": foul.said,
        "lines": foul.lines,
    }
