"""Boards with gravity, solved: against the list of all games, and what is not made for them says so."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError
from noughts.rules.marks import cells_of, mask_of, opponent
from noughts.rules.position import Position
from noughts.solving.api import solve
from noughts.solving.class_layers import ClassSolution
from noughts.solving.columns import ColumnSearcher, ColumnSolution, SavedSearch
from noughts.solving.problem import SearchBudget
from noughts.solving.published import known_value
from noughts.solving.values import Split
from tests import naive
from tests.games import OTHERS, Other

OUTCOMES = {1: "X", 0: "draw", -1: "O"}
SMALL = [name for name, other in OTHERS.items() if other.board.rules.by_column]


def positions_of(other: Other) -> list[str]:
    """All positions that play reaches, each once."""
    return sorted({path.positions[-1] for layer in naive.listed(other.rules) for path in layer})


def position_of(board: Board, text: str) -> Position:
    x, o = (sum(1 << cell for cell, mark in enumerate(text) if mark == player) for player in "XO")
    return Position(board, x, o)


@pytest.mark.parametrize("name", SMALL)
def test_every_position_of_small_boards(name: str) -> None:
    other = OTHERS[name]
    solution = solve(other.board)
    for text in positions_of(other)[:: 1 if other.board.cells < 12 else 7]:
        value, remoteness, outcomes = naive.ends(other.rules, text)
        at = position_of(other.board, text)
        assert (solution.outcome(at), solution.remoteness(at)) == (OUTCOMES[value], remoteness), text
        assert solution.is_decided(at) == (len(outcomes) == 1), text
        going = [] if other.rules.outcome(text) else other.rules.moves(text)
        assert sorted(move.cell for move in solution.moves(at)) == going, text
        for move in solution.moves(at):
            assert move.outcome == OUTCOMES[naive.ends(other.rules, other.rules.play(text, move.cell))[0]], text


# The engine `columns`.

MISERE = {"X": "O", "O": "X", "draw": "draw", None: None}


def rules_of(rows: int, columns: int, k: int, misere: bool) -> naive.Rules:
    rules = naive.gravity(rows, columns, k)
    return rules._replace(outcome=lambda text: MISERE[rules.outcome(text)]) if misere else rules


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(3, 3, 3), (2, 4, 2), (3, 3, 1), (3, 2, 4), (5, 2, 4), (1, 6, 3), (8, 1, 2), (3, 3, 5)]
)
def test_every_position_by_search(rows: int, columns: int, k: int, misere: bool) -> None:
    """With the number of plies and without it."""
    board = Board.grid(rows, columns, k, gravity=True, misere=misere)
    rules = rules_of(rows, columns, k, misere)
    exact, winner = ColumnSolution(board), ColumnSolution(board, whole=False)
    for text in {path.positions[-1] for layer in naive.listed(rules) for path in layer}:
        value, remoteness, _ = naive.ends(rules, text)
        at = position_of(board, text)
        found = exact.evaluate(at)
        assert (found.outcome, found.remoteness) == (OUTCOMES[value], remoteness), text
        assert winner.outcome(at) == OUTCOMES[value], text
        assert [winner.can_win(at, player) for player in ("X", "O")] == [value == 1, value == -1], text


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("rows", "columns", "k"), [(3, 3, 3), (2, 4, 2), (3, 3, 1), (3, 2, 4), (8, 1, 2), (2, 5, 3)])
def test_every_position_by_layers(rows: int, columns: int, k: int, misere: bool) -> None:
    board = Board.grid(rows, columns, k, gravity=True, misere=misere)
    rules, solution = rules_of(rows, columns, k, misere), ClassSolution(board)
    listed = [{path.positions[-1] for path in layer} for layer in naive.listed(rules)]
    for layer, row in zip([each for each in listed if each], solution.plies(), strict=True):
        values = {text: naive.ends(rules, text)[:2] for text in layer}
        for text, (value, remoteness) in values.items():
            found = solution.evaluate(position_of(board, text))
            assert (found.outcome, found.remoteness) == (OUTCOMES[value], remoteness), text
        counts = Counter(value for value, _ in values.values())
        assert row.labelled == Split(counts[1], counts[0], counts[-1])
        classes = {naive.position_class(text, naive.mirror(rows, columns)) for text in layer}
        counts = Counter(values[text][0] for text in classes)
        assert row.symmetry == Split(counts[1], counts[0], counts[-1])


def slow_score(board: Board, at: Position, low: int, high: int) -> int:
    """Plain alpha-beta in this file: positive if the side to move wins, larger for a sooner end."""
    if at.outcome is not None:
        return 0 if at.outcome == "draw" else (board.cells + 1 - at.ply) * (1 if at.outcome == at.to_move else -1)
    best = -board.cells - 1
    for move in at.moves():
        best = max(best, -slow_score(board, at.play(move), -high, -max(low, best)))
        if best >= high:
            break
    return best


@pytest.mark.parametrize(
    "spec", ["6x7:4", "5x6:4", "4x5:3", "6x6:5", "7x8:4", "4x12:4", "5x5:4+misere", "6x7:4+misere"]
)
def test_random_positions_of_larger_boards(spec: str) -> None:
    """With few blanks, against the slow search; the mirror image has the same value."""
    board = Board.parse(spec.replace("+misere", "") + "+gravity" + "+misere" * ("misere" in spec))
    dice, solution, tried = random.Random(3), ColumnSolution(board), 0
    while tried < 12:
        at = Position(board)
        while at.outcome is None and at.blanks.bit_count() > 8:
            at = at.play(dice.choice(at.moves()))
        if at.outcome is not None:
            continue
        tried += 1
        score, found = slow_score(board, at, -99, 99), solution.evaluate(at)
        winner = at.to_move if score > 0 else opponent(at.to_move)
        assert found.outcome == (winner if score else "draw"), at
        assert found.remoteness == (board.cells + 1 - abs(score) - at.ply if score else at.blanks.bit_count()), at
        assert len(solution.line(at) or ()) == found.remoteness, at
        mirror = board.group().elements[-1]
        x, o = (mask_of(mirror[cell] for cell in cells_of(marks)) for marks in (at.x, at.o))
        assert ColumnSolution(board).evaluate(Position(board, x, o)).remoteness == found.remoteness


def test_published_values() -> None:
    """Source: J. Tromp, and for the lengths C. Steininger; see known/rules.toml."""
    for spec, outcome, plies in (("4x4", "draw", 16), ("4x6", "O", 24), ("6x4", "draw", 24), ("5x5", "draw", 25)):
        found = solve(f"{spec}:4+gravity", engine="columns").evaluate()
        assert (found.outcome, found.remoteness) == (outcome, plies), spec


def test_a_search_stops_and_resumes() -> None:
    at, whole = Position(Board.parse("4x6:4+gravity")), ColumnSearcher(Board.parse("4x6:4+gravity"))
    expected, searcher, turns = whole.score(at), ColumnSearcher(at.board), 0
    while (found := searcher.score(at, limit=10_000)) is None:
        turns += 1
    assert found == expected
    assert turns == searcher.nodes // 10_000 > 0
    late = ColumnSolution(at.board, budget=SearchBudget(position=100))
    with pytest.raises(BudgetError, match="is not settled after 300 positions"):
        late.evaluate()


def test_a_small_table_grows_and_keeps_every_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.solving.columns.FIRST_SLOTS", 512)
    small, at = ColumnSearcher(Board.parse("4x5:4+gravity")), Position(Board.parse("4x5:4+gravity"))
    small.score(at)
    before = small._table[small._table != 0]
    small._grow()
    assert len(small._table) > 512
    assert sorted(small._table[small._table != 0]) == sorted(before)


def test_a_saved_search_resumes_where_it_stopped(tmp_path: Path) -> None:
    """In all it opens as many positions as one that was never stopped."""
    start = Position(Board.parse("4x6:4+gravity"))
    whole = ColumnSearcher(start.board)
    score, opened = whole.score(start), 0
    for part in range(4):
        searcher = ColumnSearcher(start.board)
        saved = SavedSearch(tmp_path, searcher, resume=part > 0)
        assert searcher.nodes == opened
        if part < 3:
            assert searcher.score(start, limit=50_000) is None
            saved.save()
        opened = searcher.nodes if part < 3 else opened
    assert 0 < opened < whole.nodes
    assert (searcher.score(start), searcher.nodes) == (score, whole.nodes)


@pytest.mark.parametrize("spec", ["6x6:4+gravity", "connect4"])
def test_what_took_a_search_long_is_answered_from_the_package(spec: str) -> None:
    """With every first move; a named engine searches. Where play is short, the search finds the same."""
    board = Board.parse(spec)
    answer = solve(spec, Position(board)).answer()
    assert (answer.engine, answer.nodes, len(answer.moves)) == ("columns", None, board.shape[1] if board.shape else 0)
    for move in answer.moves:  # what was only published has no plies
        child = answer.position.play(move.cell)
        assert move.value is not None
        assert (move.remoteness is None) == (known_value(child) or "").startswith(f"{spec_of(child)} is published")
    best = max(answer.moves, key=lambda move: move.best)
    assert (best.outcome, best.remoteness) == (answer.outcome, (answer.remoteness or 0) - 1)
    assert "found this in" in answer.proof
    with pytest.raises(BudgetError, match="is not settled after"):
        solve(spec, Position(board), engine="columns", time=0.001).value()


def spec_of(child: Position) -> str:
    """How the known values name a position after one mark, the left one of two mirror images."""
    cell = min(child.x.bit_length() - 1, child.board.group().canonical(child.x, 0)[0].bit_length() - 1)
    return f"{child.board} after a mark in {Move(child.board, cell)}"


def test_the_values_in_the_package_are_what_a_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of boards that are quick to search, as if that had been long."""
    monkeypatch.setattr("noughts.solving.published.LONG", 0.3)
    for spec in ("5x6:4+gravity", "6x5:4+gravity"):
        start = Position(Board.parse(spec))
        carried, searched = (solve(spec, start, engine=engine).evaluate() for engine in (None, "columns"))
        assert (carried.outcome, carried.remoteness) == (searched.outcome, searched.remoteness)
        assert carried.nodes is None
        assert searched.nodes
