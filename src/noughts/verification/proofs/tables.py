"""Permutations of sets of cells, a byte of the set at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["Mover", "mover"]

Mover = Callable[[int], int]
"""Takes a set of cells to where a permutation takes them."""


def mover(permutation: Sequence[int]) -> Mover:
    """Return the permutation as a function of sets."""
    tables = []
    for low in range(0, len(permutation), 8):
        table = [0]
        for to in permutation[low : low + 8]:
            table += [image | 1 << to for image in table]
        tables.append(table)

    def move(cells: int) -> int:
        found, at = 0, 0
        while cells:
            found |= tables[at][cells & 255]
            cells >>= 8
            at += 1
        return found

    return move
