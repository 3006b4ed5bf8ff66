"""How many sets of X there are in each layer, exactly, without listing one: what a table takes is known before.

Burnside: the classes of sets are the average over the symmetries of the sets that each leaves as they are, which are
unions of its cycles. Those are counted cycle by cycle: of the sets so far only which lines they still may complete
matters, and, once one is complete, which cells all complete ones share.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from noughts.domain.bits import Mask, mask_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.symmetry import Permutation

__all__ = ["LeadCounts", "lead_counts"]

FIELD = 64
"""Bits of each coefficient of a polynomial that is kept in one integer: sets of up to 63 cells."""
MOST_STATES = 500_000
SYMMETRIES = 1_000

State = tuple[int, Mask]
"""Lines that may still be completed, as bits; and the cells that all complete lines share, -1 where none is."""


class LeadCounts(NamedTuple):
    """Classes of sets of 0, 1, ... marks: `free` have no line; `won` have one, which one of their marks completed."""

    free: tuple[int, ...]
    won: tuple[int, ...]


def lead_counts(board: Board) -> LeadCounts:
    """Return how many classes of sets of X there are by marks, up to half of the board.

    Cost: for each cell of the board as many steps as lines can be half complete in different ways; 5x6:4 takes a
    second. Raises BudgetError where that is too many, or where there are too many symmetries.
    """
    group = board.group("board")
    if board.cells >= FIELD or group.order > SYMMETRIES:
        raise BudgetError(
            f"{board} has {board.cells} cells and {group.order:,} symmetries: plans go up to {FIELD - 1} and "
            f"{SYMMETRIES:,}"
        )
    kinds = Counter(_cycles(element) for element in group.elements)
    free, won = 0, 0
    for cycles, many in kinds.items():
        fixed = _fixed(board, cycles)
        free += many * fixed[0]
        won += many * fixed[1]
    marks = range((board.cells + 1) // 2 + 1)
    return LeadCounts(*(tuple(_coefficient(total, p, group.order) for p in marks) for total in (free, won)))


def _coefficient(total: int, power: int, order: int) -> int:
    classes, rest = divmod(total >> FIELD * power & (1 << FIELD) - 1, order)
    assert rest == 0, "the sets that symmetries leave as they are must add up to a multiple of their number"
    return classes


def _cycles(element: Permutation) -> tuple[Mask, ...]:
    """Return the cycles of a symmetry as sets of cells, by their first cells."""
    seen, found = 0, []
    for cell in range(len(element)):
        if not seen >> cell & 1:
            cycle, at = [cell], element[cell]
            while at != cell:
                cycle.append(at)
                at = element[at]
            found.append(mask_of(cycle))
            seen |= found[-1]
    return tuple(found)


def _fixed(board: Board, cycles: tuple[Mask, ...]) -> tuple[int, int]:
    """Return the unions of cycles without a line, and those with one and a mark in all: polynomials by marks."""
    lines = board.line_masks
    meets = [sum(1 << number for number, line in enumerate(lines) if line & cycle) for cycle in cycles]
    last = [0] * len(cycles)
    for number, line in enumerate(lines):
        last[max(i for i, cycle in enumerate(cycles) if line & cycle)] |= 1 << number
    states: dict[State, int] = {((1 << len(lines)) - 1, -1): 1}
    for cycle, met, ends in zip(cycles, meets, last, strict=True):
        following: dict[State, int] = {}
        shift = FIELD * cycle.bit_count()
        for (alive, shared), ways in states.items():
            without = (alive & ~met & ~ends, shared)
            following[without] = following.get(without, 0) + ways
            complete = alive & ends
            common = shared
            while complete:
                number = (complete & -complete).bit_length() - 1
                complete &= complete - 1
                common &= lines[number]
            if common:
                marked = (alive & ~ends, common)
                following[marked] = following.get(marked, 0) + (ways << shift)
        states = following
        if len(states) > MOST_STATES:
            raise BudgetError(f"the sets of {board} cannot be counted in a plan: their lines meet in too many ways")
    free = sum(ways for (_, shared), ways in states.items() if shared == -1)
    return free, sum(states.values()) - free
