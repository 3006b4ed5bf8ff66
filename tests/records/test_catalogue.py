"""The catalogue: every record judged from its neighbours, every published count through the selections."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError, InvalidPosition, InvalidType
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.records.api import catalogue
from noughts.records.selection import Selection
from noughts.records.small import GraphCatalogue
from tests import naive
from tests.records.judge import Judge

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


PUBLISHED: dict[int, dict[str, Any]] = {
    765: {},
    138: {"terminal": True},
    91: {"won": "X"},
    44: {"won": "O"},
    3: {"drawn": True},
    593: {"decision": True},
    96: {"real_decision": True},
    304: {"matchbox": True},
    627: {"unfinished": True},
}


@pytest.mark.parametrize("count", PUBLISHED)
def test_published_counts(count: int) -> None:
    assert len(catalogue("3x3").where(**PUBLISHED[count])) == count


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
    found = noughts.catalogue("3x3")
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


@pytest.mark.parametrize("wrong", [{"won": "Q"}, {"to_move": "x"}, {"label": "X winz"}])
def test_a_condition_that_does_not_exist_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Selection(**wrong)


def test_a_condition_without_meaning_on_the_board_is_refused() -> None:
    refused: tuple[dict[str, Any], ...] = ({"fork": True}, {"real_decision": True})
    for conditions in refused:
        with pytest.raises(InputError, match="has no meaning"):
            catalogue("2x2:2+misere").where(**conditions)
    with pytest.raises(InputError, match="plies are 0 to 9"):
        catalogue("3x3").where(ply=10)


def test_misere_swaps_who_has_won() -> None:
    plain, misere = catalogue("3x3"), catalogue("3x3+misere")
    assert len(plain.where(won="X")) == len(misere.where(won="O"))
    assert len(plain.where(won="any")) == len(misere.where(won="any")) == 135
    assert Selection(won="any").words(misere.board) == ["won: the other player has completed a line"]
    assert Selection(won="X").words(misere.board) == ["X has won, as O has completed a line"]


def test_boards_too_large_to_hold_are_refused() -> None:
    with pytest.raises(BudgetError, match="position classes"):
        catalogue("5x5")
    # Export is advised only where it can do it.
    with pytest.raises(BudgetError, match="write them to a file with noughts export, or ask about a smaller board"):
        catalogue("4x5")
    with pytest.raises(BudgetError, match="3,000,000: ask about a smaller board"):
        catalogue("3x3x3:3")


def test_best_line_plays_to_the_end() -> None:
    found = catalogue("3x3")
    for record in found.where(ply=2):
        line = found.best_line(record)
        assert line[-1].is_terminal
        assert len(line) == record.remoteness + 1
        assert {each.outcome for each in line} == {record.outcome}


@pytest.mark.parametrize("board", ["3x3", "3x4"])
def test_a_catalogue_takes_a_record_a_position_or_its_text(board):
    found = catalogue(board)
    record, at = found["a1 b2"], parse_position(board, "a1 b2")
    assert list(found.orbit(record)) == list(found.orbit(at)) == list(found.orbit("a1 b2"))
    assert found.best_line(record) == found.best_line(at) == found.best_line("a1 b2")
    assert all(each in found for each in (record, record.canonical, at, "a1 b2"))
    assert all(each not in found for each in ("a1 a1", "XXX/OOO/...", 3, None, parse_position("2x2", "a1")))
    call: Any
    for call in (found.orbit, found.best_line):
        with pytest.raises(InvalidType, match="cannot be an int"):
            call(3)
        with pytest.raises(InvalidPosition, match="is a position of 2x2:2, not of"):
            call(catalogue("2x2")["a1"])


@pytest.mark.parametrize("board", ["3x3", "3x4"])
def test_a_ply_of_a_catalogue(board):
    found = catalogue(board)
    assert len(list(found.layer(1))) == len(found.where(ply=1))
    assert list(found.layer(99)) == []
    wrong: Any
    for wrong, words in ((-1, "the ply cannot be -1"), ("1", "the ply cannot be a str")):
        with pytest.raises(InputError, match=words):
            found.layer(wrong)


@pytest.mark.parametrize("spec", ["3x3", "2x4:3", "3x3+misere"])
def test_cells_of_a_record_are_cell_numbers_as_everywhere(spec: str) -> None:
    found = catalogue(spec)
    for position in ("a1", "a1 b1", "a1 a2 b1", "b2 c1", "c2 a2"):
        record, facts = found.of_board(position), noughts.explain(spec, position)
        assert record.position == facts.position
        assert record.best_moves == noughts.solve(spec, position).best_moves(record.position)
        assert found[position].best_moves == noughts.solve(spec).best_moves(record.canonical)
        assert (record.threats, record.forks) == (facts.threats, facts.forks)
        assert sorted(cell for move in record.moves for cell in move.cells) == list(record.position.moves())


def test_the_best_moves_of_a_record_are_a_policy() -> None:
    found = catalogue("3x3")
    match = noughts.versus("3x3", x=lambda position: found.of_board(position).best_moves, o="random")
    assert match.o_wins == 0
    assert match.x_wins == noughts.versus("3x3", x="quickest", o="random").x_wins
