"""Tables of games by choices of large boards, computed again: whole where that fits, else their first plies."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.counting import engines
from noughts.counting.conventions import ladder
from noughts.judge import bench as streams
from noughts.judge import bench as witnesses
from noughts.judge import listing
from noughts.judge.bench import Bench, Comparing, NumberCheck, choices_held
from noughts.judge.listing import Listing
from noughts.judge.sampling import sampled_games, sampled_positions, sampled_values
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from noughts.solving.api import solve

Rows = list[list[int]]
Held = Callable[..., NumberCheck]


@pytest.fixture
def held() -> Held:
    def hold(board: str, rows: Rows, **more: bool) -> NumberCheck:
        table = {"board": board, "command": "", "source": "here", "rows": rows}
        return choices_held(table, Bench(Limits(), **more))

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
    monkeypatch.setattr(streams, "sampled_games", partial(sampled_games, games=20_000))
    compared = held("3x3:3", whole, patient=True).compared[2:]
    assert compared[:2] == ("positions", "games that end at ply 5 as X, within 3 deviations")
    assert len(compared) == 6
    whole[9][5] *= 2
    assert held("3x3:3", whole, patient=True).status == "differs"
    whole[9][5] //= 2
    whole[9][1] += 1
    assert held("3x3:3", whole).status == "ok"
    assert held("3x3:3", whole, patient=True).status == "differs"


def test_positions_of_large_boards_differ_where_no_sample_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "sampled_positions", partial(sampled_positions, boards=20_000))
    line = next(streams.sampled_lines())
    rows = [row for row in line.known if row["board"] == "7x7:4"]
    verdict = line.check(rows, Bench(Limits()))
    assert (verdict.status, verdict.one_engine) == ("ok", ())
    assert verdict.compared == ("7x7:4, within 3 deviations",)
    wrong = [{**row, "positions": str(int(row["positions"]) * 2)} for row in rows]
    assert line.check(wrong, Bench(Limits())).status == "differs"


def test_values_by_ply_differ_where_no_sample_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "sampled_values", partial(sampled_values, boards=200))
    line = next(line for line in streams.sampled_lines() if line.name == "5x5:4 values by ply")
    table = {**line.known, "rows": [row for row in line.known["rows"] if row[0] in {12, 16}]}
    verdict = line.check(table, Bench(Limits()))
    assert (verdict.status, verdict.one_engine) == ("ok", ())
    assert "ply 12, X, within 3 deviations" in verdict.compared
    table["rows"] = [
        [ply, x, draws, 2 * o] if ply == 16 else [ply, 2 * x, draws, o] for ply, x, draws, o in table["rows"]
    ]
    assert line.check(table, Bench(Limits())).status == "differs"


# What is held against a published number, what came of it, and how long a second engine may take.


def compared(*numbers: tuple[str, str, list[str]], judged: bool = False) -> NumberCheck:
    number = Comparing("games", "games of 3x3", "a book")
    for published, computed, by in numbers:
        number.hold("all", published, computed, by, judged=judged)
    return number.done()


def test_a_number_is_ok_where_two_engines_give_what_was_published() -> None:
    both = compared(("7", "7", ["plain", "layered"]))
    assert (both.status, both.compared, both.engines, both.one_engine) == ("ok", ("all",), ("layered", "plain"), ())
    one = compared(("7", "7", ["plain"]))
    assert (one.status, one.one_engine) == ("ok", ("all",))
    assert compared(("7", "7", ["plain"]), judged=True).one_engine == (), "a proof that was judged"
    wrong = compared(("7", "8", ["plain"]), ("7", "7", ["layered", "plain"]))
    assert (wrong.status, wrong.one_engine) == ("differs", ())
    assert wrong.compared == ("all: published 7, computed 8", "all")
    assert compared().status == "out of reach"
    assert both.as_dict()["engines"] == ["layered", "plain"]


def test_a_column_comes_from_every_engine_that_gives_it() -> None:
    bench, census = Bench(Limits()), noughts.count("2x3:2")
    question = census.question
    wins = [(row.ply, (row.x_wins or 0) + (row.o_wins or 0)) for row in census.plies]
    changed = [replace(row, x_wins=None, draws=7) for row in census.plies]
    other = replace(census, engine="other", plies=tuple(changed))
    bench._agreeing[question] = [census, replace(census, engine="same"), other]
    assert bench.column(question, ["x_wins", "o_wins"]) == (wins, [census.engine, "same"]), "not of what it lacks"
    assert bench.column(question, ["paths"])[1] == [census.engine, "same", "other"]
    with pytest.raises(CheckError, match="same, other disagree on 2x3:2"):
        bench.column(question, ["draws"])
    bench._agreeing[question] = [other]
    with pytest.raises(BudgetError, match=r"no engine within the budget gives the column x_wins \+ o_wins"):
        bench.column(question, ["x_wins", "o_wins"])


# The listing of all fillings as a second engine: the same numbers on odd boards, and a difference raises an error.

BOARDS = ["2x2", "2x4:2", "3x3:2+misere", "2x2x2", "1x8:3", "3x3:1"]
DEAR = ["3x3+torus", "3x3+misere", "3x3:4"]


@pytest.mark.parametrize("spec", [*BOARDS, *(pytest.param(spec, marks=pytest.mark.slow) for spec in DEAR)])
def test_the_listing_and_the_ladder_agree_on_every_step(spec):
    found, listed = ladder(Board.parse(spec)), Listing(spec)
    told = {rung.name: rung.count for rung in found if rung.count is not None and "," not in rung.name}
    assert len(told) >= 10
    assert {name: listed.rung(name) for name in told} == told


@pytest.mark.parametrize("spec", [pytest.param("3x3", marks=pytest.mark.slow), "2x4:2", "2x3:3+misere", "2x2x2"])
def test_classes_by_value_agree_in_three_engines(spec):
    board = Board.parse(spec)
    by_plies = {row.ply: row.symmetry for row in solve(spec).plies()}
    listed = Listing(spec).classes_by_value()
    assert {ply: (row["O"], row["draw"], row["X"]) for ply, row in listed.items()} == {
        ply: (split.o_wins, split.draws, split.x_wins) for ply, split in by_plies.items()
    }
    bench = Bench(Limits.of(None, 60.0))
    assert witnesses.also_valued(board, "retrograde", tuple(solve(spec).plies()), bench) == [
        "retrograde",
        "layered",
        "listing",
    ]


def test_an_engine_that_counts_otherwise_is_told(monkeypatch):
    with pytest.raises(CheckError, match=r"the ladder gives 41 on 2x2, but the listing of all fillings gives 40"):
        witnesses.also_listed("2x2", "the ladder", 41, lambda all_of: all_of.rung("reachable") + 11)
    monkeypatch.setattr(Listing, "_result", lambda self, filling: None if " " in filling else "draw")
    rows = tuple(solve("2x2").plies())
    witnesses._listing.cache_clear()
    with pytest.raises(CheckError, match="retrograde and listing give different numbers of classes by value on 2x2"):
        witnesses.also_valued(Board.parse("2x2"), "retrograde", rows, Bench(Limits.of(None, 60.0)))
    witnesses._listing.cache_clear()


def test_the_listing_imports_nothing_that_counts_or_solves():
    tree = ast.parse(Path(listing.__file__).read_text())
    ours = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "noughts" in str(node.module)
    }
    assert ours == {"noughts.rules.errors", "noughts.rules.board"}
