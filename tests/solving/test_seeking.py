"""Values of moves: within a budget, on drawn boards without a search, and wherever they are given those of tables."""

from __future__ import annotations

import random
import time

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Position
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.progress import silent
from noughts.machine.workers import workers_for
from noughts.solving import problem
from noughts.solving.attacking import AttackSolution
from noughts.solving.blocking import BlockingSolution
from noughts.solving.engines import choose
from noughts.solving.problem import SearchBudget
from noughts.solving.retrograde import offer
from noughts.solving.searching import SearchSolution
from noughts.solving.seeking import SeekingSolution
from noughts.solving.solution import Solution
from tests.solving.test_search import random_hypergraph, random_position


def table(board: Board) -> Solution:
    made = offer(problem.Problem(board), Limits())
    assert not isinstance(made, Refusal)
    return made.solve(workers_for(1), silent)


def same_where_given(found: Solution, true: Solution, position: Position) -> int:
    """Compare the values of all moves with the true ones; return how many were given."""
    expected = {move.cell: move.outcome for move in true.moves(position)}
    given = {move.cell: move.outcome for move in found.moves(position) if move.outcome is not None}
    assert given.items() <= expected.items()
    return len(given)


@pytest.mark.parametrize("spec", ["1x2:2", "2x3:3", "3x3", "3x4:4", "2x2x3:3"])
def test_no_first_move_loses_a_drawn_board(spec: str) -> None:
    board = Board.parse(spec)
    true = table(board)
    assert true.outcome() == "draw"
    assert {move.outcome for move in true.moves()} == {"draw"}


@pytest.mark.parametrize("seed", range(16))
def test_nor_one_of_any_lines(seed: int) -> None:
    board = random_hypergraph(seed)
    true = table(board)
    if true.outcome() == "draw" and not board.misere:
        assert {move.outcome for move in true.moves()} == {"draw"}
    search = SearchSolution(board, slots=1 << 12)
    search.outcome()
    assert same_where_given(search, true, Position(board)) == board.cells


def test_a_drawn_board_costs_its_moves_nothing() -> None:
    for solution in (SearchSolution(Board.parse("6x6:5"), slots=1 << 16), BlockingSolution(Board.parse("6x6:5"))):
        assert solution.outcome() == "draw"
        before = solution.nodes
        assert {move.outcome for move in solution.moves()} == {"draw"}
        assert solution.nodes == before


def test_under_misere_first_moves_may_lose_a_drawn_board() -> None:
    board = Board.parse("3x3+misere")
    solution = SearchSolution(board, slots=1 << 12)
    assert solution.outcome() == "draw"
    assert same_where_given(solution, table(board), Position(board)) == 9
    assert {move.outcome for move in solution.moves()} == {"draw", "O"}


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x3:2"])
@pytest.mark.parametrize("engine", [SearchSolution, AttackSolution, BlockingSolution])
def test_what_is_said_of_moves_is_true_when_blanks_are_many(
    spec: str, engine: type[SearchSolution | AttackSolution | BlockingSolution], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem, "FAR_BLANKS", 5)
    board, dice = Board.parse(spec), random.Random(spec)
    true, given = table(board), 0
    for _ in range(6):
        position = random_position(board, dice)
        found = engine(board, position)
        given += same_where_given(found, true, position)  # before its value is known, and after
        try:
            assert found.outcome() == true.outcome(position)
        except BudgetError:
            assert engine is BlockingSolution
        given += same_where_given(found, true, position)
    assert given > 0 or engine is BlockingSolution


def test_symmetric_moves_have_one_value() -> None:
    solution = SearchSolution(Board.parse("6x7:4"), slots=1 << 16, budget=SearchBudget(far_moves=100_000))
    assert solution.outcome() == "X"
    by_cell = {move.cell: move.value for move in solution.moves()}
    assert "win" in by_cell.values()
    assert None in by_cell.values()
    for cell, value in by_cell.items():
        row, column = divmod(cell, 7)
        assert value == by_cell[(5 - row) * 7 + column] == by_cell[row * 7 + 6 - column]


def test_a_budget_without_end_values_every_move() -> None:
    endless = SearchBudget(moves=None, far_moves=None)
    solution = SearchSolution(Board.parse("5x6:4"), budget=endless)
    assert None not in {move.value for move in solution.moves()}
    board = Board.parse("2x33:2")  # more cells than the search takes: attacks alone
    assert None not in {move.value for move in AttackSolution(board, budget=endless).moves()}
    assert None in {move.value for move in AttackSolution(board).moves()}


def test_far_positions_are_short_of_budget_unless_blocking_is_likely_to_stop_both() -> None:
    budget = SearchBudget(position=1_000_000, far=1_000)
    light, heavy = (SearchSolution(Board.parse(spec), slots=1 << 12, budget=budget) for spec in ("6x7:5", "7x8:5"))
    assert light.outcome() == "draw"
    assert {move.outcome for move in light.moves()} == {"draw"}
    with pytest.raises(BudgetError):
        heavy.outcome()
    assert heavy.spent < 1_000_000


def test_what_is_said_of_first_moves_serves_the_replies() -> None:
    solution = SearchSolution(Board.parse("4x5:4"), slots=1 << 12, budget=SearchBudget(moves=0, far_moves=0))
    assert solution.outcome() == "draw"
    opened = solution.nodes
    assert {solution.outcome(solution.start.play(move.cell)) for move in solution.moves()} == {"draw"}
    assert solution.nodes == opened


@pytest.mark.parametrize("engine", [SearchSolution, AttackSolution, BlockingSolution])
def test_after_the_deadline_nothing_is_searched(engine: type[SeekingSolution]) -> None:
    late = SearchBudget(deadline=time.monotonic() - 1)
    solution = engine(Board.parse("7x7:5"), None, budget=late)
    with pytest.raises(BudgetError):
        solution.outcome()
    assert {move.value for move in solution.moves()} == {None}
    assert solution.nodes <= 1 << 19


def test_the_earlier_of_two_ends_counts() -> None:
    soon = time.monotonic() + 1
    assert SearchBudget(deadline=soon, seconds=1000).until() == soon
    until = SearchBudget(deadline=soon + 1000, seconds=1).until()
    assert until is not None
    assert until < soon + 500
    assert not SearchBudget().is_timed


def test_tables_end_with_the_time_too() -> None:
    board = Board.parse("4x5:4")
    short = problem.Problem(board, Position(board), search=SearchBudget(seconds=0.2))
    assert choose(short).engine == "search"
    with pytest.raises(BudgetError, match="over the budget"):
        choose(short, engine="retrograde")
    assert choose(problem.Problem(board, Position(board), search=SearchBudget(seconds=600))).engine == "retrograde"
    small = Board.parse("4x4:3")
    ending = problem.Problem(small, search=SearchBudget(deadline=time.monotonic() + 30))
    prepared = choose(ending, engine="retrograde")
    late = problem.Problem(small, search=SearchBudget(deadline=time.monotonic() - 1))
    with pytest.raises(BudgetError):
        choose(late, engine="retrograde")
    assert prepared.solve(workers_for(1), silent).outcome() == "X"
