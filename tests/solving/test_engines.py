"""Every engine gives every position of every small board the outcome, remoteness and moves that the oracle gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from noughts.machine.workers import Threads
from noughts.rules.position import Position
from noughts.solving.index import PerfectIndex
from noughts.solving.retrograde import SmallSolution
from noughts.solving.search import SearchSolution
from noughts.solving.solution import Solution, decided_outcome
from noughts.solving.tables import count_values, solve_in_memory
from tests import naive
from tests.boards import GRIDS, SMALL, Small, small
from tests.dear import dear

OUTCOMES = {1: "X", 0: "draw", -1: "O"}


def in_bytes(board: Small) -> Solution:
    return solve_in_memory(PerfectIndex(board.board), packed=False)


def in_two_bits(board: Small) -> Solution:
    return solve_in_memory(PerfectIndex(board.board), packed=True, workers=Threads(2))


def by_search(board: Small) -> Solution:
    return SearchSolution(board.board, slots=1 << 8)


def in_python(board: Small) -> Solution:
    return SmallSolution(board.board)


ENGINES: dict[str, Callable[[Small], Solution]] = {
    "bytes": in_bytes,
    "two bits": in_two_bits,
    "search": by_search,
    "python": in_python,
}
"""Each way to solve a board, on the same boards under the same tests."""

BOARDS = (*SMALL, "3x3:3", "3x3:3+misere", "2x4:3", "2x4:3+misere", "4x2:2+misere", "3x3:3+torus", "2x2x2:2")
MORE: dict[str, dict[str, int | bool]] = {
    "3x3:3": {"rows": 3, "columns": 3, "k": 3},
    "3x3:3+misere": {"rows": 3, "columns": 3, "k": 3, "misere": True},
    "2x4:3": {"rows": 2, "columns": 4, "k": 3},
    "2x4:3+misere": {"rows": 2, "columns": 4, "k": 3, "misere": True},
    "4x2:2+misere": {"rows": 4, "columns": 2, "k": 2, "misere": True},
    "3x3:3+torus": {"rows": 3, "columns": 3, "k": 3, "torus": True},
    "2x2x2:2": {"rows": 2, "columns": 2, "layers": 2, "k": 2},
}


@pytest.fixture(autouse=True)
def _with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, sides in MORE.items():
        monkeypatch.setitem(GRIDS, name, sides)


def position_of(board: Small, text: str) -> Position:
    x = sum(1 << cell for cell, mark in enumerate(text) if mark == "X")
    o = sum(1 << cell for cell, mark in enumerate(text) if mark == "O")
    return Position(board.board, x, o)


@pytest.mark.parametrize("name", dear(BOARDS, "3x3:3+torus", "2x4:3+misere", "1x7:3", "fano"))
@pytest.mark.parametrize("engine", ENGINES)
def test_every_position(name: str, engine: str) -> None:
    board = small(name)
    solution = ENGINES[engine](board)
    for text in naive.reachable(board.game):
        found = solution.evaluate(position_of(board, text))
        assert found.outcome == OUTCOMES[naive.value(board.game, text)], text
        if engine in ("bytes", "python"):
            assert found.remoteness == naive.remoteness(board.game, text), text


@pytest.mark.parametrize("name", ["3x3:3", "2x3:2", "3x2:2", "flower", "2x3:3+misere", "1x2x3:2"])
@pytest.mark.parametrize("engine", ENGINES)
def test_moves_and_line(name: str, engine: str) -> None:
    board = small(name)
    solution = ENGINES[engine](board)
    for text in sorted(naive.reachable(board.game))[::7]:
        at = position_of(board, text)
        answer = solution.answer(at, line=True)
        moves = {move.cell: move for move in answer.moves}
        if naive.line_outcome(board.game, text):
            assert answer.moves == ()
            assert answer.line == ()
            continue
        assert sorted(moves) == naive.blanks(text)
        sign = 1 if naive.mover(text) == "X" else -1
        exact = engine in ("bytes", "python")
        keys = {}
        for cell, move in moves.items():
            after = naive.play(text, cell)
            worth = sign * naive.value(board.game, after)
            assert move.outcome == OUTCOMES[naive.value(board.game, after)]
            assert move.value == {1: "win", 0: "draw", -1: "loss"}[worth]
            plies = naive.remoteness(board.game, after)
            if exact:
                assert move.remoteness == plies
            keys[cell] = (worth, worth * -plies if exact else 0)
        best = max(keys.values())
        assert {cell for cell, move in moves.items() if move.best} == {c for c, key in keys.items() if key == best}
        assert answer.line is not None
        assert _outcome_along(board, text, answer.line) == answer.outcome
        if exact:
            assert len(answer.line) == answer.remoteness


def _outcome_along(board: Small, text: str, line: tuple[int, ...]) -> str | None:
    for cell in line:
        assert naive.line_outcome(board.game, text) is None
        text = naive.play(text, cell)
    return naive.line_outcome(board.game, text)


@pytest.mark.parametrize("name", BOARDS)
def test_values_by_ply(name: str) -> None:
    board = small(name)
    want: dict[tuple[int, str], set[str]] = {}
    classes: dict[tuple[int, str], set[str]] = {}
    for text in naive.reachable(board.game):
        key = (board.game.cells - text.count("."), OUTCOMES[naive.value(board.game, text)])
        want.setdefault(key, set()).add(text)
        classes.setdefault(key, set()).add(naive.position_class(text, board.isometries))
    for plies in (
        SmallSolution(board.board).plies(),
        count_values(PerfectIndex(board.board), packed=True, workers=Threads(2)),
        count_values(PerfectIndex(board.board), packed=False),
    ):
        for row in plies:
            for split, sets in ((row.labelled, want), (row.symmetry, classes)):
                counts = {"X": split.x_wins, "draw": split.draws, "O": split.o_wins}
                assert counts == {outcome: len(sets.get((row.ply, outcome), ())) for outcome in counts}, row


@pytest.mark.parametrize("name", dear(BOARDS, "3x3:3+torus", "3x3:3+misere", "2x4:3"))
def test_decided(name: str) -> None:
    board = small(name)
    for text in naive.reachable(board.game):
        assert decided_outcome(position_of(board, text)) == naive.sole_outcome(board.game, text, "any", "any"), text
