"""The assessment of a bot, exactly: its chances, its blunders, and its value against the best response.

*Value* is P(win) - P(loss) of one side. A move is a *blunder* if it makes the outcome under best play of both worse for
its player. *Exploitability* in a role is the value of the game minus the value of the bot against its best response. It
is 0 for a bot that gives nothing away, and at most 2. The sum over both roles is NashConv. It is the gain of the two
sides of a game of the bot against itself if both change to a best response.

Source: Lanctot et al., "A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning", NeurIPS 2017.
OpenSpiel calls the sum `nash_conv`; its `exploitability` is half of it, the mean over the roles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, cast

from noughts.analysis.explain.facts import FromStart, unfinished
from noughts.analysis.explain.wording import quality
from noughts.analysis.payoff.playout import Match, Playout, versus
from noughts.analysis.policies.policy import BEST, NoEntry, Policy, RememberingPolicy
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.analysis.solutions import solution_for
from noughts.bots.arrays import ArrayLike, array_policy, is_array
from noughts.rules.arguments import is_word, one_of, whole_number
from noughts.rules.board import Board
from noughts.rules.cells import Move
from noughts.rules.errors import InputError
from noughts.rules.game import LISTED_CLASSES, require_listed
from noughts.rules.marks import Mask, Outcome, Player, opponent
from noughts.rules.position import Position, PositionLike
from noughts.rules.values import Result
from noughts.solving.solution import Solution
from noughts.solving.values import VALUE_OF_OUTCOME

Role = Literal["X", "O", "both"]


@dataclass(frozen=True)
class LikelyBlunder(Result):
    """A move that makes the outcome under best play worse for its player.

    `reached` is the chance that a game reaches the position, `share` the chance of the move there, `chance` their
    product. The position represents its class if both policies treat symmetric positions alike.
    """

    position: Position
    cell: Move
    chance: Fraction
    reached: Fraction
    share: Fraction
    before: Outcome
    after: Outcome

    keys = "position cell chance reached share before after"


@dataclass(frozen=True, repr=False)
class RoleAssessment(Result):
    """The assessment of a bot in one role, from its own viewpoint.

    `win`, `draw`, `loss` are the chances against the named opponent. `game_value` is the value of the game for this
    role, 1, 0 or -1. `guaranteed` is the value against the best response; `against_best` has those games.
    `greatest_loss` is the greatest chance that any opponent has to beat it. `moves` is its average number of moves in a
    game; `blunders` are those that give value away, the likeliest first.
    """

    player: Player
    win: Fraction
    draw: Fraction
    loss: Fraction
    game_value: int
    guaranteed: Fraction
    greatest_loss: Fraction
    moves: Fraction
    blunders: tuple[LikelyBlunder, ...]
    against_best: Match
    keys = (
        "win draw loss value game_value guaranteed exploitability greatest_loss never_loses moves blunders_a_game "
        "blunder_rate blunders"
    )

    @property
    def value(self) -> Fraction:
        """P(win) - P(loss) against the named opponent."""
        return self.win - self.loss

    @property
    def exploitability(self) -> Fraction:
        """The value of the game minus the value against the best response."""
        return self.game_value - self.guaranteed

    @property
    def never_loses(self) -> bool:
        """Whether it cannot lose in this role."""
        return not self.greatest_loss

    @property
    def blunders_a_game(self) -> Fraction:
        """The blunders that it makes in a game, on average."""
        return sum((each.chance for each in self.blunders), Fraction(0))

    @property
    def blunder_rate(self) -> Fraction:
        """The share of its moves that give value away, weighted by the chance to reach each position."""
        return self.blunders_a_game / self.moves if self.moves else Fraction(0)


@dataclass(frozen=True, repr=False)
class Assessment(FromStart):
    """The assessment of a bot in one role or both, X first."""

    policy: str
    against: str
    roles: tuple[RoleAssessment, ...]
    keys = "board position=start policy against roles=by_role never_loses nash_conv"

    @property
    def by_role(self) -> dict[str, RoleAssessment]:
        """The assessment of each role, by player."""
        return {each.player: each for each in self.roles}

    def called(self, role: RoleAssessment) -> str:
        """Return the name of the player in a role."""
        return self.board.rules.name_of(role.player)

    def __getitem__(self, player: Player) -> RoleAssessment:
        """Return the assessment of one role. Raises InputError if it was not requested."""
        if player not in self.by_role:
            raise InputError(f"the role {player!r} was not requested: ask with as_={player!r} or as_='both'")
        return self.by_role[player]

    @property
    def never_loses(self) -> bool:
        """Whether it cannot lose in the requested roles."""
        return all(each.never_loses for each in self.roles)

    @cached_property
    def nash_conv(self) -> Fraction | None:
        """The sum of both exploitabilities; None for one role."""
        return sum((each.exploitability for each in self.roles), Fraction(0)) if len(self.roles) == 2 else None


def evaluate(
    board: Board | str,
    policy: PolicyLike | ArrayLike,
    start: PositionLike | None = None,
    *,
    as_: Role = "both",
    against: PolicyLike = "random",
    limit: int = LISTED_CLASSES,
) -> Assessment:
    """Return the exact chances, value, blunders and exploitability of a bot in each role.

    Cost: four times that of a match, and the values of the positions. A function is called once for each position.
    Raises InputError and BudgetError as `match` does.

    Parameters
    ----------
    board, start
        The board, and an unfinished position; the empty board by default.
    policy
        A policy as for `match`, or an array as for `array_policy`.
    as_
        `X`, `O` or `both`.
    against
        The opponent of the chances and blunders: a policy, or `best`. Exploitability is about all opponents.
    limit
        The most position classes.

    >>> found = evaluate("3x3", "block")
    >>> str(found["X"].value), str(found["X"].exploitability), str(found.nash_conv), found.never_loses
    ('10007/11340', '2/5', '637/480', False)
    """
    at = unfinished(board, start)
    limit = whole_number("the limit", limit, 1)
    one_of("the role", as_, ("X", "O", "both"))
    chosen = _policy(at.board, policy)  # which refuses a bot of another board
    require_listed(at, "evaluating a bot", limit, has_option=True)
    players: tuple[Player, ...] = ("X", "O") if as_ == "both" else (as_,)
    other = against if is_word(against, BEST) else _policy(at.board, against)
    roles: list[RoleAssessment] = []
    missing: NoEntry | None = None
    for player in players:
        try:
            roles.append(_role(at, player, chosen, other, limit))
        except NoEntry as error:
            missing = error
    if missing is not None:
        raise NoEntry(f"{missing}, or judge it as {roles[0].player} only") if roles else missing
    return Assessment(at, chosen.name, other if isinstance(other, str) else other.name, tuple(roles))


def _policy(board: Board, given: PolicyLike | ArrayLike) -> Policy:
    """Return a policy that stores its answers."""
    if is_array(given):
        return RememberingPolicy(array_policy(board, cast(ArrayLike, given)))
    if is_word(given, BEST):
        raise InputError("best is not a bot, but the best response to one: evaluate a policy against best")
    return RememberingPolicy(policy(board, cast(PolicyLike, given)))


def _role(start: Position, player: Player, bot: Policy, against: Policy | str, limit: int) -> RoleAssessment:
    rival = opponent(player)

    def play(other: Policy | str) -> Match:
        x, o = (bot, other) if player == "X" else (other, bot)
        return versus(start.board, start, x=x, o=o, limit=limit)

    worst = play(BEST)
    usual = worst if against == BEST else play(against)
    chances: Mapping[Outcome, Fraction] = {"X": usual.x_wins, "O": usual.o_wins, "draw": usual.draws}
    sides: dict[Player, Policy | None] = {player: bot, rival: None}
    loses = Playout(start, sides, lambda at: str(at.outcome), lambda ends: (ends.get(rival, Fraction(0)),), limit).run()
    solution = solution_for(start)
    sign = 1 if player == "X" else -1
    other = against if isinstance(against, Policy) else worst.response
    assert other is not None, "one side was best"
    return RoleAssessment(
        player,
        chances[player],
        chances["draw"],
        chances[rival],
        sign * VALUE_OF_OUTCOME[solution.outcome(start)],
        sign * worst.value,
        loses.get(rival, Fraction(0)),
        *_moves_and_blunders(start, player, bot, other, solution),
        worst,
    )


def _moves_and_blunders(
    start: Position, player: Player, bot: Policy, against: Policy, solution: Solution
) -> tuple[Fraction, tuple[LikelyBlunder, ...]]:
    """Return the average number of moves of a player against another policy, and its blunders: one forward pass.

    Positions are classes if both policies treat symmetric positions alike, else labelled.
    """
    symmetric = bot.is_symmetric and against.is_symmetric

    def key(position: Position) -> tuple[Mask, Mask]:
        marks = position.x, position.o
        return position.board.group().canonical(*marks) if symmetric else marks

    layer, moves, found = {key(start): Fraction(1)}, Fraction(0), list[LikelyBlunder]()
    while layer:
        following = defaultdict[tuple[Mask, Mask], Fraction](Fraction)
        for (x, o), reached in layer.items():
            position = Position(start.board, x, o)
            if position.is_terminal:
                continue
            mine = position.to_move == player
            shares = (bot if mine else against).probabilities(position, solution)
            moves += reached * (mine and bool(shares))
            before = solution.outcome(position) if mine and shares else None
            can_err = before is not None and before != opponent(player)
            for cell, share in shares.items():
                then = position.play(cell)
                following[key(then)] += reached * share
                after = solution.outcome(then) if can_err and share else None
                if before and after and quality(player, before, after) in ("gives up a win", "loses"):
                    move = Move(start.board, cell)
                    found.append(LikelyBlunder(position, move, reached * share, reached, share, before, after))
        layer = following
    return moves, tuple(sorted(found, key=lambda each: (-each.chance, each.position.ply)))
