"""The reduced game tree: forced moves only, cut where the rest is known.

Moves are those of the rule `block`: complete a line, else block, else any. A node is an end when the game is over, when
its minimax value is not a draw, or when it is a draw and no fork can occur any later under those forced moves.
("Tic-Tac-Toe Analysis using Clojure", part 2: 95 nodes below the edge opening of 3x3.)
"""

from __future__ import annotations

from noughts.domain.bits import Mask, cells_of
from noughts.domain.errors import BudgetError
from noughts.domain.position import Position
from noughts.strategy.gametree import NODE_LIMIT, End, GameTree, grow
from noughts.strategy.solutions import Outcomes
from noughts.strategy.threats import forced_cells, is_fork

__all__ = ["ForkAhead", "reduced_tree"]

_LOOK_AHEAD_LIMIT = 1_000_000


class ForkAhead:
    """Tells whether a fork can occur later than a position, both players moving by the rule `block`.

    Remembers every class it has seen. Raises BudgetError beyond a million classes.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Mask, Mask], bool] = {}

    def __call__(self, position: Position) -> bool:
        """Return whether some position after this one is a fork."""
        canonical = position.board.group().canonical
        key = canonical(position.x, position.o)
        if key in self._known:
            return self._known[key]
        if len(self._known) >= _LOOK_AHEAD_LIMIT:
            raise BudgetError(
                f"looking ahead for forks on {position.board} meets more than {_LOOK_AHEAD_LIMIT:,} position classes: "
                "ask from a later position"
            )
        found = False
        if not position.is_terminal:
            later = [position.play(cell) for cell in cells_of(forced_cells(position))]
            found = any(map(is_fork, later)) or any(map(self, later))
        self._known[key] = found
        return found


def reduced_tree(start: Position, limit: int = NODE_LIMIT) -> GameTree:
    """Return the reduced tree below an unfinished position. Assumes normal play: misere is refused by the caller.

    Raises BudgetError beyond `limit` nodes, and where no engine has the values of the board.
    """
    outcomes, ahead = Outcomes(start), ForkAhead()
    return grow(
        start,
        "reduced",
        forced_cells,
        lambda position: _end(outcomes, ahead, position),
        outcomes.outcome,
        is_fork,
        limit=limit,
    )


def _end(outcomes: Outcomes, ahead: ForkAhead, position: Position) -> End | None:
    if position.is_terminal:
        return "over"
    if outcomes.outcome(position) != "draw":
        return "forced win"
    return None if ahead(position) else "no fork left"
