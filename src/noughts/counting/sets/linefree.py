"""Sets of cells without a winning line, counted by size: one player's half of every position nobody has won."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt

from noughts.counting.sets.squares import is_square, square_free_sets
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError

__all__ = ["line_free_sets"]

_STATE_LIMIT = 300_000


@lru_cache(maxsize=16)
def line_free_sets(board: Board) -> tuple[int, ...]:
    """Return for each size 0..N the number of sets of cells that contain no winning line.

    Cell by cell in reading order; of each line under way it matters only whether the set holds all its cells so far,
    and a line is forgotten at its last cell. Squares with n in a row go by inclusion and exclusion.
    Cost: states times cells squared; milliseconds for 6x6:6. Raises BudgetError where the states outgrow a limit.
    """
    if is_square(board.cells, board.line_masks):
        return square_free_sets(isqrt(board.cells))
    ends: list[int] = [0] * board.cells
    through: list[int] = [0] * board.cells
    for number, line in enumerate(board.lines):
        ends[line[-1]] |= 1 << number
        for cell in line:
            through[cell] |= 1 << number
    states: dict[int, list[int]] = {-1: [1]}  # of each line the set holds all cells so far: none
    for cell in range(board.cells):
        following: dict[int, list[int]] = {}
        for held, counts in states.items():
            _add(following, held & ~through[cell] | ends[cell], counts)
            if not held & ends[cell]:
                _add(following, held, [0, *counts])
        states = {}
        for held, counts in following.items():
            _add(states, held & ~ends[cell], counts)
        if len(states) > _STATE_LIMIT:
            raise BudgetError(f"{board} needs over {_STATE_LIMIT:,} states to count the sets without a line")
    total = [0] * (board.cells + 1)
    for counts in states.values():
        for size, count in enumerate(counts):
            total[size] += count
    return tuple(total)


def _add(states: dict[int, list[int]], held: int, counts: list[int]) -> None:
    known = states.setdefault(held, [])
    known += [0] * (len(counts) - len(known))
    for size, count in enumerate(counts):
        known[size] += count
