"""Where puzzles come from: all classes of a small board, or positions of games drawn by lot on a larger one.

Nothing here depends on the machine, its speed or its memory: the same seed gives the same puzzles everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.extent import class_bound
from noughts.domain.lots import drawn
from noughts.domain.position import Outcome, Position, completing_cells, opponent
from noughts.solving.small import SmallSolution
from noughts.solving.values import OUTCOME_OF_VALUE
from noughts.strategy.puzzles.lengths import move_ends
from noughts.strategy.puzzles.setting import LEAST_BLANKS, Setting, setting_of

__all__ = ["LISTED", "drawn_setting", "is_listed", "listed_settings", "positions_of"]

LISTED = 1_000
"""Position classes, by the bound, up to which all puzzles of a board are listed."""
_WORK = 40_000
"""Lines that may be looked at to value a position that was drawn; where more are needed another is drawn."""
_REPLIES = 4
"""So many times the positions that are opened for a puzzle may be opened for the replies to its solution."""
_MOST_BLANKS = 20
"""Blank cells of a position that is drawn, at most."""


def is_listed(board: Board) -> bool:
    """Tell whether all puzzles of a board are listed, and not some of them drawn."""
    return class_bound(Position(board)) <= LISTED


def positions_of(board: Board) -> int:
    """Return how many positions may be opened to value a position that was drawn."""
    return _WORK // max(20, len(board.lines))


@lru_cache(maxsize=4)
def listed_settings(board: Board) -> tuple[tuple[Setting, ...], SmallSolution]:
    """Return all puzzles of a small board, one of each class, and the values of the board. Kept for a few boards."""
    solution = SmallSolution(board)
    return tuple(_settings(solution)), solution


def _settings(solution: SmallSolution) -> Iterator[Setting]:
    """Yield the puzzles among all classes, in order of ply."""
    graph, board = solution.graph, solution.board
    for node in graph.nodes:
        ends: dict[Cell, tuple[Outcome, int]] = {}
        after: dict[Cell, int] = {}
        for child, moves in node.children:
            for cell in cells_of(moves):
                ends[cell] = (OUTCOME_OF_VALUE[graph.values[child]], graph.remoteness[child])
                after[cell] = child
        found = setting_of(Position(board, node.state.x, node.state.o), ends)
        if found is not None:
            children = graph.nodes[after[found.cell]].children
            replies = {OUTCOME_OF_VALUE[graph.values[child]] for child, _ in children}
            yield _with_traps(found, replies)


def _with_traps(found: Setting, replies: set[Outcome]) -> Setting:
    """Return a puzzle with whether its solution sets a trap, by what the replies to it come to."""
    return replace(found, traps=found.goal == "not lose" and len(replies) > 1)


def drawn_setting(board: Board, lot: str) -> Setting | None:
    """Return the puzzle that a lot leads to, None where it leads to none: most do not."""
    at = _drawn_position(board, lot)
    if at is None:
        return None
    try:
        found = setting_of(at, dict(move_ends(at, positions_of(board))))
        if found is None:
            return None
        after = at.play(found.cell)
        replies = (
            set()
            if after.is_terminal
            else {outcome for outcome, _ in move_ends(after, _REPLIES * positions_of(board)).values()}
        )
    except BudgetError:
        return None
    return _with_traps(found, replies)


def _drawn_position(board: Board, lot: str) -> Position | None:
    """Return a position of a game by lot, in which nobody completes a line who need not and threats are blocked.

    None where the game is over, or cannot go on like that, before as many cells are blank as the lot has it.
    """
    most = min(_MOST_BLANKS, board.cells)
    blanks = LEAST_BLANKS + drawn(most - LEAST_BLANKS + 1, f"{lot} blanks")
    at = Position(board)
    while at.blanks.bit_count() > blanks:
        mover = at.to_move
        safe = at.blanks & ~completing_cells(board, at.marks(mover), at.blanks)
        if not board.misere:
            safe = safe & completing_cells(board, at.marks(opponent(mover)), at.blanks) or safe
        cells = list(cells_of(safe))
        if not cells:
            return None
        at = at.play(cells[drawn(len(cells), f"{lot} {at}")])
    return at
