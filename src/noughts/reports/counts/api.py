"""All conventions of a board, and one number for each board of a range: one function call each."""

from __future__ import annotations

from typing import Any

from noughts.counting.api import count
from noughts.counting.census import COLUMNS
from noughts.counting.offers import Run
from noughts.domain.arguments import function_or_none, one_of
from noughts.domain.board import Board
from noughts.machine.budget import Limits
from noughts.machine.progress import Progress, silent
from noughts.machine.workers import workers_for
from noughts.reports.counts.conventions import Conventions, survey
from noughts.reports.counts.sequences import Terms, parse_range

__all__ = ["matrix", "sequence"]


def matrix(
    board: Board | str = "3x3",
    *,
    memory: int | str | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Conventions:
    """Return the games of a board under every convention, and its positions from naive to exact.

    What does not fit `memory` and `time` carries what it would cost. The arguments are those of `count`. Cost: 0.2 s
    for 3x3. Raises InvalidBoard, and BudgetError on boards of more than 4,096 cells.

    >>> [entry.finished for entry in matrix("3x3").games][:3]
    [255168, 31896, 26830]
    """
    on = Board.parse(board)
    function_or_none("progress", progress)
    return survey(on, Limits.of(memory, time), Run(workers_for(threads), progress or silent))


def sequence(boards: str, *, column: str = "finished", **question: Any) -> Terms:
    """Return one total for each board of a range such as `1x1..5x5` or `3x1..3x9`.

    `column` is one of those of a census; the other arguments are those of `count`. Raises InputError for a range that
    makes no sense, and what `count` raises.

    >>> sequence("1x1..3x3", same="choices").terms
    (1, 3, 26830)
    """
    one_of("the column", column, COLUMNS)
    found = tuple(count(board, **question) for board in parse_range(boards).boards)
    return Terms(column, parse_range(boards), found)
