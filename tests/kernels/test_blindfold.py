"""Tables over the pairs of marks, against merged states in plain Python and against the definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from noughts.blindfold.beliefs import MergedGame
from noughts.blindfold.game import BlindRules
from noughts.blindfold.pure import Chances
from noughts.blindfold.tables import TableAnalysis, TableChances, Tables
from noughts.kernels.blindfold import fill_counts
from noughts.rules.board import Board
from tests.blindfold.test_engines import RULES, analysis_of, compare_with_tables

BOARDS = ["2x2:2", "2x2:2+misere", "1x4:2", "1x5:1", "2x2:3"]


@pytest.mark.parametrize("spec", [*BOARDS, "2x3:2", "1x6:3"])
def test_plans_and_chances(spec: str) -> None:
    compare_with_tables(spec)


@pytest.mark.parametrize("spec", BOARDS)
def test_sets_between(spec: str) -> None:
    board = Board.parse(spec)
    tables = Tables(board, BlindRules())
    counts = [np.empty(3**board.cells, np.int32) for _ in range(board.cells + 1)]
    for size, found in enumerate(counts):
        fill_counts(size, tables.pairs, found)
    free = [mask for mask in range(1 << board.cells) if not board.has_line(mask)]
    for digits in product(range(3), repeat=board.cells):
        barred, known = (sum(1 << cell for cell, digit in enumerate(digits) if digit == kind) for kind in (1, 2))
        number = sum(digit * 3**cell for cell, digit in enumerate(digits))
        between = [mask.bit_count() for mask in free if mask & known == known and not mask & barred]
        assert [int(found[number]) for found in counts] == [between.count(size) for size in range(board.cells + 1)]
        assert tables.largest[number] == (-1 if board.has_line(known) else max(between))


@pytest.mark.parametrize("spec", ["2x2:2", "2x3:2", "2x3:3", "1x5:2", "1x6:3", "2x3:2+misere"])
def test_fewest_places_and_chances_from_every_pair(spec: str) -> None:
    """Those of all that a player can come to know, not only of what the best calls lead to."""
    board, told = Board.parse(spec), set()
    for rules in (rules for rules in RULES if rules.told == "collision"):
        for goal in ("never-lose", "always-win"):
            fast, slow = TableAnalysis(Tables(board, rules), goal), analysis_of(board, rules, goal)
            for state in slow.reachable(good_only=False):
                places = slow.smallest(state) if slow.can(state) else 0
                assert fast.smallest(state) == places
                told.add(places)
            if not board.misere:
                assert isinstance(slow.game, MergedGame)
                chances, table = Chances(slow.game, None), TableChances(fast, good_only=False)
                assert all(table.mass(state) == chances.mass(state) for state in slow.reachable(good_only=False))
    assert len(told) > 1
