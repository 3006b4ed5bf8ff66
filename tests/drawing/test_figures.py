"""Figures of one board: title, who is to move, arrows, key, caption, size; and what `draw` takes."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

import noughts
from noughts.drawing.chart import Curve, draw_curves
from noughts.drawing.figures import parse_arrows, turn_words
from noughts.rules import InvalidType
from noughts.rules.board import Board
from noughts.rules.position import parse_position

THREE = Board.parse("3x3")


def drawable() -> dict[str, Any]:
    """One of each thing that can be drawn, by the name of its class."""
    solution = noughts.solve("3x3")
    things = [
        THREE, parse_position("3x3", "a1 b2"), noughts.analysis.catalogue("3x3")["a1 b2"], solution.answer("a1 b2 c3"),
        noughts.explain("3x3", "a1"), solution, noughts.analysis.catalogue("3x3"), noughts.positions("3x3", drawn=True),
        noughts.same("3x3", "a1", "c3"), noughts.tree("3x3", opening="b1"), noughts.openings("3x3"),
        noughts.patterns("3x3"), noughts.payoff("3x3"), noughts.match("3x3"), noughts.count("3x3"),
        noughts.solve_blindfold("3x3"), noughts.analysis.force("3x3", pattern="Arrow"),
        noughts.verbs.matrix("3x3"),
    ]  # fmt: skip
    return {next(kind.__name__ for kind in type(thing).__mro__ if kind.__module__ != "builtins" and
                 kind.__name__ in TAKEN): thing for thing in things}  # fmt: skip


TAKEN = (
    "Board", "Position", "Record", "PositionValue", "Explanation", "Solution", "Catalogue", "Positions", "Comparison",
    "GameTree", "Guarantee", "OpeningTheory", "Patterns", "Payoff", "Match", "Census", "Conventions",
    "BlindAnswer",
)  # fmt: skip


def test_everything_is_drawn_with_a_caption_and_at_a_size() -> None:
    things = drawable()
    assert set(things) == set(TAKEN)
    for name, thing in things.items():
        plain = noughts.draw(thing)
        made = noughts.draw(thing, caption="What there is to see here.", size=500)
        root = ElementTree.fromstring(made)
        assert root.get("width") == "500", name
        assert made.width == 500
        inside = [float(part) for part in str(root.get("viewBox")).split()]
        assert inside[3] > plain.height
        assert made.height / made.width == pytest.approx(inside[3] / inside[2], rel=1e-3)
        sheet = next(element for element in root.iter() if element.tag.endswith("rect"))
        assert [float(str(sheet.get(side))) for side in ("width", "height")] == inside[2:]


def test_what_cannot_be_drawn_is_told_all_that_can() -> None:
    with pytest.raises(InvalidType, match="cannot draw a str: give") as caught:
        noughts.draw("3x3")  # type: ignore[arg-type]
    for name in TAKEN:
        assert re.search(rf"\b{name}\b", str(caught.value)), name


def said(picture: str) -> str:
    root = ElementTree.fromstring(picture)
    return str(next(element.text for element in root if element.tag.endswith("desc")))


@pytest.mark.parametrize(
    ("board", "position", "turn"),
    [
        ("3x3", "", "X to move."),
        ("3x3", "a1", "O to move."),
        ("3x3", "XXX/OO./...", "X has won with the line a1-b1-c1."),
        ("3x3+misere", "XXX/OO./...", "O has won: X has completed the line a1-b1-c1, which loses under misere."),
        ("3x3+torus", "b1 a1 c2 b2 a3", "X has won with the line b1-c2-a3."),
        ("3x3", "XOX/XOO/OXX", "The game is drawn: the board is full and neither player has a line."),
        ("3x3", "XXX/OOO/...", "Cannot arise in play: both have a line, but the first line ends the game."),
        ("2x2x2", "a1.1 b2.2", "X to move."),
        ("1x1:2", "a1", "The game is drawn: the board is full and neither player has a line."),
    ],
)
def test_a_figure_says_who_is_to_move_or_how_it_ended(board: str, position: str, turn: str) -> None:
    at = parse_position(board, position) if position else noughts.Position(Board.parse(board))
    lines = said(noughts.draw(at)).splitlines()
    assert lines[:2] == [str(Board.parse(board)), turn]
    assert said(noughts.draw(at, title="Fig. 1")).splitlines()[:2] == ["Fig. 1", turn]
    assert turn_words(at)[1:] == turn[1:-1]


def test_arrows_are_read_as_people_write_them() -> None:
    expected = ((0, 8), (1, 7))
    for text in (
        "a1-c3,b1-b3",
        "a1-c3 b1-b3",
        "a1 - c3, b1 - b3",
        "A1->C3;B1>B3",
        "1-9,2-8",
        "a1→c3 b1→b3",
        "a1–c3,b1–b3",
    ):
        assert parse_arrows(THREE, text) == expected, text
    assert parse_arrows(THREE, [("a1", "c3"), (1, 7)]) == expected
    assert parse_arrows(THREE, ["a1-c3", ["b1", "b3"]]) == expected
    assert parse_arrows(Board.parse("3x3x3"), "a1.1-c3.3") == ((0, 26),)
    assert parse_arrows(THREE, "") == parse_arrows(THREE, ()) == ()


# Curves of exact values: where points lie, what is said, and that none is told by its colour alone.

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
