"""Engine `streamed`: numbers of paths from layer to layer in the order of the perfect index, without hashing.

It counts games from the empty board that end at a line or when they are decided. It allows any move rules, on boards of
up to 30 cells. See docs/explanation/kernels.md.
"""

from __future__ import annotations

from functools import partial

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question, keeping_group, needs_values
from noughts.machine.budget import Limits, OfSize
from noughts.rules.symmetry import Group

GROUP_LIMIT = 1_000


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer to stream the layers, on disk where the limits allow it, or a refusal.

    The answer does not depend on the workers. Raises BudgetError where the question's group is too large to list.
    """
    question = request.question
    if question.first_ply:
        return f"counts games from the empty board, not from {question.start}"
    if question.end == "full":
        return "counts games that end at a line or when decided"
    if question.concedes:
        return "does not count players who concede"
    group = keeping_group(question)
    if group.order > GROUP_LIMIT:
        return OfSize(f"uses up to {GROUP_LIMIT:,} symmetries, not {group.order:,}")
    from noughts.counting.streamed.layers import estimate

    return CountingOffer("streamed", estimate(question, group.order, limits), question, partial(_rows, question, group))


def _rows(question: Question, group: Group, run: Run) -> tuple[PlyCounts, ...]:
    from noughts.counting.streamed.walk import StreamedWalk

    workers = run.workers.here if needs_values(question) else run.workers  # too many values to send to other processes
    return StreamedWalk(question, group, workers, run.progress).rows(run.resume)
