"""All conventions of a board side by side, the ladder of its positions, and the budget that they share."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from math import comb, perm
from typing import Any

from noughts.counting.carried import carried_census
from noughts.counting.census import COLUMNS, GAME_COLUMNS, Census, PlyCounts
from noughts.counting.class_sums import bots
from noughts.counting.engines import offers, refused
from noughts.counting.inclusion import line_free_sets
from noughts.counting.layered.engine import quiet_classes, quiet_estimate
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import SAMENESSES, Question, Sameness, command_of, convention
from noughts.machine.budget import Estimate, Limits, Refusal, format_duration, format_size
from noughts.rules.board import Board, require_size
from noughts.rules.errors import BudgetError
from noughts.rules.play import END_RULES
from noughts.rules.values import decimal_digits

LEAST_SECONDS = 0.2
"""What takes no longer is computed even when the time is up."""

GRACE_SECONDS = 0.7
"""For so long after a time that was given this holds, and then no more."""

WORTH_KNOWING = 60.0
"""Seconds beyond which the cost of what is left out is not reckoned: `more than` is enough."""

_Asked = tuple[Question, tuple[str, ...]]


class Answers:
    """A budget and the censuses computed within it.

    The limits bound each computation; after `share`, their time all that is still asked for together. Engines are
    asked once about each question, and what they answer is kept until the question is counted. What is left out has
    its cost reckoned up to `worth` seconds, which takes about a third of these; with `strict` in the time that is left
    only.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        run: Run = Run(),  # noqa: B008 - a value
        *,
        worth: float = WORTH_KNOWING,
        strict: bool = False,
    ) -> None:
        self.given = Limits.of(None, 10.0) if limits is None else limits
        self._worth, self._strict = worth, strict
        self._deadline: float | None = None
        self._run = run
        self._known: dict[_Asked, Census] = {}
        self._notes: dict[Any, Any] = {}
        self._offers: dict[_Asked, tuple[CountingOffer | None, list[Refusal]]] = {}

    @property
    def limits(self) -> Limits:
        """What a computation may take now: for a while after the deadline still as much as a small sum takes."""
        if self._deadline is None:
            return self.given
        left = self._deadline - clock.monotonic()
        least = LEAST_SECONDS if left > -GRACE_SECONDS or not self._strict else 0.0
        return replace(self.given, seconds=max(least, left))

    def share(self, seconds: float) -> None:
        """Let everything from here on take so long in all."""
        self._deadline = clock.monotonic() + seconds

    def seconds(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> float:
        """Return the estimate of the best offer; 0 for a question already answered. Raises BudgetError."""
        if (question, wanted) in self._known or carried_census(question) is not None:
            return 0.0
        return self._offer(question, wanted).estimate.seconds

    def census(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> Census:
        """Return the census by the best offer that fits. Raises BudgetError where none does."""
        asked = question, wanted
        if asked not in self._known and (carried := carried_census(question)) is not None:
            self._known[asked] = carried
        if asked not in self._known:
            self._known[asked] = self._offer(question, wanted).count(self._run)
            del self._offers[asked]
        return self._known[asked]

    def cost(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> Estimate | None:
        """Return what it would take to count a question that was refused; None where no engine can."""
        asked = question, wanted
        offer, refusals = self._ask(asked)
        if offer is not None:
            return offer.estimate
        known = _least(refusals)
        limits = self.limits
        worth = min(self._worth, limits.seconds) if self._strict else self._worth
        if known is None or not known.at_least or known.memory > limits.memory or known.seconds > worth:
            return known
        offer, refusals = offers(Request(*asked, notes=self._notes), replace(limits, seconds=worth))
        return offer.estimate if offer is not None else _least(refusals)

    def _ask(self, asked: _Asked) -> tuple[CountingOffer | None, list[Refusal]]:
        if asked not in self._offers:
            self._offers[asked] = offers(Request(*asked, notes=self._notes), self.limits)
        return self._offers[asked]

    def _offer(self, question: Question, wanted: tuple[str, ...]) -> CountingOffer:
        offer, refusals = self._ask((question, wanted))
        if offer is None:
            raise refused(question, self.limits, refusals)
        if not self.limits.allow(offer.estimate):
            raise refused(question, self.limits, [Refusal(offer.engine, "it takes too long", offer.estimate)])
        return offer


def _least(refusals: list[Refusal]) -> Estimate | None:
    estimates = [refusal.estimate for refusal in refusals if refusal.estimate is not None]
    return min(estimates, key=lambda estimate: (estimate.seconds, estimate.memory), default=None)


# The matrix of conventions: finished games for every answer to the three questions that fits the budget.


@dataclass(frozen=True)
class Entry:
    """One cell of the matrix: the question, the number of finished games, who counted.

    Where the number is left out, `cost` is what it would take; None where no engine can count it.
    """

    question: Question
    finished: int | None
    engine: str | None
    cost: Estimate | None = None

    @property
    def convention(self) -> str:
        """The convention in words."""
        return convention(self.question)

    @property
    def reason(self) -> str | None:
        """Why the number was left out, in words; None where it is given."""
        if self.finished is not None:
            return None
        return "no engine can" if self.cost is None else self.cost.words

    @property
    def command(self) -> str:
        """The command that computes this number."""
        return command_of(self.question)

    def as_dict(self) -> dict[str, str | None]:
        """Return the entry as a record; the number is a decimal string."""
        return {
            "moves": self.question.x_moves,
            "end": self.question.end,
            "same": self.question.same,
            "convention": self.convention,
            "finished": None if self.finished is None else str(self.finished),
            "engine": self.engine,
            "command": self.command,
            **({"reason": self.reason} if self.reason else {}),
        }


def conventions(board: Board) -> tuple[Question, ...]:
    """Return the questions of the matrix, both players under one rule: 54, or 27 under misere."""
    rules = board.rules.move_rules
    return tuple(Question(board, same, moves, moves, end) for moves, end, same in product(rules, END_RULES, SAMENESSES))


def _seconds(question: Question, answers: Answers) -> float:
    try:
        return answers.seconds(question, _wanted(question))
    except BudgetError:
        return float("inf")


def _wanted(question: Question) -> tuple[str, ...]:
    """Return what is to be counted: by choices the games, for the positions are those up to symmetry."""
    return GAME_COLUMNS if question.same == "choices" else COLUMNS


def matrix(board: Board, answers: Answers | None = None) -> tuple[Entry, ...]:
    """Return an entry for each convention, in the order of `conventions`.

    The cheapest are computed first, as long as the engines' estimates fit what is left of the budget (10 s for each
    unless given); the others carry what they would cost.
    """
    budget = answers if answers is not None else Answers()
    questions = conventions(board)
    done = {}
    for question in sorted(questions, key=lambda question: _seconds(question, budget)):
        try:
            census = budget.census(question, _wanted(question))
            done[question] = Entry(question, census.totals.finished, census.engine)
        except BudgetError:
            done[question] = Entry(question, None, None, budget.cost(question, _wanted(question)))
    return tuple(done[question] for question in questions)


# The ladder of position counts: from all fillings of the cells down to the decisions that matter, each in words.


@dataclass(frozen=True)
class Rung:
    """One count of positions: a short name, its meaning in words, and the count.

    Where there is none, the reason, and the command that would compute it where there is one. `bots` is the number of
    bots that differ at these positions, where they are decisions on a board whose classes are quickly listed.
    """

    name: str
    meaning: str
    count: int | None
    reason: str | None = None
    command: str | None = None
    bots: int | None = None

    def as_dict(self) -> dict[str, str | None]:
        """Return the rung as a record; the count is a decimal string."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "count": None if self.count is None else str(self.count),
            **({"reason": self.reason} if self.reason else {}),
            **({"command": self.command} if self.command else {}),
            **({"bots": decimal_digits(self.bots)} if self.bots is not None else {}),
        }


def _not_both(board: Board, labelled: Census) -> int:
    """Return the balanced boards in which not both have a line: no line of X, plus none of O, less none of either."""
    plies, cells, free = _plies(labelled), board.cells, line_free_sets(board)
    total = 0
    for t in range(cells + 1):
        p, q = (t + 1) // 2, t // 2
        total += free[p] * comb(cells - p, q) + free[q] * comb(cells - q, p)
    return total - sum(_known(row.positions) - _known(row.terminal_x) - _known(row.terminal_o) for row in plies)


def _known(count: int | None) -> int:
    if count is None:
        raise BudgetError("the count that fits the budget gives the games only")
    return count


def _plies(census: Census) -> tuple[PlyCounts, ...]:
    if not census.plies:
        raise BudgetError("not among the totals that the package carries")
    return census.plies


def _unfinished(classes: Census, step: int = 1) -> int:
    """Return the unfinished classes with more than one blank cell; on every second ply those with X to move."""
    return sum(
        _known(row.positions) - _known(row.terminal_positions)
        for row in _plies(classes)
        if row.ply <= classes.question.board.cells - 2 and row.ply % step == 0
    )


def _quiet(board: Board, answers: Answers) -> int:
    """Return the unfinished classes with more than one blank in which neither side threatens to complete a line."""
    if board.misere:
        raise BudgetError("under misere a completed line loses, so there is no win to take or to block")
    if board.cells > 64:
        raise BudgetError("found by listing the classes, on boards of up to 64 cells")
    cost, limits = quiet_estimate(board), answers.limits
    if cost.memory > limits.memory or cost.seconds > limits.seconds:
        about = f"{format_duration(cost.seconds)} and {format_size(cost.memory)}"
        raise BudgetError(f"found by listing the classes: about {about}")
    return quiet_classes(board)


_MEANINGS = {
    "fillings": "ways to fill the cells with X, O or blank: 3^N",
    "sequences": "move sequences of length 1 to N that ignore wins",
    "balanced": "boards with as many X as O or one more, wins ignored",
    "not both lined": "balanced boards in which not both players have a line; some cannot arise in play",
    "reachable": "boards that can arise in play, empty and finished included",
    "terminal": "reachable boards in which the game is over",
    "classes": "reachable boards up to the symmetries of the board",
    "decisions": "unfinished classes with more than one blank cell",
    "real decisions": "unfinished classes with more than one blank cell, no win to take and no win to block",
    "matchboxes": "unfinished classes with more than one blank cell and X to move, as in MENACE",
    "endings": "terminal classes",
    "endings, X wins": "terminal classes won by X: {x} has a line",
    "endings, O wins": "terminal classes won by O: {o} has a line",
    "endings, draws": "terminal classes that are drawn: full, without a line",
}


def ladder(board: Board, answers: Answers | None = None) -> tuple[Rung, ...]:
    """Return the counts of positions from naive to exact. Rungs that do not fit the budget have a reason instead.

    `answers` is the budget (three quarters of the free memory, 10 s for each count). Classes are under the isometries
    of the board. Raises BudgetError on boards of more than COUNTED_CELLS cells. Source of the first and the last rungs:
    B. Shourd, 2012.
    """
    require_size(board)
    budget = answers if answers is not None else Answers()
    try:
        choices = bots(board)
    except BudgetError:
        choices = {}
    rungs = []
    for name, (same, find) in _finders(board, budget).items():
        question = Question(board, same or "labelled")
        rung = Rung(name, _MEANINGS[name].format(x=board.line_outcome("X"), o=board.line_outcome("O")), None)
        try:
            if same is not None:
                budget.census(question)
        except BudgetError:
            cost = budget.cost(question)
            reason, command = ("no engine can", None) if cost is None else (cost.words, command_of(question))
            rungs.append(replace(rung, reason=reason, command=command))
            continue
        try:
            rungs.append(replace(rung, count=find(), bots=choices.get(name)))
        except BudgetError as error:
            rungs.append(replace(rung, reason=str(error)))
    return tuple(rungs)


def _finders(board: Board, answers: Answers) -> dict[str, tuple[Sameness | None, Callable[[], int]]]:
    """Return for each rung the sameness of the census that it is read from, and the function that finds the count."""

    def census(same: Sameness) -> Census:
        return answers.census(Question(board, same))

    def total(same: Sameness, column: str) -> tuple[Sameness, Callable[[], int]]:
        def find() -> int:
            found = census(same)
            count: int | None = getattr(found.totals, column)
            if count is None:
                _plies(found)
            return _known(count)

        return same, find

    cells = board.cells
    return {
        "fillings": (None, lambda: int(3**cells)),
        "sequences": (None, lambda: sum(perm(cells, t) for t in range(1, cells + 1))),
        "balanced": (None, lambda: sum(comb(cells, t) * comb(t, t // 2) for t in range(cells + 1))),
        "not both lined": ("labelled", lambda: _not_both(board, census("labelled"))),
        "reachable": total("labelled", "positions"),
        "terminal": total("labelled", "terminal_positions"),
        "classes": total("symmetry", "positions"),
        "decisions": ("symmetry", lambda: _unfinished(census("symmetry"))),
        "real decisions": (None, lambda: _quiet(board, answers)),
        "matchboxes": ("symmetry", lambda: _unfinished(census("symmetry"), 2)),
        "endings": total("symmetry", "terminal_positions"),
        "endings, X wins": total("symmetry", "terminal_x"),
        "endings, O wins": total("symmetry", "terminal_o"),
        "endings, draws": total("symmetry", "terminal_draw"),
    }
