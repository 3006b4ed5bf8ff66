"""The page of a board: who wins, how many games, the empty board to start on, whatever its size."""

from __future__ import annotations

import json
import re

import pytest

from noughts import Board, Position, solve
from noughts.reports.play.solution import sentence
from noughts.web.addresses import read_address
from noughts.web.answering import answer


def body(address):
    reply = answer(read_address(address))
    assert reply.status == 200
    return reply.body.decode()


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus", "2x2:3", "1x1", "1x7:3", "2x2x2"])
def test_a_board_says_who_wins(spec):
    value = solve(spec).answer(Position(Board.parse(spec)))
    html = body(f"/{spec}")
    assert sentence(value) in html
    assert html.count('role="gridcell"') == Board.parse(spec).cells
    assert "style=" not in html


def test_a_board_says_how_many_games_with_its_convention():
    html = body("/3x3")
    assert "255,168 games and 5,478 positions" in html
    assert "Cells distinguishable, X starts, a game ends at a line or a full board." in html
    assert "1 game and 2 positions" in body("/1x1")


@pytest.mark.parametrize("spec", ["3x3", "2x3:2+misere", "1x1"])
def test_the_data_of_a_board_are_those_of_solve(spec):
    reply = answer(read_address(f"/{spec}.json"))
    board = Board.parse(spec)
    assert json.loads(reply.body) == json.loads(json.dumps(solve(board, Position(board)).answer().as_dict()))


@pytest.mark.parametrize("spec", ["20x20:5", "40x40:5", "100x100:5"])
def test_large_boards_answer_with_what_is_known(spec):
    html = body(f"/{spec}")
    assert "Who wins with best play is not found" in html
    assert "How many games there are takes longer than a page may." in html
    assert len(html) < 1_500_000


def test_the_empty_board_leads_on_as_it_lies():
    assert re.findall(r'<a href="([^"]*)" data-swap id="cell-c1"', body("/3x3")) == ["/3x3/p/__X-___-___"]


def test_the_words_for_a_torus_and_for_misere_are_said():
    assert "lines run on over them" in body("/3x3+torus")
    assert "<dd>loses</dd>" in body("/3x3+misere")
    assert "<dd>loses</dd>" not in body("/3x3")
