"""Schemes of points: what X and O get for each way a game can end.

The default on 3x3 is the published scheme: X wins 3-0, O wins 0-5, Island 0-1, Arrow 0-1, Scorpion 1-0. On other boards
a draw is 0-0 unless said otherwise. ("Tic-Tac-Toe Analysis using Clojure", part 2.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from noughts.domain.arguments import wrong_type
from noughts.domain.errors import InputError, shown
from noughts.domain.frozen import FrozenDict
from noughts.domain.spelling import nearby
from noughts.strategy.patterns import DrawnPattern

__all__ = [
    "DEFAULT_POINTS",
    "Points",
    "PointsLike",
    "named_points",
    "parse_points",
    "points_text",
    "scheme_of",
    "unnamed_endings",
]

Points = Mapping[str, tuple[Fraction, Fraction]]
"""For each ending, `X`, `O` or the name of a drawn pattern, the points of X and of O."""

PointsLike = Mapping[str, tuple[Fraction | int, Fraction | int]] | str
"""Points as they are given: a dictionary, or text such as `X=3-0,O=0-5`."""

DEFAULT_POINTS: Mapping[str, tuple[int, int]] = {
    "X": (3, 0),
    "O": (0, 5),
    "Island": (0, 1),
    "Scorpion": (1, 0),
    "Arrow": (0, 1),
}
_ENTRY = re.compile(r"\s*([A-Za-z][A-Za-z0-9 ]*?)\s*[=:]\s*(-?[0-9]+(?:/[0-9]+)?)\s*-\s*(-?[0-9]+(?:/[0-9]+)?)\s*")


def parse_points(text: str) -> dict[str, tuple[Fraction, Fraction]]:
    """Read `X=3-0, O=0-5, Island=0-1`: for each ending the points of X and of O. Raises InputError."""
    found = {}
    for entry in text.split(","):
        match = _ENTRY.fullmatch(entry)
        if not match or any(part.endswith("/0") for part in match.groups()):
            raise InputError(f"{shown(entry)} is no payoff: write an ending and two numbers, as in X=3-0 or Island=0-1")
        found[match[1]] = (Fraction(match[2]), Fraction(match[3]))
    return found


def points_text(points: Points) -> str:
    """Return a scheme as it is typed; `parse_points` reads it.

    >>> points_text({"X": (Fraction(3), Fraction(0)), "Island": (Fraction(0), Fraction(1, 2))})
    'X=3-0,Island=0-1/2'
    """
    return ",".join(f"{ending}={x}-{o}" for ending, (x, o) in points.items())


def named_points(points: Points) -> str:
    """Return the entries of a whole scheme that are not those of the default, as they are typed; `draw` for all draws.

    >>> named_points({"X": (Fraction(3), Fraction(0)), "Island": (Fraction(0), Fraction(2))})
    'draw=0-2'
    """
    other = {name: pair for name, pair in points.items() if pair != _pair(DEFAULT_POINTS.get(name, (0, 0)))}
    draws = {name: pair for name, pair in points.items() if name not in ("X", "O")}
    pairs = set(draws.values())
    if len(pairs) == 1 and draws.keys() & other.keys():
        other = {**{name: other[name] for name in ("X", "O") if name in other}, "draw": pairs.pop()}
    return points_text(other)


def scheme_of(drawn: tuple[DrawnPattern, ...], points: PointsLike | None) -> Points:
    """Return the points of every ending: the default, with what was given instead. Raises InputError, InvalidType."""
    if points is not None and not isinstance(points, str | Mapping):
        raise wrong_type("the points", points, "text such as X=3-0,O=0-5, or a dictionary of endings")
    given = parse_points(points) if isinstance(points, str) else points or {}
    names = [pattern.name for pattern in drawn]
    scheme = {name: _pair(DEFAULT_POINTS.get(name, (0, 0))) for name in ["X", "O", *names]}
    spelled = {name.lower(): name for name in scheme}
    for name, pair in given.items():
        if not isinstance(name, str):
            raise wrong_type("an ending", name, "X, O, draw or the name of a pattern")
        if name.lower() == "draw":
            scheme |= dict.fromkeys(names, _pair(pair))
        elif name.lower() in spelled:
            scheme[spelled[name.lower()]] = _pair(pair)
        else:
            shown_names = names if len(names) <= 6 else [*names[:3], "...", names[-1]]
            raise InputError(
                f"no game here ends in {shown(name)}: the endings are {', '.join(['X', 'O', *shown_names])}"
                f"{nearby(name, names)}"
            )
    # A pattern given by name counts more than `draw`, whatever their order.
    scheme |= {spelled[n.lower()]: _pair(pair) for n, pair in given.items() if n.lower() in spelled}
    return FrozenDict(scheme)


def unnamed_endings(scheme: Points, points: PointsLike | None) -> tuple[str, ...]:
    """Return the endings of a scheme that keep the points of the default, as others were given and they were not.

    `points` are what `scheme_of` made the scheme of.
    """
    given = parse_points(points) if isinstance(points, str) else points or {}
    named = {name.lower() for name in given}
    return tuple(
        name for name in scheme if named and name.lower() not in named and ("draw" not in named or name in ("X", "O"))
    )


def _pair(pair: tuple[Fraction | int, Fraction | int]) -> tuple[Fraction, Fraction]:
    try:
        x, o = pair
        return Fraction(x), Fraction(o)
    except (TypeError, ValueError):
        raise wrong_type("the points of an ending", pair, "two numbers, those of X and of O") from None
