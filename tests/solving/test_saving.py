"""Tables made in portions, by any workers: the same files, whatever happens to the workers or to a run."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import CheckError, ClusterError, FileError
from noughts.machine.joining import cluster_at, local_cluster
from noughts.machine.workers import SERIAL, Threads, Workers
from noughts.solving.audit import audit
from noughts.solving.saved import open_solution, save_solution
from noughts.solving.saving import making, portions
from noughts.solving.saving.work import plan_saving
from noughts.solving.small import SmallSolution
from tests.machine.clusters import hosts
from tests.workers import Pickled

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

FEW_BYTES = "from noughts.solving.saving import portions; portions.LEAST_BYTES, portions.PORTIONS = 16, 5"
"""What a worker in another process has to be told, too."""


@pytest.fixture(autouse=True)
def many_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many portions, as those of large boards are, and read little at a time."""
    monkeypatch.setattr(portions, "LEAST_BYTES", 16)
    monkeypatch.setattr(portions, "PORTIONS", 5)
    monkeypatch.setattr(making, "READ_BYTES", 400)


def saved(folder: Path, board: Board, workers: Workers = SERIAL, *, packed: bool = True) -> dict[str, bytes]:
    save_solution(folder, board, packed=packed, workers=workers, resume=folder.exists())
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("spec", ["3x3", "2x4:3+misere", "2x5:3", "2x3:2+torus", "1x2", "2x2:1"])
@pytest.mark.parametrize("packed", [False, True])
def test_the_same_files_for_any_workers(tmp_path: Path, spec: str, packed: bool) -> None:
    board = Board.parse(spec)
    expected = saved(tmp_path / "serial", board, packed=packed)
    if board.cells > 8:
        assert sum(name.startswith("layer-05.") for name in expected) > 2
    others: list[Workers] = [Threads(3), Pickled()] if packed else [Threads(2)]
    for number, workers in enumerate(others):
        assert saved(tmp_path / str(number), board, workers, packed=packed) == expected
    solution = open_solution(tmp_path / "serial", board)
    assert solution.plies() == SmallSolution(board).plies()
    findings = list(audit(tmp_path / "serial"))
    assert all(finding.ok for finding in findings)
    assert len(findings) > board.cells


def test_values_are_looked_up_in_the_portion_that_has_them(tmp_path: Path) -> None:
    board = Board.parse("3x3")
    saved(tmp_path / "table", board, packed=False)
    solution, small = open_solution(tmp_path / "table", board), SmallSolution(board)
    waiting = [small.start]
    for position in waiting:
        assert solution.evaluate(position).remoteness == small.evaluate(position).remoteness
        if position.outcome is None and position.ply < 5:
            waiting += [position.play(cell) for cell in range(9) if position.blanks >> cell & 1]
    assert len(waiting) > 3000


def test_what_is_read_is_within_the_plan(tmp_path: Path) -> None:
    board = Board.parse("3x4:3")
    plan = plan_saving(board, packed=True)
    read = save_solution(tmp_path / "table", board, packed=True)
    assert plan.read / 4 < read <= plan.read
    files = contents(tmp_path / "table")
    for layer in plan.layers:
        names = [name for name in files if name.startswith(f"layer-{layer.ply:02}.")]
        assert len(names) == max(1, layer.files)


def test_a_run_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    board, dice = Board.parse("3x3"), random.Random(5)
    expected = saved(tmp_path / "table", board)
    for _ in range(5):
        for name in dice.sample(sorted(expected), 12):
            if name.startswith("layer"):
                (tmp_path / "table" / name).unlink()
        assert saved(tmp_path / "table", board, Threads(2)) == expected


def test_a_damaged_portion_is_not_gone_on_from(tmp_path: Path) -> None:
    board = Board.parse("3x3")
    expected = saved(tmp_path / "table", board)
    names = sorted(name for name in expected if name.startswith("layer-05."))
    path = tmp_path / "table" / names[1]
    path.write_bytes(expected[names[1]][:-5] + bytes([expected[names[1]][-5] ^ 1]) + expected[names[1]][-4:])
    for name in expected:
        if name.startswith("layer-04."):
            (tmp_path / "table" / name).unlink()
    with pytest.raises(CheckError):
        saved(tmp_path / "table", board)
    path.write_bytes(expected[names[0]])
    with pytest.raises(CheckError, match="another place"):
        saved(tmp_path / "table", board)


def test_processes_of_this_machine_make_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    board = Board.parse("3x4:3")
    expected = saved(tmp_path / "serial", board)
    with local_cluster(1) as cluster:
        assert saved(tmp_path / "other", board, cluster) == expected


def killings(dice: random.Random) -> Iterator[bool]:
    while True:
        yield dice.random() < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_workers_that_die_and_come_change_nothing(seed: int, tmp_path: Path) -> None:
    board, dice = Board.parse("3x4:3"), random.Random(seed)
    expected = saved(tmp_path / "serial", board)
    strikes = 0
    (tmp_path / "hosts").mkdir()
    with hosts(tmp_path / "hosts", 0) as found:
        for _ in range(2):
            found.start_worker(FEW_BYTES)
        chances = killings(dice)

        def strike(done: int, whole: int, what: str) -> None:
            nonlocal strikes
            if next(chances) and strikes < 4:
                strikes += 1
                alive = [worker for worker in found.workers if worker.poll() is None]
                for worker in dice.sample(alive, dice.randint(1, len(alive))):
                    worker.send_signal(signal.SIGKILL)
                found.start_worker(FEW_BYTES)

        with cluster_at(found.address) as cluster:
            save_solution(tmp_path / "table", board, packed=True, workers=cluster, progress=strike)
    assert strikes
    assert contents(tmp_path / "table") == expected


@pytest.mark.slow
def test_the_death_of_the_scheduler_leaves_what_is_done(tmp_path: Path) -> None:
    board = Board.parse("3x4:3")
    expected = saved(tmp_path / "serial", board)
    (tmp_path / "hosts").mkdir()
    with hosts(tmp_path / "hosts", 0) as found:
        found.start_worker(FEW_BYTES)

        def strike(done: int, whole: int, what: str) -> None:
            if done > whole // 2:
                found.processes[0].kill()

        with cluster_at(found.address) as cluster, pytest.raises(ClusterError, match="--resume"):
            save_solution(tmp_path / "table", board, packed=True, workers=cluster, progress=strike)
    kept = contents(tmp_path / "table")
    assert any(name.startswith("layer-08") for name in kept)
    assert "layer-00.values" not in kept
    assert saved(tmp_path / "table", board) == expected


def test_a_worker_that_does_not_see_the_folder_says_so(tmp_path: Path) -> None:
    board = Board.parse("3x3")
    saved(tmp_path / "table", board)
    from noughts.solving.saved import SavedTables

    tables = SavedTables(tmp_path / "table")
    step = making.TwoLayers.of(board, tables.index.permutations, 3, {5: tables.layer(5), 6: tables.layer(6)}, None)
    (tmp_path / "table").rename(tmp_path / "elsewhere")
    with pytest.raises(FileError, match=r"does not see .*: give the full path of a folder that all machines share"):
        making.make_portion(step, making.Portion(0, tables.leads(3)[:0]))
