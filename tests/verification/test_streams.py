"""Tables of games by choices of large boards, computed again: whole where that fits, else their first plies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import noughts
from noughts.counting import engines
from noughts.known import load
from noughts.machine.budget import Limits
from noughts.verification import streams
from noughts.verification.streams import choices_held
from noughts.verification.verdict import Bench, NumberCheck

Rows = list[list[int]]
Held = Callable[..., NumberCheck]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    def hold(board: str, rows: Rows, **more: bool) -> NumberCheck:
        table = {"board": board, "command": "", "source": "here", "rows": rows}
        monkeypatch.setattr(streams, "load", lambda name: {"table": [table]})
        [verdict] = choices_held(Bench(Limits(), **more))
        return verdict

    return hold


def table_of(board: str) -> Rows:
    """Return the rows by the engine that lists the classes."""
    plies = noughts.count(board, same="choices", engine="layered").plies
    return [[row.ply, *(int(getattr(row, name) or 0) for name in COLUMNS)] for row in plies]


COLUMNS = ("positions", "paths", "x_wins", "o_wins", "draws")


def test_a_table_that_fits_is_held_whole_by_two_engines(held: Held) -> None:
    verdict = held("3x3:3", table_of("3x3:3"))
    assert verdict.status == "ok"
    assert verdict.compared == ("all plies, by streamed", "all plies, by layered")
    assert not verdict.out_of_reach
    assert not verdict.one_engine


@pytest.mark.parametrize("column", range(1, 6))
def test_a_wrong_entry_is_found(held: Held, column: int) -> None:
    rows = table_of("3x3:3")
    rows[7][column] += 1
    assert held("3x3:3", rows).status == "differs"


def test_where_the_whole_is_out_of_reach_the_first_plies_are_held(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is left out is named."""
    whole = table_of("3x3:3")
    monkeypatch.setattr(streams, "FIRST_PLIES", 6)

    def answer(question: Any, **more: Any) -> Any:
        if question.to_ply is None:
            raise noughts.BudgetError("too large")
        return engines.answer(question, **more)

    monkeypatch.setattr(streams, "answer", answer)
    verdict = held("3x3:3", whole)
    assert verdict.compared == ("to ply 6, by streamed", "to ply 6, by layered")
    assert verdict.out_of_reach == ("paths, games: plies 7 to 9",)
    whole[6][2] += 1
    assert held("3x3:3", whole).status == "differs"
    whole[6][2] -= 1
    whole[8][2] += 1
    assert held("3x3:3", whole).status == "ok"
    assert held("3x3:3", whole, patient=True).compared[2:] == ("positions",)
    whole[9][1] += 1
    assert held("3x3:3", whole).status == "ok"
    assert held("3x3:3", whole, patient=True).status == "differs"


@pytest.mark.slow
def test_the_tables_of_large_boards() -> None:
    found = list(choices_held(Bench(Limits.of(None, 10.0), patient=True)))
    assert [verdict.status for verdict in found] == ["ok"] * len(load("choices.toml")["table"])
    for verdict in found:
        assert {"streamed", "layered"} <= set(verdict.engines), verdict
