"""Do the tests notice? Change the package at random places, one at a time, and see whether a test fails.

    scripts/mutants.py [GROUP ...] [--count 100] [--seed 1] [--quick] [--only PATH[:LINE]] [--again FILE] [-o FILE]

`mutants.toml` says which modules are changed and which tests judge them. Of these it is found first which functions
each test reaches (`reaching.py`). Then those that reach the changed function are asked, the quickest first, until one
fails, within a few times the processor time that they take unchanged: in a fork of the process that has collected them
(`judging.py`) or, where that does not do, in one of their own and with the change made in a copy of the checkout.
Survivors are listed with the reason that mutants.toml gives, where it gives one; exit code 1 if there are others, or
less than nine in ten are noticed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from mutating import Change, changed, changes

ROOT = Path(__file__).parent.parent
WANTED = 0.9
"""Part of the mutants that the tests are to notice."""
QUICK, MOST = 4.0, 15.0
"""Seconds of tests that are asked with --quick, and at all: what they let live is said to live."""


@dataclass(frozen=True)
class Group:
    """Modules that are judged by the same tests."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
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
            tuple(each["tests"]),
            each.get("share", 1),
            tuple(each.get("environment", {}).items()),
        )
        for each in table["group"]
    ]


@contextlib.contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """Give a copy of all files of a checkout that git knows, with what was compiled of them, and remove it."""
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch) / "copy"
        told = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
        compiled = [str(path.relative_to(root)) for path in root.glob("src/**/__pycache__/*")]
        for name in [*filter(None, told.split("\0")), *compiled]:
            if (root / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        yield folder


def environment_of(copy: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which tests run that take the package, and these scripts, from a copy."""
    return {**os.environ, **extra, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{Path(__file__).parent}"}


class Asked:
    """A process that answers requests, one line of JSON each."""

    def __init__(self, copy: Path, extra: Mapping[str, str], command: Sequence[str], **environment: str) -> None:
        scratch = Path(tempfile.mkdtemp(dir=copy.parent))
        asked, self.asking = os.pipe()
        answering, told = os.pipe()
        pipes = (str(asked), str(told))
        self.process = subprocess.Popen(
            [each.format(*pipes) for each in command],
            cwd=copy,
            env={
                **environment_of(copy, extra),
                "TMPDIR": str(scratch),
                **{name: value.format(*pipes) for name, value in environment.items()},
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None,
            pass_fds=(asked, told),
            start_new_session=True,
        )
        os.close(asked)
        os.close(told)
        self.answers = os.fdopen(answering, encoding="utf-8")

    def send(self, request: dict[str, Any]) -> None:
        """Send one request."""
        os.write(self.asking, (json.dumps(request) + "\n").encode())

    def answer(self) -> dict[str, Any] | None:
        """Return the next answer, None where the process has ended."""
        line = self.answers.readline()
        found: dict[str, Any] | None = json.loads(line) if line else None
        return found

    def close(self) -> None:
        """End the process."""
        os.close(self.asking)
        self.answers.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Judges:
    """The tests of a group, collected in a process that judges changes in forks of its own."""

    def __init__(self, copy: Path, group: Group, kept: Path | None) -> None:
        self.copy = copy
        self.group = group
        extra = dict(group.environment)
        collecting = ("-q", "-p", "no:cacheprovider", "-p", "judging", "--tb=no", "--timeout=0")
        self.here = Asked(
            copy,
            extra,
            [sys.executable, "-m", "pytest", *collecting, *group.tests],
            JUDGED=str(copy),
            JUDGES="{0},{1}",
        )
        self.apart = Asked(  # by time and size what is changed would pass for what it was, so it is not compiled
            copy,
            extra,
            [sys.executable, str(Path(__file__).parent / "apart.py"), "{0}", "{1}"],
            PYTHONDONTWRITEBYTECODE="1",
            PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
        )
        modules = [
            ".".join(path.relative_to(copy / "src").with_suffix("").parts)
            for path in group.files(copy)
            if (copy / "src" / "noughts").is_dir()
        ]
        kept_as = str(kept.resolve()) if kept else ""
        self.here.send({"modules": modules, "kept": kept_as})

    def judged(self, path: Path, number: int, quick: bool = False) -> Fate:
        """Return what becomes of one of the changes to a module; in the copy it is as before afterwards."""
        source = path.read_text(encoding="utf-8")
        change = changes(source)[number]
        text, before, after = changed(source, change)
        name = str(path.relative_to(self.copy))
        self.here.send({"path": name, "number": number, "most": QUICK if quick else MOST})
        answer = self.here.answer()
        if answer is None:
            sys.exit(f"mutants: the tests of {self.group.name} fail without any change, or cannot be collected")
        if answer.get("again"):
            again = self._apart(path, text, [answer["by"]], answer["limit"])
            answer = {**answer, "fate": "apart"} if again["fate"] == "lives" else again
        if answer["fate"] == "apart":
            answer = self._apart(path, text, answer["tests"], answer["limit"])
        found = answer["fate"], answer["by"], round(answer["seconds"], 1)
        return Fate(self.group.name, name, change.line, before, after, *found)

    def _apart(self, path: Path, text: str, tests: list[str], limit: float) -> dict[str, Any]:
        """Return what becomes of a change that is made to the module in the copy."""
        was, source = path.stat(), path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        self.apart.send({"tests": tests, "limit": limit})
        try:
            answer = self.apart.answer()
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))  # what was compiled of it is right again
        if answer is None:
            sys.exit("mutants: the process that runs tests apart has ended")
        return answer

    def close(self) -> None:
        """End the processes."""
        self.here.close()
        self.apart.close()


Place = tuple[Group, Path, int]
"""A change to be judged: the group, the module in the copy, and which of its changes."""


def drawn(copy: Path, chosen: Sequence[Group], count: int, seed: int) -> list[Place]:
    """Return as many changes as asked for, of each group by its share, of its modules by their number of changes."""
    lots = random.Random(seed)
    found: list[Place] = []
    whole = sum(group.share for group in chosen)
    for group in chosen:
        all_ = [(group, path, number) for path in group.files(copy) for number, _ in enumerate(_changes_to(path))]
        wanted = min(len(all_), round(count * group.share / whole))
        print(f"{group.name}: {wanted} of {len(all_)} changes to {len(group.files(copy))} modules", flush=True)
        found += lots.sample(all_, wanted)
    return found


def named(copy: Path, every: Sequence[Group], places: Sequence[tuple[str, int | None]]) -> list[Place]:
    """Return the changes at places: a path, and a line or None for all."""
    found = [
        place for path, line in places for place, change in _places(copy, every, path) if line in (None, change.line)
    ]
    return sorted(found, key=lambda place: every.index(place[0]))


def same_again(copy: Path, every: Sequence[Group], fates: Sequence[Fate]) -> list[Place]:
    """Return the changes that an earlier run made, wherever their lines are now: of several alike, the nearest."""
    found = set[Place]()
    for fate in fates:
        source = (copy / fate.path).read_text(encoding="utf-8")
        alike = [
            (abs(change.line - fate.line), place)
            for place, change in _places(copy, every, fate.path)
            if changed(source, change)[1:] == (fate.before, fate.after)
        ]
        found |= {place for away, place in alike if away == min(alike, key=lambda one: one[0])[0]}
    return sorted(found, key=lambda place: (every.index(place[0]), *place[1:]))


def _places(copy: Path, every: Sequence[Group], path: str) -> list[tuple[Place, Change]]:
    group = next(each for each in every if copy / path in each.files(copy))
    return [((group, copy / path, number), change) for number, change in enumerate(_changes_to(copy / path))]


def _changes_to(path: Path) -> list[Change]:
    return changes(path.read_text(encoding="utf-8"))


def judged(copy: Path, todo: Sequence[Place], kept: Path | None = None, quick: bool = False) -> Iterator[Fate]:
    """Yield what becomes of each change; those of a group stand together."""
    for group, places in groupby(todo, key=lambda place: place[0]):
        with contextlib.closing(Judges(copy, group, kept)) as judges:
            for _, path, number in places:
                yield judges.judged(path, number, quick)


def kept_in(path: Path | None) -> list[Fate]:
    """Return what became of changes, as an earlier run kept it."""
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    return [Fate(**json.loads(line)) for line in lines]


def _told(copy: Path, place: Place) -> tuple[str, int, str, str]:
    _, path, number = place
    source = path.read_text(encoding="utf-8")
    change = changes(source)[number]
    _, before, after = changed(source, change)
    return str(path.relative_to(copy)), change.line, before, after


def reason(table: dict[str, Any], fate: Fate) -> str:
    """Return why a survivor may live, or nothing; of some statements every change may."""
    for each in table.get("lives", []):
        same = fate.before, fate.after if "after" in each else None
        if fate.path.endswith(each["path"]) and same == (each["before"], each.get("after")):
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
    parser.add_argument("--quick", action="store_true", help=f"ask {QUICK:.0f} seconds of the quickest tests only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], help="every change at PATH or PATH:LINE")
    parser.add_argument("--again", type=Path, help="the survivors of what -o kept")
    parser.add_argument("--reach", type=Path, help="what tests reach: kept here, for the next run")
    parser.add_argument("-o", "--output", type=Path, help="keep what became of each, a line of JSON; go on with it")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what runs is ended, and the copy removed
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else ignored by what a shell runs in the background
    chosen = [group for group in every if not asked.group or group.name in asked.group]
    with copy_of(ROOT) as copy:
        if asked.only:
            split = (each.partition(":") for each in asked.only)
            todo = named(copy, every, [(path, int(line) if line else None) for path, _, line in split])
        elif asked.again:
            todo = same_again(copy, every, [fate for fate in kept_in(asked.again) if fate.fate == "lives"])
        else:
            todo = drawn(copy, chosen, asked.count, asked.seed)
        fates = kept_in(asked.output)
        there = {(fate.path, fate.line, fate.before, fate.after) for fate in fates}
        todo = [place for place in todo if _told(copy, place) not in there]
        for fate in judged(copy, todo, asked.reach, asked.quick):
            fates.append(fate)
            print("." if fate.fate != "lives" else "L", end="", flush=True)
            if asked.output:
                with asked.output.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(asdict(fate)) + "\n")
    return told(table, fates)


if __name__ == "__main__":
    sys.exit(main())
