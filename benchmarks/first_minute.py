"""The first minute with a checkout, here and in others: `python benchmarks/first_minute.py [OTHER ...] [--only calls]`.

Each checkout is cloned, and `make` is run in the clone, as somebody does who comes to it; then a wheel is made and
installed into a bare environment. Caches are empty folders, those of pip's downloads, of kernels and of compilers, and
`PYTHONDONTWRITEBYTECODE` is set, as containers set it. Then each command is called for the first time (cold), and three
times more (warm: the least). `calls` installs nothing, and asks the environments that are there. Takes minutes.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = [
    "--help", "count 3x3", "count 3x3 --same choices", "explain 3x3 a1 b1", "solve 3x3", "openings 3x3",
    "blindfold 3x3", "tree 3x3", "solve 4x4", "count 4x4 --same choices", "solve 8x8:4",
]  # fmt: skip
RUNS = 3
ADDRESS = "http://127.0.0.1:8765/docs"


class Spent(NamedTuple):
    """What a command took: by the clock, and of processor time with all processes that it started."""

    clock: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.cpu:.2f} s"


def timed(command: list[str | Path], folder: Path, environment: dict[str, str]) -> Spent:
    """Run a command and return what it took; raises SystemExit where it fails."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(
            f"{' '.join(map(str, command))} failed in {folder}:\n{done.stdout[-1000:]}{done.stderr[-2000:]}"
        )
    return Spent(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def megabytes(folder: Path) -> str:
    """Return what a folder takes on the disk."""
    blocks = sum(path.lstat().st_blocks for path in folder.rglob("*") if not path.is_symlink())
    return f"{blocks * 512 / 1e6:.0f} MB"


def installed(checkout: Path, scratch: Path, environment: dict[str, str]) -> tuple[dict[str, str], Path]:
    """Return what installing took, from a clone and from a wheel, and the clone."""
    clone, bare = scratch / "clone", scratch / "bare"
    subprocess.run(["git", "clone", "--quiet", checkout, clone], check=True)
    made = timed(["make"], clone, environment)
    pip: list[str | Path] = [bare / "bin" / "python", "-m", "pip"]
    subprocess.run([sys.executable, "-m", "venv", bare], check=True)
    timed([*pip, "wheel", "-q", "--no-deps", "-w", scratch, clone], scratch, environment)
    (wheel,) = scratch.glob("noughts-*.whl")
    shutil.rmtree(scratch / "pip", ignore_errors=True)
    unpacked = timed([*pip, "install", "-q", wheel], scratch, environment)
    rows = {
        "`make` in a clone": f"{made.clock:.0f} s, {made.cpu:.0f} s of CPU",
        "its environment": megabytes(clone / ".venv"),
        "the wheel into a bare environment": f"{unpacked.clock:.0f} s",
        "that environment": megabytes(bare),
    }
    return rows, clone


def answer_of(program: Path, environment: dict[str, str]) -> str:
    """Return what a server that was just started says when it is asked for the manual."""
    server = subprocess.Popen(
        [program, "serve", "--port", "8765"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        server.stdout.readline()  # the address: it listens
        with urlopen(ADDRESS, timeout=60) as reply:
            return str(reply.status)
    except HTTPError as error:
        return str(error.code)
    finally:
        server.terminate()
        server.wait()


def measured(checkout: Path, *, installs: bool) -> dict[str, str]:
    """Return the rows of one checkout."""
    with tempfile.TemporaryDirectory(prefix="first-minute-") as name:
        scratch = Path(name)
        environment = {key: text for key, text in os.environ.items() if key not in ("PYTHONPATH", "NOUGHTS_KERNELS")}
        environment |= {
            "PYTHONDONTWRITEBYTECODE": "1",
            "NOUGHTS_QUIET": "1",
            "XDG_CACHE_HOME": str(scratch),
            "NUMBA_CACHE_DIR": str(scratch / "numba"),
            "NOUGHTS_CACHE": str(scratch / "tables"),
        }
        rows, where = installed(checkout, scratch, environment) if installs else ({}, checkout)
        if not installs:  # the kernels that are there
            environment["PYTHONPATH"] = str(where / "src")
            environment["NOUGHTS_KERNEL_CACHE"] = str(Path.home() / ".cache" / "noughts" / "kernels")
        python = where / ".venv" / "bin" / "python"
        bare = min(timed([python, "-c", ""], where, environment).cpu for _ in range(RUNS))
        rows["Python alone"] = f"{bare:.2f} s"
        for words in COMMANDS:
            runs = [timed([python, "-m", "noughts", *words.split()], where, environment) for _ in range(1 + RUNS)]
            rows[f"`{words}`"] = f"{runs[0]}, then {min(runs[1:], key=lambda run: run.cpu)}"
        if installs:
            rows["`/docs` of a server just started"] = answer_of(where / ".venv" / "bin" / "noughts", environment)
        return rows


def main() -> None:
    """Print a table in Markdown, a column for each checkout."""
    parser = argparse.ArgumentParser(description="Measure installing and first calls, here and in other checkouts.")
    parser.add_argument("others", nargs="*", type=Path, help="checkouts to compare with")
    parser.add_argument("--only", choices=["calls"])
    asked = parser.parse_args()
    checkouts = [*(path.resolve() for path in asked.others), ROOT]
    columns = []
    for path in checkouts:
        columns.append(measured(path, installs=asked.only is None))
        print(f"measured: {path}", file=sys.stderr, flush=True)
    print(f"| | {' | '.join(path.name for path in checkouts)} |\n|---|{'---:|' * len(checkouts)}")
    for row in columns[-1]:
        print(f"| {row} | {' | '.join(column[row] for column in columns)} |")


if __name__ == "__main__":
    main()
