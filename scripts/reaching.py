"""Which functions each test reaches, and how long it takes: from this `judging.py` knows whom to ask.

Caches of functions are emptied before each test, so that a test reaches what it would find there. What the fixtures of
a file call counts for all of its tests. Other processes are not followed.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import _lru_cache_wrapper
from types import CodeType, FrameType
from typing import Any

import pytest

OF_A_FILE = 12.0
"""Seconds that the tests of a file may take while they are watched: those that come later are not asked."""

__all__ = ["Reached", "caches", "emptied", "reached_by", "watching"]

Reached = dict[str, tuple[float, list[str]]]
"""For each test its seconds of processor time, and of each function that it calls its file and qualified name."""


@contextlib.contextmanager
def watching(within: str) -> Iterator[set[str]]:
    """Give a set that holds afterwards every function below a folder that was called: its file and qualified name."""
    seen: set[CodeType] = set()
    found: set[str] = set()

    def note(frame: FrameType, event: str, told: object) -> None:
        seen.add(frame.f_code)

    before = sys.gettrace()
    _watch(note)
    try:
        yield found
    finally:
        _watch(before)
        codes = (code for code in seen if code.co_filename.startswith(within))
        found.update(f"{code.co_filename.removeprefix(within)}:{code.co_qualname}" for code in codes)


def _watch(note: Callable[..., Any] | None) -> None:
    threading.settrace(note)
    sys.settrace(note)


def caches() -> list[_lru_cache_wrapper[Any]]:
    """Return what remembers for functions of the package and of its tests."""
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, _lru_cache_wrapper) and str(each.__module__).partition(".")[0] in ("noughts", "tests")
    ]


def emptied(found: Sequence[_lru_cache_wrapper[Any]]) -> None:
    """Empty what functions remember."""
    for each in found:
        each.cache_clear()


class _Watch:
    """A plugin that watches the parts of every test."""

    def __init__(self, within: str) -> None:
        self.within = within
        self.shared: dict[str, set[str]] = defaultdict(set)
        self.found: dict[str, tuple[str, float, set[str]]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Note what fixtures call."""
        emptied(caches())
        with watching(self.within) as seen:
            done = yield
        self.shared[str(item.path)] |= seen
        return done

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note what a test calls, and how long it takes."""
        before = time.process_time()
        with watching(self.within) as seen:
            done = yield
        self.found[item.nodeid] = (str(item.path), time.process_time() - before, seen)
        return done


def reached_by(session: pytest.Session, items: Sequence[pytest.Item], within: str) -> Reached:
    """Run tests of one file, and return what each of them reaches below a folder. Some are left out: see OF_A_FILE."""
    end = time.process_time() + OF_A_FILE
    watch = _Watch(within)
    session.config.pluginmanager.register(watch)
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            raise RuntimeError(item.nodeid)
        if time.process_time() > end:
            break
    return {
        test: (round(seconds, 3), sorted(seen | watch.shared[path]))
        for test, (path, seconds, seen) in watch.found.items()
    }
