"""What rules allow beside one set of X, and what is counted of a block, against the same said of cells."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from noughts.counting.question import SAMENESSES, Question
from noughts.counting.streamed.items import PathBlocks, TwoPlies, position_ends, stream_blocks
from noughts.counting.streamed.layers import LayerSize, PathLayer, room_for
from noughts.kernels.index.ranks import HAS_LINE, subsets, subsets_below
from noughts.kernels.paths import collect as counts
from noughts.kernels.paths import moves as rules
from noughts.kernels.paths import moves as turned
from noughts.kernels.paths.records import DECIDED, HALF_LIMB, KINDS, PathNumbers
from noughts.machine.workers import SERIAL, silent
from noughts.rules.board import Board
from noughts.rules.game import allowed_cells
from noughts.rules.marks import OUTCOMES, Outcome, cells_of
from noughts.rules.play import MoveRule
from noughts.rules.position import Position
from noughts.solving.index import LeadSets, PerfectIndex
from tests.counting.comparing import counted
from tests.kernels.plain import plain

CELLS = 6
"""Blanks of a block: here the cells 1 to 6 of a board of seven, X's mark being on cell 0."""
BLANKS = np.arange(1, CELLS + 1)
LEAD = np.int64(1)
EVERY = (1 << CELLS) - 1
WIN, BLOCK, FORK = 1, 2, 3


def several(marks: int) -> bool:
    return marks.bit_count() > 1


def words(dice: random.Random, number: int, *, lines: bool = False) -> np.ndarray:
    """Return random threats of O on the board, some of them where X is, and some of sets with a line."""
    return np.array(
        [dice.choice([0, 1, 2, 6, 16, 24, 129]) & 127 | (HAS_LINE if lines and dice.random() < 0.3 else 0)
         for _ in range(number)], np.uint32
    )  # fmt: skip


def some(dice: random.Random, most: int = 2) -> int:
    return sum(1 << cell for cell in dice.sample(range(CELLS), dice.randrange(most + 1)))


@pytest.mark.parametrize("rule", [WIN, BLOCK, FORK])
@pytest.mark.parametrize("taken", range(1, 5))
def test_the_moves_of_x_that_a_rule_leaves(rule: int, taken: int) -> None:
    """The rules one after the other: complete a line, else stop O from it, else make two threats, else anything."""
    dice = random.Random(10 * rule + taken)
    sets = SimpleNamespace(subsets=subsets(CELLS, taken).astype(np.uint32))
    for _ in range(12):
        known, own = words(dice, sets.subsets.size), some(dice)
        forks = np.array([some(dice, 3) & ~(1 << cell) for cell in range(CELLS)], np.uint32)
        allowed = np.zeros(sets.subsets.size, np.uint32)
        plain(rules.leave_moves)(rule, sets, known, LEAD, BLANKS, own, forks, allowed)
        for marks, threats, moves in zip(sets.subsets.tolist(), known.tolist(), allowed.tolist(), strict=True):
            blank = EVERY & ~marks
            stops = threats >> 1 if rule >= BLOCK else 0
            two = sum(1 << cell for cell in cells_of(blank) if several(int(forks[cell]) & blank)) * (rule >= FORK)
            assert moves == (own & blank or stops or two or blank)


@pytest.mark.parametrize("rule", [WIN, BLOCK, FORK])
@pytest.mark.parametrize("taken", range(1, 5))
def test_the_moves_of_x_that_a_rule_forbids(rule: int, taken: int) -> None:
    """X has taken cell 0, which was one blank more: another move may have been to do."""
    dice = random.Random(10 * rule + taken)
    sets = SimpleNamespace(subsets=subsets(CELLS, taken).astype(np.uint32))
    forbidden = set()
    for _ in range(12):
        known, own, after = words(dice, sets.subsets.size), some(dice), some(dice, 3)
        forks = np.array([some(dice, 3) for _ in range(CELLS)], np.uint32)
        row = np.arange(sets.subsets.size, dtype=np.int32)
        plain(rules.forbid)(rule, sets, known, LEAD, 0, own, after, forks, row)
        for t, (marks, threats) in enumerate(zip(sets.subsets.tolist(), known.tolist(), strict=True)):
            blank = EVERY & ~marks
            forks_elsewhere = any(several(int(forks[cell]) & blank) for cell in cells_of(blank))
            wrong = bool(own & blank) or (
                rule >= BLOCK
                and not threats & 1
                and (threats > 1 or (rule >= FORK and not several(after & blank) and forks_elsewhere))
            )
            assert row[t] == (-1 if wrong else t)
            forbidden.add(wrong)
    assert len(forbidden) == 2


@pytest.mark.parametrize("taken", range(2, 5))
def test_the_moves_of_o_that_a_rule_allows(taken: int) -> None:
    dice, told = random.Random(taken), set()
    sets, replies = (
        SimpleNamespace(subsets=subsets(CELLS, q).astype(np.uint32), below=subsets_below(CELLS, q))
        for q in (taken - 1, taken)
    )
    for rule in (WIN, BLOCK, FORK):
        before, after = words(dice, sets.subsets.size), words(dice, replies.subsets.size, lines=True)
        flags = np.full(sets.subsets.size, 9, np.uint8)
        bench = SimpleNamespace(flags=flags, known=before, reply_known=after)
        plain(rules.mark_openings)(SimpleNamespace(o_rule=rule), sets, replies, bench, LEAD)
        for u, marks in enumerate(sets.subsets.tolist()):
            leads = [t for t, more in enumerate(replies.subsets.tolist()) if more & marks == marks]
            forking = [t for t in leads if after[t] < HAS_LINE and several(int(after[t]) >> 1)]
            wins = int(before[u]) >> 1
            assert flags[u] == (wins != 0) + 2 * (rule >= FORK and bool(forking))
            for t in leads:
                assert plain(rules.is_fork)(after[t], LEAD) == (t in forking)
                against, more = some(dice), int(replies.subsets[t])
                move, stops = more & ~marks, against & ~marks if rule >= BLOCK else 0
                if wins:
                    fine = False
                elif stops:
                    fine = move & stops != 0
                else:
                    fine = rule < FORK or not forking or t in forking
                given = int(flags[u]), move.bit_length() - 1, against, more, t in forking
                assert plain(rules.is_allowed)(rule, *given) == fine
                told.add((rule, fine))
    assert len(told) == 6


PARTS = (1 << HALF_LIMB) - 1


@pytest.mark.parametrize("surplus", [False, True])
@pytest.mark.parametrize("distinct", [0, 1])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shift", [31, DECIDED])
def test_what_is_reached_is_counted_by_kind(shift: int, order: int, distinct: int, surplus: bool) -> None:
    """Entries, classes, and the sum of their numbers and of their surpluses in three parts each."""
    dice = random.Random(shift * order + distinct)
    turns = [[0, 1, 2, 3, 4, 5, 6], [1, 0, 2, 3, 4, 5, 6], [0, 2, 1, 3, 4, 5, 6], [0, 1, 2, 3, 6, 5, 4]]
    given = SimpleNamespace(permutations=np.array(turns), surplus=int(surplus), distinct=distinct, shift=shift)
    sets: Any = SimpleNamespace(subsets=subsets(CELLS, 3).astype(np.uint32))
    number = sets.subsets.size
    known = np.array([dice.getrandbits(32) & (0xC000007F if shift == DECIDED else 0x8000007F) for _ in range(number)],
                     np.uint32)  # fmt: skip
    sums = np.array([[dice.choice([0, dice.getrandbits(56)]) for _ in range(number)],
                     [dice.choice([0, 0, dice.getrandbits(40)]) for _ in range(number)]])  # fmt: skip
    least = np.array([dice.choice([t, dice.randrange(t + 1)]) for t in range(number)], np.int32)
    wanted = [[dice.randrange(9) for _ in range(8)] for _ in range(KINDS)]
    tally = np.array(wanted)
    plain(counts.count_entries)(given, LEAD, sets, sums, least, known, order, BLANKS, tally)
    for t, marks in enumerate(sets.subsets.tolist()):
        lower, upper = sums[:, t].tolist()
        parts = lower & PARTS, lower >> HALF_LIMB, upper
        row = wanted[int(known[t]) >> shift]
        first = order == 1 or least[t] == t
        if lower or upper:
            row[0] += 1
            row[1] += first
        if first or not distinct:
            row[2:5] = [a + b for a, b in zip(row[2:5], parts, strict=True)]
        cells = [0, *(cell + 1 for cell in cells_of(marks))]
        kept = sum(all(turn[cell] == cell for cell in cells) for turn in turns) - 1
        if surplus:
            row[5:] = [a + kept * b for a, b in zip(row[5:], parts, strict=True)]
    assert tally.tolist() == wanted


# The kernels of streaming, and whole sums by them small enough to run uncompiled with checked bounds.


@pytest.mark.parametrize("spec", ["2x2:2", "2x3:3", "1x5:2", "2x3:2+misere", "1x1:1", "1x2:3"])
def test_decided(spec: str) -> None:
    board = Board.parse(spec)
    for same, rule in product(SAMENESSES, board.rules.move_rules):
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
    tables = [*position_ends(question, index, None, SERIAL, silent)][::-1]
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
    layer = PathLayer([(source.blocks, numbers)], source.size, high)
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
        assert isinstance(ones.part, PathNumbers)
        assert isinstance(many.part, PathNumbers)
        expected = [[number * n for n in block] for block in whole(ones.part)]
        assert whole(many.part) == expected
        assert many.counts[KINDS].paths == number * ones.counts[KINDS].paths
        assert many.counts[0].paths == number * ones.counts[0].paths
        assert many.counts[0].positions == ones.counts[0].positions
        assert many.counts[KINDS].classes == ones.counts[KINDS].classes


def test_numbers_of_paths_that_a_symmetry_keeps_have_all_their_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells 1 and 2 change places, so entries with marks of neither count once more, in all three parts."""
    add: Any = counts._count_surplus
    half = 1 << HALF_LIMB
    sums = np.array([[3 * half + 7, 1, 2 * half + 1, 1], [5, 64, 6, 9]])
    turns = [[0, 1, 2, 3], [1, 0, 2, 3], [0, 2, 1, 3]]  # the second moves the lead's mark: it keeps no entry
    rules = SimpleNamespace(shift=30, permutations=np.array(turns))
    sets = SimpleNamespace(subsets=np.array([0b000, 0b001, 0b100, 0b110]))  # of the blanks 1, 2 and 3
    tally = np.zeros((KINDS, 8), np.int64)
    add(rules, 0b0001, sets, sums, np.zeros(4, np.uint32), np.array([1, 2, 3]), tally)
    assert tally[0].tolist() == [0, 0, 0, 0, 0, 7 + 1, 3 + 2, 5 + 6]


def test_moves_that_lose_value_are_forbidden_from_the_first_rank_on() -> None:
    """Beside sets of X, where values are those after the move, and where X has a line, which has one of its own."""
    same = np.array([[0, 1]])
    values = SimpleNamespace(
        before=[np.array([0, 1])], between=[np.array([0, 1, 0, 1, 0])], packed=0, asks=same, gives=same, lined=1
    )
    for lined, left in ((0, [0, -1, -1, 1, -1]), (1, [-1, -1, 1, 1, -1])):
        row = np.array([0, 0, 1, 1, -1])
        plain(rules.forbid_worse)(values, 0, 0, lined, row)
        assert row.tolist() == left
