"""Q-learning gets from nothing to never losing, and says so only where it is so."""

from __future__ import annotations

import pytest

import noughts
from noughts.domain.errors import BudgetError, InputError
from noughts.training import learn


@pytest.fixture(scope="module")
def learned():
    return learn("3x3", games=70_000, seed=0, looks=[1_000])


def test_it_learns_never_to_lose(learned):
    begin, early, end = learned.course
    assert (begin.games, begin.never_loses, early.never_loses, end.never_loses) == (0, False, False, True)
    assert learned.never_loses
    assert learned.flawless_from == end.games >= 70_000
    judged = noughts.evaluate(learned.policy)
    assert judged.never_loses
    assert judged.nash_conv == learned.nash_conv == 0
    assert [judged[player].value for player in ("X", "O")] == [end.x_value, end.o_value]
    assert [judged[player].guaranteed for player in ("X", "O")] == [end.x_guaranteed, end.o_guaranteed]


def test_its_values_are_those_of_best_play(learned):
    """At a position that every game may come to, the table has for each cell what the move is worth."""
    from noughts.bots.judging.arrays import position_number

    at = noughts.parse_position("3x3", "X.O/.../...")
    solution = noughts.solve("3x3")
    worth = {"X": 1, "draw": 0, "O": -1}
    row = learned.values[position_number(at)]
    for cell in at.moves():
        assert round(float(row[cell])) == worth[solution.outcome(at.play(cell))]


def test_the_same_seed_gives_the_same_table():
    tables = [learn("2x3:2", games=500, seed=seed, looks=[]).values.tobytes() for seed in (1, 1, 2)]
    assert tables[0] == tables[1] != tables[2]


def test_where_o_cannot_hold_a_flawless_table_is_not_said_never_to_lose():
    found = learn("2x3:2", games=5_000)
    assert not found.never_loses
    assert found.nash_conv == 0
    assert repr(found) == f"<Learned on 2x3:2: {found.games:,} games, flawless>"
    assert "it gives none away." in str(found.chart())
    assert "Nobody can beat it" not in str(found.chart())


def test_what_is_not_learned_yet_is_not_said_to_be():
    found = learn("3x3", games=300, looks=[])
    assert (found.never_loses, found.flawless_from) == (False, None)
    assert "In the end it still gives value away." in str(found.chart())
    assert "can be beaten" in repr(found)


def test_under_misere_a_line_loses():
    found = learn("2x3:2+misere", games=8_000)
    assert found.nash_conv == 0
    assert noughts.evaluate(found.policy, "2x3:2+misere").nash_conv == 0


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"games": 0}, InputError, "games"),
        ({"rate": 0.0}, InputError, "rate"),
        ({"explore": 1.5}, InputError, "explore"),
        ({"board": "4x4"}, BudgetError, "entries"),
    ],
)
def test_bad_lessons_get_a_sentence(given, error, words):
    with pytest.raises(error, match=words):
        learn(**given)
