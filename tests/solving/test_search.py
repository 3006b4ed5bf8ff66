"""`search` against `retrograde`, known values, and the reasons it gives for a draw."""

from __future__ import annotations

import random

import pytest

from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import Threads, silent, workers_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.solving import problem
from noughts.solving.classgraph import ClassGraph
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import Problem, SearchBudget, SolvingOffer
from noughts.solving.retrograde import SmallSolution, offer
from noughts.solving.search import SearchSolution
from noughts.solving.solution import Solution
from noughts.solving.stages import Stage
from noughts.solving.tables import count_values, solve_in_memory
from noughts.solving.transposition import Searcher


def random_position(board: Board, dice: random.Random) -> Position:
    """Return a position after some random moves, before the game is over."""
    while True:
        position = Position(board)
        for _ in range(dice.randrange(board.cells)):
            cells = [cell for cell in range(board.cells) if position.blanks >> cell & 1]
            position = position.play(dice.choice(cells))
            if position.outcome is not None:
                break
        else:
            return position


@pytest.mark.parametrize("spec", ["3x4:3", "2x5:3", "4x4:3", "4x4", "3x4:3+misere", "4x4+torus", "3x5:4", "2x2x3:2"])
def test_search_equals_retrograde(spec: str) -> None:
    _compare(spec, 400)


def random_hypergraph(seed: int) -> Board:
    """Return a board of up to eight cells with random lines of one to five cells; every fourth is misere."""
    dice = random.Random(seed)
    cells = dice.randint(4, 8)
    sizes = [min(cells, dice.choice((1, 2, 2, 3, 3, 3, 4, 5))) for _ in range(dice.randint(2, 8))]
    lines = [dice.sample(range(cells), size) for size in sizes]
    return Board.from_lines(cells, lines, misere=seed % 4 == 0)


@pytest.mark.parametrize("seed", range(30))
def test_all_engines_agree_on_random_hypergraphs(seed: int) -> None:
    board = random_hypergraph(seed)
    small, searched = SmallSolution(board), SearchSolution(board, slots=1 << 8)
    graph = ClassGraph(Game(board))
    outcomes = {1: "X", 0: "draw", -1: "O"}
    for node, value in zip(graph.nodes, graph.values, strict=True):
        assert searched.outcome(Position(board, node.state.x, node.state.o)) == outcomes[value], (board.lines, node)
    assert count_values(PerfectIndex(board), packed=True) == small.plies()
    assert count_values(PerfectIndex(board), packed=False) == small.plies()


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x5:3", "3x3+torus", "3x4:3+misere"])
def test_search_equals_retrograde_on_every_position(spec: str) -> None:
    board = Board.parse(spec)
    tables = solve_in_memory(PerfectIndex(board), packed=True, workers=Threads(2))
    searched = SearchSolution(board, slots=1 << 16)
    for node in ClassGraph(Game(board)).nodes:
        position = Position(board, node.state.x, node.state.o)
        assert searched.outcome(position) == tables.outcome(position), position


def _compare(spec: str, count: int) -> None:
    board = Board.parse(spec)
    tables = solve_in_memory(PerfectIndex(board), packed=True, workers=Threads(2))
    searched = SearchSolution(board, slots=1 << 16)
    dice = random.Random(spec)
    for _ in range(count):
        position = random_position(board, dice)
        assert searched.outcome(position) == tables.outcome(position), position


def test_a_search_stops_at_its_limit_and_goes_on() -> None:
    board = Board.parse("5x5:4")
    searcher, whole = Searcher(board, slots=1 << 16), Searcher(board, slots=1 << 16)
    assert searcher.can_force(Position(board), "X", limit=1_000) is None
    assert searcher.nodes == 1_000
    assert searcher.can_force(Position(board), "X") is False
    assert whole.can_force(Position(board), "X") is False
    assert searcher.nodes == whole.nodes, "it begins again"


# Values of moves: within a budget, on drawn boards without a search, and wherever they are given those of tables.


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


@pytest.mark.parametrize("seed", range(16))
def test_nor_one_of_any_lines(seed: int) -> None:
    board = random_hypergraph(seed)
    true = table(board)
    if true.outcome() == "draw" and not board.misere:
        assert {move.outcome for move in true.moves()} == {"draw"}
    search = SearchSolution(board, slots=1 << 12)
    search.outcome()
    assert same_where_given(search, true, Position(board)) == board.cells


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x3:2"])
@pytest.mark.parametrize("stage", [None, "threats", "blocking"])
def test_what_is_said_of_moves_is_true_when_blanks_are_many(
    spec: str, stage: Stage | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem, "FAR_BLANKS", 5)
    board, dice = Board.parse(spec), random.Random(spec)
    true, given = table(board), 0
    for _ in range(6):
        position = random_position(board, dice)
        found = SearchSolution(board, position, stage=stage)
        given += same_where_given(found, true, position)  # before its value is known, and after
        try:
            assert found.outcome() == true.outcome(position)
        except BudgetError:
            assert stage == "blocking"
        given += same_where_given(found, true, position)
    assert given > 0 or stage == "blocking"


@pytest.mark.parametrize(("spec", "stage", "seen"), [("9x9:4", "threats", True), ("9x9:4", "blocking", False),
                                                     ("8x9:8", "blocking", True)])  # fmt: skip
def test_a_first_look_at_a_large_board_is_that_of_its_stage(spec: str, stage: Stage, seen: bool) -> None:
    assert SearchSolution(Board.parse(spec), None, stage=stage).first_look() == seen


def test_where_a_search_would_have_to_end_the_values_of_all_positions_are_refused() -> None:
    for seconds, engine in ((None, SolvingOffer), (0, Refusal)):
        assert isinstance(offer(Problem(Board.parse("4x4"), search=SearchBudget(seconds=seconds)), Limits()), engine)
