"""Games by choices estimated from random games, held against what the engines count."""

from fractions import Fraction
from typing import Any

import pytest

from noughts import count
from noughts.judge.listing import Listing
from noughts.judge.sampling import Sampled, sampled_games, sampled_positions, sampled_values
from noughts.known import load
from noughts.rules.board import Board
from noughts.rules.marks import OUTCOMES, Outcome

Ends = dict[tuple[int, Outcome], int]


def games_by_choices(spec: str) -> Ends:
    rows = count(spec, same="choices").plies
    columns = tuple(zip(OUTCOMES, ("x_wins", "o_wins", "draws"), strict=True))
    return {(row.ply, outcome): getattr(row, column) for row in rows for outcome, column in columns}


def compared(board: str, known: Ends, games: int, seed: int = 1) -> int:
    """Hold the estimates against known games; return how many rest on enough random games."""
    many = 0
    for end, estimate in sampled_games(Board.parse(board), games, seed).items():
        if (fits := estimate.fits(known[end])) is not None:
            assert fits, (board, end)
            assert not estimate.fits(3 * known[end])
            many += 1
    return many


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2:2", "3x3+torus", "2x5:3", "1x6:3"])
def test_estimates_fit_the_counts(spec: str) -> None:
    assert compared(spec, games_by_choices(spec), 10_000)


def test_games_that_all_weigh_the_same_give_the_number() -> None:
    """On 1x2:3 there are two games and one of them by choices."""
    assert sampled_games(Board.parse("1x2:3"), 2000)[2, "draw"] == Sampled(Fraction(1), Fraction(0), 2000)


@pytest.mark.parametrize("table", load("choices.toml")["table"], ids=lambda table: table["board"])
def test_carried_tables_fit(table: dict[str, Any]) -> None:
    known = {(row[0], outcome): int(row[column]) for row in table["rows"] for column, outcome in enumerate(OUTCOMES, 3)}
    assert compared(table["board"], known, 20_000, seed=2) > 1


@pytest.mark.parametrize("spec", ["3x3", "4x4:3", "2x3x3:3", "4x4+torus", "2x5:3", "1x6:2"])
def test_estimated_positions_fit_the_counts(spec: str) -> None:
    number = sum(row.positions or 0 for row in count(spec, same="labelled").plies)
    estimate = sampled_positions(Board.parse(spec), 50_000)
    assert estimate.fits(number)
    assert not estimate.fits(number + number // 20)


def test_boards_without_lines_give_all_positions() -> None:
    """On 1x3:4 every board is a position: 1 + 3 + 6 + 3."""
    assert sampled_positions(Board.parse("1x3:4"), 4000).fits(13)


@pytest.mark.parametrize(("spec", "ply"), [("3x3", 4), ("3x3", 7), ("3x3", 9), ("2x4:3", 6), ("3x3+torus", 5)])
def test_estimated_values_fit_the_classes_by_value(spec: str, ply: int) -> None:
    known, many = Listing(spec).classes_by_value()[ply], 0
    for outcome, estimate in sampled_values(Board.parse(spec), ply, 1500, seed=2).items():
        assert known[outcome] or not estimate.counted
        if (fits := estimate.fits(known[outcome], 100)) is not None:
            assert fits, outcome
            assert not estimate.fits(2 * known[outcome], 100)
            many += 1
    assert many


def test_the_empty_board_has_its_value() -> None:
    assert sampled_values(Board.parse("4x4:4"), 0, 200)["draw"] == Sampled(Fraction(1), Fraction(0), 200)
