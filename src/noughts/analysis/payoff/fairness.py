"""The running score of many games between two policies: its exact distribution, and how likely who is ahead.

Games are independent, so the score after n games is the n-th power of that of one, as a polynomial whose exponents are
differences of points. The power is taken of one long integer, whose digits are the coefficients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod

from noughts.analysis.explain.facts import unfinished
from noughts.analysis.payoff.guarantee import Names, ending_of
from noughts.analysis.payoff.patterns import drawn_classes
from noughts.analysis.payoff.playout import BEST
from noughts.analysis.payoff.points import (
    Payoff,
    Points,
    PointsLike,
    endings_of,
    parse_points,
    payoff,
    points_text,
    scheme_of,
    unnamed_endings,
)
from noughts.analysis.policies.policy import Policy
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.rules.arguments import flag, is_word, whole_number, wrong_type
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.game import LISTED_CLASSES, require_listed
from noughts.rules.marks import Player
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict, roughly, short
from noughts.solving.classgraph import ClassGraph, class_graph

_BITS = 12_000_000
"""Length of the long integer up to which powers are taken: some seconds."""
_MILESTONES = (1, 2, 5)

Scores = Mapping[Fraction, Fraction]
"""For each difference of points, the first player's less the second's, its probability."""


@dataclass(frozen=True, repr=False)
class Running:
    """The score of a number of games. The first player plays by `x`, the second by `o`.

    The first plays X in every game or, where they `swap`, in the first, the third and so on. `distribution` gives for
    each difference, the first player's points less the second's, its probability; `course` how likely the first is
    ahead, level and behind after some numbers of games. `unnamed` are as in a payoff.
    """

    start: Position
    x: str
    o: str
    points: Points
    games: int
    swap: bool
    distribution: FrozenDict[Fraction, Fraction]
    course: tuple[tuple[int, Fraction, Fraction, Fraction], ...]
    unnamed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        who = f"{short(self.x, 20)} against {short(self.o, 20)}"
        return f"<Running score on {short(self.board)}, {who}: {self.games:,} games>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

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
        """The probability that neither is."""
        return self.course[-1][2]

    @property
    def behind(self) -> Fraction:
        """The probability that the second player is ahead at the end."""
        return self.course[-1][3]

    def as_dict(self) -> dict[str, object]:
        """Return the score for JSON, fractions as text."""
        return {
            "board": self.board.spec,
            "position": str(self.start),
            "first": self.x,
            "second": self.o,
            "points": {end: {"X": str(x), "O": str(o)} for end, (x, o) in self.points.items()},
            **({"unnamed": list(self.unnamed)} if self.unnamed else {}),
            "games": self.games,
            "swap": self.swap,
            "expected": str(self.expected),
            "variance": str(self.variance),
            "course": [
                {"games": n, "first_ahead": str(ahead), "level": str(level), "second_ahead": str(behind)}
                for n, ahead, level, behind in self.course
            ],
            "distribution": [
                {"difference": str(score), "probability": str(chance)} for score, chance in self.distribution.items()
            ],
        }


def running_score(
    board: Board | str,
    start: Position | str | None = None,
    *,
    games: int = 10,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    points: PointsLike | None = "X=1-0,O=0-1,draw=0-0",
    swap: bool = False,
    limit: int = LISTED_CLASSES,
) -> Running:
    """Return the exact distribution of the score after a number of games between two policies, from one position.

    One of them may be `best`. `points` are as for `payoff`, one for a win unless given; None is the published scheme.
    With `swap` the players take turns with X. Raises InputError as `versus` does, and BudgetError where there may be
    more than `limit` position classes, or for too many games. Cost: a power of a polynomial of as many terms as there
    are scores.

    >>> running_score("3x3", games=2, swap=True).expected
    Fraction(0, 1)
    """
    at = unfinished(board, start)
    whole_number("the games", games, 1)
    whole_number("the limit", limit, 1)
    flag("swap", swap)
    if is_word(x, BEST) and is_word(o, BEST):
        raise InputError("only one side can be the best response to the other: choose a policy for X or for O")
    require_listed(at, "playing policies out", limit, has_option=True)
    first, second = (None if is_word(p, BEST) else policy(at.board, p) for p in (x, o))
    drawn = drawn_classes(at.board)
    scheme, names = scheme_of(drawn, points), {(p.position.x, p.position.o): p.name for p in drawn}

    def one(players: dict[Player, Policy | None], sign: int) -> Scores:
        found: dict[Fraction, Fraction] = {}
        for end, chance in endings_of(at, players, names, scheme, limit).items():
            mine, theirs = scheme[str(end)]
            score = sign * (mine - theirs)
            found[score] = found.get(score, Fraction(0)) + chance
        return found

    rounds = [one({"X": first, "O": second}, 1)]
    if swap:
        rounds.append(one({"X": second, "O": first}, -1))
    _require_short(rounds, games)
    stops = sorted({*_stops(games), games})
    scores = {n: _total(rounds, n) for n in stops}
    course = tuple((n, *_standing(scores[n])) for n in stops)
    named = [BEST if p is None else p.name for p in (first, second)]
    whole = FrozenDict(sorted(scores[games].items()))
    return Running(at, named[0], named[1], scheme, games, swap, whole, course, unnamed_endings(scheme, points))


def _stops(games: int) -> list[int]:
    """Return 1, 2, 5, 10, 20, 50, ... below a number of games."""
    return [n * 10**k for k in range(len(str(games))) for n in _MILESTONES if n * 10**k < games]


def _standing(scores: Scores) -> tuple[Fraction, Fraction, Fraction]:
    ahead = sum((chance for score, chance in scores.items() if score > 0), Fraction(0))
    level = scores.get(Fraction(0), Fraction(0))
    return ahead, level, 1 - ahead - level


def _scale(rounds: list[Scores]) -> int:
    """Return the number that makes all differences whole."""
    return lcm(*(score.denominator for scores in rounds for score in scores))


def _require_short(rounds: list[Scores], games: int) -> None:
    """Raise BudgetError where the long integer would be too long."""
    scale = _scale(rounds)
    spread = max(int((max(scores) - min(scores)) * scale) for scores in rounds)
    bits = max(lcm(*(chance.denominator for chance in scores.values())).bit_length() for scores in rounds)
    if (games * spread + 1) * (games * bits + 1) > _BITS:
        most = int((_BITS / ((spread + 1) * (bits + 1))) ** 0.5)
        raise BudgetError(
            f"the exact scores of {games:,} games have too many digits: ask for up to about {max(most, 1):,} games, or "
            "for points that are small whole numbers"
        )


def _total(rounds: list[Scores], games: int) -> Scores:
    """Return the distribution of the sum over games, the rounds taken in turn."""
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


# Several schemes of points compared, and the fairest: by what each comes to under best play and between two policies.
#
# *Fairest* means, in this order: the difference of points under best play of both is nearest 0; the expected difference
# between two policies, `random` unless given, is nearest 0; the sum of all points is least. A win counts more for the
# winner than any draw, else the game would be another one.
#
# Under best play only the order of the endings matters: X can make sure of a difference of at least t if X can force
# the set of endings that give as much. So one backward pass decides all schemes: for each class it keeps, as bits,
# the sets of endings that X can force.

_ENDINGS = 8
"""Endings up to which the sets of endings that X can force are kept: 2^8 bits for each class."""
_SCHEMES = 400_000
"""Schemes that are gone through: some seconds."""


@dataclass(frozen=True)
class SchemeRow:
    """A scheme: its payoff under best play of both, and between two policies."""

    best: Payoff
    met: Payoff

    @property
    def text(self) -> str:
        """The scheme as it is typed."""
        return points_text(self.best.points)

    def as_dict(self) -> dict[str, object]:
        """Return the scheme and what it comes to, for JSON."""
        board = self.best.board
        keeping = [cell_name(board, c) for c, value in self.best.openings if value == self.best.difference]
        return {
            "points": self.text,
            "difference": str(self.best.difference),
            "best_moves": keeping,
            "expected": str(self.met.difference),
            "x_points": str(self.met.x_points),
            "o_points": str(self.met.o_points),
        }


@dataclass(frozen=True, repr=False)
class Schemes:
    """Schemes of points side by side: under best play, and between the policies `x` and `o`."""

    start: Position
    x: str
    o: str
    rows: tuple[SchemeRow, ...]

    def __repr__(self) -> str:
        return f"<Schemes on {short(self.start.board)}: {len(self.rows)} compared>"

    def as_dict(self) -> dict[str, object]:
        """Return the schemes for JSON."""
        rows = [row.as_dict() for row in self.rows]
        return {"board": self.start.board.spec, "position": str(self.start), "x": self.x, "o": self.o, "schemes": rows}


@dataclass(frozen=True, repr=False)
class Fairest:
    """The fairest schemes: all that are equally fair, and how many were gone through."""

    start: Position
    x: str
    o: str
    most: int
    considered: int
    difference: Fraction
    """X's points less O's under best play of both."""
    expected: Fraction
    """The same between the policies."""
    schemes: tuple[Points, ...]
    endings: tuple[str, ...] = ()
    """The endings that can come about; the points of the others do not matter."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The schemes as they are typed, without endings that cannot come about."""
        return tuple(points_text({ending: scheme[ending] for ending in self.endings}) for scheme in self.schemes)

    def __repr__(self) -> str:
        return f"<Fairest on {short(self.start.board)}: {len(self.schemes)} of {self.considered:,} schemes>"

    def as_dict(self) -> dict[str, object]:
        """Return the schemes for JSON."""
        return {
            "board": self.start.board.spec,
            "position": str(self.start),
            "x": self.x,
            "o": self.o,
            "most": self.most,
            "considered": self.considered,
            "difference": str(self.difference),
            "expected": str(self.expected),
            "schemes": list(self.texts),
        }


def compare_points(
    board: Board | str,
    start: Position | str | None = None,
    *,
    schemes: Sequence[PointsLike | None] = (None, "X=1-0,O=0-1,draw=0-0"),
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
) -> Schemes:
    """Return what several schemes come to under best play of both, and between two policies, side by side.

    A scheme is given as for `payoff`, None is the default. Raises the errors of `payoff`.

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


def fairest_points(
    board: Board | str,
    start: Position | str | None = None,
    *,
    most: int = 5,
    points: PointsLike | None = None,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
) -> Fairest:
    """Return the fairest schemes of whole points up to `most`, those equally fair together; see above what that means.

    Each ending gives points to one side. Endings named in `points` keep theirs, and so do patterns that cannot come
    about any more. Raises BudgetError for too many schemes, or endings, or position classes.

    >>> found = fairest_points("3x3", most=2)
    >>> str(found.difference), found.considered
    ('0', 44)
    """
    at = unfinished(board, start)
    whole_number("the most points", most, 1)
    whole_number("the limit", limit, 1)
    require_listed(at, "playing for points", limit, has_option=True)
    first, second = policy(at.board, x), policy(at.board, o)
    drawn = drawn_classes(at.board)
    names = {(p.position.x, p.position.o): p.name for p in drawn}
    scheme = scheme_of(drawn, points)
    given = _given(points, list(names.values()))
    chances = {str(e): c for e, c in endings_of(at, {"X": first, "O": second}, names, scheme, limit).items()}
    graph = class_graph(at.board, at)
    met = {ending_of(names, node) for node in graph.nodes if node.outcome is not None}
    endings = [ending for ending in scheme if ending in met]
    if len(endings) > _ENDINGS:
        raise BudgetError(f"{at.board} has {len(endings)} endings, and schemes are searched for up to {_ENDINGS}")
    fixed = {e: scheme[e][0] - scheme[e][1] for e in endings if e.lower() in given}
    free = [_range(ending, most) for ending in endings if ending not in fixed]
    many = prod(each.stop - each.start for each in free)  # len() of a range ends at 2^63
    if many > _SCHEMES:
        raise BudgetError(
            f"{roughly(many)} schemes are more than the {_SCHEMES:,} that are gone through: ask for fewer points, or "
            "give some"
        )
    ranges = [[fixed[e]] if e in fixed else list(map(Fraction, _range(e, most))) for e in endings]
    forced = _forced(graph, names, endings)
    best: tuple[Fraction, Fraction, Fraction] | None = None
    kept: tuple[Fraction, Fraction] | None = None
    found: list[tuple[Fraction, ...]] = []
    considered = 0
    for differences in product(*ranges):
        by = dict(zip(endings, differences, strict=True))
        top, low = by.get("X", Fraction(most)), by.get("O", Fraction(-most))
        if any(not low < value < top for ending, value in by.items() if ending not in ("X", "O")):
            continue
        considered += 1
        value = _value(differences, forced)
        expected = sum((chances.get(e, Fraction(0)) * d for e, d in by.items()), Fraction(0))
        key = (abs(value), abs(expected), sum((abs(d) for d in differences), Fraction(0)))
        if best is None or key < best:
            best, found, kept = key, [], (value, expected)
        if key == best:
            found.append(differences)
    if kept is None:
        raise InputError("no scheme is left in which a win counts more than every draw: give fewer points")
    schemes = tuple(_scheme(scheme, endings, each, fixed) for each in found)
    return Fairest(at, first.name, second.name, most, considered, *kept, schemes, tuple(endings))


def _given(points: PointsLike | None, patterns: Sequence[str]) -> set[str]:
    """Return the endings whose points are given, in small letters."""
    if points is None:
        return set()
    named = {name.lower() for name in (parse_points(points) if isinstance(points, str) else points)}
    return named | {name.lower() for name in patterns if "draw" in named}


def _range(ending: str, most: int) -> range:
    """Return the differences that an ending may give."""
    low, high = {"X": (1, most), "O": (-most, -1)}.get(ending, (-most, most))
    return range(low, high + 1)


def _scheme(given: Points, endings: Sequence[str], chosen: Sequence[Fraction], fixed: Mapping[str, Fraction]) -> Points:
    """Return a scheme with the differences that were chosen, where none was given."""
    free = {e: _pair(d) for e, d in zip(endings, chosen, strict=True) if e not in fixed}
    return FrozenDict({**given, **free})


def _pair(difference: Fraction) -> tuple[Fraction, Fraction]:
    return max(difference, Fraction(0)), max(-difference, Fraction(0))


def _forced(graph: ClassGraph, names: Names, endings: Sequence[str]) -> int:
    """Return the sets of endings that X can force from the start: bit s for the set whose bits are those of s."""
    sets = 1 << len(endings)
    holding = {e: sum(1 << s for s in range(sets) if s >> i & 1) for i, e in enumerate(endings)}
    found: dict[int, int] = {}
    for at, node in graph.backward():
        if node.outcome is not None:
            found[at] = holding[ending_of(names, node)]
            continue
        moving = graph.game.to_move(node.state) == "X"
        total = 0 if moving else (1 << sets) - 1
        for child, _ in node.children:
            total = total | found[child] if moving else total & found[child]
        found[at] = total
    return found[0]


def _value(differences: Sequence[Fraction], forced: int) -> Fraction:
    """Return the difference under best play: the largest that X can force to be reached."""
    for least in sorted(set(differences), reverse=True):
        if forced >> sum(1 << i for i, d in enumerate(differences) if d >= least) & 1:
            return least
    raise AssertionError("X can force all endings together")
