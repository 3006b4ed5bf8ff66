"""The score of many games, added up one by one: small distributions with points of every kind, in turns and alone."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import pytest

from noughts.domain.errors import BudgetError
from noughts.strategy import running
from noughts.strategy.running import Scores, running_score

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
FAIR: Scores = {Fraction(1): HALF, Fraction(-1): HALF}
ODD: Scores = {Fraction(-5): Fraction(1, 6), Fraction(1, 3): HALF, Fraction(7, 2): THIRD}
SURE: Scores = {Fraction(2): Fraction(1)}
WIDE: Scores = {Fraction(score): Fraction(1, 9) for score in (-40, -11, -3, 0, 1, 2, 19, 33, 57)}
NEVER: Scores = {Fraction(0): Fraction(1)}


def added(rounds: list[Scores], games: int) -> dict[Fraction, Fraction]:
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
    found = running._total(rounds, games)
    assert found == added(rounds, games)
    ahead, level, behind = running._standing(found)
    assert ahead == sum(chance for score, chance in found.items() if score > 0)
    assert behind == sum(chance for score, chance in found.items() if score < 0)
    assert level == 1 - ahead - behind
    assert running._scale(rounds) == lcm(*(score.denominator for each in rounds for score in each))


def test_the_course_stops_at_one_two_five_and_their_tens() -> None:
    assert running._stops(1) == []
    assert running._stops(2) == [1]
    assert running._stops(11) == [1, 2, 5, 10]
    assert running._stops(200) == [1, 2, 5, 10, 20, 50, 100]
    assert [n for n, *_ in running_score("1x3:2", games=10).course] == [1, 2, 5, 10]
    assert [n for n, *_ in running_score("1x3:2", games=3).course] == [1, 2, 3]


def test_a_length_that_is_too_long_is_refused_and_one_that_fits_is_not() -> None:
    """The bits of one coefficient times the number of coefficients, for the wider of the rounds."""
    for rounds in ([FAIR], [ODD], [FAIR, WIDE], [WIDE, FAIR], [SURE]):
        scale = lcm(*(score.denominator for each in rounds for score in each))
        spread = max((max(each) - min(each)) * scale for each in rounds)
        bits = max(lcm(*(chance.denominator for chance in each.values())).bit_length() for each in rounds)
        least, most = 1, 10**8
        while most - least > 1:
            games = (least + most) // 2
            fits = (games * spread + 1) * (games * bits + 1) <= 12_000_000
            least, most = (games, most) if fits else (least, games)
        running._require_short(rounds, least)
        with pytest.raises(BudgetError, match="have too many digits") as caught:
            running._require_short(rounds, most)
        said = str(caught.value)
        assert said.startswith(f"the exact scores of {most:,} games have")
        assert said.endswith(" games, or for points that are small whole numbers")
        offered = int(said.split("up to about ")[1].split()[0].replace(",", ""))
        assert offered == max(1, int((12_000_000 / ((spread + 1) * (bits + 1))) ** 0.5))
        assert (offered * spread + 1) * (offered * bits + 1) <= 12_000_000 or offered == 1
        running._require_short(rounds, offered)


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
    assert [tuple(row.values()) for row in data["course"]] == [(1, "1", "0", "0"), (2, "0", "1", "0")]  # type: ignore[attr-defined]
    assert [found.ahead, found.level, found.behind] == [0, 1, 0]
    assert repr(found) == "<Running score on 1x3:2, win against block: 2 games>"
    some = running_score("3x3", games=1, points="X=1-0")
    assert some.unnamed == ("O", "Island", "Scorpion", "Arrow")
    assert some.as_dict()["unnamed"] == list(some.unnamed)
    assert some.variance == sum(
        (chance * (score - some.expected) ** 2 for score, chance in some.distribution.items()), Fraction(0)
    )
