"""The same question gives the same bytes, whatever Python's hashes are seeded with, on any threads, compiled or not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_sink import CALLS, forms

_SCRIPT = """
import contextlib, hashlib, io, json, shutil, sys
from pathlib import Path
from noughts.machine import workers
threads, calls = json.load(sys.stdin)
workers._cores = lambda: threads
shared = 0
submit = workers.Threads._in_order
def in_order(*given):
    global shared
    shared += 1
    return submit(*given)
workers.Threads._in_order = in_order
from noughts.cli.main import main
for call in calls:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(call)
    content = out.buffer.getvalue()
    for path in sorted(Path().rglob("*")):
        content += str(path).encode() + (path.read_bytes() if path.is_file() else b"")
    print(hashlib.sha256(content).hexdigest(), len(content), *call)
    for path in list(Path().iterdir()):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
print(shared)
"""
_QUICK = (
    "count",
    "explain",
    "openings",
    "tree",
    "payoff",
    "versus",
    "positions",
    "same",
    "puzzle",
    "query",
    "match",
    "check",
)
_UNLIKE = {"verify": "does what it can in the time", "referee": "says how long a program took"}
"""Verbs whose answer is another every time, and why."""
_KERNELS = (
    "count 3x3 --same labelled --engine frontier --format json",
    "count 3x3 --same symmetry --engine transfer --format json",
    "count 3x3 --same labelled --engine points --format json",
    "count 3x3 --same choices --engine streamed --format json",
    "count 2x4:3 --same choices --engine streamed --end decided --format json",
    "count 3x4:3 --same symmetry --format json",
    "breed 2x3:2 --population 8 --generations 3 --seed 3 --format json",
)
"""What small boards are not counted with unless it is asked for: kernels, whose work is shared by threads."""
_FILES = (
    "solve 2x4:3 --save table",
    "solve 2x4:3 --save table --values-only",
    "solve 2x4:3 --proof it.proof",
    "solve 4x4 --proof it.proof",
    "versus 2x3 --x best --o random --save bot.json",
    "menace 2x3 --games 20 --seed 4 --save machine.json",
    "blindfold 1x3 --proof it.json",
    "count 3x4:3 --same choices --engine streamed --resume kept",
    "count 3x4:3 --same labelled --engine frontier --resume kept",
    "count 4x4:3 --same symmetry --engine transfer --resume kept",
    *(
        f"export 2x3:2 -o it.{ending}"
        for ending in ("sqlite", "csv", "jsonl", "parquet", "md", "uci", "graphml", "dot")
    ),
    "site 2x2 -o pages",
)
"""What is written under a name of its own."""


def _bytes(within: Path, calls: list[list[str]], seed: int, threads: int = 2, compiled: bool = True) -> list[str]:
    """Return a row for each call, with the digest of what it said and wrote; and how often threads shared the work."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _SCRIPT],
        input=json.dumps([threads, calls]),
        capture_output=True,
        text=True,
        cwd=within,
        env={**os.environ, "PYTHONHASHSEED": str(seed), "NUMBA_DISABLE_JIT": str(int(not compiled))},
    )
    found = done.stdout.splitlines()
    assert len(found) == len(calls) + 1, done.stderr
    return found


def test_quick_verbs_under_two_seeds_on_one_and_two_threads_compiled_and_not(tmp_path: Path) -> None:
    calls = [[*CALLS[verb], "--format", form] for verb in _QUICK for form in ("text", "json") if form in forms(verb)]
    calls += [words.split() for words in _KERNELS]
    *first, shared = _bytes(tmp_path, calls, 1, threads=2)
    assert int(shared) >= 4, "threads were at work"
    *second, alone = _bytes(tmp_path, calls, 2, threads=1, compiled=False)
    assert first == second
    assert int(alone) == 0
    assert all(int(row.split()[1]) > 20 for row in first), "each has said something"


_ALL = {
    **{verb: [[*CALLS[verb], "--format", form] for form in forms(verb)] for verb in sorted(CALLS.keys() - _UNLIKE)},
    "kernels": [words.split() for words in _KERNELS],
    "files": [words.split() for words in _FILES],
}


@pytest.mark.slow
@pytest.mark.parametrize("what", _ALL)
def test_all_forms_and_files_under_twenty_seeds_on_one_and_two_threads_compiled_and_not(
    what: str, tmp_path: Path
) -> None:
    *first, _ = _bytes(tmp_path, _ALL[what], 0)
    assert all(int(row.split()[1]) > 20 for row in first), "each has said or written something"
    for seed in range(1, 20):
        *again, _ = _bytes(tmp_path, _ALL[what], seed, threads=1 + seed % 2, compiled=seed % 4 > 1)
        assert again == first, (seed, 1 + seed % 2, seed % 4 > 1)
