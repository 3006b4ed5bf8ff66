"""What values are made of: classes and dictionaries that do not change, and one-line texts that stay short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError
from fractions import Fraction
from importlib import import_module
from itertools import count, islice
from operator import attrgetter
from typing import Any, ClassVar, NoReturn, TypeVar

from noughts.rules.arguments import whole_number
from noughts.rules.errors import InputError

K = TypeVar("K")
V = TypeVar("V")


class Frozen:
    """A class whose attributes cannot be assigned; it fills `vars(self)` when it is made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}: a {type(self).__name__} is a value")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}: a {type(self).__name__} is a value")


class FrozenDict(dict[K, V]):
    """A dictionary that cannot be changed, equal to any other with the same entries, and hashable if its values are."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *given: object, **named: object) -> NoReturn:
        raise TypeError("this dictionary is part of a result and cannot be changed: make a copy with dict(...)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def frozen(value: Any) -> Any:
    """Return a value whose dictionaries and lists, and those inside, are frozen dictionaries and tuples."""
    if isinstance(value, FrozenDict):
        return value
    if isinstance(value, dict):
        return FrozenDict((key, frozen(each)) for key, each in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def for_json(value: Any) -> Any:
    """Return a value as JSON has it: numbers as they are, results as records; boards, positions, moves and fractions as
    texts.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, Mapping):
        return {str(key): for_json(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return list(map(for_json, value))
    is_place = hasattr(value, "spec") or hasattr(value, "completed_lines")  # a board or a position, which has a text
    return value.as_dict() if hasattr(value, "as_dict") and not is_place else str(getattr(value, "spec", value))


def record(value: object, *names: str) -> dict[str, Any]:
    """Return attributes of a value for JSON, by their names: fractions, moves and positions as text."""
    return {name: for_json(getattr(value, name)) for name in names}


def short(text: object, limit: int = 40) -> str:
    """Return the text of a value on one line, cut after `limit` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


class Reported:
    """A result whose text is the report that the command line prints, its `repr` where there is none."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = import_module("noughts.verbs.reports").text_of(self)
        return text


class Result(Reported):
    """What a question comes to, as a value: `keys` names the attributes of its record in their order.

    A word of `keys` is an attribute, or `key=attribute` where the record calls it otherwise; the attribute may be that
    of another, as in `asked=goal.asked`.
    """

    keys: ClassVar[str] = ""

    def _items(self) -> Iterator[tuple[str, Any]]:
        for word in self.keys.split():
            key, _, name = word.partition("=")
            yield key, for_json(attrgetter(name or key)(self))

    def as_dict(self) -> dict[str, Any]:
        """Return the record, for JSON: boards, positions, moves and fractions are texts."""
        return dict(self._items())

    def __repr__(self) -> str:
        words = (f"{key} {value}" for key, value in self._items() if isinstance(value, str | int))
        said = ", ".join(islice(words, 5))
        return f"<{type(self).__name__}: {short(said, 100)}>"


# Integers of any length in decimal digits: Python itself stops at 4,300 unless it is told not to.

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


# Fractions as decimals, rounded exactly: no float comes near them.

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


# Lots: numbers that look as if drawn at random, and are always the same for the same text.

_BITS = 256


def drawn(whole: int, text: str) -> int:
    """Return a number below `whole`, each from as many digests of texts as the others, and always the same for one.

    Integers only; `whole` is at least 1 and at most 2^256.
    """
    from hashlib import sha256  # late: it loads OpenSSL, and few calls draw lots

    fair = (1 << _BITS) - (1 << _BITS) % whole
    for attempt in count():
        number = int.from_bytes(sha256(f"{attempt} {text}".encode()).digest(), "big")
        if number < fair:
            return number % whole
    raise AssertionError("some digest is below the bound")
