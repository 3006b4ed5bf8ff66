"""Install noughts without the network, from a folder of wheels into bare environments, and try it there.

    scripts/installs.py [--python PATH ...] [--only floors|newest|pyodide] [--wheels DIR]

The wheel and the sdist are built, and the wheel that the sdist gives must be the same. For each Python the newest
wheels of `noughts[all]` are fetched into a folder; for the oldest Python also the smallest that are allowed, which
is what the floors promise. No compiler is used. Then `pip install --no-index` into an environment that holds nothing
else, and a few commands whose answers are known. Calls of every verb in every form give the same bytes in all
environments with the newest wheels. Where there is Node, the pure wheel answers in WebAssembly, too, by
scripts/pyodide.mjs. Exit code 1 where anything fails. Takes minutes, and 2 GB of disk for each environment.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.robust.sameness import ALL, bytes_of

PYODIDE = "pyodide@314.0.7"
"""The npm package, and the version with which it was tried."""
WAIT = 1200
"""Seconds that one step may take."""

SMOKE = (
    ("--version", "noughts, version"),
    ("count 3x3 --same labelled", "255,168"),
    ("count 4x4:3 --same symmetry", "160,127,010,846"),
    ("count 5x5:5", "games"),
    ("whatis 26830", "26,830"),
    ("solve 4x4:3", "X wins"),
    ("explain 3x3 a1", "b2"),
    ("draw 3x3 a1 -o board.svg", "board.svg"),
    ("draw 3x3 a1 -o board.png", "board.png"),
    ("draw 3x3 a1 -o board.pdf", "board.pdf"),
    ("export 3x3 -o classes.parquet", "classes.parquet"),
    ("export 3x3 -o classes.sqlite", "classes.sqlite"),
    ("blindfold 3x3", "61/64"),
    ("site 2x2 -o site", "site"),
    ("count 4x4:4 --engine frontier --workers 2", "games"),
)
"""Commands, and what each has to say."""
PYTHON = """
import importlib, noughts
from noughts import Board
assert noughts.count("3x3").totals.paths, "no games"
for name in ("networkx", "pandas", "polars", "gymnasium", "pettingzoo", "distributed"):
    importlib.import_module(name)
table = noughts.count("3x3").to_pandas()
assert len(table) == 10, table
assert len(noughts.count("3x3").to_polars()) == 10
from noughts.web.app import Explorer
print("answers in Python")
"""


def floors(extra: str = "all") -> dict[str, str]:
    """Return the smallest version that is allowed of each package that noughts and an extra of it need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {}
    for each in project["dependencies"] + project["optional-dependencies"][extra]:
        name, _, floor = each.partition(";")[0].partition(">=")
        found[name.strip()] = floor.strip()
    return found


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Return what a command says; raises CalledProcessError and TimeoutExpired."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT,
    )
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-3000:], sep="\n", file=sys.stderr)
        raise SystemExit(f"installs: {' '.join(command)} ended with {done.returncode}")
    return done.stdout + done.stderr


def contents(wheel: Path) -> dict[str, str]:
    """Return the files of a wheel with what they hold, but for its own list of them."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/RECORD")]
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}


def built(scratch: Path) -> Path:
    """Return a wheel built of the checkout, after a look whether the sdist gives the same."""
    run([sys.executable, "-m", "hatchling", "build", "-d", str(scratch / "dist")], ROOT)
    (sdist,) = (scratch / "dist").glob("*.tar.gz")
    (wheel,) = (scratch / "dist").glob("*.whl")
    with tarfile.open(sdist) as archive:
        archive.extractall(scratch / "unpacked", filter="data")
    (source,) = (scratch / "unpacked").iterdir()
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(scratch / "again")], source)
    (again,) = (scratch / "again").glob("*.whl")
    if contents(wheel) != contents(again):
        raise SystemExit("installs: the wheel that the sdist gives differs from that of the checkout")
    print(f"{wheel.name}: {len(contents(wheel))} files, the same by way of {sdist.name}", flush=True)
    return wheel


def pythons(named: list[str]) -> list[str]:
    """Return the Pythons to install for: those named, else each version on the PATH that runs; the oldest first."""
    script = ROOT / "scripts" / "python"
    found: dict[tuple[int, ...], str] = {}
    for name in named or [f"python3.{minor}" for minor in range(11, 16)]:
        done = subprocess.run(
            ["sh", script], env={**os.environ, "PYTHON": name}, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            path = done.stdout.strip()
            said = subprocess.run([path, "-V"], capture_output=True, text=True, check=True).stdout
            found.setdefault(tuple(int(part) for part in re.findall(r"\d+", said)), path)
        elif named:
            raise SystemExit(done.stderr.strip())
        else:
            print(f"{name}: not on this machine", flush=True)
    return [found[version] for version in sorted(found)]


def tried(python: str, wheel: Path, kind: str, scratch: Path, wheels: Path) -> Path:
    """Fetch, install and try one environment; return its Python."""
    version = run([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], scratch).strip()
    store = wheels / f"{version}-{kind}"
    store.mkdir(parents=True, exist_ok=True)
    limits = scratch / "constraints.txt"
    pinned = "\n".join(f"{name}=={floor}" for name, floor in floors().items()) if kind == "floors" else ""
    limits.write_text(pinned)
    shutil.copy(wheel, store)
    bare = scratch / f"{version}-{kind}"
    run([python, "-m", "venv", str(bare)], scratch)
    pip = [str(bare / "bin" / "python"), "-m", "pip"]
    wanted = f"noughts[all] @ {wheel.as_uri()}"
    run([*pip, "download", "-q", "--only-binary", ":all:", "-c", str(limits), "-d", str(store), wanted], scratch)
    run([*pip, "install", "-q", "--no-index", "--find-links", str(store), "-c", str(limits), "noughts[all]"], scratch)
    run([*pip, "check"], scratch)
    listed = run([*pip, "list", "--format", "freeze"], scratch)
    if kind == "floors":
        have = {
            name.lower().replace("_", "-"): version
            for name, _, version in (row.partition("==") for row in listed.split())
        }
        for name, floor in floors().items():
            if not (have[name.lower()] + ".").startswith(floor + "."):
                raise SystemExit(f"installs: {name} {have[name.lower()]} was installed, not {floor}")
    print(f"Python {version}, {kind}: {len(listed.split())} packages installed without the network", flush=True)
    smoked(bare, scratch / f"tried-{version}-{kind}")
    print(f"Python {version}, {kind}: {len(SMOKE) + 1} commands answer as they should", flush=True)
    return bare / "bin" / "python"


def digests(python: Path, folder: Path) -> list[str]:
    """Return a row with a digest for each call."""
    folder.mkdir()
    return [row for calls in ALL.values() for row in bytes_of(folder, calls, 1, python=str(python))[:-1]]


def same_everywhere(environments: list[Path], scratch: Path) -> None:
    """Require the same bytes of the Pythons of all environments."""
    found = [digests(python, scratch / f"digests-{number}") for number, python in enumerate(environments)]
    for python, rows in zip(environments, found, strict=True):
        unlike = [row for row, other in zip(rows, found[0], strict=True) if row != other]
        if unlike:
            raise SystemExit(f"installs: {python} gives other bytes than {environments[0]}: {unlike[:20]}")
    print(f"{len(environments)} environments: the same bytes of {len(found[0])} calls", flush=True)


def smoked(bare: Path, folder: Path) -> None:
    """Run the commands in an environment."""
    folder.mkdir()
    own = {"NOUGHTS_CACHE": str(folder / "cache"), "PYTHONPATH": ""}
    for command, expected in SMOKE:
        said = run([str(bare / "bin" / "noughts"), *command.split()], folder, **own)
        if expected not in said:
            raise SystemExit(f"installs: noughts {command} does not say {expected!r}:\n{said}")
    if "answers in Python" not in run([str(bare / "bin" / "python"), "-c", PYTHON], folder, **own):
        raise SystemExit("installs: no answer in Python")


def answers_in_webassembly(scratch: Path) -> None:
    """Require right answers of the pure wheel under Pyodide, where Node is there to run it."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        print("Pyodide: not tried, there is no Node on this machine", flush=True)
        return
    store = scratch / "pure"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(store)]
    run(build, ROOT, NOUGHTS_PURE="1")
    run([sys.executable, "-m", "pip", "download", "-q", "-d", str(store), "click", "rich"], scratch)
    run(["npm", "pack", "--silent", PYODIDE], scratch)
    (archive,) = scratch.glob("pyodide-*.tgz")
    with tarfile.open(archive) as opened:
        opened.extractall(scratch / "pyodide", filter="data")
    said = run(["node", str(ROOT / "scripts" / "pyodide.mjs"), str(scratch / "pyodide" / "package"), str(store)], ROOT)
    print(f"Pyodide: {said.splitlines()[-1]}", flush=True)


def main() -> None:
    """Build once, and try each environment."""
    parser = argparse.ArgumentParser(description="Install from wheels, into bare environments, and try it.")
    parser.add_argument(
        "--python", action="append", default=[], help="a Python to install for; those on the PATH if none"
    )
    parser.add_argument("--only", choices=["floors", "newest", "pyodide"])
    parser.add_argument("--wheels", type=Path, help="a folder in which the wheels are kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="installs-") as name:
        scratch = Path(name)
        if asked.only in (None, "pyodide"):
            answers_in_webassembly(scratch)
        if asked.only == "pyodide":
            return
        wheel, newest = built(scratch), []
        for number, python in enumerate(pythons(asked.python)):
            for kind in ("floors", "newest"):
                if asked.only in (None, kind) and (kind == "newest" or number == 0):
                    bare = tried(python, wheel, kind, scratch, (asked.wheels or scratch / "wheels").resolve())
                    newest += [bare] * (kind == "newest")
        same_everywhere(newest, scratch)


if __name__ == "__main__":
    main()
