"""The last resort: whatever goes wrong within, one sentence and an exit code of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from noughts.cli.faults import FAULT
from tests.dear import dear

from .conftest import Result


class _Unsayable(Exception):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (AssertionError("a sum over orbits must be divisible"), "AssertionError: 'a sum over orbits"),
        (RecursionError("maximum recursion depth exceeded"), "RecursionError"),
        (UnicodeEncodeError("utf-8", "\udc80", 0, 1, "surrogates not allowed"), "UnicodeEncodeError"),
        (IndexError("x" * 100_000), "100,000 characters"),
        (KeyError("two\nlines"), "KeyError"),
        (NotImplementedError(), "NotImplementedError"),
        (_Unsayable(), "_Unsayable"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_a_fault_is_one_sentence(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, error: Exception, word: str
) -> None:
    def broken(*given: object, **named: object) -> None:
        raise error

    monkeypatch.setattr("noughts.domain.board.Board.parse", broken)
    result = run("solve", "3x3")
    assert result.code == FAULT
    said = result.one_sentence()
    assert word in said
    assert "please report the command and this line" in said
    assert len(said) < 600


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(12, "Cannot allocate memory"),
        ImportError("libfoo.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
    ids=lambda given: type(given).__name__,
)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_lack_of_memory_is_told(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, error: Exception, hidden: bool
) -> None:
    def broken(*given: object, **named: object) -> None:
        if hidden:
            raise OSError("Could not find/load shared object file 'libllvmlite.so'") from error
        raise error

    monkeypatch.setattr("noughts.domain.board.Board.parse", broken)
    result = run("solve", "3x3")
    assert result.code == 3
    assert "there is not memory enough for this" in result.one_sentence()
    assert "ask about a smaller board, or close other programs" in result.err


_LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
from noughts.cli.main import main
main(sys.argv[2:])
"""
_MEGABYTES = (300, 400, 600, 800, 1500)
_UNDER_LIMITS = (
    "solve 4x4",
    "count 3x3 --same labelled",
    "count 8x8 --same labelled",
    "count 8x8",
    "count 4x4 --same symmetry",
    "solve 4x5:4 --save T",
    "versus 3x3 --x random --o perfect",
    "export 3x3 -o e.sqlite",
    "draw 3x3 -o d.png",
    "blindfold 3x3",
)


@pytest.mark.parametrize(
    ("asked", "megabytes"),
    dear(
        list(product(_UNDER_LIMITS, _MEGABYTES)),
        *(set(product(_UNDER_LIMITS, _MEGABYTES)) - {("solve 4x4", 600), ("count 8x8", 400)}),
    ),
)
def test_little_memory_is_the_right_answer_or_a_refusal(megabytes: int, asked: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(megabytes * 10**6), *asked.split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3), done.stderr
    if done.returncode == 3:
        assert done.stderr.count("\n") <= 2
        assert "memory" in done.stderr
    elif asked == "solve 4x4":
        assert "4x4:4: Draw" in done.stdout


def test_the_line_of_ours_is_named(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.domain.board.Board.parse", None)
    assert re.search(r", [a-z]+/[a-z]+\.py line \d+\)", run("solve", "3x3").one_sentence())


def test_a_broken_installation_is_told(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noughts.cli.solve", None)
    result = run("solve", "3x3")
    assert result.code == FAULT
    assert "cannot be loaded" in result.one_sentence()
    assert "install it again" in result.err


def test_the_way_to_a_fault_is_told_where_it_is_asked_for(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TRACEBACK", "1")
    monkeypatch.setattr("noughts.domain.board.Board.parse", None)
    assert "Traceback (most recent call last)" in run("solve", "3x3").err


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("board", ["3x3", "nonsense"])
def test_streams_that_are_closed_from_the_start(closed: str, board: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m noughts count {board} --same labelled {closed}"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == (2 if board == "nonsense" else 0 if closed == "2>&-" else 4)
    assert "Traceback" not in done.stderr
    assert closed != ">&-" or done.stdout == ""


def test_no_message_is_long(run: Callable[..., Result], tmp_path: Path) -> None:
    """The middle of a long one is left out: what was given stands at the beginning, the remedy at the end."""
    names = " ".join(f"a{number}" for number in range(200_000))
    (tmp_path / "long.json").write_text(json.dumps({names: {}, "format": names}))
    for words in (
        ["blindfold", "check", str(tmp_path / "long.json")],
        ["count", "3x3", "--from", "b2 " * 30_000],
        ["versus", "100x100", "random", "random"],
        ["solve", "x" * 100_000],
    ):
        result = run(*words)
        assert result.code in (2, 3)
        assert len(result.one_sentence()) <= 610
