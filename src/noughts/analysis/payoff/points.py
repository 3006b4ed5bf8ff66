"""Points for each way a game can end: schemes of them, best play for their difference, and exact expectations.

The default on 3x3 is the published scheme: X wins 3-0, O wins 0-5, Island 0-1, Arrow 0-1, Scorpion 1-0. On other boards
a draw is 0-0 by default. ("Tic-Tac-Toe Analysis using Clojure", part 2.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import sub
from typing import Any

from noughts.analysis.drawn import DrawnPattern, drawn_classes, names_of
from noughts.analysis.explain.facts import FromStart, move_classes, reachable, unfinished
from noughts.analysis.payoff.guarantee import Goal, Guarantee, Names, backward, ending_of, guarantee
from noughts.analysis.payoff.patterns import some_of
from noughts.analysis.payoff.playout import Distribution, Players, Playout, names_of_players
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, nearby, one_of, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import InputError, shown
from noughts.rules.game import LISTED_CLASSES, Marks, class_bound, require_listed
from noughts.rules.marks import Player
from noughts.rules.position import Position, PositionLike
from noughts.rules.values import FrozenDict, for_json
from noughts.solving.classgraph import class_graph

Points = Mapping[str, tuple[Fraction, Fraction]]
"""For each ending, `X`, `O` or the name of a drawn pattern, the points of X and of O."""

PointsLike = Mapping[str, tuple[Fraction | int, Fraction | int]] | str
"""Points as input: a dictionary, or text such as `X=3-0,O=0-5`."""

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
            raise InputError(f"{shown(entry)} is not a payoff: write an ending and two numbers, such as X=3-0")
        found[match[1]] = (Fraction(match[2]), Fraction(match[3]))
    return found


def points_text(points: Points) -> str:
    """Return a scheme as it is typed; `parse_points` reads it.

    >>> points_text({"X": (Fraction(3), Fraction(0)), "Island": (Fraction(0), Fraction(1, 2))})
    'X=3-0,Island=0-1/2'
    """
    return ",".join(f"{ending}={x}-{o}" for ending, (x, o) in points.items())


def named_points(points: Points) -> str:
    """Return the entries of a scheme that differ from the default, as they are typed; `draw` for all draws.

    >>> named_points({"X": (Fraction(3), Fraction(0)), "Island": (Fraction(0), Fraction(2))})
    'draw=0-2'
    """
    other = {name: pair for name, pair in points.items() if pair != _pair(DEFAULT_POINTS.get(name, (0, 0)))}
    draws = {name: pair for name, pair in points.items() if name not in ("X", "O")}
    if len(set(draws.values())) == 1 and draws.keys() & other.keys():
        other = {name: pair for name, pair in other.items() if name not in draws} | {"draw": next(iter(draws.values()))}
    return points_text(other)


def _given(points: PointsLike | None) -> Mapping[str, tuple[Fraction | int, Fraction | int]]:
    """Return the points of the named endings. Raises InputError, InvalidType."""
    if points is not None and not isinstance(points, str | Mapping):
        raise wrong_type("the points", points, "text such as X=3-0,O=0-5, or a dictionary of endings")
    return parse_points(points) if isinstance(points, str) else points or {}


def scheme_of(drawn: tuple[DrawnPattern, ...], points: PointsLike | None) -> Points:
    """Return the points of every ending: those given, else the default. Raises InputError, InvalidType."""
    names = [pattern.name for pattern in drawn]
    scheme = {name: _pair(DEFAULT_POINTS.get(name, (0, 0))) for name in ["X", "O", *names]}
    spelled, by_name = {name.lower(): name for name in scheme}, dict[str, tuple[Fraction, Fraction]]()
    for name, pair in _given(points).items():
        if not isinstance(name, str):
            raise wrong_type("an ending", name, "X, O, draw or the name of a pattern")
        if name.lower() == "draw":
            scheme |= dict.fromkeys(names, _pair(pair))
        elif name.lower() in spelled:
            by_name[spelled[name.lower()]] = _pair(pair)
        else:
            endings = ", ".join(["X", "O", *([some_of(names)] if names else [])])
            raise InputError(f"no game here ends in {shown(name)}: the endings are {endings}{nearby(name, names)}")
    return FrozenDict(scheme | by_name)  # a pattern given by name overrides `draw` in any order


def named_endings(scheme: Points, points: PointsLike | None) -> set[str]:
    """Return the endings of a scheme whose points were given, by name or as `draw`."""
    named = {name.lower() for name in _given(points)}
    return {name for name in scheme if name.lower() in named or ("draw" in named and name not in ("X", "O"))}


def unnamed_endings(scheme: Points, points: PointsLike | None) -> tuple[str, ...]:
    """Return the endings that keep the default points although points of others were given; `scheme` is of `points`.

    Empty if no points were given.
    """
    named = named_endings(scheme, points)
    return tuple(name for name in scheme if name not in named) if _given(points) else ()


def _pair(pair: tuple[Fraction | int, Fraction | int]) -> tuple[Fraction, Fraction]:
    try:
        x, o = pair
        return Fraction(x), Fraction(o)
    except (TypeError, ValueError):
        raise wrong_type("the points of an ending", pair, "two numbers, those of X and of O") from None


@dataclass(frozen=True)
class Scored:
    """A position, the points of each ending of play from there, and the names of the drawn patterns.

    `unnamed` are the endings that keep the default points although points of others were given.
    """

    start: Position
    points: Points
    names: Names
    unnamed: tuple[str, ...]

    def difference(self, ending: str) -> Fraction:
        """Return X's points minus O's."""
        x, o = self.points[ending]
        return x - o

    def endings(self, start: Position, players: Players, limit: int) -> Distribution:
        """Return the probability of each ending; a side without a policy maximises its difference."""

        def ending(position: Position) -> str:
            if position.outcome == "draw":
                return self.names[position.board.group().canonical(position.x, position.o)]
            return str(position.outcome)

        def utility(ends: Distribution) -> tuple[Fraction, ...]:
            """Return the difference and the points of the side without a policy."""
            x, o = self.expected(ends)
            return (x - o, x) if players["X"] is None else (o - x, o)

        if start.is_terminal:
            return {ending(start): Fraction(1)}
        return Playout(start, players, ending, utility, limit).run()

    def expected(self, ends: Distribution) -> tuple[Fraction, Fraction]:
        """Return the expected points of X and of O."""
        x, o = (sum((chance * self.points[end][i] for end, chance in ends.items()), Fraction(0)) for i in (0, 1))
        return x, o


def scored(at: Position, points: PointsLike | None, limit: int, *, what: str = "playing for points") -> Scored:
    """Return a position with the points of its endings.

    Raises InputError for an ending that the board does not have, BudgetError for more than `limit` position classes.
    """
    require_listed(at, what, whole_number("the limit", limit, 1), has_option=True)
    drawn = drawn_classes(at.board)
    scheme = scheme_of(drawn, points)
    return Scored(at, scheme, names_of(drawn), unnamed_endings(scheme, points))


def secure(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    player: str = "X",
    points: PointsLike | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Guarantee:
    """Return the strategy with which a player guarantees the best difference of points from a position.

    Parameters
    ----------
    board, start
        The board, and the position; the empty board by default.
    player
        X or O.
    points, limit
        As for `payoff`.
    progress
        Receives what is being done.

    Returns
    -------
    Guarantee
        `value` is the player's points minus the opponent's.

    Raises
    ------
    InputError, BudgetError
        As `payoff` does.

    >>> secure("3x3", player="X").value, secure("3x3", player="O").value
    (Fraction(1, 1), Fraction(-1, 1))
    """
    at = unfinished(board, start)
    function_or_none("progress", progress)
    owner: Player = "X" if one_of("the player", player, ("X", "O")) == "X" else "O"
    found, sign = scored(at, points, limit), 1 if owner == "X" else -1
    values = FrozenDict({ending: sign * found.difference(ending) for ending in found.points})
    return guarantee(at, Goal(owner, owner, (), values), found.names, progress or silent)


@dataclass(frozen=True, repr=False)
class ForPoints(FromStart):
    """A result that depends on the points of each ending.

    `unnamed` are the endings that keep the default points although points of others were given.
    """

    points: Points
    unnamed: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the result for JSON; `unnamed` only where there are such endings."""
        found = super().as_dict()
        found["points"] = {ending: for_json({"X": x, "O": o}) for ending, (x, o) in self.points.items()}
        if not self.unnamed:
            del found["unnamed"]
        return found


@dataclass(frozen=True, repr=False)
class Payoff(ForPoints):
    """The points of each ending, and the result of play for points.

    `difference` is X's points minus O's: under best play of both if neither has a policy; with the best response if one
    has; the expectation if both have. `x_points` and `o_points` are the expected points, None under best play of both,
    where only the difference is fixed. `openings` has the difference after each first move.
    `unnamed` are the endings that keep the default points although points of others were given.
    """

    x: str
    o: str
    difference: Fraction
    x_points: Fraction | None
    o_points: Fraction | None
    openings: tuple[tuple[Move, Fraction], ...]
    keys = "board position=start points unnamed x o difference x_points o_points openings"

    def as_dict(self) -> dict[str, Any]:
        """Return the payoffs for JSON; `unnamed` only where there are such endings."""
        openings = [for_json({"cell": move, "difference": value}) for move, value in self.openings]
        return super().as_dict() | {"openings": openings}


def payoff(
    board: Board | str,
    points: PointsLike | None = None,
    *,
    start: PositionLike | None = None,
    x: PolicyLike | None = None,
    o: PolicyLike | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Payoff:
    """Return the result of play for points. A side without a policy plays best for the difference of points.

    Parameters
    ----------
    board, start
        The board, and an unfinished position; the empty board by default.
    points
        Entries that replace those of the default scheme; `draw` means all drawn patterns.
    x, o
        Policies; None plays best.
    limit
        The most position classes.
    progress
        Receives the number of finished classes.

    Raises
    ------
    InputError
        The board does not have an ending.
    BudgetError
        There may be more than `limit` classes.

    >>> payoff("3x3").difference
    Fraction(1, 1)
    """
    board = Board.parse(board)
    function_or_none("progress", progress)
    at = reachable(board, None) if start is None else unfinished(board, start)
    game = scored(at, points, limit)
    players: Players = {"X": x if x is None else policy(board, x), "O": o if o is None else policy(board, o)}
    after = [(cell, at.play(cell)) for cell, _ in move_classes(at)]
    whole: tuple[Fraction | None, Fraction | None] = (None, None)
    if x is None and o is None:
        graph = class_graph(board, at, progress=progress or silent)
        found = backward(
            graph,
            lambda node: game.difference(ending_of(game.names, node)),
            lambda below: max(below),
            lambda below: min(below),
        )
        difference = found[0]
        differences = [found[graph.number_of(Marks(then.x, then.o))] for _, then in after]
    else:
        room = max([limit, *(class_bound(then) for _, then in after)])
        x_points, o_points = whole = game.expected(game.endings(at, players, limit))
        difference = x_points - o_points
        differences = [sub(*game.expected(game.endings(then, players, room))) for _, then in after]
    openings = tuple((cell, value) for (cell, _), value in zip(after, differences, strict=True))
    return Payoff(at, game.points, game.unnamed, *names_of_players(players), difference, *whole, openings)
