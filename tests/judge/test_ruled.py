"""Published values where marks do not name the players: derived again, and shown where no engine reaches."""

from __future__ import annotations

from typing import Any

import pytest

from noughts.judge import values
from noughts.judge.bench import Bench, NumberCheck
from noughts.judge.values import ruled_lines
from noughts.known import ruled
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.published import known_value
from tests import naive


def verdicts() -> dict[str, NumberCheck]:
    bench = Bench(Limits(10**9, 10.0))
    return {line.name: line.check(line.known, bench) for line in ruled_lines()}


def test_published_values_are_derived_by_two_engines() -> None:
    found = verdicts()
    assert [found[f"values: {key}"].status for key in ("secrets", "wild", "turner")] == ["ok", "ok", "out of reach"]
    assert found["values: secrets"].engines == ("quotient", "retrograde", "the class graph")
    alone = found["values: secrets"].one_engine
    assert alone == ("3x3+notakto*4 by quotient", "3x3+notakto*5 by quotient")
    assert not found["values: wild"].one_engine


@pytest.mark.parametrize(("name", "wrong"), [("value", "O"), ("plies", 5), ("first", "Xb2")])
def test_a_wrong_value_is_found(monkeypatch: pytest.MonkeyPatch, name: str, wrong: object) -> None:
    rows = [{**row, name: wrong} if row["board"] == "3x3+wild" else row for row in ruled()]
    monkeypatch.setattr(values, "ruled", lambda: [row for row in rows if row.get("source") == "wild"])
    assert {name: each.status for name, each in verdicts().items()} == {"values: wild": "differs"}


def test_the_oracle_agrees_on_small_boards() -> None:
    """The values of one board of Notakto and of wild by listing all positions, without any engine."""
    value = {row["board"]: row["value"] for row in ruled()}
    board = naive.grid(3, 3, 3)
    assert naive.ends(naive.notakto(board), "." * 9)[0] == {"X": 1, "O": -1}[value["3x3+notakto"]]
    lined = naive.wild(9, lambda position, mark: naive.has_line(board, position, mark))
    assert naive.ends(lined, "." * 9)[:2] == ({"X": 1}[value["3x3+wild"]], 7)


def test_what_is_claimed_and_what_is_open_is_said() -> None:
    claimed, unknown = (known_value(Position(Board.parse(f"6x6:5+order{end}"))) for end in ("", "+exact"))
    assert claimed is not None
    assert "published as won by Order, and not proved here: claimed by B. G. Turner" in claimed
    assert unknown is not None
    assert "is open" in unknown
    found = known_value(Position(Board.parse("4x4:4+order")))
    assert found == "4x4:4+order is known to be won by Order, which the engine retrograde found in 11 s"
    assert known_value(Position(Board.parse("3x3+wild"))) is None
    assert known_value(Position(Board.parse("6x6:5+chaos"))) is None


def test_values_on_a_torus_and_under_misere_are_derived_again() -> None:
    """By a judged proof, by all positions, and by the search where neither ends in time; a wrong value differs."""
    bench = Bench(Limits(10**9, 1.0))
    rows: list[dict[str, Any]] = [
        {"board": "3x3:3+torus", "value": "X", "seconds": 0.0},
        {"board": "2x3:3+misere", "value": "draw", "seconds": 0.0},
        {"board": "8x8:8+torus", "value": "draw", "seconds": 500.0},
        {"board": "6x6:4+misere", "value": "open", "positions": 1},
    ]
    verdict = values._variants("torus", None, rows, bench)
    assert (verdict.status, verdict.out_of_reach) == ("ok", ("8x8:8+torus", "6x6:4+misere"))
    assert verdict.engines == ("retrograde", "the judge")
    boards = ("3x3:3+torus", "2x3:3+misere")
    assert verdict.compared == tuple(f"{board} by {name}" for board in boards for name in ("the judge", "retrograde"))
    rows[1]["value"] = "O"
    verdict = values._variants("misere", None, rows, bench)
    assert verdict.status == "differs"
