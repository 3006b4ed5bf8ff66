"""Payoffs: points for each way a game can end, best play for their difference, and exact expectations.

The default on 3x3 is the published scheme: X wins 3-0, O wins 0-5, Island 0-1, Arrow 0-1, Scorpion 1-0. On other boards
a draw is 0-0 unless said otherwise. ("Tic-Tac-Toe Analysis using Clojure", part 2.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from noughts.domain.arguments import whole_number, wrong_type
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError, shown
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.game import MarkingGame, Marks
from noughts.domain.position import Player, Position
from noughts.domain.spelling import nearby
from noughts.solving.classgraph import ClassGraph
from noughts.strategy.openings import move_classes
from noughts.strategy.patterns import DrawnPattern, drawn_classes
from noughts.strategy.playout import Distribution, Playout
from noughts.strategy.policies import Policy, PolicyLike, policy

__all__ = ["DEFAULT_POINTS", "Payoff", "parse_points", "payoff"]

Points = Mapping[str, tuple[Fraction, Fraction]]
"""For each ending, `X`, `O` or the name of a drawn pattern, the points of X and of O."""

DEFAULT_POINTS: Mapping[str, tuple[int, int]] = {
    "X": (3, 0),
    "O": (0, 5),
    "Island": (0, 1),
    "Scorpion": (1, 0),
    "Arrow": (0, 1),
}
_ENTRY = re.compile(r"\s*([A-Za-z][A-Za-z0-9 ]*?)\s*[=:]\s*(-?[0-9]+(?:/[0-9]+)?)\s*-\s*(-?[0-9]+(?:/[0-9]+)?)\s*")


@dataclass(frozen=True, repr=False)
class Payoff:
    """The points of each ending, and what they come to.

    `difference` is X's points less O's: under best play of both when neither plays by a policy; against the best
    response when one does; the expectation when both do. `x_points` and `o_points` are the expected points; None under
    best play of both, where only the difference is fixed. `openings` gives the same difference after each first move.
    """

    board: Board
    points: Points
    x: str
    o: str
    difference: Fraction
    x_points: Fraction | None
    o_points: Fraction | None
    openings: tuple[tuple[Cell, Fraction], ...]

    def __repr__(self) -> str:
        who = f"X {short(self.x, 20)}, O {short(self.o, 20)}"
        return f"<Payoff on {short(self.board)}, {who}: difference {short(self.difference, 30)}>"

    def as_dict(self) -> dict[str, object]:
        """Return the payoffs for JSON, fractions as text."""
        return {
            "board": self.board.spec,
            "points": {end: {"X": str(x), "O": str(o)} for end, (x, o) in self.points.items()},
            "x": self.x,
            "o": self.o,
            "difference": str(self.difference),
            "x_points": None if self.x_points is None else str(self.x_points),
            "o_points": None if self.o_points is None else str(self.o_points),
            "openings": [
                {"cell": cell_name(self.board, cell), "difference": str(value)} for cell, value in self.openings
            ],
        }


def parse_points(text: str) -> dict[str, tuple[Fraction, Fraction]]:
    """Read `X=3-0, O=0-5, Island=0-1`: for each ending the points of X and of O. Raises InputError."""
    found = {}
    for entry in text.split(","):
        match = _ENTRY.fullmatch(entry)
        if not match or any(part.endswith("/0") for part in match.groups()):
            raise InputError(f"{shown(entry)} is no payoff: write an ending and two numbers, as in X=3-0 or Island=0-1")
        found[match[1]] = (Fraction(match[2]), Fraction(match[3]))
    return found


def payoff(
    board: Board | str,
    points: Mapping[str, tuple[Fraction | int, Fraction | int]] | str | None = None,
    *,
    x: PolicyLike | None = None,
    o: PolicyLike | None = None,
    limit: int = LISTED_CLASSES,
) -> Payoff:
    """Return what a scheme of points comes to. A side without a policy plays best for the difference of points.

    `points` replaces entries of the default scheme; `draw` stands for all drawn patterns. Raises InputError for an
    ending that the board does not have, BudgetError for boards with more than `limit` position classes.

    >>> payoff("3x3").difference
    Fraction(1, 1)
    """
    board = Board.parse(board)
    whole_number("the limit", limit, 1)
    if points is not None and not isinstance(points, str | Mapping):
        raise wrong_type("the points", points, "text such as X=3-0,O=0-5, or a dictionary of endings")
    start = Position(board)
    require_listed(start, "playing for points", limit)
    drawn = drawn_classes(board)
    scheme = _scheme(drawn, parse_points(points) if isinstance(points, str) else points or {})
    names = {(p.position.x, p.position.o): p.name for p in drawn}
    players: dict[Player, Policy | None] = {
        "X": None if x is None else policy(board, x),
        "O": None if o is None else policy(board, o),
    }
    labels = {player: "best" if chosen is None else chosen.name for player, chosen in players.items()}
    after = [(cell, start.play(cell)) for cell, _ in move_classes(start)]
    if players["X"] is None and players["O"] is None:
        found = _minimax(board, names, scheme)
        openings = tuple((cell, found[position]) for cell, position in _numbered(board, after))
        return Payoff(board, scheme, labels["X"], labels["O"], found[0], None, None, openings)
    whole = _expected(start, players, names, scheme, limit)
    openings = tuple((cell, _difference(_expected(then, players, names, scheme, limit))) for cell, then in after)
    return Payoff(board, scheme, labels["X"], labels["O"], _difference(whole), whole[0], whole[1], openings)


def _scheme(drawn: tuple[DrawnPattern, ...], given: Mapping[str, tuple[Fraction | int, Fraction | int]]) -> Points:
    """Return the points of every ending: the default, with what was given instead."""
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


def _pair(pair: tuple[Fraction | int, Fraction | int]) -> tuple[Fraction, Fraction]:
    try:
        x, o = pair
        return Fraction(x), Fraction(o)
    except (TypeError, ValueError):
        raise wrong_type("the points of an ending", pair, "two numbers, those of X and of O") from None


def _minimax(board: Board, names: Mapping[tuple[int, int], str], scheme: Points) -> dict[int, Fraction]:
    """Return for each node of the class graph the difference of points under best play for it; node 0 is the start."""
    graph = ClassGraph(MarkingGame(board))
    found: dict[int, Fraction] = {}
    for number in range(len(graph.nodes) - 1, -1, -1):
        node = graph.nodes[number]
        if node.outcome is not None:
            x, o = scheme[names[node.state[:2]] if node.outcome == "draw" else node.outcome]
            found[number] = x - o
        else:
            best = max if graph.game.to_move(node.state) == "X" else min
            found[number] = best(found[child] for child, _ in node.children)
    return found


def _numbered(board: Board, after: list[tuple[Cell, Position]]) -> list[tuple[Cell, int]]:
    """Return the number that each position has in the class graph of the board."""
    first = ClassGraph(MarkingGame(board), to_ply=1)
    return [(cell, first.number_of(Marks(position.x, position.o))) for cell, position in after]


def _expected(
    start: Position,
    players: dict[Player, Policy | None],
    names: Mapping[tuple[int, int], str],
    scheme: Points,
    limit: int,
) -> tuple[Fraction, Fraction]:
    """Return the expected points of X and of O; a side without policy answers best for the difference."""

    def ending(position: Position) -> str:
        if position.outcome == "draw":
            return names[position.board.group().canonical(position.x, position.o)]
        assert position.outcome is not None
        return position.outcome

    def points(ends: Distribution) -> tuple[Fraction, Fraction]:
        x = sum((chance * scheme[str(end)][0] for end, chance in ends.items()), Fraction(0))
        return x, sum((chance * scheme[str(end)][1] for end, chance in ends.items()), Fraction(0))

    # X answers best, or O does; where both play by policies nothing is maximised.
    sign = 1 if players["X"] is None else -1

    def utility(ends: Distribution) -> tuple[Fraction, ...]:
        x, o = points(ends)
        return sign * (x - o), x if sign == 1 else o

    if start.is_terminal:
        return points({ending(start): Fraction(1)})
    return points(Playout(start, players, ending, utility, limit).run())


def _difference(points: tuple[Fraction, Fraction]) -> Fraction:
    return points[0] - points[1]
