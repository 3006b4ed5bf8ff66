"""What there is to say about a position in facts: label, threats, forks, traps, moves, forced wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.strategy.ending import completed_lines
from noughts.strategy.forcedwins import ForcedWins, forced_wins
from noughts.strategy.quality import quality, verdict
from noughts.strategy.threats import Lines, forced_cells, fork_cells, lines_of, threat_mask

__all__ = ["Facts", "MoveExplanation"]


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return f"<MoveExplanation: {cell_name(self.canonical.board, self.cell)}, {self.label or 'not found'}>"

    def as_dict(self) -> dict[str, object]:
        """Return the move as a record, as `noughts explain --format json` prints it."""
        return {
            "cell": cell_name(self.canonical.board, self.cell),
            "label": self.label,
            "outcome": self.outcome,
            "remoteness": self.remoteness,
            "creates_fork": self.creates_fork,
            "class": str(self.canonical),
        }


@dataclass(frozen=True)
class Facts:
    """The facts about a position. Outcomes are absolute, remoteness counts plies; None is what was not found.

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

    @property
    def is_over(self) -> bool:
        """Whether the game is over: then nobody is to move, threatens or forks."""
        return self.position.is_terminal

    @cached_property
    def completed(self) -> tuple[tuple[Cell, ...], ...]:
        """The completed lines of a finished game: the winner's, under misere the loser's; none while play goes on."""
        return completed_lines(self.position)

    @cached_property
    def threats(self) -> dict[Player, tuple[Cell, ...]] | None:
        """For each player the blank cells that complete a line."""
        if self.board.misere:
            return None
        if self.is_over:
            return {"X": (), "O": ()}
        return {player: tuple(cells_of(threat_mask(self.position, player))) for player in ("X", "O")}

    @cached_property
    def forced(self) -> tuple[Cell, ...] | None:
        """The cells that the rule `block` leaves; empty when it leaves all."""
        if self.board.misere:
            return None
        if self.is_over:
            return ()
        left = forced_cells(self.position)
        return () if left == self.position.blanks else tuple(cells_of(left))

    @cached_property
    def forks(self) -> dict[Player, tuple[Cell, ...]] | None:
        """For each player the blank cells on which a mark of theirs would create a fork."""
        if self.board.misere:
            return None
        if self.is_over:
            return {"X": (), "O": ()}
        return {player: tuple(cells_of(fork_cells(self.position, player))) for player in ("X", "O")}

    @cached_property
    def is_trap(self) -> bool | None:
        """Whether the side to move has a move that loses and another that does not; None where that was not found."""
        lost = [move.outcome == opponent(self.to_move) for move in self.moves]
        safe = [move.outcome in (self.to_move, "draw") for move in self.moves]
        if any(lost) and any(safe):
            return True
        return False if all(lost) or all(safe) else None

    @cached_property
    def losing_moves(self) -> tuple[MoveExplanation, ...]:
        """The moves that lose: the position is not lost, and after the move it is. None loses what was lost before."""
        if self.outcome is None and not self.is_trap:
            return ()
        lost = opponent(self.to_move)
        return tuple(move for move in self.moves if move.outcome == lost != self.outcome)

    @cached_property
    def moves_giving_up_the_win(self) -> tuple[MoveExplanation, ...]:
        """The moves that make a draw of a position that the side to move can win."""
        return tuple(m for m in self.moves if quality(self.to_move, self.outcome, m.outcome) == "gives up a win")

    def verdict(self, move: MoveExplanation) -> str:
        """Return what a move does in a few words, as the side to move sees it: `wins in 3 moves`, `draws`, `loses`."""
        return verdict(self.to_move, self.outcome, move.outcome, move.remoteness)

    @cached_property
    def best_moves(self) -> tuple[MoveExplanation, ...]:
        """The moves that keep the value and, of these, win soonest or lose latest."""
        kept = [move for move in self.moves if move.outcome is not None and move.outcome == self.outcome]
        plies = [move.remoteness for move in kept if move.remoteness is not None]
        if not kept or len(plies) < len(kept):
            return tuple(kept)
        best = (min if self.outcome == self.to_move else max)(plies)
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
        if self.outcome != self.to_move or self.is_over:
            return ForcedWins((), True)
        return forced_wins(self.position)
