"""Everything there is to say about a position: label, threats, forks, traps, moves, forced wins, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InvalidPosition
from noughts.domain.notation import parse_position
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.strategy.forcedwins import ForcedWins, forced_wins
from noughts.strategy.labels import label
from noughts.strategy.threats import Lines, forced_cells, fork_cells, is_fork, lines_of, threat_mask
from noughts.strategy.values import Values, values_for

__all__ = ["Explanation", "MoveExplanation", "explain", "explanation", "unfinished"]


@dataclass(frozen=True)
class MoveExplanation:
    """A move: its cell, and of the position after it the label, outcome, remoteness and canonical form.

    What the engine did not find is None. `creates_fork` is None under misere, where a fork is no help.
    """

    cell: Cell
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    creates_fork: bool | None
    canonical: Position


@dataclass(frozen=True)
class Explanation:
    """What to play in a position and why. Outcomes are absolute, remoteness counts plies; None is what was not found.

    `threats`, `forced`, `forks` and `forced_wins` are None under misere, where completing a line loses.
    """

    position: Position
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    moves: tuple[MoveExplanation, ...]

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def to_move(self) -> Player:
        """The side to move."""
        return self.position.to_move

    @cached_property
    def threats(self) -> dict[Player, tuple[Cell, ...]] | None:
        """For each player the blank cells that complete a line."""
        if self.board.misere:
            return None
        return {player: tuple(cells_of(threat_mask(self.position, player))) for player in ("X", "O")}

    @cached_property
    def forced(self) -> tuple[Cell, ...] | None:
        """The cells that the rule `block` leaves; empty when it leaves all."""
        if self.board.misere:
            return None
        left = forced_cells(self.position)
        return () if left == self.position.blanks else tuple(cells_of(left))

    @cached_property
    def forks(self) -> dict[Player, tuple[Cell, ...]] | None:
        """For each player the blank cells on which a mark of theirs would create a fork."""
        if self.board.misere:
            return None
        return {player: tuple(cells_of(fork_cells(self.position, player))) for player in ("X", "O")}

    @cached_property
    def is_trap(self) -> bool:
        """Whether the side to move has a move that loses and another that does not."""
        return 0 < len(self.losing_moves) < len(self.moves)

    @cached_property
    def losing_moves(self) -> tuple[MoveExplanation, ...]:
        """The moves after which the opponent wins under best play."""
        return tuple(move for move in self.moves if move.outcome == opponent(self.to_move))

    @cached_property
    def best_moves(self) -> tuple[MoveExplanation, ...]:
        """The moves that keep the value and, of these, win soonest or lose latest."""
        kept = [move for move in self.moves if move.outcome is not None and move.outcome == self.outcome]
        plies = [move.remoteness for move in kept if move.remoteness is not None]
        if len(plies) < len(kept):
            return tuple(kept)
        best = (min if self.outcome == self.to_move else max)(plies, default=0)
        return tuple(move for move in kept if move.remoteness == best)

    @cached_property
    def lines(self) -> Lines:
        """The lines still open to each player, and those blocked for both."""
        return lines_of(self.position)

    @cached_property
    def forced_wins(self) -> ForcedWins | None:
        """Every way in which the side to move, if it wins, can force a fork."""
        if self.board.misere:
            return None
        if self.outcome != self.to_move:
            return ForcedWins((), True)
        return forced_wins(self.position)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What a child can follow: what to play, and why not the rest."""
        from noughts.strategy.sentences import advice

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


def unfinished(board: Board | str, position: Position | str | None) -> Position:
    """Return a reachable position where the game goes on; the empty board for None. Raises InvalidPosition."""
    board = Board.parse(board)
    if position is None:
        found = Position(board)
    else:
        found = parse_position(board, position) if isinstance(position, str) else position
    if found.board != board:
        raise InvalidPosition(f"{found} is a position of {found.board}, not of {board}: give both for one board")
    found.require_reachable()
    if found.is_terminal:
        outcome = found.outcome
        how = "is a draw on the full board" if outcome == "draw" else f"was won by {outcome}"
        raise InvalidPosition(f"the game is over in {found}: it {how}; give a position in which play goes on")
    return found


def explain(board: Board | str, position: Position | str | None = None) -> Explanation:
    """Return what to play in a position and why.

    A position that play cannot reach, or in which the game is over, raises InvalidPosition. Cost: that of the values of
    the position and its moves. On boards too large for tables a search gives them: what it does not find within its
    budget is None, and so is the remoteness of won games.

    >>> explain("3x3", "X.O/.../...").label
    'X can force a win'
    """
    start = unfinished(board, position)
    return explanation(start, values_for(start))


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
