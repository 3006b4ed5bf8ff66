"""The command as a whole: help, version, unknown words, streams."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from noughts.cli.main import FAULT
from tests.cli.conftest import Result
from tests.dear import dear, sample


def test_a_closed_pipe_is_no_error():
    script = f"{sys.executable} -m noughts count 3x3 --format json | head -c 1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "{"
    assert done.stderr == ""


@pytest.mark.parametrize("words", [["count", "3x3"], ["--help"], ["count", "4x4", "--same", "labelled"]])
def test_a_pipe_closed_before_anything_is_written_is_no_error(words):
    reading, writing = os.pipe()
    os.close(reading)
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "noughts", *words], stdout=writing, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("typed", "offered"), [("noughts wh", "whatis"), ("noughts count 3x3 --same la", "labelled")], ids=["verb", "word"]
)
def test_shell_completion(typed, offered):
    asked = {"_NOUGHTS_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "noughts"], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert offered in done.stdout


@pytest.mark.parametrize("buffered", ["", pytest.param("1", marks=pytest.mark.slow)])
@pytest.mark.parametrize("arguments", [["count", "3x3"], ["--help"], ["positions", "3x3", "-o", "/proc/self/fd/1"]])
def test_standard_output_that_is_full_is_a_failing_file(arguments: list[str], buffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "noughts", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": buffered},
        )
    assert done.returncode == 4
    assert re.fullmatch(
        r"noughts: cannot write (to standard output|'/proc/self/fd/1'): No space left on device; .*\n", done.stderr
    )


def test_a_signal_waits_while_the_compiler_calls_back() -> None:
    """What is raised there is printed, and lost: it is raised a moment later."""
    code = (
        "import os, signal, sys, time\nfrom noughts.cli.process import signals_handled\n"
        "names = {}\n"
        "exec(compile('def _raw_object_cache_notify(work): return work()', '/x/llvmlite/e.py', 'exec'), names)\n"
        "def work():\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(0.01)\n    return 'whole'\n"
        "try:\n    with signals_handled():\n"
        "        print(names['_raw_object_cache_notify'](work))\n        time.sleep(60)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("whole\ninterrupted\n", "")


LINGERS = """
import hashlib, threading, time
from noughts.cli import main, process
process._UNHEARD = process._TIDYING = process._JOINING = 0.2
def step():  # as a kernel: it lets others work, and hears nothing
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
def work(*given, **named):
    print("begun", flush=True)
    WORK
main.command.invoke = work
main.main()
"""


SAID = {
    signal.SIGTERM: "ended by a signal",
    signal.SIGINT: "interrupted",
    signal.SIGXCPU: "the limit on processor time is reached",
}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU])
def test_a_program_says_by_which_signal_it_ended(number: signal.Signals) -> None:
    code = (
        "import os; from noughts.cli import main\n"
        f"main.command.invoke = lambda *_, **__: os.kill(os.getpid(), {int(number)})\n"
        "main.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, preexec_fn=_hears_of_all)
    assert (done.returncode, done.stderr) == (128 + number, f"noughts: {SAID.get(number, 'ended by a signal')}\n")


def _hears_of_all() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # who runs the tests may have it ignored


@pytest.mark.parametrize(
    ("number", "said"), sample([(each, SAID[each]) for each in (signal.SIGTERM, signal.SIGINT)], 2)
)
@pytest.mark.parametrize(
    "work",
    [
        pytest.param("step()", id="in a step"),
        pytest.param("try: time.sleep(600)\n    finally: step()", id="in tidying"),
        pytest.param(
            "threading.Thread(target=step).start(); time.sleep(600)", id="in a thread", marks=pytest.mark.slow
        ),
    ],
)
def test_a_program_that_lingers_after_a_signal_is_ended(work: str, number: int, said: str) -> None:
    code = LINGERS.replace("WORK", work)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"begun\n"
            process.send_signal(number)
            _, told = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 128 + number
    assert told.decode() == f"noughts: {said}\n"


def test_what_a_program_that_lingers_was_writing_is_removed(tmp_path: Path) -> None:
    writes = "with writing_stream(Path('it.txt')) as stream: stream.write(b'half'); stream.flush(); step()"
    code = LINGERS.replace("WORK", writes).replace(
        "import hashlib", "from pathlib import Path; from noughts.machine.files import writing_stream\nimport hashlib"
    )
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"begun\n"
            for _ in range(2000):
                if any(path.stat().st_size for path in tmp_path.iterdir()):
                    break
                time.sleep(0.01)
            assert [path.suffix for path in tmp_path.iterdir()] == [".noughts-part"]
            process.terminate()
            process.wait(timeout=60)
        finally:
            process.kill()
    assert list(tmp_path.iterdir()) == []


def test_a_child_that_is_forked_does_not_end_its_parent() -> None:
    """The pipe in which the system notes signals is the parent's, and the child notes its own elsewhere."""
    code = LINGERS.replace(
        "WORK",
        """
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
        time.sleep(600)
    time.sleep(0.1)
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
    time.sleep(0.6)
    print("lives")
""",
    ).replace("import hashlib", "import os, signal, hashlib")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("begun\nlives\n", 0)


# The last resort: whatever goes wrong within, one sentence and an exit code of its own.


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

    monkeypatch.setattr("noughts.rules.board.Board.parse", broken)
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

    monkeypatch.setattr("noughts.rules.board.Board.parse", broken)
    result = run("solve", "3x3")
    assert result.code == 3
    assert "not enough memory" in result.one_sentence()
    assert "use a smaller board, or close other programs" in result.err


def test_the_way_to_a_fault_is_told_where_it_is_asked_for(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_TRACEBACK", "1")
    monkeypatch.setattr("noughts.rules.board.Board.parse", None)
    assert "Traceback (most recent call last)" in run("solve", "3x3").err


@pytest.mark.parametrize("closed", dear([">&-", "2>&-", ">&- 2>&-"], ">&-"))
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
        ["match", "100x100", "random", "random"],
        ["solve", "x" * 100_000],
    ):
        result = run(*words)
        assert result.code in (2, 3)
        assert len(result.one_sentence()) <= 610
