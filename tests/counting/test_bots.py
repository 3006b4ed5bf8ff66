"""How many bots differ, against the oracle on strings: a product over decision classes of distinct choices."""

from __future__ import annotations

from math import prod

import pytest

import noughts
from noughts.counting.conventions.bots import bots
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.records.large import LayerCatalogue
from noughts.records.positions import Positions
from noughts.records.selection import Selection
from tests.strategy.oracle import Oracle, oracle

BOARDS = {"3x3": (3, 3, 3), "2x4:3": (2, 4, 3), "4x2:3": (4, 2, 3), "2x3:2": (2, 3, 2), "1x6:3": (1, 6, 3)}


def choices(board: Oracle, s: str) -> int:
    """How many boards, no two of them turned or mirrored, the next move can make of this one."""
    return len({board.canonical(board.put(s, cell)) for cell in board.blanks(s)})


@pytest.mark.parametrize("spec", BOARDS)
@pytest.mark.parametrize("misere", [False, True])
def test_bots_are_the_product_of_the_choices_at_the_decisions(spec: str, misere: bool) -> None:
    board = oracle(*BOARDS[spec])
    classes = {board.canonical(s) for s in board.reachable() if not board.over(s) and s.count(".") > 1}
    quiet = {s for s in classes if not board.threats(s, "X") and not board.threats(s, "O")}
    expected = {
        "decisions": prod(choices(board, s) for s in classes),
        "matchboxes": prod(choices(board, s) for s in classes if board.mover(s) == "X"),
        **({} if misere else {"real decisions": prod(choices(board, s) for s in quiet)}),
    }
    name = spec + "+misere" * misere
    assert bots(Board.parse(name)) == expected
    assert {rung.name: rung.bots for rung in noughts.matrix(name).positions if rung.bots} == expected
    assert noughts.positions(name, decision=True).bots == expected["decisions"]
    assert noughts.positions(name, matchbox=True).bots == expected["matchboxes"]
    if not misere:
        assert noughts.positions(name, real_decision=True).bots == expected["real decisions"]


def test_the_published_numbers_of_digits() -> None:
    assert len(str(noughts.positions("3x3", real_decision=True).bots)) == 57
    assert len(str(noughts.positions("3x3", decision=True).bots)) == 305


def test_finished_games_leave_no_choice_and_labelled_boards_any_blank_cell() -> None:
    board = oracle(2, 3, 2)
    assert noughts.positions("2x3:2").bots == noughts.positions("2x3:2", unfinished=True).bots
    going_on = [s for s in board.reachable() if not board.over(s) and s.count(".") > 1]
    labelled = noughts.positions("2x3:2", same="labelled", decision=True)
    assert labelled.bots == prod(s.count(".") for s in going_on)
    assert noughts.positions("3x3", terminal=True).bots == 1


def test_arrays_give_the_same() -> None:
    large = LayerCatalogue("3x3")
    selection = Selection(decision=True)
    found = Positions(large.board, "symmetry", large.question, selection, len(large), 0, tuple(large.where(selection)))
    assert found.bots == noughts.positions("3x3", decision=True).bots


def test_numbers_longer_than_python_prints_are_given_in_full() -> None:
    found = noughts.positions("2x5:3", same="labelled", decision=True)
    text = found.summary()["bots"]
    assert isinstance(text, str)
    assert len(text) > 4300
    assert found.bots % 10**9 == int(text[-9:])
    assert text[0] != "0"


def test_too_many_classes_are_refused_and_the_page_goes_without() -> None:
    with pytest.raises(BudgetError, match="counting the bots that differ on 4x4:3"):
        bots(Board.parse("4x4:3"))
