"""The reduced game tree: forced moves only, cut where the rest is known.

Moves are those of the rule `block`: complete a line, else block, else any. A node is an end when the game is over, when
its minimax value is not a draw, or when it is a draw and no fork can occur any later under those forced moves.
("Tic-Tac-Toe Analysis using Clojure", part 2: 95 nodes below the edge opening of 3x3.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import combinations

from noughts.domain.bits import Mask, cells_of
from noughts.domain.errors import BudgetError
from noughts.domain.extent import QUICK_CLASSES, class_bound, require_listed
from noughts.domain.position import Player, Position, opponent
from noughts.solving.bounds import surely_drawn
from noughts.solving.problem import SearchBudget
from noughts.solving.solution import Solution
from noughts.strategy.gametree import NODE_LIMIT, End, GameTree, grow
from noughts.strategy.outcomes import Outcomes
from noughts.strategy.solutions import searched_from
from noughts.strategy.threats import forced_cells, is_fork
from noughts.strategy.treesize import require_small

__all__ = ["ForkAhead", "fork_in_sight", "reduced_tree"]

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


_SOON = SearchBudget(position=400_000, whole=1_600_000, far=100_000)
"""What may be searched for a first look at how large a tree is: less than a second."""
_SEEN_CELLS = 64
"""Cells of a board of which so many nodes are looked at once that the tree is seen to be too large."""


def reduced_tree(start: Position, limit: int = NODE_LIMIT) -> GameTree:
    """Return the reduced tree below an unfinished position. Assumes normal play: misere is refused by the caller.

    Raises BudgetError beyond `limit` nodes, before any engine is asked where one look at each node shows so many; and
    where no engine has the values of the board.
    """
    if start.board.cells > _SEEN_CELLS:
        require_listed(start, "growing the reduced tree", QUICK_CLASSES)
    if class_bound(start) > QUICK_CLASSES:
        _require_small(start, limit, surely_drawn)
        _require_small(start, limit, _Drawn(start))
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


class _Drawn:
    """Tells whether a search soon finds a position drawn; after one that it does not settle, none is."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._gave_up = False

    @cached_property
    def _solution(self) -> Solution:
        return searched_from(self._start, _SOON)

    def __call__(self, position: Position) -> bool:
        try:
            return not self._gave_up and (surely_drawn(position) or self._solution.outcome(position) == "draw")
        except BudgetError:
            self._gave_up = True
            return False


def _require_small(start: Position, limit: int, is_drawn: Callable[[Position], bool]) -> None:
    """Raise BudgetError where a few games through the tree show that it has far more than `limit` nodes.

    Nodes are taken for ends unless it is seen that the tree goes on below: what is left is a part of the tree.
    """
    require_small(
        "reduced",
        start,
        forced_cells,
        lambda position: position.is_terminal or not is_drawn(position) or not fork_in_sight(position),
        limit,
    )


def fork_in_sight(position: Position) -> bool:
    """Tell whether a fork can occur later than a position, as `ForkAhead` does, if it is easily shown.

    One player fills two crossing lines, their common cell last, while the other keeps out of the way. False says
    nothing: a fork may occur all the same.
    """
    players: tuple[Player, ...] = ("X", "O")
    for player in players:
        other = position.marks(opponent(player))
        lines = [line for line in position.board.line_masks if not line & other]
        for first, second in combinations(lines, 2):
            common = first & second & position.blanks
            if common and _is_forked(position, player, (first, second), common & -common):
                return True
    return False


def _is_forked(position: Position, player: Player, lines: tuple[Mask, Mask], last: Mask) -> bool:
    """Play on by the rule `block` until a player has all of two lines but one cell of each; tell whether it works."""
    kept = [line & position.blanks & ~other & ~last for line, other in (lines, lines[::-1])]
    both = lines[0] | lines[1]
    fill = both & position.blanks & ~last & ~(kept[0] & -kept[0]) & ~(kept[1] & -kept[1])
    while not position.is_terminal:
        mine = position.to_move == player
        wanted = ((fill or last) if mine else position.blanks & ~both) & forced_cells(position)
        if not wanted:
            return False
        cell = wanted & -wanted
        position = position.play(cell.bit_length() - 1)
        if mine and cell == last:
            return is_fork(position)
        fill &= ~cell
    return False


def _end(outcomes: Outcomes, ahead: ForkAhead, position: Position) -> End | None:
    if position.is_terminal:
        return "over"
    if outcomes.outcome(position) != "draw":
        return "forced win"
    return None if fork_in_sight(position) or ahead(position) else "no fork left"
