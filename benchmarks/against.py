"""Two checkouts side by side: `python benchmarks/against.py OTHER [quick] [large] [--runs N] [--markdown]`.

OTHER is another checkout of the project, such as the last release. Each command runs in both, in turn, as a process of
its own; what both print must be the same. Shown are the medians of CPU seconds and of peak memory and their ratios,
this checkout over the other: above 1 it got slower. Both use the Python that runs this, and keep what they compile in
folders of their own, which are filled by a run that is not counted.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

QUICK = [
    "--help", "--version", "count 3x3", "count 3x3 --same choices --format json", "solve 3x3 --format json",
    "explain 3x3 a1", "openings 3x3", "count 3x4 --same labelled --format json", "whatis 26830",
    "count 4x4 --same choices --format csv", "solve 4x4 --format json", "positions 3x3 --ply 5 --format csv",
]  # fmt: skip
LARGE = [
    "count 5x5:4 --same symmetry --format csv", "count 5x5:4 --same symmetry --engine subset --format csv",
    "count 3x6:3 --same choices --format csv", "count 4x4 --same choices --moves perfect --end decided --format csv",
    "count 6x6:5 --same labelled --format csv", "count 8x8:8 --same labelled --engine frontier --format csv",
    "count 3x3x3 --same symmetry --format csv", "count 10x4:3 --same labelled --format csv",
    "count 30x30 --same labelled --column finished --format bfile",
    "solve 4x5:4 --by-ply --format json", "solve 5x5:4 --format json", "blindfold 3x3 --format json",
]  # fmt: skip


class Run(NamedTuple):
    """CPU seconds, peak memory in bytes, and what was printed."""

    seconds: float
    memory: int
    printed: bytes


def run(checkout: Path, words: str, cache: str) -> Run:
    """Return what one command costs in a checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "NUMBA_CACHE_DIR": cache}
    arguments = [sys.executable, "-m", "noughts", *words.split()]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(arguments, stdout=out, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{checkout}: noughts {words} ended with {process.returncode}")
        out.seek(0)
        return Run(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, out.read())


def compare(other: Path, words: str, runs: int, caches: tuple[str, str]) -> tuple[float, float, float, float]:
    """Return the medians of both: seconds here and there, bytes here and there."""
    checkouts = (Path(__file__).resolve().parents[1], other)
    found: tuple[list[Run], list[Run]] = ([], [])
    for number in range(runs + 1):
        for checkout, cache, kept in zip(checkouts, caches, found, strict=True):
            result = run(checkout, words, cache)
            if number:
                kept.append(result)
    if found[0][0].printed != found[1][0].printed:
        print(f"noughts {words} prints something else in {other}", file=sys.stderr)
    seconds = [statistics.median(each.seconds for each in kept) for kept in found]
    memory = [statistics.median(each.memory for each in kept) for kept in found]
    return seconds[0], seconds[1], memory[0], memory[1]


def main(words: list[str]) -> None:
    """Print one line for each command."""
    runs = int(words.pop(words.index("--runs") + 1)) if "--runs" in words else 5
    chosen = [word for word in words if word in ("quick", "large")]
    places = [word for word in words if not word.startswith("--") and word not in chosen]
    if len(places) != 1 or not (Path(places[0]) / "src" / "noughts").is_dir():
        raise SystemExit("name one other checkout of the project: python benchmarks/against.py ../noughts-before")
    commands = [*(QUICK if "large" not in words or "quick" in words else []), *(LARGE if "large" in words else [])]
    if not chosen:
        commands = QUICK + LARGE
    if "--markdown" in words:
        print("| command | CPU s here | there | ratio | MB here | there | ratio |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        for command in commands:
            now, then, bytes_now, bytes_then = compare(Path(places[0]).resolve(), command, runs, (here, there))
            figures = (
                f"{now:.2f}", f"{then:.2f}", f"{now / then:.2f}",
                f"{bytes_now / 1e6:.0f}", f"{bytes_then / 1e6:.0f}", f"{bytes_now / bytes_then:.2f}",
            )  # fmt: skip
            if "--markdown" in words:
                print(f"| `{command}` | {' | '.join(figures)} |", flush=True)
            else:
                print(f"{command:70} {'  '.join(f'{each:>6}' for each in figures)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
