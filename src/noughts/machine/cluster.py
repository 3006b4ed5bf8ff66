"""A cluster: workers of Dask distributed do the work items in other processes, on this machine or on many.

Items are the same as for threads (see `workers`) and have no side effects. Workers may die, hang and join at any
moment: another worker repeats what was lost, and results come in the order of the items. What all items share travels
to one worker, and from there to the others. The scheduler needs neither noughts nor NumPy: it passes on bytes.

Waiting has bounds. An error comes within seconds where an address does not answer or a cluster has no workers. The
same holds for workers that lack noughts or have another version.
"""

from __future__ import annotations

import operator
import os
import pickle
import platform
import re
import signal
import socket
import sys
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from noughts._version import __version__
from noughts.machine.budget import format_size
from noughts.machine.packages import package
from noughts.machine.reading import parse_json, read_text
from noughts.machine.workers import BEGUN, Workers, begun, workers_for
from noughts.rules.arguments import integer
from noughts.rules.errors import BudgetError, ClusterError, InputError, shown

if TYPE_CHECKING:
    from distributed import Client
    from numpy.typing import NDArray

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")

Future = Any
"""A future of Dask."""
Room = tuple[tuple[int, ...], str]
"""The shape of an array, and the kind of its numbers."""
Job = tuple[Any, Room | None]

_COUNTED = 2.0
"""Seconds before the number of workers is read again."""
_BETWEEN = 0.1
"""Seconds between two checks of a connection that is being restored."""
_LOOK = 0.5
"""Seconds between two checks of the scheduler while no result arrives."""
_QUEUED = 2
"""Unfinished items per worker thread: one waits while the other is done."""
_AHEAD = 32
"""Items submitted per worker thread, including those whose results wait for an earlier one."""
_CONNECTING = 5.0
"""Seconds to wait for a scheduler's answer."""
_ARRIVING = 10.0
"""Seconds to wait for the first worker of a cluster, and for the versions of the workers."""
_STARTING = 120.0
"""Seconds to wait for processes of this machine to start, however busy it is."""
_MOST = 256
"""The most processes that may be started on this machine."""
_SILENCE = 60
"""The log level of Dask: above every level that it uses, so nothing appears on the screen."""
_IGNORE_INTERRUPT = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What each process runs first, also one that replaces another; this process ends them all at Ctrl-C."""
_SETTINGS: dict[str, Any] = {"distributed.admin.large-graph-warning-threshold": "10 GiB"}
_LOCAL_SETTINGS: dict[str, Any] = {
    **_SETTINGS,
    "distributed.scheduler.worker-ttl": "60s",  # a process that is silent for so long counts as dead
    "distributed.scheduler.allowed-failures": 20,  # so many processes may die over one item
    "distributed.comm.timeouts.connect": "10s",  # how long to try to reach a worker that has died
    "distributed.worker.multiprocessing-method": "spawn",  # a forked process with threads may hang
    "distributed.worker.profile.enabled": False,  # profiling takes a fortieth of a core in each process
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
}
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})/?")


class Versions(NamedTuple):
    """The versions that all processes of a cluster must share."""

    noughts: str = __version__
    python: str = f"{sys.version_info.major}.{sys.version_info.minor}"

    def __str__(self) -> str:
        return f"noughts {self.noughts} on Python {self.python}"


@dataclass(frozen=True)
class Task:
    """A function of a module and what its items share: sent to a worker once, with the versions of the sender."""

    work: Callable[..., Any]
    shared: Any
    versions: Versions = Versions()  # noqa: RUF009 - a value

    def __call__(self, packed: bytes, room: Room | None) -> tuple[bytes, Any]:
        """Return the pickled result of a pickled item, and the array that it wrote. Raises ClusterError."""
        if Versions() != self.versions:
            here = f"the worker on {socket.gethostname()} has {Versions()}"
            raise ClusterError(f"{here}, this is {self.versions}: all must have the same")
        result, part = self.done(pickle.loads(packed), room)
        return pickle.dumps(result, protocol=5), part

    def done(self, item: Any, room: Room | None) -> tuple[Any, Any]:
        """Return the result of an item, and the array that the work filled, if any."""
        if room is None:
            return self.work(self.shared, item), None
        import numpy as np

        part = np.empty(room[0], np.dtype(room[1]))
        return self.work(self.shared, item, part), part


class Cluster(Workers):
    """Workers of Dask distributed. Close them at the end, or use a `with` statement.

    At most _QUEUED items per worker thread are unfinished, and at most _AHEAD submitted. This process does a single
    item itself. `page` is the address of the scheduler's dashboard. `sent` and `received` count the bytes of items,
    shared data and results. `heal` restarts the processes where none is left.
    """

    def __init__(self, client: Client, held: ExitStack, address: str, heal: Callable[[], object] | None = None) -> None:
        self.address, self.page = address, str(client.dashboard_link)
        self.sent = self.received = 0
        self.client = client
        self._held, self._heal = held, heal
        self._threads: dict[str, int] = {}
        self._counted = -_COUNTED
        self._placed: dict[Future, str] = {}

    @property
    def count(self) -> int:  # type: ignore[override]  # workers come and go: this is read again
        """How many items are done at a time: the threads of all present workers, at least 1."""
        if monotonic() - self._counted >= _COUNTED:
            self.require_alive()
            self._threads, self._counted = dict(self.client.nthreads()), monotonic()
            if not self._threads and self._heal is not None:
                self._heal()
        return max(1, sum(self._threads.values()))

    @cached_property
    def here(self) -> Workers:
        """Threads of this process, for work that costs less than sending it."""
        return workers_for()

    def together(self, here: int, shared: int, item: int) -> int:
        """Return how many items may be submitted at a time; `shared` and `item` are bytes of shared data and per item.

        Raises BudgetError where they exceed a worker's memory limit.
        """
        for address, worker in self.client.scheduler_info(n_workers=-1)["workers"].items():
            threads, limit = worker["nthreads"], worker["memory_limit"]
            needed = shared + threads * item
            if limit and needed > limit:
                raise BudgetError(
                    f"the worker at {address} needs {format_size(needed)} for {threads} threads, of "
                    f"{format_size(limit)} allowed: use fewer --nthreads or raise --memory-limit"
                )
        return sys.maxsize

    def map(self, work: Callable[[S, T], R], shared: S, items: Iterable[T]) -> Iterator[R]:
        """Yield the results."""
        done = begun(self._done_there(work, shared, ((item, None) for item in items)))
        return (result for result, _ in done)

    def fill(
        self,
        work: Callable[[S, T, NDArray[Any]], R],
        shared: S,
        items: Iterable[T],
        cuts: Iterable[tuple[int, int]],
        target: NDArray[Any],
    ) -> Iterator[R]:
        """Yield the results as the workers' parts of the array arrive."""
        rows = list(cuts)
        rooms = [((end - begin, *target.shape[1:]), target.dtype.str) for begin, end in rows]
        done = begun(self._done_there(work, shared, zip(items, rooms, strict=True)))
        for row, (result, part) in zip(rows, done, strict=True):
            target[slice(*row)] = part
            yield result

    def _done_there(self, work: Callable[..., R], shared: object, jobs: Iterator[Job]) -> Iterator[tuple[R, Any]]:
        from distributed import CancelledError, wait

        task = Task(work, shared)
        head = list(islice(jobs, 2))
        if len(head) == 1:
            yield BEGUN
            yield task.done(*head.pop())
            return
        under_way: deque[Future] = deque()
        there, is_begun = None, False
        if head:  # the task lives on one worker: if that dies, Dask creates it again on another
            packed = pickle.dumps(task, protocol=5)
            self.sent += len(packed)
            there = self.client.submit(pickle.loads, packed, pure=False)
        jobs = chain(head, jobs)
        try:
            while True:
                left = [future for future in under_way if future.status == "pending"]
                places = min(_QUEUED * self.count - len(left), _AHEAD * self.count - len(under_way))
                for item, room in islice(jobs, max(0 if under_way else 1, places)):
                    packed = pickle.dumps(item, protocol=5)
                    self.sent += len(packed)
                    under_way.append(self._submit(operator.call, there, packed, room))
                    left.append(under_way[-1])
                if not is_begun:
                    is_begun = True
                    yield BEGUN
                    continue
                if not under_way:
                    return
                if under_way[0].status == "pending":
                    try:
                        with self.client.as_current():
                            wait(left, _LOOK, "FIRST_COMPLETED")
                    except (CancelledError, OSError):  # a timeout, or a lost connection
                        self.require_alive()
                    continue
                packed, part = self._result(under_way.popleft(), work.__name__)
                self.received += len(packed) + (0 if part is None else part.nbytes)
                yield pickle.loads(packed), part
        finally:
            if under_way and self.client.status == "running":
                with suppress(Exception):  # the error that is being raised matters more than this one
                    self.client.cancel(list(under_way), force=True)

    def _submit(self, *call: Any) -> Future:
        """Submit a call to the worker with the fewest unfinished ones for its threads.

        Dask itself prefers the worker that has the shared data, and others wait.
        """
        self._placed = {future: worker for future, worker in self._placed.items() if future.status == "pending"}
        loads = Counter(self._placed.values())
        worker = min(self._threads, key=lambda each: loads[each] / self._threads[each], default=None)
        where = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        future = self.client.submit(*call, pure=False, **where)
        if worker is not None:
            self._placed[future] = worker
        return future

    def _result(self, future: Future, name: str) -> tuple[bytes, Any]:
        """Wait for a result. Raises ClusterError, BudgetError, and the errors of the item."""
        from distributed import CancelledError, KilledWorker

        while True:
            try:
                found: tuple[bytes, Any] = future.result(timeout=_LOOK)
                return found
            except ImportError as error:
                lacking = error.name or "a package"
                raise ClusterError(f"a worker of the cluster lacks {lacking}: install noughts where it runs") from error
            except KilledWorker:
                raise BudgetError(
                    f"workers ended again and again on the same item ({name}): "
                    "use fewer --nthreads or raise --memory-limit"
                ) from None
            except (CancelledError, OSError):  # a timeout, or a lost connection
                if future.status == "error":
                    raise
                self.require_alive()
                if future.status == "cancelled":
                    raise self._gone() from None

    def require_alive(self) -> None:
        """Wait while the connection to the scheduler is being restored. Raises ClusterError where it is lost."""
        while self.client.status == "connecting":
            sleep(_BETWEEN)
        if self.client.status != "running":
            raise self._gone()

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"the scheduler at {self.address} is gone: restart it and its workers, then repeat the command, "
            "which resumes what --resume saved"
        )

    def close(self) -> None:
        """Disconnect from the cluster; end its processes where this process started them."""
        self._held.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


@contextmanager
def working(workers: object = None, on: object = None, *, threads: int | None = None) -> Iterator[Workers]:
    """Give the chosen workers; at the end close those that were started here.

    `workers` are workers, a number of processes on this machine, or the address of a cluster; `on` is such an address
    too. Without either, work runs in `threads` threads, by default one per core. Raises InputError, ClusterError.
    """
    if workers is not None and on is not None:
        raise InputError("workers are on this machine or on a cluster: give their number or an address, not both")
    meant = on if workers is None else workers
    if meant is not None and threads is not None:
        raise InputError("threads belong to this process: remove them where other processes do the work")
    if meant is None:
        yield workers_for(threads)
    elif isinstance(meant, Workers):
        yield meant
    elif isinstance(meant, str | os.PathLike):
        with cluster_at(os.fspath(meant)) as cluster:
            yield cluster
    else:
        with local_cluster(integer("the workers", meant, "a number of processes, or the address of a cluster")) as here:
            yield here


def local_cluster(count: int) -> Cluster:
    """Return a cluster of `count` processes on this machine, one thread each; they end with it or with this process.

    Each process imports the main program, so call this under `if __name__ == "__main__":`. Cost: some 2 s. Raises
    InputError, ClusterError.
    """
    if not 1 <= count <= _MOST:
        raise InputError(f"{count:,} processes cannot work on this machine: give 1 to {_MOST}")
    with _held(_LOCAL_SETTINGS) as held:
        from distributed import LocalCluster

        try:
            with _without_interrupts():
                started = LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    silence_logs=_SILENCE,
                    preload=[_IGNORE_INTERRUPT],
                )
            held.callback(started.close)
            address = str(started.scheduler_address)
            client = _client(started, held, _STARTING)
            _await_workers(client, address, count, _STARTING)
            return Cluster(client, held.pop_all(), address, lambda: started.scale(count))
        except (OSError, TimeoutError, RuntimeError) as error:
            why = _first_line(error)
            raise ClusterError(f"{count} processes cannot be started on this machine: {why}") from error


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C meanwhile, as do processes that start now, for ever: in a terminal it reaches all of them."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def cluster_at(address: str) -> Cluster:
    """Return the cluster of a scheduler, given by its address `tcp://host:8786` or by the file that it wrote.

    Raises InputError for an invalid address. Raises ClusterError where the scheduler does not answer or has no workers,
    or where the versions of noughts or Python differ.
    """
    target = _target(address)
    with _held(_SETTINGS) as held:
        client = _client(target, held, _CONNECTING)
        _await_workers(client, target, 1, _ARRIVING)
        _require_same(client, target)
        return Cluster(client, held.pop_all(), target)


@contextmanager
def _held(settings: dict[str, Any]) -> Iterator[ExitStack]:
    """Apply settings of Dask and silence its log while a cluster is used."""
    package("distributed", "work in other processes", "remove --workers and --on")
    import dask
    from distributed.utils import silence_logging_cmgr

    with ExitStack() as held:
        held.enter_context(dask.config.set(settings))
        held.enter_context(silence_logging_cmgr(_SILENCE))
        yield held


def _client(target: object, held: ExitStack, patience: float) -> Client:
    """Return a client, once the scheduler has answered. Raises ClusterError."""
    from distributed import Client
    from distributed.security import Security

    if str(target).startswith("tls://") and Security().get_connection_args("client")["ssl_context"] is None:
        raise ClusterError(f"{target} needs certificates: give them in the settings of Dask (distributed.comm.tls)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions: `_require_same` says more
            client = Client(target, timeout=patience, set_as_default=False)
    except (OSError, TimeoutError, ValueError, ImportError, EOFError) as error:
        raise ClusterError(
            f"no scheduler answers at {target}: start 'dask scheduler' there, or give the address that it prints "
            f"({_first_line(error)})"
        ) from error
    held.callback(client.close, _CONNECTING)
    return client


def _await_workers(client: Client, address: str, count: int, patience: float) -> None:
    try:
        client.wait_for_workers(count, timeout=patience)
    except TimeoutError:
        raise ClusterError(
            f"the cluster at {address} has no workers: run 'dask worker {address}' where noughts is installed"
        ) from None


def _require_same(client: Client, address: str) -> None:
    """Raise ClusterError unless the scheduler and all workers that answer in time have our versions.

    For workers that are busy or come later, their first item checks the versions.
    """
    from distributed import CancelledError

    ours = metadata.version("distributed")
    theirs = client.run_on_scheduler(metadata.version, "distributed")
    if ours != theirs:
        raise ClusterError(
            f"the scheduler at {address} has distributed {theirs}, this is {ours}: all must have the same"
        )
    versions = {
        worker: [
            client.submit(metadata.version, "noughts", workers=[worker], pure=False),
            client.submit(platform.python_version, workers=[worker], pure=False),
        ]
        for worker in client.nthreads()
    }
    deadline = monotonic() + _ARRIVING
    for future in chain.from_iterable(versions.values()):
        with suppress(TimeoutError, CancelledError):
            future.exception(timeout=max(0.01, deadline - monotonic()))
    for worker, (version, python) in versions.items():
        if isinstance(version.exception() if version.status == "error" else None, metadata.PackageNotFoundError):
            raise ClusterError(f"the worker at {worker} lacks noughts: install it there")
        if version.status == python.status == "finished":
            there = Versions(version.result(), ".".join(python.result().split(".")[:2]))
            if there != Versions():
                raise ClusterError(f"the worker at {worker} has {there}, this is {Versions()}: all must have the same")


def _target(address: str) -> str:
    """Return the address of a scheduler as Dask writes it. Raises InputError."""
    text = address.strip()
    if text.endswith(".json"):
        try:
            text = str(parse_json(read_text(Path(text), 1 << 20), text)["address"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{shown(address)} is not a file that a scheduler wrote (--scheduler-file)") from None
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found[2]) < 65536:
        raise InputError(
            f"{shown(address)} is not an address of a scheduler: give tcp://HOST:PORT or FILE.json, as "
            "'dask scheduler' printed or wrote it"
        )
    return text.rstrip("/") if "://" in text else f"tcp://{text.rstrip('/')}"


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:120]
