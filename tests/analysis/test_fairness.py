"""The score of many games, added up one by one: small distributions with points of every kind, in turns and alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from noughts import match, payoff
from noughts.analysis import force, secure
from noughts.analysis.payoff import fairness as running
from noughts.analysis.payoff.fairness import Scores, compare_points, fairest_points, running_score

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
FAIR: Scores = {Fraction(1): HALF, Fraction(-1): HALF}
ODD: Scores = {Fraction(-5): Fraction(1, 6), Fraction(1, 3): HALF, Fraction(7, 2): THIRD}
SURE: Scores = {Fraction(2): Fraction(1)}
WIDE: Scores = {Fraction(score): Fraction(1, 9) for score in (-40, -11, -3, 0, 1, 2, 19, 33, 57)}
NEVER: Scores = {Fraction(0): Fraction(1)}


def added(rounds: Sequence[Scores], games: int) -> dict[Fraction, Fraction]:
    total = {Fraction(0): Fraction(1)}
    for n in range(games):
        after: dict[Fraction, Fraction] = {}
        for score, chance in total.items():
            for more, share in rounds[n % len(rounds)].items():
                after[score + more] = after.get(score + more, Fraction(0)) + chance * share
        total = after
    return total


@pytest.mark.parametrize(
    "rounds",
    [[FAIR], [ODD], [SURE], [WIDE], [NEVER], [FAIR, ODD], [ODD, SURE], [SURE, NEVER], [WIDE, FAIR], [ODD, WIDE]],
)
@pytest.mark.parametrize("games", [1, 2, 3, 4, 7])
def test_games_add_up(rounds: list[Scores], games: int) -> None:
    assert running._total(rounds, games) == added(rounds, games)


def test_a_score_says_all_that_it_was_made_of() -> None:
    found = running_score("1x3:2", "b1", games=2, x="win", o="block", points="X=2-1,O=0-1/2,draw=1/3-0", swap=True)
    data = found.as_dict()
    assert list(data) == [
        *("board", "position", "first", "second", "points", "games", "swap", "expected", "variance", "course"),
        "distribution",
    ]
    assert (data["board"], data["position"], data["first"], data["second"]) == ("1x3:2", ".X.", "win", "block")
    assert (data["games"], data["swap"]) == (2, True)
    ends = {"X": {"X": "2", "O": "1"}, "O": {"X": "0", "O": "1/2"}, "pattern 1": {"X": "1/3", "O": "0"}}
    assert data["points"] == ends
    # X wins both, whoever it is: the first gets 2-1, then 1-2.
    assert dict(found.distribution) == {Fraction(0): Fraction(1)}
    assert [tuple(row.values()) for row in data["course"]] == [(1, "1", "0", "0"), (2, "0", "1", "0")]
    assert [found.ahead, found.level, found.behind] == [0, 1, 0]
    some = running_score("3x3", games=1, points="X=1-0")
    assert some.unnamed == ("O", "Island", "Scorpion", "Arrow")
    assert some.as_dict()["unnamed"] == list(some.unnamed)
    assert some.variance == sum(
        (chance * (score - some.expected) ** 2 for score, chance in some.distribution.items()), Fraction(0)
    )


# Up to how many classes it is answered, and that who waits is told of them.

LIMITED: dict[str, Callable[..., Any]] = {
    "force": force,
    "secure": secure,
    "payoff": payoff,
    "payoff of policies": lambda board, start, **more: payoff(board, start=start, x="random", o="win", **more),
    "match": lambda board, start, **more: match(board, start=start, x="win", **more),
    "running_score": lambda board, start, **more: running_score(board, start, games=2, **more),
    "fairest_points": lambda board, start, **more: fairest_points(board, start, most=1, **more),
    "compare_points": compare_points,
}
LIMITED["payoff"] = lambda board, start, **more: payoff(board, start=start, **more)
