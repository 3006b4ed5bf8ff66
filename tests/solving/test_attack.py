"""Wins by threats: equal to those of every other engine, and proofs that an independent judge accepts."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from noughts.machine.budget import Limits
from noughts.machine.workers import Threads
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game
from noughts.rules.marks import Player, cells_of
from noughts.rules.position import Position, parse_position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.classgraph import ClassGraph
from noughts.solving.engines import choose
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import Problem
from noughts.solving.proving import attack_text
from noughts.solving.retrograde import SmallSolution
from noughts.solving.solution import Solution
from noughts.solving.tables import solve_in_memory
from tests.attackjudge import Judge, judge_win
from tests.dear import dear
from tests.solving.test_search import random_position

PLAYERS: tuple[Player, Player] = ("X", "O")


def judged(attacker: Attacker, position: Position, player: Player) -> Judge:
    """Judge the proof that a player wins."""
    board = position.board
    text = attack_text(attacker, position, player)
    marks = "".join(position.mark_at(cell) or "." for cell in range(board.cells))
    return judge_win(text, board.cells, [frozenset(line) for line in board.lines], marks, player, position.to_move)


def compare(attacker: Attacker, solution: Solution, position: Position) -> None:
    outcome = solution.outcome(position)
    for player in PLAYERS:
        assert attacker.can_force(position, player) is (outcome == player), (position.board.lines, position, player)
    if outcome in PLAYERS:
        judged(attacker, position, outcome)


def open_positions(board: Board) -> Iterator[Position]:
    for node in ClassGraph(Game(board)).nodes:
        position = Position(board, node.state.x, node.state.o)
        if not position.is_terminal:
            yield position


def hypergraph(seed: int) -> Board:
    """Return a board of up to eight cells with random lines of one to five cells."""
    dice = random.Random(seed)
    cells = dice.randint(4, 8)
    sizes = [min(cells, dice.choice((1, 2, 2, 3, 3, 3, 4, 5))) for _ in range(dice.randint(2, 12))]
    return Board.from_lines(cells, [dice.sample(range(cells), size) for size in sizes])


@pytest.mark.parametrize("spec", dear(["3x3", "3x4:3", "2x5:3", "3x3+torus", "2x2x2:2", "1x7:3", "2x5:2"], "3x4:3"))
def test_attacks_win_what_is_won_on_every_position(spec: str) -> None:
    board = Board.parse(spec)
    attacker, solution = Attacker(board), solve_in_memory(PerfectIndex(board), packed=True)
    for position in open_positions(board):
        compare(attacker, solution, position)


@pytest.mark.parametrize("seed", range(20))
def test_attacks_win_what_is_won_on_random_hypergraphs(seed: int) -> None:
    board = hypergraph(seed)
    attacker, solution = Attacker(board), SmallSolution(board)
    for position in open_positions(board):
        compare(attacker, solution, position)


def at_random(spec: str, count: int) -> None:
    board = Board.parse(spec)
    attacker, solution = Attacker(board), solve_in_memory(PerfectIndex(board), packed=True, workers=Threads(2))
    dice = random.Random(spec)
    for _ in range(count):
        compare(attacker, solution, random_position(board, dice))


@pytest.mark.parametrize("spec", ["4x4:3", "4x4", "4x4+torus", "3x5:4", "2x2x3:2", "4x4:3+torus"])
def test_attacks_win_what_is_won_at_random(spec: str) -> None:
    at_random(spec, 100)


@pytest.mark.parametrize(
    ("spec", "most_opened", "most_bytes"),
    [("3x3x3", 1, 500), ("5x6:4", 60, 1_000), ("6x6:4", 80, 2_000), ("7x7:4", 80, 2_000), ("8x8:4", 200, 4_000)],
)
def test_four_in_a_row_is_won_in_few_positions(spec: str, most_opened: int, most_bytes: int) -> None:
    start = Position(Board.parse(spec))
    attacker = Attacker(start.board)
    assert attacker.can_force(start, "X")
    assert attacker.opened <= most_opened
    tree = attacker.tree(start, "X")
    assert len(attack_text(attacker, start, "X")) <= most_bytes
    judged(attacker, start, "X")
    assert len(tree.line()) <= tree.at_most()
    end = start
    for cell in tree.line():
        assert end.outcome is None
        end = end.play(cell)
    assert end.outcome == "X"


def test_the_cube_is_won_after_four_marks_however_it_is_turned() -> None:
    """Inner and outer cells of 4x4x4 exchange places by a symmetry of its lines that is none of the solid."""
    board = Board.parse("4x4x4")
    position = Position(board, 1 | 1 << 15, 1 << 22 | 1 << 20)
    attacker = Attacker(board)
    assert attacker.can_force(position, "X")
    assert attacker.opened <= 30
    judged(attacker, position, "X")
    inside_out = [sum((side ^ 1) * 4**axis for axis, side in enumerate(sides)) for sides in _sides(board.cells)]
    turned = Position(board, *(sum(1 << inside_out[c] for c in cells_of(m)) for m in (position.x, position.o)))
    again = Attacker(board)
    assert again.can_force(turned, "X")
    assert again.opened == attacker.opened


def _sides(cells: int) -> list[tuple[int, int, int]]:
    return [(cell % 4, cell // 4 % 4, cell // 16) for cell in range(cells)]


def test_a_proof_bounds_the_plies() -> None:
    board = Board.parse("4x4:3")
    attacker, solution = Attacker(board), solve_in_memory(PerfectIndex(board), packed=False)
    dice = random.Random(1)
    won = 0
    for _ in range(300):
        position = random_position(board, dice)
        for player in PLAYERS:
            if attacker.can_force(position, player):
                won += 1
                tree = attacker.tree(position, player)
                plies = solution.remoteness(position)
                assert plies is not None
                assert plies <= tree.at_most()
                assert len(tree.line()) <= tree.at_most()
    assert won > 100


# The engine `threats`: what it offers, what it refuses, and what it says of won and drawn positions.


def asked(spec: str, text: str | None = None, **more: object) -> Problem:
    board = Board.parse(spec)
    return Problem(board, Position(board) if text is None else parse_position(board, text), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (asked("9x9:4+misere"), "under misere a line loses"),
        (asked("21x20:4"), "up to 400 cells"),
        (asked("9x9:4", counts_only=True), "single positions only"),
        (asked("9x9:4", remoteness=True), "an upper bound on the plies of a won game"),
        (asked("9x9:6"), "finds no win from the empty board of 9x9:6"),
    ],
)
def test_what_it_does_not_answer_is_refused(problem: Problem, why: str) -> None:
    with pytest.raises(BudgetError, match=why):
        choose(problem, engine="threats", limits=Limits(memory=4_000_000_000))
