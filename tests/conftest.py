"""One profile for hypothesis: the same examples on every run, so that a failure is a failure for everybody."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.dear import mark_sampled

pytest_plugins = ["tests.overdue"]

ROOT = Path(__file__).parent.parent
settings.register_profile("noughts", derandomize=True, deadline=None, database=None)
settings.load_profile("noughts")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels where they have changed, before anything looks for them."""
    from noughts.kernels.jit import compiled_path

    if not (hasattr(config, "workerinput") or "NOUGHTS_KERNELS" in os.environ or compiled_path().exists()):
        done = subprocess.run([sys.executable, "-m", "build_kernels"], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise pytest.UsageError(done.stderr)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of the dearest tests to `make slow`, before pytest deselects what is slow."""
    mark_sampled(items)


def pytest_collection_finish() -> None:
    """Leave what was collected out of the search for garbage, and search less often: a tenth of the time went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep databases and what else is cached out of the user's cache folder, and progress from standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("NOUGHTS_QUIET", "1")  # what is said depends on how long things take
        yield


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what dear answers are made of be what an earlier test of the process has asked for."""
    from tests.remembered import remember  # late: most tests need none of what it imports

    remember(monkeypatch)
