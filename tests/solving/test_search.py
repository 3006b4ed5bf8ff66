"""`search` against `retrograde`, known values, and the reasons it gives for a draw."""

from __future__ import annotations

import random

import pytest

from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import Threads, silent, workers_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game
from noughts.rules.position import Position, parse_position
from noughts.solving import problem
from noughts.solving.bounds import pairing
from noughts.solving.classgraph import ClassGraph
from noughts.solving.engines import solve_problem
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.retrograde import SmallSolution, offer
from noughts.solving.search import SearchSolution
from noughts.solving.solution import Solution
from noughts.solving.stages import Stage
from noughts.solving.tables import count_values, solve_in_memory
from noughts.solving.transposition import Searcher, _grown


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
    monkeypatch.setattr("noughts.solving.transposition.SLICE", 77)
    sliced = Searcher(board, slots=1 << 16)
    assert sliced.can_force(Position(board), "X") is True
    assert sliced.nodes == whole.nodes


def test_the_table_grows_with_the_search_and_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("5x5:4")
    whole = Searcher(board, slots=1 << 16)
    assert whole.can_force(Position(board), "X") is False
    monkeypatch.setattr("noughts.solving.transposition.FIRST_SLOTS", 1 << 8)
    small, grown = Searcher(board, slots=1 << 8), Searcher(board, slots=1 << 16)
    assert small.can_force(Position(board), "X") is grown.can_force(Position(board), "X") is False
    assert len(small._known.rows) == 1 << 8
    assert len(grown._known.rows) > 1 << 10
    assert whole.nodes <= grown.nodes < small.nodes
    nodes = grown.nodes
    assert grown.can_force(Position(board), "X") is False
    assert grown.nodes - nodes < nodes // 100, "what it had settled is lost"


def test_a_larger_table_has_every_entry_of_a_smaller_one() -> None:
    board = Board.parse("5x5:4")
    searcher = Searcher(board, slots=1 << 12)
    assert searcher.can_force(Position(board), "X", limit=500) is None
    before = {tuple(row) for row in searcher._known.rows.tolist() if row[3]}
    after = {tuple(row) for row in _grown(searcher._known.rows, 1 << 16).tolist() if row[3]}
    assert after <= before
    assert len(after) > 0.95 * len(before) > 50


def test_the_table_does_not_grow_where_memory_is_scarce(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.solving.transposition.FIRST_SLOTS", 1 << 8)
    monkeypatch.setattr("noughts.solving.transposition.free_memory", lambda: 3 * 32 << 11)
    searcher = Searcher(Board.parse("5x5:4"))
    assert searcher.can_force(Position(searcher.board), "X", limit=10_000) is None
    assert len(searcher._known.rows) == 1 << 11


def test_it_says_how_it_knows() -> None:
    def proof(spec: str, text: str = "") -> str:
        board = Board.parse(spec)
        return SearchSolution(board).evaluate(parse_position(board, text) if text else Position(board)).proof

    assert "strategy stealing" in proof("5x5:4")
    assert "Erdos-Selfridge" in proof("6x6:6")
    assert proof("5x6:4").startswith("win by search for X")
    assert "no line is left" in proof("2x2:3")
    assert "pairing" in proof("2x4:2+torus", "") or proof("2x4:2+torus").startswith("win by search")


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
    with pytest.raises(BudgetError, match="not the distribution of all values"):
        solve_problem(Problem(board, None, counts_only=True), engine="search")
    with pytest.raises(BudgetError, match="plies to the end"):
        solve_problem(Problem(board, None, remoteness=True), engine="search")
    with pytest.raises(BudgetError, match="finds no win from the empty board of 9x9:5, and no pairs"):
        solve_problem(Problem(Board.parse("9x9:5"), Position(Board.parse("9x9:5"))))


# A forced move of the attacker on a guarded pair: the answer to it leaves the attacker to move again.


def test_a_block_with_tempo_wins():
    """X must block at c1, which threatens d1; O answers, and X forks below."""
    board = Board.parse("2x5:3")
    assert SearchSolution(board).outcome(parse_position(board, "OO..X/.X...")) == "X"


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
