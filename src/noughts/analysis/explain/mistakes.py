"""The mistakes of a game: the moves that made the outcome worse for their player, and the better moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from noughts.analysis.explain.facts import along
from noughts.analysis.explain.wording import NAMED, Quality, listed, quality, verdict_with_winner
from noughts.rules.board import Board
from noughts.rules.cells import Move, move_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Outcome, Player, cells_of
from noughts.rules.position import Position
from noughts.rules.values import Result, begun, record
from noughts.solving.solution import Evaluation, Solution


@dataclass(frozen=True, repr=False)
class PlayedMove(Result):
    """A move of a game, with the outcome under best play before it, `due`, and after it, `outcome`.

    `number` counts the moves of the game from 1. `remoteness` counts the plies from the move to the end. An unknown
    value is None. A mistake made the outcome worse for its player: `better` are the cells that would have kept it, all
    of them if `complete`. `why` says how the mistake is punished and what would have been better. `longer` are the
    cells that would have delayed a lost game the most, if the move did not.
    """

    number: int
    before: Position
    cell: Cell
    due: Outcome | None
    outcome: Outcome | None
    better: tuple[Cell, ...] = ()
    complete: bool = True
    remoteness: int | None = None
    why: tuple[str, ...] = ()
    longer: tuple[Cell, ...] = ()
    keys = "move=number player cell before=due after=outcome remoteness verdict better"

    @property
    def player(self) -> Player:
        """The player who made it."""
        return self.before.to_move

    @property
    def after(self) -> Position:
        """The position after it."""
        return self.before.play(self.cell)

    @property
    def name(self) -> str:
        """Its name: that of the cell, after the mark where players choose it."""
        return move_name(self.before.board, self.cell)

    @property
    def verdict(self) -> str:
        """What it did: `wins in 3 moves`, `draws`, `loses (X wins in 2 moves)`."""
        return verdict_with_winner(self.before.board, self.player, self.due, self.outcome, self.remoteness)

    @property
    def quality(self) -> Quality | None:
        """What it did to the value that its player had."""
        return quality(self.player, self.due, self.outcome)

    @property
    def is_mistake(self) -> bool:
        """Whether it made the outcome worse for its player."""
        return self.quality in ("loses", "gives up a win")

    def what(self, lost: str = "lost") -> str:
        """Return the move, its player and what it did: `move 4, O on c1, lost`."""
        did = lost if self.quality == "loses" else "gave up the win"
        rules = self.before.board.rules
        who = f"{self.player} on {self.name}" if rules.alternating else f"{self.name} by {rules.name_of(self.player)}"
        return f"move {self.number}, {who}, {did}"

    @property
    def headline(self) -> str:
        """The move, its player and what it did, as a heading: `Move 4, O on c1, lost`."""
        return begun(self.what())

    def instead(self) -> str:
        """Return what would have been better: `b1 and b3 would have held the draw`."""
        if not self.better:
            return "what would have been better was not found"
        result = "won" if self.due == self.player else "held the draw"
        return f"{self.better_words} would have {result}"

    @property
    def sentence(self) -> str:
        """What it did and what would have been better: `Move 4, O on c1, lost: only b1 would have held the draw.`"""
        return f"{self.headline}: {self.instead()}."

    @property
    def better_words(self) -> str:
        """The moves that would have been better: `only b1`, `b1 and b3`; empty if none was found."""
        if not self.better:
            return ""
        board = self.before.board
        better = [move_name(board, cell) for cell in self.better]
        worse = [move_name(board, cell) for cell in cells_of(self.before.playable) if cell not in self.better]
        if len(better) == 1 and self.complete:
            return f"only {better[0]}"
        if len(better) <= NAMED:
            return listed(better)
        if len(worse) <= NAMED and self.complete:
            return f"every move but {listed(worse)}"
        return f"{better[0]} and {len(better) - 1} other moves"

    @property
    def longer_words(self) -> str:
        """The moves that would have delayed a lost game the most: `a3 lasts longer`; empty if this one did."""
        if not self.longer:
            return ""
        some = [move_name(self.before.board, cell) for cell in self.longer[:NAMED]]
        return f"{listed(some)} {'lasts' if len(self.longer) == 1 else 'last'} longer"

    def as_mistake(self) -> dict[str, object]:
        """Return the mistake for JSON; outcomes are X, O or draw."""
        found = record(self, "move=number", "cell", "player", "before=due", "after=outcome", "better")
        return found | ({} if self.complete else {"better_complete": False})


@dataclass(frozen=True, repr=False)
class Course(Result):
    """The outcomes under best play along a game, `finished` or not.

    `outcomes` has the outcome after `valued_from` moves and after later moves; others were not found.
    `remoteness` has the plies to the end at the same places, None where unknown.
    """

    outcomes: tuple[Outcome, ...]
    valued_from: int
    moves: tuple[PlayedMove, ...]
    finished: bool = True
    remoteness: tuple[int | None, ...] = ()

    @property
    def mistakes(self) -> tuple[PlayedMove, ...]:
        """The moves that were mistakes."""
        return tuple(move for move in self.moves if move.is_mistake)

    @property
    def has_last(self) -> bool:
        """Whether the outcome after the last move was found."""
        return bool(self.outcomes) and self.valued_from + len(self.outcomes) == len(self.moves) + 1

    @property
    def sentences(self) -> tuple[str, ...]:
        """The mistakes and the better moves, in sentences, or that there was no mistake.

        Empty for an unfinished game without values.
        """
        made, end, valued_from = self.mistakes, self.outcomes[-1:], self.valued_from
        if not self.finished:
            since = f"Neither player has made a mistake from move {valued_from + 1} on."
            clean = since if valued_from else "Neither player has made a mistake so far."
            later = self.outcomes and not self.has_last
            if later:
                clean = "Neither player made a mistake before that."
            found = tuple(each.sentence for each in made) or (clean,) * (len(self.outcomes) > 1)
            unknown = f"The values from move {valued_from + len(self.outcomes)} on were not found."
            return (unknown, *found) if later else found
        if not made:
            return (self._unspoilt(end[0]),)
        unknown = f"Who would have won before move {valued_from} was not found."
        return (*self._of_finished(made, end[0]), *[unknown] * bool(valued_from))

    def _of_finished(self, made: tuple[PlayedMove, ...], end: Outcome) -> tuple[str, ...]:
        """Return the mistakes of a finished game in sentences; the one that lost it comes first."""

        def all_of(some: Sequence[PlayedMove]) -> str:
            return "; ".join(f"{each.what()} ({each.instead()})" for each in some)

        if end != "draw":
            last = f"{begun(made[-1].what('lost it'))}: {made[-1].instead()}."
            head = "The mistakes before it cancelled" if made[0].due == made[-1].due else "Before that"
            return (last, f"{head}: {all_of(made[:-1])}.") if made[1:] else (last,)
        if made[0].due == "draw":
            return (f"The mistakes cancelled: {all_of(made)}.",)
        return tuple(each.sentence for each in made)

    def _unspoilt(self, end: Outcome) -> str:
        winner = self.moves[0].before.board.rules.name_of(end) if end != "draw" and self.moves else end
        if self.valued_from and len(self.outcomes) == 1:
            return "Which moves were mistakes was not found."
        if self.valued_from:
            then = "neither player could force a win" if end == "draw" else f"{winner} could force the win"
            return f"After move {self.valued_from} {then}; who would have won before that move was not found."
        if end == "draw":
            return "Neither player made a mistake: every move kept the draw."
        return f"Neither player made a mistake: {winner} could force the win from the beginning."

    def as_dict(self) -> dict[str, object]:
        """Return the mistakes for JSON, and `valued_from` if the first moves were not valued."""
        found: dict[str, object] = {"mistakes": [each.as_mistake() for each in self.mistakes]}
        return found | ({"valued_from": self.valued_from} if self.valued_from else {})


def course(board: Board, cells: Sequence[Cell], solution: Solution) -> Course:
    """Return the course of a game, valued from its last position back as far as the engine can.

    If the last position is not valued, it begins with the latest one whose value is known without a search.
    Cost: the value of each position, and of all moves before each mistake and each move that shortened a lost game.
    """
    positions = along(Position(board), cells)
    values: dict[int, Evaluation] = {}
    for ply in reversed(range(len(positions))):
        if values or ply == len(cells) or solution.is_ready(positions[ply]):
            try:
                values[ply] = solution.evaluate(positions[ply])
            except BudgetError:
                if values:
                    break
    first, moves = min(values, default=len(positions)), played_moves(positions, cells)
    for n in range(first, first + len(values) - 1):
        due, then = values[n].outcome, values[n + 1]
        moves[n] = replace(moves[n], due=due, outcome=then.outcome, remoteness=then.remoteness)
        if moves[n].is_mistake:
            others = solution.moves(positions[n])
            better = tuple(sorted(move.cell for move in others if move.outcome == due))
            moves[n] = replace(moves[n], better=better, complete=all(move.outcome is not None for move in others))
        elif moves[n].quality == "lost before" and None is not then.remoteness != (values[n].remoteness or 0) - 1:
            longer = tuple(sorted(move.cell for move in solution.moves(positions[n]) if move.best))
            moves[n] = replace(moves[n], longer=longer)
    known = [values[ply] for ply in sorted(values)]
    outcomes, lengths = tuple(value.outcome for value in known), tuple(value.remoteness for value in known)
    return Course(outcomes, first, tuple(moves), positions[-1].is_terminal, lengths)


def played_moves(positions: Sequence[Position], cells: Sequence[Cell]) -> list[PlayedMove]:
    """Return the moves of a game with the positions before them, without values."""
    pairs = zip(positions, cells, strict=False)
    return [PlayedMove(n, at, Move(at.board, cell), None, None) for n, (at, cell) in enumerate(pairs, 1)]
