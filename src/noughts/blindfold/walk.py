"""A walk through a strategy, call by call: what was heard so far, what the player knows, what can be heard next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.blindfold.game.calls import Answer
from noughts.blindfold.game.endings import Ending, endings
from noughts.blindfold.game.plans import Plan, Strategy
from noughts.blindfold.game.spelling import names
from noughts.domain.bits import Cell, Mask, mask_of
from noughts.domain.cells import parse_cell
from noughts.domain.errors import InputError, shown
from noughts.domain.position import Position

__all__ = ["WalkPlace", "WalkStep", "answer_slug", "read_walk", "walk"]


@dataclass(frozen=True)
class WalkStep:
    """A call and what was heard; before the first call there is none."""

    call: Cell | None
    answer: Answer


@dataclass(frozen=True)
class WalkPlace:
    """A place of a strategy: the way here, the marks that the player knows of, and what to call.

    `call` is None where X's opening is still to be told. `onward` are the answers after which the player calls again,
    `ends` the ways in which the game can be over before that.
    """

    strategy: Strategy
    steps: tuple[WalkStep, ...]
    own: Mask
    known: Mask
    call: Cell | None
    onward: tuple[Answer, ...]
    ends: tuple[Ending, ...]

    @property
    def position(self) -> Position:
        """The marks that the player knows of: a cell of a silent list is in none, for nobody says whose it is."""
        if self.strategy.rules.told == "nothing":
            return Position(self.strategy.board)
        own, known = (self.own, self.known) if self.strategy.rules.blind == "X" else (self.known, self.own)
        return Position(self.strategy.board, own, known)

    @property
    def heard(self) -> tuple[Answer, ...]:
        """What was heard so far."""
        return tuple(step.answer for step in self.steps)


def answer_slug(strategy: Strategy, answer: Answer) -> str:
    """Return an answer as it is spelt in a walk: `free`, `taken`, `taken.a1.b3`, `opening.a1`, `next`."""
    return ".".join([answer.kind, *names(strategy.board, answer.told).split()])


def read_walk(strategy: Strategy, text: str) -> tuple[Answer, ...]:
    """Return the answers of a walk such as `free-taken`. Raises InputError, InvalidCell."""
    found = []
    for piece in filter(None, text.split("-")):
        kind, *cells = piece.split(".")
        if kind not in ("opening", "free", "taken", "next"):
            raise InputError(f"{shown(piece)} is nothing that is heard: write free or taken, joined by -")
        found.append(Answer(kind, mask_of(parse_cell(strategy.board, cell) for cell in cells)))  # type: ignore[arg-type]
    return tuple(found)


def walk(strategy: Strategy, heard: Iterable[Answer]) -> WalkPlace:
    """Return the place of a strategy that is reached when this is heard. Raises InputError where it cannot be.

    Cost: that of `endings`. Raises BudgetError where too many boards are possible.
    """
    ends = endings(strategy)
    steps: list[WalkStep] = []
    own = known = 0
    plan: Plan | None = strategy.branches.get(Answer("start"))
    branches = strategy.branches if plan is None else plan.branches
    for answer in heard:
        if answer not in branches:
            raise InputError(_no_way(strategy, answer, branches))
        call = None if plan is None else plan.call
        steps.append(WalkStep(call, answer))
        if answer.kind == "free" and call is not None:
            own |= 1 << call
        elif answer.kind == "taken" and call is not None:
            known |= 1 << call | answer.told
        else:
            known |= answer.told
        plan = branches[answer]
        branches = plan.branches
    # What the ways to go on are called in the order in which people think of them.
    onward = tuple(sorted(branches, key=lambda answer: (answer.kind == "taken", answer)))
    if plan is None:
        return WalkPlace(strategy, tuple(steps), own, known, None, onward, ())
    return WalkPlace(strategy, tuple(steps), own, known, plan.call, onward, ends[id(plan)])


def _no_way(strategy: Strategy, answer: Answer, branches: Iterable[Answer]) -> str:
    there = ", ".join(answer_slug(strategy, each) for each in branches)
    after = f"there is {there}" if there else "the game is over by then"
    return f"{shown(answer_slug(strategy, answer))} leads nowhere here: {after}"
