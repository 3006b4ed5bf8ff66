"""Whole commands with compiled kernels, and in another checkout: `python benchmarks/kernels.py [OTHER]`.

Every command runs in a process of its own, in turn with each kind of kernels: for processors of x86-64-v3 and v2, and,
where OTHER is named, in that checkout, from an empty cache (cold) and again (warm). All must print the same. Shown are
CPU seconds and peak memory, the least of three runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from against import Run, run

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = [
    "solve 4x4", "count 4x4 --same choices", "solve 8x8:4", "count 3x6:3 --same choices --format csv",
    "count 6x6:5 --same labelled --engine frontier --format csv", "blindfold 3x3 --format json",
    "solve 5x5:4 --format json",
]  # fmt: skip
RUNS = 3


def least(runs: list[Run]) -> Run:
    """Return the least seconds and memory of runs that print the same."""
    assert len({each.printed for each in runs}) == 1
    return Run(min(each.seconds for each in runs), min(each.memory for each in runs), runs[0].printed)


def measured(words: str, other: Path | None) -> dict[str, Run]:
    """Return what one command costs with each kind of kernels."""
    found = {}
    for level in ("v3", "v2"):
        os.environ["NOUGHTS_KERNELS"] = level
        found[level] = least([run(ROOT, words, "") for _ in range(RUNS)])
    if other:
        with tempfile.TemporaryDirectory() as cache:
            found["cold"] = run(other, words, cache)
            found["warm"] = least([run(other, words, cache) for _ in range(RUNS)])
    return found


def main() -> None:
    """Print a table in Markdown."""
    other = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    size = subprocess.run([sys.executable, "-m", "build_kernels"], cwd=ROOT, capture_output=True, text=True, check=True)
    print(f"all kernels for both levels: {Path(size.stdout.strip()).stat().st_size:,} bytes\n")
    for number, words in enumerate(COMMANDS):
        found = measured(words, other)
        if number == 0:
            print("| command |", " | ".join(found), "|\n| --- |", "---: | " * len(found))
        cells = (f"{each.seconds:.2f} s, {each.memory / 1e6:.0f} MB" for each in found.values())
        print(f"| `{words}` |", " | ".join(cells), "|", flush=True)
        assert len({each.printed for each in found.values()}) == 1, words


if __name__ == "__main__":
    main()
