"""The decisions that matter: unfinished classes in which there is no win to take and no win to block."""

from __future__ import annotations

from noughts.counting.layers.bounds import layer_bounds
from noughts.counting.layers.engine import estimate
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.domain.extent import QUICK_CLASSES
from noughts.domain.position import completing_cells
from noughts.machine.budget import Estimate
from noughts.solving.classgraph import class_graph

__all__ = ["quiet_classes", "quiet_estimate"]


def quiet_estimate(board: Board) -> Estimate:
    """Return what listing the classes costs."""
    question = Question(board, "choices")
    return estimate(question, sum(layer_bounds(question, to_end=False)))


def quiet_classes(board: Board) -> int:
    """Return the number of unfinished classes with more than one blank in which nobody threatens to complete a line.

    Classes are under the isometries of the board, of which there are at most 10,000. Cost: a walk through all classes.
    """
    if sum(layer_bounds(Question(board, "choices"), to_end=True)) > QUICK_CLASSES:
        return _compiled(board)
    found = 0
    for node in class_graph(board).nodes:
        x, o, _ = node.state
        blank = board.full & ~(x | o)
        if node.outcome is None and blank.bit_count() > 1:
            found += not completing_cells(board, x, blank) | completing_cells(board, o, blank)
    return found


def _compiled(board: Board) -> int:
    import numpy as np

    from noughts.counting.layers.walk import unwatched_walk
    from noughts.kernels.layers.quiet import count_quiet

    walk = unwatched_walk(Question(board, "choices"))
    lines = np.array(board.line_masks, np.uint64)
    full = np.uint64(board.full)
    return sum(
        int(count_quiet(part.leads, part.offsets, part.others, full, lines))
        for ply, layer in walk.open_layers()
        if ply <= board.cells - 2
        for part in layer
    )
