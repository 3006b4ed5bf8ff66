"""Pages of wild, Notakto, and order and chaos, whose marks do not name the players."""

from __future__ import annotations

import re

import pytest

import noughts
from noughts import solve
from noughts.analysis.explain.explanation import explain
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.position import parse_position
from noughts.web.addresses import game_slug, position_slug
from tests.analysis.test_unowned_marks import OWNED
from tests.web.site import get, links_in, page, text_of

CASES = [("3x3+wild", "Xa1 Ob2"), ("3x3+wild+misere", "Xb2"), ("3x3+notakto", "a1 b2"), ("2x3+order", "Ob1")]
SPOKEN = re.compile(r"\b[XO] on [a-z][0-9.]+")
"""Where a mark stands, as it is read aloud."""


def said(html: str) -> str:
    return SPOKEN.sub("", text_of(html))


@pytest.mark.parametrize(("spec", "moves"), CASES)
def test_the_page_of_a_position_says_what_the_command_says(spec: str, moves: str) -> None:
    position = parse_position(spec, moves)
    html, facts = page(f"/{spec}/p/{position_slug(position)}"), explain(spec, moves)
    assert all(sentence in text_of(html) for sentence in facts.sentences)
    assert not OWNED.search(said(html)), OWNED.search(said(html))
    data = get(f"/{spec}/p/{position_slug(position)}.json").body
    assert f'"label": "{facts.label}"'.encode() in data
    for move in facts.moves:
        assert f"{facts.verdict(move)}" in text_of(html) or move.outcome != facts.to_move


@pytest.mark.parametrize(("spec", "moves"), CASES)
def test_a_cell_leads_to_the_position_after_a_move_with_the_chosen_mark(spec: str, moves: str) -> None:
    position = parse_position(spec, moves)
    board, address = position.board, f"/{spec}/p/{position_slug(position)}"
    for mark in ("X", "O") if board.rules.chooses_mark else ("",):
        html = page(address + f"?mark={mark}" * bool(mark))
        to = links_in(html)
        for move in position.moves():
            if str(move)[:1] == mark or not mark:
                after = f"/{spec}/p/{position_slug(position.play(move))}"
                assert after + "?mark=O" * (mark == "O") in to, move
        assert ("Place" in text_of(html)) == bool(mark)
        assert not mark or text_of(html).count(f"blank, place an {mark} here") == position.blanks.bit_count()


def test_values_stand_on_the_cells_of_the_chosen_mark() -> None:
    """On X../.O./... of wild the mark on c3 matters: an X wins, an O draws."""
    values = solve("3x3+wild")
    at = parse_position("3x3+wild", "Xa1 Ob2")
    outcome = {str(move.cell): move.outcome for move in values.moves(at)}
    assert outcome["Xc3"] != outcome["Oc3"]
    x, o = (text_of(page(f"/3x3+wild/p/X__-_O_-___?mark={mark}")) for mark in "XO")
    assert re.search(r"c3, row 3, column 3, blank, place an X here\s*: the first player wins in 2 moves", x)
    assert re.search(r"c3, row 3, column 3, blank, place an O here\s*: a draw, which gives up the win", o)


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("3x3+wild", "Xb2 Oa1 Xb1 Xb3"),
        ("3x3+wild", "Xb2 Oa1 Xb1"),
        ("3x3+notakto", "a1 b2 c2"),
        ("2x3:3+order", "Oa1 Xb1"),
    ],
)
def test_the_page_of_a_game(spec: str, game: str) -> None:
    position = parse_position(spec, game)
    moves = [Move(position.board, each) for each in game.split()]
    html = page(f"/{spec}/g/{game_slug(Board.parse(spec), moves)}")
    assert not OWNED.search(said(html)), OWNED.search(said(html))
    assert game in text_of(html)
    assert ("Game over" in html or "The game is over" in html) == position.is_terminal


@pytest.mark.parametrize("where", ["", "/openings", "/positions", "/endings", "/tree/full", "/positions?sort=o-likely"])
@pytest.mark.parametrize("spec", ["2x2+wild", "2x3:3+order", "3x3+notakto"])
def test_pages_of_a_board(spec: str, where: str) -> None:
    html = page(f"/{spec}{where}")
    assert not OWNED.search(said(html)), OWNED.search(said(html))


def test_a_puzzle_is_tried_with_the_chosen_mark() -> None:
    puzzle = noughts.puzzles("3x3+wild", 1)[0]
    answer, mark = str(puzzle.cell), str(puzzle.cell)[0]
    html = page(f"/3x3+wild/puzzles?number=1&try=1&mark={mark}")
    assert text_of(html).count(f"blank, place an {mark} here") == puzzle.position.blanks.bit_count()
    to = next(to for to in links_in(html) if f"move={answer}" in to)
    right = text_of(page(to))
    assert (
        f"Right: {answer} {puzzle.facts.verdict(next(m for m in puzzle.facts.moves if m.cell == puzzle.cell))}" in right
    )
    wrong = text_of(page(f"/3x3+wild/puzzles?number=1&try=1&move={puzzle.wrong[0]}"))
    assert f"No: {puzzle.wrong[0]} " in wrong
    assert not OWNED.search(SPOKEN.sub("", right + wrong))
