"""Opening theory: first moves up to symmetry, the replies to each, their values, and the advice that follows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.strategy.explain import unfinished
from noughts.strategy.labels import label
from noughts.strategy.sentences import listed
from noughts.strategy.values import Values, values_for

__all__ = ["Opening", "OpeningTheory", "Reply", "cell_kind", "move_classes", "openings"]


def move_classes(position: Position) -> list[tuple[Cell, Mask]]:
    """Return the moves up to the symmetries of the position: the first cell of each class, and all its cells.

    Two moves are the same when the positions after them are in one class. In reading order of the first cells.
    """
    group = position.board.group()
    found: dict[tuple[Mask, Mask], Mask] = {}
    for cell in cells_of(position.blanks):
        after = position.play(cell)
        key = group.canonical(after.x, after.o)
        found[key] = found.get(key, 0) | 1 << cell
    return [((cells & -cells).bit_length() - 1, cells) for cells in found.values()]


def cell_kind(board: Board, cell: Cell) -> str | None:
    """Return `corner`, `edge` or `centre` for a cell of a flat board with those three kinds, else None."""
    if board.shape is None or board.torus or board.is_solid:
        return None
    rows, columns, _ = board.shape
    if rows != columns or rows != 3:
        return None
    row, column = divmod(cell, columns)
    return ("corner", "edge", "centre")[(row == 1) + (column == 1)]


@dataclass(frozen=True)
class Reply:
    """A reply to an opening, for all its symmetric cells; values are of the position after it."""

    cell: Cell
    cells: Mask
    label: str
    outcome: Outcome
    remoteness: int
    loses: bool
    """Whether it gives away what the opening left: the opponent wins now and did not before."""
    position: Position


@dataclass(frozen=True)
class Opening:
    """A first move, for all its symmetric cells, and the replies to it; values are of the position after it."""

    cell: Cell
    cells: Mask
    label: str
    outcome: Outcome
    remoteness: int
    replies: tuple[Reply, ...]
    position: Position

    @cached_property
    def holding(self) -> tuple[Reply, ...]:
        """The replies that keep what the opening left."""
        return tuple(reply for reply in self.replies if not reply.loses)


@dataclass(frozen=True)
class OpeningTheory:
    """All first moves and replies of a board, or of a position."""

    start: Position
    outcome: Outcome
    remoteness: int
    openings: tuple[Opening, ...]

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @cached_property
    def replies(self) -> int:
        """The number of replies up to symmetry."""
        return sum(len(opening.replies) for opening in self.openings)

    @cached_property
    def losing_replies(self) -> int:
        """How many of the replies lose what the opening had left."""
        return sum(reply.loses for opening in self.openings for reply in opening.replies)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell, with its kind where the board has corner, edge and centre."""
        kind = cell_kind(self.board, cell)
        return cell_name(self.board, cell) + (f" ({kind})" if kind else "")

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """One sentence about the openings and one about the replies to each."""
        best = [o for o in self.openings if o.outcome == self.outcome]
        verdict = {"X": "X wins", "O": "O wins", "draw": "the game is a draw"}[self.outcome]
        names = listed([self.name(o.cell) for o in best], "or")
        if len(best) == len(self.openings):
            head = f"With best play {verdict}, after any first move."
        else:
            head = f"With best play {verdict}; the first moves that keep this are {names}."
        return (head, *(self._about(opening) for opening in self.openings))

    def _about(self, opening: Opening) -> str:
        after, answerer = self.name(opening.cell), opponent(self.start.to_move)
        if not opening.replies:
            return f"After {after} the game is over."
        if opening.outcome == self.start.to_move:
            longest = max(reply.remoteness for reply in opening.replies)
            last = [self.name(r.cell) for r in opening.replies if r.remoteness == longest]
            return f"After {after} {answerer} is lost; {listed(last, 'or')} holds out longest, {longest} more plies."
        good = [self.name(reply.cell) for reply in opening.holding]
        goal = "win" if opening.outcome == answerer else "hold"
        if len(good) == len(opening.replies):
            return f"After {after} every reply {goal}s."
        lost = len(opening.replies) - len(good)
        verb = f"{goal}s" if len(good) == 1 else goal
        only = "only " if len(good) == 1 else ""
        give = "loses" if opening.outcome == "draw" else "gives it away"
        give = give if lost == 1 else {"loses": "lose", "gives it away": "give it away"}[give]
        return f"After {after} {only}{listed(good)} {verb}; the other {_count(lost)} {give}."

    def as_dict(self) -> dict[str, object]:
        """Return the theory for JSON; `cells` are all symmetric cells, `class` the canonical position."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "outcome": self.outcome,
            "remoteness": self.remoteness,
            "openings": [
                {**self._as_dict(o), "replies": [{**self._as_dict(r), "loses": r.loses} for r in o.replies]}
                for o in self.openings
            ],
            "advice": list(self.advice),
        }

    def _as_dict(self, move: Opening | Reply) -> dict[str, object]:
        canonical = Position(self.board, *self.board.group().canonical(move.position.x, move.position.o))
        return {
            "cell": cell_name(self.board, move.cell),
            "cells": [cell_name(self.board, cell) for cell in cells_of(move.cells)],
            "label": move.label,
            "outcome": move.outcome,
            "remoteness": move.remoteness,
            "class": str(canonical),
        }


def openings(board: Board | str, position: Position | str | None = None) -> OpeningTheory:
    """Return the first moves up to symmetry, from a position or the empty board, and the replies to each.

    Values are under best play, under misere by the misere rule. Raises InvalidPosition as `explain` does, and
    BudgetError where no engine has the values.

    >>> theory = openings("3x3")
    >>> len(theory.openings), theory.replies, theory.losing_replies
    (3, 12, 7)
    """
    start = unfinished(board, position)
    values = values_for(start)
    found = tuple(_opening(values, start.to_move, start.play(cell), cell, cells) for cell, cells in move_classes(start))
    return OpeningTheory(start, values.outcome(start.x, start.o), values.remoteness(start.x, start.o), found)


def _opening(values: Values, player: Player, after: Position, cell: Cell, cells: Mask) -> Opening:
    outcome = values.outcome(after.x, after.o)
    replies = []
    for reply, places in [] if after.is_terminal else move_classes(after):
        then = after.play(reply)
        result = values.outcome(then.x, then.o)
        decided = values.decided(then.x, then.o)
        away = values.remoteness(then.x, then.o)
        loses = result != outcome
        replies.append(Reply(reply, places, label(result, decided), result, away, loses, then))
    decided = values.decided(after.x, after.o)
    away = values.remoteness(after.x, after.o)
    return Opening(cell, cells, label(outcome, decided), outcome, away, tuple(replies), after)


def _count(number: int) -> str:
    words = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return words[number] if number < len(words) else str(number)
