"""No argument list ends in anything but an answer or one sentence."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from noughts.cli.main import VERBS, main
from tests.robust.lists import UNTRIED, argument_list

DOCUMENTED = {0, 1, 2, 3, 4}
LONGEST = 640
SECONDS = 2.0


def _enough(number: int, frame: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def _run(arguments: list[str]) -> object:
    """Return the exit code of a list; what takes long is interrupted. No signal is heard afterwards."""
    code: object = 130
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        main(arguments)
    except SystemExit as done:
        code = done.code
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_PROF, 0)
    return code


def _wrong(arguments: list[str], capsysbinary: pytest.CaptureFixture[bytes]) -> str | None:
    """Return what is wrong with how a list ends, None where nothing is."""
    code, said = _run(arguments), capsysbinary.readouterr().err.decode()
    if "Traceback" in said:
        return f"a traceback: {said[:2000]}"
    if code not in DOCUMENTED | {130}:
        return f"exit code {code}: {said[:700]}"
    if code in (2, 3, 4) and not said.strip():
        return f"exit code {code} without a word"
    longest = max(map(len, said.splitlines()), default=0)
    return f"a line of {longest} characters" if longest > LONGEST else None


def _tried(
    seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> list[str]:
    monkeypatch.chdir(tmp_path)
    usual = signal.signal(signal.SIGPROF, _enough), signal.getsignal(signal.SIGINT)
    wrong = []
    try:
        for seed in seeds:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
            arguments = argument_list(seed)
            found = _wrong(arguments, capsysbinary)
            if found is not None:
                wrong.append(f"{seed}: {arguments}: {found}")
        time.sleep(0.2)  # a signal that was put off is not heard
    finally:
        signal.signal(signal.SIGPROF, usual[0])
        signal.signal(signal.SIGINT, usual[1])
    return wrong


def test_a_few_lists_of_each_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert _tried(range(60), tmp_path, monkeypatch, capsysbinary) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_lists(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert _tried(range(1000 * part, 1000 * (part + 1)), tmp_path, monkeypatch, capsysbinary) == []


def test_the_lists_reach_every_verb() -> None:
    assert {argument_list(seed)[0] for seed in range(1000)} >= set(VERBS)
    assert set(UNTRIED) < set(VERBS)
