"""Fractions as decimals, rounded exactly: no float comes near them."""

from __future__ import annotations

from fractions import Fraction

from noughts.domain.arguments import whole_number
from noughts.domain.errors import InputError

__all__ = ["MOST_DECIMALS", "decimal", "percentage", "require_decimals"]

MOST_DECIMALS = 30
"""Decimals that are shown at most: more are no easier to read than the fraction."""


def decimal(value: Fraction, places: int) -> str:
    """Return a fraction with so many decimals, rounded to the nearest, halves to the even digit.

    >>> decimal(Fraction(501, 560), 2), decimal(Fraction(-1, 3), 3), decimal(Fraction(-1, 1000), 2)
    ('0.89', '-0.333', '0.00')
    """
    rounded = round(value * 10**places)
    digits = f"{abs(rounded):0{places + 1}d}"
    sign = "-" if rounded < 0 else ""
    return f"{sign}{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else f"{sign}{digits}"


def percentage(chance: Fraction, places: int = 2) -> str:
    """Return a chance in percent with so many decimals; 0% and 100% are those alone that are exactly that.

    >>> [percentage(Fraction(*parts)) for parts in ((2, 3), (1, 1), (99999, 100000), (1, 100000), (0, 1))]
    ['66.67%', '100%', '>99.99%', '<0.01%', '0%']
    """
    if chance in (0, 1):
        return f"{100 * chance}%"
    least = Fraction(1, 10**places)
    rounded = round(100 * chance * 10**places)
    if rounded in (0, 100 * 10**places):
        return f">{decimal(100 - least, places)}%" if rounded else f"<{decimal(least, places)}%"
    return f"{decimal(100 * chance, places)}%"


def require_decimals(places: int) -> int:
    """Return a number of decimals. Raises InputError for one that is no whole number from 0 on, or too large."""
    if whole_number("the decimals", places, 0) > MOST_DECIMALS:
        raise InputError(f"{places} decimals are more than the {MOST_DECIMALS} that are shown: ask for fewer")
    return places
