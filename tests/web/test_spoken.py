"""What goes wrong is said in words of addresses, and positions may be named by moves."""

from __future__ import annotations

import json

import pytest

from noughts.web.addresses import read_address
from noughts.web.answering import answer
from tests.effort import AT_ONCE, counted_calls


def said(path: str, query: str = "") -> tuple[int, str]:
    """Return the status and the sentence."""
    reply = answer(read_address(path, query))
    return reply.status, json.loads(reply.body)["error"]


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        ("/3x3/tree/reduced.json", "depth=3", "leave out ?depth="),
        ("/3x3/blindfold.json", "opening_told=1", "add ?blind=O, or leave out ?opening_told=1"),
        ("/3x3/blindfold.json", "opening=a1", "add ?blind=O ?opening_told=1"),
        ("/3x3/patterns.json", "by=X", "add ?force=NAME"),
        ("/5x5:4/tree/full.json", "", "ask with ?depth=, from a later position, or with a higher --limit (on the comm"),
    ],
)
def test_options_are_parameters(path, query, words):
    status, sentence = said(path, query)
    assert status in (400, 422)
    assert words in sentence


def test_moves_name_their_position():
    assert answer(read_address("/3x3/p/a1-c3", "quiz=1")).location == "/3x3/p/X__-___-__O?quiz=1"
    assert answer(read_address("/3x4:3/p/a1-d3.json")).location == "/3x4/p/X___-____-___O.json"
    status, sentence = said("/3x3/p/a1-a1.json")
    assert (status, sentence) == (404, "'a1-a1' plays a1 twice: each cell is taken once")
    assert said("/3x3/p/Xx-q.json")[1].startswith("'Xx-q' is no position of 3x3:3")


@pytest.mark.parametrize("board", ["1000x1000:3", "100x100:5", "20x20x20:3"])
def test_huge_boards_are_refused_at_once(board):
    with counted_calls() as effort:
        assert said(f"/{board}.json")[0] == 422
    assert effort.calls < AT_ONCE
