"""--workers and --on: the same answers, byte for byte, whoever does the work; and one sentence where nobody can."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from noughts import count
from noughts.machine.cluster import cluster_at
from noughts.rules.errors import ClusterError
from tests.cli.conftest import Result
from tests.machine.clusters import Hosts, hosts, two

__all__ = ["two"]

Run = Callable[..., Result]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(autouse=True)
def all_is_worth_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.counting.frontier.batches._WORTH_SENDING", 0)


def test_a_cluster_counts_the_same_and_says_where_to_watch_it(
    run: Run, two: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    for asked in (["--columns", "games", "--engine", "frontier"], ["--same", "symmetry", "--engine", "frontier"]):
        here = run("count", "4x4:3", *asked, "--format", "json")
        monkeypatch.delenv("NOUGHTS_QUIET", raising=False)
        there = run("count", "4x4:3", *asked, "--format", "json", "--on", two.address)
        assert here.code == there.code == 0
        assert here.out == there.out
        assert "noughts: 2 threads of workers; dashboard: http://127.0.0.1" in there.err


def test_batches_travel_and_are_kept(two: Hosts, tmp_path: Path) -> None:
    expected = count("5x5:4", engine="frontier", columns="games")
    with cluster_at(two.address) as cluster:
        assert count("5x5:4", engine="frontier", columns="games", workers=cluster, resume=tmp_path) == expected
        assert cluster.sent > cluster.received > 0
        kept = sorted(tmp_path.iterdir())
        assert len(kept) > 1
        kept[random.Random(1).randrange(len(kept))].unlink()
        assert count("5x5:4", engine="frontier", columns="games", workers=cluster, resume=tmp_path) == expected
    assert count("5x5:4", engine="frontier", columns="games", resume=tmp_path) == expected


def test_no_scheduler_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.machine.cluster._CONNECTING", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answered = run("count", "4x4:3", "--on", f"tcp://127.0.0.1:{taken.getsockname()[1]}")
    assert answered.code == 4
    assert "no scheduler answers at tcp://127.0.0.1" in answered.one_sentence()


@pytest.mark.slow
def test_a_lost_scheduler_ends_the_count_and_another_one_resumes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.machine.cluster._AHEAD", 1)
    expected, state = count("5x5:4", engine="frontier", columns="games"), tmp_path / "state"

    def batches() -> int:
        return len(list(state.iterdir())) if state.is_dir() else 0

    with hosts(tmp_path, 2) as found:

        def lose(done: int, whole: int, what: str) -> None:
            if batches() > 1:
                found.processes[0].kill()

        with cluster_at(found.address) as cluster, pytest.raises(ClusterError, match=r"the scheduler at .* is gone"):
            count("5x5:4", engine="frontier", columns="games", workers=cluster, resume=state, progress=lose)
        assert batches() > 1
        found.start_scheduler()
        found.start_worker()
        with cluster_at(found.address) as cluster:
            assert count("5x5:4", engine="frontier", columns="games", workers=cluster, resume=state) == expected
