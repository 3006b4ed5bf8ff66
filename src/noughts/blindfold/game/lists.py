"""Blindfold play in silence: the calls form a list, and the player is told nothing until the game is over.

The player knows the list so far and no more. Which of the called cells became the player's marks depends on the
opponent; each called cell that did not was the opponent's when it was called. Two lists so far are merged when the
same cells are called and the same sets of own marks are possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from noughts.blindfold.game.beliefs import Families
from noughts.blindfold.game.calls import NO_CELL, Answer, Call
from noughts.blindfold.game.rules import BlindRules
from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board

__all__ = ["ListGame", "Listed"]


class Listed(NamedTuple):
    """What matters of the list so far: the cells called, and which sets of own marks are possible (sorted).

    `opening` is X's first mark where a blind O is told of it; it is not called.
    """

    called: Mask
    owns: tuple[Mask, ...]
    opening: Mask = 0


class ListGame:
    """The game tree of a blind player who hears nothing, merged as `Listed` says."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        self.board = board
        self.rules = rules
        self.families = Families(board)
        self._calls: dict[Listed, tuple[Call[Listed], ...]] = {}

    def start(self) -> Call[Listed]:
        """Return what can happen before the blind player's first call."""
        if self.rules.blind == "X":
            return Call(NO_CELL, False, False, False, ((Answer("start"), Listed(0, (0,))),))
        misere, full = self.board.misere, self.board.cells == 1
        ends = [self.families.has_line(1 << cell) for cell in range(self.board.cells)]
        going = [1 << cell for cell, over in enumerate(ends) if not over and not full]
        branches: tuple[tuple[Answer, Listed], ...]
        if self.rules.opening_told:
            branches = tuple((Answer("opening", cell), Listed(0, (0,), cell)) for cell in going)
        else:
            branches = ((Answer("start"), Listed(0, (0,))),) if going else ()
        return Call(NO_CELL, any(ends) and misere, full and not any(ends), any(ends) and not misere, branches)

    def hidden(self, state: Listed, own: Mask) -> int:
        """Return how many marks the opponent has if `own` are the player's."""
        turns = state.called.bit_count() if self.rules.loses_turn else own.bit_count()
        return turns + self.rules.lead

    def calls(self, state: Listed) -> tuple[Call[Listed], ...]:
        """Return what can happen on each next entry of the list."""
        found = self._calls.get(state)
        if found is None:
            found = self._calls[state] = tuple(self.each_call(state))
        return found

    def each_call(self, state: Listed) -> Iterator[Call[Listed]]:
        """Yield the same one by one, worked out as they are asked for and not remembered."""
        cells = cells_of(self.board.full & ~(state.called | state.opening))
        return (self._call(state, cell) for cell in cells)

    def _call(self, state: Listed, cell: int) -> Call[Listed]:
        results = [result for own in state.owns for result in self._results(state, own, 1 << cell)]
        owns = sorted({own for own, _, _, _ in results if own is not None})
        branches: Iterable[tuple[Answer, Listed]] = ()
        if owns:
            branches = ((Answer("next"), Listed(state.called | 1 << cell, tuple(owns), state.opening)),)
        wins, draws, loses = (any(result[i] for result in results) for i in (1, 2, 3))
        return Call(cell, wins, draws, loses, tuple(branches))

    def _results(self, state: Listed, own: Mask, cell: Mask) -> list[tuple[Mask | None, bool, bool, bool]]:
        """Return, for the cell blank and taken, the own marks if play goes on, and the outcomes if it can end."""
        misere, families = self.board.misere, self.families
        known, hidden = state.called & ~own | state.opening, self.hidden(state, own)
        found: list[tuple[Mask | None, bool, bool, bool]] = []
        if families.exists(own | cell, known, hidden):
            if families.has_line(own | cell):
                found.append((None, not misere, False, misere))
            elif own.bit_count() + 1 + hidden == self.board.cells:
                found.append((None, False, True, False))
            else:
                found.append(self._reply(own | cell, known, hidden))
        if families.exists(own, known | cell, hidden):
            going = (own, False, False, False)
            found.append(self._reply(own, known | cell, hidden) if self.rules.loses_turn else going)
        return found

    def _reply(self, own: Mask, known: Mask, hidden: int) -> tuple[Mask | None, bool, bool, bool]:
        misere, completes = self.board.misere, self.families.can_complete(own, known, hidden)
        lasts = self.families.exists(own, known, hidden + 1)
        full = own.bit_count() + hidden + 1 == self.board.cells
        return (own if lasts and not full else None, completes and misere, lasts and full, completes and not misere)
