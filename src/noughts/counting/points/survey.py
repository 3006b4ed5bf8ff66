"""A survey of a graph: what bounds the counts, so that fewer points do.

Where a mark of either player weighs s > 0, all positions weigh F(s) = sum of A(p, q) s^(p + q), so that no A(p, q)
exceeds F(s) / s^(p + q). The sums have positive terms only: in floating point each step is wrong by no more than one
part in 2^53 for each edge, so 64 cells and a thousand million states by less than one part in a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

import numpy as np

from noughts.counting.points.edges import pieces_of
from noughts.counting.points.graph import StateGraph
from noughts.kernels.frontier.survey import NOWHERE, branch_most, branch_reals, push_most, push_reals

__all__ = ["Survey", "survey_of"]

_SCALES = tuple(float(Fraction(2, 1) ** (half // 2) * (Fraction(3, 2) if half % 2 else 1)) for half in range(-5, 11))
"""The weights of a mark: each third of a board's cells more or less has one that is near the best."""

_DOUBT = Fraction(1001, 1000)


@dataclass(frozen=True)
class Survey:
    """The weights of all positions for some weights of a mark, and how far the marks of the players differ at most."""

    sums: tuple[tuple[float, float], ...]
    difference: int

    def most_positions(self, marks: int) -> int:
        """Return a number that the positions with so many marks of either player do not exceed."""
        return min(int(Fraction(weight) * _DOUBT / Fraction(scale) ** marks) + 1 for scale, weight in self.sums)


def survey_of(graph: StateGraph) -> Survey:
    """Return the survey of a graph. Cost: about that of one batch of points, in time and in memory."""
    sizes = graph.sizes
    reals = [np.empty((max(sizes[parity::2], default=0), len(_SCALES))) for parity in (0, 1)]
    mosts = [np.empty((max(sizes[parity::2], default=0), 2), dtype=np.int16) for parity in (0, 1)]
    reals[0][0], mosts[0][0] = 0.5 if graph.is_merged else 1, 0  # what is its own twin counts half
    with np.errstate(over="ignore"):
        for step, edges in enumerate(graph.edges):
            here, there = step % 2, 1 - step % 2
            reals[there][: sizes[step + 1]] = 0
            mosts[there][: sizes[step + 1]] = NOWHERE
            scaled = np.array(_SCALES) ** graph.weights[step]
            begin = 0
            for piece in pieces_of(edges):
                end = begin + len(piece)
                push_reals(reals[there], reals[here][begin:end], piece, scaled)
                push_most(mosts[there], mosts[here][begin:end], piece, graph.weights[step])
                begin = end
            for piece in pieces_of(graph.branches[step]) if graph.branches else ():
                branch_reals(reals[there], reals[here], piece, scaled)
                branch_most(mosts[there], mosts[here], piece, graph.weights[step])
            if graph.is_merged:
                mosts[there][0] = mosts[there][0].max()
    last = len(graph.edges) % 2
    if graph.is_merged:
        reals[last][0] *= 2
    whole = reals[last][: graph.ends].sum(axis=0)
    sums = zip(_SCALES, (float(weight) for weight in whole), strict=True)
    return Survey(tuple(pair for pair in sums if isfinite(pair[1])), int(mosts[last][: graph.ends].max()))
