"""The baseline of the search benchmark: alpha-beta with a transposition table and nothing else.

Moves from the middle outwards, outcomes at lines and full boards, no threats, no bounds, no symmetry. Returns the value
of the empty board for X, or None when the node limit is reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def alpha_beta(lines: Any, through: Any, order: Any, cells: int, slots: int, limit: int) -> Any:
    key_x, key_o = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
    kept = np.zeros(slots, np.int64)  # 0 nothing, else 4 * (value + 2) + kind; kind 1 exact, 2 at least, 3 at most
    x, o = np.zeros(cells + 2, np.int64), np.zeros(cells + 2, np.int64)
    low, high = np.zeros(cells + 2, np.int64), np.zeros(cells + 2, np.int64)
    first_low, best = np.zeros(cells + 2, np.int64), np.zeros(cells + 2, np.int64)
    step = np.zeros(cells + 2, np.int64)
    nodes, depth, returning, value = 0, 0, False, 0
    low[0], high[0] = -1, 1
    full = (1 << cells) - 1
    while True:
        if not returning:
            nodes += 1
            if nodes > limit:
                return 9, nodes
            slot = ((x[depth] * 2654435761) ^ (o[depth] * 40503) ^ (o[depth] >> 7)) & (slots - 1)
            entry = kept[slot] if key_x[slot] == x[depth] and key_o[slot] == o[depth] else 0
            first_low[depth], best[depth], step[depth] = low[depth], -2, 0
            if entry:
                known, kind = (entry >> 2) - 2, entry & 3
                if kind == 1 or (kind == 2 and known >= high[depth]) or (kind == 3 and known <= low[depth]):
                    value, returning = known, True
            if x[depth] | o[depth] == full:
                value, returning = 0, True
            if returning:
                if depth == 0:
                    return value, nodes
                depth -= 1
                continue
        else:
            returning = False
            best[depth] = max(best[depth], -value)
            low[depth] = max(low[depth], best[depth])
            step[depth] += 1
        taken = x[depth] | o[depth]
        while step[depth] < cells and taken >> order[step[depth]] & 1:
            step[depth] += 1
        if step[depth] == cells or low[depth] >= high[depth]:
            value = best[depth]
            kind = 3 if value <= first_low[depth] else 2 if value >= high[depth] else 1
            slot = ((x[depth] * 2654435761) ^ (o[depth] * 40503) ^ (o[depth] >> 7)) & (slots - 1)
            key_x[slot], key_o[slot], kept[slot] = x[depth], o[depth], 4 * (value + 2) + kind
            returning = True
            if depth == 0:
                return value, nodes
            depth -= 1
            continue
        cell = order[step[depth]]
        own = (x[depth] if depth % 2 == 0 else o[depth]) | 1 << cell
        lined = False
        for i in range(through.shape[1]):
            if through[cell, i] >= 0 and own & lines[through[cell, i]] == lines[through[cell, i]]:
                lined = True
        if lined:
            nodes += 1
            value, returning = -1, True
            continue
        x[depth + 1], o[depth + 1] = (own, o[depth]) if depth % 2 == 0 else (x[depth], own)
        low[depth + 1], high[depth + 1] = -high[depth], -low[depth]
        depth += 1


def solve(rows: int, columns: int, lines: list[list[int]], limit: int) -> tuple[int | None, int]:
    """Return the value of the empty board for X and the nodes; None where the limit came first."""
    cells = rows * columns
    middle = ((rows - 1) / 2, (columns - 1) / 2)
    order = sorted(range(cells), key=lambda c: abs(c // columns - middle[0]) + abs(c % columns - middle[1]))
    through = np.full((cells, max(1, max(sum(c in line for line in lines) for c in range(cells)))), -1, np.int64)
    for cell in range(cells):
        numbers = [i for i, line in enumerate(lines) if cell in line]
        through[cell, : len(numbers)] = numbers
    masks = np.array([sum(1 << c for c in line) for line in lines], np.int64)
    value, nodes = alpha_beta(masks, through, np.array(order, np.int64), cells, 1 << 22, limit)
    return (None if value == 9 else int(value)), int(nodes)
