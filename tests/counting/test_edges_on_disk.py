"""Graphs whose edges are in a file: the same edges and counts, nothing left behind, and failures in one sentence."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from noughts.counting.api import ask
from noughts.counting.engines import answer
from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern, shared_sets
from noughts.counting.points import batches, edges
from noughts.counting.points.batches import batches_of, values_at
from noughts.counting.points.cost import Tariff
from noughts.counting.points.edges import EdgeFile, Rows, pieces_of
from noughts.counting.points.graph import Exploration, StateGraph
from noughts.counting.points.grid import Grid
from noughts.counting.points.race import smallest_graph
from noughts.counting.points.survey import survey_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, FileError
from noughts.machine.budget import Limits
from noughts.machine.workers import workers_for


def pattern_of(spec: str) -> Pattern:
    board = Board.parse(spec)
    return Pattern.of_lines(board.cells, board.line_masks)


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
