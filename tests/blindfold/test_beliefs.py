"""What the opponent can have, against a list of all sets of marks; and that symmetric beliefs are worth the same."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from noughts.blindfold.game.beliefs import Families
from noughts.blindfold.game.merged import MergedGame
from noughts.blindfold.game.rules import Blind, BlindRules, Goal, Told
from noughts.blindfold.pure.analysis import Analysis
from noughts.domain.board import Board
from tests.effort import counted_calls


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


@pytest.mark.parametrize("goal", ["never-lose", "always-win"])
@pytest.mark.parametrize("told", ["collision", "last-move", "all"])
@pytest.mark.parametrize(("spec", "blind"), [("3x3", "X"), ("3x3", "O"), ("2x4:2", "O"), ("3x3+misere", "X")])
def test_one_information_set_of_each_class_tells_of_all(spec: str, blind: Blind, told: Told, goal: Goal) -> None:
    rules = BlindRules(blind=blind, told=told)
    game = MergedGame(Board.parse(spec), rules)
    one_by_one, by_class = Analysis(game, goal), Analysis(game, goal, alike=game.alike)
    assert by_class.is_possible() is one_by_one.is_possible()
    states = random.Random(spec).sample(sorted(one_by_one.reachable()), 60)
    assert [by_class.can(state) for state in states] == [one_by_one.can(state) for state in states]
    assert len(by_class._can) < len(one_by_one._can)
    for state in states:
        assert game.alike(game.alike(state)) == game.alike(state)
        assert game.alike(state).hidden == state.hidden


def test_lines_are_looked_for_where_there_are_marks_only() -> None:
    board = Board.parse("8x8:4")
    families, dice = Families(board), random.Random(8)
    sets = [sum(1 << cell for cell in dice.sample(range(board.cells), size)) for size in range(0, 40, 2)]
    with counted_calls() as effort:
        found = [families.has_line(marks) for marks in sets]
    assert found == [any(marks & line == line for line in board.line_masks) for marks in sets]
    assert True in found
    assert effort.calls < 2 * len(sets) + 10
