"""`search` against `retrograde`, known values, and the reasons it gives for a draw."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.game import MarkingGame
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.machine.workers import Threads
from noughts.solving.bounds import pairing, weight_bound
from noughts.solving.classgraph import ClassGraph
from noughts.solving.engines import solve_problem
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proving import proof_by
from noughts.solving.searcher import Searcher
from noughts.solving.searching import SearchSolution
from noughts.solving.small import SmallSolution
from noughts.solving.tables import count_values, solve_in_memory
from noughts.verification.proofs.judge import judge_proof


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "count"), [("4x4:3", 10_000), ("4x4", 10_000), ("4x5:4", 10_000), ("4x4:3+misere", 3_000)]
)
def test_search_equals_retrograde_at_length(spec: str, count: int) -> None:
    _compare(spec, count)


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
    graph = ClassGraph(MarkingGame(board))
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
    for node in ClassGraph(MarkingGame(board)).nodes:
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


@pytest.mark.parametrize(
    ("spec", "outcome", "most_nodes"),
    [
        ("5x5:4", "draw", 25_000),
        ("5x6:4", "X", 10_000),
        ("6x6:5", "draw", 10_000),
        ("4x7:4", "draw", 100_000),
        ("5x7:4", "X", 100_000),
        ("7x8:4", "X", 10_000),
        ("8x8:4", "X", 10_000),
        ("3x3x3", "X", 10_000),
    ],
)
def test_known_values(spec: str, outcome: str, most_nodes: int) -> None:
    solution = SearchSolution(Board.parse(spec))
    assert solution.outcome() == outcome
    assert solution.nodes < most_nodes


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "most_bytes"), [("4x9:4", 20_000), ("9x4:4", 21_000)])
def test_four_in_a_row_on_four_by_nine(spec: str, most_bytes: int) -> None:
    """Lying on its side it is searched in another order, and the proof that comes first is a little longer."""
    solution = SearchSolution(Board.parse(spec))
    start = Position(solution.board)
    assert solution.outcome() == "X"
    assert solution.nodes < 16_000_000
    proof = proof_by(solution, start)
    assert judge_proof(proof.text).claim == "X wins"
    assert proof.size < most_bytes


def test_a_search_stops_at_its_limit_and_goes_on() -> None:
    board = Board.parse("5x5:4")
    searcher, whole = Searcher(board, slots=1 << 16), Searcher(board, slots=1 << 16)
    assert searcher.can_force(Position(board), "X", limit=1_000) is None
    assert searcher.nodes == 1_000
    assert searcher.can_force(Position(board), "X") is False
    assert whole.can_force(Position(board), "X") is False
    assert searcher.nodes == whole.nodes, "it begins again"


def test_another_question_in_between_does_not_mislead() -> None:
    board = Board.parse("5x5:4")
    start, later = Position(board), Position(board).play(12)
    searcher = Searcher(board, slots=1 << 16)
    assert searcher.can_force(start, "X", limit=100) is None
    assert searcher.can_force(later, "X", limit=100) is None
    assert searcher.can_force(start, "X") is False
    assert searcher.can_force(later, "X") is False


def test_the_answer_does_not_depend_on_how_it_is_sliced(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("5x6:4")
    whole = Searcher(board, slots=1 << 16)
    assert whole.can_force(Position(board), "X") is True
    monkeypatch.setattr("noughts.solving.searcher.SLICE", 77)
    sliced = Searcher(board, slots=1 << 16)
    assert sliced.can_force(Position(board), "X") is True
    assert sliced.nodes == whole.nodes


def test_it_says_how_it_knows() -> None:
    def proof(spec: str, text: str = "") -> str:
        board = Board.parse(spec)
        return SearchSolution(board).evaluate(parse_position(board, text) if text else Position(board)).proof

    assert "strategy stealing" in proof("5x5:4")
    assert "Erdos-Selfridge" in proof("6x6:6")
    assert proof("5x6:4").startswith("win by search for X")
    assert "no line is left" in proof("2x2:3")
    assert "pairing" in proof("2x4:2+torus", "") or proof("2x4:2+torus").startswith("win by search")


def test_bounds_by_hand() -> None:
    board = Board.parse("4x4")
    assert weight_bound(Position(board), "X") == Fraction(10, 16) + Fraction(3, 16)
    assert weight_bound(Position(board), "O") == Fraction(10, 16)


def test_a_pairing_is_one() -> None:
    board = Board.from_lines(8, [(0, 1, 2, 3), (2, 3, 4, 5), (4, 5, 6, 7)])
    pairs = pairing(Position(board), "X")
    assert pairs is not None
    cells = [cell for pair in pairs.values() for cell in pair]
    assert len(cells) == len(set(cells)) == 6
    assert all(line >> cell & 1 for line, pair in pairs.items() for cell in pair)
    assert pairing(Position(Board.parse("4x4")), "X") is None
    outcome = solve_problem(Problem(board, Position(board)), engine="search").evaluate()
    assert outcome.outcome == "draw"


def test_moves_beyond_the_budget_have_no_value() -> None:
    solution = SearchSolution(Board.parse("4x7:4"), budget=SearchBudget(moves=1))
    moves = solution.moves()
    assert any(move.value is None and not move.best for move in moves)
    assert all((move.value is None) == (move.outcome is None) for move in moves)


def test_what_search_refuses() -> None:
    board = Board.parse("5x6:4")
    with pytest.raises(BudgetError, match="not how all are distributed"):
        solve_problem(Problem(board, None, counts_only=True), engine="search")
    with pytest.raises(BudgetError, match="plies to the end"):
        solve_problem(Problem(board, None, remoteness=True), engine="search")
    with pytest.raises(BudgetError, match="64 cells"):
        solve_problem(Problem(Board.parse("9x9:5"), Position(Board.parse("9x9:5"))))
