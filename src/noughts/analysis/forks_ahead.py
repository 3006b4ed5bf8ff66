"""Whether a fork can still occur after a position if both players complete lines and block them."""

from __future__ import annotations

from itertools import combinations

from noughts.analysis.explain.facts import forced_cells, is_fork
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, Player, cells_of, opponent
from noughts.rules.position import Position

_LOOK_AHEAD_LIMIT = 1_000_000


class ForkAhead:
    """Says whether a fork can occur after a position if both players move by the rule `block`.

    Caches every class. Raises BudgetError beyond a million classes.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Mask, Mask], bool] = {}

    def __call__(self, position: Position) -> bool:
        """Return whether some position after this one is a fork."""
        key = position.board.group().canonical(position.x, position.o)
        if key not in self._known:
            if len(self._known) >= _LOOK_AHEAD_LIMIT:
                raise BudgetError(
                    f"the search for forks on {position.board} meets more than {_LOOK_AHEAD_LIMIT:,} position "
                    "classes: ask from a later position"
                )
            cells = 0 if position.is_terminal else forced_cells(position)
            later = [position.play(cell) for cell in cells_of(cells)]
            self._known[key] = any(map(is_fork, later)) or any(map(self, later))
        return self._known[key]


def fork_in_sight(position: Position) -> bool:
    """Return True if one quick try shows that a fork can occur after a position, as `ForkAhead` says.

    One player fills two crossing lines, their common cell last, while the opponent plays elsewhere. After False a fork
    may still occur.
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
    """Return whether a player can fill two lines but one cell each under the rule `block`."""
    spared = [line & position.blanks & ~other & ~last for line, other in (lines, lines[::-1])]
    both = lines[0] | lines[1]
    fill = both & position.blanks & ~last & ~(spared[0] & -spared[0]) & ~(spared[1] & -spared[1])
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
