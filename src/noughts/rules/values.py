"""Tools for results: classes and dictionaries that do not change, records for JSON, short texts, exact decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import count, islice
from operator import attrgetter, methodcaller
from typing import Any, ClassVar, NoReturn, TypeVar

from noughts.rules.arguments import whole_number
from noughts.rules.errors import InputError

K = TypeVar("K")
V = TypeVar("V")


class Frozen:
    """A class whose attributes cannot be assigned; its `__init__` fills `vars(self)`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to {name}: a {type(self).__name__} is a value")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name}: a {type(self).__name__} is a value")


class FrozenDict(dict[K, V]):
    """A dictionary that cannot be changed; it is hashable if its values are."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *given: object, **named: object) -> NoReturn:
        raise TypeError("this dictionary is part of a result and cannot be changed: make a copy with dict(...)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def frozen(value: Any) -> Any:
    """Return a value with frozen dictionaries for dictionaries and tuples for lists, at every depth."""
    if isinstance(value, FrozenDict):
        return value
    if isinstance(value, dict):
        return FrozenDict((key, frozen(each)) for key, each in value.items())
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def for_json(value: Any) -> Any:
    """Return a value for JSON: results as records; boards, positions, moves and fractions as text."""
    kind: Any = type(value)
    return value if kind in _JSON else _writer(kind)(value)


_JSON = frozenset([type(None), bool, int, float, str])
"""Types of values that are JSON as they are."""


@cache
def _writer(kind: Any) -> Callable[[Any], Any]:
    """Return what makes JSON of values of a type."""
    if issubclass(kind, Mapping):
        return lambda value: {str(key): for_json(each) for key, each in value.items()}
    if issubclass(kind, tuple | list):
        return lambda value: [each if type(each) in _JSON else for_json(each) for each in value]
    if hasattr(kind, "spec"):  # a board
        return lambda value: str(value.spec)
    is_position = hasattr(kind, "completed_lines")
    return methodcaller("as_dict") if hasattr(kind, "as_dict") and not is_position else str


@cache
def _fields(words: str) -> list[tuple[str, Callable[[object], Any]]]:
    """Return the keys of a record, each with the function that gets its attribute; see `Result`."""
    return [(key, attrgetter(name or key)) for key, _, name in (word.partition("=") for word in words.split())]


def record(value: object, *words: str) -> dict[str, Any]:
    """Return attributes of a value for JSON, by their names; a word may be `key=attribute`."""
    return {key: for_json(get(value)) for key, get in _fields(" ".join(words))}


def short(text: object, limit: int = 40) -> str:
    """Return the text of a value on one line, cut after `limit` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


class Reported:
    """A result whose text is the report of the command line, or its `repr` where it has no report."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = import_module("noughts.verbs.reports").text_of(self)
        return text

    def _repr_html_(self) -> str | None:
        """Return the report for a notebook; None where the notebook draws the result, or no report exists."""
        text: str | None = import_module("noughts.notebook").html_of(self)
        return text


class Result(Reported):
    """A result with a record: `keys` lists the keys of the record in their order.

    A word of `keys` is the name of an attribute, or `key=attribute` where key and attribute have different names. The
    attribute may be nested, as in `asked=goal.asked`.
    """

    keys: ClassVar[str] = ""

    def _items(self) -> Iterator[tuple[str, Any]]:
        return ((key, for_json(get(self))) for key, get in _fields(self.keys))

    def as_dict(self) -> dict[str, Any]:
        """Return the record for JSON; boards, positions, moves and fractions are text."""
        found = ((key, get(self)) for key, get in _fields(self.keys))
        return {key: value if type(value) in _JSON else for_json(value) for key, value in found}

    def __repr__(self) -> str:
        words = (f"{key} {value}" for key, value in self._items() if isinstance(value, str | int))
        summary = ", ".join(islice(words, 5))
        return f"<{type(self).__name__}: {short(summary, 100)}>"


# Integers of any length in decimal digits; the limit of Python itself is 4,300 digits.

_CHUNK = 4_000


def begun(words: str) -> str:
    """Return words with a capital letter at the start."""
    return words[0].upper() + words[1:]


def decimal_digits(count: int) -> str:
    """Return all decimal digits of a number from 0 on.

    >>> len(decimal_digits(10**5000))
    5001
    """
    parts: list[str] = []
    while count >= 10**_CHUNK:
        count, last = divmod(count, 10**_CHUNK)
        parts.append(str(last).zfill(_CHUNK))
    return str(count) + "".join(reversed(parts))


def digit_count(count: int) -> int:
    """Return the number of decimal digits of a number from 0 on."""
    return len(decimal_digits(count))


def roughly(number: int) -> str:
    """Return a number for people: digits in groups of three, or a power of ten for large numbers.

    >>> roughly(765), roughly(10**400)
    ('765', 'about 10^400')
    """
    if number < 10**18:
        return f"{number:,}"
    return f"{number:.1e}" if number < 10**300 else f"about 10^{digit_count(number) - 1}"


# Fractions as decimals, rounded exactly, without floats.

MOST_DECIMALS = 30
"""Largest number of decimals that are shown."""


def decimal(value: Fraction, places: int) -> str:
    """Return a fraction as a decimal with `places` digits after the point, rounded half to even.

    >>> decimal(Fraction(501, 560), 2), decimal(Fraction(-1, 3), 3), decimal(Fraction(-1, 1000), 2)
    ('0.89', '-0.333', '0.00')
    """
    rounded = round(value * 10**places)
    digits = f"{abs(rounded):0{places + 1}d}"
    sign = "-" if rounded < 0 else ""
    return f"{sign}{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else f"{sign}{digits}"


def percentage(chance: Fraction, places: int = 2) -> str:
    """Return a chance in percent with `places` decimals; only exact values print as 0% and 100%.

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
    """Return a number of decimals. Raises InputError unless it is a whole number from 0 to MOST_DECIMALS."""
    if whole_number("the decimals", places, 0) > MOST_DECIMALS:
        raise InputError(f"the decimals cannot be {places}: give at most {MOST_DECIMALS}")
    return places


# Pseudo-random numbers that depend on a text only.

_BITS = 256


def drawn(whole: int, text: str) -> int:
    """Return a uniform pseudo-random integer below `whole`, always the same for the same text.

    It comes from SHA-256 digests of the text; `whole` is at least 1 and at most 2^256.
    """
    from hashlib import sha256  # late: it loads OpenSSL, which few calls need

    fair = (1 << _BITS) - (1 << _BITS) % whole
    for attempt in count():
        number = int.from_bytes(sha256(f"{attempt} {text}".encode()).digest(), "big")
        if number < fair:
            return number % whole
    raise AssertionError("some digest is below the bound")
