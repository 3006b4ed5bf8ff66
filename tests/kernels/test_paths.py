"""The kernels of streaming, and whole sums by them small enough to run uncompiled with checked bounds."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from noughts.counting.question import SAMENESSES, Question
from noughts.counting.streamed.ends import position_ends
from noughts.counting.streamed.items import PathBlocks, TwoPlies, stream_blocks
from noughts.counting.streamed.numbers import MemoryPart, PathLayer, room_for
from noughts.counting.streamed.shapes import LayerSize
from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.players import OUTCOMES, Outcome
from noughts.domain.position import Position
from noughts.domain.rules import MoveRule, allowed_cells, move_rules
from noughts.kernels.index.ranks import subsets, subsets_below
from noughts.kernels.paths import counts, turned
from noughts.kernels.paths.records import HALF_LIMB, KINDS, PathNumbers
from noughts.kernels.paths.turned import among
from noughts.machine.progress import silent
from noughts.machine.workers import SERIAL
from noughts.solving.index import PerfectIndex
from noughts.solving.leads import LeadSets
from tests.counting.comparing import counted
from tests.kernels.plain import plain


def test_subsets_below_by_hand() -> None:
    for n, q in ((4, 1), (5, 3), (6, 6)):
        below = list(combinations(range(n), q - 1))
        below.sort(key=lambda cells: sum(1 << cell for cell in cells))
        for t, marks in enumerate(subsets(n, q).tolist()):
            cells = [cell for cell in range(n) if marks >> cell & 1]
            without = [tuple(cell for cell in cells if cell != gone) for gone in cells]
            assert [below[rank] for rank in subsets_below(n, q)[:, t]] == without


@pytest.mark.parametrize("spec", ["2x2:2", "2x3:2", "1x5:3", "2x3:3+misere", "1x1:1", "2x2:3"])
def test_whole_sums(spec: str) -> None:
    board = Board.parse(spec)
    for same, rule in product(SAMENESSES, move_rules(board)):
        question = Question(board, same, rule, rule)
        assert counted("streamed", question).plies == counted("plain", question).plies, question


@pytest.mark.parametrize("spec", ["2x2:2", "2x3:3", "1x5:2", "2x3:2+misere", "1x1:1", "1x2:3"])
def test_decided(spec: str) -> None:
    board = Board.parse(spec)
    for same, rule in product(SAMENESSES, move_rules(board)):
        question = Question(board, same, rule, rule, end="decided")
        assert counted("streamed", question).plies == counted("plain", question).plies, question


@pytest.mark.parametrize(
    ("spec", "x_moves", "o_moves"),
    [
        ("2x3:3", "any", "any"),
        ("1x5:2", "win", "block"),
        ("2x3:2+misere", "any", "any"),
        ("2x4:3", "any", "any"),
        ("2x4:3", "fork", "block"),
        ("2x4:2", "block", "fork"),
        ("2x4:3", "win", "any"),
        ("3x3:3", "block", "fork"),
    ],
)
def test_what_can_still_come(spec: str, x_moves: MoveRule, o_moves: MoveRule) -> None:
    """Every entry of the tables, against all continuations of its position."""
    board = Board.parse(spec)

    @lru_cache(None)
    def outcomes(position: Position) -> frozenset[Outcome]:
        if position.outcome is not None:
            return frozenset([position.outcome])
        rule = x_moves if position.to_move == "X" else o_moves
        moves = allowed_cells(board, position.x, position.o, rule)
        return frozenset().union(*(outcomes(position.play(cell)) for cell in cells_of(moves)))

    index = PerfectIndex(board)
    question = Question(board, "choices", x_moves, o_moves, end="decided")
    tables = position_ends(question, index, None, SERIAL, silent).tables
    compared = 0
    for ply in range(board.cells):
        blanks, taken = board.cells - (ply + 1) // 2, ply // 2
        for block, lead in enumerate(index.layers[(ply + 1) // 2].masks.tolist()):
            free = list(cells_of(board.full & ~lead))
            for rank, marks in enumerate(subsets(blanks, taken).tolist()):
                o = sum(1 << cell for j, cell in enumerate(free) if marks >> j & 1)
                if not board.has_line(o):
                    found = outcomes(Position(board, lead, o))
                    expected = 1 + OUTCOMES.index(min(found)) if len(found) == 1 else 0
                    assert int(tables[ply][block, rank >> 2]) >> 2 * (rank & 3) & 3 == expected
                    compared += 1
    assert compared > 10


@pytest.mark.parametrize(
    ("spec", "x_moves", "o_moves"),
    [
        ("3x3:3", "fork", "block"),
        ("1x5:2", "perfect", "quickest"),
        ("2x4:3", "quickest", "perfect"),
        ("3x3:3", "quickest", "any"),
        ("3x3:3", "win", "perfect"),
    ],
)
def test_rules_of_two_players(spec: str, x_moves: MoveRule, o_moves: MoveRule) -> None:
    to_a_line = Question(Board.parse(spec), "choices", x_moves, o_moves, to_ply=Board.parse(spec).cells - 1)
    for question in (to_a_line, replace(to_a_line, end="decided", to_ply=None)):
        assert counted("streamed", question).plies == counted("plain", question).plies


@pytest.mark.parametrize("target", [0b000000, 0b001001, 0b110000])
def test_sets_of_blanks_are_turned_whatever_stood_in_the_tables(target: int) -> None:
    """By halves: a set of some cells, turned, among the cells that the target leaves."""
    turn, left = [5, 3, 1, 0, 2, 4], [cell for cell in range(6) if not target >> cell & 1]
    cells = [turn.index(cell) for cell in left]
    tables = np.full((2, 8), 99, np.uint32)
    low = len(cells) // 2
    plain(turned._fill_turned)(np.array(cells), len(cells), np.array([turn]), 0, target, low, tables)
    for marks in range(1 << len(cells)):
        image = {left.index(turn[cell]) for j, cell in enumerate(cells) if marks >> j & 1}
        found = int(tables[0, marks & ((1 << low) - 1)] | tables[1, marks >> low])
        assert found == sum(1 << j for j in image)


def a_step(spec: str, marks: int, high: int, number: int) -> tuple[TwoPlies, PathBlocks]:
    """Return a step from a layer that holds the same number everywhere, in 4 and `high` bytes, and all its blocks."""
    board = Board.parse(spec)
    group = board.group("board")
    sets = LeadSets(board.cells, board.line_masks, group.elements)
    source, target = (LayerSize.of(board.cells, m, len(sets.layers[m][0])) for m in (marks, marks + 1))
    numbers = room_for(source.blocks, source.size, high)
    numbers.low[:] = number & 0xFFFFFFFF
    for byte in range(high):
        numbers.high[:, byte] = number >> 32 + 8 * byte & 255
    layer = PathLayer([(source.blocks, MemoryPart(numbers))], source.size, high)
    leads = sets.layers[marks][0]
    step = TwoPlies(
        board.cells, sets.lines, sets.permutations, (0, 0), False, False, leads, layer, replace(target, high=8)
    )
    return step, PathBlocks(sets.layers[marks + 1][0], False, 0)


def whole(numbers: PathNumbers) -> list[list[int]]:
    """Return the numbers as integers."""
    found = []
    for low, high in zip(numbers.low.tolist(), numbers.high.tolist(), strict=True):
        parts = zip(low, *high, strict=True)
        found.append([first + sum(byte << 32 + 8 * w for w, byte in enumerate(rest)) for first, *rest in parts])
    return found


@pytest.mark.parametrize("number", [2**32 - 1, 2**50 + 12345, 2**56 - 1, 2**63 + 2**31 + 7, 2**79 - 3])
def test_numbers_of_two_limbs_are_exact(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are linear: what comes of a number everywhere is that number times what comes of ones."""
    monkeypatch.setattr("noughts.counting.streamed.items.bytes_above", lambda marks: 8)
    for spec in ("2x3:3", "3x3:3"):
        ones, many = (stream_blocks(*a_step(spec, 1, high, n)) for high, n in ((0, 1), (6, number)))
        assert isinstance(ones.part, MemoryPart)
        assert isinstance(many.part, MemoryPart)
        expected = [[number * n for n in block] for block in whole(ones.part.numbers)]
        assert whole(many.part.numbers) == expected
        assert many.counts[KINDS].paths == number * ones.counts[KINDS].paths
        assert many.counts[0].paths == number * ones.counts[0].paths
        assert many.counts[0].positions == ones.counts[0].positions
        assert many.counts[KINDS].classes == ones.counts[KINDS].classes


def test_numbers_of_paths_that_a_symmetry_keeps_have_all_their_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells 1 and 2 change places, so entries with marks of neither count once more, in all three parts."""
    monkeypatch.setattr(counts, "among", getattr(among, "py_func", among))
    add: Any = getattr(
        counts._count_surplus, "py_func", counts._count_surplus
    )  # what kernels call has no door for Python
    half = 1 << HALF_LIMB
    sums = np.array([[3 * half + 7, 1, 2 * half + 1, 1], [5, 64, 6, 9]])
    turns = [[0, 1, 2, 3], [1, 0, 2, 3], [0, 2, 1, 3]]  # the second moves the lead's mark: it keeps no entry
    rules = SimpleNamespace(shift=30, permutations=np.array(turns))
    sets = SimpleNamespace(subsets=np.array([0b000, 0b001, 0b100, 0b110]))  # of the blanks 1, 2 and 3
    tally = np.zeros((KINDS, 8), np.int64)
    add(rules, 0b0001, sets, sums, np.zeros(4, np.uint32), np.array([1, 2, 3]), tally)
    assert tally[0].tolist() == [0, 0, 0, 0, 0, 7 + 1, 3 + 2, 5 + 6]
