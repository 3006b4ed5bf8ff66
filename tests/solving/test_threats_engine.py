"""The engine `threats`: what it offers, what it refuses, and what it says of won and drawn positions."""

from __future__ import annotations

import pickle

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.machine.budget import Limits
from noughts.solving.engines import choose, solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proving import proof_by
from noughts.solving.solution import value_for
from tests.attackjudge import judge_win


def asked(spec: str, text: str | None = None, **more: object) -> Problem:
    board = Board.parse(spec)
    return Problem(board, Position(board) if text is None else parse_position(board, text), **more)  # type: ignore[arg-type]


def test_a_board_beyond_the_search_is_won_by_threats() -> None:
    problem = asked("9x9:4")
    solution = solve_problem(problem)
    answer = solution.answer()
    assert (answer.engine, answer.outcome, answer.remoteness, answer.at_most) == ("threats", "X", None, 11)
    assert answer.line is not None
    assert len(answer.line) <= 11
    assert [move.cell for move in answer.moves if move.value == "win"] == [answer.line[0]]
    copy = pickle.loads(pickle.dumps(solution))
    assert copy == solution
    assert copy.outcome() == "X"


def test_the_side_that_does_not_move_may_win() -> None:
    problem = asked("4x4:3", "a1 b2")
    solution = solve_problem(problem, engine="threats")
    found = solution.evaluate()
    table = solve_problem(problem, engine="retrograde")
    assert found.outcome == table.outcome()
    assert {move.cell: move.outcome for move in solution.moves()}.items() <= {
        **{move.cell: move.outcome for move in table.moves()},
        **{move.cell: None for move in solution.moves() if move.outcome is None},
    }.items()
    for move in table.moves():
        child = problem.start.play(move.cell) if problem.start else None
        assert solution.outcome(child) == move.outcome
        assert value_for(table.start.to_move, solution.outcome(child)) == move.value


def test_a_proof_can_be_had() -> None:
    board = Board.parse("6x6:4")
    solution = solve_problem(asked("6x6:4"), engine="threats")
    text = proof_by(solution, Position(board)).text
    judge_win(text, board.cells, [frozenset(line) for line in board.lines], "." * board.cells, "X", "X")
    drawn = solve_problem(asked("3x3"), engine="threats")
    assert drawn.outcome() == "draw"
    assert drawn.line() is None


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (asked("9x9:4+misere"), "under misere they lose"),
        (asked("21x20:4"), "up to 400 cells"),
        (asked("9x9:4", counts_only=True), "single positions only"),
        (asked("9x9:4", remoteness=True), "in how many plies at most"),
        (asked("9x9:6"), "finds no win from the empty board of 9x9:6"),
    ],
)
def test_what_it_does_not_answer_is_refused(problem: Problem, why: str) -> None:
    with pytest.raises(BudgetError, match=why):
        choose(problem, engine="threats", limits=Limits(memory=4_000_000_000))


def test_a_search_ends_with_its_budget() -> None:
    problem = asked("5x5:4", search=SearchBudget(position=200))
    with pytest.raises(BudgetError, match="no attack was seen to win"):
        solve_problem(problem, engine="threats").outcome()
