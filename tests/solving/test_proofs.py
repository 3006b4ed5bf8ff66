"""Proofs of what solutions say, each accepted by the judge of the package and by those of the tests."""

from __future__ import annotations

import random

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InvalidPosition
from noughts.solving.api import prove, solve
from noughts.solving.proofs import STEALING, Proof
from noughts.solving.proving import proof_by
from noughts.verification.proofs.judge import judge_proof
from tests.solving.test_search import random_position
from tests.verification.playjudge import accepts

JUDGED_CELLS = 30


def judged(proof: Proof) -> list[str]:
    """Have a proof judged, by the judge of the package and small ones of the tests; return the titles of its parts."""
    judgement = judge_proof(proof.text)
    assert judgement.claim == ("draw" if proof.outcome == "draw" else f"{proof.outcome} wins")
    assert judgement.board == proof.position.board.spec
    assert judgement.position == (str(proof.position) if proof.position.ply else None)
    if proof.position.board.cells <= JUDGED_CELLS:
        assert accepts(proof.text)
    return [title for title, _ in proof.sections]


@pytest.mark.parametrize(
    ("spec", "titles"),
    [
        ("1x1", ["play X to win"]),
        ("1x2:3", ["play O not to lose", STEALING]),
        ("2x2:3", ["play O not to lose", STEALING]),
        ("3x3", ["play O not to lose", STEALING]),
        ("3x3+misere", ["play O not to lose", "play X not to lose"]),
        ("2x3:2+misere", None),
        ("3x3+torus", ["play X to win"]),
        ("2x3x2:3", None),
        ("4x4:4", ["stop X", STEALING]),
        ("5x6:4", ["win X"]),
        ("6x6:5", ["stop X", STEALING]),
        ("9x9:4", ["win X"]),
        ("12x12:8", ["stop X", STEALING]),
    ],
)
def test_what_is_said_of_a_board_is_proved(spec: str, titles: list[str] | None) -> None:
    proof = prove(spec)
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
        proof = proof_by(solution, position)
        assert proof.outcome == solution.outcome(position)
        judged(proof)


def test_what_cannot_be_proved_is_said() -> None:
    with pytest.raises(InvalidPosition, match="nothing left to prove"):
        prove("3x3", "XXX/OO./...")
    given = Board.from_lines(4, [[0, 1], [2, 3]])
    with pytest.raises(BudgetError, match="given by its lines"):
        prove(given)
