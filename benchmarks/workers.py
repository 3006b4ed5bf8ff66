"""What work in other processes costs: `python benchmarks/workers.py [points] [layers] [BOARD]`.

points    games of 6x6:4 at points, by threads and by processes of a local cluster (`--workers`)
layers    a table of 3x7:4, values only, the same

One process and two do the same work; each has first done a small board, one that is large enough to be sent to other
processes, so that its kernels are loaded: in a process that is new that takes a second or two. CPU seconds are
those of all processes together, the scheduler and this one included, so that they hold on a machine that does other
things, too. `share` is all that workers did by what the busiest did: the speed-up where each has a core of its own.
`overhead` is CPU seconds beyond those of threads. Answers are asserted to be equal.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.counting.engines import choose
from noughts.counting.offers import Run
from noughts.counting.question import Question
from noughts.machine.budget import Limits, format_size
from noughts.machine.cluster import Cluster, local_cluster
from noughts.machine.workers import Threads, Workers
from noughts.rules.board import Board
from noughts.solving.saved import open_solution, save_solution
from noughts.solving.saving.plan import plan_saving

Work = Callable[[Workers, str], Any]


def points(workers: Workers, spec: str) -> Any:
    question = Question(Board.parse(spec))
    return choose(question, Limits(), engine="frontier", columns="games", spread=True).count(Run(workers)).plies


def layers(workers: Workers, spec: str) -> Any:
    board = Board.parse(spec)
    with tempfile.TemporaryDirectory() as folder:
        save_solution(Path(folder) / "table", board, packed=True, workers=workers)
        print(f"  a table of {format_size(plan_saving(board, packed=True).disk)}")
        return open_solution(Path(folder) / "table").plies()


def cpu_of(cluster: Cluster) -> dict[str, float]:
    found: dict[str, float] = cluster.client.run(time.process_time)
    return found


def by_threads(work: Work, spec: str, small: str) -> tuple[Any, float]:
    workers = Threads(2)
    work(workers, small)
    begin = time.process_time()
    found = work(workers, spec)
    return found, time.process_time() - begin


def by_processes(work: Work, spec: str, small: str, count: int) -> tuple[Any, float, float]:
    with local_cluster(count) as cluster:
        work(cluster, small)
        sent, received = cluster.sent, cluster.received
        before, own = cpu_of(cluster), time.process_time()
        found = work(cluster, spec)
        after, own = cpu_of(cluster), time.process_time() - own
        each = [after[worker] - before[worker] for worker in after]
        moved = f"sent {format_size(cluster.sent - sent)}, received {format_size(cluster.received - received)}"
    print(f"  {count} processes: {', '.join(f'{seconds:.1f}' for seconds in each)} s of CPU, {own:.1f} s here; {moved}")
    return found, sum(each) + own, sum(each) / max(each)


def compare(name: str, work: Work, spec: str, small: str) -> None:
    print(f"{name} of {spec}", flush=True)
    expected, threads = by_threads(work, spec, small)
    print(f"  threads: {threads:.1f} s of CPU", flush=True)
    for count in (1, 2):
        found, seconds, share = by_processes(work, spec, small, count)
        assert found == expected
        print(f"  overhead {seconds / threads - 1:.1%}, share {share:.2f}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    print(f"  the largest process took {peak:.2f} GB", flush=True)


if __name__ == "__main__":
    asked = sys.argv[1:] or ["points", "layers"]
    for name, work, spec, small in (("points", points, "6x6:4", "5x8:4"), ("layers", layers, "3x7:4", "3x4:3")):
        if name in asked:
            compare(name, work, next((word for word in asked if ":" in word), spec), small)
