"""A plugin of pytest that collects tests once and then judges many changes, each in a fork of the process.

`mutants.py` starts it, writes requests into a pipe, one line of JSON each, and reads the answers from another. A fork
puts the changed code into the functions that are there, which takes milliseconds. Changes outside functions cannot be
judged so, and are said to be for a run apart. A change to a function that was called while the tests were collected may
seem to be noticed for what was made then by the unchanged code: the test that noticed it is said to be asked again.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import importlib
import json
import os
import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from forking import in_a_fork
from mutating import changes, function_of, tree_with
from reaching import Reached, caches, emptied, reached_by, watching

ROOT = Path(os.environ["JUDGED"])
WITHIN = str(ROOT / "src") + os.sep
SLACK = 3
"""Times the processor time of the unchanged tests that a mutant may take."""
LEAST = 8
"""Seconds of processor time that each test may take in any case."""
_asked, _told = (int(number) for number in os.environ["JUDGES"].split(","))
for _pipe in (_asked, _told):
    os.set_inheritable(_pipe, False)
_beginning = watching(WITHIN)
_begun = _beginning.__enter__()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Find out what each test reaches, and answer requests until there are no more."""
    items = {item.nodeid: item for item in session.items}
    with os.fdopen(_asked, encoding="utf-8") as asked, os.fdopen(_told, "w", encoding="utf-8") as told:
        first = json.loads(asked.readline())
        for name in first["modules"]:
            importlib.import_module(name)
        _beginning.__exit__(None, None, None)
        tests = _reach(session, Path(first["kept"]) if first["kept"] else None)
        judge = _Judge(session, items, tests)
        for line in asked:
            print(json.dumps(judge.answer(json.loads(line))), file=told, flush=True)
    return True


def _reach(session: pytest.Session, kept: Path | None) -> Reached:
    """Return what the tests reach; what is kept of files that are the same is believed."""
    known: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else {}
    tests: Reached = {}
    for path in dict.fromkeys(item.path for item in session.items):
        key = f"{path.name} {os.environ.get('NOUGHTS_KERNELS')} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        if key not in known:
            items = [item for item in session.items if item.path == path]
            text = in_a_fork(partial(_reached, session, items))[1]
            if not text.startswith("{"):
                raise pytest.UsageError(f"{path.name} fails without any change")
            known[key] = json.loads(text)
        tests |= known[key]
        if kept:
            kept.write_text(json.dumps(known), encoding="utf-8")
    return tests


def _reached(session: pytest.Session, items: Sequence[pytest.Item]) -> str:
    return json.dumps(reached_by(session, items, WITHIN))


class _Judge:
    """The tests that are collected, what each of them reaches, and what a change has to be put into."""

    def __init__(self, session: pytest.Session, items: dict[str, pytest.Item], tests: Reached) -> None:
        self.session = session
        self.items = items
        self.tests = tests
        self.caches = caches()
        self.functions = [
            each
            for each in gc.get_objects()
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(WITHIN)
        ]
        gc.freeze()  # a fork that looks at all that there is copies it

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what becomes of a change, or the tests that have to judge it apart from this process."""
        path = ROOT / request["path"]
        source = path.read_text(encoding="utf-8")
        change = changes(source)[request["number"]]
        function = function_of(source, change)
        inner = request["path"].removeprefix("src/")
        here = self._reaching(lambda place: place == f"{inner}:{function}")
        chosen = here or self._reaching(lambda place: place.startswith(f"{inner}:")) or self._reaching(lambda _: True)
        asked, whole = _up_to(chosen, request["most"])
        swap = _swap(path, source, tree_with(source, change)) if here else None
        limit = SLACK * whole + LEAST
        code: int | None = 3
        by, seconds = "", 0.0
        if swap is not None:
            code, by, seconds = in_a_fork(partial(self._run, asked, swap), limit)
        if code == 3:
            return {"fate": "apart", "tests": asked, "limit": limit}
        fate = "endless" if code is None else "noticed" if code else "lives"
        again = fate == "noticed" and f"{inner}:{function}" in _begun
        return {"fate": fate, "by": by, "seconds": seconds, "again": again, "tests": asked, "limit": limit}

    def _reaching(self, wanted: Callable[[str], bool]) -> list[tuple[float, str]]:
        return sorted((seconds, test) for test, (seconds, places) in self.tests.items() if any(map(wanted, places)))

    def _run(self, tests: Sequence[str], swap: dict[CodeType, CodeType]) -> str:
        """Return the first test that fails with the changed code, or nothing."""
        functions = [each for each in self.functions if each.__code__ in swap]
        if not functions:
            raise LookupError(f"none of {len(swap)} codes is that of a function")
        for each in functions:
            each.__code__ = swap[each.__code__]
        emptied(self.caches)
        items = [self.items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            _limited(SLACK * self.tests[item.nodeid][0] + LEAST)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                return item.nodeid
        return ""


def _limited(more: float) -> None:
    """End the process when it has taken some seconds more, if that is before the limit that it has."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (min(int(time.process_time() + more) + 1, most - 1), most))


def _up_to(tests: Sequence[tuple[float, str]], most: float) -> tuple[list[str], float]:
    """Return the quickest tests, one at least, and their seconds."""
    chosen: list[str] = []
    whole = 0.0
    for seconds, test in tests:
        if chosen and whole + seconds > most:
            break
        chosen.append(test)
        whole += seconds
    return chosen, whole


def _swap(path: Path, source: str, tree: ast.Module) -> dict[CodeType, CodeType] | None:
    """Return the code to put in the place of each code of a module; None where a code was left out by the change."""
    before, after = (compile(each, str(path), "exec", dont_inherit=True) for each in (ast.parse(source), tree))
    found: dict[CodeType, CodeType] = {}
    waiting = [(before, after)]
    while waiting:
        old, new = waiting.pop()
        inside = [[each for each in code.co_consts if isinstance(each, CodeType)] for code in (old, new)]
        if len(inside[0]) != len(inside[1]) or old.co_freevars != new.co_freevars:
            return None
        if old != new:
            found[old] = new
        waiting += zip(*inside, strict=True)
    return found
