"""No argument list ends in anything but an answer or one sentence."""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts
from noughts.cli.main import main
from noughts.verbs.table import VERBS
from tests.robust.lists import UNTRIED, argument_list

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

DOCUMENTED = {0, 1, 2, 3, 4}
LONGEST = 640
SHORTLY, LONG = 0.25, 2.0
"""Seconds of processor time after which a list is interrupted."""
AGAIN = 1.0
"""Seconds until it is interrupted again: an interrupt is lost where Python collects garbage."""


def _enough(number: int, frame: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(scope="module", autouse=True)
def everything_imported() -> None:
    """What is interrupted is the work of a verb, never an import, which would leave half a module behind."""
    for module in pkgutil.walk_packages(noughts.__path__, "noughts."):
        if module.name != "noughts.__main__":
            importlib.import_module(module.name)


def _run(arguments: list[str], seconds: float) -> object:
    """Return the exit code of a list; what takes long is interrupted. No signal is heard afterwards."""
    code: object = 130
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
        main(arguments)
    except SystemExit as done:
        code = done.code
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_PROF, 0)
    return code


def _wrong(arguments: list[str], seconds: float, capsysbinary: pytest.CaptureFixture[bytes]) -> str | None:
    """Return what is wrong with how a list ends, None where nothing is."""
    code, said = _run(arguments, seconds), capsysbinary.readouterr().err.decode()
    if "Traceback" in said:
        return f"a traceback: {said[:2000]}"
    if code not in DOCUMENTED | {130}:
        return f"exit code {code}: {said[:700]}"
    if code in (2, 3, 4) and not said.strip():
        return f"exit code {code} without a word"
    longest = max(map(len, said.splitlines()), default=0)
    return f"a line of {longest} characters" if longest > LONGEST else None


def _different(seeds: range) -> Iterator[tuple[int, list[str]]]:
    """Yield the lists of some seeds with them, each list once."""
    known: set[tuple[str, ...]] = set()
    for seed in seeds:
        arguments = argument_list(seed)
        if tuple(arguments) not in known:
            known.add(tuple(arguments))
            yield seed, arguments


def _tried(
    seeds: range,
    seconds: float,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> list[str]:
    monkeypatch.chdir(tmp_path)
    usual = signal.signal(signal.SIGPROF, _enough), signal.getsignal(signal.SIGINT)
    wrong = []
    try:
        for seed, arguments in _different(seeds):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
            found = _wrong(arguments, seconds, capsysbinary)
            if found is not None:
                wrong.append(f"{seed}: {arguments}: {found}")
        time.sleep(0.2)  # a signal that was put off is not heard
    finally:
        signal.signal(signal.SIGPROF, usual[0])
        signal.signal(signal.SIGINT, usual[1])
    return wrong


def test_some_lists_as_far_as_they_come_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert _tried(range(200), SHORTLY, tmp_path, monkeypatch, capsysbinary) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_lists(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert _tried(range(1000 * part, 1000 * (part + 1)), LONG, tmp_path, monkeypatch, capsysbinary) == []


def test_the_lists_reach_every_verb() -> None:
    assert {argument_list(seed)[0] for seed in range(1000)} >= set(VERBS)
    assert set(UNTRIED) < set(VERBS)
