"""What the opponent can have, against a list of all sets of marks."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from noughts.blindfold.game.beliefs import Families
from noughts.domain.board import Board


@pytest.mark.parametrize("spec", ["3x3", "2x4:2", "3x4:3"])
def test_a_belief_exists_where_the_list_of_all_sets_has_one(spec: str) -> None:
    board, dice = Board.parse(spec), random.Random(spec)
    families = Families(board)
    answers = {True: 0, False: 0}
    for _ in range(300):
        cells = dice.sample(range(board.cells), board.cells)
        barred, known = cells[: dice.randint(0, 4)], cells[4 : 4 + dice.randint(0, 3)]
        size = dice.randint(len(known), board.cells - len(barred))
        others = [cell for cell in cells if cell not in barred and cell not in known]
        expected = any(
            not any(set(line) <= {*known, *more} for line in board.lines)
            for more in combinations(others, size - len(known))
        )
        answers[expected] += 1
        barred_mask, known_mask = (sum(1 << cell for cell in some) for some in (barred, known))
        assert families.exists(barred_mask, known_mask, size) is expected
    assert min(answers.values()) > 30
