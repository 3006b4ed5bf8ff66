"""How a layer of a table is cut into work items and files: always alike, whoever does the work."""

from __future__ import annotations

from itertools import pairwise

from noughts.solving.index import LayerShape

__all__ = ["plies_of", "portions"]

LEAST_BYTES = 1 << 20
MOST_BYTES = 1 << 28
PORTIONS = 64
"""A layer is cut into about so many portions, none smaller than LEAST_BYTES or larger than MOST_BYTES."""


def plies_of(cells: int, marks: int) -> list[int]:
    """Return the plies in which X has so many marks: O is to move at the first, X at the second, if there are two."""
    return [ply for ply in (2 * marks - 1, 2 * marks) if 0 <= ply <= cells]


def portions(cells: int, marks: int, blocks: int, packed: bool) -> list[tuple[int, int]]:
    """Return the runs of sets of so many X that are done, and kept, together: with the plies of `plies_of`."""
    stride = max(LayerShape.of(cells, ply, blocks, packed).stride for ply in plies_of(cells, marks))
    wanted = min(MOST_BYTES, max(LEAST_BYTES, blocks * stride // PORTIONS))
    step = max(1, wanted // stride)
    return list(pairwise([*range(0, blocks, step), blocks])) if blocks else []
