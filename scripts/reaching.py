"""Which functions each test reaches, and how long it takes: from this `judging.py` knows whom to ask.

Caches of functions are emptied before each test, so that a test reaches what it would find there. What the fixtures of
a file call counts for all of its tests. Other processes are not followed.
"""

from __future__ import annotations

import contextlib
import cProfile
import gc
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import _lru_cache_wrapper
from types import CodeType, FrameType
from typing import Any

import pytest

OF_A_FILE = 30.0
"""Seconds that the tests of a file may take while they are watched: those that come later are not asked."""

__all__ = ["Reached", "caches", "emptied", "reached_by", "watching"]

Reached = dict[str, tuple[float, list[str]]]
"""For each test its seconds of processor time, and of each function that it calls its file and qualified name."""


@contextlib.contextmanager
def watching(within: str) -> Iterator[set[str]]:
    """Give a set that holds afterwards every function below a folder that was called: its file and qualified name.

    In this thread a profiler notes them, which costs little, in those begun meanwhile a tracing function. A test may
    set a profiler of its own: as long as it stands both are told.
    """
    seen: set[CodeType] = set()
    found: set[str] = set()

    def note(frame: FrameType, event: str, told: object) -> None:
        seen.add(frame.f_code)

    profiler = cProfile.Profile(subcalls=False, builtins=False)
    given: list[Any] = [None]
    get, set_ = sys.getprofile, sys.setprofile

    def setprofile(function: Any) -> None:
        def both(frame: FrameType, event: str, told: object) -> None:
            seen.add(frame.f_code)
            function(frame, event, told)

        given[0] = function
        profiler.disable()
        if function is None:
            profiler.enable()
        else:
            set_(both)

    threading.settrace(note)
    profiler.enable()
    sys.getprofile, sys.setprofile = lambda: given[0], setprofile
    try:
        yield found
    finally:
        sys.getprofile, sys.setprofile = get, set_
        if given[0] is not None:
            set_(None)
        profiler.disable()
        threading.settrace(None)
        seen.update(each.code for each in profiler.getstats() if isinstance(each.code, CodeType))
        codes = (code for code in seen if code.co_filename.startswith(within))
        found.update(f"{code.co_filename.removeprefix(within)}:{code.co_qualname}" for code in codes)


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
        self._modules = 0
        self._caches: list[_lru_cache_wrapper[Any]] = []

    def _forget(self) -> None:
        """Empty the caches; they are looked for where more modules are there than before."""
        if len(sys.modules) != self._modules:
            self._modules, self._caches = len(sys.modules), caches()
        emptied(self._caches)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Note what fixtures call."""
        self._forget()
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
    """Run the tests of one file and return what each of them reaches below a folder.

    Left out are those that come late (OF_A_FILE), and those that fail while watched: standard error names them.
    """
    end = time.process_time() + OF_A_FILE
    watch = _Watch(within)
    session.config.pluginmanager.register(watch)
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            print(f"mutants: {item.nodeid} fails while it is watched: it does not judge", file=sys.stderr)
            session.testsfailed = 0
            watch.found.pop(item.nodeid, None)
        if time.process_time() > end:
            break
    return {
        test: (round(seconds, 3), sorted(seen | watch.shared[path]))
        for test, (path, seconds, seen) in watch.found.items()
    }
