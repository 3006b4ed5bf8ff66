"""Proofs on boards with gravity: written, judged, and found wrong where a mark would float."""

from __future__ import annotations

import pytest

from noughts.judge.proofs.judge import judge_proof
from noughts.rules.board import Board
from noughts.rules.errors import InputError, NoughtsError
from noughts.rules.position import Position
from noughts.solving.api import prove
from tests import naive

CLAIMS = {1: "X wins", 0: "draw", -1: "O wins"}


@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(3, 3, 3), (2, 4, 2), (3, 3, 2), (2, 2, 2), (3, 4, 3), (4, 3, 3), (2, 5, 4), (1, 3, 2)]
)
@pytest.mark.parametrize("first", [None, 0])
def test_a_proof_says_what_the_list_of_all_games_says(rows: int, columns: int, k: int, first: int | None) -> None:
    """From the empty board, and after a first mark in the corner."""
    board, rules = Board.grid(rows, columns, k, gravity=True), naive.gravity(rows, columns, k)
    cell, text = board.cells - columns, "." * board.cells
    if first is not None:
        text = rules.play(text, cell)
    at = Position(board, x=0 if first is None else 1 << cell)
    judged = judge_proof(prove(board, at).text)
    assert judged.claim == CLAIMS[naive.ends(rules, text)[0]]
    assert judged.board == board.spec


def test_a_proof_under_misere() -> None:
    """By hand: in one column X and O alternate, so neither has two in a row. In one row gravity changes nothing."""
    assert judge_proof(prove("3x1:2+gravity+misere").text).claim == "draw"
    assert judge_proof(prove("1x4:2+gravity+misere").text).claim == judge_proof(prove("1x4:2+misere").text).claim


HEAD = "noughts proof 1\nboard 2x2:2+gravity\nclaim X wins\n"


def test_a_short_proof_holds() -> None:
    """X a2; after b2 or a1 X has a line with the next mark: a1 and b1, or b2."""
    assert judge_proof(HEAD + "play X to win\n2\n3\n0\n").claim == "X wins"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("play X to win\n0\n", "the player takes cell 0, above a blank cell, but marks fall"),
        ("play X to win\n2 : 0 1\n", "pairs keep a player from lines"),
        ("win X\n2\n", "where marks fall only the sections 'play'"),
        ("stop O by stealing\n", "where marks fall only the sections 'play'"),
        ("symmetries\n2 3 0 1\nplay X to win\n", "does not keep the columns"),
        ("from X./..\nplay O to win\n", "a mark floats above a blank cell"),
    ],
)
def test_what_gravity_does_not_allow(text: str, fault: str) -> None:
    with pytest.raises(NoughtsError, match=fault):
        judge_proof(HEAD + text)


def test_a_solid_board_has_no_gravity() -> None:
    with pytest.raises(InputError, match="marks fall in the columns of a board with two sides"):
        judge_proof("noughts proof 1\nboard 2x2x2:2+gravity\nclaim X wins\n")
