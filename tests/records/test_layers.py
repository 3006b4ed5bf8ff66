"""The layers of arrays give the rows of the catalogue in memory, and the values and counts of the other rooms."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.exporting.arrays import LayerSource
from noughts.exporting.columns import TABLES
from noughts.exporting.rows import MemorySource, Source
from noughts.exporting.sources import source_for
from noughts.machine.budget import Limits
from noughts.notebook import DISPLAYS
from noughts.records.bounds import least_by_ply, position_bound
from noughts.records.large import LayerCatalogue
from noughts.records.layers import Layers
from noughts.records.selection import Selection
from noughts.records.small import GraphCatalogue
from noughts.strategy.labels import LABELS

BOARDS = ["3x3", "2x4:3", "4x2:3", "3x3+misere", "3x3+torus", "2x2x2:2", "1x1:1", "1x2:1", "2x3:4", "1x6:2"]


def rows(source: Source, name: str) -> list[tuple[object, ...]]:
    return [row for chunk in source.chunks(TABLES[name]) for row in zip(*chunk, strict=True)]


@pytest.mark.parametrize("spec", BOARDS)
def test_rows_are_those_of_the_catalogue_in_memory(spec: str) -> None:
    board = Board.parse(spec)
    arrays, memory = LayerSource(board), MemorySource(GraphCatalogue(board))
    for name, table in TABLES.items():
        found = rows(arrays, name)
        assert found == rows(memory, name)
        assert arrays.size(table) == memory.size(table) == len(found)


@pytest.mark.parametrize("spec", BOARDS)
def test_records_are_those_of_the_catalogue_in_memory(spec: str) -> None:
    large, small = LayerCatalogue(spec), GraphCatalogue(spec)
    assert (len(large), large.boards, large.plies) == (len(small), small.boards, small.plies)
    assert list(large) == list(small)
    for record in small:
        assert large[record.position] == record
    for conditions in CONDITIONS:
        selection = Selection(**conditions)
        if conditions.keys() & {"fork", "real_decision"} and large.board.misere:
            continue
        assert large.where(selection) == small.where(selection), conditions


CONDITIONS: list[dict[str, Any]] = [
    *({name: True} for name in ("terminal", "unfinished", "drawn", "decision", "real_decision", "trap", "fork")),
    *({name: True} for name in ("symmetric", "matchbox")),
    *({"label": word} for word in LABELS),
    {"won": "X"},
    {"won": "any"},
    {"won": "O", "symmetric": True},
    {"ply": 0},
    {"ply": 1, "to_move": "O"},
    {"to_move": "X", "unfinished": True},
]


def test_a_large_board_answers_for_one_ply() -> None:
    found = noughts.catalogue("3x4:3")
    assert isinstance(found, LayerCatalogue)
    row = noughts.count("3x4:3", same="symmetry").plies[5]
    assert len(found.where(ply=5)) == row.positions
    assert len(found.where(ply=5, won="X")) == row.terminal_x


def test_too_many_records_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.records.catalogue.RECORD_LIMIT", 100)
    with pytest.raises(BudgetError, match="more than 100 classes"):
        noughts.catalogue("3x3").where(unfinished=True)
    assert len(noughts.catalogue("3x3").where(ply=2)) == 12


def test_a_board_given_by_its_lines() -> None:
    board = Board.from_lines(5, [(0, 1, 2), (2, 3, 4)], symmetries=[(4, 3, 2, 1, 0)])
    for name in TABLES:
        assert rows(LayerSource(board), name) == rows(MemorySource(GraphCatalogue(board)), name)


@pytest.mark.parametrize("spec", ["3x4:3", "2x5:3+misere"])
def test_values_and_counts_are_those_of_the_other_rooms(spec: str) -> None:
    layers, census = Layers(Board.parse(spec)), noughts.count(spec)
    solution = noughts.solve(spec)
    for ply, (layer, facts, row, values) in enumerate(
        zip(layers.layers, layers.facts, census.plies, solution.plies(), strict=True)
    ):
        assert int(layer.orbit.sum()) == row.positions
        assert int(facts.ways.sum()) == row.paths
        split = [int((facts.outcome == outcome).sum()) for outcome in (1, 0, -1)]
        assert split == [values.symmetry.x_wins, values.symmetry.draws, values.symmetry.o_wins]
        cut = int((facts.ways * facts.finishes).sum())
        over = sum(
            int((before.ways * (earlier.over != 2)).sum())
            for earlier, before in zip(layers.layers[:ply], layers.facts[:ply], strict=True)
        )
        assert cut + over == census.totals.finished


def test_arrays_hold_what_they_say() -> None:
    layers = Layers(Board.parse("2x4:3"))
    for layer, facts in zip(layers.layers, layers.facts, strict=True):
        assert layer.keys.dtype == facts.ways.dtype == facts.finishes.dtype == facts.weights.dtype == np.int64
        assert facts.outcome.dtype == facts.remoteness.dtype == layer.over.dtype == np.int8
        assert layer.orbit.dtype == layer.cells.dtype == np.int32
        assert facts.weights.shape == (3, len(layer))
        assert (np.diff(layer.keys) > 0).all()
        assert len(layer.first) == len(layer) + 1


def test_the_bound_is_above_the_positions_and_below_the_balanced_boards() -> None:
    for spec in BOARDS:
        board, found = Board.parse(spec), GraphCatalogue(spec)
        assert position_bound(board) >= sum(record.orbit for record in found)
    assert position_bound(Board.parse("1x64:1")) == 65
    assert list(accumulate(len(layer) for layer in GraphCatalogue("1x64:1").graph.layers))[-1] == 33


def test_each_board_gets_the_source_that_fits() -> None:
    assert isinstance(source_for(Board.parse("3x3")), MemorySource)
    assert isinstance(source_for(Board.parse("1x30:1")), MemorySource)
    assert isinstance(source_for(Board.parse("3x4:3")), LayerSource)
    with pytest.raises(BudgetError, match="over the budget of 1 MB"):
        source_for(Board.parse("3x4:3"), Limits(1_000_000))
    with pytest.raises(BudgetError, match="over the budget"):
        source_for(Board.parse("4x4:4"), Limits(seconds=1.0))
    with pytest.raises(BudgetError, match="more than 20 cells"):
        source_for(Board.parse("5x5"))
    with pytest.raises(BudgetError, match="go up to 20"):
        Layers(Board.parse("3x7"))


@pytest.mark.slow
def test_every_position_of_4x4(tmp_path: Path) -> None:
    source = LayerSource(Board.parse("4x4:4"))
    census = noughts.count("4x4:4")
    assert source.size(TABLES["positions"]) == census.totals.positions == 9_722_011
    total = 0
    for chunk in source.chunks(TABLES["positions"]):
        plies, over, games = (cast(list[int], chunk[i]) for i in (2, 4, -1))
        total += sum(through for ply, through in zip(plies, games, strict=True) if ply == 7)
        total += sum(through for ply, done, through in zip(plies, over, games, strict=True) if done and ply < 7)
    assert total == census.totals.finished


def test_a_large_catalogue_shows_itself_in_a_notebook() -> None:
    display = DISPLAYS["noughts.records.catalogue", "Catalogue"][1]
    assert "ply 2" in display(noughts.catalogue("3x4:3"))


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "2x5:3", "3x4:3", "3x3+torus", "2x2x2:2"])
def test_so_many_classes_there_are_at_least(spec: str) -> None:
    board = Board.parse(spec)
    found = [len(layer.keys) for layer in Layers(board).layers]
    least = least_by_ply(board)
    assert all(few <= many for few, many in zip(least, [*found, *[0] * len(least)], strict=False))
    assert least[0] == 1
    assert sum(least) > 1


def test_too_many_records_are_refused_before_any_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.records.large.Layers", None)
    catalogue = LayerCatalogue("4x4")
    for asked in (Selection(), Selection(ply=10)):
        monkeypatch.setattr("noughts.records.catalogue.RECORD_LIMIT", 300_000 if asked.ply is None else 100_000)
        with pytest.raises(BudgetError, match="classes of 4x4:4 are asked for: add conditions"):
            catalogue.where(asked)
