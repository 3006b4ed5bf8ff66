"""Running scores: the exact distribution by adding game after game, in both orders of play."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from noughts.domain.errors import BudgetError, InputError
from noughts.strategy.payoff import payoff
from noughts.strategy.running import running_score
from noughts.strategy.versus import versus
from tests.strategy.oracle import oracle


def added(games: list[dict[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    total = {Fraction(0): Fraction(1)}
    for game in games:
        after: dict[Fraction, Fraction] = {}
        for score, chance in total.items():
            for more, share in game.items():
                after[score + more] = after.get(score + more, Fraction(0)) + chance * share
        total = after
    return {score: chance for score, chance in total.items() if chance}


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("games", [1, 2, 3, 7])
def test_the_distribution_game_by_game(games, swap):
    board = oracle(3, 3, 3)
    one, other = board.match("block", "random"), board.match("random", "block")
    first = {Fraction(1): one["X"], Fraction(0): one["draw"], Fraction(-1): one["O"]}
    second = {Fraction(1): other["O"], Fraction(0): other["draw"], Fraction(-1): other["X"]}
    rounds = [second if swap and i % 2 else first for i in range(games)]
    found = running_score("3x3", games=games, x="block", swap=swap)
    assert dict(found.distribution) == added(rounds)
    assert sum(found.distribution.values()) == found.ahead + found.level + found.behind == 1
    for n, ahead, level, behind in found.course:
        scores = added(rounds[:n])
        assert ahead == sum(chance for score, chance in scores.items() if score > 0)
        assert (level, behind) == (scores.get(Fraction(0), 0), 1 - ahead - level)


def test_expectations_and_variances_add_up():
    one, many = (running_score("3x3", games=n, points=None) for n in (1, 40))
    assert one.expected == payoff("3x3", x="random", o="random").difference
    assert (many.expected, many.variance) == (40 * one.expected, 40 * one.variance)
    swapped = running_score("3x3", games=40, points="X=1/2-0,O=0-1/3", swap=True)
    assert swapped.expected == 0, "two equal players who take turns"
    assert swapped.ahead == swapped.behind
    best = running_score("3x3", games=2, x="best")
    assert best.expected == 2 * versus("3x3", x="best").value


def test_misere_and_positions():
    found = running_score("3x3+misere", "b2", games=3, x="perfect")
    match = versus("3x3+misere", "b2", x="perfect")
    assert found.expected == 3 * match.value


def test_what_never_varies_has_no_deviation(run):
    """X wins at once on one cell; what is small is not rounded to nothing."""
    assert "The standard deviation of the difference is 0." in run(
        "payoff", "1x1:1", "--games", "2", "--x", "random", "--o", "random"
    ).out.replace("\n", " ")
    tiny = run(
        "payoff", "3x3", "--games", "2", "--points", "X=1/10000-0,O=0-0,draw=0-0", "--x", "random", "--o", "random"
    )
    assert "The standard deviation of the difference is about 7.0e-05." in tiny.out


def test_what_is_refused():
    with pytest.raises(InputError, match="only one side"):
        running_score("3x3", x="best", o="best")
    with pytest.raises(InputError, match="the games cannot be 0"):
        running_score("3x3", games=0)
    with pytest.raises(BudgetError, match="too many digits: ask for up to about"):
        running_score("3x3", games=10**6)


def test_by_the_command(run, tmp_path):
    out = run("versus", "3x3", "--x", "perfect", "--games", "200", "--swap").out
    assert "is ahead with probability >0.999999, level with <0.000001 and behind with 0." in " ".join(out.split())
    record = json.loads(run("payoff", "3x3", "--x", "random", "--o", "random", "--games", "2", "--format", "json").out)
    assert record["course"][0]["level"] == "0", "no ending of the published scheme is level"
    scores = [int(each["difference"]) for each in record["distribution"]]
    assert scores == [-10, -6, -4, -2, 0, 2, 4, 6], "sums of two of 3, 1, -1 and -5"
    assert run("versus", "3x3", "--games", "5", "-o", str(tmp_path / "score.png")).code == 0
    assert "add --games N" in run("versus", "3x3", "--swap").one_sentence()
    assert "leave out --save" in run("versus", "3x3", "--x", "best", "--games", "2", "--save", "a.json").one_sentence()
    assert "only one side" in run("payoff", "3x3", "--games", "2").one_sentence()


def test_the_chart_rounds_nothing_to_certainty(run):
    """The chances in the description are exact, those at the bars never 0 or 1 unless they are."""
    found = running_score("3x3", x="block", games=50, swap=True)
    chart = run("versus", "3x3", "--x", "block", "--games", "50", "--swap", "--format", "svg").out
    assert f"first ahead: {found.ahead}\nlevel: {found.level}\nsecond ahead: {found.behind}" in chart
    assert 0 < found.behind < found.level < 1
    assert "taking turns with X" in chart


@pytest.mark.parametrize("points", ["X=1/2-0,O=0-1/3,draw=0-0", "X=3-0,O=5-0,draw=1-0", "X=0-2,O=0-2,draw=0-1"])
@pytest.mark.parametrize("swap", [False, True])
def test_scores_of_any_size_and_sign_game_by_game(points, swap):
    start = "a1 b2 c3 a2"
    worth = {"X": Fraction(0), "O": Fraction(0), "draw": Fraction(0)}
    for each in points.split(","):
        name, _, pair = each.partition("=")
        worth[name] = Fraction(pair.split("-")[0]) - Fraction(pair.split("-")[1])
    one, other = versus("3x3", start, x="random", o="win"), versus("3x3", start, x="win", o="random")
    rounds = []
    for game, sign in ((one, 1), (other, -1)):
        scores: dict[Fraction, Fraction] = {}
        for name, chance in (("X", game.x_wins), ("O", game.o_wins), ("draw", game.draws)):
            if chance:
                scores[sign * worth[name]] = scores.get(sign * worth[name], Fraction(0)) + chance
        rounds.append(scores)
    for games in (2, 11):
        found = running_score("3x3", start, games=games, x="random", o="win", points=points, swap=swap)
        wanted = added([rounds[n % 2 if swap else 0] for n in range(games)])
        assert list(found.distribution.items()) == sorted(wanted.items())
        assert [n for n, *_ in found.course] == [n for n in (1, 2, 5, 10) if n < games] + [games]
        assert found.as_dict()["expected"] == str(sum(score * chance for score, chance in wanted.items()))
        squares = sum(score * score * chance for score, chance in wanted.items())
        assert found.as_dict()["variance"] == str(squares - found.expected**2)
