"""Values moved along the edges of a frontier, against the same sums in Python's integers and fractions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from noughts.kernels.frontier.lanes import LANES, PAIRS
from noughts.kernels.frontier.points import push, push_branches
from noughts.kernels.frontier.survey import NOWHERE, branch_most, branch_reals, push_most, push_reals
from noughts.kernels.frontier.values import pull, pull_branches

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


@pytest.mark.parametrize(("begin", "end"), [(0, 5), (0, 2), (2, 3), (1, 5), (3, 3)])
def test_values_at_points_go_to_the_targets_asked_for(begin: int, end: int) -> None:
    """Edges to targets before and after these are passed over, wherever they stand."""
    dice = random.Random(20)
    sources, targets = 6, 5
    primes = [dice.choice((2147483629, 1000003, 7)) for _ in range(PAIRS)] * 2
    edges, branches = edges_drawn(dice, sources, targets), branches_drawn(dice, sources, targets)
    values = [[dice.randrange(prime) for prime in primes] for _ in range(sources)]
    weights = [[dice.randrange(prime) for prime in primes] for _ in range(2)]
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
