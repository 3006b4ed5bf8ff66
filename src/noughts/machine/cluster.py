"""A cluster: work items done by the workers of Dask distributed, in other processes, on this machine or on many.

Nothing here says what is computed: an item is what it is for threads (see `workers`). What all items share travels to
one worker, and from there to the others as they need it. Workers may die, hang and join at any moment: an item has no
side effect, so that it is done again elsewhere, and results come in the order of the items. The scheduler needs
neither noughts nor NumPy: whatever passes it is bytes.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from noughts.machine.budget import format_size
from noughts.machine.packages import package
from noughts.machine.reading import parse_json, read_text
from noughts.machine.scheduler import Errand, Job, Lot, makings
from noughts.machine.workers import Serial, Workers, workers_for
from noughts.rules.arguments import wrong_type
from noughts.rules.errors import BudgetError, ClusterError, InputError, shown

if TYPE_CHECKING:
    from distributed import Client
    from numpy.typing import NDArray


S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

_COUNTED = 2.0
"""Seconds for which the number of workers is taken to be what it was."""
_BETWEEN = 0.1
"""Seconds between two looks at a connection that is being made again."""


class Cluster:
    """Workers of Dask distributed; to be closed in the end, or used in a `with` statement.

    No more items are under way at a time than twice the threads of all workers. Where there is but one item, this
    process does it.
    """

    def __init__(
        self, client: Client, held: ExitStack, address: str, page: str, heal: Callable[[], object] | None = None
    ) -> None:
        self.address = address
        self.page = page
        """Where the scheduler tells a browser how far the work is."""
        self.sent = 0
        """Bytes of items, and of what they share, that left this process."""
        self.received = 0
        """Bytes of results that came back."""
        self._client = client
        self._held = held
        self._heal = heal
        self._count, self._counted = 0, -_COUNTED

    @property
    def count(self) -> int:
        """How many items are done at a time: the threads of all workers there are now, or 1."""
        if monotonic() - self._counted >= _COUNTED:
            self.require_alive()
            self._count, self._counted = sum(self._client.nthreads().values()), monotonic()
            if not self._count and self._heal is not None:
                self._heal()
        return max(1, self._count)

    @cached_property
    def here(self) -> Workers:
        """Threads of this process, for what is not worth sending."""
        return workers_for()

    def together(self, here: int, shared: int, item: int) -> int:
        """Return how many items may be under way at a time, with so many bytes of what they share, and each.

        Raises BudgetError where a worker may not take so much memory.
        """
        for address, worker in self._client.scheduler_info(n_workers=-1)["workers"].items():
            threads, limit = worker["nthreads"], worker["memory_limit"]
            needed = shared + threads * item
            if limit and needed > limit:
                raise BudgetError(
                    f"the worker at {address} may take {format_size(limit)} of memory and would need "
                    f"{format_size(needed)} for {threads} threads: start it with fewer (--nthreads) or let it have "
                    "more (--memory-limit)"
                )
        return sys.maxsize

    def map(self, work: Callable[[S, T], R], shared: S, items: Iterable[T]) -> Iterator[R]:
        """Yield the results."""
        for result, _ in self._in_order(work, shared, ((item, None) for item in items)):
            yield result

    def fill(
        self,
        work: Callable[[S, T, NDArray[Any]], R],
        shared: S,
        items: Iterable[T],
        cuts: Iterable[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[R]:
        """Yield the results as the parts of the array come back, each of which was written by a worker."""
        rows = list(cuts)
        rooms = [((end - begin, *target.shape[1:]), target.dtype.str) for begin, end in rows]
        for row, (result, part) in zip(rows, self._in_order(work, shared, zip(items, rooms, strict=True)), strict=True):
            target[slice(*row)] = part
            yield result

    def _in_order(self, work: Callable[..., R], shared: object, jobs: Iterator[Job]) -> Iterator[tuple[R, Any]]:
        errand = Errand(work, shared, makings())
        head = list(islice(jobs, 2))
        if len(head) == 1:
            yield errand.done(*head.pop())
            return
        lot = Lot(self, self._client, errand)
        try:
            yield from lot.results(chain(head, jobs))
        finally:
            lot.drop()

    def require_alive(self) -> None:
        """Wait while the connection to the scheduler is being made again. Raises ClusterError where it is lost."""
        while self._client.status == "connecting":
            sleep(_BETWEEN)
        if self._client.status != "running":
            raise ClusterError(
                f"the scheduler at {self.address} is gone: start it and its workers again, and then the same command, "
                "which goes on from what --resume kept"
            )

    def close(self) -> None:
        """Let go of the cluster; one that was started for this process ends, with all its processes."""
        self._held.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


# How workers are found: threads of this process, processes of this machine, or a cluster that runs already.
#
# Waiting has bounds: an address that nobody answers, a cluster nobody works on, and workers of another version or
# without noughts are told within seconds.

_CONNECTING = 5.0
"""Seconds within which a scheduler answers."""
_ARRIVING = 10.0
"""Seconds within which the first worker of a cluster is there, and within which workers say what they are made of."""
_STARTING = 120.0
"""Seconds within which processes of this machine start, however busy it is."""
_HANGING = "60s"
"""After so long without a word a process of this machine is given up, and what it did is done by another."""
_SEARCHING = "10s"
"""For so long one that has died is looked for."""
_DEATHS = 20
"""So many processes of this machine may die over one item before Dask gives it up."""
_FRESH = "spawn"
"""How processes of this machine start, whatever Python does: a copy of one in which threads work may stand still."""
_LOOK = 0.01
_SILENCE = 60
"""Of what Dask logs nothing is so grave that it should be on the screen."""
_MOST = 256
"""Processes on this machine."""
_LARGE = "10 GiB"
"""Of what goes through the scheduler Dask says nothing below this."""

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})/?")


@contextmanager
def working(workers: object = None, on: object = None, *, threads: int | None = None) -> Iterator[Workers]:
    """Give the workers that are meant, and let go of those that were made for it.

    `workers` are workers, the number of processes on this machine, or the address of a cluster, which may be given as
    `on`, too; without either as many threads as there are cores, or `threads`. Raises InputError, ClusterError.
    """
    if workers is not None and on is not None:
        raise InputError("workers are on this machine or on a cluster: give a number of them, or an address")
    meant = on if workers is None else workers
    if meant is not None and threads is not None:
        raise InputError("threads are of this process: leave them out where work is done by other processes")
    if meant is None:
        yield workers_for(threads)
    elif isinstance(meant, str | os.PathLike):
        with cluster_at(os.fspath(meant)) as cluster:
            yield cluster
    elif isinstance(meant, int) and not isinstance(meant, bool):
        with local_cluster(meant) as cluster:
            yield cluster
    elif isinstance(meant, Serial | Cluster):
        yield meant
    else:
        raise wrong_type("the workers", meant, "a number of processes, or the address of a cluster")


def local_cluster(count: int) -> Cluster:
    """Return a cluster of so many processes on this machine, one thread each; they end with it, or with this process.

    A program that calls this must not do so while it is imported (`if __name__ == "__main__":`), as each process
    imports it. Cost: some 2 s. Raises InputError, ClusterError.
    """
    if not 1 <= count <= _MOST:
        raise InputError(f"{count:,} processes cannot work on this machine: take 1 to {_MOST}")
    held = _ready(local=True)
    try:
        from distributed import LocalCluster

        started = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=_SILENCE,
        )
        held.callback(started.close)
        client = _client(started, held, _STARTING)
        _arrived(client, str(started.scheduler_address), count, _STARTING)
        page = str(client.dashboard_link)
        return Cluster(client, held, str(started.scheduler_address), page, lambda: started.scale(count))
    except (OSError, TimeoutError, RuntimeError) as error:
        held.close()
        raise ClusterError(f"{count} processes cannot be started on this machine: {_first_line(error)}") from error
    except BaseException:
        held.close()
        raise


def cluster_at(address: str) -> Cluster:
    """Return the cluster whose scheduler is at an address, `tcp://host:8786`, or in the file that it wrote.

    Raises InputError where that is none; ClusterError where nobody answers or works there, or where the versions of
    noughts or Python differ.
    """
    target = _target(address)
    held = _ready(local=False)
    try:
        client = _client(target, held, _CONNECTING)
        _arrived(client, target, 1, _ARRIVING)
        _require_same(client, target)
        return Cluster(client, held, target, str(client.dashboard_link))
    except BaseException:
        held.close()
        raise


_QUIET: dict[str, Any] = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
}
"""What Dask watches in its processes takes a fortieth of a core in each: less of it where all are this machine's."""


def _ready(*, local: bool) -> ExitStack:
    """Return what holds the settings of Dask as long as a cluster is used; what it logs is kept from the screen."""
    package("distributed", "work in other processes", "leave out --workers and --on")
    import dask
    from distributed.utils import silence_logging_cmgr

    settings: dict[str, Any] = {"distributed.admin.large-graph-warning-threshold": _LARGE}
    if local:
        settings["distributed.scheduler.worker-ttl"] = _HANGING
        settings["distributed.scheduler.allowed-failures"] = _DEATHS
        settings["distributed.comm.timeouts.connect"] = _SEARCHING
        settings["distributed.worker.multiprocessing-method"] = _FRESH
        settings |= _QUIET
    held = ExitStack()
    held.enter_context(dask.config.set(settings))
    held.enter_context(silence_logging_cmgr(_SILENCE))
    return held


def _client(target: object, held: ExitStack, patience: float) -> Client:
    """Return a client, once the scheduler has answered. Raises ClusterError."""
    from distributed import Client

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions, of which we say more: see `_require_same`
            client = Client(target, timeout=patience, set_as_default=False)
    except (OSError, TimeoutError, ValueError, ImportError, EOFError) as error:
        raise ClusterError(
            f"nobody answers at {target}: start a scheduler there ('dask scheduler'), or give the address that it says "
            f"({_first_line(error)})"
        ) from error
    held.callback(client.close, _CONNECTING)
    return client


def _arrived(client: Client, address: str, count: int, patience: float) -> None:
    """Wait until so many workers are there. Raises ClusterError."""
    try:
        client.wait_for_workers(count, timeout=patience)
    except TimeoutError:
        raise ClusterError(
            f"nobody works on the cluster at {address}: start workers there, 'dask worker {address}', where noughts is "
            "installed"
        ) from None


def _require_same(client: Client, address: str) -> None:
    """Raise ClusterError unless the scheduler and all workers that answer in time are made of what we are.

    Those that are busy, and those that come later, say so with their first item.
    """
    import platform

    from distributed import CancelledError

    ours = metadata.version("distributed")
    theirs = client.run_on_scheduler(metadata.version, "distributed")
    if ours != theirs:
        raise ClusterError(
            f"the scheduler at {address} runs distributed {theirs}, and here is {ours}: all must have the same"
        )
    asked = {
        worker: [
            client.submit(metadata.version, "noughts", workers=[worker], pure=False),
            client.submit(platform.python_version, workers=[worker], pure=False),
        ]
        for worker in client.nthreads()
    }
    deadline = monotonic() + _ARRIVING
    for future in chain.from_iterable(asked.values()):
        with suppress(TimeoutError, CancelledError):
            future.exception(timeout=max(_LOOK, deadline - monotonic()))
    for worker, (version, python) in asked.items():
        if isinstance(version.exception() if version.status == "error" else None, metadata.PackageNotFoundError):
            raise ClusterError(f"the worker at {worker} lacks noughts: install it where that runs")
        if version.status == python.status == "finished":
            there = makings()._replace(noughts=version.result(), python=".".join(python.result().split(".")[:2]))
            if there != makings():
                raise ClusterError(f"the worker at {worker} has {there}, this is {makings()}: all must have the same")


def _target(address: str) -> str:
    """Return the address of a scheduler as Dask writes it. Raises InputError."""
    text = address.strip()
    if text.endswith(".json"):
        try:
            text = str(parse_json(read_text(Path(text), 1 << 20), text)["address"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{shown(address)} is no file that a scheduler wrote (--scheduler-file)") from None
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found[2]) < 65536:
        raise InputError(
            f"{shown(address)} is no address of a scheduler: write tcp://HOST:PORT as 'dask scheduler' says it, or "
            "the name of the file that it wrote (FILE.json)"
        )
    return text.rstrip("/") if "://" in text else f"tcp://{text.rstrip('/')}"


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:120]
