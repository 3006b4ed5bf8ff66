"""The kernels of values at points, and whole sums by them small enough to run uncompiled with checked bounds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import and_
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from noughts.counting.engines import ask
from noughts.counting.frontier.batches import survey_of, values_at
from noughts.counting.frontier.graph import Exploration, StateGraph
from noughts.counting.frontier.grid import Grid, Point
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern, shared_sets
from noughts.kernels.frontier.hashing import reenter
from noughts.kernels.frontier.transfer import expand, push_modulo, still_relevant
from noughts.kernels.frontier.transfer import push as push_transfer
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import SERIAL
from noughts.rules.board import Board
from tests.counting.comparing import counted

PRIMES = (2147483629, 2147483587, 1000003, 7)


def summed(cells: int, lines: list[int], x: int, y: int, prime: int) -> int:
    """Return the weights of all fillings without a line, by trying them all."""
    total = 0
    for filling in product((0, 1, 2), repeat=cells):
        marks = [sum(1 << cell for cell, mark in enumerate(filling) if mark == player) for player in (1, 2)]
        if not any(line & ~own == 0 for own in marks for line in lines):
            total += pow(x, marks[0].bit_count(), prime) * pow(y, marks[1].bit_count(), prime)
    return total % prime


def graph_of(pattern: Pattern, won: bool = False) -> StateGraph:
    shared = shared_sets(pattern.first, 100) if won else None
    return Exploration(Route(pattern, range(pattern.size), shared)).graph()


@pytest.mark.parametrize("spec", ["2x3:2", "2x4:3", "1x5:3", "2x2:3", "1x3:1"])
def test_values_are_the_weights_of_all_fillings(spec: str) -> None:
    board = Board.parse(spec)
    rng = random.Random(spec)
    points = [Point(p, rng.randrange(p), rng.randrange(p)) for p in PRIMES for _ in range(3)]
    graph = graph_of(Pattern.of(board.cells, board.line_masks))
    found = values_at(graph, points, 1, SERIAL, Checkpoints(None), "", lambda done, states: None)
    lines = list(board.line_masks)
    assert found == [(summed(board.cells, lines, x, y, p), summed(board.cells, lines, y, x, p)) for p, x, y in points]


def filled(pattern: Pattern) -> list[tuple[int, int]]:
    """Return the marks of either player in every filling of a pattern that nobody has won, by trying them all."""
    return [marks for completed, marks in fillings(pattern) if not any(completed)]


def won(pattern: Pattern) -> list[tuple[int, int]]:
    """Return the same for every filling in which the first player alone has lines, and these share a cell."""
    return [marks for (first, second), marks in fillings(pattern) if first and not second and reduce(and_, first)]


def fillings(pattern: Pattern) -> Iterator[tuple[list[list[int]], tuple[int, int]]]:
    """Yield for every filling the cores of the lines that either player has, and how many marks."""
    for filling in product((0, 1, 2), repeat=pattern.size):
        taken = [{cell for cell, mark in enumerate(filling) if mark == player} for player in (1, 2)]
        sides = zip((pattern.first, pattern.second), (sum(1 << cell for cell in own) for own in taken), strict=True)
        completed = [[line.core for line in lines if line.trigger & ~own == 0] for lines, own in sides]
        first, second = (sum(pattern.weights[cell] for cell in own) for own in taken)
        yield completed, (first, second)


PATTERNS = {
    "a board": Pattern.of(8, Board.parse("2x4:2").line_masks),
    "lines of three": Pattern.of(6, [0b000111, 0b111000, 0b010010]),
    "players with other lines": Pattern.of(6, [0b000111, 0b111000, 0b001100], first=0b000001),
    "weights": Pattern.of(9, Board.parse("3x3").line_masks, symmetry=(8, 7, 6, 5, 4, 3, 2, 1, 0)),
    "no lines": Pattern.of(3, []),
}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
def test_values_of_won_positions_are_their_weights(pattern: Pattern) -> None:
    """Open and won, at (x, y) and at (y, x)."""
    rng = random.Random(len(pattern.first))
    points = [Point(p, rng.randrange(p), rng.randrange(p)) for p in PRIMES for _ in range(2)]
    found = values_at(graph_of(pattern, True), points, 1, SERIAL, Checkpoints(None), "", lambda done, states: None)
    kinds = (filled(pattern), won(pattern))
    for (prime, x, y), values in zip(points, found, strict=True):
        weights = [
            sum(pow(a, p, prime) * pow(b, q, prime) for p, q in kind) % prime
            for kind in kinds
            for a, b in ((x, y), (y, x))
        ]
        assert list(values) == weights


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
def test_a_survey_with_won_positions_bounds_these_too(pattern: Pattern) -> None:
    survey, open_marks, won_marks = survey_of(graph_of(pattern, True)), filled(pattern), won(pattern)
    assert survey.difference == max(abs(p - q) for p, q in open_marks + won_marks)
    for scale, weight in survey.sums:
        assert weight >= sum(scale ** (p + q) for p, q in open_marks + won_marks) * (1 - 1e-12)
    plain, grid = Grid.of(pattern, won=True), Grid.of(pattern, survey, won=True)
    assert survey.difference + 1 < grid.order <= plain.order
    for t in range(len(grid.known), pattern.total + 1):
        for marks in (open_marks, won_marks):
            assert marks.count(((t + 1) // 2, t // 2)) <= grid.bounds[t]


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
def test_a_survey_bounds_every_count_and_tells_how_far_marks_differ(pattern: Pattern) -> None:
    survey, marks = survey_of(graph_of(pattern)), filled(pattern)
    assert survey.difference == max(abs(p - q) for p, q in marks)
    for scale, weight in survey.sums:
        assert weight == pytest.approx(sum(scale ** (p + q) for p, q in marks))
    plain, grid = Grid.of(pattern), Grid.of(pattern, survey)
    assert len(survey.sums) == 16
    for t in range(pattern.total + 1):
        count = marks.count(((t + 1) // 2, t // 2))
        assert count <= grid.bounds[t] <= plain.bounds[t]
        assert count <= survey.most_positions(t)
    assert survey.difference + 1 < grid.order <= plain.order


# The kernels of the engine `transfer`, and whole sweeps by them small enough to run uncompiled with checked bounds.

ALL = (1 << 64) - 1


def masks(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint64)


def alike(x: int, common: int, parts: list[int], cores: list[int]) -> set[tuple[int, ...]]:
    """Return the sets of lines under way that may be completed by later marks, as far as marks and cells tell."""
    alive = [j for j, part in enumerate(parts) if not part & ~x]
    allowed = set()
    for chosen in range(1 << len(alive)):
        several = [j for i, j in enumerate(alive) if chosen >> i & 1]
        shared = common
        for j in several:
            shared &= cores[j]
        if shared or not several:
            allowed.add(tuple(several))
    return allowed


def test_what_is_forgotten_of_a_won_position_never_mattered() -> None:
    """By trial: each set of lines may be completed afterwards iff it might before, lines not watched left aside."""
    rng = random.Random(7)
    forgotten = 0
    for _ in range(300):
        lines = [rng.getrandbits(8) | 1 << rng.randrange(8) for _ in range(rng.randrange(6))]
        parts = [line & 0b11111 or 1 for line in lines]
        cores = [part & rng.getrandbits(8) for part in parts]
        x, common = rng.getrandbits(5), rng.getrandbits(5)
        out = masks(0, 0)
        still_relevant(np.uint64(x), np.uint64(common), masks(*parts), masks(*cores), out)
        kept, near = int(out[0]), int(out[1])
        assert kept & ~x == 0
        assert near & ~common == 0
        forgotten += kept != x
        before, after = alike(x, common, parts, cores), alike(kept, near, parts, cores)
        watched = [j for j, part in enumerate(parts) if not part & ~kept]
        assert after == {several for several in before if all(j in watched for j in several)}
        for several in before:
            # a line that is no longer watched must be free to complete, with whatever else may be
            assert tuple(j for j in several if j in watched) in after
        for several in after:
            free = [j for j, part in enumerate(parts) if not part & ~x and j not in watched]
            assert tuple(sorted([*several, *free])) in before
    assert forgotten > 50


def test_states_are_found_once_and_edges_lead_to_them() -> None:
    """Two cells, one line of both: the first leaves 3 states; at the second two marks of a kind are refused."""
    nothing = masks()
    table, found = np.full(32, -1, np.int32), np.zeros((9, 3), np.uint64)
    edges, key = np.empty((3, 1), np.int32), masks(0, 0, 0)
    start = np.array([[0, 0, ALL]], np.uint64)
    with np.errstate(over="ignore"):
        lines = (nothing, nothing, nothing, masks(1), masks(0), masks(1))
        assert expand(start, 0, 1, np.uint64(1), *lines, table, found, 0, edges, key) == 3
        assert edges.tolist() == [[0], [1], [2]]
        assert found[:3].tolist() == [[0, 0, ALL], [1, 0, ALL], [0, 1, ALL]]
        again, other = np.zeros((9, 3), np.uint64), np.full(32, -1, np.int32)
        reenter(other, found, 3, again)
        assert (again[:3] == found[:3]).all()
        after, last = np.empty((3, 3), np.int32), np.zeros((9, 3), np.uint64)
        for core, states, reached in ((0, 1, [[0, 0, 0], [0, -1, 0], [0, 0, -1]]), (3, 2, None)):
            table[:] = -1
            lines = (masks(3), masks(core), masks(3), nothing, nothing, nothing)
            assert expand(found, 0, 3, np.uint64(2), *lines, table, last, 0, after, key) == states
            assert reached is None or after.tolist() == reached
        assert after.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, -1]]
        assert last[1].tolist() == [0, 0, 0]


@pytest.mark.parametrize("words", [(np.uint32, np.uint32), (np.uint32, np.uint64), (np.uint64, np.uint64)])
def test_values_are_added_where_edges_lead(words: tuple[type, type]) -> None:
    source: npt.NDArray[Any] = np.array([[1, 2, 3], [10, 20, 30], [100, 200, 300]], words[0])
    edges = np.array([1, -1, 1], np.int32)
    target: npt.NDArray[Any] = np.ones((2, 4), words[1])
    push_transfer(target, source, edges, 1, 2, 2)
    assert target.tolist() == [[1, 1, 1, 1], [1, 1, 203, 304]]
    target = np.ones((2, 4), words[1])
    push_modulo(target, source, edges, 1, 2, 2, np.uint64(303))
    assert target.tolist() == [[1, 1, 1, 1], [1, 1, 203, 1]]
    top = np.full((1, 1), (1 << 63) - 26, np.uint64)
    twice = top.copy()
    push_modulo(twice, top, np.zeros(1, np.int32), 0, 0, 1, np.uint64((1 << 63) - 25))
    assert int(twice[0, 0]) == (1 << 63) - 27
    one = np.ones((1, 1), np.uint64)
    push_modulo(one, top, np.zeros(1, np.int32), 0, 0, 1, np.uint64((1 << 63) - 25))
    assert int(one[0, 0]) == 0, "the modulus itself is nothing"


@pytest.mark.parametrize("spec", ["2x3:2", "1x5:4", "2x2:2", "3x3:3", "1x7:3+torus"])
def test_sweeps_within_bounds(spec: str) -> None:
    question = ask(spec, same="symmetry")
    assert counted("transfer", question).plies == counted("plain", question).plies
