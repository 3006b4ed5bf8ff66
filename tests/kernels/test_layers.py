"""The kernels together: whole censuses against the oracle and against the definition, compiled or not."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import product

import pytest

from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.question import SAMENESSES, SYMMETRIES, Question
from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.domain.rules import END_RULES, MISERE_MOVE_RULES, MOVE_RULES
from noughts.domain.symmetry import ELEMENT_LIMIT
from noughts.machine.workers import workers_for
from tests import naive
from tests.boards import SMALL, small
from tests.counting.comparing import counted


@pytest.mark.parametrize("name", SMALL)
def test_rows_are_those_of_the_oracle(name: str) -> None:
    on = small(name)
    rules = MISERE_MOVE_RULES if on.board.misere else MOVE_RULES
    rng = random.Random(name)
    for end, same in product(END_RULES, SAMENESSES):
        x_moves, o_moves, symmetry = rng.choice(rules), rng.choice(rules), rng.choice(SYMMETRIES)
        expected = naive.census(on.game, same, x_moves, o_moves, end, on.group(symmetry), None, None)
        question = Question(on.board, same, x_moves, o_moves, end, symmetry)
        assert [asdict(row) for row in compiled_rows(question)] == expected, question


def random_question(board: Board, rng: random.Random) -> Question:
    rules = MISERE_MOVE_RULES if board.misere else MOVE_RULES
    start = Position(board)
    for _ in range(rng.randrange(board.cells)):
        if not start.is_terminal:
            start = start.play(rng.choice([cell for cell in range(board.cells) if start.blanks >> cell & 1]))
    return Question(
        board,
        rng.choice(SAMENESSES),
        rng.choice(rules),
        rng.choice(rules),
        rng.choice(END_RULES),
        rng.choice(SYMMETRIES),
        rng.choice((None, start)),
        rng.choice((None, None, max(start.ply, rng.randrange(board.cells)))),
    )


TRIANGLE = Board.from_lines(6, [(0, 1, 2), (2, 3, 4), (4, 5, 0)], symmetries=[(2, 3, 4, 5, 0, 1)])
WIDER = ["3x3", "3x3:2", "3x3:4", "2x4:3", "4x2:3", "2x2x2", "3x3+torus", "2x4:3+misere", "1x9:3", "2x4+torus"]


@pytest.mark.parametrize("name", [*WIDER, "triangle"])
def test_rows_are_those_of_the_definition(name: str) -> None:
    """Any rules, any start, any last ply; weights of one word and of many, one thread and two."""
    board = TRIANGLE if name == "triangle" else Board.parse(name)
    rng = random.Random(name)
    asked = [random_question(board, rng) for _ in range(12)]
    for question in asked:
        if question.group.order > ELEMENT_LIMIT:
            continue
        limb_bits, threads = rng.choice((63, 5, 2)), rng.choice((1, 2))
        rows = compiled_rows(question, limb_bits=limb_bits, workers=workers_for(threads))
        assert rows == counted("plain", question).plies, (question, limb_bits, threads)
