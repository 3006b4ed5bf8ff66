"""Guarantees on boards too large for Python: tables over all pairs of marks, filled by compiled kernels.

They use the model of `MergedGame` with feedback `collision`, on up to 18 cells. A table has 3^cells entries: 4x4 needs
about 270 MB and a few seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np

from noughts.blindfold.beliefs import Families, InfoSet, MergedGame
from noughts.blindfold.game import BlindRules, Goal
from noughts.blindfold.pure import Analysis, Chances
from noughts.kernels.blindfold import (
    Pairs,
    PlanRules,
    Plans,
    Sets,
    count_canonical,
    fill_counts,
    fill_largest,
    fill_masses,
    fill_places,
    mark_reachable,
)
from noughts.rules.board import Board
from noughts.rules.marks import Mask

__all__ = ["TableAnalysis", "TableChances", "TableFamilies", "Tables"]

Array = np.ndarray[Any, Any]


class TableFamilies(Families):
    """Families whose largest sizes come from a table."""

    def __init__(self, board: Board, ternary: Array, largest_table: Array) -> None:
        super().__init__(board)
        self._ternary = ternary.tolist()
        self._table = largest_table

    def exists(self, barred: Mask, known: Mask, size: int) -> bool:
        """Return whether the opponent can have `size` marks and no line, with all of `known` and none of `barred`."""
        return known.bit_count() <= size <= int(self._table[self._ternary[barred] + 2 * self._ternary[known]])


class Tables:
    """The arrays that all goals on one board share; see the kernels for their contents."""

    def __init__(self, board: Board, rules: BlindRules) -> None:
        cells = board.cells
        self.board, self.rules = board, rules
        powers = 3 ** np.arange(cells + 1, dtype=np.int64)
        masks = np.arange(1 << cells, dtype=np.int64)
        bits = masks[:, None] >> np.arange(cells) & 1
        ternary, sizes = bits @ powers[:cells], bits.sum(axis=1)
        lines = np.array(board.line_masks, dtype=np.int64)
        free = np.ones(1 << cells, dtype=np.bool_)
        for line in lines:
            free &= masks & line != line
        half = cells - cells // 2
        digits = np.arange(3**half, dtype=np.int64)[:, None] // 3 ** np.arange(half) % 3
        weights = 1 << np.arange(half, dtype=np.int64)
        halves = np.array([(digits == 1) @ weights, (digits == 2) @ weights])
        self.pairs = Pairs(cells, halves, powers, Sets(lines, ternary, sizes, free))
        self.largest = np.empty(3**cells, dtype=np.int8)
        fill_largest(self.pairs, self.largest)
        self.threats = np.zeros(3**cells, dtype=np.int8)

    def rules_for(self, goal: Goal) -> PlanRules:
        """Return the rules and a goal in the form of the kernels."""
        loses, misere = self.rules.loses_turn, not self.board.rules.line_wins
        lead = 0 if self.rules.opening_told and loses else self.rules.lead  # the opening is known, and no collision
        return PlanRules(self.board.cells, lead, int(loses), int(misere), int(goal == "always-win"))

    def game(self) -> MergedGame:
        """Return the merged game with families from the tables."""
        return MergedGame(self.board, self.rules, TableFamilies(self.board, self.pairs.sets.ternary, self.largest))

    def number(self, state: InfoSet) -> int:
        """Return the number of a state's pair of marks."""
        return int(self.pairs.sets.ternary[state.own] + 2 * self.pairs.sets.ternary[state.known])


class TableAnalysis(Analysis[InfoSet]):
    """An `Analysis` with results from a table."""

    def __init__(self, tables: Tables, goal: Goal = "never-lose") -> None:
        super().__init__(tables.game(), goal)
        self.tables, self.rules = tables, tables.rules_for(goal)
        self.plan_tables = Plans(tables.largest, tables.threats, np.zeros(tables.largest.shape, dtype=np.int32))
        fill_places(tables.pairs, self.rules, self.plan_tables)

    def can(self, state: InfoSet) -> bool:
        """Return whether some call guarantees the goal."""
        return self.smallest(state) > 0

    def smallest(self, state: InfoSet) -> int:
        """Return the fewest places of a plan for the goal from here; 0 without such a plan."""
        return int(self.plan_tables.places[self.tables.number(state)])

    def sets(self, *, good_only: bool) -> tuple[int, int]:
        """Return the number of reachable pairs, labelled and up to symmetry; with `good_only` those of good calls."""
        if good_only and not self.is_possible():
            return 0, 0
        t, group = self.tables, self.tables.board.group()
        starts = {state for _, state in self.root.branches}
        found, reached = self._reached(starts, good_only=good_only)
        alike = {InfoSet(image(own), image(known), *rest) for own, known, *rest in starts for image in group.images}
        if alike != starts:
            _, reached = self._reached(alike, good_only=good_only)
        bits = np.arange(1 << t.board.cells, dtype=np.int64)[:, None] >> np.arange(t.board.cells) & 1
        images = np.array([bits @ t.pairs.powers[list(element)] for element in group.elements])
        return found, int(count_canonical(t.pairs, images, reached))

    def _reached(self, starts: Iterable[InfoSet], *, good_only: bool) -> tuple[int, Array]:
        """Return how many pairs calls reach from these states, and the table that marks them."""
        reached = np.zeros(self.tables.largest.shape, dtype=np.uint8)
        reached[[self.tables.number(state) for state in starts]] = 1
        found = mark_reachable(good_only, self.tables.pairs, self.rules, self.plan_tables, reached)
        return int(found), reached

    def by_size(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Return by the numbers of own and of known marks the information sets, and those with a good call."""
        _, reached = self._reached([state for _, state in self.root.branches], good_only=False)
        half, cells = self.tables.pairs.halves.shape[1], self.tables.board.cells + 1
        marks = np.bitwise_count(self.tables.pairs.halves).astype(np.int64)
        sizes = marks[0] * cells + marks[1]
        found = np.zeros((2, cells * cells), dtype=np.int64)
        good = self.plan_tables.places > 0
        for row, first in enumerate(range(0, len(reached), half)):
            part = reached[first : first + half] != 0
            for counts, counted in zip(found, (part, part & good[first : first + half]), strict=True):
                counts += np.bincount(sizes[counted] + sizes[row], minlength=cells * cells)
        return {divmod(int(at), cells): (int(found[0, at]), int(found[1, at])) for at in np.flatnonzero(found[0])}


class TableChances(Chances):
    """Largest chances to win against random replies, from a table; not for misere boards."""

    def __init__(self, analysis: TableAnalysis, *, good_only: bool) -> None:
        assert isinstance(analysis.game, MergedGame)
        super().__init__(analysis.game, analysis if good_only else None)
        t = analysis.tables
        counts = np.zeros(t.largest.shape, dtype=np.int32)
        self._tables, self._table = t, np.zeros(t.largest.shape, dtype=np.int64)
        for size in range(t.board.cells, -1, -1):
            fill_counts(size, t.pairs, counts)
            fill_masses(size, good_only, t.pairs, analysis.rules, analysis.plan_tables, counts, self._table)

    def mass(self, state: InfoSet) -> Fraction:
        """Return the largest chance to win, summed over the opponent's possible sets of marks."""
        blanks = self.game.board.cells - state.own.bit_count() - state.hidden
        return Fraction(int(self._table[self._tables.number(state)]), factorial(blanks))
