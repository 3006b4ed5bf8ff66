"""Nothing works in silence for long: a line that is redrawn on a terminal, one line elsewhere, none where unwanted."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from noughts.cli import progress
from noughts.cli.progress import at_rest, attended

SLOW = """
import sys, time
from noughts.cli.main import main
import noughts.analysis.explain.openings as room
import noughts.cli.progress as progress
progress._PATIENCE = float(sys.argv[1])
genuine = room.openings
def slow(*given):
    end = time.monotonic() + progress._PATIENCE + 0.4
    while time.monotonic() < end:
        pass
    return genuine(*given)
room.openings = slow
main(["openings", "2x3:2"])
"""


def said(patience: str, **environment: str) -> subprocess.CompletedProcess[str]:
    whole = {key: value for key, value in os.environ.items() if key != "NOUGHTS_QUIET"} | environment
    return subprocess.run([sys.executable, "-c", SLOW, patience], capture_output=True, text=True, env=whole, check=True)


def test_what_takes_more_than_two_seconds_says_so_once() -> None:
    found = said(str(progress._PATIENCE))
    assert found.stdout.startswith("2x3:2")
    assert found.stderr == "noughts: valuing openings of 2x3:2 ... 2 s\n"


def test_a_terminal_sees_the_seconds_and_the_line_is_wiped() -> None:
    parent, child = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NOUGHTS_QUIET"}
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "0.3"], stderr=child, stdout=subprocess.PIPE, env=environment, check=True
    )
    os.close(child)
    told = os.read(parent, 100_000).decode()
    os.close(parent)
    assert done.stdout.startswith(b"2x3:2")
    assert re.search(r"valuing openings of 2x3:2 \.\.\. \d+ s", told)
    assert told.endswith("\r\033[K")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOUGHTS_QUIET", raising=False)
    monkeypatch.setattr(progress, "_PATIENCE", 0.02)


def wait_for(told: Callable[[], str]) -> str:
    found = ""
    for _ in range(200):
        found += told()
        if found:
            return found
        time.sleep(0.01)
    return found


@pytest.mark.usefixtures("hasty")
def test_how_far_the_work_is_belongs_to_what_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with attended() as attendant:
        assert attendant is not None
        attendant.show(1, 4, "layer 3")
        assert wait_for(lambda: capsys.readouterr().err) == "noughts: working ... layer 3: 25%, 0 s\n"


@pytest.mark.usefixtures("hasty")
def test_long_work_says_again_how_far_it_is_and_how_long_it_may_take(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_AGAIN", 0.3)
    monkeypatch.setattr(progress, "_FIRST", 0.01)
    now = [100.0]
    with attended() as attendant:
        assert attendant is not None
        assert wait_for(lambda: capsys.readouterr().err) == "noughts: working ... 0 s\n"
        monkeypatch.setattr("noughts.cli.progress.time.monotonic", lambda: now[0])
        attendant._started = 100.0
        for seconds, done, what in ((100.0, 0, "listing"), (110.0, 25, "listing"), (120.0, 50, "sorting")):
            now[0] = seconds
            attendant.show(done, 100, what)
        assert attendant._so_far() == "working ... sorting: 50%, 20 s, about 20 s left"
        now[0] = 130.0
        assert attendant._so_far().endswith(", 30 s, about 10 s left")
        attendant.show(3, 100, "building")
        assert attendant._so_far() == "working ... building: 3%, 30 s"
        monkeypatch.undo()
        assert "building: 3%" in wait_for(lambda: capsys.readouterr().err)


@pytest.mark.parametrize(
    ("done", "whole", "what", "said"),
    [
        (1_040_000, 0, "positions searched", "1.0 M positions searched"),
        (999_999, 0, "positions searched", "999,999 positions searched"),
        (2_500_000_000, 0, "positions searched", "2.5 bn positions searched"),
        (1, 4, "solving 4x8:4", "25%"),
    ],
)
def test_the_line_names_the_work_and_how_far_it_is(
    done: int, whole: int, what: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOUGHTS_QUIET", raising=False)
    monkeypatch.setattr(progress, "_PATIENCE", 0.4)  # long enough to be told the task on a busy machine
    with attended() as attendant:
        assert attendant is not None
        attendant.task = "solving 4x8:4"
        attendant.show(done, whole, what)
        assert wait_for(lambda: capsys.readouterr().err) == f"noughts: solving 4x8:4 ... {said}, 0 s\n"


@pytest.mark.parametrize("on_terminal", [True, False])
@pytest.mark.parametrize("words", ["9 in a row is a draw", None])
def test_what_is_said_aside_is_said_to_who_waits(
    words: str | None, on_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOUGHTS_QUIET", raising=False)
    monkeypatch.setattr(progress, "_PATIENCE", 0.2)
    monkeypatch.setattr("sys.stderr.isatty", lambda: on_terminal)
    with attended() as attendant:
        assert attendant is not None
        attendant.add(lambda: words)
        told = wait_for(lambda: capsys.readouterr().err)
    assert ("9 in a row is a draw\n" in told) is (words is not None)


@pytest.mark.usefixtures("hasty")
def test_progress_continues_after_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    with attended() as attendant:
        assert attendant is not None
        attendant.note("noughts: 2 threads of workers")
        attendant.show(1, 4, "layer 3")
        told = ""
        for _ in range(200):
            told += capsys.readouterr().err
            time.sleep(0.01)
            if "25%" in told:
                break
    assert told.startswith("noughts: 2 threads of workers\nnoughts: working ... layer 3: 25%")


def test_nothing_is_said_after_the_answer_began(
    hasty: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.5)
    with attended():
        at_rest()
        time.sleep(0.7)
    assert capsys.readouterr().err == ""


# Where a board is large, what is suggested has the `--limit` that it takes, and refusals name it.

pytestmark = pytest.mark.usefixtures("remembered")
