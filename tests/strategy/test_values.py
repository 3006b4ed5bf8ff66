"""The three ways to a value agree, and what a search does not find is absent, not guessed."""

from __future__ import annotations

import random
from typing import Any

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Position
from noughts.solving.searching import SearchSolution
from noughts.strategy import values as room
from noughts.strategy.values import GraphValues, SearchValues, SolvedValues, values_for
from tests.strategy.oracle import oracle


def some_positions(board: Board, plies: int, count: int) -> list[Position]:
    dice, found = random.Random(7), list[Position]()
    while len(found) < count:
        position = Position(board)
        for _ in range(plies):
            blanks = [cell for cell in range(board.cells) if position.blanks >> cell & 1]
            position = position.play(dice.choice(blanks))
            if position.is_terminal:
                break
        else:
            found.append(position)
    return found


@pytest.mark.parametrize("spec", ["3x4:3", "4x3:3", "2x5:3", "3x3+torus", "3x3+misere"])
def test_graph_tables_and_search_agree(spec):
    board = Board.parse(spec)
    graph, search = GraphValues(Position(board)), SearchValues(SearchSolution(board))
    tables = SolvedValues(noughts.solve(board, engine="retrograde"))
    for at in some_positions(board, 3, 6) + some_positions(board, 2, 6):
        assert graph.outcome(at.x, at.o) == tables.outcome(at.x, at.o) == search.outcome(at.x, at.o)
        assert graph.remoteness(at.x, at.o) == tables.remoteness(at.x, at.o)
        assert search.remoteness(at.x, at.o) in (None, graph.remoteness(at.x, at.o))
        assert graph.decided(at.x, at.o) == tables.decided(at.x, at.o) == search.decided(at.x, at.o)
        assert graph.after(at) == tables.after(at) == search.after(at)


def test_small_boards_need_no_tables_and_large_ones_have_them():
    assert isinstance(values_for(Position(Board.parse("3x4:3"))), GraphValues)
    assert isinstance(values_for(Position(Board.parse("4x4:4"))), SolvedValues)
    assert isinstance(values_for(Position(Board.parse("5x5:4"))), SearchValues)


def test_explanations_of_4x4_from_tables():
    """A fork-and-force board: the oracle values the ends of its games."""
    board = oracle(4, 4, 3)
    for at in some_positions(Board.parse("4x4:3"), 8, 4):
        s = str(at).replace("/", "")
        found = noughts.explain("4x4:3", at)
        assert (found.outcome, found.remoteness, found.label) == (board.value(s), board.remoteness(s), board.label(s))
        assert [m.outcome for m in found.moves] == [board.value(board.put(s, m.cell)) for m in found.moves]
    assert noughts.explain("4x4:3").label == "X can force a win"


def test_openings_of_a_board_beyond_tables():
    theory = noughts.openings("5x5:4")
    assert theory.outcome == "draw"
    assert (len(theory.openings), theory.replies) == (6, 85)
    assert all(reply.outcome is not None for opening in theory.openings for reply in opening.replies)
    centre = theory.openings[-1]
    assert noughts.explain("5x5:4", centre.position).outcome == centre.outcome


def test_what_is_not_found_is_none(monkeypatch):
    monkeypatch.setattr(room, "SEARCH_NODES", 2)
    values_for.cache_clear()
    board = Board.parse("6x6:5")
    with pytest.raises(BudgetError, match="was not settled by a search of 2 positions"):
        values_for(Position(board)).outcome(0, 0)
    facts = noughts.explain(board)
    record: Any = facts.as_dict()
    assert (record["outcome"], record["label"], record["remoteness"]) == (None, None, None)
    assert {move["outcome"] for move in record["moves"]} == {None}
    assert facts.sentences == ("Nobody is threatened; who wins was not found.",)
    theory = noughts.openings(board)
    assert theory.advice[0] == "Who wins with best play was not found."
    assert noughts.draw(theory).startswith("<svg")
    assert noughts.draw(facts).startswith("<svg")
    values_for.cache_clear()


def test_a_tree_of_searches_ends_when_all_of_them_have_spent_the_budget(monkeypatch):
    monkeypatch.setattr(room, "SEARCH_NODES_IN_ALL", 1_000)
    values_for.cache_clear()
    found = noughts.tree("5x5:4", kind="full", depth=1)
    outcomes = [node.outcome for node in found.nodes]
    assert None in outcomes
    assert noughts.openings("5x5:4").openings[-1].outcome is None
    values_for.cache_clear()


def test_pairings_and_bounds_settle_large_boards():
    found = noughts.explain("8x8:8")
    assert (found.outcome, found.remoteness) == ("draw", 64)
