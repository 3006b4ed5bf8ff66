"""Solutions that look for values when they are asked: what all of them have in common.

They value one position at a time, within a budget, keep what they have found, and say nothing of the rest.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

from noughts.machine.budget import is_over
from noughts.rules.board import Board
from noughts.rules.marks import Cell, cells_of, opponent
from noughts.rules.position import Position
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Evaluation, MoveValue, Solution

__all__ = ["Round", "SeekingSolution"]

GROUP_LIMIT = 200
"""Moves that a symmetry exchanges are valued once where the board has at most so many."""

Marks = tuple[int, int]


class Round(NamedTuple):
    """A turn in which every move still open is looked at: what each may cost, and at what is `spent` it is over."""

    each: int | None
    stop: int | None = None


class SeekingSolution(Solution):
    """Values found when they are asked for, within a budget; `nodes` counts what was opened for them."""

    def __init__(self, board: Board, start: Position | None, budget: SearchBudget) -> None:
        super().__init__(board, start)
        vars(self).update(_budget=budget, _known={})

    _budget: SearchBudget
    _known: dict[Marks, Evaluation]
    _left_behind: tuple[str, ...] = ()
    """The attributes that a copy makes anew: tables of the searches, and whoever watches."""

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self._budget)

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found, without the tables of the searches."""
        return {name: value for name, value in vars(self).items() if name not in self._left_behind}

    @property
    def spent(self) -> int:
        """What the searches have cost so far, in what the budget is counted in."""
        return self.nodes

    @abstractmethod
    def _seek(
        self, position: Position, limit: int | None, deadline: float | None, before: Evaluation | None = None
    ) -> Evaluation | None:
        """Return the evaluation of an open position, None after so many nodes or the deadline.

        `before` is that of the position from which a move led here, where it is known.
        """

    @abstractmethod
    def _rounds(self, position: Position, *, settled: bool) -> Iterator[Round]:
        """Yield what the moves of a position may cost, round by round; `settled` says that its own value is known."""

    def told(self, position: Position, evaluation: Evaluation) -> None:
        """Take the evaluation of an open position from somebody who knows it."""
        self._known[position.x, position.o] = evaluation

    def _known_before(self, position: Position, deadline: float | None) -> Evaluation | None:
        """Return the evaluation of a position whose moves are asked for, where it is had at little cost."""
        return self._known.get((position.x, position.o))

    def _winning_move(self, position: Position) -> Cell | None:
        """Return a move that wins a position, which the side to move wins, where it is had at little cost."""
        return None

    def moves(self, position: str | Position | None = None) -> tuple[MoveValue, ...]:
        """Return every move with its value for the mover, best first; None where the budget or the time ran out.

        Moves that a symmetry of the position exchanges are valued once.
        """
        at = self._position(position)
        if at.outcome is not None:
            return ()
        deadline = self._budget.until()
        before = self._known_before(at, deadline)
        found = {cell: self._seen(at, cell, before) for cell in cells_of(at.blanks)}
        alike: dict[Marks, list[Cell]] = {}
        for cell in [cell for cell in self._by_promise(at) if found[cell] is None]:
            alike.setdefault(self._class(at.play(cell)), []).append(cell)
        if alike and before is not None and before.outcome == at.to_move:
            winning = self._winning_move(at)
            won = [] if winning is None else alike.pop(self._class(at.play(winning)), [])
            found.update(dict.fromkeys(won, Evaluation(at.to_move, None, "known from the position before")))
        for one, stop in self._rounds(at, settled=before is not None) if alike else ():
            for key, cells in list(alike.items()):
                if is_over(deadline) or (stop is not None and self.spent >= stop):
                    break
                left = None if stop is None else stop - self.spent
                most = min((bound for bound in (one, left) if bound is not None), default=None)
                value = self._seek(at.play(cells[0]), most, deadline, before)
                if value is not None:
                    found.update(dict.fromkeys(cells, value))
                    del alike[key]
            if not alike or is_over(deadline):
                break
        return self._sorted_moves(at.to_move, list(found.items()))

    def _seen(self, position: Position, cell: Cell, before: Evaluation | None) -> Evaluation | None:
        """Return what a move leads to where that is seen without a search."""
        child = position.play(cell)
        if child.is_terminal:
            return self.evaluate(child)
        if before is not None and before.outcome == opponent(position.to_move):
            return Evaluation(before.outcome, None, "every move loses")
        if before is not None and before.outcome == "draw" and position.ply == 0 and not self.board.misere:
            # Else O, to move beside a mark of X that harms O if anything, would win the empty board by moving first.
            drawn = Evaluation("draw", child.blanks.bit_count(), "draw: no first move loses a board that is drawn")
            return self._known.setdefault((child.x, child.o), drawn)
        return None

    def _class(self, position: Position) -> Marks:
        group = self.board.group("board")
        marks = position.x, position.o
        return group.canonical(*marks) if group.order <= GROUP_LIMIT else marks

    def _by_promise(self, position: Position) -> list[Cell]:
        """Return the blanks, those on most live lines first, so that the budget goes to likely moves."""
        lines = [line for line in self.board.line_masks if not (line & position.x and line & position.o)]
        return sorted(cells_of(position.blanks), key=lambda cell: -sum(line >> cell & 1 for line in lines))
