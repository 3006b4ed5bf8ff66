"""What plain search tells of a position of an attack, where few enough cells are blank."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.kernels.search import field

__all__ = ["Lookahead"]

MOST_CELLS = 64
MOST_BLANKS = 40
"""With more blanks plain search settles next to nothing."""
SLOTS = 1 << 20

_Owners = npt.NDArray[Any]


class Lookahead:
    """Asks plain search whether the attacker wins; its answers are exact, and it remembers them.

    It settles what attacks only exhaust: positions that the defender holds by threats of his own. `searched` counts its
    positions. Memory: 32 bytes for each of SLOTS, made when it is first asked.
    """

    def __init__(self, board: Board) -> None:
        self.board = board

    @property
    def searched(self) -> int:
        """Positions searched so far."""
        return self._searcher.nodes if "_searcher" in vars(self) else 0

    def wins(self, owner: _Owners, *, moves: bool, limit: int) -> bool | None:
        """Tell whether the attacker, to move or not, wins a picture; None where `limit` positions do not tell."""
        if self.board.cells > MOST_CELLS or np.count_nonzero(owner == field.BLANK) > MOST_BLANKS:
            return None
        marks = (_mask(owner, field.ATTACKER), _mask(owner, field.DEFENDER), _mask(owner, field.DEAD))
        found: bool | None = self._searcher.forces(marks, moves=moves, limit=limit)
        return found

    @cached_property
    def _searcher(self) -> Any:
        from noughts.solving.searcher import Searcher

        return Searcher(self.board, slots=SLOTS)


def _mask(owner: _Owners, player: int) -> Mask:
    return int.from_bytes(np.packbits(owner == player, bitorder="little").tobytes(), "little")
