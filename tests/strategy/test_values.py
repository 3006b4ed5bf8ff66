"""The three ways to a value agree, and what a search does not find is absent, not guessed."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError, InvalidPosition, InvalidType
from noughts.domain.position import Position
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import SearchBudget
from noughts.solving.searching import SearchSolution
from noughts.solving.small import SmallSolution
from noughts.solving.tables import TableSolution, solve_in_memory
from noughts.strategy import solutions
from noughts.strategy.explain import explanation
from noughts.strategy.solutions import SEARCH, solution_for
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
    graph, search = SmallSolution(board), SearchSolution(board, budget=SEARCH)
    tables = solve_in_memory(PerfectIndex(board), packed=False)
    for at in some_positions(board, 3, 6) + some_positions(board, 2, 6):
        assert graph.outcome(at) == tables.outcome(at) == search.outcome(at)
        assert graph.remoteness(at) == tables.remoteness(at)
        assert search.remoteness(at) in (None, graph.remoteness(at))
        assert graph.is_decided(at) == tables.is_decided(at) == search.is_decided(at)
        after = [{move.cell: move.outcome for move in found.moves(at)} for found in (graph, tables, search)]
        assert after[0] == after[1] == after[2]


def test_small_boards_need_no_tables_and_large_ones_have_them():
    assert isinstance(solution_for(Position(Board.parse("3x4:3"))), SmallSolution)
    assert isinstance(solution_for(Position(Board.parse("4x4:4"))), TableSolution)
    assert isinstance(solution_for(Position(Board.parse("5x5:4"))), SearchSolution)
    assert isinstance(noughts.solve("3x4:3"), SmallSolution)


def test_a_later_start_knows_the_positions_symmetric_to_those_it_reaches():
    board = Board.parse("3x3")
    start = noughts.parse_position(board, "X../.O./...")
    late, whole = SmallSolution(board, start), SmallSolution(board)
    for cell in range(1, 4):
        at = start.play(cell)
        turned = Position(board, *board.group().canonical(at.x, at.o))
        assert late.evaluate(turned).outcome == whole.outcome(turned)
        assert late.remoteness(turned) == whole.remoteness(turned)
        assert late.is_decided(turned) == whole.is_decided(turned)
    with pytest.raises(InvalidPosition, match="is not known: the solution has what play from"):
        late.outcome("b2")


def test_one_solution_explains_many_positions(monkeypatch):
    solution = noughts.solve("3x3")
    plain = [noughts.explain("3x3", start) for start in ("a1", "a1 b2")]
    monkeypatch.setattr("noughts.strategy.explain.solution_for", None)
    assert [noughts.explain("3x3", start, solution=solution) for start in ("a1", "a1 b2")] == plain
    with pytest.raises(InvalidType, match="a solution cannot be a str: give what"):
        noughts.explain("3x3", solution="X")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the solution is of 3x3:3, not of 3x4:3: give both for one board"):
        noughts.explain("3x4:3", solution=solution)


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
    little = SearchBudget(position=2, moves=2)
    monkeypatch.setattr(solutions.solution_for, "__defaults__", (little,))
    board = Board.parse("6x6:5")
    with pytest.raises(BudgetError, match=r"is not settled after [1-9] positions: ask noughts solve"):
        solution_for(Position(board)).outcome()
    facts = noughts.explain(board)
    record: Any = facts.as_dict()
    assert (record["outcome"], record["label"], record["remoteness"]) == (None, None, None)
    assert {move["outcome"] for move in record["moves"]} == {None}
    assert facts.sentences == ("Nobody is threatened; who wins was not found.",)
    theory = noughts.openings(board)
    assert theory.advice[0] == "Who wins with best play was not found."
    assert noughts.draw(theory).startswith("<svg")
    assert noughts.draw(facts).startswith("<svg")


def test_a_tree_of_searches_ends_when_all_of_them_have_spent_the_budget(monkeypatch):
    monkeypatch.setattr(solutions.solution_for, "__defaults__", (replace(SEARCH, whole=1_000),))
    found = noughts.tree("5x5:4", kind="full", depth=1)
    outcomes = [node.outcome for node in found.nodes]
    assert None in outcomes
    assert noughts.openings("5x5:4").openings[-1].outcome is None


@pytest.mark.slow
def test_a_search_of_a_large_board_is_short():
    """What a quarter of a million positions do not settle with more than 36 blanks, eight million hardly ever do."""
    start = Position(Board.parse("8x8:5"))
    solution = solution_for(start)
    assert isinstance(solution, SearchSolution)
    assert explanation(start, solution).outcome is None
    assert 0 < solution.nodes <= 501_000


def test_pairings_and_bounds_settle_large_boards():
    found = noughts.explain("8x8:8")
    assert (found.outcome, found.remoteness) == ("draw", 64)
