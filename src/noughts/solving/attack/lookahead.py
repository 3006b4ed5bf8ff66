"""What plain search tells of a position of an attack, where few enough cells are blank."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.kernels.search import field

if TYPE_CHECKING:
    from noughts.solving.searcher import Searcher

__all__ = ["Lookahead"]

MOST_CELLS = 64
MOST_BLANKS = 40
"""With more blanks plain search settles next to nothing."""
SLOTS = 1 << 22

_Owners = npt.NDArray[Any]


class Lookahead:
    """Asks plain search whether the attacker wins; its answers are exact, and it remembers them.

    It settles what attacks only exhaust: positions that the defender holds by threats of his own. `searched` counts its
    positions. It searches with a `Searcher` that others may ask as well; where none is given, with one of so many
    `slots`, of 32 bytes each, made when it is first asked.
    """

    def __init__(self, board: Board, searcher: Searcher | None = None, *, slots: int = SLOTS) -> None:
        self.board = board
        self._slots = slots
        self.searched = 0
        if searcher is not None:
            self._searcher = searcher

    def takes(self, blanks: int) -> bool:
        """Whether it looks at positions with so many blanks."""
        return self.board.cells <= MOST_CELLS and blanks <= MOST_BLANKS

    def wins(self, owner: _Owners, *, moves: bool, limit: int) -> bool | None:
        """Tell whether the attacker, to move or not, wins a picture; None where `limit` positions do not tell."""
        if not self.takes(int(np.count_nonzero(owner == field.BLANK))):
            return None
        marks = (_mask(owner, field.ATTACKER), _mask(owner, field.DEFENDER), _mask(owner, field.DEAD))
        before = self._searcher.nodes
        found = self._searcher.forces(marks, moves=moves, limit=limit)
        self.searched += self._searcher.nodes - before
        return found

    @cached_property
    def _searcher(self) -> Searcher:
        from noughts.solving.searcher import Searcher

        return Searcher(self.board, slots=self._slots)


def _mask(owner: _Owners, player: int) -> Mask:
    return int.from_bytes(np.packbits(owner == player, bitorder="little").tobytes(), "little")
