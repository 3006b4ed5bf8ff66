"""The engine `blocking`: draws by blocking alone, with proofs that a judge of the tests accepts."""

from __future__ import annotations

import random

import pytest

from noughts.machine.workers import Threads
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Player
from noughts.rules.position import Position
from noughts.solving.engines import solve_problem
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import Problem
from noughts.solving.proofs import HEAD, STEALING
from noughts.solving.proving import proof_by
from noughts.solving.search import SearchSolution
from noughts.solving.tables import solve_in_memory
from noughts.solving.weak.stopper import Stopper, Stopping
from tests.solving.test_search import random_position
from tests.solving.weakgame import Judge


def judged(position: Position, maker: Player, lines: list[str]) -> None:
    """Judge a section `stop` of a position."""
    other: Player = "O" if maker == "X" else "X"
    own, theirs = position.marks(maker), position.marks(other)
    left = [
        [cell for cell in line if not own >> cell & 1]
        for line in position.board.lines
        if not any(theirs >> cell & 1 for cell in line)
    ]
    group = position.board.group("board")
    generators = list(group.keeping(position.x, position.o)) if position.ply else list(group.generators)
    Judge(position.board.cells, generators, lines).judge(left, maker_moves=position.to_move == maker)


@pytest.mark.parametrize("spec", ["4x4:4", "3x5:4", "4x4+torus", "2x2x3:3"])
def test_it_says_draw_only_where_the_tables_do(spec: str) -> None:
    board = Board.parse(spec)
    tables = solve_in_memory(PerfectIndex(board), packed=True, workers=Threads(2))
    dice = random.Random(spec)
    draws = 0
    blocking = SearchSolution(board, stage="blocking")
    for _ in range(60):
        position = random_position(board, dice)
        try:
            found = blocking.evaluate(position)
        except BudgetError:
            continue
        draws += 1
        assert found.outcome == tables.outcome(position) == "draw", position
    assert draws > 10


def test_sections_of_positions_are_accepted() -> None:
    dice = random.Random(1)
    sections = 0
    for spec in ("4x4:4", "4x5:4", "5x5:4", "5x5:5", "6x6:5"):
        board = Board.parse(spec)
        for _ in range(12):
            position = random_position(board, dice)
            stopper = Stopper(board)
            for maker in ("X", "O"):
                if isinstance(stopper.stops(position, maker, limit=500), Stopping):
                    judged(position, maker, list(stopper.section(position, maker)))
                    sections += 1
    assert sections > 30


@pytest.mark.parametrize("spec", ["12x12:8", "20x20:9", "14x14:9", "10x10:7", "6x6x6:8"])
def test_large_boards(spec: str) -> None:
    board = Board.parse(spec)
    start = Position(board)
    solution = solve_problem(Problem(board, start))
    assert solution.engine == "blocking"
    assert solution.outcome() == "draw"
    assert solution.best_moves() == tuple(range(board.cells))
    lines = proof_by(solution, start).text.splitlines()
    assert lines[:3] == [HEAD, f"board {spec}", "claim draw"]
    assert lines[-1] == STEALING
    judged(start, "X", lines[lines.index("stop X") + 1 : -1])
