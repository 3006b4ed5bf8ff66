"""Clusters for tests: schedulers and workers that are processes of their own, all of them ended in every case."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["PATIENCE", "Hosts", "hosts", "two"]

PATIENCE = 120.0
"""Seconds after which something that must come is taken not to come; nothing is measured by it."""
ROOT = Path(__file__).parents[2]
MAIN = "import sys; sys.argv[0] = 'dask'; from distributed.cli.dask_{0} import main; main()"


class Hosts:
    """A scheduler on 127.0.0.1 and its workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def start_scheduler(self, port: int = 0, before: str = "") -> subprocess.Popen[bytes]:
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        options = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--scheduler-file", str(file)]
        started = self._start("scheduler", options, before)
        deadline = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < deadline
            assert started.poll() is None
            time.sleep(0.05)
        import json

        self.address = json.loads(file.read_text())["address"]
        return started

    def start_worker(self, before: str = "") -> subprocess.Popen[bytes]:
        options = [self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        started = self._start("worker", [*options, "--local-directory", str(self.folder)], before)
        self.workers.append(started)
        log, deadline = self.folder / f"worker{len(self.processes) - 1}.log", time.monotonic() + PATIENCE
        while "Registered to" not in log.read_text(errors="replace"):
            assert time.monotonic() < deadline
            assert started.poll() is None, log.read_text(errors="replace")
            time.sleep(0.05)
        return started

    def _start(self, what: str, options: list[str], before: str) -> subprocess.Popen[bytes]:
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        with open(self.folder / f"{what}{len(self.processes)}.log", "wb") as log:
            started = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-c", f"{before}\n{MAIN.format(what)}", *options],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"},
            )
        self.processes.append(started)
        return started

    def end(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()


@contextmanager
def hosts(folder: Path, workers: int) -> Iterator[Hosts]:
    """Give a scheduler with so many workers of one thread each."""
    found = Hosts(folder)
    try:
        found.start_scheduler()
        for _ in range(workers):
            found.start_worker()
        yield found
    finally:
        found.end()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    """Two workers, for all tests of a file that imports this."""
    with hosts(tmp_path_factory.mktemp("cluster"), 2) as found:
        yield found
