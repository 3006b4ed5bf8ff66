"""What values are made of: classes and dictionaries that do not change, and one-line texts that stay short."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any, NoReturn, TypeVar

__all__ = ["Frozen", "FrozenDict", "frozen", "short"]

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


def short(text: object, limit: int = 40) -> str:
    """Return the text of a value on one line, cut after `limit` characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= limit else line[: limit - 3] + "..."
