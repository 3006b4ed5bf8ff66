"""What is written is written whole or fails, however the standard streams are found; an early interrupt is quiet."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.cli.conftest import Result
from tests.dear import sample

NOUGHTS = [sys.executable, "-m", "noughts"]
LONG = [*NOUGHTS, "positions", "3x3", "--format", "json"]
"""Hundreds of kilobytes."""
UNBUFFERED = pytest.mark.parametrize(
    "unbuffered", [pytest.param({}, marks=pytest.mark.slow), {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"]
)


def environment(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | more


@pytest.fixture(scope="module")
def whole() -> bytes:
    return subprocess.run(LONG, capture_output=True, check=True, timeout=120, env=environment()).stdout


@UNBUFFERED
def test_a_file_that_may_not_grow_fails(tmp_path: Path, unbuffered: dict[str, str], whole: bytes) -> None:
    """Python unbuffered writes once, and is told how much of it was taken."""
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)); import sys; sys.argv = {LONG[2:]}"
    )
    run = f"{script}; from noughts.cli.entry import main; main()"
    with open(tmp_path / "out", "wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", run],
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=120,
            env=environment(**unbuffered),
            check=False,
        )
    assert len(whole) > 100_000
    assert done.returncode == 4, done.stderr
    assert b"cannot write to standard output: File too large" in done.stderr


@UNBUFFERED
def test_a_pipe_that_does_not_wait_gets_all(unbuffered: dict[str, str], whole: bytes) -> None:
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    got: list[bytes] = []

    def read_slowly() -> None:
        threading.Event().wait(0.5)
        with open(reads, "rb") as pipe:
            got.append(pipe.read())

    reader = threading.Thread(target=read_slowly)
    reader.start()
    try:
        done = subprocess.run(
            LONG, stdout=writes, stderr=subprocess.PIPE, timeout=120, env=environment(**unbuffered), check=False
        )
    finally:
        os.close(writes)
        reader.join(60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert got == [whole]


@UNBUFFERED
@pytest.mark.parametrize(
    ("board", "out", "code"), [("3y3", "/dev/null", 2), ("3x3", "/dev/full", 4), ("3x3", "/dev/null", 0)]
)
def test_errors_that_nobody_can_be_told_keep_their_code(
    board: str, out: str, code: int, unbuffered: dict[str, str]
) -> None:
    with open(out, "wb") as output, open("/dev/full", "wb") as errors:
        words = [*NOUGHTS, "count", board, "--same", "labelled"]
        done = subprocess.run(
            words, stdout=output, stderr=errors, timeout=60, env=environment(**unbuffered), check=False
        )
    assert done.returncode == code


@pytest.mark.parametrize(
    "words", sample(["solve 3x3 -", "play 3x3", "engine 3x3", "check -", "blindfold play", "count 3x3"], 3)
)
def test_a_closed_input_is_an_empty_one(words: str) -> None:
    command = f"exec {sys.executable} -m noughts {words}"
    closed, empty = (
        subprocess.run(
            ["sh", "-c", f"{command} {way}"], capture_output=True, timeout=60, env=environment(), check=False
        )
        for way in ("<&-", "</dev/null")
    )
    assert (closed.returncode, closed.stdout, closed.stderr) == (empty.returncode, empty.stdout, empty.stderr)
    assert closed.returncode in (0, 1, 2)


@pytest.mark.parametrize(
    ("words", "code"),
    sample(
        [
            ("count 3x3", 4),
            ("count 3x3 -o -", 4),
            ("positions 3x3 --format json", 4),
            ("draw 3x3", 4),
            ("count --help", 4),
            ("count 3y3", 2),
            ("engine 3x3", 0),
            ("positions 3x3 -o positions.json", 0),
        ],
        2,
    ),
)
def test_a_closed_output_fails_where_something_is_to_be_written(words: str, code: int, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -P -m noughts {words} >&- </dev/null"],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        env=environment(),
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert (b"cannot write to standard output: Bad file descriptor" in done.stderr) == (code == 4)
    assert done.stderr.count(b"\n") == (code != 0 or "-o" in words)
    assert [path.name for path in tmp_path.iterdir()] == (["positions.json"] if words.endswith(".json") else [])


@pytest.mark.parametrize("after", sample([0.05, 0.02, 0.08, 0.12], 2))
def test_an_early_interrupt_is_quiet(after: float) -> None:
    """While modules are imported there is nothing to say; before our first line runs Python itself may speak."""
    script = (
        "import os, signal, threading, sys, time\n"
        "from noughts.cli.entry import main\n"
        "def interrupt():\n"
        f"    time.sleep({after}); os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        "sys.argv = ['noughts', 'sheet', '3x3', '--format', 'pdf']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=60, env=environment(), check=False
    )
    assert done.returncode in (0, 130, -signal.SIGINT)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", ["solve 3x3 --save table", "count 3x3 --same choices --engine layered --resume state"]
)
def test_a_folder_that_is_gone_is_named_as_such(words: str, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    command = f"cd here && rmdir ../here && exec {sys.executable} -P -m noughts {words}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=120, env=environment(), check=False
    )
    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert "gone" in done.stderr or "does not exist" in done.stderr


# Whatever a terminal can write, no answer ends in a traceback: the nearest characters of ASCII stand for others.


def said(encoding: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "noughts", *words],
        input=given,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )


@pytest.mark.parametrize("encoding", sample(["ascii", "latin-1", "cp437", "utf-16", "shift_jis"], 3))
def test_a_tree_is_printed_in_every_encoding(encoding: str) -> None:
    whole = said("utf-8", "tree", "3x3", "--format", "text").stdout.decode()
    assert "×" in whole
    found = said(encoding, "tree", "3x3", "--format", "text")
    assert (found.returncode, found.stderr) == (0, b"")
    text = found.stdout.decode(encoding)
    assert text.replace("x", "×") == whole.replace("x", "×")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_cannot_be_read_or_told_back_ends_in_a_sentence(encoding: str) -> None:
    found = said(encoding, "count", "3⊗3")
    assert found.returncode == 2
    assert b"Traceback" not in found.stderr
    lines = said(encoding, "solve", "3x3", "-", given="a1 b2\n□⊗\n".encode())
    assert lines.returncode == 2
    assert b"Traceback" not in lines.stderr
    assert len(lines.stdout.splitlines()) == 2


NAMING = (
    "draw 3x3 -o", "export 3x3 -o", "solve 3x3 --save", "solve 3x3 --table", "solve 3x3 --proof", "crib 3x3 -o",
    "count 3x3 --same choices --engine layered --resume", "site 2x2 -o", "evaluate 3x3 random -o",
)  # fmt: skip
READING = ("tree 3x3", "query 3x3", "review 3x3", "match 3x3 --x", "count", "solve 3x3 --table", "explain 3x3")


@pytest.mark.parametrize(
    ("words", "given"),
    [*product(NAMING, ["\0", "a\0b"]), *product(READING, ["\0", "\x1b[31m"]), ("query 3x3", "\udcff")],
)
def test_what_is_no_text_is_bad_input_and_told_back_in_print(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, given: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words.split(), given)
    assert result.code == 2
    assert result.one_sentence().rstrip("\n").isprintable()
    assert list(tmp_path.iterdir()) == []
