"""How hard a puzzle is: how deep one has to look, and how well the solution is hidden among moves that look as good.

*Depth* counts moves of one side. Where the goal is to win: the solver's moves until the game is won, when the other
delays it. Where it is not to lose: the opponent's moves by which the most stubborn of the wrong moves is punished.

*Hidden*: moves are compared as a player does at a glance. A move that completes a line looks better than one that
blocks a line, that better than one that makes a threat, and among equals one on more lines still open looks better.
Under misere a move that completes a line looks worst, and among the others one that brings fewer own lines near
completion, and then one on fewer lines still open, looks better. The wrong moves that look as good as the solution, or
better, are its lures: none of them hides it, fewer than half of the wrong moves count 1, half of them or more 2.
"""

from __future__ import annotations

from noughts.domain.bits import Cell
from noughts.domain.position import Position, completing_cells, opponent
from noughts.strategy.lengths import moves_to_win
from noughts.strategy.puzzles.setting import Setting

__all__ = ["depth_of", "glance", "hidden_by", "lures_of"]


def depth_of(setting: Setting) -> int:
    """Return how deep a puzzle is, in moves of one side; at least 1."""
    asked = (setting.cell,) if setting.goal == "win" else setting.wrong
    plies = max(setting.ends[cell][1] for cell in asked)
    return max(1, moves_to_win(plies + 1 if setting.goal == "win" else plies))


def glance(position: Position, cell: Cell) -> tuple[int, ...]:
    """Return how good a move looks at a glance, to be compared: greater looks better."""
    board, mover = position.board, position.to_move
    own, other, place = position.marks(mover), position.marks(opponent(mover)), 1 << cell
    rest = position.blanks & ~place
    through = [line for line in board.lines_through[cell] if not line & other]
    completes = any(line & ~place & ~own == 0 for line in through)
    near = completing_cells(board, own | place, rest).bit_count()
    if board.misere:
        return (-completes, -near, -len(through))
    blocks = any(line & ~place & ~other == 0 for line in board.lines_through[cell])
    made = near > completing_cells(board, own, rest).bit_count()
    return (completes, blocks, made, len(through))


def lures_of(setting: Setting) -> tuple[Cell, ...]:
    """Return the wrong moves that look at a glance as good as the solution or better, the most tempting first."""
    looks = {cell: glance(setting.position, cell) for cell in setting.ends}
    lures = [cell for cell in setting.wrong if looks[cell] >= looks[setting.cell]]
    return tuple(sorted(lures, key=lambda cell: ([-part for part in looks[cell]], cell)))


def hidden_by(lures: int, wrong: int) -> int:
    """Return how well a solution is hidden by so many lures among so many wrong moves: 0, 1 or 2."""
    return 0 if not lures else 1 if 2 * lures < wrong else 2
