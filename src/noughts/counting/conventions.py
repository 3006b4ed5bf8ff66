"""All conventions of a board side by side, the ladder of its position counts, and the budget that they share."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from math import comb, inf, perm
from typing import Any

from noughts.counting.carried import carried_census
from noughts.counting.census import COLUMNS, GAME_COLUMNS, Census, PlyCounts
from noughts.counting.class_sums import bots
from noughts.counting.engines import offers, refused
from noughts.counting.inclusion import line_free_sets
from noughts.counting.layered.engine import quiet_classes, quiet_estimate
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import SAMENESSES, Question, Sameness, command_of, convention, end_rules
from noughts.machine.budget import Estimate, Limits, Refusal, format_duration, format_size
from noughts.rules.board import Board, require_size
from noughts.rules.errors import BudgetError
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.position import Position
from noughts.rules.values import decimal_digits

LEAST_SECONDS = 0.2
"""Work of at most this many seconds is done even after the deadline."""

GRACE_SECONDS = 0.7
"""With a strict deadline, such work stops this many seconds after it."""

ESTIMATED_SECONDS = 60.0
"""The cost of an omitted count is estimated up to this many seconds; beyond it the answer says `more than`."""

_STEPS = 1000
"""Progress is reported in this many steps of all computations."""

_Key = tuple[Question, tuple[str, ...]]
"""A question and the wanted columns."""


class Answers:
    """A budget and the censuses computed within it.

    The limits bound each computation; after `share`, a deadline bounds all further computations together. Each engine
    answers once about a question; its answer is stored until the question is counted. The cost of an omitted count is
    estimated up to `estimated` seconds, which takes about a third of that time; with `strict` only in the time left.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        run: Run = Run(),  # noqa: B008 - a value
        *,
        estimated: float = ESTIMATED_SECONDS,
        strict: bool = False,
    ) -> None:
        self.given = Limits.of(None, 10.0) if limits is None else limits
        self._estimated, self._strict = estimated, strict
        self._deadline: float | None = None
        self._run = run
        self._part = 0.0, 1.0
        self._known: dict[_Key, Census] = {}
        self._notes: dict[Any, Any] = {}
        self._offers: dict[_Key, tuple[CountingOffer | None, list[Refusal]]] = {}

    @property
    def limits(self) -> Limits:
        """The limits of the next computation; for a short time after the deadline they still allow a small one."""
        if self._deadline is None:
            return self.given
        left = self._deadline - clock.monotonic()
        least = LEAST_SECONDS if left > -GRACE_SECONDS or not self._strict else 0.0
        return replace(self.given, seconds=max(least, left))

    def share(self, seconds: float) -> None:
        """Set a deadline, `seconds` from now, for all further computations together."""
        self._deadline = clock.monotonic() + seconds

    def seconds(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> float:
        """Return the estimated seconds of the best offer; 0 for a question already answered. Raises BudgetError."""
        if (question, wanted) in self._known or carried_census(question) is not None:
            return 0.0
        return self._offer(question, wanted).estimate.seconds

    def census(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> Census:
        """Return the census by the best offer within the limits. Raises BudgetError where there is none."""
        key = question, wanted
        if key not in self._known and (carried := carried_census(question)) is not None:
            self._known[key] = carried
        if key not in self._known:
            self._known[key] = self._offer(question, wanted).count(replace(self._run, progress=self._heard))
            del self._offers[key]
        return self._known[key]

    def is_part(self, begin: float, end: float) -> None:
        """Report the next computations as the part of the whole work between two shares of it."""
        self._part = begin, end

    def _heard(self, done: int, whole: int, what: str) -> None:
        begin, end = self._part
        if whole and end - begin < 1.0:
            done, whole = int(_STEPS * (begin + (end - begin) * min(done / whole, 1.0))), _STEPS + 1
        self._run.progress(done, whole, what)

    def cost(self, question: Question, wanted: tuple[str, ...] = COLUMNS) -> Estimate | None:
        """Return the estimated cost of a question that was refused; None where no engine can count it."""
        key = question, wanted
        offer, refusals = self._ask(key)
        if offer is not None:
            return offer.estimate
        known = _least(refusals)
        limits = self.limits
        most = min(self._estimated, limits.seconds) if self._strict else self._estimated
        if known is None or not known.at_least or known.memory > limits.memory or known.seconds > most:
            return known
        offer, refusals = offers(Request(*key, notes=self._notes), replace(limits, seconds=most))
        return offer.estimate if offer is not None else _least(refusals)

    def _ask(self, key: _Key) -> tuple[CountingOffer | None, list[Refusal]]:
        if key not in self._offers:
            self._offers[key] = offers(Request(*key, notes=self._notes), self.limits)
        return self._offers[key]

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


# The matrix of conventions: the finished games under each convention, as far as they fit the budget.


@dataclass(frozen=True)
class Entry:
    """One cell of the matrix: the question, the number of finished games, and the engine.

    Where the number is left out, `cost` is the estimated cost; None where no engine can count it.
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
        return "no engine can count it" if self.cost is None else self.cost.words

    @property
    def command(self) -> str:
        """The command that computes this number."""
        return command_of(self.question)

    def as_dict(self) -> dict[str, str | None]:
        """Return the entry as a record, with the number as a decimal string."""
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
    """Return the questions of the matrix, with one move rule for both players: 54, or 27 under misere."""
    rules = board.rules.move_rules
    return tuple(
        Question(board, same, moves, moves, end) for moves, end, same in product(rules, end_rules(board), SAMENESSES)
    )


def _wanted(question: Question) -> tuple[str, ...]:
    """Return the columns to count: by choices only the games, as the positions are the same as up to symmetry."""
    return GAME_COLUMNS if question.same == "choices" else COLUMNS


def matrix(board: Board, answers: Answers | None = None) -> tuple[Entry, ...]:
    """Return an entry for each convention, in the order of `conventions`.

    The cheapest are computed first, as long as the engines' estimates fit the rest of the budget (default: 10 s for
    each count). The other entries have an estimated cost instead of a number.
    """
    budget = answers if answers is not None else Answers()
    questions = conventions(board)
    done, seconds = {}, dict.fromkeys(questions, inf)
    for question in questions:
        with suppress(BudgetError):
            seconds[question] = budget.seconds(question, _wanted(question))
    limit, at = budget.limits.seconds, 0.0
    whole = sum(each for each in seconds.values() if each < limit) or 1.0
    for question in sorted(questions, key=seconds.__getitem__):
        begin, at = at, min(whole, at + seconds[question])
        budget.is_part(begin / whole, at / whole)
        try:
            census = budget.census(question, _wanted(question))
            done[question] = Entry(question, census.totals.finished, census.engine)
        except BudgetError:
            done[question] = Entry(question, None, None, budget.cost(question, _wanted(question)))
    budget.is_part(0.0, 1.0)
    return tuple(done[question] for question in questions)


# The ladder of position counts: from all fillings of the cells down to the decisions that matter.


@dataclass(frozen=True)
class Rung:
    """One count of positions: a short name, its meaning in words, and the count.

    Without a count there are a reason and, where one would work, a command to compute it. `bots` is the number of bots
    that differ at these positions; it is given for decisions on boards whose classes are quickly listed.
    """

    name: str
    meaning: str
    count: int | None
    reason: str | None = None
    command: str | None = None
    bots: int | None = None

    def as_dict(self) -> dict[str, str | None]:
        """Return the rung as a record, with the count as a decimal string."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "count": None if self.count is None else str(self.count),
            **({"reason": self.reason} if self.reason else {}),
            **({"command": self.command} if self.command else {}),
            **({"bots": decimal_digits(self.bots)} if self.bots is not None else {}),
        }


def _not_both(board: Board, labelled: Census) -> int:
    """Return the number of balanced boards on which at most one player has a line.

    These are the boards without a line of X, plus those without a line of O, minus those without any line.
    """
    plies, cells, free = _plies(labelled), board.cells, line_free_sets(board)
    total = 0
    for t in range(cells + 1):
        p, q = (t + 1) // 2, t // 2
        total += free[p] * comb(cells - p, q) + free[q] * comb(cells - q, p)
    return total - sum(_known(row.positions) - _known(row.terminal_x) - _known(row.terminal_o) for row in plies)


def _known(count: int | None) -> int:
    if count is None:
        raise BudgetError("the count that fits the budget gives only games")
    return count


def _plies(census: Census) -> tuple[PlyCounts, ...]:
    if not census.plies:
        raise BudgetError("the package has totals of this board, but not this count")
    return census.plies


def _unfinished(classes: Census, step: int = 1) -> int:
    """Return the number of unfinished classes with more than one blank cell; `step` 2 counts those with X to move.

    Where players choose the mark, one blank cell is enough for two moves.
    """
    board = classes.question.board
    return sum(
        _known(row.positions) - _known(row.terminal)
        for row in _plies(classes)
        if row.ply <= board.cells - (1 if board.rules.chooses_mark else 2) and row.ply % step == 0
    )


def _quiet(board: Board, answers: Answers) -> int:
    """Return the number of unfinished classes with more than one blank where neither player threatens a line."""
    if board.misere:
        raise BudgetError("under misere a completed line loses, so no win can be taken or blocked")
    if board.cells > 64:
        raise BudgetError("this count lists the classes, on boards of up to 64 cells")
    if not board.rules.is_marking and class_bound(Position(board)) > QUICK_CLASSES:
        raise BudgetError("this count lists the classes in plain Python, on small boards")
    cost, limits = quiet_estimate(board), answers.limits
    if cost.memory > limits.memory or cost.seconds > limits.seconds:
        about = f"{format_duration(cost.seconds)} and {format_size(cost.memory)}"
        raise BudgetError(f"this count lists the classes, which takes about {about}")
    return quiet_classes(board)


_MEANINGS = {
    "fillings": "ways to fill the cells with X, O or blank: 3^N",
    "sequences": "sequences of 1 to N moves, wins ignored: sum of N!/(N - i)!",
    "balanced": "boards with as many X as O or one more, wins ignored: sum of N!/((N - i)! X! O!)",
    "fallen": "boards of marks that rest on each other, as many X as O or one more, wins ignored",
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

    `answers` is the budget (default: three quarters of the free memory and 10 s for each count). Classes are under the
    isometries of the board. Raises BudgetError on boards of more than COUNTED_CELLS cells. Source of the first and the
    last rungs: B. Shourd, 2012.
    """
    require_size(board)
    budget = answers if answers is not None else Answers()
    choices: dict[str, int] = {}
    if board.rules.alternating:
        with suppress(BudgetError):
            choices = bots(board)
    rungs = []
    for name, (same, find) in _finders(board, budget).items():
        question = Question(board, same or "labelled")
        rung, is_counted = Rung(name, _meaning(board, name), None), same is None
        try:
            if same is not None:
                budget.census(question)
            is_counted = True
            rung = replace(rung, count=find(), bots=choices.get(name))
        except BudgetError as error:
            cost = None if is_counted else budget.cost(question)
            why = str(error) if is_counted else "no engine can count it"
            if cost is None:
                rung = replace(rung, reason=why)
            else:
                rung = replace(rung, reason=cost.words, command=command_of(question))
        rungs.append(rung)
    return tuple(rungs)


def _meaning(board: Board, name: str) -> str:
    """Return in words which positions are counted; who completed the line is said where marks name players."""
    words = _MEANINGS[name].format(x=board.line_outcome("X"), o=board.line_outcome("O"))
    if board.rules.alternating:
        return words
    if board.rules.chooses_mark:
        words = words.replace("one blank cell", "one move")
    return board.rules.named(words.partition(":")[0].replace(", as in MENACE", ""))


def _finders(board: Board, answers: Answers) -> dict[str, tuple[Sameness | None, Callable[[], int]]]:
    """Return for each rung the sameness of the census behind it, and the function that returns the count."""

    def census(same: Sameness) -> Census:
        return answers.census(Question(board, same))

    def total(same: Sameness, column: str) -> int:
        found = census(same)
        count: int | None = getattr(found.totals, column)
        if count is None:
            _plies(found)
        return _known(count)

    cells, rules = board.cells, board.rules
    sets = rules.fillings(board, 0)

    def balanced() -> int:
        return sum(sets[t] * comb(t, t // 2) for t in range(cells + 1))

    finders: dict[str, tuple[bool, Sameness | None, Callable[[], int]]] = {
        "fillings": (rules.alternating, None, lambda: int(3**cells)),
        "sequences": (rules.is_marking, None, lambda: sum(perm(cells, t) for t in range(1, cells + 1))),
        "balanced": (rules.is_marking, None, balanced),
        "not both lined": (rules.is_marking, "labelled", lambda: _not_both(board, census("labelled"))),
        "fallen": (rules.by_column, None, balanced),
        "reachable": (True, "labelled", lambda: total("labelled", "positions")),
        "terminal": (True, "labelled", lambda: total("labelled", "terminal")),
        "classes": (True, "symmetry", lambda: total("symmetry", "positions")),
        "decisions": (True, "symmetry", lambda: _unfinished(census("symmetry"))),
        "real decisions": (rules.alternating, None, lambda: _quiet(board, answers)),
        "matchboxes": (True, "symmetry", lambda: _unfinished(census("symmetry"), 2)),
        "endings": (True, "symmetry", lambda: total("symmetry", "terminal")),
        "endings, X wins": (True, "symmetry", lambda: total("symmetry", "terminal_x")),
        "endings, O wins": (True, "symmetry", lambda: total("symmetry", "terminal_o")),
        "endings, draws": (True, "symmetry", lambda: total("symmetry", "terminal_draw")),
    }
    return {name: (same, find) for name, (is_meant, same, find) in finders.items() if is_meant}
