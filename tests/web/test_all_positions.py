"""Every position of 3x3 and thousands of others have a page and data, made by the one function behind the server."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.records.positions import positions
from noughts.web.addresses import position_slug, read_address
from noughts.web.answering import safe_answer

OTHERS = ("2x2:2", "2x3", "3x3+misere", "3x3+torus", "3x4:3", "2x2x2", "4x4:4", "4x4:3", "1x5:3", "4x3:2+torus")


def answered(board: Board, slug: str) -> None:
    page = safe_answer(read_address(f"/{board.spec}/p/{slug}"))
    assert page.status == 200, slug
    assert b"<h1" in page.body
    data = safe_answer(read_address(f"/{board.spec}/p/{slug}.json"))
    assert data.status == 200, slug
    assert json.loads(data.body)["position"]


def played(board: Board, chance: random.Random) -> Iterator[Position]:
    """Yield a position that some moves at random lead to, again and again."""
    while True:
        position = Position(board)
        for _ in range(chance.randrange(board.cells + 1)):
            if position.is_terminal:
                break
            position = position.play(chance.choice(position.moves()))
        yield position


def every(step: int, first: int) -> None:
    board = Board.parse("3x3")
    found = sorted(position_slug(record.position) for record in positions(board, same="labelled"))
    assert len(found) == 5478
    for slug in found[first::step]:
        answered(board, slug)


def some(count: int) -> None:
    chance = random.Random(13)
    for spec in OTHERS:
        board = Board.parse(spec)
        for position, _ in zip(played(board, chance), range(count), strict=False):
            answered(board, position_slug(position))


def test_positions_answer():
    every(401, 7)
    some(1)


@pytest.mark.slow
def test_every_position_of_3x3_answers():
    every(1, 0)


@pytest.mark.slow
def test_two_thousand_positions_of_other_boards_answer():
    some(200)
