"""Families of the weak game: the kernels against the same in plain Python, uncompiled and with checked bounds too."""

from __future__ import annotations

import random

import pytest

from noughts.domain.board import Board
from noughts.solving.weak.compiled import CompiledTools
from noughts.solving.weak.family import least_sets
from noughts.solving.weak.tools import Key, PlainTools, Tools


def replies(tools: Tools, key: Key) -> list[object]:
    """Return what Maker's moves lead to, with their families sorted."""
    return [
        (cell, [] if fork else sorted(tools.family(after)), *more, fork)
        for cell, after, *more, fork in tools.replies(key)
    ]


def answers(tools: Tools, key: Key) -> list[object]:
    """Return what Breaker's moves lead to, with their families sorted."""
    found = (tools.answer(key, cell) for cell in tools.moves(key))
    return [(sorted(tools.family(after)), *more) for after, *more in found]


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "4x4", "2x2x2", "3x3+torus"])
def test_what_is_asked_of_families_is_answered_as_in_plain_python(spec: str) -> None:
    board = Board.parse(spec)
    group, lines = board.group("board"), board.line_masks
    plain, compiled = PlainTools(group, lines), CompiledTools(group, lines)
    dice = random.Random(spec)
    asked = 0
    for _ in range(6):
        one, other = plain.key(least_sets(lines)), compiled.key(least_sets(lines))
        by_maker = dice.random() < 0.5
        while one[0]:
            assert sorted(plain.family(one[0])) == sorted(compiled.family(other[0]))
            assert one[1] == other[1]
            assert plain.moves(one[0]) == compiled.moves(other[0])
            for moves in (False, True):
                assert plain.pairs(one[0], maker_moves=moves) == compiled.pairs(other[0], maker_moves=moves)
            assert answers(plain, one[0]) == answers(compiled, other[0])
            asked += 1
            if any(member & (member - 1) == 0 for member in plain.family(one[0])):
                break
            assert replies(plain, one[0]) == replies(compiled, other[0])
            cell = dice.choice(plain.moves(one[0]))
            after, same = (
                tools.child(key, cell, by_maker=by_maker) for tools, key in ((plain, one[0]), (compiled, other[0]))
            )
            assert after[1:] == same[1:]
            if after[2]:
                break
            one, other, by_maker = after[:2], same[:2], not by_maker
    assert asked > 6
