"""How the games of a strategy end: at each place the outcomes that some reply leads to before the next call."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.referee import Outcome, Referee, Truth
from noughts.domain.errors import BudgetError

__all__ = ["TRUTHS", "Ending", "endings"]

TRUTHS = 1_000_000
"""Boards that are looked at for all places together, at most."""


class Ending(NamedTuple):
    """A way in which the game can be over before the next call: what the player hears, and the outcome then.

    `truth` is a board on which it is over so, the first of `boards` in the order of the marks.
    """

    answer: Answer
    outcome: Outcome
    truth: Truth
    boards: int


_ORDER: tuple[Outcome, ...] = ("win", "draw", "loss")


def endings(strategy: Strategy) -> dict[int, tuple[Ending, ...]]:
    """Return for each place of a strategy, by `id(plan)`, how the game can end before the next call: `win` first.

    Outcomes are for the blind player. Every board that is possible at a place is played on by the referee, with every
    reply. Cost: places times the boards that are possible there. Raises BudgetError where there are over TRUTHS.
    """
    walker = _Walker(strategy)
    first = walker.referee.start()
    starts = {first} if first.blind_to_act else set(walker.replies(first))
    for answer, plan in strategy.branches.items():
        walker.visit(plan, {truth for truth in starts if truth.answer == answer and truth.outcome is None})
    return {
        place: tuple(
            sorted(found, key=lambda ending: (ending.answer.kind, _ORDER.index(ending.outcome), ending.answer))
        )
        for place, found in walker.found.items()
    }


class _Walker:
    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.referee = Referee(strategy.board, strategy.rules)
        self.found: dict[int, list[Ending]] = {}
        self.looked_at = 0

    def visit(self, plan: Plan, truths: set[Truth]) -> None:
        """Play the call of a place on every board that is possible there, and all places below."""
        self.looked_at += len(truths)
        if self.looked_at > TRUTHS:
            raise BudgetError(
                f"the strategy for {self.strategy.board} is possible on more than {TRUTHS:,} boards, too many to say "
                "how each branch ends: ask for --format text, which says what to call"
            )
        over, after = dict[tuple[Answer, Outcome], set[Truth]](), dict[Answer, set[Truth]]()
        for truth in truths:
            called = self.referee.call(truth, plan.call)
            on = called.outcome is None and not called.blind_to_act
            for reached in self.replies(called) if on else [called]:
                if reached.outcome is not None:
                    over.setdefault((reached.answer, reached.outcome), set()).add(reached)
                else:
                    after.setdefault(reached.answer, set()).add(reached)
        self.found[id(plan)] = [Ending(*end, min(boards, key=_order), _count(boards)) for end, boards in over.items()]
        for answer, below in plan.branches.items():
            self.visit(below, after.get(answer, set()))

    def replies(self, truth: Truth) -> list[Truth]:
        """Return the board after every reply; which was the last is forgotten where nobody is told."""
        found = [self.referee.reply(truth, cell) for cell in self.referee.blanks(truth)]
        told = self.strategy.rules.told == "last-move"
        return [each if told or each.outcome else replace(each, last=None) for each in found]


def _order(truth: Truth) -> tuple[list[int], list[int], int]:
    return sorted(truth.own), sorted(truth.other), -1 if truth.last is None else truth.last


def _count(boards: set[Truth]) -> int:
    """Count the boards that differ in their marks."""
    return len({(truth.own, truth.other) for truth in boards})
