"""Memory and time as people write them, and as we print them; what the machine has free; the cheapest offer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noughts.machine import budget
from noughts.machine.budget import (
    Estimate,
    Limits,
    Refusal,
    cheapest,
    default_memory,
    format_duration,
    free_memory,
    parse_duration,
    parse_size,
)
from noughts.rules.errors import InputError, NoughtsError, shown


def test_every_unit_of_memory_and_of_time_is_read() -> None:
    for power, unit in enumerate(("", "K", "M", "G", "T")):
        assert parse_size(f"3{unit}B") == parse_size(f"3{unit.lower()}") == 3 * 1000**power
        if unit:
            assert parse_size(f"3{unit}iB") == parse_size(f"3 {unit.lower()}i") == 3 * 1024**power
    assert [parse_size(text) for text in ("500 MB", "1.5k", "1024", "1")] == [5 * 10**8, 1500, 1024, 1]
    for unit, seconds in (("ms", 0.001), ("s", 1), ("", 1), ("m", 60), (" min", 60), ("h", 3600)):
        assert parse_duration(f"3{unit}") == 3 * seconds
    assert [parse_duration(text) for text in ("0", "0s", "1.5h")] == [0, 0, 5400]


def test_what_is_no_amount() -> None:
    for text in ("", "GB", "-1GB", "8 apples", "1e9", "0", "٣GB", "9" * 10_000, "nan"):
        with pytest.raises(InputError, match="is not an amount of memory: write it as"):
            parse_size(text)
    for text in ("", "s", "-1s", "soon", "inf", "9" * 10_000, "1d"):
        with pytest.raises(InputError, match="is not a length of time: write it as"):
            parse_duration(text)


def test_errors_have_exit_codes_and_input_is_shown_escaped_and_cut() -> None:
    def all_errors(root: type[NoughtsError]) -> list[type[NoughtsError]]:
        return [root] + [error for child in root.__subclasses__() for error in all_errors(child)]

    found = {error.__name__: error.exit_code for error in all_errors(NoughtsError)}
    inputs = ("InputError", "InvalidBoard", "InvalidCell", "InvalidPosition", "InvalidQuestion")
    assert {found[name] for name in inputs} == {2}
    assert (found["BudgetError"], found["CheckError"]) == (3, 1)
    assert shown("3y3") == "'3y3'"
    assert shown("a\nb\u00e9") == r"'a\nb\xe9'"
    assert shown("x" * 10_000) == "'" + "x" * 40 + "...' (10,000 characters)"
    assert (shown(1 << 200), shown(1 << 199)[-16:]) == ("int of 201 bits", " (60 characters)")


def test_the_least_amounts_are_taken_and_no_less() -> None:
    assert Limits.of(1, 0) == Limits(1, 0)
    refused: tuple[Any, ...] = (True, [1])
    for memory in (0, 0.5, -1, float("nan"), *refused):
        with pytest.raises(InputError):
            Limits.of(memory)
    for seconds in (-0.1, float("nan"), *refused):
        with pytest.raises(InputError):
            Limits.of(1, seconds)
    assert Limits.of("2k", "2m") == Limits(2000, 120)
    assert Limits.of(None).memory > 1
    assert Limits.of(1).seconds == float("inf")


def test_what_just_fits_is_allowed() -> None:
    limits = Limits(100, 10, disk=50)
    assert limits.allow(Estimate(100, 10, "", disk=50))
    for over in (Estimate(101, 10, ""), Estimate(100, 10.1, ""), Estimate(100, 10, "", disk=51)):
        assert not limits.allow(over)
    assert not limits.allow(Estimate(1, 1, "", at_least=True))
    assert Limits(100).allow(Estimate(100, 10, ""))
    assert not Limits(99).allow(Estimate(100, 10, ""))
    assert not Limits(100, 9).allow(Estimate(100, 10, ""))


def test_limits_and_estimates_in_words() -> None:
    limits = Limits(10**9, 1.0)
    assert limits.broken_by(Estimate(10**6, 2, "")) == "1.0 s"
    assert limits.broken_by(Estimate(10**10, 0.5, "")) == "1 GB of memory"
    assert limits.broken_by(Estimate(10**10, 2, "")) == "1 GB of memory and 1.0 s"
    assert limits.broken_by(Estimate(1, 0, "", at_least=True)) == "1 GB of memory and 1.0 s, as far as can be estimated"
    assert Limits(100, 10, disk=50).broken_by(Estimate(100, 10, "", disk=51)) == "50 bytes of disk"
    assert Limits(100, 10, disk=50).broken_by(Estimate(101, 10, "", disk=50)) == "100 bytes of memory"
    assert str(Limits()) == "no limit"
    assert str(Limits(2000, 3, disk=4000)) == "2 kB of memory and 4 kB of disk and 3.0 s"
    assert Estimate(0, 2, "why", at_least=True).words == "more than 2.0 s"
    assert Estimate(0, 0, "why", at_least=True).words == "more than was estimated"
    assert Estimate(1000, 2, "", disk=3000).words == "about 1 kB and 3 kB of disk and 2.0 s"
    assert str(Estimate(1500, 2, "why")) == "about 1.5 kB and 2.0 s (why)"
    assert (Estimate(0, 2, "").words, Estimate(5, 0, "").words) == ("about 2.0 s", "about 5 bytes")


def test_free_memory_is_the_least_of_all_limits() -> None:
    """What is available, and what the limits on data and on addresses leave; by default three quarters are used."""
    free = free_memory()
    assert 10**7 < free < 10**14
    assert 0.5 * free < default_memory() < free
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
    own.write_text("3:cpu:/other\n5:memory,hugetlb:/out:er/inner\n" if version == 1 else "0::/out:er/inner\n")
    root = tmp_path / "memory" if version == 1 else tmp_path
    inner = root / "out:er" / "inner"
    inner.mkdir(parents=True)
    left = [budget._left_by_group(str(tmp_path), str(own))]
    for folder, limit, used in ((inner, "max", "7"), (inner.parent, "500", "200")):
        for name, number in zip(names, (limit, used), strict=True):
            (folder / name).write_text(f"{number}\n")
    left.append(budget._left_by_group(str(tmp_path), str(own)))
    (inner.parent / "memory.stat").write_text("anon 5\ninactive_file 60\n")
    left.append(budget._left_by_group(str(tmp_path), str(own)))
    (inner / names[0]).write_text("100\n")
    left += [budget._left_by_group(str(tmp_path), str(path)) for path in (own, tmp_path / "nowhere")]
    assert left == [2**62, 300, 360, 93, 2**62]


def offer(engine: str, seconds: float, *missing: str) -> SimpleNamespace:
    return SimpleNamespace(engine=engine, estimate=Estimate(1, seconds, ""), missing=missing)


def test_the_offer_that_takes_least_is_chosen_and_one_that_leaves_nothing_out() -> None:
    beaten: list[Limits] = []

    def engines(*found: SimpleNamespace | Refusal) -> list[Callable[[Limits], Any]]:
        def one(each: SimpleNamespace | Refusal) -> Callable[[Limits], Any]:
            def ask(limits: Limits) -> SimpleNamespace | Refusal:
                beaten.append(limits)
                return each

            return ask

        return [one(each) for each in found]

    quick, slow, part, same = offer("quick", 2), offer("slow", 5), offer("part", 1, "games"), offer("same", 2)
    for found in permutations((quick, slow, part)):
        assert cheapest(engines(*found), Limits(seconds=9))[0] is quick
    no = Refusal("none", "why")
    beaten.clear()
    assert cheapest(engines(part, no, slow, quick), Limits(seconds=9)) == (quick, [no])
    assert [(each.seconds, each.whole) for each in beaten] == [(9, False), (9, False), (9, False), (5, True)]
    beaten.clear()
    cheapest(engines(slow, quick), Limits(seconds=3, whole=True))
    assert [(each.seconds, each.whole) for each in beaten] == [(3, True), (3, True)]
    assert cheapest(engines(quick, same), Limits())[0] is quick, "of equals the first"
    assert cheapest(engines(no), Limits()) == (None, [no])


def test_durations_use_the_largest_unit_with_at_least_two() -> None:
    expected = {119.4: "119 s", 120: "2 min", 7199: "120 min", 7200: "2 h", 2 * 86400 - 1: "48 h", 2 * 86400: "2 days"}
    expected |= {
        9.9: "9.9 s",
        10: "10 s",
        0: "0 s",
        0.0004: "under 1 ms",
        0.001: "1 ms",
        0.0994: "99 ms",
        0.0995: "0.1 s",
    }
    expected |= {999 * 86400: "999 days", 1000 * 86400: "2.7 years"}
    assert {seconds: format_duration(seconds) for seconds in expected} == expected
