"""How many positions each ply of a board has, by a subset-sum transform: shares nothing with the package.

For each number of marks q: the number of line-free q-sets inside every set of cells, by one sum over subsets; then a
sum over the sets of the last mover, line-free or with a line that one mark completed. Up to 25 cells or so: 4 bytes
times 2**cells, and a second for each number of marks at 25 cells.
"""

from __future__ import annotations

import numpy as np


def subset_sums(table: np.ndarray, cells: int) -> np.ndarray:
    """Replace the entry of every set by the sum over its subsets."""
    for cell in range(cells):
        pairs = table.reshape(-1, 2, 1 << cell)
        pairs[:, 1, :] += pairs[:, 0, :]
    return table


def totals(cells: int, lines: list[list[int]]) -> list[int]:
    """Return the number of reachable positions of each ply, the game ending at a line."""
    every = np.arange(1 << cells, dtype=np.uint32)
    size = np.zeros(1 << cells, np.int8)
    for cell in range(cells):
        size[1 << cell : 2 << cell] = size[: 1 << cell] + 1
    lined = np.zeros(1 << cells, bool)
    common = np.full(1 << cells, (1 << cells) - 1, np.uint32)
    for line in lines:
        mask = np.uint32(sum(1 << cell for cell in line))
        full = (every & mask) == mask
        lined |= full
        common[full] &= mask
    last_mover = ~lined | (common != 0)
    inside: dict[int, np.ndarray] = {}
    found = []
    for ply in range(cells + 1):
        mover, other = (ply + 1) // 2, ply // 2  # as many marks of the player who moved last, and of the other
        if ply % 2 == 0:
            mover = other = ply // 2
        if other not in inside:
            inside = {other: subset_sums((~lined & (size == other)).astype(np.int32), cells)}
        sets = every[last_mover & (size == mover)]
        rest = np.uint32((1 << cells) - 1) & ~sets
        found.append(int(inside[other][rest].sum(dtype=np.int64)))
    return found
