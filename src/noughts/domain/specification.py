"""Specification strings of boards: `ROWSxCOLS[:K]`, `AxBxC[:K]`, then `+torus`, `+misere`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from noughts.domain.arguments import wrong_type
from noughts.domain.errors import InvalidBoard, shown
from noughts.domain.infinite import is_infinite
from noughts.domain.spelling import plain

__all__ = ["ENDING", "SIDE_LIMIT", "Specification", "format_specification", "parse_specification"]

SIDE_LIMIT = 1000
_K_LIMIT = 1_000_000
_TEXT_LIMIT = 100
_PATTERN = re.compile(r"([0-9]+(?:x[0-9]+)*)(?::([0-9]+))?((?:\+[a-z]+)*)")
_SIGNS = re.compile(r"\s*([x*:+]|by)\s*")
ENDING = ".lines"
"""How the name of a file of lines ends."""
_EXAMPLES = "write ROWSxCOLS:K, as in 3x3, 4x5:4, 3x3x3, 3x3+torus or 4x4:3+misere"


@dataclass(frozen=True)
class Specification:
    """What a specification string says: two or three sides, k, and the two options."""

    sides: tuple[int, ...]
    k: int
    torus: bool = False
    misere: bool = False


def parse_specification(text: str) -> Specification:
    """Return what the text says; without `:K` it is the shortest side. Raises InvalidBoard and InvalidType.

    `3 x 3`, `3×3`, `3*3` and `3 by 3` are read as `3x3`, and so are full-width digits; `+misère` as `+misere`.
    """
    if not isinstance(text, str):
        raise wrong_type("a board", text, "text such as 3x3 or 4x5:4+torus, or a Board")
    if is_infinite(text):
        raise InvalidBoard(
            f"{shown(text)} is an infinite board, which only noughts solve takes, without a position: give the board "
            "sides, as in 15x15:9"
        )
    match = _PATTERN.fullmatch(_written(text)) if len(text) <= _TEXT_LIMIT else None
    if match is None:
        what = (
            "names a file of lines, and here a board is named by its sizes" if text.endswith(ENDING) else "is no board"
        )
        raise InvalidBoard(f"{shown(text)} {what}: {_EXAMPLES}")
    sides = tuple(int(side) for side in match[1].split("x"))
    if len(sides) not in (2, 3):
        raise InvalidBoard(f"{shown(text)} has {_sides(len(sides))}, a board has two or three: {_EXAMPLES}")
    if min(sides) < 1 or max(sides) > SIDE_LIMIT:
        raise InvalidBoard(f"{shown(text)} has a side outside 1 to {SIDE_LIMIT:,}: {_EXAMPLES}")
    k = int(match[2]) if match[2] is not None else min(sides)
    if not 1 <= k <= _K_LIMIT:
        raise InvalidBoard(f"{shown(text)} asks for {k} in a row, it takes 1 to {_K_LIMIT:,}: {_EXAMPLES}")
    return Specification(sides, k, *_options(text, match[3]))


def _written(text: str) -> str:
    """Return the text in the one spelling, as far as it has one."""
    small = _SIGNS.sub(lambda sign: sign[1], plain(text).strip().lower())
    return re.sub(r"(?<=[0-9])(?:\*|by)(?=[0-9])", "x", small).replace("misère", "misere")


def _sides(count: int) -> str:
    return "one side" if count == 1 else f"{count} sides"


def _options(text: str, written: str) -> tuple[bool, bool]:
    options = written.split("+")[1:]
    for option in options:
        if option not in ("torus", "misere"):
            raise InvalidBoard(f"{shown(text)} has the unknown option +{option}: there are +torus and +misere")
        if options.count(option) > 1:
            raise InvalidBoard(f"{shown(text)} says +{option} twice: once is enough")
    return "torus" in options, "misere" in options


def format_specification(specification: Specification) -> str:
    """Return the one printed form, always with `:K`."""
    sides = "x".join(str(side) for side in specification.sides)
    torus = "+torus" if specification.torus else ""
    misere = "+misere" if specification.misere else ""
    return f"{sides}:{specification.k}{torus}{misere}"
