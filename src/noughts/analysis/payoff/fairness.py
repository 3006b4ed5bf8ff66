"""Schemes of points compared: the score of many games, several schemes side by side, and the fairest ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import Any

from noughts.analysis.explain.facts import FromStart, unfinished
from noughts.analysis.payoff.guarantee import backward, ending_of, meet, unite
from noughts.analysis.payoff.playout import Players, names_of_players, players_of
from noughts.analysis.payoff.points import (
    ForPoints,
    Payoff,
    Points,
    PointsLike,
    named_endings,
    payoff,
    points_text,
    scored,
)
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.rules.arguments import flag, whole_number, wrong_type
from noughts.rules.board import Board, require_marking
from noughts.rules.cells import Move
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.game import LISTED_CLASSES
from noughts.rules.position import PositionLike
from noughts.rules.values import FrozenDict, Result, for_json, roughly
from noughts.solving.classgraph import class_graph

_BITS = 12_000_000
"""The most bits of a power: some seconds."""
_ENDINGS = 8
"""The most endings for which the sets that X can force are stored: 2^8 bits for each class."""
_SCHEMES = 400_000
"""The most schemes in a search: some seconds."""

Scores = Mapping[Fraction, Fraction]
"""For each difference of points, the first player's less the second's, its probability."""


@dataclass(frozen=True, repr=False)
class Running(ForPoints):
    """The score of a number of games. The first player plays by `x`, the second by `o`.

    The first player plays X in every game or, with `swap`, in every second game. `distribution` maps each difference,
    the first player's points minus the second's, to its probability. `course` has the chances that the first player is
    ahead, level or behind after some numbers of games. `unnamed` is as in a payoff.
    """

    x: str
    o: str
    games: int
    swap: bool
    distribution: FrozenDict[Fraction, Fraction]
    course: tuple[tuple[int, Fraction, Fraction, Fraction], ...]
    keys = "board position=start first=x second=o points unnamed games swap expected variance course distribution"

    @cached_property
    def expected(self) -> Fraction:
        """The expected difference."""
        return sum((score * chance for score, chance in self.distribution.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the difference."""
        squares = sum((score**2 * chance for score, chance in self.distribution.items()), Fraction(0))
        return squares - self.expected**2

    @property
    def ahead(self) -> Fraction:
        """The probability that the first player is ahead at the end."""
        return self.course[-1][1]

    @property
    def level(self) -> Fraction:
        """The probability that neither player is ahead at the end."""
        return self.course[-1][2]

    @property
    def behind(self) -> Fraction:
        """The probability that the second player is ahead at the end."""
        return self.course[-1][3]

    def as_dict(self) -> dict[str, Any]:
        """Return the score for JSON; `unnamed` only where there are such endings."""
        names = ("games", "first_ahead", "level", "second_ahead")
        course = [for_json(dict(zip(names, row, strict=True))) for row in self.course]
        scores = [for_json({"difference": score, "probability": p}) for score, p in self.distribution.items()]
        return super().as_dict() | {"course": course, "distribution": scores}


def running_score(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    games: int = 10,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    points: PointsLike | None = "X=1-0,O=0-1,draw=0-0",
    swap: bool = False,
    limit: int = LISTED_CLASSES,
) -> Running:
    """Return the exact distribution of the score after a number of games between two policies, from one position.

    Games are independent. So the score after n games is the n-th power of the score of one, as a polynomial whose
    exponents are differences of points.

    Parameters
    ----------
    board, start
        The board, and the position at which each game starts; the empty board by default.
    games
        The number of games.
    x, o
        The policies of the first and the second player; one of them may be `best`.
    points
        As for `payoff`; None is the published scheme.
    swap
        Whether the players take turns with X.
    limit
        The most position classes.

    Raises
    ------
    InputError
        As `match` does.
    BudgetError
        There may be more than `limit` classes, or the games are too many.

    >>> running_score("3x3", games=2, swap=True).expected
    Fraction(0, 1)
    """
    at = unfinished(board, start)
    require_marking(at.board, "a running score")
    games = whole_number("the games", games, 1)
    flag("swap", swap)
    players = players_of(at.board, x, o)
    game = scored(at, points, limit, what="playing policies out")

    def one(sides: Players, sign: int) -> Scores:
        found: dict[Fraction, Fraction] = {}
        for end, chance in game.endings(at, sides, limit).items():
            score = sign * game.difference(end)
            found[score] = found.get(score, Fraction(0)) + chance
        return found

    rounds = [one(players, 1)]
    if swap:
        rounds.append(one({"X": players["O"], "O": players["X"]}, -1))
    _require_short(rounds, games)
    stops = [n * 10**k for k in range(len(str(games))) for n in (1, 2, 5) if n * 10**k < games]
    course = []
    for n in (*stops, games):
        scores = _total(rounds, n)
        ahead = sum((chance for score, chance in scores.items() if score > 0), Fraction(0))
        level = scores.get(Fraction(0), Fraction(0))
        course.append((n, ahead, level, 1 - ahead - level))
    whole = FrozenDict(sorted(scores.items()))
    return Running(at, game.points, game.unnamed, *names_of_players(players), games, swap, whole, tuple(course))


def _scale(rounds: list[Scores]) -> int:
    """Return the factor that makes all differences whole."""
    return lcm(*(score.denominator for scores in rounds for score in scores))


def _require_short(rounds: list[Scores], games: int) -> None:
    """Raise BudgetError if the power would be too long."""
    scale = _scale(rounds)
    spread = max(int((max(scores) - min(scores)) * scale) for scores in rounds)
    bits = max(lcm(*(chance.denominator for chance in scores.values())).bit_length() for scores in rounds)
    if (games * spread + 1) * (games * bits + 1) > _BITS:
        most = int((_BITS / ((spread + 1) * (bits + 1))) ** 0.5)
        raise BudgetError(
            f"exact scores of {games:,} games have too many digits: ask for about {max(most, 1):,} games, or "
            "smaller whole points"
        )


def _total(rounds: list[Scores], games: int) -> Scores:
    """Return the distribution of the sum over games, the rounds taken in turn.

    The power is taken of one long integer, whose digits are the coefficients of the polynomial.
    """
    times = [(games + len(rounds) - 1 - i) // len(rounds) for i in range(len(rounds))]
    scale = _scale(rounds)
    common = [lcm(*(chance.denominator for chance in scores.values())) for scores in rounds]
    width = sum(n * many.bit_length() for n, many in zip(times, common, strict=True)) // 8 + 1  # bytes of a digit
    whole, denominator, lowest, digits = 1, 1, 0, 1
    for scores, n, many in zip(rounds, times, common, strict=True):
        least, most = (int(end(scores) * scale) for end in (min, max))
        packed = sum(int(chance * many) << 8 * width * (int(score * scale) - least) for score, chance in scores.items())
        whole, denominator = whole * packed**n, denominator * many**n
        lowest, digits = lowest + least * n, digits + (most - least) * n
    raw = whole.to_bytes(width * digits, "little")
    parts = (int.from_bytes(raw[width * at : width * (at + 1)], "little") for at in range(digits))
    return {Fraction(lowest + at, scale): Fraction(part, denominator) for at, part in enumerate(parts) if part}


@dataclass(frozen=True, repr=False)
class SchemeRow(Result):
    """A scheme with its payoff under best play of both players, and between two policies."""

    best: Payoff
    met: Payoff
    keys = (
        "points=text difference=best.difference best_moves expected=met.difference x_points=met.x_points "
        "o_points=met.o_points"
    )

    @property
    def text(self) -> str:
        """The scheme as it is typed."""
        return points_text(self.best.points)

    @property
    def best_moves(self) -> list[Move]:
        """The first moves that keep the difference under best play."""
        return [move for move, value in self.best.openings if value == self.best.difference]


@dataclass(frozen=True, repr=False)
class Schemes(FromStart):
    """Schemes of points side by side: under best play, and between the policies `x` and `o`."""

    x: str
    o: str
    rows: tuple[SchemeRow, ...]
    keys = "board position=start x o schemes=rows"


def compare_points(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    schemes: Sequence[PointsLike | None] = (None, "X=1-0,O=0-1,draw=0-0"),
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
) -> Schemes:
    """Return the payoffs of several schemes side by side: under best play of both, and between two policies.

    Parameters
    ----------
    board, start
        The board, and the position; the empty board by default.
    schemes
        Each as for `payoff`; None is the default scheme.
    x, o
        Two policies.
    limit
        The most position classes.

    Returns
    -------
    Schemes
        A row for each scheme.

    Raises
    ------
    InputError, BudgetError
        As `payoff` does.

    >>> [str(row.best.difference) for row in compare_points("3x3").rows]
    ['1', '0']
    """
    at = unfinished(board, start)
    if isinstance(schemes, str | bytes) or not isinstance(schemes, Sequence) or not schemes:
        raise wrong_type("the schemes", schemes, "one or more schemes, each text such as X=3-0,O=0-5 or a dictionary")
    rows = []
    for each in schemes:
        best = payoff(at.board, each, start=at, limit=limit)
        rows.append(SchemeRow(best, payoff(at.board, each, start=at, x=x, o=o, limit=limit)))
    return Schemes(at, policy(at.board, x).name, policy(at.board, o).name, tuple(rows))


@dataclass(frozen=True, repr=False)
class Fairest(FromStart):
    """The fairest schemes, all equally fair, and the number of schemes considered."""

    x: str
    o: str
    most: int
    considered: int
    difference: Fraction
    """X's points minus O's under best play of both."""
    expected: Fraction
    """The same between the policies."""
    schemes: tuple[Points, ...]
    endings: tuple[str, ...] = ()
    """The endings that are possible; the points of the others do not matter."""
    keys = "board position=start x o most considered difference expected schemes=texts"

    @property
    def texts(self) -> tuple[str, ...]:
        """The schemes as they are typed, without impossible endings."""
        return tuple(points_text({ending: scheme[ending] for ending in self.endings}) for scheme in self.schemes)


def fairest_points(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    most: int = 5,
    points: PointsLike | None = None,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
) -> Fairest:
    """Return the fairest schemes of whole points up to `most`, those equally fair together.

    *Fairest* means first that the difference of points under best play of both is nearest 0. Then the expected
    difference between two policies is nearest 0; then the sum of all points is least. A win counts more for the winner
    than any draw. Each ending gives points to one side.

    Parameters
    ----------
    board, start
        The board, and the position; the empty board by default.
    most
        The most points of an ending.
    points
        Endings named here keep their points, and so do patterns that are no longer possible.
    x, o
        The two policies.
    limit
        The most position classes.

    Returns
    -------
    Fairest
        The schemes, and how many were considered.

    Raises
    ------
    BudgetError
        There are too many schemes, endings or position classes.

    >>> found = fairest_points("3x3", most=2)
    >>> str(found.difference), found.considered
    ('0', 44)
    """
    at = unfinished(board, start)
    most = whole_number("the most points", most, 1)
    players: Players = {"X": policy(at.board, x), "O": policy(at.board, o)}
    game = scored(at, points, limit)
    chances = game.endings(at, players, limit)
    graph = class_graph(at.board, at)
    met = {ending_of(game.names, node) for node in graph.nodes if node.outcome is not None}
    endings = [ending for ending in game.points if ending in met]
    if len(endings) > _ENDINGS:
        raise BudgetError(f"{at.board} has {len(endings)} endings, and schemes are searched for up to {_ENDINGS}")
    ranges = {e: range(*{"X": (1, most + 1), "O": (-most, 0)}.get(e, (-most, most + 1))) for e in endings}
    fixed = {e: game.difference(e) for e in endings if e in named_endings(game.points, points)}
    many = prod(each.stop - each.start for e, each in ranges.items() if e not in fixed)  # len() ends at 2^63
    if many > _SCHEMES:
        raise BudgetError(
            f"{roughly(many)} schemes are more than the limit of {_SCHEMES:,}: ask for fewer points, or give some"
        )
    holding = {e: sum(1 << s for s in range(1 << len(endings)) if s >> i & 1) for i, e in enumerate(endings)}
    forced = backward(graph, lambda node: holding[ending_of(game.names, node)], unite, meet)[0]
    choices = {e: [fixed[e]] if e in fixed else list(map(Fraction, ranges[e])) for e in endings}
    considered, best = _fairest_of(choices, most, forced, chances)
    if not best:
        raise InputError("no scheme is left in which a win counts more than every draw: give fewer points")
    schemes = []
    for _, _, chosen in best:
        free = {e: (max(d, Fraction(0)), max(-d, Fraction(0))) for e, d in zip(endings, chosen, strict=True)}
        schemes.append(FrozenDict({**game.points, **{e: pair for e, pair in free.items() if e not in fixed}}))
    return Fairest(at, *names_of_players(players), most, considered, *best[0][1], tuple(schemes), tuple(endings))


_Candidate = tuple[tuple[Fraction, ...], tuple[Fraction, Fraction], tuple[Fraction, ...]]
"""The unfairness of a scheme, its differences under best play and between the policies, and those of its endings."""


def _fairest_of(
    choices: Mapping[str, Sequence[Fraction]], most: int, forced: int, chances: Mapping[str, Fraction]
) -> tuple[int, list[_Candidate]]:
    """Return how many schemes were considered, and the fairest of them, by the differences of their endings.

    Under best play only the order of the endings matters: X can guarantee a difference of at least t if X can force
    the set of endings that give as much. So one backward pass decides all schemes. Bit s of `forced` says whether X can
    force the set of endings whose bits are those of s.
    """
    best: list[_Candidate] = []
    considered = 0
    for chosen in product(*choices.values()):
        by = dict(zip(choices, chosen, strict=True))
        top, low = by.get("X", Fraction(most)), by.get("O", Fraction(-most))
        if any(not low < value < top for ending, value in by.items() if ending not in ("X", "O")):
            continue
        considered += 1
        value = _value(chosen, forced)
        expected = sum((chances.get(e, Fraction(0)) * d for e, d in by.items()), Fraction(0))
        key = (abs(value), abs(expected), sum(map(abs, chosen), Fraction(0)))
        if not best or key <= best[0][0]:
            best = [*(best if best and key == best[0][0] else []), (key, (value, expected), chosen)]
    return considered, best


def _value(differences: Sequence[Fraction], forced: int) -> Fraction:
    """Return the difference under best play: the largest that X can force to be reached."""
    return next(
        least
        for least in sorted(set(differences), reverse=True)
        if forced >> sum(1 << i for i, d in enumerate(differences) if d >= least) & 1
    )
