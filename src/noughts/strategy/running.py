"""The running score of many games between two policies: its exact distribution, and how likely who is ahead.

Games are independent, so the score after n games is the n-th power of that of one, as a polynomial whose exponents are
differences of points. The power is taken of one long integer, whose digits are the coefficients.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from noughts.domain.arguments import flag, is_word, whole_number
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.extent import LISTED_CLASSES, require_listed
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.position import Player, Position
from noughts.strategy.explain import unfinished
from noughts.strategy.patterns import drawn_classes
from noughts.strategy.payoff import endings_of
from noughts.strategy.policies import Policy, PolicyLike, policy
from noughts.strategy.schemes import Points, PointsLike, scheme_of, unnamed_endings
from noughts.strategy.versus import BEST

__all__ = ["Running", "running_score"]

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
