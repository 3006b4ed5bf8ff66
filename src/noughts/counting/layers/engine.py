"""Engine `layered`: position classes ply by ply with exact path counts; any question.

Small boards are answered at once in plain Python (`classsums`); what is large enough to pay for it is compiled.
"""

from __future__ import annotations

from pathlib import Path

from noughts.counting.census import Census
from noughts.counting.engines import Progress
from noughts.counting.layers.bounds import keeping_group, layer_bounds, needs_values
from noughts.counting.question import Question
from noughts.domain.extent import QUICK_CLASSES
from noughts.domain.symmetry import ELEMENT_LIMIT
from noughts.machine.budget import Estimate
from noughts.machine.workers import workers_for

__all__ = ["count", "estimate", "name", "refusal"]

name = "layered"

_LOADING = 1.0
_SECONDS_PER_CLASS = 2e-7
_SECONDS_PER_IMAGE = 1e-9
_LEAD_TABLE_CELLS = 26


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    if question.board.cells > 64:
        return f"the engine layered takes boards of up to 64 cells, {question.board} has {question.board.cells}"
    return None


def estimate(question: Question) -> Estimate:
    """Return the cost, from the multinomial bound on each layer; quick.

    Compiled, a layer takes 24 bytes a class as it is made, and twice as much while it is sorted, where its parents
    were; with `decided` or `perfect` all layers are kept at 25 bytes a class. Weights beyond 63 bits add 8 bytes for
    each word. The time is what one busy core takes; beyond 26 cells every symmetry is tried on every class.
    Raises BudgetError for a question up to more symmetries than can be listed.
    """
    looks_ahead = needs_values(question)
    layers = layer_bounds(question, to_end=looks_ahead)
    classes = sum(layers)
    detail = f"at most {classes:,} position classes"
    if _is_small(question):
        listed = sum(_plain_bounds(question))
        return Estimate(listed * 800, listed * 6e-5, f"at most {listed:,} position classes")
    columns = 8 * (2 if question.end == "full" else 1) * _words(question)
    largest = 3 * (16 + columns) * max(layers)
    each = _SECONDS_PER_CLASS * (2 if looks_ahead else 1)
    if question.board.cells > _LEAD_TABLE_CELLS:
        each += _SECONDS_PER_IMAGE * keeping_group(question).order * -(-question.board.cells // 8)
    seconds = _LOADING + each * classes
    return Estimate(200_000_000 + largest + (25 * classes if looks_ahead else 0), seconds, detail)


def _plain_bounds(question: Question) -> list[int]:
    """Return the bounds on the layers in plain Python, where labelled questions share the graph of the board group."""
    group = question.group if question.same != "labelled" else question.board.group()
    start = question.position()
    order = group.stabiliser(start.x, start.o).order if group.order <= ELEMENT_LIMIT else 1
    return layer_bounds(question, to_end=needs_values(question), order=order)


def _is_small(question: Question) -> bool:
    return sum(_plain_bounds(question)) <= QUICK_CLASSES


def _words(question: Question) -> int:
    """Return how many words of 63 bits the number of paths may need."""
    cells, paths, most = question.board.cells, 1, 1
    for ply in range(question.first_ply, question.last_ply):
        paths *= cells - ply
        most = max(most, paths)
    return max(1, -(-most.bit_length() // 63))


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census by pushing path counts through the layers. The answer does not depend on `threads`."""
    if _is_small(question):
        from noughts.counting.layers.classsums import class_rows

        return Census(question, name, class_rows(question))
    from noughts.counting.layers.compiled import compiled_rows

    rows = compiled_rows(question, progress=progress, workers=workers_for(threads), resume=resume)
    return Census(question, name, rows)
