"""Bots against each other, every pair both ways: the exact chances, and which bots beat which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count, permutations
from operator import attrgetter
from typing import overload

from noughts.analysis.explain.facts import FromStart, unfinished
from noughts.analysis.payoff.playout import Match, versus
from noughts.analysis.policies.policy import BEST, Policy, RememberingPolicy
from noughts.analysis.policies.reading import PolicyLike, policy, require_policy
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, is_word, wrong_type
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.game import LISTED_CLASSES
from noughts.rules.position import PositionLike
from noughts.rules.values import Result, for_json, record


@dataclass(frozen=True)
class Standing(Result):
    """The result of one bot in a match: sums of its chances over all its `games`, from its own viewpoint.

    A win gives one point, a draw half a point. `never_beaten_as_x` and `never_beaten_as_o` say that the other bots
    cannot beat it in that role.
    """

    name: str
    games: int
    points: Fraction
    wins: Fraction
    draws: Fraction
    losses: Fraction
    never_beaten_as_x: bool
    never_beaten_as_o: bool
    keys = "bot=name games points wins draws losses never_beaten_as_x never_beaten_as_o never_beaten"

    @property
    def never_beaten(self) -> bool:
        """Whether the other bots of the match cannot beat it in either role."""
        return self.never_beaten_as_x and self.never_beaten_as_o


@dataclass(frozen=True, repr=False)
class CrossTable(FromStart):
    """All pairs of some bots on a board, both ways, in the order of the bots."""

    bots: tuple[str, ...]
    pairs: tuple[Match, ...]
    keys = "board position=start bots"

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The bots by points, ties in the given order."""
        wins, lost_as_x, lost_as_o = (dict.fromkeys(self.bots, Fraction(0)) for _ in range(3))
        for pair in self.pairs:
            wins[pair.x] += pair.x_wins
            wins[pair.o] += pair.o_wins
            lost_as_x[pair.x] += pair.o_wins
            lost_as_o[pair.o] += pair.x_wins
        games, found = 2 * len(self.bots) - 2, list[Standing]()
        for name, won in wins.items():
            x_losses, o_losses = lost_as_x[name], lost_as_o[name]
            draws = games - won - x_losses - o_losses
            points, safe = won + draws / 2, (not x_losses, not o_losses)
            found.append(Standing(name, games, points, won, draws, x_losses + o_losses, *safe))
        return tuple(sorted(found, key=attrgetter("points"), reverse=True))

    @cached_property
    def margins(self) -> Mapping[tuple[str, str], Fraction]:
        """For each ordered pair the first bot's expected wins minus losses in two games, one each way."""
        value = {(pair.x, pair.o): pair.value for pair in self.pairs}
        return {(a, b): value[a, b] - value[b, a] for a in self.bots for b in self.bots if a != b}

    def beats(self, name: str) -> tuple[str, ...]:
        """Return the bots against which a bot expects more wins than losses in two games, one each way."""
        return tuple(other for other in self.bots if other != name and self.margins[name, other] > 0)

    def as_dict(self) -> dict[str, object]:
        """Return the match for JSON: the pairs, the standings, and the bots that each one beats."""
        return {
            **super().as_dict(),
            "pairs": [record(pair, "x", "o", "x_wins", "draws", "o_wins") for pair in self.pairs],
            "standings": for_json(self.standings),
            "beats": {name: list(self.beats(name)) for name in self.bots},
        }


_Bots = Iterable[PolicyLike] | Mapping[str, PolicyLike]


@overload
def match(board: Board | str, bots: _Bots, start: PositionLike | None = None, *, x: None = None, o: None = None,
          limit: int = LISTED_CLASSES, progress: Progress | None = None) -> CrossTable: ...  # fmt: skip
@overload
def match(board: Board | str, bots: None = None, start: PositionLike | None = None, *, x: PolicyLike | None = None,
          o: PolicyLike | None = None, limit: int = LISTED_CLASSES,
          progress: Progress | None = None) -> Match: ...  # fmt: skip
def match(
    board: Board | str,
    bots: _Bots | None = None,
    start: PositionLike | None = None,
    *,
    x: PolicyLike | None = None,
    o: PolicyLike | None = None,
    limit: int = LISTED_CLASSES,
    progress: Progress | None = None,
) -> CrossTable | Match:
    """Return the exact chances when X plays by one policy and O by another, or those of every pair of two or more bots.

    Parameters
    ----------
    board, start
        The board, and an unfinished position; the empty board by default.
    bots
        Policies, or a dict of policies by name. Every pair plays twice, each once with X. Equal names get a number.
    x, o
        The policies of one pair, `random` by default. One of them, or one of the bots, may be `best`: the best response
        to its opponent, which maximises P(win) - P(loss), then P(win).
    limit
        The most position classes.
    progress
        Receives the number of finished pairs.

    Raises
    ------
    InputError
        A policy is unknown.
    BudgetError
        There may be more than `limit` classes.

    >>> game = match("3x3", x="random", o="random")
    >>> str(game.x_wins), str(game.o_wins), str(game.draws)
    ('737/1260', '121/420', '8/63')
    >>> found = match("3x3", ["random", "block", "perfect"])
    >>> [(each.name, each.never_beaten) for each in found.standings]
    [('perfect', True), ('block', False), ('random', False)]
    """
    function_or_none("progress", progress)
    if bots is None:
        sides = {"x": "random" if x is None else x, "o": "random" if o is None else o}
        return versus(board, start, **sides, limit=limit, progress=progress)
    if x is not None or o is not None:
        raise InputError("x and o are about one pair: remove them, or the bots")
    if isinstance(bots, str) or not isinstance(bots, Iterable):  # the second of two names is not the start
        works = "a list of policies, as in ['random', 'perfect'], or a dict of policies by name"
        raise wrong_type("the bots of a match", bots, works)
    at = unfinished(board, start)
    names, players = _named(at.board, bots)
    receiver, found = progress or silent, list[Match]()
    pairs = list(permutations(range(len(names)), 2))
    for i, j in pairs:
        receiver(len(found), len(pairs), "pairs")
        played = versus(at.board, at, x=players[i], o=players[j], limit=limit)
        found.append(replace(played, x=names[i], o=names[j]))
    receiver(len(pairs), len(pairs), "pairs")
    return CrossTable(at, names, tuple(found))


def _named(board: Board, bots: _Bots) -> tuple[tuple[str, ...], list[Policy | str]]:
    """Return different names of the bots, and their policies."""
    given = list(bots.values() if isinstance(bots, Mapping) else bots)
    for each in given:
        require_policy(each)
    if len(given) < 2:
        raise InputError(
            f"a match is between two bots or more, and {len(given)} {'is' if len(given) == 1 else 'are'} given: "
            "name others, as in random block perfect"
        )
    if [each for each in given if isinstance(each, str)].count(BEST) > 1:
        raise InputError("only one side can be the best response to the other: name best once")
    players: list[Policy | str] = [
        BEST if is_word(each, BEST) else RememberingPolicy(policy(board, each)) for each in given
    ]
    names = list(bots) if isinstance(bots, Mapping) else [p if isinstance(p, str) else p.name for p in players]
    different: list[str] = []
    for name in map(str, names):
        numbered = (f"{name} ({number})" for number in count(2))
        taken = (*different, *names)
        different.append(next(each for each in numbered if each not in taken) if name in different else name)
    return tuple(different), players
