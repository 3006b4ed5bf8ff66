"""How workers are found: threads of this process, processes of this machine, or a cluster that runs already.

Waiting has bounds: an address that nobody answers, a cluster nobody works on, and workers of another version or without
noughts are told within seconds.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import metadata
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from noughts.domain.arguments import wrong_type
from noughts.domain.errors import ClusterError, InputError, shown
from noughts.machine.cluster import Cluster
from noughts.machine.errands import makings
from noughts.machine.packages import package
from noughts.machine.reading import parse_json, read_text
from noughts.machine.workers import Serial, Workers, workers_for

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["cluster_at", "local_cluster", "working"]

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
