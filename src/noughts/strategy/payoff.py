"""Payoffs: points for each way a game can end, best play for their difference, and exact expectations.

The default on 3x3 is the published scheme: X wins 3-0, O wins 0-5, Island 0-1, Arrow 0-1, Scorpion 1-0. On other boards
a draw is 0-0 unless said otherwise. ("Tic-Tac-Toe Analysis using Clojure", part 2.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from noughts.domain.arguments import function_or_none, whole_number
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.extent import LISTED_CLASSES, class_bound, require_listed
from noughts.domain.frozen import short
from noughts.domain.game import Marks
from noughts.domain.position import Player, Position
from noughts.machine.progress import Progress, silent
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.strategy.explain import unfinished
from noughts.strategy.guarantee import ending_of
from noughts.strategy.openings import move_classes
from noughts.strategy.patterns import drawn_classes
from noughts.strategy.playout import Distribution, Playout
from noughts.strategy.policies import Policy, PolicyLike, policy
from noughts.strategy.schemes import Points, PointsLike, scheme_of, unnamed_endings

__all__ = ["Payoff", "endings_of", "payoff"]


@dataclass(frozen=True, repr=False)
class Payoff:
    """The points of each ending, and what they come to.

    `difference` is X's points less O's: under best play of both when neither plays by a policy; against the best
    response when one does; the expectation when both do. `x_points` and `o_points` are the expected points; None under
    best play of both, where only the difference is fixed. `openings` gives the same difference after each first move.
    `unnamed` are the endings that keep the points of the default scheme where those of others were given.
    """

    start: Position
    points: Points
    x: str
    o: str
    difference: Fraction
    x_points: Fraction | None
    o_points: Fraction | None
    openings: tuple[tuple[Cell, Fraction], ...]
    unnamed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        who = f"X {short(self.x, 20)}, O {short(self.o, 20)}"
        return f"<Payoff on {short(self.board)}, {who}: difference {short(self.difference, 30)}>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    def as_dict(self) -> dict[str, object]:
        """Return the payoffs for JSON, fractions as text."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "points": {end: {"X": str(x), "O": str(o)} for end, (x, o) in self.points.items()},
            **({"unnamed": list(self.unnamed)} if self.unnamed else {}),
            "x": self.x,
            "o": self.o,
            "difference": str(self.difference),
            "x_points": None if self.x_points is None else str(self.x_points),
            "o_points": None if self.o_points is None else str(self.o_points),
            "openings": [
                {"cell": cell_name(self.board, cell), "difference": str(value)} for cell, value in self.openings
            ],
        }


def payoff(
    board: Board | str,
    points: PointsLike | None = None,
    *,
    start: Position | str | None = None,
    x: PolicyLike | None = None,
    o: PolicyLike | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> Payoff:
    """Return what a scheme of points comes to. A side without a policy plays best for the difference of points.

    `points` replaces entries of the default scheme; `draw` stands for all drawn patterns. `start` is the empty board
    unless given. Raises InputError for an ending that the board does not have, BudgetError where there may be more than
    `limit` position classes; `progress` is told the classes gone through.

    >>> payoff("3x3").difference
    Fraction(1, 1)
    """
    board = Board.parse(board)
    whole_number("the limit", limit, 1)
    function_or_none("progress", progress)
    at = Position(board) if start is None else unfinished(board, start)
    require_listed(at, "playing for points", limit, has_option=True)
    drawn = drawn_classes(board)
    scheme = scheme_of(drawn, points)
    unnamed = unnamed_endings(scheme, points)
    names = {(p.position.x, p.position.o): p.name for p in drawn}
    players: dict[Player, Policy | None] = {
        "X": None if x is None else policy(board, x),
        "O": None if o is None else policy(board, o),
    }
    labels = {player: "best" if chosen is None else chosen.name for player, chosen in players.items()}
    after = [] if at.is_terminal else [(cell, at.play(cell)) for cell, _ in move_classes(at)]
    if players["X"] is None and players["O"] is None:
        graph = class_graph(board, at, progress=progress or silent)
        found = _minimax(graph, names, scheme)
        openings = tuple((cell, found[graph.number_of(Marks(then.x, then.o))]) for cell, then in after)
        return Payoff(at, scheme, labels["X"], labels["O"], found[0], None, None, openings, unnamed)
    whole = _expected(at, players, names, scheme, limit)
    room = max([limit, *(class_bound(then) for _, then in after)])  # what comes after the start is a part of it
    openings = tuple((cell, _difference(_expected(then, players, names, scheme, room))) for cell, then in after)
    return Payoff(at, scheme, labels["X"], labels["O"], _difference(whole), *whole, openings, unnamed)


def _minimax(graph: ClassGraph[Marks], names: Mapping[tuple[int, int], str], scheme: Points) -> dict[int, Fraction]:
    """Return for each node of the class graph the difference of points under best play for it; node 0 is the start."""
    found: dict[int, Fraction] = {}
    for number, node in graph.backward():
        if node.outcome is not None:
            x, o = scheme[ending_of(names, node)]
            found[number] = x - o
        else:
            best = max if graph.game.to_move(node.state) == "X" else min
            found[number] = best(found[child] for child, _ in node.children)
    return found


def endings_of(
    start: Position,
    players: dict[Player, Policy | None],
    names: Mapping[tuple[int, int], str],
    scheme: Points,
    limit: int,
) -> Distribution:
    """Return the probability of each ending; a side without policy answers best for the difference of points."""

    def ending(position: Position) -> str:
        if position.outcome == "draw":
            return names[position.board.group().canonical(position.x, position.o)]
        assert position.outcome is not None
        return position.outcome

    def utility(ends: Distribution) -> tuple[Fraction, ...]:
        """What X, or else O, makes the most of where the other plays by a policy: the difference, then the points."""
        x, o = _points(ends, scheme)
        return (x - o, x) if players["X"] is None else (o - x, o)

    if start.is_terminal:
        return {ending(start): Fraction(1)}
    return Playout(start, players, ending, utility, limit).run()


def _points(ends: Distribution, scheme: Points) -> tuple[Fraction, Fraction]:
    """Return the expected points of X and of O."""
    x = sum((chance * scheme[str(end)][0] for end, chance in ends.items()), Fraction(0))
    return x, sum((chance * scheme[str(end)][1] for end, chance in ends.items()), Fraction(0))


def _expected(
    start: Position,
    players: dict[Player, Policy | None],
    names: Mapping[tuple[int, int], str],
    scheme: Points,
    limit: int,
) -> tuple[Fraction, Fraction]:
    return _points(endings_of(start, players, names, scheme, limit), scheme)


def _difference(points: tuple[Fraction, Fraction]) -> Fraction:
    return points[0] - points[1]
