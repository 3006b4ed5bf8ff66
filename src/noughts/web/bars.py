"""Numbers as bars: how long each is, in percent of the room, on a linear and on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bar", "bar_of", "longest_of"]

_PARTS = 10_000
"""Parts of the whole room in which lengths are given: a hundredth of a percent."""


@dataclass(frozen=True)
class Bar:
    """A bar in parts, each a name, where it begins and how long it is, in percent: `linear` and `logarithmic`.

    On the logarithmic scale the whole bar is as long as its number has digits, and divided as the number is.
    """

    linear: tuple[tuple[str, str, str], ...]
    logarithmic: tuple[tuple[str, str, str], ...]


def longest_of(numbers: Sequence[int | None]) -> int:
    """Return the number that fills the room: the largest that is known, at least 1."""
    return max((number for number in numbers if number), default=1)


def bar_of(parts: Sequence[tuple[str, int]], longest: int) -> Bar:
    """Return the bar of a number that is the sum of these parts. Parts that are 0 have no room."""
    whole = sum(number for _, number in parts)
    return Bar(
        _parts(parts, whole, whole * _PARTS // longest),
        _parts(parts, whole, _digits(whole) * _PARTS // _digits(longest)),
    )


def _digits(number: int) -> int:
    """Return 1,000 times one more than the logarithm of a number to the base ten; 0 for nothing."""
    if number <= 0:
        return 0
    from math import log10

    return 1000 + round(1000 * log10(number))


def _parts(parts: Sequence[tuple[str, int]], whole: int, length: int) -> tuple[tuple[str, str, str], ...]:
    found, at, past = [], 0, 0
    for name, number in parts:
        past += number
        end = past * length // whole if whole else 0
        if number:
            found.append((name, _percent(at), _percent(max(end - at, 15))))
        at = end
    return tuple(found)


def _percent(parts: int) -> str:
    return f"{parts // 100}.{parts % 100:02}%"
