"""Opening theory: first moves up to symmetry, the replies to each, their values, and the advice that follows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import short
from noughts.domain.position import Outcome, Position, opponent
from noughts.solving.solution import MoveValue, Solution
from noughts.strategy.explain import label_of, unfinished, value_of
from noughts.strategy.sentences import listed
from noughts.strategy.solutions import solution_for

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


@dataclass(frozen=True, repr=False)
class Reply:
    """A reply to an opening, for all its symmetric cells; values are of the position after it."""

    cell: Cell
    cells: Mask
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    loses: bool | None
    """Whether it gives away what the opening left: the outcome is worse for the player who replies."""
    position: Position

    def __repr__(self) -> str:
        return f"<Reply {cell_name(self.position.board, self.cell)}: {self.label or 'not found'}>"


@dataclass(frozen=True, repr=False)
class Opening:
    """A first move, for all its symmetric cells, and the replies to it; values are of the position after it."""

    cell: Cell
    cells: Mask
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    replies: tuple[Reply, ...]
    position: Position

    def __repr__(self) -> str:
        name = cell_name(self.position.board, self.cell)
        return f"<Opening {name}: {self.label or 'not found'}, {len(self.replies)} replies>"

    @cached_property
    def holding(self) -> tuple[Reply, ...]:
        """The replies that keep what the opening left."""
        return tuple(reply for reply in self.replies if reply.loses is False)


@dataclass(frozen=True, repr=False)
class OpeningTheory:
    """All first moves and replies of a board, or of a position. What the engine did not find is None."""

    start: Position
    outcome: Outcome | None
    remoteness: int | None
    openings: tuple[Opening, ...]

    def __repr__(self) -> str:
        many = f"{len(self.openings)} first moves, {self.replies} replies"
        return f"<OpeningTheory of {short(self.start)} on {short(self.board)}: {many}>"

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
        return sum(reply.loses is True for opening in self.openings for reply in opening.replies)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell, with its kind where the board has corner, edge and centre."""
        kind = cell_kind(self.board, cell)
        return cell_name(self.board, cell) + (f" ({kind})" if kind else "")

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """One sentence about the openings and one about the replies to each."""
        if self.outcome is None:
            return ("Who wins with best play was not found.", *(self._about(opening) for opening in self.openings))
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
        if opening.outcome is None:
            return f"What {after} is worth was not found."
        if opening.outcome == self.start.to_move:
            return f"After {after} {answerer} is lost{self._longest(opening)}."
        good = [self.name(reply.cell) for reply in opening.holding]
        goal = "win" if opening.outcome == answerer else "hold"
        if len(good) == len(opening.replies):
            return f"After {after} every reply {goal}s."
        lost = sum(reply.loses is True for reply in opening.replies)
        verb = f"{goal}s" if len(good) == 1 else goal
        only = "only " if len(good) == 1 and lost == len(opening.replies) - 1 else ""
        give = "lose" if opening.outcome == "draw" else "give it away"
        if lost == 1:
            give = give.replace("lose", "loses").replace("give ", "gives ")
        other = "the other " if len(good) + lost == len(opening.replies) else ""
        tail = "" if not lost else f"; {other}{_count(lost)} {give}"
        unknown = len(opening.replies) - len(good) - lost
        more = f"; of {_count(unknown)} it was not found" if unknown else ""
        return f"After {after} {only}{listed(good)} {verb}{tail}{more}." if good else f"After {after}{tail[1:]}{more}."

    def _longest(self, opening: Opening) -> str:
        """Say which reply holds out longest, where the plies are known."""
        plies = [reply.remoteness for reply in opening.replies if reply.remoteness is not None]
        if len(plies) < len(opening.replies):
            return ""
        last = [self.name(r.cell) for r in opening.replies if r.remoteness == max(plies)]
        if len(last) == len(opening.replies):
            return ""
        return f"; {listed(last, 'or')} {'holds' if len(last) == 1 else 'hold'} out longest, {max(plies)} more plies"

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


def openings(board: Board | str, start: Position | str | None = None) -> OpeningTheory:
    """Return the first moves up to symmetry, from a position or the empty board, and the replies to each.

    Values are under best play, under misere by the misere rule. Raises InvalidPosition as `explain` does. On boards too
    large for tables a search gives the values; what it does not find is None.

    >>> theory = openings("3x3")
    >>> len(theory.openings), theory.replies, theory.losing_replies
    (3, 12, 7)
    """
    at = unfinished(board, start)
    solution = solution_for(at)
    outcome, remoteness = value_of(solution, at)
    after = {move.cell: move for move in solution.moves(at)}
    found = tuple(_opening(solution, at, after[cell], cells) for cell, cells in move_classes(at))
    return OpeningTheory(at, outcome, remoteness, found)


def _opening(solution: Solution, before: Position, move: MoveValue, cells: Mask) -> Opening:
    position = before.play(move.cell)
    replies = []
    if not position.is_terminal:
        after = {reply.cell: reply for reply in solution.moves(position)}
        replies = [_reply(solution, position, after[cell], places, move) for cell, places in move_classes(position)]
    word = label_of(solution, position, move.outcome)
    return Opening(move.cell, cells, word, move.outcome, move.remoteness, tuple(replies), position)


def _reply(solution: Solution, before: Position, reply: MoveValue, places: Mask, opening: MoveValue) -> Reply:
    then = before.play(reply.cell)
    loses = None if None in (reply.outcome, opening.outcome) else reply.outcome != opening.outcome
    word = label_of(solution, then, reply.outcome)
    return Reply(reply.cell, places, word, reply.outcome, reply.remoteness, loses, then)


def _count(number: int) -> str:
    words = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return words[number] if number < len(words) else str(number)
