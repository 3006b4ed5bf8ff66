"""Engine `layered`: position classes ply by ply with exact path counts; any question.

Small boards are counted at once in plain Python (`class_sums`), larger boards by compiled kernels.
"""

from __future__ import annotations

from functools import partial
from math import perm

from noughts.counting.census import PlyCounts
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question, keeping_group, layer_bounds, needs_values
from noughts.machine.budget import Estimate, Limits, OfSize
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import QUICK_CLASSES
from noughts.rules.position import completing_cells
from noughts.rules.symmetry import ELEMENT_LIMIT
from noughts.solving.classgraph import class_graph

_LOADING = 1.0
_SECONDS_PER_CLASS = 2e-7
_SECONDS_PER_IMAGE = 1e-9
_LEAD_TABLE_CELLS = 26


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer. Raises BudgetError where the question's group is too large to list.

    The answer does not depend on the number of workers.
    """
    question = request.question
    if not question.board.rules.alternating:
        return "counts players who move in turn, each with marks of their own"
    start, group = question.position(), question.group if question.same != "labelled" else question.board.group()
    order = group.stabiliser(start.x, start.o).order if group.order <= ELEMENT_LIMIT else 1
    listed = sum(layer_bounds(question, to_end=needs_values(question), order=order))
    if listed > QUICK_CLASSES and not question.board.rules.is_marking:
        return OfSize(f"counts rules such as those of {question.board} on small boards only")
    if listed > QUICK_CLASSES and question.concedes:
        return OfSize(f"counts players who concede on small boards, not on {question.board}")
    rows = partial(_rows, question, listed <= QUICK_CLASSES)
    return CountingOffer("layered", estimate(question, listed), question, rows)


def estimate(question: Question, listed: int) -> Estimate:
    """Return the cost, from the multinomial bound on each layer; `listed` is the bound on classes in plain Python.

    In the kernels a new layer takes 24 bytes for each class, and twice as much during the sort, which reuses the
    memory of its parents. With `decided`, `perfect` or `quickest` all layers stay, at 26 bytes for each class. Weights
    beyond 63 bits add 8 bytes for each word. The time is that of one busy core; beyond 26 cells every symmetry is tried
    on every class. Raises BudgetError where the question's group is too large to list. Cost: milliseconds.
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


def _words(question: Question) -> int:
    """Return the number of 63-bit words that the number of paths may need."""
    paths = perm(question.board.cells - question.first_ply, question.last_ply - question.first_ply)
    return -(-paths.bit_length() // 63)


def _rows(question: Question, is_small: bool, run: Run) -> tuple[PlyCounts, ...]:
    if is_small:
        from noughts.counting.class_sums import class_rows

        return class_rows(question)
    from noughts.counting.layered.walk import compiled_rows

    return compiled_rows(question, progress=run.progress, workers=run.workers.here, resume=run.resume)


# The real decisions: unfinished classes in which no win can be taken or blocked.


def quiet_estimate(board: Board) -> Estimate:
    """Return the cost of listing the classes."""
    question = Question(board, "choices")
    return estimate(question, sum(layer_bounds(question, to_end=False)))


def quiet_classes(board: Board) -> int:
    """Return the number of unfinished classes with more than one blank where neither player threatens a line.

    Classes are under the isometries of the board, of which there are at most 10,000. Cost: a walk through all classes.
    """
    if board.rules.is_marking and sum(layer_bounds(Question(board, "choices"), to_end=True)) > QUICK_CLASSES:
        return _compiled(board)
    found = 0
    for node in class_graph(board).nodes:
        x, o, _ = node.state
        if node.outcome is None and (x | o).bit_count() < board.cells - 1:
            cells = board.rules.moves(board, x, o)
            found += not completing_cells(board, x, cells) | completing_cells(board, o, cells)
    return found


def _compiled(board: Board) -> int:
    import numpy as np

    from noughts.counting.layered.walk import unwatched_walk
    from noughts.kernels.layers.advance import count_quiet

    walk = unwatched_walk(Question(board, "choices"))
    lines = np.array(board.line_masks, np.uint64)
    full = np.uint64(board.full)
    return sum(
        int(count_quiet(part.leads, part.offsets, part.others, full, lines))
        for ply, layer in walk.open_layers()
        if ply <= board.cells - 2
        for part in layer
    )


# Classes by value, ply by ply: a by-product of counting perfect play.


def unfinished_by_value(board: Board, limits: Limits) -> dict[int, tuple[int, int, int]]:
    """Return for each ply the numbers of unfinished classes that O wins, that are drawn, and that X wins by best play.

    Classes are under the isometries of the board. They are listed and hashed layer by layer, independently of the
    tables of `solve`. Raises BudgetError beyond the limits, with the estimate, and on boards of more than 64 cells.
    """
    if board.cells > 64:
        raise BudgetError(f"classes are listed on boards of up to 64 cells, but {board} has {board.cells:,}")
    question = Question(board, "choices", x_moves="perfect", o_moves="perfect")
    cost = estimate(question, sum(layer_bounds(question, to_end=True)))
    if not limits.allow(cost):
        raise BudgetError(f"the classes of {board} by value exceed the budget: {cost.words}")

    from noughts.counting.layered.walk import unwatched_walk

    return unwatched_walk(question).by_value()
