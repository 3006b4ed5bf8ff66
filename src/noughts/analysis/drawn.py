"""The drawn full boards of a board up to symmetry, with the published names on 3x3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from noughts.rules.board import Board, require_marking, require_playable
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, mask_of
from noughts.rules.position import Position
from noughts.rules.values import roughly

_NAMES = ("Island", "Scorpion", "Arrow")
_CENTRE, _CORNERS = 0b000010000, 0b101000101
_FILL_LIMIT = 5_000_000


@dataclass(frozen=True)
class DrawnPattern:
    """A class of drawn full boards: its name, its canonical form and its number of boards."""

    name: str
    position: Position
    boards: int


def drawn_classes(board: Board) -> tuple[DrawnPattern, ...]:
    """Return the drawn full boards up to symmetry, named on 3x3, else numbered in the order of their canonical forms.

    Cost: all ways to fill the board. Raises BudgetError for more than 5 million of them, as 5x5 has.
    """
    require_marking(board, "a list of drawn patterns")
    require_playable(board)
    ways = comb(board.cells, board.cells // 2)
    if ways > _FILL_LIMIT:
        most = max(n for n in range(board.cells) if comb(n, n // 2) <= _FILL_LIMIT)
        raise BudgetError(
            f"{board} can be filled in {roughly(ways)} ways, over the limit of {_FILL_LIMIT:,}: use a "
            f"board of up to {most} cells"
        )
    group, found = board.group(), dict[tuple[Mask, Mask], int]()
    for cells in combinations(range(board.cells), board.cells // 2):
        o = mask_of(cells)
        x = board.full & ~o
        if not board.has_line(x) and not board.has_line(o):
            key = group.canonical(x, o)
            found[key] = found.get(key, 0) + 1
    is_3x3 = board.shape == (3, 3, 1) and board.k == 3 and not board.torus
    drawn = [
        DrawnPattern(_published_name(x, o) if is_3x3 else f"pattern {i}", Position(board, x, o), many)
        for i, ((x, o), many) in enumerate(sorted(found.items()), 1)
    ]
    return tuple(sorted(drawn, key=lambda pattern: _NAMES.index(pattern.name)) if is_3x3 else drawn)


def names_of(drawn: Sequence[DrawnPattern]) -> dict[tuple[Mask, Mask], str]:
    """Return the names of drawn patterns by their canonical forms."""
    return {(pattern.position.x, pattern.position.o): pattern.name for pattern in drawn}


def _published_name(x: Mask, o: Mask) -> str:
    """Return the name of a drawn board of 3x3."""
    if x & _CENTRE:
        return "Island"
    return "Scorpion" if (o & _CORNERS).bit_count() == 2 else "Arrow"
