"""Pairs of cells shared between lines, chosen one by one: what ends most branches of the search, in plain Python."""

from __future__ import annotations

from collections.abc import Iterable

from noughts.domain.bits import Mask, cells_of
from noughts.solving.weak.family import weight

__all__ = ["shared_pairs"]


def shared_pairs(family: Iterable[Mask], unit: int, *, maker_moves: bool) -> tuple[int, list[Mask]]:
    """Return the least weight that pairs of cells make of a family, and the disjoint pairs, chosen one by one.

    Members with both cells of a pair go, as Breaker gets one of them; those with one of them lose it, as if Maker got
    it, and weigh double. Each pair is the one that lessens the weight most. With Maker to move the heaviest cell counts
    as well. Where the result is below 2**unit, Breaker keeps every member from being filled.
    """
    members = list(family)
    chosen: list[Mask] = []
    least, best = -1, 0
    while True:
        total, weights, together = _weigh(members, unit)
        here = total + (max(weights.values(), default=0) if maker_moves else 0)
        if least < 0 or here < least:
            least, best = here, len(chosen)
        if least < 1 << unit:
            return least, chosen[:best]
        change, pair = 0, 0
        for (a, b), both in sorted(together.items()):
            if weights[a] + weights[b] - 3 * both < change:
                change, pair = weights[a] + weights[b] - 3 * both, 1 << a | 1 << b
        if not pair:
            return least, chosen[:best]
        chosen.append(pair)
        members = [member & ~pair for member in members if member & pair != pair]


def _weigh(members: list[Mask], unit: int) -> tuple[int, dict[int, int], dict[tuple[int, int], int]]:
    """Return the weight of all members, of each cell, and of every two cells together, the larger number first."""
    total = 0
    weights: dict[int, int] = {}
    together: dict[tuple[int, int], int] = {}
    for member in members:
        worth = weight(member, unit)
        total += worth
        cells = list(cells_of(member))
        for place, a in enumerate(cells):
            weights[a] = weights.get(a, 0) + worth
            for b in cells[:place]:
                together[a, b] = together.get((a, b), 0) + worth
    return total, weights, together
