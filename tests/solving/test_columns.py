"""Boards with gravity, solved: against the list of all games, and what is not made for them says so."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from noughts.judge.values import falling_values
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError, CheckError, InputError
from noughts.rules.marks import cells_of, mask_of, opponent
from noughts.rules.position import Position, parse_position
from noughts.solving.api import solve
from noughts.solving.bounds import surely_drawn, why_not
from noughts.solving.class_layers import ClassSolution
from noughts.solving.columns import ColumnSearcher, ColumnSolution, SavedSearch
from noughts.solving.engines import choose
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.published import known_before, known_value, turned_boards
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


@pytest.mark.parametrize("engine", ["search", "threats", "blocking", "proof"])
def test_engines_for_marking_games_refuse(engine: str) -> None:
    with pytest.raises(BudgetError, match="gravity"):
        solve("6x7:4+gravity", "d d d", engine=engine)


def test_reasons_of_marking_games_do_not_apply() -> None:
    """The second player wins 4x6:4 with gravity, so no strategy is stolen there."""
    board = Board.parse("4x6:4+gravity")
    assert why_not(Position(board), "O") is None
    assert not surely_drawn(Position(Board.parse("2x4:2+gravity")))
    assert [spec for spec, _ in turned_boards(board)] == ["4x6:4+gravity"]


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


def test_published_positions() -> None:
    """Source: J. Tromp, tromp.github.io/c4/c4.html."""
    for spec, positions in (("4x4", 161_029), ("5x4", 1_706_255)):
        rows = solve(f"{spec}:4+gravity", engine="retrograde").plies()
        assert sum(row.labelled.total for row in rows) == positions


def test_layers_and_search_agree() -> None:
    board, dice = Board.parse("4x5:3+gravity"), random.Random(5)
    layers, search = ClassSolution(board), ColumnSolution(board)
    for _ in range(300):
        at = Position(board)
        for _ in range(dice.randrange(board.cells)):
            at = at if at.outcome is not None else at.play(dice.choice(at.moves()))
        assert layers.evaluate(at).remoteness == search.evaluate(at).remoteness, at
        assert layers.outcome(at) == search.outcome(at), at


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


def test_a_value_is_the_best_of_the_moves() -> None:
    solution = solve("6x7:4+gravity", "d d d d d d b b f e e c")
    value, moves = solution.evaluate(), solution.moves()
    assert solution.engine == "columns"
    assert moves[0].best
    assert moves[0].outcome == value.outcome
    assert moves[0].remoteness == (value.remoteness or 0) - 1


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
    assert small.score(at) == 0
    least = ColumnSearcher(at.board, memory=4096)
    assert (least.score(at), len(least._table)) == (0, 512)


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


def test_a_folder_has_one_search_of_a_board(tmp_path: Path) -> None:
    board, other = Board.parse("4x5:4+gravity"), Board.parse("5x4:4+gravity")
    with pytest.raises(InputError, match=r"has no search of 4x5:4.gravity: remove --resume"):
        SavedSearch(tmp_path, ColumnSearcher(board), resume=True)
    SavedSearch(tmp_path, ColumnSearcher(board), resume=False).save()
    SavedSearch(tmp_path, ColumnSearcher(other), resume=False).save()
    with pytest.raises(InputError, match=r"has a search of 4x5:4.gravity: add --resume"):
        SavedSearch(tmp_path, ColumnSearcher(board), resume=False)
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:-9] + b"123456789")
    with pytest.raises(CheckError, match="is damaged"):
        SavedSearch(tmp_path, ColumnSearcher(board), resume=True)


def test_boards_that_the_search_does_not_take() -> None:
    for spec in ("8x8:4+gravity", "63x1:4+gravity", "3x3"):
        with pytest.raises(BudgetError, match="the engine columns takes boards"):
            solve(spec, engine="columns")


def test_published_values_are_shown_before_a_long_search() -> None:
    start = Position(Board.parse("6x7:4+gravity"))
    assert "6x7:4+gravity is known to be won by X, which the engine columns found in 3 min" in (
        known_before(start) or ""
    )
    assert "5x8:4+gravity is published as won by X" in (known_before(Position(Board.parse("5x8:4+gravity"))) or "")
    for cell, value in (("a6", "O"), ("g6", "O"), ("e6", "a draw"), ("d6", "X")):
        assert value in (known_value(start.play(cell)) or ""), cell
    assert known_value(start.play("d6").play("d5")) is None
    assert known_before(Position(Board.parse("5x6:4+gravity"))) is None
    assert known_value(Position(Board.parse("6x5:4+gravity"))) != known_value(Position(Board.parse("5x6:4+gravity")))


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


def test_the_published_values_that_take_a_moment() -> None:
    (verdict,) = falling_values(10**9, 3.0)
    assert verdict.status == "ok"
    assert {"4x4:4+gravity by retrograde", "6x5:4+gravity by columns"} <= set(verdict.compared)
    assert "6x7:4+gravity" in verdict.out_of_reach


def test_a_refusal_names_only_engines_for_the_rules() -> None:
    with pytest.raises(BudgetError) as marking:
        choose(Problem(Board.parse("20x20:5"), counts_only=True))
    with pytest.raises(BudgetError) as falling:
        solve("8x8:4+gravity")
    assert ("columns takes" in str(marking.value), "search is not made" in str(falling.value)) == (False, False)
    assert "--engine" not in str(falling.value)
    with pytest.raises(BudgetError, match="with --engine columns"):
        solve("6x7:4+gravity", engine="retrograde")


def test_all_positions_of_a_small_board_are_valued_at_once() -> None:
    """Without a start the layers answer, and with one the search where it is quicker."""
    assert (solve("4x4:4+gravity").engine, solve("6x7:4+gravity").engine) == ("retrograde", "columns")
    assert solve("5x5:4+gravity", "a b c d e a b c").engine == "columns"
    with pytest.raises(BudgetError, match="is not made for 4x4:3\\+exact, where a row longer than a line"):
        solve("4x4:3+exact", engine="search")


def test_a_far_position_has_a_budget_of_its_own() -> None:
    board = Board.parse("6x7:4+gravity")
    solution = ColumnSolution(board, budget=SearchBudget(far=10))
    with pytest.raises(BudgetError, match="is not settled after 30 positions"):
        solution.evaluate()
    assert solution.outcome(parse_position(board, "d d d d d b d b b b b")) == "O"
