"""One profile for hypothesis: the same examples on every run, so that a failure is a failure for everybody."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ["tests.overdue"]

# Before anything imports Numba: kernels that any copy of the same sources has compiled are used again.
os.environ.setdefault(
    "NUMBA_CACHE_DIR", str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "noughts-tests").resolve())
)
settings.register_profile("noughts", derandomize=True, deadline=None, database=None)
settings.load_profile("noughts")


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
