"""Sentences that agree in number and case, and say what is there."""

from __future__ import annotations

import shlex

import pytest

from noughts.domain.notation import parse_position
from noughts.drawing.svg import Canvas
from noughts.strategy.seating import hint_at

pytestmark = pytest.mark.usefixtures("remembered")


@pytest.mark.parametrize(
    ("asked", "said", "unsaid"),
    [
        ("menace 2x2:2 --games 1", "as before it. In that game it won 1, drew 0 and lost 0.", "those games"),
        ("menace 2x2:2 --games 2", "as before them. In those games it won 2,", "that game"),
        ("same 3x3 X../.../... ..X/.../...", "So does: turn by 90 degrees clockwise.", "So do:"),
        ("explain 2x3:2", "you make two or more threats at once, and only one can be blocked.", "two threats"),
        ("explain 3x3 'a1 b1 a2'", "", "two or more"),
        ("review 3x3 'a1 b2 c3 b3 b1 c1 a3 a2 c2'", "9 moves. The game is drawn: the board is full", ": The"),
        ("review 3x3 'a1 b2 c3 c1 a3 b3 a2'", "3x3:3, 7 moves: X has won with the line a1-a2-a3.", "moves."),
        ("positions 2x2:3 --ply 4", "Under each board: that it is drawn.", "who won"),
        ("positions 3x3 --ply 9 --limit 40", "Under each board: who won, or that it is drawn.", "---"),
        ("positions 3x3 --ply 5 --terminal", "Under each board: who won.", "drawn"),
        ("whatis 0", " more readings: noughts whatis 0 --all", "And 1963"),
        ("count 1x3:2", "the first number by plain and by layered;", "also by"),
    ],
)
def test_what_is_said(run, asked, said, unsaid):
    result = run(*shlex.split(asked))
    assert result.code == 0, result.err
    out = " ".join(result.out.split())
    assert said in out
    assert unsaid not in out


def test_a_hint_says_once_what_to_play():
    said, _ = hint_at(parse_position("3x3", "a1 b1 b2 c3"))
    assert said == "Play a2 or a3: you make two threats at once, and only one can be blocked."


def test_the_labels_are_the_same_each_time(run):
    said = run("sheet", "3x3", "--kind", "labels", "--number", "4").one_sentence()
    assert "--kind labels gives the same sheet each time: leave out --number" in said


def test_boards_that_name_better_cells_have_their_names(run, monkeypatch):
    texts, write = [], Canvas.text

    def told(canvas, x, y, text, *more, **named):
        texts.append(text)
        write(canvas, x, y, text, *more, **named)

    monkeypatch.setattr(Canvas, "text", told)
    assert run("review", "3x3", "a1 b2 c3 c1 a3 b3 a2", "--format", "svg").code == 0
    assert "better: b1, a2, c2 and b3" in texts
    assert [texts.count(name) for name in "abc123"] == [7] * 6
