"""Streaming on a real cluster: the same table whatever happens to the workers, in memory and through a folder."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.offers import CountingOffer, Run
from noughts.counting.question import Question
from noughts.counting.streamed import walk
from noughts.domain.board import Board
from noughts.domain.errors import ClusterError
from noughts.machine.joining import cluster_at
from tests.counting.comparing import counted, offered
from tests.machine.clusters import Hosts, hosts

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")]

QUESTION = Question(Board.parse("3x4:3"), "choices", "block", "any")


@pytest.fixture(autouse=True)
def many_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many items, as those of large boards are; the cuts are made here and sent."""
    monkeypatch.setattr(walk, "ITEM_BYTES", 6_000)


def striking(found: Hosts, dice: random.Random, most: int) -> Callable[[int, int, str], None]:
    """Return what kills workers, and starts others, as the work goes on."""
    calls, strikes = 0, set(dice.sample(range(3, 25), most))

    def strike(done: int, whole: int, what: str) -> None:
        nonlocal calls
        calls += 1
        if calls in strikes:
            alive = [worker for worker in found.workers if worker.poll() is None]
            for worker in dice.sample(alive, dice.randint(1, len(alive))):
                worker.send_signal(signal.SIGKILL)
            found.start_worker()

    return strike


@pytest.mark.parametrize("kept", [False, True])
def test_workers_that_die_change_nothing(kept: bool, tmp_path: Path) -> None:
    offer = offered("streamed", QUESTION)
    assert isinstance(offer, CountingOffer)
    (tmp_path / "hosts").mkdir()
    with hosts(tmp_path / "hosts", 2) as found, cluster_at(found.address) as cluster:
        strike = striking(found, random.Random(7), 3)
        census = offer.count(Run(cluster, strike, tmp_path / "kept" if kept else None))
        assert any(worker.poll() is not None for worker in found.workers)
        assert cluster.sent > 10_000
        if kept:
            assert cluster.received < 100_000  # sums only: the numbers of paths stay in the folder
    assert census.plies == compiled_rows(QUESTION)


def test_the_death_of_the_scheduler_leaves_what_is_done(tmp_path: Path) -> None:
    offer = offered("streamed", QUESTION)
    assert isinstance(offer, CountingOffer)
    (tmp_path / "hosts").mkdir()
    folder, calls = tmp_path / "kept", 0

    def strike(done: int, whole: int, what: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 20:
            found.processes[0].kill()

    with (
        hosts(tmp_path / "hosts", 1) as found,
        cluster_at(found.address) as cluster,
        pytest.raises(ClusterError, match="--resume"),
    ):
        offer.count(Run(cluster, strike, folder))
    assert any(folder.rglob("*.paths"))
    assert counted("streamed", QUESTION, resume=folder).plies == compiled_rows(QUESTION)
