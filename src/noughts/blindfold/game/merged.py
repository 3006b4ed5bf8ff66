"""Blindfold play by what the player knows: the engine of merged states.

Two histories after which the blind player knows the same are one state. What is known is the player's own marks, the
opponent's marks that answers have revealed, how many marks the opponent has, and, where the last move is told and no
reply has followed yet, which of them came last. Why nothing else matters: a history fixes when some of the
opponent's marks were there at the latest (or exactly), and nothing at all about the other ones; so every line-free
set around the known marks is possible, and under random replies equally likely. See docs/explanation/blindfold.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from noughts.blindfold.game.beliefs import Families
from noughts.blindfold.game.calls import NO_CELL, Answer, Call
from noughts.blindfold.game.rules import BlindRules
from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board

__all__ = ["Knowledge", "MergedGame"]


class Knowledge(NamedTuple):
    """What the blind player knows at a call.

    `own` marks, `known` marks of the opponent, `hidden` the number of all the opponent's marks, and `last` the cell
    of the opponent's last move as a set (empty where it is not known to be the last).
    """

    own: Mask
    known: Mask
    hidden: int
    last: Mask = 0


class MergedGame:
    """The game tree of the blind player, merged by knowledge; `told` is `collision`, `last-move` or `all`."""

    def __init__(self, board: Board, rules: BlindRules, families: Families | None = None) -> None:
        self.board = board
        self.rules = rules
        self.families = families or Families(board)
        self._calls: dict[Knowledge, tuple[Call[Knowledge], ...]] = {}

    def start(self) -> Call[Knowledge]:
        """Return what can happen before the blind player's first call."""
        if self.rules.blind != "O":
            return Call(NO_CELL, False, False, False, ((Answer("start"), Knowledge(0, 0, 0)),))
        if not self.rules.opening_told:
            return self._reply(NO_CELL, 0, ((Answer("start"), 0, 0),), 0)
        starts = [self._opening(1 << cell) for cell in range(self.board.cells)]
        branches = tuple(branch for start in starts for branch in start.branches)
        wins, draws, loses = (any(start[i] for start in starts) for i in (1, 2, 3))
        return Call(NO_CELL, wins, draws, loses, branches)

    def _opening(self, cell: Mask) -> Call[Knowledge]:
        if self.families.has_line(cell):
            return Call(NO_CELL, self.board.misere, False, not self.board.misere, ())
        if self.board.cells == 1:
            return Call(NO_CELL, False, True, False, ())
        last = cell if self.rules.told == "last-move" else 0
        return Call(NO_CELL, False, False, False, ((Answer("opening", cell), Knowledge(0, cell, 1, last)),))

    def alike(self, state: Knowledge) -> Knowledge:
        """Return the least image of what is known under the symmetries of the board: as good as it for any goal."""
        images = self.board.group("board").images
        own, known, last = min((image(state.own), image(state.known), image(state.last)) for image in images)
        return Knowledge(own, known, state.hidden, last)

    def calls(self, state: Knowledge) -> tuple[Call[Knowledge], ...]:
        """Return what can happen on each call that the player may make: every cell not known to be taken."""
        found = self._calls.get(state)
        if found is None:
            found = self._calls[state] = tuple(self._call(state, cell) for cell in self._callable(state))
        return found

    def each_call(self, state: Knowledge) -> Iterator[Call[Knowledge]]:
        """Yield the same one by one, worked out as they are asked for and not remembered."""
        return (self._call(state, cell) for cell in self._callable(state))

    def _callable(self, state: Knowledge) -> Iterator[Cell]:
        return cells_of(self.board.full & ~(state.own | state.known))

    def _call(self, state: Knowledge, cell: int) -> Call[Knowledge]:
        wins = draws = loses = False
        branches: list[tuple[Answer, Knowledge]] = []
        for part in self.parts(state, cell):
            wins, draws, loses = wins or part.wins, draws or part.draws, loses or part.loses
            branches += part.branches
        return Call(cell, wins, draws, loses, tuple(branches))

    def parts(self, state: Knowledge, cell: Cell) -> tuple[Call[Knowledge], Call[Knowledge]]:
        """Return what can happen on a call where the cell is free, and where it is taken; nothing where it cannot be.

        Assumes that the game is not over: marks of the opponent that complete a line are no possibility.
        """
        return self._free(state, cell), self._taken(state, cell)

    def _free(self, state: Knowledge, cell: int) -> Call[Knowledge]:
        own = state.own | 1 << cell
        if not self.families.exists(own, state.known, state.hidden):
            return Call(cell, False, False, False, ())
        if self.families.has_line(own):
            return Call(cell, not self.board.misere, False, self.board.misere, ())
        if own.bit_count() + state.hidden == self.board.cells:
            return Call(cell, False, True, False, ())
        return self._reply(cell, own, ((Answer("free"), state.known, 0),), state.hidden)

    def _taken(self, state: Knowledge, cell: int) -> Call[Knowledge]:
        answers = tuple(self.told(state, 1 << cell))
        if self.rules.loses_turn:
            return self._reply(cell, state.own, answers, state.hidden)
        states = tuple((answer, Knowledge(state.own, known, state.hidden, last)) for answer, known, last in answers)
        return Call(cell, False, False, False, states)

    def told(self, state: Knowledge, cell: Mask) -> list[tuple[Answer, Mask, Mask]]:
        """Return the possible answers to a call of a taken cell: the answer, the known marks, the last move."""
        own, known, hidden = state.own, state.known | cell, state.hidden
        if not self.families.exists(own, known, hidden):
            return []
        if self.rules.told == "collision":
            return [(Answer("taken"), known, 0)]
        if self.rules.told == "all":
            return [(Answer("taken", marks), marks, 0) for marks in self.families.members(own, known, hidden)]
        if state.last:
            return [(Answer("taken", state.last), known, state.last)]
        others = (1 << c for c in cells_of(self.board.full & ~(own | known)))
        lasts = [cell, *(other for other in others if self.families.exists(own, known | other, hidden))]
        return [(Answer("taken", last), known | last, last) for last in lasts]

    def _reply(
        self, cell: int, own: Mask, answers: tuple[tuple[Answer, Mask, Mask], ...], hidden: int
    ) -> Call[Knowledge]:
        """Return what can happen when the opponent, who has `hidden` marks, replies after one of the answers."""
        completes = draws = False
        branches = []
        for answer, known, _ in answers:
            completes = completes or self.families.can_complete(own, known, hidden)
            if self.families.exists(own, known, hidden + 1):
                if own.bit_count() + hidden + 1 == self.board.cells:
                    draws = True
                else:
                    branches.append((answer, Knowledge(own, known, hidden + 1)))
        misere = self.board.misere
        return Call(cell, completes and misere, draws, completes and not misere, tuple(branches))
