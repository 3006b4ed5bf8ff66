"""Which first calls make sure of the win and which only never lose, and every part that may be asked for.

A call makes sure of the win where the largest chance to win against random replies is one: another engine's finding.
"""

from __future__ import annotations

import pytest

from noughts.blindfold.answer import PARTS
from noughts.blindfold.api import solve_blindfold
from noughts.blindfold.certificates.judge import judge
from noughts.blindfold.game.rules import GOALS, BlindRules
from noughts.domain.errors import BudgetError

RULES = {
    "X": BlindRules(),
    "O": BlindRules("O"),
    "silent": BlindRules(told="nothing"),
    "silent O": BlindRules("O", told="nothing"),
    "costly": BlindRules(collision="lose-turn"),
    "all told": BlindRules("O", told="all"),
}
BOARDS = ("1x3:2", "1x3:2+misere", "1x4:2", "1x4:2+misere", "2x2:2", "2x3:2", "1x5:3", "1x6:3+misere")


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("board", BOARDS)
def test_a_call_makes_sure_of_the_win_where_its_best_chance_is_one(board, name):
    found = solve_blindfold(board, RULES[name])
    often, safe = found.win_probability["any"], found.safe_first_calls
    assert often is not None
    assert safe is not None
    assert found.winning_first_calls == tuple(sorted(cell for cell, chance in often.items() if chance == 1))
    assert bool(found.winning_first_calls) == found.always_win
    assert set(found.winning_first_calls) <= set(safe)
    for goal in GOALS:
        assert solve_blindfold(board, RULES[name], goal).winning_first_calls == found.winning_first_calls


def test_some_first_calls_only_never_lose():
    found = solve_blindfold("1x3:2+misere", BlindRules("O"))
    assert found.safe_first_calls == (0, 1, 2)
    assert found.winning_first_calls == (0, 2)
    assert found.as_dict()["winning_first_calls"] == ["a1", "c1"]
    for cell in (0, 1, 2):
        shown = solve_blindfold("1x3:2+misere", BlindRules("O"), "always-win", first=cell).strategy
        assert (shown is not None) == (cell in found.winning_first_calls)
        assert shown is None or judge(shown).holds


@pytest.mark.parametrize("board", ["1x3:2+misere", "1x4:2+misere", "1x5:3", "1x3:1"])
def test_where_the_opening_is_told_they_win_after_every_other(board):
    found = solve_blindfold(board, BlindRules("O", True))
    assert found.openings is not None
    assert found.winning_first_calls is not None
    each = {cell: {*(one.winning_first_calls or ()), cell} for cell, one in found.openings.items()}
    for opening, one in found.openings.items():
        asked = solve_blindfold(board, BlindRules("O", True), "always-win", opening=opening)
        assert one.winning_first_calls == asked.safe_first_calls == asked.winning_first_calls
    assert set(found.winning_first_calls) == (set.intersection(*each.values()) if found.always_win else set())


def test_a_search_without_end_leaves_them_open(monkeypatch):
    from noughts.blindfold import inquiry

    first_calls = inquiry.Inquiry.first_calls

    def ends_not(self, analysis):
        if analysis.goal == "always-win":
            raise BudgetError("the search came to no end")
        return first_calls(self, analysis)

    monkeypatch.setattr(inquiry.Inquiry, "first_calls", ends_not)
    found = solve_blindfold("1x3:2")
    assert (found.always_win, found.winning_first_calls, found.safe_first_calls) == (True, None, (0, 1, 2))
    assert found.as_dict()["winning_first_calls"] is None


@pytest.mark.parametrize("parts", [*((part,) for part in PARTS), PARTS], ids=lambda parts: "+".join(parts)[:20])
@pytest.mark.parametrize("name", RULES)
def test_every_part_can_be_asked_for(name, parts):
    found = solve_blindfold("2x2:2", RULES[name], parts=parts)
    for part in parts:
        assert getattr(found, part) is not None
        assert part not in found.left_out


@pytest.mark.parametrize(
    ("board", "rules", "other"),
    [
        ("2x4:3", BlindRules(told="nothing"), "2x3:3"),
        ("2x5:3", BlindRules(told="nothing", collision="lose-turn"), "3x3"),
        ("2x5:3", BlindRules(told="all"), "3x3"),
        ("2x5:3", BlindRules("O", True), "3x3"),
        ("2x5:3+misere", BlindRules(), "3x3"),
    ],
)
def test_chances_that_are_refused_name_a_board_that_has_them(board, rules, other):
    with pytest.raises(BudgetError, match=f"chances on {board[:3]}.* try {other}$"):
        solve_blindfold(board, rules, parts=["win_probability"])
    if other == "2x3:3":
        assert solve_blindfold(other, rules, parts=["win_probability"]).win_probability["any"]
