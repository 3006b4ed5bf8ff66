"""Every capability on boards of every kind: tiny ones, without lines, on the torus, solid, misere, given by lines."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

import noughts
from noughts.strategy.trees import KINDS

BOARDS = [
    *map(noughts.Board.parse, ("1x1:1", "1x2:1", "1x1:2", "2x2:3", "1x5:2", "2x2:2", "3x3+torus", "2x2x2:2", "2x3:1")),
    *map(noughts.Board.parse, ("3x3+misere", "1x6:3+misere")),
    noughts.Board.from_lines(5, [(0, 1), (1, 2, 3), (3, 4)]),
    noughts.Board.from_lines(4, []),
    noughts.Board.from_lines(4, [(0, 1)], misere=True, name="pair"),
]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_everything_answers_or_refuses(board):
    for ask in (noughts.explain, noughts.openings, noughts.patterns):
        found = ask(board)
        json.dumps(found.as_dict())
        ET.fromstring(noughts.draw(found))
    json.dumps(noughts.payoff(board).as_dict())
    json.dumps(noughts.versus(board).as_dict())
    assert noughts.explain(board).sentences
    for kind in KINDS:
        try:
            drawn = noughts.tree(board, kind=kind)
        except noughts.InputError:
            assert kind in ("forced-wins", "reduced")
        else:
            ET.fromstring(noughts.draw(drawn))


def test_a_board_without_lines_is_drawn_from_the_start():
    assert noughts.explain("2x2:3").label == "draw"
    assert [(n.end, n.outcome) for n in noughts.tree("2x2:3").nodes] == [("no fork left", "draw")]
    assert noughts.versus("2x2:3").draws == 1


def test_boards_given_by_lines_name_their_cells_by_number():
    board = noughts.Board.from_lines(5, [(0, 1), (1, 2, 3), (3, 4)])
    assert noughts.explain(board).as_dict()["forced_wins"] == [["2", "1", "4"], ["4", "5", "2"]]


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(TypeError, match="cannot draw a str"):
        noughts.draw("3x3")  # type: ignore[arg-type]
