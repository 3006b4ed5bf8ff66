"""Games between two policies drawn by chance, for boards that are too large for exact chances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from noughts.analysis.explain.facts import FromStart, unfinished
from noughts.analysis.payoff.playout import names_of_players, players_of, values_for_players
from noughts.analysis.policies.policy import BEST, RememberingPolicy, choose
from noughts.analysis.policies.reading import PolicyLike
from noughts.machine.workers import Progress, silent
from noughts.rules.arguments import function_or_none, seed_of, whole_number
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Outcome, Player, opponent
from noughts.rules.position import PositionLike
from noughts.rules.values import FrozenDict

_NORMAL = 1.96
"""How many standard errors on each side hold 95 % of the samples, for many games."""
_REPORTED = 100
MOST_GAMES = 1_000_000
"""Maximum number of games of a sample: some minutes."""


@dataclass(frozen=True, repr=False)
class SampledMatch(FromStart):
    """How many of `games` drawn games between two policies ended with each outcome: an estimate, never exact."""

    x: str
    o: str
    games: int
    seed: str
    ended: Mapping[Outcome, int]
    keys = "board position=start x o games seed ended"

    @cached_property
    def errors(self) -> Mapping[Outcome, float]:
        """Half the width of the 95 % interval of Wilson for each outcome, as a chance; it is above 0 even for 0 games.

        E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927), 209-212.
        """
        n, z = self.games, _NORMAL
        return {
            end: z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
            for end, share in ((end, count / n) for end, count in self.ended.items())
        }

    def as_dict(self) -> dict[str, object]:
        """Return the sample for JSON; the errors are floats."""
        return {**super().as_dict(), "is_exact": False, "error": dict(self.errors)}


def sampled_match(
    board: Board | str,
    start: PositionLike | None = None,
    *,
    x: PolicyLike = "random",
    o: PolicyLike = "random",
    games: int = 10_000,
    seed: int | str = 0,
    progress: Progress | None = None,
) -> SampledMatch:
    """Return the outcomes of games drawn by chance when X plays by one policy and O by another: an estimate.

    The seed determines the games. Cost: about 0.1 ms for each move of a policy that looks at lines alone.

    Raises
    ------
    InputError
        A policy is unknown, or is `best`, which needs exact chances.
    BudgetError
        A policy needs values that cannot be found, or the games are more than MOST_GAMES.

    >>> sampled_match("5x5:4", games=20, seed=1).games
    20
    """
    function_or_none("progress", progress)
    at, receiver = unfinished(board, start), progress or silent
    games, seed = whole_number("the games", games, 1), seed_of(seed)
    if games > MOST_GAMES:
        raise BudgetError(f"a sample of {games:,} games is too large: ask for at most {MOST_GAMES:,}")
    players = players_of(at.board, x, o)
    if None in players.values():
        raise InputError(f"a sample cannot have the policy {BEST}, which needs exact chances: name another")
    solution = values_for_players(at, players)
    remembering = {side: RememberingPolicy(player) for side, player in players.items() if player is not None}
    ended: dict[Outcome, int] = {"X": 0, "O": 0, "draw": 0}
    for game in range(games):
        if game % _REPORTED == 0:
            receiver(game, games, "games")
        position = at
        while (outcome := position.outcome) is None:
            mover: Player = position.to_move
            shares: Mapping[int, Fraction] = remembering[mover].probabilities(position, solution)
            if not shares:
                outcome = opponent(mover)
                break
            position = position.play(choose(shares, position, f"{seed} {game}"))
        ended[outcome] += 1
    receiver(games, games, "games")
    return SampledMatch(at, *names_of_players(players), games, seed, FrozenDict(ended))
