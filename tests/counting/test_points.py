"""Values at points: against a slow program of its own; and graphs whose edges are in a file."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.counting.engines import answer, ask
from noughts.counting.frontier import batches
from noughts.counting.frontier.batches import values_at
from noughts.counting.frontier.forecast import smallest
from noughts.counting.frontier.graph import Exploration, Rows, StateGraph, pieces_of
from noughts.counting.frontier.grid import Grid, Point, PointCost, known_up_to, widest_difference
from noughts.counting.frontier.sweep import Route
from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.machine.budget import Limits
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import workers_for
from tests import naive
from tests.counting.comparing import LINES, counted, pattern_of
from tests.dear import dear


def graph_of(pattern: Pattern) -> StateGraph:
    return Exploration(Route(pattern, range(pattern.size))).graph()


def values(graph: StateGraph, points: Sequence[Point], threads: int = 1) -> list[tuple[int, ...]]:
    return values_at(graph, points, 2, workers_for(threads), Checkpoints(None), "", lambda done, states: None)


def slow(rows: int, columns: int, k: int, point: Point) -> int:
    """Return the value of A at a point, cell by cell, by the lines that are all X or all O so far."""
    lines = [sorted(line) for line in naive.grid(rows, columns, k).lines]
    prime, x, y = point
    states = {(0, 0): 1}
    for cell in range(rows * columns):
        through = sum(1 << i for i, line in enumerate(lines) if cell in line)
        begun = sum(1 << i for i, line in enumerate(lines) if line[0] == cell)
        ended = sum(1 << i for i, line in enumerate(lines) if line[-1] == cell)
        following: dict[tuple[int, int], int] = {}
        for (xs, os_), value in states.items():
            children = [((xs & ~through, os_ & ~through), 1)]
            if not xs & ended:
                children.append((((xs | begun) & ~ended, os_ & ~through), x))
            if not os_ & ended:
                children.append(((xs & ~through, (os_ | begun) & ~ended), y))
            for child, weight in children:
                following[child] = (following.get(child, 0) + value * weight) % prime
        states = following
    return sum(states.values()) % prime


@pytest.mark.parametrize(("rows", "columns", "k"), dear([(4, 4, 3), (3, 5, 3), (5, 5, 4)], (5, 5, 4)))
def test_residues_at_random_points_are_those_of_a_slow_program(rows: int, columns: int, k: int) -> None:
    rng = random.Random(f"{rows} {columns} {k}")
    points = [Point(p, rng.randrange(p), rng.randrange(p)) for p in (2147483629, 998244353)]
    found = values(graph_of(pattern_of(f"{rows}x{columns}:{k}")), points)
    for point, pair in zip(points, found, strict=True):
        twin = Point(point.prime, point.y, point.x)
        assert pair == (slow(rows, columns, k, point), slow(rows, columns, k, twin))


@given(LINES, st.booleans())
@settings(max_examples=60, deadline=None)
def test_what_a_grid_takes_for_granted_holds(given_lines: tuple[int, frozenset[frozenset[int]]], started: bool) -> None:
    """By trial: the largest difference of marks, and the most marks without a line of either player."""
    cells, lines = given_lines
    masks = sorted(sum(1 << cell for cell in line) for line in lines)
    pattern = Pattern.of(cells, masks, first=int(started and 1 not in masks))
    sides = [[line.trigger for line in own] for own in (pattern.first, pattern.second)]
    free = [
        {marks for marks in range(1 << pattern.size) if not any(line & ~marks == 0 for line in own)} for own in sides
    ]
    most = widest_difference(pattern)
    assert max(max(marks.bit_count() for marks in own) if own else 0 for own in free) <= most
    assert Grid.of(pattern).order > most + 1
    for t in range(known_up_to(pattern) + 1):
        for own, many in zip(sides, ((t + 1) // 2, t // 2), strict=True):
            assert all(line.bit_count() > many for line in own)


@given(st.randoms(use_true_random=False), st.integers(0, 14), st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_any_counts_come_back_from_their_values(rng: random.Random, total: int, free: int) -> None:
    """Counts by marks of either player, made up, whose difference is bounded; those of few marks are known."""
    difference = rng.randrange(1, total + 2)
    most = [rng.choice((1, 10**6, 10**9, 10**20, 10**40)) for _ in range(total + 1)]
    table = {
        (p, q): rng.randrange(most[p + q] + 1)
        for p in range(total + 1)
        for q in range(total + 1 - p)
        if abs(p - q) <= difference
    }
    balanced = tuple(table[(t + 1) // 2, t // 2] for t in range(total + 1))
    grid = Grid(balanced[:free], difference + 2 + difference % 2, tuple(most))

    def at(prime: int, x: int, y: int) -> int:
        return sum(n * pow(x, p, prime) * pow(y, q, prime) for (p, q), n in table.items()) % prime

    found = [(at(p, x, y), at(p, y, x)) for p, x, y in grid.points()]
    assert len(found) == grid.pairs
    assert grid.counts(found) == balanced


def test_primes_have_the_roots_and_their_product_exceeds_the_bound() -> None:
    grid = Grid.of(pattern_of("6x6:4"))
    product = 1
    for prime in grid.primes:
        assert prime < 1 << 31
        assert prime % (2 * grid.order) == 1
        product *= prime
    most = max(grid.bounds)
    assert most < product <= most * max(grid.primes)
    assert len(grid.spans) == len(grid.primes) == 2
    assert grid.spans[0] == range(len(grid.known), 37)
    assert all(grid.bounds[t] < grid.primes[0] for t in set(grid.spans[0]) - set(grid.spans[1]))
    assert len(Grid.of(pattern_of("4x4:3")).primes) == 1 < len(grid.primes)


def test_threads_and_batches_side_by_side_do_not_change_the_values() -> None:
    graph = graph_of(pattern_of("4x4:3"))
    points = Grid.of(pattern_of("4x4:3")).points()
    assert values(graph, points, 1) == values(graph, points, 3)


# Graphs whose edges are in a file: the same edges and counts, nothing left behind, and failures in one sentence.


def rows_of(each: tuple[Rows, ...]) -> list[list[list[int]]]:
    return [np.concatenate([np.empty((0, 3), dtype=np.int32), *pieces_of(rows)]).tolist() for rows in each]


def test_a_graph_that_does_not_fit_memory_goes_to_disk_and_counts_the_same(tmp_path: Path) -> None:
    pattern = pattern_of("4x5:3")

    def found(limits: Limits) -> tuple[Exploration | None, Cost]:
        return smallest([Exploration(Route(pattern, range(20)), PointCost(Grid.of(pattern).batches))], limits)

    here, cost = found(Limits())
    assert here is not None
    assert cost.disk == 0
    tight = Limits(cost.top + cost.held // 2)
    assert found(tight)[0] is None
    stored, less = found(Limits(tight.memory, disk=1e9, folder=tmp_path / "new"))
    assert stored is not None
    assert (less.held, less.disk) == (0, cost.held)
    assert rows_of(stored.graph().edges) == rows_of(here.graph().edges)
    assert found(Limits(tight.memory, disk=cost.held / 2, folder=tmp_path))[0] is None
    assert list(tmp_path.iterdir()) == []


def test_points_are_taken_where_the_tables_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    question, used = ask("5x5:4"), []
    monkeypatch.setattr("noughts.counting.frontier.tables.TableCost", lambda *given: PointCost(10**9))
    whole = batches.counted_at_points

    def watched(*given: Any) -> Any:
        used.append(given)
        return whole(*given)

    monkeypatch.setattr(batches, "counted_at_points", watched)
    found = answer(question, engine="frontier", limits=Limits(8e9, 600.0))
    assert len(used) == 1
    assert found.plies == counted("frontier", question).plies
