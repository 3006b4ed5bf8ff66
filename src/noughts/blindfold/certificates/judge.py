"""The judge: plays every reply of the opponent against a strategy, through the referee, and counts what happens."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.referee import Outcome, Referee, Truth
from noughts.blindfold.game.rules import Goal
from noughts.domain.bits import Cell, cells_of
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.domain.frozen import short

__all__ = ["Event", "Verdict", "chances", "judge"]

Event = tuple[str, Cell, bool]
"""One act of a game: the player's name, the cell, and whether the mark was placed (False: a collision)."""

_ORDER: tuple[Outcome, ...] = ("win", "draw", "loss")

_BREACHES: dict[Goal, tuple[Outcome, ...]] = {
    "never-lose": ("loss",),
    "always-win": ("loss", "draw"),
    "win-often": (),
}
"""The outcomes that break the claim of each goal, the worst first."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """What the judge found about a strategy, for the blind player.

    `wins`, `draws`, `losses` count games: the different sequences of replies. The chances are those against an
    opponent who replies uniformly at random. `broken` is a game that breaks the strategy's claim, act by act, and
    `broken_outcome` how it ends; None where the claim holds. `unreached` counts places that no game reaches.
    """

    strategy: Strategy
    wins: int
    draws: int
    losses: int
    win_chance: Fraction
    draw_chance: Fraction
    loss_chance: Fraction
    places: int
    unreached: int
    broken: tuple[Event, ...] | None
    broken_outcome: Outcome | None

    def __repr__(self) -> str:
        found = "holds" if self.holds else f"broken by a {self.broken_outcome}"
        return f"<Verdict on {short(self.strategy.board)}, {self.strategy.goal}: {found}, {self.games:,} games>"

    def as_dict(self) -> dict[str, Any]:
        """Return what the judge found for JSON; counts and chances as text."""
        strategy = self.strategy
        acts = [
            {"player": who, "cell": cell_name(strategy.board, cell), "placed": placed}
            for who, cell, placed in self.broken or ()
        ]
        return {
            "board": strategy.board.spec,
            "blind": strategy.rules.blind,
            "goal": strategy.goal,
            "holds": self.holds,
            "places": str(self.places),
            "unreached_places": str(self.unreached),
            "games": str(self.games),
            "wins": str(self.wins),
            "draws": str(self.draws),
            "losses": str(self.losses),
            "win_probability": str(self.win_chance),
            "draw_probability": str(self.draw_chance),
            "loss_probability": str(self.loss_chance),
            "broken_by": None if self.broken is None else acts,
            "broken_outcome": self.broken_outcome,
        }

    @property
    def games(self) -> int:
        """All games together."""
        return self.wins + self.draws + self.losses

    @property
    def holds(self) -> bool:
        """Whether the strategy does what it claims."""
        return self.broken is None


class _Tally(NamedTuple):
    """What comes of all replies from a place on: games and chances, both of a win, a draw and a loss."""

    games: tuple[int, ...]
    chances: tuple[Fraction, ...]

    def has(self, outcome: Outcome) -> bool:
        """Tell whether some game ends so."""
        return self.games[_ORDER.index(outcome)] > 0


_ENDS = {
    outcome: _Tally(tuple(int(outcome == end) for end in _ORDER), tuple(Fraction(outcome == end) for end in _ORDER))
    for outcome in _ORDER
}


class _StrategyJudge:
    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.referee = Referee(strategy.board, strategy.rules)
        self.seen: dict[tuple[int, Truth], _Tally] = {}
        self.reached: set[int] = set()

    def tally(self, plan: Plan | None, truth: Truth) -> _Tally:
        """Return games and chances of the three outcomes from here; raise InputError where the plan is broken."""
        if truth.outcome is not None:
            return _ENDS[truth.outcome]
        key = (id(plan), truth)
        found = self.seen.get(key)
        if found is None:
            found = self.seen[key] = self._call(plan, truth) if truth.blind_to_act else self._replies(plan, truth)
        return found

    def _call(self, plan: Plan | None, truth: Truth) -> _Tally:
        below = self._below(plan, truth)
        if below.call in truth.known:
            name = cell_name(self.strategy.board, below.call)
            raise InputError(f"the certificate calls {name} {self._where(truth)}, where it is known to be taken")
        self.reached.add(id(below))
        return self.tally(below, self.referee.call(truth, below.call))

    def _below(self, plan: Plan | None, truth: Truth) -> Plan:
        branches = self.strategy.branches if plan is None else plan.branches
        if truth.answer not in branches:
            raise InputError(f"the certificate has no branch {self._where(truth)}: every possible answer needs one")
        return branches[truth.answer]

    def _where(self, truth: Truth) -> str:
        board = self.strategy.board
        calls = ", ".join(cell_name(board, cell) for cell in sorted(truth.known)) or "none"
        return f"for the answer {_words(self.strategy, truth.answer)} with {calls} called or told"

    def _replies(self, plan: Plan | None, truth: Truth) -> _Tally:
        blanks = self.referee.blanks(truth)
        parts = [self.tally(plan, self.referee.reply(truth, cell)) for cell in blanks]
        games = tuple(sum(part.games[i] for part in parts) for i in range(3))
        chances = tuple(sum((part.chances[i] for part in parts), Fraction()) / len(blanks) for i in range(3))
        return _Tally(games, chances)

    def breach(self, plan: Plan | None, truth: Truth, bad: Outcome) -> tuple[Event, ...]:
        """Return a game with the bad outcome; one must exist. The first replies that lead to one are taken."""
        rules = self.strategy.rules
        if truth.outcome is not None:
            return ()
        if truth.blind_to_act:
            below = self._below(plan, truth)
            after = self.referee.call(truth, below.call)
            event = (rules.blind, below.call, below.call in after.own)
            return (event, *self.breach(below, after, bad))
        for cell in self.referee.blanks(truth):
            after = self.referee.reply(truth, cell)
            if self.tally(plan, after).has(bad):
                return ((rules.opponent, cell, True), *self.breach(plan, after, bad))
        raise AssertionError("no bad game although some were counted")


def _words(strategy: Strategy, answer: Answer) -> str:
    told = ", ".join(cell_name(strategy.board, cell) for cell in cells_of(answer.told))
    return f"{answer.kind!r}" + (f" ({told})" if told else "")


def judge(strategy: Strategy) -> Verdict:
    """Return what happens when every reply of the opponent is played against the strategy.

    Raises InputError where the strategy has no branch for an answer that can come, or calls a cell that it knows to
    be taken. Cost: places of the strategy times the positions that are possible there.
    """
    court = _StrategyJudge(strategy)
    truth = court.referee.start()
    tally = court.tally(None, truth)
    broken_outcome = next(filter(tally.has, _BREACHES[strategy.goal]), None)
    broken = None if broken_outcome is None else court.breach(None, truth, broken_outcome)
    places = [id(plan) for root in strategy.branches.values() for plan in root.walk()]
    unreached = sum(place not in court.reached for place in places)
    (wins, draws, losses), (win, draw, loss) = tally
    return Verdict(strategy, wins, draws, losses, win, draw, loss, len(places), unreached, broken, broken_outcome)


def chances(strategy: Strategy) -> tuple[Fraction, Fraction, Fraction]:
    """Return how often the blind player wins, draws and loses against replies made at random, each equally likely.

    A strategy for some of the openings that are told is played after those alone, each equally likely. Cost and
    errors are those of `judge`.
    """
    court = _StrategyJudge(strategy)
    start = court.referee.start()
    starts = (
        [start] if start.blind_to_act else [court.referee.reply(start, cell) for cell in court.referee.blanks(start)]
    )
    played = [truth for truth in starts if truth.blind_to_act and truth.answer in strategy.branches]
    if len(played) == sum(truth.outcome is None for truth in starts):
        played = starts
    parts = [court.tally(None, truth).chances for truth in played]
    win, draw, loss = (sum((part[i] for part in parts), Fraction()) / len(parts) for i in range(3))
    return win, draw, loss
