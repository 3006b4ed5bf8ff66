"""What Breaker can answer where his threats count: the kernels against the same in plain words."""

from __future__ import annotations

import random

import numpy as np
import pytest

from noughts.kernels.jit import plain
from noughts.kernels.search import guard as kernels
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.guarding import Guarding
from noughts.solving.weak.family import after_breaker, after_maker, least_sets, settled_by_pairs, shared_pairs, struck
from tests.judge.playjudge import ThreatJudge, game_of
from tests.solving.test_search import random_position

SPECS = ["3x3", "3x4:3", "4x4:4", "3x3+torus", "2x2x3:2"]


def completing(lines: list[int]) -> set[int]:
    return {line for line in lines if line.bit_count() == 1}


def lacking(position: Position, player: str) -> list[int]:
    """What a player lacks of each line without a mark of the other."""
    own, other = (position.x, position.o) if player == "X" else (position.o, position.x)
    return [line & ~own for line in position.board.line_masks if not line & other]


def answers(position: Position, breaker: str, maker: str, unit: int) -> list[tuple[int, int]]:
    """Breaker's moves on live lines with the least weight that pairs leave, the lightest first."""
    ours, theirs = lacking(position, breaker), lacking(position, maker)
    forced = completing(ours) or completing(theirs)
    if forced:
        return [(0, min(forced).bit_length() - 1)]
    found = []
    for cell in range(position.board.cells):
        if not any(line >> cell & 1 for line in ours + theirs):
            continue
        left = struck(after_breaker(least_sets(theirs), cell))
        threats = completing([line & ~(1 << cell) for line in ours])
        weight = 0 if len(threats) > 1 else shared_pairs(left, unit, maker_moves=True)[0]
        found.append((weight, cell))
    return sorted(found)


def replies(spec: str, position: Position, unit: int, pairs: list[int]) -> list[tuple[int, int]]:
    """Maker's replies that pairs leave open, each with the weight that other pairs leave after it."""
    threats = completing(lacking(position, "O"))
    family, found = struck(least_sets(lacking(position, "X"))), []
    for cell in [line.bit_length() - 1 for line in threats] or worth(spec, position):
        after = struck(after_maker(family, cell))
        if settled_by_pairs(after, [pair for pair in pairs if not pair >> cell & 1], unit) >= 1 << unit:
            found.append((cell, shared_pairs(after, unit, maker_moves=False)[0]))
    return found


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("spec", SPECS)
def test_moves_and_replies_are_those_of_plain_words(spec: str, compiled: bool) -> None:
    board, dice = Board.parse(spec), random.Random(spec)
    work = Guarding(board, "O", lambda after: True)
    given, unit, room = (work._lines, work._unit), work._unit, work._room
    list_answers, list_replies = kernels.list_answers, kernels.list_replies
    if not compiled:
        list_answers, list_replies = plain(list_answers), plain(list_replies)
    asked = 0
    for _ in range(60 if compiled else 20):
        position = random_position(board, dice)
        marks = np.uint64(position.x), np.uint64(position.o)
        if position.to_move == "O":
            count = list_answers(*marks, *given, work._bench, room)
            said = list(zip(room.weights[:count].tolist(), room.cells[:count].tolist(), strict=True))
            assert said == answers(position, "O", "X", unit)
            continue
        if completing(lacking(position, "X")):
            continue
        kind, count, chosen = list_replies(*marks, *given, work._images, work._bench, room)
        least, pairs = shared_pairs(struck(least_sets(lacking(position, "X"))), unit, maker_moves=True)
        several = len(completing(lacking(position, "O"))) > 1
        asked += 1
        assert (kind == kernels.SETTLED) == (several or least < 1 << unit)
        assert several or [1 << a | 1 << b for a, b in room.pairs[:chosen].tolist()] == pairs
        said = list(zip(room.cells[:count].tolist(), room.weights[:count].tolist(), strict=True))
        assert said == ([] if kind == kernels.SETTLED else replies(spec, position, unit, pairs))
    assert asked


def worth(spec: str, position: Position) -> list[int]:
    """The cells that no other dominates, by the small judge."""
    cells = range(position.board.cells)
    marks = {"X": {c for c in cells if position.x >> c & 1}, "O": {c for c in cells if position.o >> c & 1}}
    goals = [
        [line - marks[own] for line in game_of(spec).lines if not line & marks[other]] for own, other in ("OX", "XO")
    ]
    return ThreatJudge.worth(*goals)
