"""Games by choices estimated from random games, held against what the engines count."""

from fractions import Fraction
from typing import Any

import pytest

from noughts import count
from noughts.judge.sampling import Sampled, sampled_games, sampled_positions
from noughts.known import load
from noughts.rules.board import Board
from noughts.rules.marks import OUTCOMES, Outcome


def games_by_choices(spec: str) -> dict[Outcome, int]:
    plies = count(spec, same="choices").plies
    columns = zip(OUTCOMES, ("x_wins", "o_wins", "draws"), strict=True)
    return {outcome: sum(getattr(row, column) for row in plies) for outcome, column in columns}


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2:2", "3x3+torus", "2x5:3", "1x6:3"])
def test_estimates_fit_the_counts(spec: str) -> None:
    estimates, compared = sampled_games(Board.parse(spec), 10_000), 0
    for outcome, number in games_by_choices(spec).items():
        fits = estimates[outcome].fits(number)
        assert fits or fits is None, (spec, outcome)
        assert fits is None or not estimates[outcome].fits(2 * number)
        compared += fits is not None
    assert compared


def test_games_that_all_weigh_the_same_give_the_number() -> None:
    """On 1x2:3 there are two games and one of them by choices."""
    assert sampled_games(Board.parse("1x2:3"), 2000)["draw"] == Sampled(Fraction(1), Fraction(0), 2000)


@pytest.mark.parametrize("table", load("choices.toml")["table"], ids=lambda table: table["board"])
def test_carried_tables_fit(table: dict[str, Any]) -> None:
    estimates, compared = sampled_games(Board.parse(table["board"]), 20_000, seed=2), 0
    for column, outcome in enumerate(OUTCOMES, 3):
        number = sum(int(row[column]) for row in table["rows"])
        fits = estimates[outcome].fits(number)
        assert fits or fits is None
        assert fits is None or not estimates[outcome].fits(3 * number)
        compared += fits is not None
    assert compared > 1


@pytest.mark.parametrize("spec", ["3x3", "4x4:3", "2x3x3:3", "4x4+torus", "2x5:3", "1x6:2"])
def test_estimated_positions_fit_the_counts(spec: str) -> None:
    number = sum(row.positions or 0 for row in count(spec, same="labelled").plies)
    estimate = sampled_positions(Board.parse(spec), 50_000)
    assert estimate.fits(number)
    assert not estimate.fits(number + number // 20)


def test_boards_without_lines_give_all_positions() -> None:
    """On 1x3:4 every board is a position: 1 + 3 + 6 + 3."""
    assert sampled_positions(Board.parse("1x3:4"), 4000).fits(13)
