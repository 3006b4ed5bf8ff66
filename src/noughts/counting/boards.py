"""Engine `boards`: several boards at once, by formulas from the counts of one.

A move on one board of Notakto changes no other, and play ends when no board takes a mark. So positions of boards are
independent, as are the orders of the marks on each. Positions multiply. Games of p and q plies on two boards merge
in (p + q)! / (p! q!) ways. Position classes, where boards may change places, are multisets of those of one board.
Games up to symmetry, or by choices, have no such formula.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import comb

from noughts.counting.census import GAME_COLUMNS, PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.machine.budget import Limits, Refusal
from noughts.rules.marks import OUTCOMES


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal | str:
    """Return an offer for free play on several boards from the start, where one board can be counted."""
    from noughts.counting.engines import offers

    question = request.question
    if not question.is_free or question.end != "line" or question.first_ply or question.symmetry != "board":
        return "counts free play from the start, until every board has a line"
    if question.same != "labelled" and not request.wants_positions:
        return "counts games only where cells are distinguishable"
    one = Question(question.board.part, "labelled" if question.same == "labelled" else "choices")
    part, refusals = offers(Request(one), limits)
    if part is None:
        return refusals[-1]
    missing = tuple(name for name in request.wanted if name in GAME_COLUMNS and question.same != "labelled")
    return CountingOffer("boards", part.estimate, question, partial(_rows, question, part), missing=missing)


def _rows(question: Question, part: CountingOffer, run: Run) -> tuple[PlyCounts, ...]:
    one, boards, last = part.count(run).plies, question.board.rules.boards, question.last_ply
    columns = [[getattr(row, name) for row in one] for name in ("positions", "terminal", "paths", "finished")]
    join = _multiplied if question.same == "labelled" else _chosen
    positions, terminal = (join(column, boards, last) for column in columns[:2])
    paths, finished = (_merged(column, boards, last) for column in columns[2:])
    rows = []
    for ply, (every, over) in enumerate(zip(positions, terminal, strict=True)):
        winner = ("X", "O")[ply % 2] if question.board.lines else "draw"
        ends = [winner == outcome for outcome in OUTCOMES]
        games = (paths[ply], [finished[ply] * end for end in ends]) if question.same == "labelled" else (None, None)
        rows.append(PlyCounts.of(ply, every, over, [over * end for end in ends], *games))
    return tuple(rows)


def _power(column: Sequence[int], boards: int, last: int, times: Callable[[int, int], int]) -> list[int]:
    """Return the counts of several boards by ply, where counts after p and q plies make `times(p + q, q)` pairs."""
    found = [1]
    for _ in range(boards):
        longer = [0] * min(last + 1, len(found) + len(column) - 1)
        for p, many in enumerate(found):
            for q, each in enumerate(column[: len(longer) - p]):
                longer[p + q] += many * each * times(p + q, q)
        found = longer
    return found


def _multiplied(column: Sequence[int], boards: int, last: int) -> list[int]:
    return _power(column, boards, last, lambda whole, part: 1)


def _merged(column: Sequence[int], boards: int, last: int) -> list[int]:
    return _power(column, boards, last, comb)


def _chosen(column: Sequence[int], boards: int, last: int) -> list[int]:
    """Return by ply the number of multisets of as many classes as boards."""
    last = min(last, boards * (len(column) - 1))
    found = [[int(not many and not ply) for ply in range(last + 1)] for many in range(boards + 1)]
    for ply, classes in enumerate(column):
        for _ in range(classes):
            for many in range(1, boards + 1):
                for at in range(ply, last + 1):
                    found[many][at] += found[many - 1][at - ply]
    return found[boards]
