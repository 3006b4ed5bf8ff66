"""Censuses of boards large enough to compile for: layers of position classes with exact weights, by the kernel room.

A class's weight is the number of labelled paths into its orbit, or, counted by choices, of paths through distinct child
classes. With H the group that keeps the start, labelled paths are sums of weights, paths up to symmetry sums of weight
times order of the pointwise stabiliser of the marked cells, divided by the order of H.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from noughts.counting.census import PlyCounts
from noughts.counting.layers.bounds import keeping_group, layer_bounds, needs_values
from noughts.counting.layers.checkpoint import Checkpoint
from noughts.counting.layers.meter import Meter
from noughts.counting.layers.walk import Walk
from noughts.counting.question import Question
from noughts.kernels.layers.terms import LIMB_BITS
from noughts.machine.progress import Progress
from noughts.machine.workers import SERIAL, Workers

__all__ = ["compiled_rows"]


def compiled_rows(
    question: Question,
    *,
    progress: Progress | None = None,
    workers: Workers = SERIAL,
    resume: Path | None = None,
    limb_bits: int = LIMB_BITS,
) -> tuple[PlyCounts, ...]:
    """Return the rows of the census, exact. The answer does not depend on the workers or `limb_bits`.

    Assumes at most 64 cells and at most 10,000 symmetries. With `resume` the state is kept in that folder after plies
    that take long, and taken up from there; the backward pass of `decided`, `perfect` and `quickest` is made again.
    """
    keeping = question.group if question.same == "choices" else keeping_group(question)
    twice = question.same == "symmetry" and keeping.order != question.group.order
    passes = (3 if needs_values(question) else 1) * (2 if twice else 1)
    meter = Meter(progress, question.first_ply, layer_bounds(question, to_end=needs_values(question)), passes)
    saved = [Checkpoint(resume, question, number) for number in range(1 + twice)]
    rows = Walk(question, keeping, workers, limb_bits, meter, saved[0]).rows()
    if twice:
        classes = replace(question, same="choices")
        others = Walk(classes, question.group, workers, limb_bits, meter, saved[1]).rows()
        rows = tuple(row.with_positions_of(other) for row, other in zip(rows, others, strict=True))
    meter.finish()
    return rows
