"""Memory and time as people write them, and as we print them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from noughts.domain.errors import InputError, NoughtsError, shown
from noughts.machine import budget
from noughts.machine.budget import (
    Estimate,
    Limits,
    default_memory,
    format_duration,
    format_size,
    free_memory,
    parse_duration,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [("8GB", 8 * 10**9), ("500 MB", 5 * 10**8), ("2GiB", 2**31), ("1.5k", 1500), ("1024", 1024), ("3tb", 3 * 10**12)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    ("text", "seconds"), [("10s", 10), ("500ms", 0.5), ("2m", 120), ("2 min", 120), ("1.5h", 5400), ("7", 7), ("0", 0)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "GB", "-1GB", "8 apples", "1e9", "0", "٣GB", "9" * 10_000, "nan"])
def test_bad_sizes(text: str) -> None:
    with pytest.raises(InputError, match="is no amount of memory: write it as"):
        parse_size(text)


@pytest.mark.parametrize("text", ["", "s", "-1s", "soon", "inf", "9" * 10_000, "1d"])
def test_bad_durations(text: str) -> None:
    with pytest.raises(InputError, match="is no length of time: write it as"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [(12, "12 bytes"), (1500, "1.5 kB"), (7_250_000_000, "7.25 GB"), (10**30, "1,000,000 YB"), (999_999, "999 kB")],
)
def test_sizes_in_words(size: int, text: str) -> None:
    assert format_size(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.0004, "under 1 ms"),
        (0.01, "10 ms"),
        (0.0996, "0.1 s"),
        (0.24, "0.2 s"),
        (12, "12 s"),
        (240, "4 min"),
        (3 * 3600, "3 h"),
        (86400 * 12, "12 days"),
        (3.2e9, "1e+02 years"),
    ],
)
def test_durations_in_words(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_the_default_is_three_quarters_of_what_is_free() -> None:
    free = free_memory()
    assert 10**7 < free < 10**14
    assert 0.5 * free < default_memory() < free
    assert str(Estimate(1500, 2, "why")) == "about 1.5 kB and 2.0 s (why)"


def test_no_more_is_free_than_this_process_may_have() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_DATA, (2**28, resource.RLIM_INFINITY)); "
        "from noughts.machine.budget import free_memory; print(free_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 2**26 < int(done.stdout) < 2**28


def test_errors_have_exit_codes() -> None:
    found = {error.__name__: error.exit_code for error in all_errors(NoughtsError)}
    assert found["InputError"] == found["InvalidBoard"] == found["InvalidCell"] == found["InvalidPosition"] == 2
    assert found["InvalidQuestion"] == 2
    assert found["BudgetError"] == 3
    assert found["CheckError"] == 1


def all_errors(root: type[NoughtsError]) -> list[type[NoughtsError]]:
    return [root] + [error for child in root.__subclasses__() for error in all_errors(child)]


def test_input_is_shown_escaped_and_cut() -> None:
    assert shown("3y3") == "'3y3'"
    assert shown("a\nb\u00e9") == r"'a\nb\xe9'"
    assert shown("x" * 10_000) == "'" + "x" * 40 + "...' (10,000 characters)"


def test_only_the_bound_that_is_broken_is_named() -> None:
    limits = Limits(10**9, 1.0)
    assert limits.broken_by(Estimate(10**6, 2, "")) == "1.0 s"
    assert limits.broken_by(Estimate(10**10, 0.5, "")) == "1 GB of memory"
    assert limits.broken_by(Estimate(10**10, 2, "")) == "1 GB of memory and 1.0 s"
    assert limits.broken_by(Estimate(1, 0, "", at_least=True)) == "1 GB of memory and 1.0 s, as far as can be told"
    assert Estimate(0, 2, "why", at_least=True).words == "more than 2.0 s"
    assert Estimate(0, 0, "why", at_least=True).words == "more than was reckoned"


def test_free_memory_is_the_least_of_all_limits() -> None:
    """What is available, and what the limits on data and on addresses leave."""
    script = (
        "import resource, sys; resource.setrlimit(getattr(resource, sys.argv[1]), (600_000_000,) * 2)\n"
        "from noughts.machine.budget import free_memory; print(free_memory())"
    )
    for kind in ("RLIMIT_AS", "RLIMIT_DATA"):
        done = subprocess.run([sys.executable, "-c", script, kind], capture_output=True, text=True, check=True)
        assert 0 < int(done.stdout) < 600_000_000


@pytest.mark.parametrize("version", [1, 2])
def test_what_a_control_group_leaves(tmp_path: Path, version: int) -> None:
    own = tmp_path / "own"
    names = ("memory.limit_in_bytes", "memory.usage_in_bytes") if version == 1 else ("memory.max", "memory.current")
    own.write_text("3:cpu:/other\n5:memory,hugetlb:/outer/inner\n" if version == 1 else "0::/outer/inner\n")
    root = tmp_path / "memory" if version == 1 else tmp_path
    inner = root / "outer" / "inner"
    inner.mkdir(parents=True)
    assert budget._left_by_group(str(tmp_path), str(own)) == 2**62
    for folder, limit, used in ((inner, "max", "7"), (inner.parent, "500", "200")):
        for name, number in zip(names, (limit, used), strict=True):
            (folder / name).write_text(f"{number}\n")
    assert budget._left_by_group(str(tmp_path), str(own)) == 300
    (inner.parent / "memory.stat").write_text("anon 5\ninactive_file 60\n")
    assert budget._left_by_group(str(tmp_path), str(own)) == 360
    (inner / names[0]).write_text("100\n")
    assert budget._left_by_group(str(tmp_path), str(own)) == 93
    assert budget._left_by_group(str(tmp_path), str(tmp_path / "nowhere")) == 2**62
