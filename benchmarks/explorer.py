"""Speed and steadiness of the explorer: `python benchmarks/explorer.py [speed] [bare] [beside] [abuse] [fair] [soak]`.

Without a word all six, each load for `--seconds N`. The server is `noughts serve` on 127.0.0.1;
who asks is a second process on the same cores, with 64 connections that stay open, a bounded number of requests and
a bounded time.

speed  the JSON and the pages of all 5,478 positions of 3x3: once when nothing is kept, then as fast as it goes
bare   one page and its JSON, in turn with a bare Starlette handler that gives the same bytes (pip install starlette)
beside the JSON of all positions while four heavy questions are being answered
abuse  1,000 requests that nobody should send, and what memory they leave ten seconds later
fair   short questions, one after another, while one client sends more long ones than the server takes
soak   five minutes (or --seconds) of everything at once, and how memory grows

Every reply is checked: its status and its length. Seconds are wall; CPU is that of the server with its workers, per
request, which tells on a shared machine what the wall does not. Memory is the proportional share (PSS) of the server
with its workers. Exit code 1 where a figure is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.request import urlopen

CONNECTIONS = 64
TARGETS = {"json": 3000, "pages": 1500}
P99 = 0.100
ABUSED = 250
GROWN = 5
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


@dataclass
class Load:
    """What came of some load: `errors` are replies that were not wanted and connections that ended."""

    requests: int
    errors: int
    seconds: float
    p50: float
    p99: float
    worst: float

    @property
    def rate(self) -> float:
        return self.requests / self.seconds


class Client(asyncio.Protocol):
    """One connection that asks for one path after another."""

    def __init__(self, host: bytes, paths: Iterator[bytes], load: Generator) -> None:
        self.host, self.paths, self.load = host, paths, load
        self.rest = b""
        self.sent = 0.0
        self.done = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        path = next(self.paths, None)
        if path is None or time.perf_counter() > self.load.until:
            self.finish()
            return
        self.path = path
        self.sent = time.perf_counter()
        self.transport.write(b"GET " + path + b" HTTP/1.1\r\nhost: " + self.host + self.load.headers + b"\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        self.rest += data
        end = self.rest.find(b"\r\n\r\n")
        if end < 0:
            return
        found = _LENGTH.search(self.rest, 0, end + 2)
        assert found is not None, self.rest[:500]
        whole = end + 4 + int(found[1])
        if len(self.rest) < whole:
            return
        self.load.times.append(time.perf_counter() - self.sent)
        if not self.load.is_wanted(self.rest, end + 4):
            self.load.errors += 1
        self.rest = self.rest[whole:]
        self.ask()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.load.errors += 1
            self.done.set_result(None)

    def finish(self) -> None:
        if not self.done.done():
            self.done.set_result(None)
        self.transport.close()


class Generator:
    """Asks for paths over a number of connections, within a bound of time."""

    def __init__(self, port: int, seconds: float, compressed: bool) -> None:
        self.port = port
        self.until = time.perf_counter() + seconds
        self.headers = b"\r\naccept-encoding: gzip" if compressed else b""
        self.times: list[float] = []
        self.errors = 0

    def is_wanted(self, reply: bytes, body: int) -> bool:
        if not reply.startswith(b"HTTP/1.1 200 "):
            return False
        return self.headers != b"" or reply[body : body + 1] in b"{[<"

    async def run(self, paths: Iterator[bytes]) -> Load:
        loop = asyncio.get_running_loop()
        host = b"127.0.0.1:%d" % self.port
        started = time.perf_counter()
        made = [
            await loop.create_connection(lambda: Client(host, paths, self), "127.0.0.1", self.port)
            for _ in range(CONNECTIONS)
        ]
        await asyncio.gather(*(client.done for _, client in made))
        seconds = time.perf_counter() - started
        times = sorted(self.times) or [0.0]
        p50, p99 = (times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99))
        return Load(len(self.times), self.errors, seconds, p50, p99, times[-1])


def load(port: int, paths: list[str], count: int, seconds: float, *, compressed: bool = True) -> Load:
    """Ask from a second process, and return what came of it."""
    asked = {"port": port, "paths": paths, "count": count, "seconds": seconds, "compressed": compressed}
    done = subprocess.run(
        [sys.executable, __file__, "--ask"], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    return Load(**json.loads(done.stdout))


def ask_as_told() -> None:
    """Be the second process."""
    told = json.loads(sys.stdin.read())
    paths = [path.encode() for path in told["paths"]]
    chosen = iter(paths[i % len(paths)] for i in range(told["count"]))
    found = asyncio.run(Generator(told["port"], told["seconds"], told["compressed"]).run(chosen))
    print(json.dumps(asdict(found)))


@contextmanager
def serving() -> Iterator[tuple[int, int]]:
    """Give the process and the port of a server, and see that it stops in time and leaves no process."""
    server = subprocess.Popen(
        [sys.executable, "-c", "from noughts.web.server import serve; serve(port=0)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server.pid, int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])
    finally:
        below = family(server.pid)[1:]
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=3)
        left = [pid for pid in below if Path(f"/proc/{pid}/stat").exists()]
        assert not left, f"left behind: {left}"


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += family(int(child))
    return found


def memory(pid: int) -> float:
    """Return the MiB that a process and all below it have."""
    total = 0
    for each in family(pid):
        try:
            rows = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
    return total / 1024


def cpu(pid: int) -> float:
    """Return the seconds of CPU that a process and all below it have used."""
    ticks = 0
    for each in family(pid):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def positions() -> list[str]:
    """Return the addresses of all positions of 3x3, without ending, in an order that is no order."""
    from noughts.analysis.records.api import positions as listed
    from noughts.rules.board import Board
    from noughts.web.addresses import position_slug

    found = [position_slug(record.position) for record in listed(Board.parse("3x3"), same="labelled")]
    assert len(found) == 5478
    random.Random(13).shuffle(found)
    return [f"/3x3/p/{slug}" for slug in found]


def speed(seconds: float) -> bool:
    """Measure how fast replies come."""
    well = True
    for name, ending in (("json", ".json"), ("pages", "")):
        paths = [path + ending for path in positions()]
        with serving() as (pid, port):
            before = cpu(pid)
            report(f"{name}, nothing kept", load(port, paths, len(paths), 120), cpu(pid) - before, memory(pid))
            for compressed in (True, False):
                before = cpu(pid)
                found = load(port, paths, 10**6, seconds, compressed=compressed)
                report(f"{name}, {'gzip' if compressed else 'plain'}", found, cpu(pid) - before, memory(pid))
                well &= found.rate >= TARGETS[name] and found.p99 < P99 and not found.errors
    return well


_BARE = """
import socket, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
body = sys.stdin.buffer.read()
async def give(request):
    return Response(body, media_type="text/html")
own = socket.socket()
own.bind(("127.0.0.1", 0))
print(own.getsockname()[1], flush=True)
app = Starlette(routes=[Route("/{rest:path}", give)])
uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, ws="none", lifespan="off")).run(sockets=[own])
"""


def bare(seconds: float) -> bool:
    """Measure a page and its JSON against a Starlette handler that gives the same bytes."""
    well = True
    with serving() as (pid, port):
        time.sleep(5)  # until the workers have loaded what they need
        for path in ("/3x3/p/XO_-_X_-__O.json", "/3x3/p/XO_-_X_-__O"):
            body = urlopen(f"http://127.0.0.1:{port}{path}").read()
            words = [sys.executable, "-c", _BARE]
            other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert other.stdin is not None
            assert other.stdout is not None
            other.stdin.write(body)
            other.stdin.close()
            at = int(other.stdout.readline())
            rates = []
            for name, asked, process in ((path, port, pid), (f"bare, {len(body):,} bytes", at, other.pid)):
                before = cpu(process)
                found = load(asked, [path], 10**6, seconds, compressed=False)
                report(name, found, cpu(process) - before, memory(process))
                rates.append(found.rate)
            other.kill()
            other.wait()
            well &= rates[0] >= rates[1] / 2
    return well


async def _heavy(port: int, seconds: float) -> list[int]:
    """Ask four long questions and what comes after them, until the time is over; return the statuses."""

    async def insist(at: int) -> list[int]:
        found: list[int] = []
        while time.perf_counter() < until:
            found.append(await _get(port, LONG_ONES[(at + 4 * len(found)) % len(LONG_ONES)], f"127.0.0.{at + 2}"))
        return found

    until = time.perf_counter() + seconds
    return [status for found in await asyncio.gather(*map(insist, range(4))) for status in found]


def beside(seconds: float) -> bool:
    """Measure replies from the cache while four readers ask heavy questions."""
    paths = [path + ".json" for path in positions()]
    with serving() as (pid, port):
        load(port, paths, len(paths), 120)
        with ThreadPoolExecutor(1) as pool:
            heavy = pool.submit(asyncio.run, _heavy(port, seconds))
            found = load(port, paths, 10**6, seconds)
            used = memory(pid)
            report("beside four heavy", found, 0.0, used)
            print(f"heavy ones: {dict(Counter(heavy.result()))}")
    return found.p99 < P99 and not found.errors


def report(name: str, found: Load, used: float, mib: float) -> None:
    """Print a line."""
    print(
        f"{name:22} {found.requests:7,} requests {found.rate:8,.0f}/s  p50 {found.p50 * 1000:5.1f} ms  "
        f"p99 {found.p99 * 1000:6.1f} ms  worst {found.worst * 1000:6.0f} ms  errors {found.errors}  "
        f"CPU {used / max(found.requests, 1) * 1e6:5.0f} us a request  {mib:4.0f} MiB",
        flush=True,
    )


async def _abuse(port: int, number: int, half_open: list[asyncio.StreamWriter]) -> str:
    """Send one request that nobody should send, and return the status, or why there is none."""
    chance = random.Random(number)
    host = f"127.0.0.1:{port}"
    sides = chance.choice(["5x5", "6x6:4", "7x7", "20x20", "40x40", "8x8x8", "30x30+torus", "12x12+misere", "4x4:3"])
    page = chance.choice(["openings", "patterns", "tree/full", "positions"])
    lines = [
        f"GET /{'x' * chance.randint(3000, 30000)} HTTP/1.1\r\nhost: {host}\r\n\r\n",
        f"GET / HTTP/1.1\r\nhost: {'e' * chance.randint(1, 99)}.example\r\n\r\n",
        f"GET /{sides}/count.json?same=choices&end=decided&to_ply={number} HTTP/1.1\r\nhost: {host}\r\n\r\n",
        f"GET /{sides}/{page} HTTP/1.1\r\nhost: {host}\r\n\r\n",
        f"GET /{sides}/p/{'_' * chance.randint(1, 1900)} HTTP/1.1\r\nhost: {host}\r\n\r\n",
        f"POST /3x3 HTTP/1.1\r\nhost: {host}\r\ncontent-length: 999999\r\n\r\n{'x' * 99999}",
        f"GET / HTTP/1.1\r\nhost: {host}\r\n" + "".join(f"x{i}: {'y' * 500}\r\n" for i in range(200)),
        "GET / HT",
        "\x00\xff\xfe" * 500,
        f"GET /3x3/count.svg?{'&'.join(f'a{i}=1' for i in range(300))} HTTP/1.1\r\nhost: {host}\r\n\r\n",
    ]
    which = number % len(lines)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(lines[which].encode("latin-1"))
        if which in (6, 7):
            half_open.append(writer)
        async with asyncio.timeout(4):
            status = await reader.readline()
        return status.split()[1].decode() if status else "closed"
    except TimeoutError:
        return "no answer"
    except OSError:
        return "reset"
    finally:
        if writer not in half_open:
            writer.close()


async def _abuses(port: int, count: int) -> dict[str, int]:
    gate = asyncio.Semaphore(CONNECTIONS)
    half_open: list[asyncio.StreamWriter] = []
    found: dict[str, int] = {}

    async def one(number: int) -> None:
        async with gate:
            said = await _abuse(port, number, half_open)
        found[said] = found.get(said, 0) + 1

    await asyncio.gather(*(one(number) for number in range(count)))
    for writer in half_open:
        writer.close()
    return dict(sorted(found.items()))


def abuse(count: int = 1000) -> bool:
    """Measure what 1,000 requests that nobody should send leave behind."""
    with serving() as (pid, port):
        began = time.perf_counter()
        found = asyncio.run(_abuses(port, count))
        seconds = time.perf_counter() - began
        at_once = memory(pid)
        alive = load(port, ["/3x3.json", "/3x3"], 200, 20)
        time.sleep(10)
        left = memory(pid)
        print(
            f"abuse: {count:,} requests in {seconds:.0f} s: {found}; {at_once:.0f} MiB at once, with work that ends",
            end="",
        )
        print(f" when nobody waits for it; {left:.0f} MiB after ten seconds, in {len(family(pid))} processes")
        report("after that", alive, 0.0, left)
        return left < ABUSED and not alive.errors and "500" not in found


LONG_ONES = [
    *(f"/{board}/crib.json?as=both&count=all" for board in ("1x9:3", "1x9:2", "1x9:4", "1x8:3", "3x3:2")),
    *(f"/{board}/crib.json?as=both" for board in ("3x3+misere", "1x9:3", "1x9:4")),
    *("/1x7:3/blindfold.json", "/1x9:3/tree/policy.png", "/1x9:5/positions.svg", "/20x20:5/g/b1-d1.png"),
    *(f"/{board}/openings.json" for board in ("5x5:4", "6x6:4", "5x5", "4x5:4", "4x6:4")),
]
"""Questions that a worker cannot answer at once."""
SHORT_ONES = [
    each
    for ply in range(1, 10)
    for board in ("3x3", "1x9:3", "2x4:3", "3x3+torus", "3x2:2")
    for same in ("choices", "labelled", "symmetry")
    for each in (
        f"/{board}/count.json?same={same}&moves=win&to_ply={ply}",
        f"/{board}/count.svg?same={same}&to_ply={ply}",
        f"/{board}/count?same={same}&to_ply={ply}",
    )
]
"""Questions that take milliseconds in a worker, all different."""
SHORT = 1.0
"""Seconds within which a short question is answered, whatever else the server does."""


async def _get(port: int, path: str, source: str = "127.0.0.1") -> int:
    """Ask from an address of this machine, and return the status."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n".encode())
        return int((await reader.read()).split(maxsplit=2)[1])
    finally:
        writer.close()


async def _short_ones(port: int, seconds: float, source: str) -> tuple[list[float], list[int]]:
    """Ask long questions without a pause from one address, and short ones from another; return how those fared."""

    async def insist(path: str) -> None:
        while True:
            long_ones.append(await _get(port, path))
            await asyncio.sleep(0.5)

    long_ones: list[int] = []
    greedy = [asyncio.create_task(insist(path)) for path in LONG_ONES]
    await asyncio.sleep(2)
    times, statuses = list[float](), list[int]()
    until = time.perf_counter() + seconds
    for number in range(10**6):
        began = time.perf_counter()
        if began > until:
            break
        statuses.append(await _get(port, SHORT_ONES[number % len(SHORT_ONES)], source))
        times.append(time.perf_counter() - began)
        await asyncio.sleep(0.1)
    for each in greedy:
        each.cancel()
    await asyncio.gather(*greedy, return_exceptions=True)
    print(f"fair, from {source}: long ones {dict(Counter(long_ones))}")
    return times, statuses


def fair(seconds: float) -> bool:
    """Measure how long short questions wait for long ones, of the same client and of another."""
    well = True
    for source in ("127.0.0.1", "127.0.0.2"):
        with serving() as (pid, port):
            times, statuses = asyncio.run(_short_ones(port, seconds, source))
            worst, mean = max(times), sum(times) / len(times)
            print(
                f"fair, from {source}: {len(times)} short ones {dict(Counter(statuses))}, mean {mean:.2f} s, "
                f"worst {worst:.2f} s (number {times.index(worst) + 1}); {memory(pid):.0f} MiB",
                flush=True,
            )
            well &= worst < SHORT and set(statuses) == {200}
    return well


def soak(seconds: float) -> bool:
    """Measure how memory grows while everything is asked for."""
    paths = [path + random.Random(i).choice(["", ".json", ".svg"]) for i, path in enumerate(positions())]
    with serving() as (pid, port):
        load(port, paths, 3 * len(paths), 600)
        before = memory(pid)
        found = load(port, paths, 10**8, seconds)
        time.sleep(1)
        after = memory(pid)
        report("soak", found, 0.0, after)
        print(f"soak: {before:.1f} MiB before, {after:.1f} MiB after {found.seconds:.0f} s")
        return after - before < GROWN and not found.errors


def main() -> int:
    """Measure what is named, and return 1 where a figure is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", nargs="*", choices=["speed", "bare", "beside", "abuse", "fair", "soak", []])
    options.add_argument("--seconds", type=float, help="how long each load lasts (10), and the soak (300)")
    options.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    told = options.parse_args()
    if told.ask:
        ask_as_told()
        return 0
    wanted = told.what or ["speed", "bare", "beside", "abuse", "fair", "soak"]
    well = [
        *([speed(told.seconds or 10)] if "speed" in wanted else []),
        *([bare(told.seconds or 10)] if "bare" in wanted else []),
        *([beside(told.seconds or 10)] if "beside" in wanted else []),
        *([abuse()] if "abuse" in wanted else []),
        *([fair(told.seconds or 60)] if "fair" in wanted else []),
        *([soak(told.seconds or 300)] if "soak" in wanted else []),
    ]
    print("all figures are met" if all(well) else "a figure is missed")
    return 0 if all(well) else 1


if __name__ == "__main__":
    raise SystemExit(main())
