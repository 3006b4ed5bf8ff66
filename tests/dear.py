"""What is too dear for every run: `make slow` tries it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def dear(values: Iterable[object], *slow: object) -> list[object]:
    """Return the values of a parameter, those named marked as slow; each of them has to be there."""
    found = list(values)
    assert not [value for value in slow if value not in found]
    marked = []
    for value in found:
        several = value if isinstance(value, tuple) else (value,)
        marked.append(pytest.param(*several, marks=pytest.mark.slow) if value in slow else value)
    return marked
