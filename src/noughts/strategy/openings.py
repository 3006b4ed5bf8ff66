"""Opening theory: first moves up to symmetry, the replies to each, their values, and the advice that follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import short
from noughts.domain.position import Outcome, Position
from noughts.solving.solution import MoveValue, Solution
from noughts.strategy.explain import label_of, unfinished, value_of
from noughts.strategy.openingadvice import advice, summary
from noughts.strategy.quality import quality
from noughts.strategy.replies import FirstMoves, Opening, Reply, ValuedMove
from noughts.strategy.solutions import solution_for

__all__ = ["OpeningTheory", "move_classes", "openings"]


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
    return [(next(cells_of(cells)), cells) for cells in found.values()]


@dataclass(frozen=True, repr=False)
class OpeningTheory(FirstMoves):
    """All first moves and replies of a board, or of a position. What the `engine` did not find is None."""

    engine: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        many = f"{len(self.openings)} first moves, {self.replies} replies"
        return f"<OpeningTheory of {short(self.start)} on {short(self.board)}: {many}>"

    @cached_property
    def summary(self) -> str:
        """How many first moves and replies there are, and how many of the replies lose or give up a win."""
        return summary(self)

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """One sentence about the openings and one about the replies to each."""
        return advice(self)

    def as_dict(self) -> dict[str, object]:
        """Return the theory for JSON; `cells` are all symmetric cells, `class` the canonical position."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "outcome": self.outcome,
            "remoteness": self.remoteness,
            "openings": [
                {**self._as_dict(opening), "replies": [self._as_dict(reply) for reply in opening.replies]}
                for opening in self.openings
            ],
            "advice": list(self.advice),
        }

    def _as_dict(self, move: ValuedMove) -> dict[str, object]:
        canonical = Position(self.board, *self.board.group().canonical(move.position.x, move.position.o))
        return {
            "cell": cell_name(self.board, move.cell),
            "cells": [cell_name(self.board, cell) for cell in cells_of(move.cells)],
            "label": move.label,
            "outcome": move.outcome,
            "remoteness": move.remoteness,
            "class": str(canonical),
            "loses": move.loses,
            "gives_up_win": move.gives_up_win,
        }


def openings(board: Board | str, start: Position | str | None = None) -> OpeningTheory:
    """Return the first moves up to symmetry, from a position or the empty board, and the replies to each.

    Values are under best play, under misere by the misere rule. A reply loses where the position before it was not lost
    for the player who makes it and the position after it is. Raises InvalidPosition as `explain` does. On boards too
    large for tables a search gives the values; what it does not find is None.

    >>> theory = openings("3x3")
    >>> len(theory.openings), theory.replies, theory.losing_replies
    (3, 12, 7)
    """
    at = unfinished(board, start)
    solution = solution_for(at)
    outcome, remoteness = value_of(solution, at)
    after = {move.cell: move for move in solution.moves(at)}
    if outcome is None and any(move.outcome == at.to_move for move in after.values()):
        outcome = at.to_move
    found = tuple(_opening(solution, at, outcome, after[cell], cells) for cell, cells in move_classes(at))
    return OpeningTheory(at, outcome, remoteness, found, solution.engine)


def _opening(solution: Solution, before: Position, value: Outcome | None, move: MoveValue, cells: Mask) -> Opening:
    opening, replies = _valued(solution, before, value, move, cells), []
    if not opening.position.is_terminal:
        after = {reply.cell: reply for reply in solution.moves(opening.position)}
        for cell, places in move_classes(opening.position):
            reply = _valued(solution, opening.position, move.outcome, after[cell], places)
            replies.append(Reply(**vars(reply)))
    return Opening(**vars(opening), replies=tuple(replies))


def _valued(solution: Solution, before: Position, value: Outcome | None, move: MoveValue, cells: Mask) -> ValuedMove:
    after = before.play(move.cell)
    word, does = label_of(solution, after, move.outcome), quality(before.to_move, value, move.outcome)
    return ValuedMove(move.cell, cells, word, move.outcome, move.remoteness, does, after)
