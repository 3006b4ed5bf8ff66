"""The weak game by brute force, sharing nothing with the package: sets of cells, one mark at a time."""

from __future__ import annotations

import random
from functools import cache


def random_lines(dice: random.Random, *, cells: int | None = None) -> tuple[int, list[list[int]]]:
    """Return a number of cells and some random lines on them, of one to five cells."""
    cells = cells or dice.randint(3, 9)
    sizes = [min(cells, dice.choice((1, 2, 2, 3, 3, 3, 3, 4, 4, 5))) for _ in range(dice.randint(1, 3 * cells // 2))]
    if dice.random() < 0.7:
        sizes = [size for size in sizes if size > 2] or [3]
    return cells, [dice.sample(range(cells), min(size, cells)) for size in sizes]


def maker_fills(cells: int, lines: list[list[int]], *, maker_moves: bool) -> bool:
    """Tell whether Maker can fill a line of some, by trying every move of both."""
    goal = [sum(1 << cell for cell in set(line)) for line in lines]
    full = (1 << cells) - 1

    @cache
    def fills(maker: int, breaker: int, makers_turn: bool) -> bool:
        if any(line & maker == line for line in goal):
            return True
        if all(line & breaker for line in goal) or maker | breaker == full:
            return False
        moves = [1 << cell for cell in range(cells) if not (maker | breaker) >> cell & 1]
        if makers_turn:
            return any(fills(maker | move, breaker, False) for move in moves)
        return all(fills(maker, breaker | move, True) for move in moves)

    return fills(0, 0, maker_moves)
