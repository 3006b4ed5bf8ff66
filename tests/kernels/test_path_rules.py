"""What rules allow beside one set of X, and what is counted of a block, against the same said of cells."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from noughts.domain.bits import cells_of
from noughts.kernels.index.lead import HAS_LINE
from noughts.kernels.index.ranks import subsets, subsets_below
from noughts.kernels.paths import counts, rules
from noughts.kernels.paths.records import DECIDED, HALF_LIMB, KINDS
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
