"""A trial of the explorer: random requests, drawn from the table of pages itself, to a server in its own process.

`python -m tests.robust.trial 100000 3600` asks for 100,000 addresses within an hour. It prints what was found, and the
memory of the server with its workers on the way.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from random import Random
from urllib.parse import quote

from noughts.web.kinds import KINDS

TINY = ("2x2", "2x3:2", "2x2+misere", "3x2+torus", "2x2x1", "1x3:2", "1x1", "2x2:3", "3x", "0x3", "9+infinite", "x")
BOARDS = ("3x3",) * 30 + TINY + (
    "1x9:3", "1x8:3", "2x4:3", "3x3+misere", "3x3+torus", "2x2x2", "3x3:2", "4x4", "4x4:3", "3x4:3", "5x5:4", "2x5:3",
    "3x3x3", "6x6:5", "40x40",
)  # fmt: skip
VALUES = (
    "a1", "b2", "a1-b2", "a1-b2-c3", "1", "0", "2", "5", "X", "O", "both", "all", "random", "perfect", "XO_-_X_-__O",
    "XO_X_____", "-1", "9" * 30, "1e9", "", "é", "%00", "%ff", "<script>", "255168", "2026-11-22", "x" * 3000,
)  # fmt: skip
AT_ONCE = 12
"""The number of readers."""
_STEP = 100
"""After so many requests the memory is measured."""
_QUIET = 1.0
"""Seconds until work that no reader waits for has ended."""
STATUSES = {200, 202, 303, 400, 404, 414, 422, 503}
"""What a request may get."""


def request(seed: int, boards: Sequence[str] = BOARDS) -> str:
    """Return the address of a seed: a kind of page, a board, a form, and some of the kind's own parameters."""
    dice = Random(seed)
    kind = KINDS[dice.choice(sorted(KINDS))]
    board = dice.choice(boards)
    moves = ["a1", "b2", "a1-b2", "XO_-_X_-__O", "_", *kind.whats]
    what = dice.choice(kind.whats or moves) if dice.random() < 0.9 else dice.choice(VALUES)
    path = kind.path.replace("{board}", quote(board, safe="+:")).replace("{what}", quote(what, safe="%"))
    form = dice.choice(["", ".json", *(f".{each}" for each in kind.forms), ".exe" if dice.random() < 0.05 else ""])
    pairs = []
    for each in dice.sample(kind.parameters, min(len(kind.parameters), dice.choice((0, 0, 1, 1, 2, 3)))):
        value = dice.choice(each.choices) if each.choices and dice.random() < 0.9 else dice.choice(VALUES)
        pairs.append(f"{each.name}={quote(value)}")
    return path + form * (path != "/") + "?" * bool(pairs) + "&".join(pairs)


@dataclass
class Trial:
    """Requests of readers who leave after `patience` seconds, on some boards, and what was found.

    `statuses` has 0 where a reader has left; `memory` is the MiB on the way, `waits` the seconds of the replies.
    """

    patience: float = 1.0
    boards: Sequence[str] = BOARDS
    seconds: float = float("inf")
    """The time limit of the trial; what is left is not asked."""
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    idle: float = 0.0
    """The MiB that are left when no request is at work."""


@contextmanager
def serving(log: Path) -> Iterator[tuple[int, int]]:
    """Give the process and the port of `noughts serve`; at its end it leaves no process."""
    with log.open("wb") as written:
        words = [sys.executable, "-m", "noughts", "serve", "--port", "0"]
        environment = {**os.environ, "NOUGHTS_QUIET": "1"}
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=written, text=True, env=environment)
    assert server.stdout is not None
    try:
        address = re.search(r"http://127.0.0.1:(\d+)/", server.stdout.readline())
        assert address is not None, log.read_text()
        yield server.pid, int(address[1])
    finally:
        below = family(server.pid)
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)
        server.stdout.close()
        left = [pid for pid in below if Path(f"/proc/{pid}/stat").exists()]
        assert not left, f"left behind: {left}"


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            found += family(int(child))
    return found


def memory(pid: int) -> float:
    """Return the MiB that a process and all below it have, shared pages divided among them."""
    total = 0
    for each in family(pid):
        try:
            rows = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
    return total / 1024


async def _get(port: int, path: str) -> tuple[int, bytes, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n".encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        return int(head.split(maxsplit=2)[1]), head.lower(), body
    finally:
        writer.close()


async def _ask(port: int, seed: int, found: Trial) -> None:
    path, began = request(seed, found.boards), time.monotonic()
    try:
        async with asyncio.timeout(found.patience):
            status, head, body = await _get(port, path)
    except TimeoutError:
        found.statuses[0] += 1
        return
    found.statuses[status] += 1
    found.waits.append(time.monotonic() - began)
    if status not in STATUSES:
        found.wrong.append(f"{seed}: {path}: {status}")
    if b"application/json" in head and status not in (200, 303) and list(json.loads(body)) != ["ok", "error"]:
        found.wrong.append(f"{seed}: {path}: {body[:200]!r}")


async def _ask_all(pid: int, port: int, seeds: range, found: Trial) -> None:
    left, until = iter(seeds), time.monotonic() + found.seconds

    async def go_on() -> None:
        for seed in takewhile(lambda _: time.monotonic() < until, left):
            await _ask(port, seed, found)
            if seed % _STEP == 0:
                found.memory.append(memory(pid))

    await asyncio.gather(*(go_on() for _ in range(AT_ONCE)))


def run(found: Trial, seeds: range, log: Path) -> Trial:
    """Ask for the addresses of the seeds, and return the trial; the server's log is in a file."""
    with serving(log) as (pid, port):
        asyncio.run(_ask_all(pid, port, seeds, found))
        time.sleep(_QUIET)
        found.idle = memory(pid)
        if asyncio.run(_get(port, "/3x3.json"))[0] != 200:
            found.wrong.append("the server does not answer any longer")
    if (logged := log.read_text()) != "noughts: ended by a signal\n":
        found.wrong.append(logged[:4000])
    return found


if __name__ == "__main__":
    began = time.monotonic()
    seen = run(Trial(seconds=float(sys.argv[2])), range(int(sys.argv[1])), Path("trial.log"))
    waits = sorted(seen.waits)
    print(dict(sorted(seen.statuses.items())), f"{time.monotonic() - began:.0f} s, longest {waits[-1]:.1f} s")
    print("MiB:", *(f"{each:.0f}" for each in seen.memory), "most", f"{max(seen.memory):.0f}", f"idle {seen.idle:.0f}")
    print(*seen.wrong, sep="\n")
