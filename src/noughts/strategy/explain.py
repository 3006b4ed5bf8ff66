"""Everything there is to say about a position: the facts, sentences that a child can follow, and data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InvalidPosition
from noughts.domain.frozen import short
from noughts.domain.notation import parse_position
from noughts.domain.position import Outcome, Player, Position
from noughts.strategy.facts import Facts, MoveExplanation
from noughts.strategy.labels import label
from noughts.strategy.sentences import advice
from noughts.strategy.threats import is_fork
from noughts.strategy.values import Values, values_for

__all__ = ["Explanation", "explain", "explanation", "unfinished"]


@dataclass(frozen=True, repr=False)
class Explanation(Facts):
    """What to play in a position and why. Outcomes are absolute, remoteness counts plies; None is what was not found.

    `threats`, `forced`, `forks` and `forced_wins` are None under misere, where completing a line loses.
    """

    def __repr__(self) -> str:
        return f"<Explanation of {short(self.position)} on {short(self.board)}: {self.label or 'not found'}>"

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What a child can follow: what to play, and why not the rest."""
        return advice(self)

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as the JSON contract has it; what misere does not define is null."""

        def name(cell: Cell) -> str:
            return cell_name(self.board, cell)

        def by_player(found: dict[Player, tuple[Cell, ...]] | None) -> dict[Player, list[str]] | None:
            if found is None:
                return None
            return {player: [name(cell) for cell in cells] for player, cells in found.items()}

        return {
            "board": self.board.spec,
            "position": str(self.position),
            "to_move": self.to_move,
            "label": self.label,
            "outcome": self.outcome,
            "remoteness": self.remoteness,
            "threats": by_player(self.threats),
            "forced": None if self.forced is None else [name(cell) for cell in self.forced],
            "forks": by_player(self.forks),
            "trap": self.is_trap,
            "moves": [
                {
                    "cell": name(move.cell),
                    "label": move.label,
                    "outcome": move.outcome,
                    "remoteness": move.remoteness,
                    "creates_fork": move.creates_fork,
                    "class": str(move.canonical),
                }
                for move in self.moves
            ],
            "forced_wins": None
            if self.forced_wins is None
            else [[name(cell) for cell in sequence] for sequence in self.forced_wins.sequences],
            # Only where it has something to say: most positions have all their forced wins listed.
            **({} if self.forced_wins is None or self.forced_wins.complete else {"forced_wins_complete": False}),
        }


def unfinished(board: Board | str, start: Position | str | None) -> Position:
    """Return a reachable position where the game goes on; the empty board for None. Raises InvalidPosition."""
    board = Board.parse(board)
    found = Position(board) if start is None else parse_position(board, start).require_reachable()
    if found.is_terminal:
        outcome = found.outcome
        how = "is a draw on the full board" if outcome == "draw" else f"was won by {outcome}"
        raise InvalidPosition(f"the game is over in {found}: it {how}; give a position in which play goes on")
    return found


def explain(board: Board | str, start: Position | str | None = None) -> Explanation:
    """Return what to play in a position, the empty board unless given, and why.

    A position that play cannot reach, or in which the game is over, raises InvalidPosition. Cost: that of the values of
    the position and its moves. On boards too large for tables a search gives them: what it does not find within its
    budget is None, and so is the remoteness of won games.

    >>> explain("3x3", "X.O/.../...").label
    'X can force a win'
    """
    found = unfinished(board, start)
    return explanation(found, values_for(found))


def explanation(start: Position, values: Values) -> Explanation:
    """Return what to play in an unfinished position, by the given values."""
    try:
        outcome: Outcome | None = values.outcome(start.x, start.o)
    except BudgetError:
        outcome = None
    after = values.after(start)
    if outcome is None and start.to_move in after.values():
        outcome = start.to_move
    remoteness, word = _facts(values, start, outcome)
    moves = tuple(_move(values, start, cell, after[cell]) for cell in cells_of(start.blanks))
    return Explanation(start, word, outcome, remoteness, moves)


def _facts(values: Values, position: Position, outcome: Outcome | None) -> tuple[int | None, str | None]:
    if outcome is None:
        return None, None
    x, o = position.x, position.o
    return values.remoteness(x, o), label(outcome, values.decided(x, o))


def _move(values: Values, before: Position, cell: Cell, outcome: Outcome | None) -> MoveExplanation:
    after = before.play(cell)
    remoteness, word = _facts(values, after, outcome)
    fork = None if before.board.misere else is_fork(after)
    x, o = _canonical(after)
    return MoveExplanation(cell, word, outcome, remoteness, fork, Position(before.board, x, o))


def _canonical(position: Position) -> tuple[Mask, Mask]:
    return position.board.group().canonical(position.x, position.o)
