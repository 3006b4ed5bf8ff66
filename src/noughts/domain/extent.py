"""How many position classes play can reach, and up to how many plain Python is enough: decided here for all rooms."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from noughts.domain.board import Board
from noughts.domain.digits import roughly
from noughts.domain.errors import BudgetError
from noughts.domain.notation import format_start
from noughts.domain.position import Position
from noughts.domain.sizes import require_playable

__all__ = [
    "LISTED_CLASSES",
    "QUICK_CLASSES",
    "WAITED_FOR",
    "class_bound",
    "layer_bounds",
    "least_classes",
    "least_positions",
    "position_bounds",
    "require_listed",
]

QUICK_CLASSES = 40_000
"""Position classes, by the bound, that plain Python lists about as fast as compiled kernels are loaded."""

WAITED_FOR = 10**9
"""Position classes up to which a person may be told to wait."""

LISTED_CLASSES = 120_000
"""Position classes, by the bound, that plain Python lists where nothing compiled does the work: some seconds."""


def layer_bounds(start: Position, order: int, last_ply: int | None = None) -> list[int]:
    """Return for each ply from a start on the multinomial bound on positions, divided by the order of a group.

    The number of ways to choose the cells of the marks still to be made, X's and O's, as if no line ended the game.
    A bound on labelled positions; on classes nearly so, as few positions have symmetries. Up to the full board unless
    the last ply is given.
    """
    blank = start.blanks.bit_count()
    bounds = []
    for ply in range(start.ply, 1 + (start.board.cells if last_ply is None else last_ply)):
        x, o = (ply + 1) // 2 - start.x.bit_count(), ply // 2 - start.o.bit_count()
        bounds.append(-(-comb(blank, x) * comb(blank - x, o) // order))
    return bounds


def class_bound(start: Position) -> int:
    """Return about how many position classes play from a start can reach; from a later start all are taken for one.

    Raises BudgetError on boards of more than PLAYED_CELLS cells.
    """
    require_playable(start.board)
    return -(-sum(layer_bounds(start, 1)) // (start.board.group().order if start.ply == 0 else 1))


def require_listed(
    start: Position,
    what: str,
    limit: int = LISTED_CLASSES,
    *,
    has_option: bool = False,
    takes_position: bool = True,
) -> None:
    """Raise BudgetError where play from a position meets too many classes for plain Python; `what` is to be done.

    `has_option` where --limit is to be named; not `takes_position` where no later one can be asked about.
    """
    bound = class_bound(start)
    if bound > limit:
        raise BudgetError(
            f"{what} on {start.board}{format_start(start)} may meet some {roughly(bound)} position classes, and up to "
            f"{limit:,} are listed: ask about a smaller board"
            + " or a later position" * takes_position
            + (f", or wait longer with --limit {bound}" if has_option and bound < WAITED_FOR else "")
        )


def least_classes(start: Position, depth: int | None = None) -> int:
    """Return a number of classes that free play surely reaches, within so many plies.

    While nobody has marks enough for a line all fillings are reached. A class holds at most as many positions as there
    are symmetries.
    """
    board, blanks = start.board, start.blanks.bit_count()
    require_playable(board)
    shortest = min(map(len, board.lines), default=board.cells + 1)
    first, second = (start.x, start.o) if start.to_move == "X" else (start.o, start.x)
    total = 0
    for more in range(1 + (blanks if depth is None else min(depth, blanks))):
        p, q = (more + 1) // 2, more // 2
        if first.bit_count() + p >= shortest or second.bit_count() + q >= shortest:
            break
        total += -(-comb(blanks, p) * comb(blanks - p, q) // board.group().order)
    return total


def position_bounds(board: Board, free: Sequence[int]) -> list[int]:
    """Return for each ply at least the number of reachable positions, and rarely twice as many.

    `free` has for each size the number of sets of cells without a line, or at least so many. Open positions are at most
    one player's line-free sets with any set of the other; a position with a line is one move after an open one.
    """
    cells, before = board.cells, 0
    bounds = []
    for ply in range(cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        still_open = min(free[p] * comb(cells - p, q), free[q] * comb(cells - q, p))
        bounds.append(min(comb(cells, ply) * comb(ply, q), still_open + before * (cells - ply + 1)))
        before = still_open
    return bounds


def least_positions(board: Board, free: Sequence[int]) -> list[int]:
    """Return for each ply a number of positions that are surely reached: open ones, by inclusion and exclusion.

    `free` has for each size the number of sets of cells without a line.
    """
    found = []
    for ply in range(board.cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        with_line = comb(board.cells, q) - free[q]
        found.append(max(0, free[p] * comb(board.cells - p, q) - with_line * comb(board.cells - q, p)))
    return found
