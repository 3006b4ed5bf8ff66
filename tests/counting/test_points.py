"""Games counted by values at points: against tables of counts, listing, and a slow program of its own."""

from __future__ import annotations

import errno
import os
import pickle
import random
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.counting.engines import answer, ask, row_of
from noughts.counting.frontier import graph as edges
from noughts.counting.frontier import points as batches
from noughts.counting.frontier.graph import EdgeFile, Exploration, Rows, StateGraph, pieces_of, survey_of
from noughts.counting.frontier.points import (
    Grid,
    Point,
    Tariff,
    batches_of,
    hopeless_at_points,
    known_up_to,
    smallest_graph,
    values_at,
    widest_difference,
)
from noughts.counting.frontier.sweep import Route
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import Pattern, shared_sets, why_not
from noughts.counting.question import Question
from noughts.counting.sweeps import Checkpoints
from noughts.machine.budget import Limits
from noughts.machine.workers import workers_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError, FileError
from tests import naive
from tests.counting.comparing import COUNTED, ENDS, LINES, counted, differences, estimated, first_moves, refusal
from tests.dear import dear


def pattern_of(spec: str) -> Pattern:
    board = Board.parse(spec)
    return Pattern.of_lines(board.cells, board.line_masks)


def graph_of(pattern: Pattern) -> StateGraph:
    exploration = Exploration(Route(pattern, range(pattern.size)))
    while not exploration.is_done:
        assert exploration.advance(lambda states: True)
    return exploration.graph()


def values(graph: StateGraph, points: list[Point], threads: int = 1) -> list[tuple[int, ...]]:
    workers = workers_for(threads)
    return values_at(graph, batches_of(iter(points)), 2, workers, None, "", lambda done, states: None)


def slow(rows: int, columns: int, k: int, point: Point) -> int:
    """Return the value of A at a point: cell by cell, by the lines that are all X or all O so far, as they stand."""
    lines = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + i * down, column + i * right) for i in range(k)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in places):
                    lines.append(sorted(r * columns + c for r, c in places))
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


def agree(spec: str, symmetry: str = "board") -> None:
    for same in COUNTED:
        question = ask(spec, same=same, symmetry=symmetry)  # type: ignore[arg-type]
        if why_not(question) is None:
            found = counted("points", question)
            assert found.totals.positions is not None
            assert differences(found, counted("frontier", question)) == []
            assert differences(counted("points-games", question), found) == []


@pytest.mark.parametrize(
    "spec",
    ["3x3", "1x1", "1x2", "3x4:3", "2x7:2", "4x4:3", "4x4:4+torus", "2x2x3:2", "4x4:3+misere", "3x5:6", "1x16:4"],
)
def test_positions_and_games_at_points_are_those_of_the_tables(spec: str) -> None:
    agree(spec)


@pytest.mark.parametrize(
    "spec", ["3x3", "1x1", "1x2", "3x4:3", "2x7:2", "4x4:4+torus", "2x2x3:2", "4x4:3+misere", "3x5:6"]
)
def test_positions_at_points_on_the_graph_of_another_engine_are_those_of_the_tables(spec: str) -> None:
    """All columns, up to symmetry too."""
    for same in COUNTED:
        question = ask(spec, same=same)
        assert differences(counted("transfer-points", question), counted("frontier", question)) == []


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_games_at_points_are_those_of_the_tables_on_all_boards_of_16_cells(rows: int) -> None:
    for columns in range(rows, 16 // rows + 1):
        for k in range(1, columns + 1):
            for torus in ("", "+torus"):
                for symmetry in ("board", "lines"):
                    agree(f"{rows}x{columns}:{k}{torus}", symmetry)


@given(LINES)
@settings(max_examples=40, deadline=None)
def test_boards_given_by_any_lines_count_as_listed(given_lines: tuple[int, frozenset[frozenset[int]]]) -> None:
    cells, lines = given_lines
    expected = naive.census(
        naive.Game(cells, lines), "labelled", "any", "any", "line", (tuple(range(cells)),), None, None
    )
    rows = counted("points", Question(Board.from_lines(cells, lines))).plies
    for row, wanted in zip(rows, expected, strict=True):
        known = {name: number for name, number in asdict(row).items() if number is not None}
        assert known == {name: wanted[name] for name in known}
        assert {"positions", "terminal_positions", "paths", "finished", "x_wins", "o_wins", "draws"} <= known.keys()


@pytest.mark.parametrize("spec", ["3x3", "2x4:3", "3x3+torus", "2x2x2:2"])
def test_positions_to_start_from_count_as_by_recursion(spec: str) -> None:
    compared = 0
    for start in first_moves(spec):
        for same in COUNTED:
            for end in ENDS:
                question = Question(start.board, same, end=end, start=start)
                offer = row_of("points").offer(Request(question), Limits())
                if isinstance(offer, CountingOffer):
                    compared += 1
                    assert offer.missing == ()
                    assert differences(offer.count(), counted("plain", question)) == []
    assert compared >= 4


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


def test_a_wrong_value_is_found_out_or_gives_other_counts() -> None:
    pattern = pattern_of("3x3")
    grid = Grid.of(pattern)
    right = values(graph_of(pattern), list(grid.points()))
    for number in range(len(right)):
        wrong = list(right)
        wrong[number] = ((right[number][0] + 1) % grid.primes[0], right[number][1])
        with pytest.raises(AssertionError, match=r"more than there can be|those of a polynomial"):
            grid.counts(wrong)


@given(LINES, st.booleans())
@settings(max_examples=60, deadline=None)
def test_what_a_grid_takes_for_granted_holds(given_lines: tuple[int, frozenset[frozenset[int]]], started: bool) -> None:
    """By trial: how far the marks can differ, and up to how many marks nobody can have a line."""
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
    points = list(Grid.of(pattern_of("4x4:3")).points())
    assert values(graph, points, 1) == values(graph, points, 3)


class KilledPoints(Exception):
    """Stands for a kill."""


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupted_work_goes_on_from_its_last_batch(tmp_path: Path, threads: int) -> None:
    question = ask("4x5:4")
    whole = counted("points", question)
    done: list[int] = []

    def report(batches: int, work: int, what: str) -> None:
        done.append(batches)
        if batches >= 3:
            raise KilledPoints

    with pytest.raises(KilledPoints):
        counted("points", question, threads=threads, progress=report, resume=tmp_path)
    kept = list(tmp_path.glob("*.json"))
    assert len(kept) == done[-1]
    assert all(path.stat().st_size < 1000 for path in kept)
    again: list[int] = []
    found = counted("points", question, progress=lambda at, work, what: again.append(at), resume=tmp_path)
    assert found.plies == whole.plies
    assert again[0] == done[-1]
    kept[0].write_text(kept[0].read_text().replace("1", "2", 3))
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("points", question, resume=tmp_path)


def test_they_are_taken_where_the_tables_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of 5x6:4 take 250 MB for the games alone."""
    monkeypatch.setattr("noughts.counting.frontier.engine.OWN_MEMORY_POINTS", 120 * 10**6)
    found = noughts.count("5x6:4", memory="180MB")
    assert (found.engine, found.totals.positions) == ("points-games", None)
    assert found.plies == counted("games", ask("5x6:4")).plies


def test_estimates_stop_at_the_budget() -> None:
    for limits in (Limits(400e6), Limits(seconds=20)):
        cost = estimated("points", ask("9x9:5"), limits)
        assert cost.at_least
        assert not limits.allow(cost)
    with pytest.raises(BudgetError, match="over the budget of 400 MB of memory"):
        noughts.count("9x9:5", memory="400MB", engine="points")


def test_an_exploration_ends_where_it_exceeds_the_limits_and_the_graph_is_no_larger_than_reckoned() -> None:
    pattern = pattern_of("5x5:3")
    order = tuple(range(25))
    tariff = Tariff(pattern, Grid.of(pattern), order, 2)
    found, cost = smallest_graph(pattern, [tariff], Limits())
    assert found is not None
    assert cost.widest == max(found[1].sizes)
    assert cost.kept == 12 * sum(found[1].sizes[:-1]) + 12
    assert smallest_graph(pattern, [tariff], Limits(cost.memory // 2))[0] is None
    assert smallest_graph(pattern, [tariff], Limits(seconds=cost.seconds / 2))[0] is None
    assert tariff.together(found[1].sizes, 0, Limits(cost.memory)) == 1
    assert tariff.together(found[1].sizes, 0, Limits()) == 2
    assert hopeless_at_points(tariff, Limits()) is None
    assert hopeless_at_points(tariff, Limits(1000)) is not None


def test_the_order_with_the_smaller_graph_is_taken() -> None:
    pattern = pattern_of("7x3:3")
    rows, columns = tuple(range(21)), tuple(sorted(range(21), key=lambda cell: (cell % 3, cell // 3)))
    for orders in ([rows, columns], [columns, rows]):
        found, _ = smallest_graph(pattern, [Tariff(pattern, Grid.of(pattern), order, 1) for order in orders], Limits())
        assert found is not None
        assert found[0] == rows


def test_a_graph_of_marks_that_matter_is_no_larger_than_reckoned() -> None:
    question = ask("4x5:4")
    offer = row_of("transfer-points").offer(Request(question), Limits())
    assert isinstance(offer, CountingOffer)
    assert offer.missing == ()
    cost = estimated("transfer-points", ask("7x7:5"), Limits(400e6))
    assert cost.at_least
    assert not Limits(400e6).allow(cost)


@pytest.mark.parametrize(("spec", "at_least", "up_to"), [("7x7:5", 1, 14), ("8x8:6", 40, 400), ("6x6:4", 0.1, 0.6)])
def test_what_a_graph_grows_to_is_foretold_from_its_first_rows(spec: str, at_least: float, up_to: float) -> None:
    """In millions of states, where 7x7:5 has 14 at its widest place, 8x8:6 over 125 and 6x6:4 has 0.6."""
    pattern = pattern_of(spec)
    tariff = Tariff(pattern, Grid.of(pattern), range(pattern.size), 1)
    exploration = Exploration(Route(pattern, range(pattern.size)))
    while len(exploration.states) < 150_000:
        exploration.advance(lambda states: True)
    sizes = exploration.sizes
    growth = tariff.forecast(sizes, 0).seconds / tariff.cost(sizes, 0).seconds
    assert at_least <= growth * sizes[-1] / 1e6 <= up_to


def test_what_they_refuse_is_said() -> None:
    never = ask("3x3", moves="win"), ask("3x3", end="decided"), ask("40x40:3")
    for question in (*never, ask("3x3", same="choices")):
        why = refusal("points" if question in never else "points-games", question)
        assert why
        assert "\n" not in why


# Graphs whose edges are in a file: the same edges and counts, nothing left behind, and failures in one sentence.


def explored(spec: str, folder: Path | None = None, step: int = 0) -> StateGraph:
    """Return the graph with won positions; from a step on with the edges in a folder."""
    pattern = pattern_of(spec)
    exploration = Exploration(Route(pattern, range(pattern.size), shared_sets(pattern.first, 4000)))
    while not exploration.is_done:
        if folder is not None and len(exploration.edges) == step:
            exploration.move_to_disk(folder)
            assert exploration.kept == 0
        exploration.advance(lambda states: True)
    return exploration.graph()


def rows_of(each: tuple[Rows, ...]) -> list[list[list[int]]]:
    return [np.concatenate([np.empty((0, 3), dtype=np.int32), *pieces_of(rows)]).tolist() for rows in each]


@pytest.mark.parametrize("step", [0, 7, 15])
def test_edges_in_a_file_are_those_in_memory(tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they are moved at once, half-way and at the last step, and are read a few at a time."""
    plain = explored("4x4:3")
    monkeypatch.setattr(edges, "_PIECE", 100)
    stored = explored("4x4:3", tmp_path, step)
    assert (stored.sizes, stored.nbytes, stored.branched) == (plain.sizes, plain.nbytes, plain.branched)
    assert rows_of(stored.edges) == rows_of(plain.edges)
    assert rows_of(stored.branches) == rows_of(plain.branches)
    assert not any(isinstance(rows, np.ndarray) for rows in stored.edges + stored.branches)
    assert survey_of(stored) == survey_of(plain)
    assert list(tmp_path.iterdir()) == []
    again = pickle.loads(pickle.dumps(stored))
    assert rows_of(again.edges) == rows_of(plain.edges)


def test_threads_share_a_batch_where_there_are_more_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are the same for any number of threads, and each has a stretch of the targets."""
    graph = explored("4x4:3", tmp_path)
    points = batches_of(Grid.with_won(pattern_of("4x4:3")).points())[:1]
    stretches: list[tuple[int, int]] = []
    follow = batches._follow

    def watched(shared: batches._Followed, stretch: tuple[int, int]) -> None:
        stretches.append(stretch)
        follow(shared, stretch)

    monkeypatch.setattr(batches, "_follow", watched)
    found = {}
    for threads in (1, 2, 3):
        stretches.clear()
        found[threads] = values_at(graph, points, 1, workers_for(threads), None, "", lambda done, states: None)
        assert len([begin for begin, _ in stretches if begin == 0]) >= len(graph.edges)
        assert (max(begin for begin, _ in stretches) > 0) is (threads > 1)
    assert found[1] == found[2] == found[3]


def test_a_graph_that_does_not_fit_memory_goes_to_disk_and_counts_the_same(tmp_path: Path) -> None:
    question = ask("4x6:3")
    pattern = pattern_of("4x6:3")
    tariff = Tariff(pattern, Grid.of(pattern), tuple(range(24)), 2)
    found, cost = smallest_graph(pattern, [tariff], Limits())
    assert found is not None
    assert cost.disk == 0
    tight = Limits(cost.top + cost.kept // 2)
    assert smallest_graph(pattern, [tariff], tight)[0] is None
    stored, less = smallest_graph(pattern, [tariff], Limits(tight.memory, disk=1e9, folder=tmp_path / "new"))
    assert stored is not None
    assert (less.kept, less.disk) == (0, cost.kept)
    assert rows_of(stored[1].edges) == rows_of(found[1].edges)
    assert smallest_graph(pattern, [tariff], Limits(tight.memory, disk=cost.kept / 2, folder=tmp_path))[0] is None
    assert list(tmp_path.iterdir()) == []
    whole = answer(question, engine="points")
    assert answer(question, engine="points", resume=tmp_path / "state").plies == whole.plies


def test_a_refusal_says_what_a_folder_may_save() -> None:
    """Where memory is what lacks, and not time."""
    with pytest.raises(BudgetError, match=r"; [0-9.]+ [kM]B or more of it can be on disk with --resume DIR\)"):
        answer(ask("5x5:4"), engine="points", limits=Limits(165e6))
    with pytest.raises(BudgetError) as late:
        answer(ask("5x6:4"), engine="points", limits=Limits(8e9, 2.0))
    assert "--resume" not in str(late.value)


def test_a_disk_that_fails_and_a_file_that_shrinks_are_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = EdgeFile(tmp_path)
    rows = file.keep(np.arange(30, dtype=np.int32).reshape(10, 3))
    assert rows.read(2, 4).tolist() == [[6, 7, 8], [9, 10, 11]]
    os.ftruncate(file._file.fileno(), 50)
    with pytest.raises(FileError, match="has become shorter while it was read: start again"):
        rows.read(0, 10)

    def fails(handle: int, size: int, offset: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pread", fails)
    with pytest.raises(FileError, match=r"cannot read what was written to .*: Input/output error"):
        rows.read(0, 1)

    class Full:
        def write(self, some: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(file, "_file", Full())
    with pytest.raises(FileError, match=r"cannot write .*: No space left on device; free some space"):
        file.keep(np.zeros((1, 3), dtype=np.int32))


# What is kept of work under way: what a kill leaves between two steps is tidied by whoever goes on.


class KilledCheckpoints(Exception):
    """Stands for a kill."""


def test_arrays_that_a_kill_left_behind_a_result_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Checkpoints(tmp_path)
    store.keep_arrays("sweep", {"numbers": np.arange(3)})

    def die(path: Path, missing_ok: bool = False) -> None:
        raise KilledCheckpoints

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", die)
        with pytest.raises(KilledCheckpoints):
            store.keep_result("sweep", {"count": "3"})
    left = {path.suffix for path in tmp_path.iterdir()}
    assert left == {".npz", ".json"}
    assert Checkpoints(tmp_path).result("sweep") == {"count": "3"}
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
