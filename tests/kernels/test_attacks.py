"""Kernels of attacks: wins on small boards and lines at random equal those of the table of all positions."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.kernels.search import threats
from noughts.solving.attack.attacker import Attacker
from noughts.solving.small import SmallSolution
from tests.solving.test_attack import compare, hypergraph, open_positions
from tests.solving.test_search import random_position


@pytest.mark.parametrize("seed", range(5))
def test_attacks_on_random_lines(seed: int) -> None:
    board = hypergraph(seed)
    attacker, solution = Attacker(board), SmallSolution(board)
    for position in open_positions(board):
        compare(attacker, solution, position)


def test_attacks_on_a_grid() -> None:
    board = Board.parse("3x4:3")
    attacker, solution = Attacker(board), SmallSolution(board)
    dice = random.Random(1)
    for position in [Position(board), *(random_position(board, dice) for _ in range(40))]:
        compare(attacker, solution, position)


def test_a_move_that_makes_two_threats_is_known_whichever_cells_they_are_on() -> None:
    """Two lines through cell 4, each with a mark and one more blank cell: that of the first is each cell in turn."""
    is_double: Any = getattr(
        threats._is_double, "py_func", threats._is_double
    )  # what kernels call has no door for Python
    field = SimpleNamespace(starts=[0, 3, 6], through=[0, 1], first=[0, 0, 0, 0, 0, 2])
    for first, second in ((0, 1), (1, 0), (2, 3), (0, 0), (3, 3)):
        marks = SimpleNamespace(theirs=[0, 0], ours=[1, 1], blanks=[first ^ 4, second ^ 4])
        assert is_double(field, marks, 4) == (first != second)
        for spoilt in (
            SimpleNamespace(**{**vars(marks), "ours": [1, 0]}),
            SimpleNamespace(**{**vars(marks), "theirs": [1, 0]}),
        ):
            assert not is_double(field, spoilt, 4)


def test_a_chase_opens_all_positions_by_one_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain 0 is a type of its own to the compiler, which takes seconds for what is given it."""
    given: list[type] = []

    def opened(field: Any, marks: Any, room: Any, depth: Any, left: int) -> int:
        given.append(type(depth))
        return threats.OPENED

    monkeypatch.setattr(threats, "_open_chase", opened)
    monkeypatch.setattr(threats, "put", lambda *given: None)
    monkeypatch.setattr(threats, "take", lambda *given: None)
    rows = {name: np.zeros((3, 2), np.int32) for name in ("moves", "replies")}
    room = SimpleNamespace(
        **rows, next=np.zeros(3, int), total=np.array([1, 0, 0]), cut=np.zeros(3, int), tally=[0, 0, 0],
        known=np.zeros(4, np.uint64),
    )  # fmt: skip
    chase: Any = getattr(threats.chase, "py_func", threats.chase)
    assert chase(None, SimpleNamespace(key=np.zeros(1, np.uint64)), room, 2, 9) == threats.NONE
    assert given == [np.int64] * 2
