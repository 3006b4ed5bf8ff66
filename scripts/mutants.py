"""Do the tests notice? Change the package at random places, one at a time, and see whether a test fails.

    scripts/mutants.py [GROUP ...] [--count 100] [--seed 1] [--quick] [--only PATH[:LINE]] [--again FILE] [-o FILE]

`mutants.toml` says which modules are changed and which tests judge them. Each change is made in a copy of the checkout,
never in the checkout, and the tests run there until one fails, within a few times the processor time that they take
unchanged. What no test of the first list notices is put to the second. Survivors are listed with the reason that
mutants.toml gives, where it gives one; exit code 1 if there are others, or less than nine in ten are noticed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from mutating import Change, changed, changes

ROOT = Path(__file__).parent.parent
WANTED = 0.9
"""Part of the mutants that the tests are to notice."""
SLACK = 3
"""Times the processor time of the unchanged tests that a mutant may take."""
PATIENCE = 20
"""Seconds on the clock for each of them, for a busy machine."""
LEAST = 20
"""Seconds of processor time that it may take in any case."""
MEMORY = 6 * 2**30


@dataclass(frozen=True)
class Group:
    """Modules that are judged by the same tests: a quick list, and one for what that lets live."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[tuple[str, ...], ...]
    share: int
    environment: tuple[tuple[str, str], ...]

    def files(self, root: Path) -> list[Path]:
        """Return the modules, in order."""
        return sorted({path for pattern in self.sources for path in root.glob(pattern) if path.name != "__init__.py"})


@dataclass(frozen=True)
class Fate:
    """One mutant: where, what was changed, and `noticed`, `endless` or `lives`, with the test that failed."""

    group: str
    path: str
    line: int
    before: str
    after: str
    fate: str
    by: str
    seconds: float


def groups(table: dict[str, Any]) -> list[Group]:
    """Return the groups of mutants.toml."""
    return [
        Group(
            each["name"],
            tuple(each["sources"]),
            tuple(tuple(each[key]) for key in ("tests", "more") if key in each),
            each.get("share", 1),
            tuple(each.get("environment", {}).items()),
        )
        for each in table["group"]
    ]


@contextlib.contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """Give a copy of all files of a checkout that git knows, with what was compiled of them, and remove it."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        folder = Path(scratch) / "copy"
        told = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
        compiled = [str(path.relative_to(root)) for path in root.glob("src/**/__pycache__/*")]
        for name in [*filter(None, told.split("\0")), *compiled]:
            if (root / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        yield folder


def tested(copy: Path, tests: Sequence[str], extra: Mapping[str, str], limit: float) -> tuple[int | None, str, float]:
    """Return pytest's exit code (None where it had to be ended), the first test that failed, and processor seconds."""
    shutil.rmtree(copy.parent / "tmp", ignore_errors=True)
    (copy.parent / "tmp").mkdir()
    environment = {**os.environ, **extra, "PYTHONPATH": str(copy / "src"), "TMPDIR": str(copy.parent / "tmp")}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *tests]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command,
            cwd=copy,
            env=environment,
            stdout=said,
            stderr=said,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        code: int | None = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout=limit * PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        lines = said.read().splitlines()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    failed = next((line.split(" ")[1] for line in lines if line.startswith(("FAILED ", "ERROR "))), "")
    if code is not None and code < 0:
        code = None
    if code not in (0, 1, 2, None):
        failed = failed or (lines[-1] if lines else "")
    return code, failed, took


def judged(copy: Path, group: Group, change: Change, path: Path, unchanged: Unchanged) -> Fate:
    """Return what becomes of one change; the module of the copy is as before afterwards."""
    source = path.read_text(encoding="utf-8")
    text, before, after = changed(source, change)
    was = path.stat()
    fate, by, seconds = "lives", "", 0.0
    for tests in group.tests:
        limit = unchanged.limit(group, tests)
        path.write_text(text, encoding="utf-8")
        try:
            extra = {
                **dict(group.environment),
                "PYTHONDONTWRITEBYTECODE": "1",
            }  # by time and size it would pass for another
            code, by, took = tested(copy, tests, extra, limit)
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))  # what was compiled of it is right again
        seconds += took
        if code != 0:
            fate = "endless" if code is None else "noticed"
            break
    return Fate(group.name, str(path.relative_to(copy)), change.line, before, after, fate, by, round(seconds, 1))


def drawn(copy: Path, chosen: Sequence[Group], count: int, seed: int) -> list[tuple[Group, Path, Change]]:
    """Return as many changes as asked for, of each group by its share, of its modules by their number of changes."""
    lots = random.Random(seed)
    found = []
    whole = sum(group.share for group in chosen)
    for group in chosen:
        all_ = [(group, path, each) for path in group.files(copy) for each in changes(path.read_text(encoding="utf-8"))]
        wanted = min(len(all_), round(count * group.share / whole))
        print(f"{group.name}: {wanted} of {len(all_)} changes to {len(group.files(copy))} modules", flush=True)
        found += lots.sample(all_, wanted)
    return found


def named(
    copy: Path, every: Sequence[Group], places: Sequence[tuple[str, int | None, str]]
) -> list[tuple[Group, Path, Change]]:
    """Return the changes at places: a path, a line or None for all, and what it reads afterwards or nothing for all."""
    found = []
    for wanted, line, after in places:
        path = copy / wanted
        group = next(each for each in every if path in each.files(copy))
        source = path.read_text(encoding="utf-8")
        for change in changes(source):
            if line in (None, change.line) and (not after or changed(source, change)[2] == after):
                found.append((group, path, change))
    return found


class Unchanged:
    """What the tests take when nothing is changed: found when it is first needed, since it takes as long as they do."""

    def __init__(self, copy: Path) -> None:
        self.copy = copy
        self.known: dict[tuple[str, ...], float] = {}

    def limit(self, group: Group, tests: tuple[str, ...]) -> float:
        """Return the processor seconds that a mutant may take; the tests must pass without a change."""
        if tests not in self.known:
            code, failed, took = tested(self.copy, tests, dict(group.environment), 3600)
            if code != 0:
                sys.exit(f"mutants: the tests of {group.name} fail without any change: {failed}")
            print(f"\n{group.name}: {took:.0f} s of processor time for {' '.join(tests)}", flush=True)
            self.known[tests] = SLACK * took + LEAST
        return self.known[tests]


def reason(table: dict[str, Any], fate: Fate) -> str:
    """Return why a survivor may live, or nothing."""
    for each in table.get("lives", []):
        if fate.path.endswith(each["path"]) and (fate.before, fate.after) == (each["before"], each["after"]):
            return str(each["why"])
    return ""


def told(table: dict[str, Any], fates: Sequence[Fate]) -> int:
    """Print the survivors and the totals, and return the exit code."""
    unexplained = 0
    for fate in (each for each in fates if each.fate == "lives"):
        why = reason(table, fate)
        unexplained += not why
        print(f"\n{fate.path}:{fate.line}\n  - {fate.before}\n  + {fate.after}\n  {why or 'no test notices'}")
    print()
    for name in dict.fromkeys(fate.group for fate in fates):
        print(f"{name}: {_totals([fate for fate in fates if fate.group == name])}")
    noticed = sum(fate.fate != "lives" for fate in fates)
    print(f"all: {_totals(fates)}; {unexplained} live without a reason; {sum(f.seconds for f in fates):.0f} s")
    return int(bool(unexplained) or noticed < WANTED * len(fates))


def _totals(fates: Sequence[Fate]) -> str:
    ended = sum(fate.fate == "endless" for fate in fates)
    noticed = sum(fate.fate != "lives" for fate in fates)
    return f"{noticed} of {len(fates)} noticed ({100 * noticed / len(fates):.1f} %), {ended} of them by time"


def main() -> int:
    """Draw, judge and list."""
    table = tomllib.loads((ROOT / "scripts" / "mutants.toml").read_text(encoding="utf-8"))
    every = groups(table)
    parser = argparse.ArgumentParser(description="Change the package at random places and see whether a test fails.")
    parser.add_argument("group", nargs="*", choices=[[], *(group.name for group in every)], help="all if none is named")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="put none to the second list of tests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], help="every change at PATH or PATH:LINE")
    parser.add_argument("--again", type=Path, help="the survivors of what -o kept")
    parser.add_argument("-o", "--output", type=Path, help="keep what became of each, a line of JSON for each")
    asked = parser.parse_args()
    if asked.quick:
        every = [replace(group, tests=group.tests[:1]) for group in every]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what runs is ended, and the copy removed
    chosen = [group for group in every if not asked.group or group.name in asked.group]
    with copy_of(ROOT) as copy:
        places: list[tuple[str, int | None, str]] = []
        for each in asked.only:
            path, _, line = each.partition(":")
            places.append((path, int(line) if line else None, ""))
        if asked.again:
            kept = [Fate(**json.loads(line)) for line in asked.again.read_text(encoding="utf-8").splitlines()]
            places += [(fate.path, None, fate.after) for fate in kept if fate.fate == "lives"]
        todo = named(copy, every, places) if asked.only or asked.again else drawn(copy, chosen, asked.count, asked.seed)
        unchanged = Unchanged(copy)
        fates = []
        for group, path, change in todo:
            fates.append(judged(copy, group, change, path, unchanged))
            print("." if fates[-1].fate != "lives" else "L", end="", flush=True)
            if asked.output:
                with asked.output.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(asdict(fates[-1])) + "\n")
    return told(table, fates)


if __name__ == "__main__":
    sys.exit(main())
