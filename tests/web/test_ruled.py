"""Pages within rules of play: what is said of them holds within the rules, and nobody wins without a line."""

from __future__ import annotations

import json
import re

import pytest

from noughts.domain.rules import EndRule, MoveRule
from noughts.records.api import catalogue
from noughts.web.addresses import read_address
from noughts.web.answering import answer
from noughts.web.recorded import ended, short


def page(path: str, query: str = "") -> str:
    reply = answer(read_address(path, query))
    assert reply.status == 200, reply.body
    return reply.body.decode()


@pytest.mark.parametrize(
    ("spec", "moves", "end"),
    [
        ("3x3", "block", "decided"),
        ("2x3:2+misere", "any", "decided"),
        ("2x3:2", "any", "decided"),
        ("2x2:3", "any", "decided"),
        ("2x3:2", "win", "line"),
        ("3x3+torus", "win", "line"),
    ],
)
def test_who_has_no_line_has_not_won(spec: str, moves: MoveRule, end: EndRule) -> None:
    for record in catalogue(spec, moves=moves, end=end):
        said, position = short(record, end), record.position
        lined = bool(position.completed_lines("X") or position.completed_lines("O"))
        assert ("has won" in said) == lined
        if record.is_terminal:
            assert said == ended(record)
            assert said.startswith("decided") == (not lined and position.blanks != 0)
        elif end == "decided" and record.outcome != "draw":
            assert "decided in" in said


def test_pages_of_pruned_play() -> None:
    rules = "moves=block&end=decided"
    index, endings, ply = page("/3x3", rules), page("/3x3/endings", rules), page("/3x3/positions", f"ply=3&{rules}")
    position = page("/3x3/p/OOX-X__-___", rules)  # X makes a fork: nobody can complete a line in one ply
    for each in (index, endings, ply, position):
        for board in re.findall(r"<li>.*?</li>", each, re.DOTALL):
            assert "has won" not in board or "decided" not in board
    assert "With best play within them the game is a draw" in index
    assert "With best play the game" not in index
    assert "decided for the player who wins" in index
    assert "Decided for X (" in endings
    assert "X has won (" not in endings
    assert "X wins (decided in 1 ply)" in position
    assert "X wins in 1 ply" not in position
    assert "Game over: decided for X (" in ply


def test_cells_lead_on_only_where_the_rules_allow_it() -> None:
    forced = page("/3x3/p/XX_-_O_-___", "moves=block")
    assert forced.count('class="cell blank best"') + forced.count('class="cell blank"') == 6
    assert forced.count('<div role="gridcell" class="cell blank best"><a') == 1
    assert "A blank cell leads on where the rules allow it." in forced
    assert "A blank cell leads on" not in page("/3x3/p/X__-___-___", "moves=block")
    assert "moves=block" in re.findall(r'<a href="(/3x3/p/XXO[^"]*)"', forced)[0]


def test_the_record_of_a_board_is_that_of_its_class_on_its_own_cells() -> None:
    found = catalogue("3x3", moves="block", end="decided")
    record = json.loads(answer(read_address("/3x3/p/___-_O_-__X.json", "moves=block&end=decided")).body)
    assert record["position"] == ".../.O./..X"
    assert record["class"] == str(found["X../.O./..."].canonical)
    assert record["end"] == "decided"
    assert int(record["ways"]) == found[".../.O./..X"].ways // record_orbit(record)


def record_orbit(record: dict[str, str]) -> int:
    return int(record["orbit"])


def test_what_the_rules_do_not_reach_is_refused_in_one_sentence() -> None:
    reply = answer(read_address("/3x3/p/X_O-___-___.json", "moves=perfect"))
    assert reply.status == 400
    assert b"is not reached on 3x3:3 where" in reply.body
    assert answer(read_address("/3x3.json", "end=full")).status == 400
