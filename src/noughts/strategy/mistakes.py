"""Where a game was given away: the moves that made the outcome worse for their player, and what was better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position
from noughts.solving.solution import Evaluation, Solution
from noughts.strategy.quality import quality
from noughts.strategy.sentences import listed

__all__ = ["Course", "Mistake", "course"]

_NAMED = 8
"""Moves up to which a sentence names them all."""


@dataclass(frozen=True)
class Mistake:
    """A move after which its player had less than before, by the outcomes under best play.

    `number` counts the moves of the game from 1; `better` are the cells that would have kept the outcome `due` before,
    and where not `complete` those of them that the engine found.
    """

    number: int
    before: Position
    cell: Cell
    due: Outcome
    after: Outcome
    better: tuple[Cell, ...]
    complete: bool = True

    @property
    def loses(self) -> bool:
        """Whether the move lost a game that was not lost, and did not only give up a win."""
        return quality(self.before.to_move, self.due, self.after) == "loses"

    def what(self, lost: str = "lost") -> str:
        """Return the move, whose it was and what it did: `move 4, O on c1, lost`."""
        did = lost if self.loses else "gave up the win"
        return f"move {self.number}, {self.before.to_move} on {cell_name(self.before.board, self.cell)}, {did}"

    def instead(self) -> str:
        """Return what would have been better: `b1 and b3 would have held the draw`."""
        if not self.better:
            return "what would have been better was not found"
        kept = "won" if self.due == self.before.to_move else "held the draw"
        return f"{self.better_words} would have {kept}"

    @property
    def sentence(self) -> str:
        """What it did and what would have been better: `Move 4, O on c1, lost: only b1 would have held the draw.`"""
        return f"{_begun(self.what())}: {self.instead()}."

    @property
    def better_words(self) -> str:
        """The moves that would have been better: `only b1`, `b1 and b3`; nothing where none was found."""
        if not self.better:
            return ""

        def named(cells: Sequence[Cell]) -> list[str]:
            return [cell_name(self.before.board, cell) for cell in cells]

        worse = [cell for cell in cells_of(self.before.blanks) if cell not in self.better]
        if len(self.better) == 1 and self.complete:
            return f"only {named(self.better)[0]}"
        if len(self.better) <= _NAMED:
            return listed(named(self.better))
        if len(worse) <= _NAMED and self.complete:
            return f"every move but {listed(named(worse))}"
        return f"{named(self.better)[0]} and {len(self.better) - 1} other moves"

    def as_dict(self) -> dict[str, object]:
        """Return the mistake for JSON; outcomes are X, O or draw."""
        board = self.before.board
        return {
            "move": self.number,
            "cell": cell_name(board, self.cell),
            "player": self.before.to_move,
            "before": self.due,
            "after": self.after,
            "better": [cell_name(board, cell) for cell in self.better],
            **({} if self.complete else {"better_complete": False}),
        }


@dataclass(frozen=True)
class Course:
    """How the outcome under best play went through a game, `finished` or not.

    `outcomes` are those after `valued_from` moves and after each move from there: what was before was not found.
    `remoteness` are the plies to the end then, None where they were not found.
    """

    outcomes: tuple[Outcome, ...]
    valued_from: int
    mistakes: tuple[Mistake, ...]
    finished: bool = True
    remoteness: tuple[int | None, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Which move gave the game away and what would have been better, or that nobody made a mistake.

        While the game goes on: which moves so far were mistakes. Nothing where no value was found.
        """
        if not self.finished:
            return tuple(each.sentence for each in self.mistakes) or self._so_far()
        if not self.mistakes:
            return (self._unspoilt(self.outcomes[-1]),)
        n = self.valued_from
        return (*self._told(), *[f"Who would have won before move {n + 1} was not found."] * bool(n))

    def _so_far(self) -> tuple[str, ...]:
        """Return that nobody has made a mistake, as far as it was found; nothing before the first move."""
        if len(self.outcomes) < 2:
            return ()
        if self.valued_from:
            return ("Nobody has made a mistake since values are known.",)
        return ("So far nobody has made a mistake.",)

    def _told(self) -> tuple[str, ...]:
        """Return the mistakes in sentences, first the one that lost the game."""
        made, end = self.mistakes, self.outcomes[-1]
        if end != "draw":
            last = f"{_begun(made[-1].what('lost it'))}: {made[-1].instead()}."
            head = "The mistakes before it cancelled" if made[0].due == made[-1].due else "Before that"
            return (last, f"{head}: {_all(made[:-1])}.") if made[1:] else (last,)
        if made[0].due == "draw":
            return (f"The mistakes cancelled: {_all(made)}.",)
        return tuple(each.sentence for each in made)

    def _unspoilt(self, end: Outcome) -> str:
        if self.valued_from:
            moves = len(self.outcomes) - 1
            if not moves:
                return "Which moves were mistakes was not found."
            last, them = ("last move", "it") if moves == 1 else (f"last {moves} moves", "them")
            return f"The {last} changed nothing; who would have won before {them} was not found."
        if end == "draw":
            return "Nobody made a mistake: every move kept the draw."
        return f"Nobody made a mistake: {end} could force the win from the beginning."

    def as_dict(self) -> dict[str, object]:
        """Return the mistakes for JSON, and `valued_from` where the beginning of the game was not valued."""
        found: dict[str, object] = {"mistakes": [each.as_dict() for each in self.mistakes]}
        return found | ({"valued_from": self.valued_from} if self.valued_from else {})


def course(board: Board, cells: Sequence[Cell], solution: Solution) -> Course:
    """Return the course of a game from its moves, valued from the last one back as far as the engine can.

    Cost: that of the value of each position, and of the moves before each mistake.
    """
    positions = [Position(board)]
    for cell in cells:
        positions.append(positions[-1].play(cell))
    values: list[Evaluation] = []
    try:
        for position in reversed(positions):
            values.insert(0, solution.evaluate(position))
    except BudgetError:
        pass
    outcomes = [value.outcome for value in values]
    first = len(positions) - len(outcomes)
    made = []
    for n in range(first, len(cells)):
        due, after, mover = outcomes[n - first], outcomes[n - first + 1], positions[n].to_move
        if quality(mover, due, after) in ("loses", "gives up a win"):
            moves = solution.moves(positions[n])
            better = tuple(sorted(move.cell for move in moves if move.outcome == due))
            complete = all(move.outcome is not None for move in moves)
            made.append(Mistake(n + 1, positions[n], cells[n], due, after, better, complete))
    lengths = tuple(value.remoteness for value in values)
    return Course(tuple(outcomes), first, tuple(made), positions[-1].is_terminal, lengths)


def _all(made: Sequence[Mistake]) -> str:
    return "; ".join(f"{each.what()} ({each.instead()})" for each in made)


def _begun(words: str) -> str:
    return words[0].upper() + words[1:]
