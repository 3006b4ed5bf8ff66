"""Sums over sets of cells and of lines: lines at the ends of the tables, slices, laws, and what small costs hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from math import comb
from operator import and_

import pytest

from noughts.counting.census import COLUMNS, GAME_COLUMNS, POSITION_COLUMNS
from noughts.counting.engines import row_of
from noughts.counting.inclusion import _sets_of_lines, is_square, square_lines, square_terms
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.question import Question
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.position import parse_position
from tests.counting.comparing import counted, differences, offered, refusal


@pytest.mark.parametrize("cells", [15, 16, 17])
def test_lines_of_one_cell_at_the_ends_count_as_by_sets_of_lines(cells: int) -> None:
    """From 16 cells on a table holds the sets without the last cell, then those with it."""
    for lines in ([(cells - 1,)], [(0,), (cells - 1, 1)], [(cells - 2, cells - 1), (cells - 2, 0)], []):
        question = Question(Board.from_lines(cells, lines))
        assert differences(counted("subset", question), counted("inclusion", question)) == []


def test_sums_over_subsets_leave_out_games_by_choices() -> None:
    """Where that is of use: positions alone, or both where a part will do."""
    question = Question(Board.parse("3x3"), "choices")
    found = offered("subset", question)
    assert isinstance(found, CountingOffer)
    assert found.missing == GAME_COLUMNS
    last = found.count().plies[9]
    assert (last.positions, last.terminal_draw, last.paths) == (15, 3, None)
    for wanted, limits in ((COLUMNS, Limits(whole=True)), (GAME_COLUMNS, Limits()), (("draws",), Limits())):
        refused = row_of("subset").offers(Request(question, wanted))[0](limits)
        assert isinstance(refused, Refusal)
        assert refused.reason == "the engine subset does not count games by choices"
    positions = row_of("subset").offers(Request(question, POSITION_COLUMNS))[0](Limits(whole=True))
    assert isinstance(positions, CountingOffer)
    assert positions.missing == ()
    ruled = row_of("subset").offers(Request(replace(question, x_moves="win")))[0](Limits(whole=True))
    assert isinstance(ruled, Refusal)
    assert "choices" not in ruled.reason


def test_boards_too_large_for_sums() -> None:
    """31 blank cells, not cells, for sums over subsets."""
    board = Board.parse("1x32:32")
    assert refusal("subset", Question(board)) == "the engine subset counts up to 31 blank cells, but 1x32:32 has 32"
    assert refusal("subset", Question(board, start=parse_position(board, "a1"))) is None
    assert refusal("inclusion", Question(Board.parse("50x50"))) is None
    assert "2,500" in str(refusal("inclusion", Question(Board.parse("41x61:61"))))


# Inclusion and exclusion on square boards, its parts against sets and positions that are listed one by one.


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_the_lines_are_those_of_the_board(side: int) -> None:
    lines = square_lines(side)
    assert sorted(lines) == sorted(Board.parse(f"{side}x{side}").line_masks)
    assert is_square(side * side, lines)
    assert is_square(side * side, lines[::-1])
    assert not is_square(side * side, lines[1:])
    assert not is_square(side * side, [*lines[1:], (1 << side) - 1 << 1])
    assert not is_square(side * side + 1, lines)


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_every_set_of_lines_is_of_a_kind_and_every_kind_has_some(side: int) -> None:
    kinds = list(_sets_of_lines(side))
    assert all(ways > 0 for _, _, _, ways in kinds)
    assert sum(ways for _, _, _, ways in kinds) == 2 ** (2 * side + 2)
    assert sum(ways for lines, _, _, ways in kinds if lines == 2) == comb(2 * side + 2, 2)


@pytest.mark.parametrize(("side", "most_others"), [(2, 4), (3, 9), (4, 0)])
def test_terms_hold_for_any_numbers_of_marks(side: int, most_others: int) -> None:
    """Not in play only: with many marks of one player, where many lines cross, each term counts."""
    cells, lines = side * side, square_lines(side)
    full = (1 << cells) - 1
    shared = [reduce(and_, (line for line in lines if line & ~each == 0), full) for each in range(full + 1)]
    free = [all(line & ~each for line in lines) for each in range(full + 1)]
    opened, won = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for x in range(full + 1):
        o = rest = full & ~x if most_others else 0
        while True:
            if free[o]:
                opened[x.bit_count(), o.bit_count()] += free[x]
                won[x.bit_count(), o.bit_count()] += not free[x] and shared[x] != 0
            if not o:
                break
            o = (o - 1) & rest
    for p in range(cells + 1):
        for q in range(min(cells - p, most_others) + 1):
            for terms, listed in zip(square_terms(side), (opened, won), strict=True):
                counted = sum(
                    sign * comb(cells - x - o, p - x) * comb(cells - p - o, q - o)
                    for (x, o), sign in terms.items()
                    if x <= p and o <= q
                )
                assert counted == listed[p, q], (p, q)
