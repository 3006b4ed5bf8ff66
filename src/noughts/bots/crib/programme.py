"""The smallest table as an integer programme: a variable for each board, solved by HiGHS.

A board that is met has 1. The start has 1; of the moves at a board of the player the sum is at least the board's own
variable; every reply to a board that is met is met. The sum of the variables that count is to be least. HiGHS computes
in floating point: its table is followed and counted here in whole numbers, its bound rounded up with room for error.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from noughts.bots.crib.graph import CribGraph
from noughts.machine.packages import package

__all__ = ["Programme", "solve_programme"]

_ROOM = 1e-5
"""How far above the truth the bound of HiGHS may lie."""


@dataclass(frozen=True)
class Programme:
    """What HiGHS found: choices, None where it found none in time, and the number of entries that no table is below."""

    chosen: dict[int, int] | None
    bound: int


def solve_programme(graph: CribGraph, seconds: float) -> Programme:
    """Return a small table and a bound, in about so many seconds. Raises InputError where SciPy is missing."""
    optimize = package("scipy.optimize", "the integer programme")
    sparse = package("scipy.sparse", "the integer programme")
    many = len(graph.states)
    rows, columns, signs = _inequalities(graph)
    matrix = sparse.csr_matrix((signs, (rows, columns)), shape=(max(rows, default=0) + 1, many))
    found = optimize.milp(
        [float(at in graph.counted) for at in range(many)],
        constraints=optimize.LinearConstraint(matrix, 0, float("inf")),
        integrality=[1] * many,
        bounds=optimize.Bounds([float(at == 0) for at in range(many)], 1),
        options={"time_limit": seconds},
    )
    bound = found.mip_dual_bound
    least = 0 if bound is None or bound != bound or bound < 0 else ceil(bound - _ROOM)
    return Programme(None if found.x is None else _chosen(graph, found.x), least)


def _inequalities(graph: CribGraph) -> tuple[list[int], list[int], list[float]]:
    """Return the rows of the programme, each at least 0, as numbers of rows and columns with their signs."""
    entries: list[tuple[int, int, float]] = []
    row = 0
    for at, children in enumerate(graph.children):
        if at in graph.own:
            entries += [(row, at, -1.0), *((row, child, 1.0) for child in children)]
            row += 1
        else:
            for child in children:
                entries += [(row, at, -1.0), (row, child, 1.0)]
                row += 1
    rows, columns, signs = zip(*entries, strict=True) if entries else ((), (), ())
    return list(rows), list(columns), list(signs)


def _chosen(graph: CribGraph, shares: list[float]) -> dict[int, int]:
    """Return for each board of the player the child that the solution takes, of several the first."""
    return {at: max(graph.children[at], key=lambda child: (shares[child] > 0.5, -child)) for at in graph.own}
