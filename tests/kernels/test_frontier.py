"""States of a frontier and the edges between them, against the same rules in Python's integers.

A state here is a pair of numbers, the lines still open for X and those for O; the masks of a visit are six such numbers
in the order of `noughts.kernels.frontier.states`. They are drawn at random: no board need have them.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from noughts.counting.engines import ask
from noughts.kernels.frontier import LANES, PAIRS
from noughts.kernels.frontier import states as kernels
from noughts.kernels.frontier.hashing import find_or_add
from noughts.kernels.frontier.states import REFUSED, _forget, group_edges, wander
from noughts.kernels.frontier.values import (
    NOWHERE,
    branch_most,
    branch_reals,
    pull,
    pull_branches,
    push,
    push_branches,
    push_most,
    push_reals,
)
from tests.counting.comparing import counted

KERNELS: Any = kernels
WANDER: Any = wander

State = tuple[int, int]
Clears = list[tuple[int, int]]
"""A bit, and the lines that are dropped while it is set."""

MANY = [(words, swap, seed) for words in (1, 2) for swap in (True, False) for seed in range(3)]


def parted(value: int, words: int) -> list[int]:
    return [value >> 64 * w & (1 << 64) - 1 for w in range(words)]


def whole(parts: npt.NDArray[Any]) -> int:
    return sum(int(part) << 64 * w for w, part in enumerate(parts))


def rows(states: list[State], words: int, room: int = 0) -> npt.NDArray[np.uint64]:
    """Return states as the kernels take them, with room for more."""
    found = np.zeros((max(room, len(states)), 2 * words), np.uint64)
    for row, (x, o) in zip(found, states, strict=False):
        row[:] = parted(x, words) + parted(o, words)
    return found


def read(row: npt.NDArray[np.uint64]) -> State:
    words = len(row) // 2
    return whole(row[:words]), whole(row[words:])


def entered(table: npt.NDArray[np.int32], known: npt.NDArray[np.uint64], count: int) -> None:
    """Enter what is known already into a table."""
    with np.errstate(over="ignore"):
        for i in range(count):
            assert find_or_add(table, known, i, known[i].copy()) == i


@dataclass(frozen=True)
class Cell:
    """What a visit does."""

    words: int
    masks: tuple[int, ...]
    x_clears: Clears
    o_clears: Clears

    @classmethod
    def drawn(cls, dice: random.Random, words: int, alike: bool) -> Cell:
        """Draw a visit, with `alike` the same for both players; few bits in play, at both ends of the words."""
        bits = [*range(4), *(64 * words - 1 - n for n in range(4))]
        low, high = sum(1 << bit for bit in bits[:4]), sum(1 << bit for bit in bits[4:])

        def side() -> tuple[list[int], Clears]:
            kinds = [dice.choice((0, 1, 2, 3, 3)) for _ in bits]
            opens, closes = (sum(1 << bit for bit, kind in zip(bits, kinds, strict=True) if kind == n) for n in (1, 2))
            through = opens | closes | dice.choice((low, high)) & dice.getrandbits(64 * words)
            clears = [(bit, sum(1 << other for other in dice.sample(bits, 2) if other != bit)) for bit in bits[2:6]]
            return [through, opens, closes], clears

        (x, x_clears), (o, o_clears) = side(), side()
        return cls(words, (*x, *(x if alike else o)), x_clears, x_clears if alike else o_clears)

    def states(self, dice: random.Random, count: int) -> list[State]:
        """Draw states in play, some of them their own twins."""
        play = sum(1 << bit for bit in (*range(4), *(64 * self.words - 1 - n for n in range(4))))
        found = [(dice.getrandbits(64 * self.words) & play, dice.getrandbits(64 * self.words) & play)]
        while len(found) < count:
            x, o = (dice.getrandbits(64 * self.words) & play for _ in range(2))
            found.append(dice.choice(((x, o), (x & ~o, o & ~x), (x, x), (0, o))))
        return found

    @property
    def arrays(self) -> tuple[Any, ...]:
        return (self.mask_rows, *self.clear_rows)

    @property
    def mask_rows(self) -> npt.NDArray[np.uint64]:
        return np.array([parted(mask, self.words) for mask in self.masks], np.uint64)

    @property
    def clear_rows(self) -> tuple[Any, ...]:
        return tuple(
            part
            for clears in (self.x_clears, self.o_clears)
            for part in (
                np.array([bit for bit, _ in clears], np.int32),
                np.array([parted(lines, self.words) for _, lines in clears], np.uint64).reshape(-1, self.words),
            )
        )

    def forgotten(self, x: int, o: int) -> State:
        """Return a state without what stricter lines make superfluous."""
        for bit, lines in self.x_clears:
            x &= ~lines if x >> bit & 1 else -1
        for bit, lines in self.o_clears:
            o &= ~lines if o >> bit & 1 else -1
        return x, o

    def after(self, state: State, move: int) -> State | None:
        """Return the state after a mark, None if a line is completed."""
        x, o = state
        x_through, x_opens, x_closes, o_through, o_opens, o_closes = self.masks
        x = x | x_opens if move == 1 else x & ~x_through
        o = o | o_opens if move == 2 else o & ~o_through
        if (move == 1 and x & x_closes) or (move == 2 and o & o_closes):
            return None
        return self.forgotten(x, o)


def ordered(state: State, words: int) -> int:
    """Return how the half of X compares with that of O, first words first."""
    x, o = (parted(half, words) for half in state)
    return (x > o) - (x < o)


def readings(state: State, swap: bool) -> list[State]:
    """Return a state, and its twin if it stands for another."""
    return [state] if not swap or state[0] == state[1] else [state, state[::-1]]


@pytest.mark.parametrize(("words", "swap", "seed"), MANY)
def test_a_mark_opens_and_closes_lines(words: int, swap: bool, seed: int) -> None:
    dice = random.Random(seed)
    refused = orders = 0
    for _ in range(6):
        cell = Cell.drawn(dice, words, swap)
        for state, move in product(cell.states(dice, 8), range(3)):
            child = np.full(2 * words, 99, np.uint64)
            order = KERNELS.reach(rows([state], words)[0], child, words, *cell.arrays, swap, move)
            reached = cell.after(state, move)
            refused += reached is None
            if reached is None:
                assert order == REFUSED
                continue
            expected = ordered(reached, words) if swap else -1
            orders |= 1 << expected + 1
            assert order == expected
            assert read(child) == (reached[::-1] if expected > 0 else reached)
    assert refused
    assert orders == (7 if swap else 1)


@pytest.mark.parametrize(("words", "swap", "seed"), MANY)
def test_edges_lead_from_each_reading_of_a_state_to_what_stands_for_the_next(words: int, swap: bool, seed: int) -> None:
    """Of all readings and marks those are edges that lead to a state as it stands, never to its twin."""
    dice = random.Random(seed)
    cell = Cell.drawn(dice, words, swap)
    states = list(dict.fromkeys(cell.states(dice, 24)))
    expected: Counter[tuple[int, State, int]] = Counter()
    children = set()
    for i, state in enumerate(states):
        for twin, reading in enumerate(readings(state, swap)):
            for move in range(3):
                reached = cell.after(reading, move)
                if reached is None:
                    continue
                order = ordered(reached, words)
                children.add(reached if order <= 0 or not swap else reached[::-1])
                if order <= 0 or not swap:
                    expected[i, reached, 2 * move + twin] += 1
    strangers: list[State] = [(5, 1 << 62), next(iter(children))]
    wanted = children | set(strangers)
    assert len(wanted) > 9
    given = rows(states, words)
    for room in (len(wanted), len(wanted) - 1, 2):
        found = rows(strangers, words, room)
        table = np.full(256, -1, np.int32)
        entered(table, found, 2)
        sources, targets, codes = (np.full(6 * len(states), -7, kind) for kind in (np.int32, np.int32, np.int8))
        scratch = np.empty((3, 2 * words), np.uint64)
        with np.errstate(over="ignore"):
            size, edges = KERNELS.expand(
                given, len(states), *cell.arrays, swap, table, found, 2, sources, targets, codes, scratch
            )
        if room < len(wanted):
            assert (size, edges) == (-1, 0)
            continue
        assert size == len(wanted)
        assert {read(row) for row in found} == wanted
        assert [read(row) for row in found[:2]] == strangers
        assert edges == expected.total()
        assert set(sources[edges:].tolist()) <= {-7}
        told = zip(sources[:edges], targets[:edges], codes[:edges], strict=True)
        assert expected == Counter((int(i), read(found[j]), int(code)) for i, j, code in told)
    assert [read(row) for row in given] == states


@pytest.mark.parametrize(("words", "swap", "seed"), MANY)
def test_each_move_has_one_edge(words: int, swap: bool, seed: int) -> None:
    """Of the states asked for alone."""
    dice = random.Random(100 + seed)
    cell = Cell.drawn(dice, words, swap)
    states = list(dict.fromkeys(cell.states(dice, 16)))
    begin, end = 2, len(states) - 1
    strangers: list[State] = [(5, 1 << 62)]
    found = rows(strangers, words, 3 * len(states) + 1)
    table = np.full(256, -1, np.int32)
    entered(table, found, 1)
    edges = np.full((len(states), 3), -9, np.int32)
    scratch = np.empty((3, 2 * words), np.uint64)
    with np.errstate(over="ignore"):
        size = KERNELS.explore(
            rows(states, words), begin, end, *cell.arrays, swap, table, found, 1, edges, scratch
        )  # fmt: skip
    reached = [[cell.after(state, move) for move in range(3)] for state in states[begin:end]]
    stood = {min((each, each[::-1]), key=lambda one: ordered(one, words)) if swap else each
             for row in reached for each in row if each is not None}  # fmt: skip
    assert {read(row) for row in found[:size]} == stood | set(strangers)
    assert size == len(stood | set(strangers))
    for row, children in zip(edges[begin:end].tolist(), reached, strict=True):
        for edge, child in zip(row, children, strict=True):
            if child is None:
                assert edge == -1
                continue
            exchanged = swap and ordered(child, words) > 0
            assert edge % 2 == exchanged
            assert read(found[edge // 2]) == (child[::-1] if exchanged else child)
    assert edges[:begin].tolist() + edges[end:].tolist() == [[-9] * 3] * 3
    assert any(None in row for row in reached)


@pytest.mark.parametrize(("words", "swap", "seed"), MANY)
def test_completed_lines_let_off_all_that_hold_a_set(words: int, swap: bool, seed: int) -> None:
    """Sets that let off the same living lines are one branch, with the sum of their weights, none where that is 0."""
    dice = random.Random(200 + seed)
    cell = Cell.drawn(dice, words, swap)
    while not cell.masks[2]:
        cell = Cell.drawn(dice, words, swap)
    cell = replace(cell, masks=(cell.masks[0], cell.masks[1] | cell.masks[2] & -cell.masks[2], *cell.masks[2:]))
    states = list(dict.fromkeys(cell.states(dice, 16)))
    x_opens, x_closes, o_through = cell.masks[1], cell.masks[2], cell.masks[3]
    some = [x_closes | dice.getrandbits(64 * words) for _ in range(4)]
    freed = [*some, some[0], some[1] ^ 1 << 32, dice.getrandbits(64 * words), x_closes, some[2]]
    weights = [1, 2, -1, 3, -1, 4, 2, -1, 5]
    expected: dict[tuple[int, int, State], int] = {}
    branches: Counter[tuple[int, State, int, int]] = Counter()
    for i, state in enumerate(states):
        for twin, (x, o) in enumerate(readings(state, swap)):
            alive = x | x_opens
            done = alive & x_closes
            groups: dict[int, int] = {}
            for lines, weight in zip(freed, weights, strict=True):
                if done and not done & ~lines:
                    groups[alive & lines] = groups.get(alive & lines, 0) + weight
            for lines, weight in groups.items():
                child = cell.forgotten(alive & ~lines, o & ~o_through)
                if weight:
                    branches[i, child, 2 + twin, weight] += 1
                    expected[i, twin, child] = weight
    strangers: list[State] = [(5, 1 << 62), next(iter(expected))[2]]
    wanted = {child for _, child, _, _ in branches} | set(strangers)
    assert len(wanted) > 5
    given = rows(states, words)
    for room in (len(wanted), len(wanted) + 1, len(wanted) - 1):
        found = rows(strangers, words, room)
        table = np.full(256, -1, np.int32)
        entered(table, found, 2)
        places = 2 * len(freed) * len(states)
        sources, targets, factors = (np.full(places, -7, np.int32) for _ in range(3))
        codes = np.full(places, -7, np.int8)
        with np.errstate(over="ignore"):
            size, edges = KERNELS.branch(
                given, len(states), cell.mask_rows, np.array([parted(each, words) for each in freed], np.uint64),
                np.array(weights, np.int32), *cell.clear_rows, swap, table, found, 2,
                sources, targets, codes, factors, np.empty((3, 2 * words), np.uint64),
            )  # fmt: skip
        if room < len(wanted):
            assert (size, edges) == (-1, 0)
            continue
        assert size == len(wanted)
        assert {read(row) for row in found[:size]} == wanted
        assert edges == branches.total()
        told = zip(sources[:edges], targets[:edges], codes[:edges], factors[:edges], strict=True)
        seen = Counter((int(i), read(found[j]), int(code), int(factor)) for i, j, code, factor in told)
        assert seen == branches
        assert set(factors[edges:].tolist()) <= {-7}


def test_edges_are_sorted_by_target() -> None:
    dice = random.Random(5)
    for edges, targets in ((0, 3), (1, 1), (40, 9), (7, 20)):
        into = np.array([dice.randrange(targets) for _ in range(edges)] + [0, 0], np.int32)
        starts, order = np.full(targets + 1, 99, np.int64), np.full(edges + 2, -7, np.int32)
        group_edges(into, edges, starts, order)
        assert [order[a:b].tolist() for a, b in pairwise(starts.tolist())] == [
            [e for e in range(edges) if into[e] == target] for target in range(targets)
        ]
        assert (starts[0], starts[-1]) == (0, edges)
        assert order[edges:].tolist() == [-7, -7]


@pytest.mark.parametrize(("words", "swap", "seed"), MANY)
def test_every_walker_takes_the_first_mark_from_its_die_on_that_is_allowed(words: int, swap: bool, seed: int) -> None:
    dice = random.Random(300 + seed)
    cell = Cell.drawn(dice, words, swap)
    states = cell.states(dice, 12)
    thrown = [dice.randrange(3) for _ in states]
    walkers = rows(states, words)
    WANDER(walkers, *cell.arrays, swap, np.array(thrown, np.int8), np.empty((1, 2 * words), np.uint64))
    for walker, state, die in zip(walkers, states, thrown, strict=True):
        turns = (cell.after(state, (die + turn) % 3) for turn in range(3))
        reached = next(child for child in turns if child is not None)
        exchanged = swap and ordered(reached, words) > 0
        assert read(walker) == (reached[::-1] if exchanged else reached)


def test_keys_are_found_again_in_a_table_that_is_nearly_full() -> None:
    """Every probe passes over others here; keys of three words that differ in one of them alone."""
    dice = random.Random(6)
    base = [dice.getrandbits(64) for _ in range(3)]
    drawn = [[*base[:w], dice.getrandbits(64), *base[w + 1 :]] for w in (0, 1, 2) for _ in range(10)]
    keys, table = np.zeros((30, 3), np.uint64), np.full(32, -1, np.int32)
    with np.errstate(over="ignore"):
        for n, key in enumerate(drawn):
            assert find_or_add(table, keys, n, np.array(key, np.uint64)) == n
        assert keys.tolist() == drawn
        assert [find_or_add(table, keys, 30, np.array(key, np.uint64)) for key in drawn] == list(range(30))
        assert find_or_add(table, keys, 30, np.array([1, 2, 3], np.uint64)) == -1
    assert sorted(table.tolist()) == [-1, -1, *range(30)]
    assert keys.tolist() == drawn


# The edges of a sweep fit their arrays where all three moves lead to states that are their own twins.


@pytest.mark.parametrize("spec", ["1x5:4", "1x7:4+torus", "2x3:3"])
def test_six_edges_a_state(spec: str) -> None:
    question = ask(spec, same="symmetry")
    assert counted("frontier", question).plies == counted("plain", question).plies


def test_what_a_stricter_line_makes_superfluous_is_dropped() -> None:
    """States that differ in such a line alone would be counted apart: as many games, from more states."""
    slots, clears = np.array([65, 3]), np.array([[0b1000, 0b1], [0, 0b100]], np.uint64)
    for alive, left in (
        ([0b1001, 0b111], [0b0001, 0b110]),  # the line in bit 65 is alive, and drops that in bit 3 before its turn
        ([0b1001, 0b101], [0b1001, 0b001]),
        ([0b0001, 0b101], [0b0001, 0b101]),
    ):
        child = np.array([7, 7, *alive], np.uint64)
        _forget(child, 1, 2, slots, clears)
        assert child.tolist() == [7, 7, *left]


# Values moved along the edges of a frontier, against the same sums in Python's integers and fractions.

PULL: Any = pull
PULL_BRANCHES: Any = pull_branches

RUNS = {
    0: [(0, 0, 3), (3, 4, 2)],
    1: [(4, 1, 5)],
    2: [(1, 2, 1)],
    3: [(2, 0, 3), (4, 5, 2)],
    4: [],
    5: [(0, 6, 1), (3, 3, 3)],
}
"""First entry in the source, in the target, and length: for odd codes the source is read backwards."""
ENTRIES, INTO = 5, 7


def runs_of() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    runs = np.full((6, 3, 3), 1, np.uint64)  # those beyond `many` are never looked at
    for code, each in RUNS.items():
        runs[code, : len(each)] = each or np.empty((0, 3))
    return runs, np.array([len(RUNS[code]) for code in range(6)], np.int32)


def added(target: list[int], source: list[int], code: int, factor: int, modulus: int) -> None:
    for out, into, length in RUNS[code]:
        for n in range(length):
            term = source[out - n if code % 2 else out + n]
            target[into + n] = (target[into + n] + factor * term) % modulus


MODULI: list[tuple[type, list[int]]] = [
    (np.uint32, [0]),
    (np.uint64, [0]),
    (np.uint64, [(1 << 63) - 25, 97]),
    (np.uint64, [0, (1 << 63) - 25, 2]),
]


@pytest.mark.parametrize(("word", "moduli"), MODULI)
@pytest.mark.parametrize("factored", [False, True])
def test_every_edge_adds_its_source_as_its_code_says(word: type, moduli: list[int], factored: bool) -> None:
    """Numbers as large as there are, all codes, and with factors of either sign; targets beyond those asked stay."""
    dice = random.Random(len(moduli))
    natural = 1 << 8 * np.dtype(word).itemsize
    into_natural = 1 << 64 if factored else natural
    rings = [modulus or into_natural for modulus in moduli]
    sources = [
        [[dice.choice((0, 1, min(ring, natural) - 1, dice.randrange(min(ring, natural)))) for _ in range(ENTRIES)]
         for ring in rings]
        for _ in range(4)
    ]  # fmt: skip
    targets, begin, end = 6, 1, 5
    edges = [(dice.randrange(4), dice.randrange(targets), code, dice.choice((-3, -1, 1, 2, 0)))
             for code in (*range(6), *range(6))]  # fmt: skip
    dice.shuffle(edges)
    grouped = [[e for e, edge in enumerate(edges) if edge[1] == target] for target in range(targets)]
    expected = [[[7 % ring] * INTO for ring in rings] for _ in range(targets)]
    for target in range(begin, end):
        for e in grouped[target]:
            source, _, code, factor = edges[e]
            for k, ring in enumerate(rings):
                added(expected[target][k], sources[source][k], code, factor if factored else 1, ring)
    found: npt.NDArray[Any] = np.array(
        [[[7 % ring] * INTO for ring in rings]] * targets, np.uint64 if factored else word
    )
    given: list[Any] = [
        np.cumsum([0, *map(len, grouped)]).astype(np.int64),
        np.array([e for group in grouped for e in group], np.int32),
        np.array([edge[0] for edge in edges], np.int32),
        np.array([edge[2] for edge in edges], np.int8),
    ]
    values: npt.NDArray[Any] = np.array(sources, word)
    with np.errstate(over="ignore"):
        if factored:
            factors = np.array([edge[3] for edge in edges], np.int32)
            PULL_BRANCHES(found, values, *given, factors, *runs_of(), np.array(moduli, np.uint64), begin, end)
        else:
            PULL(found, values, *given, *runs_of(), np.array(moduli, np.uint64), begin, end)
    assert found.tolist() == expected
    assert values.tolist() == sources


def edges_drawn(dice: random.Random, sources: int, targets: int) -> list[list[int]]:
    """Draw for each source and move twice its target, plus 1 where colours are exchanged, or -1."""
    drawn = [[dice.choice((-1, dice.randrange(2 * targets))) for _ in range(3)] for _ in range(sources)]
    drawn[0] = [-1, 2 * targets - 1, 2]
    return drawn


def branches_drawn(dice: random.Random, sources: int, targets: int) -> list[list[int]]:
    """Draw twice a source, plus 1 where colours are exchanged, a target, and a factor."""
    return [[dice.randrange(2 * sources), dice.randrange(targets), dice.choice((-3, -1, 0, 1, 2))] for _ in range(12)]


@pytest.mark.parametrize("seed", range(4))
def test_sums_of_weights_follow_edges(seed: int) -> None:
    """In halves and quarters, which floating point adds exactly."""
    dice = random.Random(seed)
    sources, targets, lanes = 5, 4, 3
    values = [[dice.randrange(64) / 4 for _ in range(lanes)] for _ in range(sources)]
    weights = [0.5, 2.0, 3.0]
    edges, branches = edges_drawn(dice, sources, targets), branches_drawn(dice, sources, targets)
    expected = [[0.0] * lanes for _ in range(targets)]
    after = [[0.0] * lanes for _ in range(targets)]
    for j, weight in enumerate(weights):
        for source, row in enumerate(edges):
            for move, edge in enumerate(row):
                if edge >= 0:
                    expected[edge // 2][j] += values[source][j] * (weight if move else 1)
        for source, target, factor in branches:
            after[target][j] += values[source // 2][j] * weight * abs(factor)
    found, branched = np.zeros((targets, lanes)), np.zeros((targets, lanes))
    push_reals(found, np.array(values), np.array(edges, np.int32), np.array(weights))
    branch_reals(branched, np.array(values), np.array(branches, np.int32), np.array(weights))
    assert found.tolist() == expected
    assert branched.tolist() == after


@pytest.mark.parametrize("seed", range(4))
def test_the_most_by_which_marks_differ_follows_edges(seed: int) -> None:
    """For each player; a state nobody comes to stays so."""
    dice = random.Random(10 + seed)
    sources, targets, weight = 5, 5, 3
    differences = [[dice.randrange(-9, 9) for _ in range(2)] for _ in range(sources)]
    assert NOWHERE < -(1 << 12), "below all by which marks can differ"
    edges, branches = edges_drawn(dice, sources, targets - 1), branches_drawn(dice, sources, targets - 1)
    reached: list[list[list[int]]] = [[[NOWHERE], [NOWHERE]] for _ in range(targets)]
    branched: list[list[list[int]]] = [[[NOWHERE], [NOWHERE]] for _ in range(targets)]
    for (x_more, o_more), row in zip(differences, edges, strict=True):
        for gained, edge in zip((0, weight, -weight), row, strict=True):
            if edge >= 0:
                now = (x_more + gained, o_more - gained)
                for player in range(2):
                    reached[edge // 2][player].append(now[player ^ edge % 2])
    for source, target, _ in branches:
        first, second = differences[source // 2][:: -1 if source % 2 else 1]
        branched[target][0].append(first + weight)
        branched[target][1].append(second - weight)
    given = np.array(differences, np.int16)
    found, after = (np.full((targets, 2), NOWHERE, np.int16) for _ in range(2))
    push_most(found, given, np.array(edges, np.int32), weight)
    branch_most(after, given, np.array(branches, np.int32), weight)
    assert found.tolist() == [[max(each) for each in both] for both in reached]
    assert after.tolist() == [[max(each) for each in both] for both in branched]


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize(("begin", "end"), [(0, 5), (0, 2), (2, 3), (1, 5), (3, 3)])
def test_values_at_points_go_to_the_targets_asked_for(begin: int, end: int, largest: bool) -> None:
    """Edges to targets before and after these are passed over, wherever they stand; no number is too large to add."""
    dice = random.Random(20)
    sources, targets = 6, 5
    primes = [dice.choice((2147483629, 1000003, 7)) for _ in range(PAIRS)] * 2

    def drawn(prime: int) -> int:
        return prime - 1 if largest else dice.randrange(prime)

    edges, branches = edges_drawn(dice, sources, targets), branches_drawn(dice, sources, targets)
    values = [[*map(drawn, primes)] for _ in range(sources)]
    weights = [[*map(drawn, primes)] for _ in range(2)]
    pushed, branched = ([[0] * LANES for _ in range(targets)] for _ in range(2))
    for lane, prime in enumerate(primes):
        twin = (lane + PAIRS) % LANES
        for source, row in enumerate(edges):
            for move, edge in enumerate(row):
                if begin <= edge // 2 < end:
                    weight = weights[move - 1][lane] if move else 1
                    into = pushed[edge // 2]
                    place = twin if edge % 2 else lane
                    into[place] = (into[place] + weight * values[source][lane]) % primes[place]
        for source, target, factor in branches:
            if begin <= target < end:
                value = values[source // 2][twin if source % 2 else lane]
                branched[target][lane] = (branched[target][lane] + factor * weights[0][lane] * value) % prime
    quotients = [[(w << 32) // p for w, p in zip(row, primes, strict=True)] for row in weights]
    lanes: list[Any] = [np.array(each, np.uint32) for each in (weights, quotients, primes)]
    both: list[Any] = [(push, edges, pushed), (push_branches, branches, branched)]
    for kernel, given, expected in both:
        found = np.zeros((targets, LANES), np.uint32)
        room = np.empty((2, LANES), np.uint32)
        with np.errstate(over="ignore"):
            kernel(found, np.array(values, np.uint32), np.array(given, np.int32), *lanes, room, begin, end)
        assert found.tolist() == expected
