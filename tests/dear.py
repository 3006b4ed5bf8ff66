"""What is too dear for every run: `make slow` tries it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

SLOW = pytest.mark.slow


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
