"""Work that is killed at any moment is gone on with: the same bytes, nothing left over; and a folder has one run."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.dear import dear

ROOT = Path(__file__).parent.parent.parent

RESUMABLE = {
    "layered": "count 4x4 --same symmetry --to-ply 7 --engine layered --resume kept --format json -o answer.json",
    "frontier": "count 4x4:3 --same labelled --engine frontier --resume kept --format json -o answer.json",
    "transfer": "count 4x4:3 --same symmetry --engine transfer --resume kept --format json -o answer.json",
    "streamed": "count 3x4:3 --same choices --engine streamed --resume kept --format json -o answer.json",
    "table": "solve 3x4:3 --save kept --resume --format json -o answer.json",
}
"""Every kind of work that can be resumed, into the folder `kept`."""


class Killer:
    """The process that runs and kills: see tests.robust.killing."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.robust.killing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def ask(self, within: Path, words: str, **more: Any) -> dict[str, Any]:
        """Return how an order ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        order = {"words": words.split(), "within": str(within), "log": str(self.log), **more}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    found = Killer(tmp_path_factory.mktemp("killer") / "log")
    yield found
    found.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def whole(killer: Killer, folder: Path, words: str) -> tuple[dict[str, bytes], float]:
    """Return what work that nobody disturbs leaves, and how long it takes once everything is loaded."""
    for name, more in (("first", {"warm": True}), ("second", {})):
        (folder / name).mkdir()
        found = killer.ask(folder / name, words, **more)
        assert found["ended"] == [0], killer.log.read_text()
    assert contents(folder / "first") == contents(folder / "second")
    return contents(folder / "second"), found["seconds"]


@pytest.mark.parametrize("times", [2, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("what", dear(sorted(RESUMABLE), *(RESUMABLE.keys() - {"frontier", "table"})))
def test_killed_work_is_gone_on_with(killer: Killer, tmp_path: Path, what: str, times: int) -> None:
    """At random moments, and at random calls that change the disk; what goes on is itself killed every other time."""
    words, dice = RESUMABLE[what], Random(what)
    expected, seconds = whole(killer, tmp_path, words)
    killed = 0
    for number in range(times):
        folder = tmp_path / str(number)
        folder.mkdir()
        again = True
        while again:
            moment = {"seconds": dice.random() * seconds} if number % 2 else {"call": dice.randint(1, 20)}
            (ended,) = killer.ask(folder, words, **moment)["ended"]
            assert ended in (0, -signal.SIGKILL), killer.log.read_text()
            killed += ended != 0
            again = ended != 0 and dice.random() < 0.5
        assert killer.ask(folder, words)["ended"] == [0], killer.log.read_text()
        assert contents(folder) == expected, number
    assert killed >= times // 4
    assert "Traceback" not in killer.log.read_text()


@pytest.mark.parametrize("what", dear(sorted(RESUMABLE), *(RESUMABLE.keys() - {"table"})))
def test_two_runs_on_one_folder(killer: Killer, tmp_path: Path, what: str) -> None:
    """The later one says so and stops, whenever it comes; the first ends as if nothing had been."""
    words = RESUMABLE[what]
    expected, _ = whole(killer, tmp_path, words)
    met = 0
    for call in (2, 5, 9):
        folder = tmp_path / str(call)
        folder.mkdir()
        ended = killer.ask(folder, words, call=call, others=[words.replace("answer", "other").split()])["ended"]
        assert ended[0] == 0, killer.log.read_text()
        assert ended[1:] in ([], [4], [0])
        found = contents(folder)
        if ended[1:] == [4]:
            met += 1
            assert "another run of noughts uses 'kept': wait for it" in killer.log.read_text()
        assert found.pop("other.json", expected["answer.json"]) == expected["answer.json"]
        assert found == expected
    assert met > 0
