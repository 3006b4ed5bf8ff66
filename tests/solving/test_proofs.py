"""Proofs of what solutions say, judged section by section by judges of the tests."""

from __future__ import annotations

import random

import pytest

from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InvalidPosition
from noughts.domain.position import Player, Position, opponent
from noughts.solving.api import solve
from noughts.solving.proofs import STEALING, Proof
from tests.attackjudge import judge_win
from tests.playjudge import PlayJudge
from tests.solving.test_search import random_position
from tests.solving.weak.judge import Judge


def judged(proof: Proof) -> list[str]:
    """Judge every section of a proof and that they make up the claim; return their titles."""
    position = proof.position
    board = position.board
    script = proof.text.splitlines()
    at = 2 + (position.ply > 0)
    assert script[:at] == ["noughts proof 1", f"board {board}", f"from {position}"][:at]
    assert script[at] == f"claim {'draw' if proof.outcome == 'draw' else f'{proof.outcome} wins'}"
    generators: list[list[int]] = []
    at += 1
    if script[at] == "symmetries":
        while script[at + 1][:1].isdigit():
            at += 1
            generators.append([int(word) for word in script[at].split()])
        at += 1
    stopped: set[Player] = set()
    for title, count in proof.sections:
        assert script[at] == title
        lines = script[at + 1 : at + 1 + count]
        at += 1 + count
        judge_section(position, title, lines, generators, proof)
        if title != STEALING:
            words = title.split()
            player: Player = "X" if words[1] == "X" else "O"
            stopped |= {player if words[0] == "stop" else opponent(player)}
        else:
            assert position.ply == 0
            assert not board.misere
            stopped |= {"O"}
    assert at == len(script)
    assert stopped == ({"X", "O"} if proof.outcome == "draw" else {opponent(proof.outcome)})
    return [title for title, _ in proof.sections]


def judge_section(position: Position, title: str, lines: list[str], generators: list[list[int]], proof: Proof) -> None:
    board = position.board
    if title == STEALING:
        return
    kind, name, *_ = title.split()
    player: Player = "X" if name == "X" else "O"
    own, other = position.marks(player), position.marks(opponent(player))
    moves = position.to_move == player
    if kind == "stop":
        left = [[c for c in line if not own >> c & 1] for line in board.lines if not any(other >> c & 1 for c in line)]
        Judge(board.cells, [tuple(each) for each in generators], lines).judge(left, maker_moves=moves)
    elif kind == "win":
        rows = "".join(position.mark_at(cell) or "." for cell in range(board.cells))
        judge_win(proof.text, board.cells, [frozenset(line) for line in board.lines], rows, player, position.to_move)
    else:
        assert title == f"play {player} {'not to lose' if proof.outcome == 'draw' else 'to win'}"
        judge = PlayJudge(board.cells, board.lines, generators, misere=board.misere)
        won = proof.outcome != "draw"
        judge.judge(lines, cells_of(own), cells_of(other), to_win=won, moves=moves)


@pytest.mark.parametrize(
    ("spec", "titles"),
    [
        ("1x1", ["win X"]),
        ("1x2:3", ["stop X", STEALING]),
        ("2x2:3", ["stop X", STEALING]),
        ("3x3", ["play O not to lose", STEALING]),
        ("3x3+misere", ["play O not to lose", "play X not to lose"]),
        ("2x3:2+misere", None),
        ("3x3+torus", ["play X to win"]),
        ("3x3x2:3", None),
        ("4x4:4", ["stop X", STEALING]),
        ("4x5:4", None),
        ("5x6:4", ["win X"]),
        ("6x6:5", ["stop X", STEALING]),
        ("9x9:4", ["win X"]),
        ("12x12:8", ["stop X", STEALING]),
    ],
)
def test_what_is_said_of_a_board_is_proved(spec: str, titles: list[str] | None) -> None:
    proof = solve(spec, Position(Board.parse(spec))).proof()
    found = judged(proof)
    assert titles is None or found == titles
    assert proof.size == len(proof.text.encode())
    assert str(proof.size) in repr(proof).replace(",", "")


SPECS = ["3x3", "3x3+misere", "2x4:3", "3x4:3+torus", "1x5:2", "2x2x2:2", "2x2x3:3", "3x3:2+misere", "2x3:4", "3x4:3"]


@pytest.mark.parametrize("spec", SPECS)
def test_random_positions_of_small_boards_are_proved(spec: str) -> None:
    board, dice = Board.parse(spec), random.Random(spec)
    solution = solve(spec)
    for _ in range(12):
        position = random_position(board, dice)
        if position.is_terminal:
            continue
        proof = solution.proof(position)
        assert proof.outcome == solution.outcome(position)
        judged(proof)


def test_what_cannot_be_proved_is_said() -> None:
    with pytest.raises(InvalidPosition, match="nothing left to prove"):
        solve("3x3").proof("XXX/OO./...")
    given = Board.from_lines(4, [[0, 1], [2, 3]])
    with pytest.raises(BudgetError, match="given by its lines"):
        solve(given).proof()
