"""The kernels of values at points, and whole sums by them small enough to run uncompiled with checked bounds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import and_

import numpy as np
import pytest

from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern, shared_sets
from noughts.counting.points.batches import batches_of, values_at
from noughts.counting.points.graph import Exploration, StateGraph
from noughts.counting.points.grid import Grid, Point
from noughts.counting.points.survey import Survey, survey_of
from noughts.domain.board import Board
from noughts.kernels.frontier.lanes import LANES, PAIRS
from noughts.kernels.frontier.points import push, push_branches
from noughts.kernels.frontier.wander import wander
from noughts.machine.workers import SERIAL

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
    exploration = Exploration(Route(pattern, range(pattern.size), shared))
    while not exploration.is_done:
        assert exploration.advance(lambda states: True)
    return exploration.graph()


@pytest.mark.parametrize("spec", ["2x3:2", "2x4:3", "1x5:3", "2x2:3", "1x3:1"])
def test_values_are_the_weights_of_all_fillings(spec: str) -> None:
    board = Board.parse(spec)
    rng = random.Random(spec)
    points = [Point(p, rng.randrange(p), rng.randrange(p)) for p in PRIMES for _ in range(3)]
    graph = graph_of(Pattern.of_lines(board.cells, board.line_masks))
    found = values_at(graph, batches_of(iter(points)), 1, SERIAL, None, "", lambda done, states: None)
    lines = list(board.line_masks)
    assert found == [(summed(board.cells, lines, x, y, p), summed(board.cells, lines, y, x, p)) for p, x, y in points]


def test_players_with_other_lines_have_values_of_their_own() -> None:
    pattern = Pattern.of(6, [0b000111, 0b111000, 0b001100], first=0b000001)
    assert not pattern.is_symmetric
    point = Point(2147483629, 3, 5)
    ((here, there),) = values_at(graph_of(pattern), [[point]], 1, SERIAL, None, "", lambda done, states: None)
    expected = []
    for x, y in ((3, 5), (5, 3)):
        total = 0
        for filling in product((0, 1, 2), repeat=pattern.size):
            first, second = (sum(1 << cell for cell, mark in enumerate(filling) if mark == player) for player in (1, 2))
            if not any(line.trigger & ~first == 0 for line in pattern.first) and not any(
                line.trigger & ~second == 0 for line in pattern.second
            ):
                total += x ** first.bit_count() * y ** second.bit_count()
        expected.append(total)
    assert [here, there] == expected
    assert here != there


def test_sums_at_the_edge_of_the_primes_do_not_overflow() -> None:
    """All numbers as large as they can be, and refused, straight and exchanged edges, against Python's integers."""
    rng = random.Random(3)
    primes = [PRIMES[0]] * 8 + [PRIMES[1]] * 4 + [PRIMES[2]] * 2 + [PRIMES[3]] * 2
    prime = primes + primes
    for largest in (True, False):
        sources = [[p - 1 if largest else rng.randrange(p) for p in prime] for _ in range(3)]
        weights = [[p - 1 if largest else rng.randrange(p) for p in prime] for _ in range(2)]
        edges = [[0, 3, -1], [1, 2, 0], [-1, 3, 2]]
        expected = [[0] * LANES for _ in range(2)]
        for source, row in zip(sources, edges, strict=True):
            for move, edge in enumerate(row):
                if edge < 0:
                    continue
                for lane in range(LANES):
                    weight = 1 if move == 0 else weights[move - 1][lane]
                    into = (lane + PAIRS) % LANES if edge & 1 else lane
                    expected[edge >> 1][into] = (expected[edge >> 1][into] + weight * source[lane]) % prime[lane]
        targets = np.zeros((2, LANES), dtype=np.uint32)
        quotients = [[(w << 32) // p for w, p in zip(row, prime, strict=True)] for row in weights]
        with np.errstate(over="ignore"):
            push(
                targets, np.array(sources, dtype=np.uint32), np.array(edges, dtype=np.int32),
                np.array(weights, dtype=np.uint32), np.array(quotients, dtype=np.uint32),
                np.array(prime, dtype=np.uint32), np.empty((2, LANES), dtype=np.uint32), 0, 2,
            )  # fmt: skip
        assert targets.tolist() == expected


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
    "a board": Pattern.of_lines(8, Board.parse("2x4:2").line_masks),
    "lines of three": Pattern.of_lines(6, [0b000111, 0b111000, 0b010010]),
    "players with other lines": Pattern.of(6, [0b000111, 0b111000, 0b001100], first=0b000001),
    "weights": Pattern.of(9, Board.parse("3x3").line_masks, symmetry=(8, 7, 6, 5, 4, 3, 2, 1, 0)),
    "no lines": Pattern.of_lines(3, []),
}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
def test_values_of_won_positions_are_their_weights(pattern: Pattern) -> None:
    """Open and won, at (x, y) and at (y, x)."""
    rng = random.Random(len(pattern.first))
    points = [Point(p, rng.randrange(p), rng.randrange(p)) for p in PRIMES for _ in range(2)]
    found = values_at(graph_of(pattern, True), [points], 1, SERIAL, None, "", lambda done, states: None)
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
    plain, grid = Grid.with_won(pattern), Grid.with_won(pattern, survey)
    assert survey.difference + 1 < grid.order <= plain.order
    for t in range(len(grid.known), pattern.total + 1):
        for marks in (open_marks, won_marks):
            assert marks.count(((t + 1) // 2, t // 2)) <= grid.bounds[t]


def test_branches_at_the_edge_of_the_primes_do_not_overflow() -> None:
    """Straight and exchanged, with factors of either sign and none, against Python's integers."""
    rng = random.Random(4)
    primes = [PRIMES[0]] * 8 + [PRIMES[1]] * 4 + [PRIMES[2]] * 2 + [PRIMES[3]] * 2
    prime = primes + primes
    branches = [[0, 0, 1], [1, 0, -1], [2, 1, 3], [3, 1, -2], [4, 1, 0], [5, 0, 2]]
    for least in (True, False):
        sources = [[p - 1 if least else rng.randrange(p) for p in prime] for _ in range(2)] + [[0] * LANES]
        weights = [[p - 1 if least else rng.randrange(p) for p in prime] for _ in range(2)]
        expected = [[0] * LANES for _ in range(2)]
        for branch, target, factor in branches:
            for lane in range(LANES):
                value = sources[branch >> 1][(lane + PAIRS) % LANES if branch & 1 else lane]
                expected[target][lane] = (expected[target][lane] + factor * weights[0][lane] * value) % prime[lane]
        targets = np.zeros((2, LANES), dtype=np.uint32)
        quotients = [[(w << 32) // p for w, p in zip(row, prime, strict=True)] for row in weights]
        with np.errstate(over="ignore"):
            push_branches(
                targets, np.array(sources, dtype=np.uint32), np.array(branches, dtype=np.int32),
                np.array(weights, dtype=np.uint32), np.array(quotients, dtype=np.uint32),
                np.array(prime, dtype=np.uint32), np.empty((2, LANES), dtype=np.uint32), 0, 2,
            )  # fmt: skip
        assert targets.tolist() == expected


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


def test_a_survey_leaves_out_what_no_number_holds() -> None:
    """Sums beyond floating point bound nothing."""
    assert len(Survey(((1.0, 10.0),), 3).sums) == 1
    assert Survey(((1.0, 10.0), (2.0, 1000.0)), 3).most_positions(9) == 2
    with np.errstate(over="ignore"):
        found = survey_of(graph_of(Pattern.of_lines(700, [])))
    assert 0 < len(found.sums) < 16
    assert found.difference == 700


def test_walkers_stand_on_states_that_are_found_and_take_another_mark_where_theirs_is_refused() -> None:
    board = Board.parse("1x4:2")
    route = Route(Pattern.of_lines(board.cells, board.line_masks), range(board.cells))
    exploration = Exploration(route)
    walkers = np.zeros((2, 2), dtype=np.uint64)
    scratch = np.empty((1, 2), dtype=np.uint64)
    for step in range(2):
        visit, dice = route.visit(step), np.array([1, 2 - step], dtype=np.int8)
        x, o = visit.strict
        before = walkers.copy()
        wander(walkers, visit.masks, x.slots, x.masks, o.slots, o.masks, False, dice, scratch)
        assert exploration.advance(lambda states: True)
        assert (walkers != before).any()
    # X X is refused, so X O stands there; O X is as was thrown
    assert walkers.tolist() == [[0, 2], [2, 0]]
