"""Integers of any length in decimal digits: Python itself stops at 4,300 unless it is told not to."""

from __future__ import annotations

__all__ = ["decimal_digits", "digit_count", "roughly"]

_CHUNK = 4_000


def decimal_digits(count: int) -> str:
    """Return all decimal digits of a number from 0 on. Cost: that of a few divisions of the number.

    >>> len(decimal_digits(10**5000))
    5001
    """
    parts: list[str] = []
    while count >= 10**_CHUNK:
        count, last = divmod(count, 10**_CHUNK)
        parts.append(str(last).zfill(_CHUNK))
    return str(count) + "".join(reversed(parts))


def digit_count(count: int) -> int:
    """Return how many decimal digits a number from 0 on has."""
    return len(decimal_digits(count))


def roughly(number: int) -> str:
    """Return a number for people: digits in groups of three, or a power of ten where it fills a line.

    >>> roughly(765), roughly(10**400)
    ('765', 'about 10^400')
    """
    if number < 10**18:
        return f"{number:,}"
    return f"{number:.1e}" if number < 10**300 else f"about 10^{digit_count(number) - 1}"
