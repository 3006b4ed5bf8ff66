"""Curves of exact values: where points lie, what is said, and that none is told by its colour alone."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from noughts.drawing.curves import Curve, draw_curves

RISING = [(0, Fraction(-1)), (50, Fraction(0)), (100, Fraction(1, 3))]


def test_points_lie_at_their_counts_and_values() -> None:
    picture = draw_curves([Curve("value", RISING)], "A lesson", "games")
    (x0, y0), (x1, y1), (x2, y2) = next(
        [tuple(map(float, point.split())) for point in re.findall(r"[\d.]+ [\d.]+", d)]
        for d in re.findall(r'd="(M[^"]*)" fill="none" stroke="#0072b2" stroke-width="2.2"', picture)
        if d.count("L") == 2
    )
    assert x1 - x0 == pytest.approx(x2 - x1)
    assert (y0 - y2) / (y0 - y1) == pytest.approx(4 / 3, abs=0.001)


def test_the_text_of_a_picture_has_the_numbers() -> None:
    picture = draw_curves([Curve("value", RISING), Curve("wins", RISING)], "A lesson", "games", "Seed 4.")
    assert "Seed 4.\nvalue, by games: 0: -1, 50: 0, 100: 0.333\nwins, by games" in picture
    assert 'stroke-dasharray="9 4"' in picture


def test_a_band_is_drawn_and_one_point_too() -> None:
    band = [(0, Fraction(0), Fraction(1, 2)), (10, Fraction(-1), Fraction(1))]
    picture = draw_curves([Curve("mean", [(0, Fraction(1, 4)), (10, Fraction(0))], band)], "Runs", "games")
    assert picture.count('stroke-width="0.8"') == 2
    assert draw_curves([Curve("one", [(0, Fraction(0))])], "One", "games").startswith("<svg")


def test_no_more_than_four_curves() -> None:
    for count in (0, 5):
        with pytest.raises(ValueError, match="one to four"):
            draw_curves([Curve("v", RISING)] * count, "Many", "games")
