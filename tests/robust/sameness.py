"""Calls that give the same bytes every time, and what they give: for tests, and for other Pythons."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cli.test_sink import CALLS, forms

__all__ = ["ALL", "KERNELS", "bytes_of"]

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
_UNLIKE = {"verify": "does what it can in the time", "referee": "says how long a program took"}
"""Verbs whose answer is another every time, and why."""
KERNELS = (
    "count 3x3 --same labelled --engine frontier --format json",
    "count 3x3 --same symmetry --engine transfer --format json",
    "count 3x3 --same labelled --engine frontier --columns games --format json",
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
    "match 2x3 --x best --o random --save bot.json",
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


def bytes_of(
    within: Path,
    calls: list[list[str]],
    seed: int,
    threads: int = 2,
    compiled: bool = True,
    python: str = sys.executable,
) -> list[str]:
    """Return a row for each call, with the digest of what it said and wrote; and how often threads shared the work."""
    done = subprocess.run(
        [python, "-P", "-c", _SCRIPT],
        input=json.dumps([threads, calls]),
        capture_output=True,
        text=True,
        cwd=within,
        env={**os.environ, "PYTHONHASHSEED": str(seed), "NOUGHTS_KERNELS": "" if compiled else "plain"},
    )
    found = done.stdout.splitlines()
    assert len(found) == len(calls) + 1, done.stderr
    return found


ALL = {
    **{verb: [[*CALLS[verb], "--format", form] for form in forms(verb)] for verb in sorted(CALLS.keys() - _UNLIKE)},
    "kernels": [words.split() for words in KERNELS],
    "files": [words.split() for words in _FILES],
}
"""Calls by verb, and of what is written under a name and what kernels count."""
