"""Budgets of memory and time: how people write them, what an engine needs, and what the machine has free."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import TypeVar

from noughts.machine.reading import nearest_folder
from noughts.rules.arguments import integer
from noughts.rules.errors import InputError, shown

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_MUCH = 2**62
_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Estimate:
    """The expected cost of work before it starts: bytes of memory, seconds, and what the estimate is based on.

    With `at_least` the estimate stopped when it exceeded a budget: the true cost may be far more. `disk` is the most
    bytes that the work may keep in a folder instead of in memory.
    """

    memory: int
    seconds: float
    detail: str
    at_least: bool = False
    disk: int = 0

    def __str__(self) -> str:
        return f"{self.words} ({self.detail})"

    @property
    def words(self) -> str:
        """The memory and the time, without the detail."""
        about = "more than" if self.at_least else "about"
        parts = [format_size(self.memory)] * bool(self.memory) + [format_duration(self.seconds)] * bool(self.seconds)
        if self.disk:
            parts.insert(1, f"{format_size(self.disk)} of disk")
        return f"{about} {' and '.join(parts)}" if parts else "more than was estimated"


@dataclass(frozen=True)
class Limits:
    """The most that work may take: bytes of memory and seconds, infinite by default. See `Limits.of` for user input.

    With `whole` an answer must not leave out any part of the question. `folder` is where work may keep its state, also
    while it is being planned. `disk` is the number of bytes that this folder has room for; 0 without a folder.
    """

    memory: float = inf
    seconds: float = inf
    whole: bool = False
    disk: float = 0
    folder: Path | None = None

    @classmethod
    def of(cls, memory: float | str | None = None, time: float | str | None = None) -> Limits:
        """Return the limits that a user gives: bytes or `8GB`, seconds or `10s`.

        By default memory is three quarters of what is free, and time is unlimited. Raises InputError.
        """
        return cls(
            default_memory()
            if memory is None
            else _amount(memory, parse_size, 1, "memory", "bytes, or text such as 8GB"),
            inf if time is None else seconds_of(time),
        )

    def allow(self, estimate: Estimate) -> bool:
        """Return whether work with this estimate stays within the limits; False where its true cost may be more."""
        within = estimate.memory <= self.memory and estimate.seconds <= self.seconds and estimate.disk <= self.disk
        return within and not estimate.at_least

    def broken_by(self, estimate: Estimate) -> str:
        """Return in words the limits that an estimate exceeds; all limits where it may exceed any of them."""
        broken = Limits(
            self.memory if estimate.memory > self.memory else inf,
            self.seconds if estimate.seconds > self.seconds else inf,
            disk=self.disk if estimate.disk > self.disk else 0,
        )
        return str(broken) if broken != Limits() else f"{self}, as far as can be estimated"

    def __str__(self) -> str:
        memory = f"{format_size(int(self.memory))} of memory" if self.memory < inf else ""
        disk = f"{format_size(int(self.disk))} of disk" if self.disk else ""
        time = format_duration(self.seconds) if self.seconds < inf else ""
        return " and ".join(part for part in (memory, disk, time) if part) or "no limit"


def is_over(deadline: float | None) -> bool:
    """Return whether a deadline on the monotonic clock has passed; False without a deadline."""
    return deadline is not None and time.monotonic() > deadline


def seconds_of(time: float | str) -> float:
    """Return a duration in seconds, given as a number or as `10s`. Raises InputError."""
    return _amount(time, parse_duration, 0, "time", "seconds, or text such as 10s")


_MOST = 10**18
"""More bytes or seconds than any machine has; a larger number would overflow as a float."""


def _amount(given: float | str, parse: Callable[[str], float], least: int, what: str, expected: str) -> float:
    if isinstance(given, str):
        return parse(given)
    number = given if isinstance(given, float) else integer(what, given, expected)
    if not number >= least:
        raise InputError(f"{what} cannot be {shown(number)}: give at least {least}, in {expected}")
    return min(number, _MOST)


def parse_size(text: str) -> int:
    """Return the bytes of `8GB`, `500 MB`, `2GiB` or a plain number. Raises InputError."""
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([kmgt]i?)?b?", text.strip().lower(), re.ASCII)
    size = int(float(match[1]) * _UNITS[match[2] or ""]) if match else 0
    if size < 1:
        raise InputError(f"{shown(text)} is not an amount of memory: write it as 500MB or 8GB")
    return size


def parse_duration(text: str) -> float:
    """Return the seconds of `10s`, `500ms`, `2m`, `1h` or a plain number. Raises InputError."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)\s*(ms|s|min|m|h)?", text.strip().lower(), re.ASCII)
    if match is None:
        raise InputError(f"{shown(text)} is not a length of time: write it as 10s, 500ms, 2m or 1h")
    return float(match[1]) * _SECONDS[match[2] or ""]


def format_size(size: int) -> str:
    """Return a number of bytes to three figures, with its unit: `7.25 GB`."""
    for power, unit in ((24, "YB"), (21, "ZB"), (18, "EB"), (15, "PB"), (12, "TB"), (9, "GB"), (6, "MB"), (3, "kB")):
        if size >= 10**power:
            whole = size // 10**power
            return f"{whole:,} {unit}" if whole >= 100 else f"{size / 10**power:.3g} {unit}"
    return f"{size} bytes" if size != 1 else "1 byte"


def format_duration(seconds: float) -> str:
    """Return a duration with its unit: `20 ms`, `0.2 s`, `4 min`, `3 h`, `12 days`."""
    if seconds < 0.0995:
        return "0 s" if seconds == 0 else "under 1 ms" if seconds < 0.001 else f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    for most, each, unit in ((120, 1, "s"), (7200, 60, "min"), (2 * 86400, 3600, "h"), (1000 * 86400, 86400, "days")):
        if seconds < most:
            return f"{seconds / each:.0f} {unit}"
    return f"{seconds / 86400 / 365.25:.2g} years"


def free_memory() -> int:
    """Return the bytes of memory that new work can use: what is available, and what this process may have."""
    return min(_available(), max(1, min(_left_by_limits(), _left_by_group())))


def _text(path: str) -> str:
    """Return the text of a system file, empty where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _available() -> int:
    if found := re.search(r"^MemAvailable:\s+(\d+)", _text("/proc/meminfo"), re.MULTILINE):
        return int(found[1]) * 1024
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (OSError, ValueError, AttributeError):
        return 4 * 10**9


def _left_by_limits() -> int:
    """Return the bytes left under the limits on this process's data and address space."""
    try:
        import resource

        used = [int(pages) * resource.getpagesize() for pages in _text("/proc/self/statm").split()]
        limits = ((resource.RLIMIT_DATA, used[5]), (resource.RLIMIT_AS, used[0]))
        ends = [(resource.getrlimit(kind)[0], taken) for kind, taken in limits]
        return min((end - taken for end, taken in ends if end != resource.RLIM_INFINITY), default=_MUCH)
    except (ImportError, OSError, AttributeError, ValueError, IndexError):
        return _MUCH


def _left_by_group(root: str = "/sys/fs/cgroup", own: str = "/proc/self/cgroup") -> int:
    """Return the bytes left under this process's control group and its parents, of cgroup version 1 or 2.

    Files that a group caches in memory count as free: the system gives that memory back when it is needed.
    """
    left = _MUCH
    rows = [row.split(":", 2) for row in _text(own).splitlines()]
    for _, controllers, path in (row for row in rows if len(row) == 3):
        if controllers and "memory" not in controllers.split(","):
            continue
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes") if controllers else ("memory.max", "memory.current")
        base = f"{root}/memory" if controllers else root
        parts = [part for part in path.split("/") if part]
        for depth in range(len(parts) + 1):
            folder = "/".join([base, *parts[:depth]])
            limit, used = (_text(f"{folder}/{name}").strip() for name in names)
            if limit.isdecimal() and used.isdecimal():
                cached = re.findall(r"^(?:total_)?inactive_file (\d+)$", _text(f"{folder}/memory.stat"), re.MULTILINE)
                left = min(left, int(limit) - int(used) + max(map(int, cached), default=0))
    return left


def disk_room(folder: Path) -> int:
    """Return the bytes that the files of a folder can take: the free space, plus what its files take now."""
    place = folder.absolute()
    held = sum(path.stat().st_size for path in place.iterdir() if path.is_file()) if place.is_dir() else 0
    return max(1, shutil.disk_usage(nearest_folder(place)).free + held)


def default_memory() -> int:
    """Return the default budget: three quarters of the free memory."""
    return free_memory() * 3 // 4


# An engine answers a request with an offer or a refusal.


class OfSize(str):
    """A reason for a refusal that a smaller board does not give."""


@dataclass(frozen=True)
class Refusal:
    """Why an engine cannot answer, in one clause; with an estimate where more memory or time would suffice.

    Where a part of the answer may be left out, `part` says why the engine cannot give even the rest.
    """

    engine: str
    reason: str
    estimate: Estimate | None = None
    part: Refusal | None = None

    @property
    def is_of_size(self) -> bool:
        """Whether the engine may take a smaller board."""
        return self.estimate is not None or isinstance(self.reason, OfSize)


@dataclass(frozen=True)
class Offer:
    """An engine's offer: its name, its estimate, which stays within the limits, and what it leaves out.

    `missing` names the columns or preferences that the engine leaves out; another engine may give them.
    """

    engine: str
    estimate: Estimate
    missing: tuple[str, ...] = field(default=(), kw_only=True)


AnyOffer = TypeVar("AnyOffer", bound=Offer)


def cheapest(
    ask: Iterable[Callable[[Limits], AnyOffer | Refusal]], limits: Limits
) -> tuple[AnyOffer | None, list[Refusal]]:
    """Return the fastest offer, a complete one if there is any, and all refusals.

    Each engine receives the best time so far as its limit, so it stops estimating once another engine is faster. After
    a complete offer, only complete offers count. The order of the engines decides only between equal offers.
    """
    best: AnyOffer | None = None
    refusals: list[Refusal] = []
    for offer in ask:
        whole = best is not None and not best.missing
        to_beat = min(limits.seconds, best.estimate.seconds) if best is not None and whole else limits.seconds
        found = offer(replace(limits, seconds=to_beat, whole=limits.whole or whole))
        if isinstance(found, Refusal):
            refusals.append(found)
        elif best is None or (bool(found.missing), found.estimate.seconds) < (
            bool(best.missing),
            best.estimate.seconds,
        ):
            best = found
    return best, refusals
