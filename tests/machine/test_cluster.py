"""Work on clusters: the same results when workers die or join, and clear errors where no work is possible."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import dask
import numpy as np
import pytest

from noughts.machine.cluster import Cluster, cluster_at, local_cluster
from noughts.machine.workers import Threads, cuts
from noughts.rules.errors import BudgetError, ClusterError, InputError
from tests.machine.clusters import PATIENCE, Hosts, hosts, two
from tests.machine.remote import fail_at_five, spread, square, started_by, whoami

__all__ = ["two"]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture
def cluster(two: Hosts) -> Iterator[Cluster]:
    with cluster_at(two.address) as found:
        yield found


def expect(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_results_come_in_the_order_of_the_items(cluster: Cluster) -> None:
    for number in (0, 1, 2, 40):
        assert list(cluster.map(square, (5, 0.0), range(number))) == [5 + i * i for i in range(number)]
    for kind in (np.int64, np.uint8, object):
        some = cuts(60, 7)
        target = np.full((60, 2), 77, kind)
        assert list(cluster.fill(spread, 5, range(7), some, target)) == [b - a for a, b in some]
        assert target.tolist() == [[5 + i] * 2 for i, (a, b) in enumerate(some) for _ in range(a, b)]


def test_items_are_done_by_other_processes(cluster: Cluster, two: Hosts) -> None:
    expect(lambda: cluster.count == 2)
    shares = Counter(cluster.map(whoami, 0.05, range(20)))
    assert set(shares) == {worker.pid for worker in two.workers}
    assert min(shares.values()) > 6, "each worker takes the next item when it has done one"
    assert list(cluster.map(whoami, 0.0, [1])) == [os.getpid()]  # one item is not worth sending
    assert cluster.sent > 20
    assert cluster.received > 20
    assert isinstance(cluster.here, Threads) or cluster.here.count == 1


def test_the_first_error_ends_it(cluster: Cluster) -> None:
    seen: list[int] = []
    with pytest.raises(ValueError, match="five"):
        seen.extend(cluster.map(fail_at_five, 0, range(1000)))
    assert seen == [0, 1, 2, 3, 4]
    assert list(cluster.map(square, (0, 0.0), range(9))) == [i * i for i in range(9)]


def test_a_worker_may_not_take_what_it_lacks(cluster: Cluster) -> None:
    assert cluster.together(2, 10**6, 10**6) > 10**6
    with pytest.raises(BudgetError, match="fewer"):
        cluster.together(2, 10**6, 10**16)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_workers_that_die_and_come_change_nothing(seed: int, tmp_path: Path) -> None:
    """Workers are killed, stopped for good and added at random moments, up to the last one that has what is shared."""
    dice = random.Random(seed)
    with hosts(tmp_path, 2) as found, cluster_at(found.address) as cluster:
        results = cluster.map(square, (5, 0.1), range(80))
        strikes = {dice.randrange(5, 60) for _ in range(4)}
        for number, result in enumerate(results):
            assert result == 5 + number * number
            if number in strikes:
                alive = [worker for worker in found.workers if worker.poll() is None]
                for worker in dice.sample(alive, dice.randint(1, len(alive))):
                    worker.send_signal(signal.SIGKILL)
                found.start_worker()
        assert number == 79


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.machine.cluster._CONNECTING", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ClusterError, match="no scheduler answers at tcp://127") as caught:
            cluster_at(f"127.0.0.1:{taken.getsockname()[1]}")
    assert caught.value.exit_code == 4
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["", "here", "tcp://", "tcp://host", "host:0", "host:99999", "http://host:80", "a b:1"]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="is not an address of a scheduler: give tcp://HOST:PORT"):
        cluster_at(address)


def test_processes_of_this_machine_end_with_their_cluster() -> None:
    """They start as new processes, under any start method of Python and any settings of Dask."""
    with dask.config.set({"distributed.worker.multiprocessing-method": "fork"}), local_cluster(2) as cluster:
        assert cluster.count == 2
        assert set(cluster.map(started_by, 0.0, range(4))) == {"SpawnProcess"}
        pids = set(cluster.map(whoami, 0.05, range(20)))
        assert os.getpid() not in pids
        for pid in pids:  # Ctrl-C in a terminal
            os.kill(pid, signal.SIGINT)
        assert set(cluster.map(whoami, 0.05, range(20))) == pids
        os.kill(min(pids), signal.SIGKILL)
        assert list(cluster.map(square, (5, 0.0), range(20))) == [5 + i * i for i in range(20)]
        pids |= set(cluster.map(whoami, 0.05, range(20)))
    for pid in pids:
        expect(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


ENDED = """
import sys
from noughts.machine.cluster import local_cluster
from tests.machine.remote import whoami
if __name__ == "__main__":
    with local_cluster(2) as cluster:
        print(*set(cluster.map(whoami, 0.05, range(20))), flush=True)
        list(cluster.map(whoami, 0.5, range(1000)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "ended.py").write_text(ENDED)
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "ended.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    try:
        assert process.stdout is not None
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert pids
        process.send_signal(number)
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
    for pid in pids:
        expect(lambda pid=pid: not is_running(pid))  # type: ignore[misc]
