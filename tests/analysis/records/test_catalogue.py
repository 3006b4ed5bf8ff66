"""The catalogue: every record judged from its neighbours, every published count through the selections."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import pytest

import noughts
from noughts.analysis.explain.wording import LABELS
from noughts.analysis.records.api import catalogue, positions
from noughts.analysis.records.catalogue import GraphCatalogue, position_bound
from noughts.analysis.records.layers import LayerCatalogue, Layers
from noughts.analysis.records.record import Selection
from noughts.exporting.arrays import LayerSource
from noughts.exporting.columns import TABLES, MemorySource, Source
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.position import Position
from tests import naive
from tests.analysis.records.judge import Judge
from tests.dear import sample

GAMES: dict[str, tuple[naive.Game, tuple[naive.Permutation, ...]]] = {
    "3x3:3": (naive.grid(3, 3, 3), naive.isometries(3, 3)),
    "3x3:3+misere": (naive.grid(3, 3, 3, misere=True), naive.isometries(3, 3)),
    "3x3:3+torus": (naive.grid(3, 3, 3, torus=True), naive.isometries(3, 3, torus=True)),
    "2x4:3": (naive.grid(2, 4, 3), naive.isometries(2, 4)),
    "4x2:3": (naive.grid(4, 2, 3), naive.isometries(4, 2)),
    "2x2x2:2": (naive.grid(2, 2, 2, layers=2), naive.isometries(2, 2, layers=2)),
    "2x3:4": (naive.grid(2, 3, 4), naive.isometries(2, 3)),
    "1x1:1": (naive.grid(1, 1, 1), naive.isometries(1, 1)),
}


def judge(spec: str) -> Judge:
    board = Board.parse(spec)
    records = json.loads(json.dumps([record.as_dict() for record in GraphCatalogue(board)]))
    names = [cell_name(board, cell) for cell in range(board.cells)]
    return Judge(records, *GAMES[spec], names)


@pytest.mark.parametrize("spec", GAMES)
def test_every_record_follows_from_its_neighbours(spec: str) -> None:
    judge(spec).check()


def more(key: str) -> Callable[[dict[str, Any]], None]:
    def spoil(record: dict[str, Any]) -> None:
        record[key] = str(int(record[key]) + 1)

    return spoil


SPOILED: dict[str, Callable[[dict[str, Any]], None]] = {
    **{key: more(key) for key in ("ways", "finishes", "ways_by_choices", "finishes_by_choices", "games", "orbit")},
    "remoteness": lambda record: record.update(remoteness=record["remoteness"] + 2),
    "outcome": lambda record: record.update(outcome="X" if record["outcome"] != "X" else "O"),
    "trap": lambda record: record.update(trap=not record["trap"]),
    "decided": lambda record: record.update(decided=not record["decided"]),
    "predecessors": lambda record: record["predecessors"].pop(),
    "best_moves": lambda record: record["best_moves"].append("a1"),
    "random_play": lambda record: record["random_play"].update(X="1/2", O="1/2", draw="0/1"),
}


@pytest.mark.parametrize("key", SPOILED)
def test_the_judge_sees_a_wrong_fact(key: str) -> None:
    found = judge("2x3:4") if key != "trap" else judge("3x3:3")
    name = next(name for name, record in found.records.items() if record["ply"] == 3)
    found.records[name] = copy.deepcopy(found.records[name])
    SPOILED[key](found.records[name])
    with pytest.raises(AssertionError):
        found.check()


def test_labelled_positions_are_the_boards_of_the_classes() -> None:
    found = catalogue("3x3")
    boards = list(found.labelled())
    assert {"".join(str(record.position).split("/")) for record in boards} == set(naive.reachable(naive.grid(3, 3, 3)))
    assert len(boards) == 5478
    assert sum(record.games for record in boards if record.ply == 4) == 255168
    assert len(list(found.labelled(found.where(terminal=True, won="X")))) == 626


def test_cells_of_a_labelled_record_belong_to_its_board() -> None:
    for record in catalogue("2x4:3").labelled(catalogue("2x4:3").where(ply=5, symmetric=True, unfinished=True)):
        assert record.threats is not None
        assert record.threats["X"] == record.position.threats("X")
        assert set(record.best_moves) <= set(record.position.moves())
        again = catalogue("2x4:3")[record.position]
        assert again.canonical == record.canonical
        assert again.ways == record.ways * record.orbit


def test_a_record_is_found_by_any_board_of_its_class() -> None:
    found = noughts.analysis.catalogue("3x3")
    assert found["X.O/.X./..O"] is found["O..\n.X.\nO.X"]
    assert found["X.O/.X./..O"].label == "either can force a draw"
    assert found["a1"].canonical == found["c3"].position
    assert Position(Board.parse("3x3"), 1, 0) in found
    assert Position(Board.parse("3x3"), 1, 2 | 4) not in found
    with pytest.raises(InputError, match="cannot arise"):
        found["XXX/OOO/..."]


def test_conditions_combine() -> None:
    found = catalogue("3x3")
    both = found.where(ply=5, fork=True)
    assert both == [record for record in found.where(fork=True) if record.ply == 5]
    assert found.where(won="X", drawn=True) == []
    assert found.where(won="any", drawn=True) == []
    either = [record for record in found.where(terminal=True) if record.outcome != "draw"]
    assert found.where(won="any") == either
    assert len(either) == 135
    assert {record.label for record in found.where(label="draw")} == {"draw"}
    assert len(found.where(to_move="X")) + len(found.where(to_move="O")) == 765
    assert all(record.stabiliser > 1 for record in found.where(symmetric=True))


def test_a_condition_without_meaning_on_the_board_is_refused() -> None:
    refused: tuple[dict[str, Any], ...] = ({"fork": True}, {"real_decision": True})
    for conditions in refused:
        with pytest.raises(InputError, match="has no meaning"):
            catalogue("2x2:2+misere").where(**conditions)
    with pytest.raises(InputError, match="plies are 0 to 9"):
        catalogue("3x3").where(ply=10)


def test_boards_too_large_to_hold_are_refused() -> None:
    with pytest.raises(BudgetError, match="position classes"):
        catalogue("5x5")
    # Export is advised only where it can do it.
    with pytest.raises(BudgetError, match="write them to a file with noughts export, or ask about a smaller board"):
        catalogue("4x5")
    with pytest.raises(BudgetError, match="3,000,000: ask about a smaller board"):
        catalogue("3x3x3:3")


@pytest.mark.parametrize("board", ["3x3", "3x4"])
def test_a_ply_of_a_catalogue(board):
    found = catalogue(board)
    assert len(list(found.layer(1))) == len(found.where(ply=1))
    assert list(found.layer(99)) == []
    wrong: Any
    for wrong, words in ((-1, "the ply cannot be -1"), ("1", "the ply cannot be a str")):
        with pytest.raises(InputError, match=words):
            found.layer(wrong)


# The layers of arrays give the rows of the catalogue in memory, and the values and counts of the other rooms.

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


@pytest.mark.parametrize("spec", sample(BOARDS, 3))
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


def test_the_bound_is_above_the_positions_and_below_the_balanced_boards() -> None:
    for spec in BOARDS:
        board, found = Board.parse(spec), GraphCatalogue(spec)
        assert position_bound(board) >= sum(record.orbit for record in found)
    assert position_bound(Board.parse("1x64:1")) == 65
    assert list(accumulate(len(layer) for layer in GraphCatalogue("1x64:1").graph.layers))[-1] == 33


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


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ("X control", "X can force a win"),
        ("o CONTROL", "O can force a win"),
        ("force tie", "either can force a draw"),
        ("Force-Tie", "either can force a draw"),
        ("tie", "draw"),
        ("cat's game", "draw"),
        ("X Wins", "X wins"),
        ("Draw", "draw"),
    ],
)
def test_labels_in_the_words_of_a_writing(given, label):
    """The boards are those of the label, and there are some."""
    named, usual = positions("3x3", label=given), positions("3x3", label=label)
    assert [str(each.position) for each in named] == [str(each.position) for each in usual] != []
    assert named.as_dict() == usual.as_dict()
