"""First moves up to symmetry and the replies to each, in facts: whom each leads to win, and what it gives away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell, Mask
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.strategy.quality import Quality, verdict

__all__ = ["FirstMoves", "Opening", "Reply", "ValuedMove", "cell_kind", "count"]


def cell_kind(board: Board, cell: Cell) -> str | None:
    """Return `corner`, `edge` or `centre` for a cell of a flat board with those three kinds, else None."""
    if board.shape is None or board.torus or board.is_solid:
        return None
    rows, columns, _ = board.shape
    if rows != columns or rows != 3:
        return None
    row, column = divmod(cell, columns)
    return ("corner", "edge", "centre")[(row == 1) + (column == 1)]


@dataclass(frozen=True, repr=False)
class ValuedMove:
    """A move for all its symmetric cells; values are of the position after it.

    `quality` says what the move does to the value that its player had; None where the values do not tell.
    """

    cell: Cell
    cells: Mask
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    quality: Quality | None
    position: Position

    @property
    def loses(self) -> bool | None:
        """Whether the position before was not lost and the position after is; None where that was not found."""
        return None if self.quality is None else self.quality == "loses"

    @property
    def gives_up_win(self) -> bool | None:
        """Whether it makes a draw of a won position; None where that was not found."""
        return None if self.quality is None else self.quality == "gives up a win"


@dataclass(frozen=True, repr=False)
class Reply(ValuedMove):
    """A reply to an opening, for all its symmetric cells; values are of the position after it."""

    def __repr__(self) -> str:
        return f"<Reply {cell_name(self.position.board, self.cell)}: {self.label or 'not found'}>"


@dataclass(frozen=True, repr=False)
class Opening(ValuedMove):
    """A first move, for all its symmetric cells, and the replies to it; values are of the position after it."""

    replies: tuple[Reply, ...]

    def __repr__(self) -> str:
        name = cell_name(self.position.board, self.cell)
        return f"<Opening {name}: {self.label or 'not found'}, {len(self.replies)} replies>"

    @cached_property
    def holding(self) -> tuple[Reply, ...]:
        """The replies that keep what the opening left, where it left anything: a draw or a win."""
        return tuple(reply for reply in self.replies if reply.quality == "keeps")


@dataclass(frozen=True)
class FirstMoves:
    """All first moves and replies of a board, or of a position. What the engine did not find is None."""

    start: Position
    outcome: Outcome | None
    remoteness: int | None
    openings: tuple[Opening, ...]

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @property
    def mover(self) -> Player:
        """The player who moves first."""
        return self.start.to_move

    @cached_property
    def replies(self) -> int:
        """The number of replies up to symmetry."""
        return sum(len(opening.replies) for opening in self.openings)

    @cached_property
    def losing_replies(self) -> int:
        """How many of the replies lose: the position before was not lost for the player who replies, and then it is."""
        return self.of_quality("loses")

    @cached_property
    def replies_giving_up_a_win(self) -> int:
        """How many of the replies make a draw of a position that the player who replies could win."""
        return self.of_quality("gives up a win")

    def of_quality(self, wanted: Quality | None) -> int:
        """Return how many of the replies are of a quality; None stands for what was not found."""
        return sum(count(opening.replies, wanted) for opening in self.openings)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell, with its kind where the board has corner, edge and centre."""
        kind = cell_kind(self.board, cell)
        return cell_name(self.board, cell) + (f" ({kind})" if kind else "")

    def verdict(self, move: ValuedMove, opening: Opening | None = None) -> str:
        """Return what a first move, or a reply to an opening, does for the player who makes it, in a few words."""
        mover = self.mover if opening is None else opponent(self.mover)
        before = self.outcome if opening is None else opening.outcome
        return verdict(mover, before, move.outcome, move.remoteness)


def count(moves: Iterable[ValuedMove], wanted: Quality | None) -> int:
    """Return how many of some moves are of a quality."""
    return sum(move.quality == wanted for move in moves)
