"""Engine `layered`: position classes ply by ply with exact path counts; any question.

Small boards are answered at once in plain Python (`classsums`); what is large enough to pay for it is compiled.
"""

from __future__ import annotations

from functools import partial
from math import perm

from noughts.counting.census import PlyCounts
from noughts.counting.layers.bounds import keeping_group, layer_bounds, needs_values
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.domain.extent import QUICK_CLASSES
from noughts.domain.symmetry import ELEMENT_LIMIT
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal

__all__ = ["estimate", "offer"]

NAME = "layered"

_LOADING = 1.0
_SECONDS_PER_CLASS = 2e-7
_SECONDS_PER_IMAGE = 1e-9
_LEAD_TABLE_CELLS = 26


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer on boards of up to 64 cells. Raises BudgetError for a question up to a group too large to list.

    The answer does not depend on the number of workers.
    """
    question = request.question
    if question.board.cells > 64:
        cells = question.board.cells
        return Refusal(NAME, f"the engine layered takes boards of up to 64 cells, {question.board} has {cells:,}")
    listed = sum(_plain_bounds(question))
    cost = estimate(question, listed)
    if not limits.allow(cost):
        return Refusal(NAME, "its classes are too many", cost)
    return CountingOffer(question, NAME, cost, partial(_rows, question, listed <= QUICK_CLASSES))


def estimate(question: Question, listed: int) -> Estimate:
    """Return the cost, from the multinomial bound on each layer; `listed` are the classes for plain Python. Quick.

    Compiled, a layer takes 24 bytes a class as it is made, and twice as much while it is sorted, where its parents
    were; with `decided`, `perfect` or `quickest` all layers are kept at 26 bytes a class. Weights beyond 63 bits add 8
    bytes for each word. The time is what one busy core takes; beyond 26 cells every symmetry is tried on every class.
    Raises BudgetError for a question up to more symmetries than can be listed.
    """
    looks_ahead = needs_values(question)
    layers = layer_bounds(question, to_end=looks_ahead)
    if listed <= QUICK_CLASSES:
        return Estimate(listed * 800, listed * 6e-5, f"at most {listed:,} position classes")
    classes = sum(layers)
    columns = 8 * (2 if question.end == "full" else 1) * _words(question)
    largest = 3 * (16 + columns) * max(layers)
    each = _SECONDS_PER_CLASS * (2 if looks_ahead else 1)
    if question.board.cells > _LEAD_TABLE_CELLS:
        each += _SECONDS_PER_IMAGE * keeping_group(question).order * -(-question.board.cells // 8)
    seconds = _LOADING + each * classes
    memory = 200_000_000 + largest + (26 * classes if looks_ahead else 0)
    return Estimate(memory, seconds, f"at most {classes:,} position classes")


def _plain_bounds(question: Question) -> list[int]:
    """Return the bounds on the layers in plain Python, where labelled questions share the graph of the board group."""
    group = question.group if question.same != "labelled" else question.board.group()
    start = question.position()
    order = group.stabiliser(start.x, start.o).order if group.order <= ELEMENT_LIMIT else 1
    return layer_bounds(question, to_end=needs_values(question), order=order)


def _words(question: Question) -> int:
    """Return how many words of 63 bits the number of paths may need."""
    paths = perm(question.board.cells - question.first_ply, question.last_ply - question.first_ply)
    return -(-paths.bit_length() // 63)


def _rows(question: Question, is_small: bool, run: Run) -> tuple[PlyCounts, ...]:
    """Return the rows by pushing path counts through the layers."""
    if is_small:
        from noughts.counting.layers.classsums import class_rows

        return class_rows(question)
    from noughts.counting.layers.compiled import compiled_rows

    return compiled_rows(question, progress=run.progress, workers=run.workers.here, resume=run.resume)
