"""The listing of all fillings as a second engine: the same numbers on odd boards, and a wrong one is told."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import noughts
from noughts.counting.conventions.ladder import ladder
from noughts.counting.layers.valued import unfinished_by_value
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError
from noughts.machine.budget import Limits
from noughts.solving.api import solve
from noughts.verification import listing, witnesses
from noughts.verification.listing import Listing
from noughts.verification.verdict import Bench

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


def test_the_layers_by_value_hold_on_a_larger_board():
    rows = {row.ply: row.symmetry for row in solve("3x4:3").plies()}
    found = unfinished_by_value(Board.parse("3x4:3"), Limits())
    for row in noughts.count("3x4:3", same="symmetry").plies:
        finished = (row.terminal_o or 0, row.terminal_draw or 0, row.terminal_x or 0)
        open_ = found.get(row.ply, (0, 0, 0))
        split = rows[row.ply]
        assert tuple(map(sum, zip(finished, open_, strict=True))) == (split.o_wins, split.draws, split.x_wins)


def test_an_engine_that_counts_otherwise_is_told(monkeypatch):
    with pytest.raises(CheckError, match=r"the ladder gives 41 on 2x2, and the listing of all fillings 40"):
        witnesses.also_listed("2x2", "the ladder", 41, lambda all_of: all_of.rung("reachable") + 11)
    monkeypatch.setattr(Listing, "_result", lambda self, filling: None if " " in filling else "draw")
    rows = tuple(solve("2x2").plies())
    witnesses._listing.cache_clear()
    with pytest.raises(CheckError, match="retrograde and listing give other numbers of classes by value on 2x2"):
        witnesses.also_valued(Board.parse("2x2"), "retrograde", rows, Bench(Limits.of(None, 60.0)))
    witnesses._listing.cache_clear()


def test_symmetries_are_found_by_turning_and_by_trying():
    assert len(Listing("2x4:2").symmetries) == Board.parse("2x4:2").group().order == 4
    assert len(Listing("2x2x2").symmetries) == Board.parse("2x2x2").group().order == 48
    for spec in ("2x3:2", "2x4:2", "2x3:3"):
        assert Listing(spec).line_symmetries == Board.parse(spec).group("lines").order


def test_what_is_too_large_is_refused_before_anything_is_listed():
    with pytest.raises(BudgetError, match="10 cells"):
        Listing("2x5")
    assert witnesses.also_listed("4x4", "the ladder", 1, lambda all_of: all_of.rung("fillings")) == ["the ladder"]
    with pytest.raises(BudgetError, match="by value are beyond the budget"):
        unfinished_by_value(Board.parse("5x5"), Limits(10**9, 60.0))
    with pytest.raises(BudgetError, match="up to 64 cells"):
        unfinished_by_value(Board.parse("9x9:5"), Limits())


def test_the_listing_imports_nothing_that_counts_or_solves():
    tree = ast.parse(Path(listing.__file__).read_text())
    ours = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "noughts" in str(node.module)
    }
    assert ours == {"noughts.domain.errors", "noughts.domain.specification"}
