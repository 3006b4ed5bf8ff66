"""Balanced fillings of weighted cells, lines ignored: closed forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

__all__ = ["balanced_fillings"]


def balanced_fillings(weights: Sequence[int], marks: int) -> int:
    """Return the ways to give cells of these weights to X and O, or to nobody, with `marks` marks in all.

    X has half of the marks, rounded up. Cost: for each weight but the commonest the pairs of numbers of its cells.
    """
    kinds = sorted(Counter(weights).items(), key=lambda kind: -kind[1])
    return _fillings(kinds, (marks + 1) // 2, marks // 2)


def _fillings(kinds: list[tuple[int, int]], x: int, o: int) -> int:
    if not kinds:
        return int(x == o == 0)
    weight, cells = kinds[-1]
    if len(kinds) == 1:
        if x % weight or o % weight or x + o > weight * cells:
            return 0
        return comb(cells, x // weight) * comb(cells - x // weight, o // weight)
    total = 0
    for i in range(min(cells, x // weight) + 1):
        for j in range(min(cells - i, o // weight) + 1):
            ways = comb(cells, i) * comb(cells - i, j)
            total += ways * _fillings(kinds[:-1], x - i * weight, o - j * weight)
    return total
