"""What is too dear for every run: `make slow` tries it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

SLOW = pytest.mark.slow
SAMPLED = frozenset((Path(__file__).parent / "sampled.txt").read_text().split())
"""The tests with many dear cases, as FILE::FUNCTION: every run takes the first case and each sixth one after it."""


def mark_sampled(items: Iterable[pytest.Item]) -> None:
    """Mark five in six cases of the tests in SAMPLED as slow."""
    seen: Counter[str] = Counter()
    for item in items:
        name = item.nodeid.partition("[")[0].removeprefix("tests/")
        if name in SAMPLED and not item.get_closest_marker("slow"):
            if seen[name] % 6:
                item.add_marker(SLOW)
            seen[name] += 1


def dear(values: Iterable[object], *slow: object) -> list[object]:
    """Return the values of a parameter, those named marked as slow; each of them has to be there."""
    found = list(values)
    assert not [value for value in slow if value not in found]
    return [_marked(value) if value in slow else value for value in found]


def sample(values: Iterable[object], every: int) -> list[object]:
    """Return the values of a parameter, all marked as slow but the first and every so many after it."""
    return [_marked(value) if at % every else value for at, value in enumerate(values)]


def _marked(value: object) -> object:
    return pytest.param(*(value if type(value) is tuple else (value,)), marks=SLOW)
