"""The score of many games, added up one by one: small distributions with points of every kind, in turns and alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

import pytest

from noughts import explain, force, match, openings, patterns, payoff, punishments, puzzles, review, secure
from noughts import parse_position as parse_position_noughts
from noughts.analysis.explain.explanation import unvalued
from noughts.analysis.payoff import fairness as running
from noughts.analysis.payoff.fairness import Scores, compare_points, fairest_points, running_score
from noughts.analysis.payoff.playout import versus
from noughts.analysis.trees import tree
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.game import class_bound
from noughts.rules.position import parse_position
from noughts.solving import classgraph

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
    assert running._total(rounds, games) == added(rounds, games)


def test_the_course_stops_at_one_two_five_and_their_tens() -> None:
    found = running_score("1x3:2", games=200, x="win", o="win")
    assert [n for n, *_ in found.course] == [1, 2, 5, 10, 20, 50, 100, 200]
    assert all(ahead + level + behind == 1 for _, ahead, level, behind in found.course)
    assert found.ahead == sum(chance for score, chance in found.distribution.items() if score > 0)
    assert found.behind == sum(chance for score, chance in found.distribution.items() if score < 0)
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


@pytest.mark.parametrize("name", LIMITED)
def test_a_limit_is_the_most_classes_that_there_may_be(name: str) -> None:
    ask, many = LIMITED[name], class_bound(parse_position("3x3", "a1 b1 c3"))
    assert ask("3x3", "a1 b1 c3", limit=many) is not None
    with pytest.raises(BudgetError, match="position classes"):
        ask("3x3", "a1 b1 c3", limit=many - 1)
    with pytest.raises(InputError, match="the limit cannot be 0: give a whole number from 1"):
        ask("3x3", "a1 b1 c3", limit=0)


@pytest.mark.parametrize("ask", [force, secure, patterns, payoff])
def test_who_waits_is_told_of_the_classes(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []
    monkeypatch.setattr(classgraph, "_kept", {})
    ask("3x3", start="a1 b1 c3", progress=lambda *told: seen.append(told))
    assert seen
    assert all(unit == seen[0][2] for _, _, unit in seen)
    with pytest.raises(InputError, match="progress"):
        ask("3x3", progress=3)
    for name in ("X", "O"):
        if ask in (force, secure):
            assert ask("3x3", "a1 b1 c3", player=name).goal.asked == name
            with pytest.raises(InputError, match="the player cannot be 'Z': choose from X, O"):
                ask("3x3", "a1 b1 c3", player="Z")


# How results show themselves: one short line each, with the numbers that it is about. Read one by one.

SHOWN: list[tuple[Callable[[], object], str]] = [
    (lambda: explain("3x3"), "<Explanation of .../.../... on 3x3:3: either can force a draw>"),
    (lambda: explain("3x3", "a1 b1"), "<Explanation of XO./.../... on 3x3:3: X can force a win>"),
    (lambda: explain("3x3", "a1 b1").moves[1], "<MoveExplanation: a2, X can force a win>"),
    (lambda: unvalued(parse_position_noughts("3x3", "a1")), "<Explanation of X../.../... on 3x3:3: not found>"),
    (lambda: unvalued(parse_position_noughts("3x3", "a1")).moves[0], "<MoveExplanation: b1, not found>"),
    (lambda: review("3x3", "a1 b1 a2"), "<Review of 3 moves on 3x3:3>"),
    (lambda: openings("3x3"), "<OpeningTheory of .../.../... on 3x3:3: 3 first moves, 12 replies>"),
    (lambda: openings("3x3").openings[0], "<ValuedMove a1: either can force a draw, 5 replies>"),
    (lambda: openings("3x3").openings[0].replies[1], "<ValuedMove c1: X can force a win>"),
    (lambda: openings("3x3", "a1"), "<OpeningTheory of X../.../... on 3x3:3: 5 first moves, 29 replies>"),
    (lambda: tree("3x3"), "<GameTree of .../.../... on 3x3:3, reduced: 115 nodes, 147 edges>"),
    (
        lambda: tree("3x3", "a1 b2 c3 a3 c1 b1 b3", kind="full"),
        "<GameTree of XOX/.O./OXX on 3x3:3, full: 5 nodes, 4 edges>",
    ),
    (lambda: patterns("3x3"), "<Patterns of 3x3:3: 3 drawn patterns>"),
    (lambda: patterns("2x4:3"), "<Patterns of 2x4:3: 15 drawn patterns>"),
    (lambda: payoff("3x3"), "<Payoff on 3x3:3, X best, O best: difference 1>"),
    (lambda: payoff("3x3", x="random", o="block"), "<Payoff on 3x3:3, X random, O block: difference -39623/11340>"),
    (
        lambda: payoff("3x3", "X=1/7-0", x="random", o="trap:random"),
        "<Payoff on 3x3:3, X random, O trap:random: difference -12679/2835>",
    ),
    (lambda: versus("3x3"), "<Match on 3x3:3, X random, O random: value 187/630>"),
    (
        lambda: versus("3x3", x="block", o="trap:random"),
        "<Match on 3x3:3, X block, O trap:random: value -22/105>",
    ),
    (lambda: versus("3x3", x="easy", o="hard"), "<Match on 3x3:3, X easy, O hard: value about -0.475871>"),
    (lambda: versus("3x3", "a1 b1", x="perfect"), "<Match on 3x3:3, X perfect, O random: value 1>"),
    (lambda: punishments("3x3"), "<Punishments from .../.../... on 3x3:3: 7 losing replies>"),
    (lambda: running_score("3x3", games=400), "<Running score on 3x3:3, random against random: 400 games>"),
    (lambda: compare_points("3x3"), "<Schemes on 3x3:3: 2 compared>"),
    (lambda: fairest_points("3x3", most=2), "<Fairest on 3x3:3: 1 of 44 schemes>"),
    (
        lambda: force("3x3", pattern="Arrow", player="X"),
        "<Guarantee from .../.../... on 3x3:3: X forces an Arrow, 69 boards>",
    ),
    (
        lambda: secure("3x3", player="O"),
        "<Guarantee from .../.../... on 3x3:3: O makes sure of a difference of -1, 137 boards>",
    ),
    (lambda: puzzles("3x3", 2), "<Puzzles: 2 on 3x3:3>"),
    (lambda: puzzles("3x3", 1, seed=4)[0], "<Puzzle on 3x3:3: XO./OOX/.X., X to win>"),
]


@pytest.mark.parametrize("n", range(len(SHOWN)))
def test_a_result_shows_itself_in_a_line(n: int) -> None:
    make, shown = SHOWN[n]
    assert repr(make()) == shown
