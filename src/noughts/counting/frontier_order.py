"""Which order of the cells keeps the frontier small, and what a sweep in that order will cost.

Orders are tried by a dry run: the states alone are found, without their values, which takes a small part of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from noughts.counting.frontier_plan import Plan
from noughts.counting.frontier_sweep import layout_of, moduli_at, successors
from noughts.counting.pattern import Pattern
from noughts.domain.bits import Mask, cells_of

__all__ = ["Forecast", "best_plan"]

SIZE_LIMIT = 60 * 10**9
"""A dry run stops where one layer of values outgrows this many bytes."""

_FIRST_CAP = 20_000
_LAST_CAP = 3_000_000
"""States after which dry runs that compare orders stop, at first and at last."""

_EDGE_SECONDS = 1.6e-7
_ENTRY_SECONDS = 1.6e-9
"""Measured: one edge, and one entry of one value on it, on one core."""


@dataclass(frozen=True)
class Forecast:
    """What a sweep costs: states summed over all layers and at the widest, bytes at the worst step, seconds.

    Where `complete` is false the dry run was cut short and the costs are only what it had found by then.
    """

    states: int
    widest: int
    memory: int
    seconds: float
    complete: bool


def _candidates(pattern: Pattern, lines: list[Mask], sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield orders worth trying: along each axis of a grid with these sides, and greedily by open lines."""
    size = pattern.size
    least = [next(cells_of(cells)) for cells in pattern.cells]
    yield tuple(range(size))
    if len(sides) > 1:
        columns, rows = sides[0], sides[1]
        places = [(at % columns, at // columns % rows, at // (columns * rows)) for at in least]
        for axes in permutations(range(3)):
            yield tuple(sorted(range(size), key=lambda i, on=axes: tuple(places[i][a] for a in on)))  # type: ignore[misc]
    for start in (0, size // 2):
        yield _greedy(size, lines, start)


def _greedy(size: int, lines: list[Mask], start: int) -> tuple[int, ...]:
    """Return an order in which each cell leaves as few lines open as can be, beginning with `start`."""
    through = [[line for line in lines if line >> cell & 1] for cell in range(size)]
    order, visited = [start], 1 << start
    while len(order) < size:

        def opened(cell: int, seen: int = visited) -> int:
            after = seen | 1 << cell
            return sum((not line & seen) - (not line & ~after) for line in through[cell] if line & (line - 1))

        best = min((cell for cell in range(size) if not visited >> cell & 1), key=lambda cell: (opened(cell), cell))
        order.append(best)
        visited |= 1 << best
    return tuple(order)


def best_plan(
    pattern: Pattern, shared: dict[Mask, int] | None, to_ply: int, sides: tuple[int, ...]
) -> tuple[Plan, Forecast]:
    """Return the plan with the cheapest order found, and its forecast. The same pattern always gives the same plan.

    `sides` are the columns and rows of a board that is a grid, otherwise empty. Orders are compared by sweeps for the
    open positions only, first by short ones.
    """
    lines = [line.trigger for line in pattern.first]
    orders = [tuple(range(pattern.size))]
    if lines and pattern.size > 12:
        orders = list(dict.fromkeys(_candidates(pattern, lines, sides)))
    cap = _FIRST_CAP
    chosen = orders[0]
    while len(orders) > 1:
        best: float | None = None
        for order in orders:
            forecast = _dry_run(Plan(pattern, order), to_ply, cap, best)
            if forecast.complete and (best is None or forecast.seconds < best):
                best, chosen = forecast.seconds, order
        if best is not None or cap > _LAST_CAP:
            break
        cap *= 16
    plan = Plan(pattern, chosen, shared)
    return plan, _dry_run(plan, to_ply, None, None)


def _dry_run(plan: Plan, to_ply: int, cap: int | None, best: float | None) -> Forecast:
    """Return the forecast of a plan, cut short when it has found `cap` states or is no better than the best so far."""
    weights = [plan.pattern.weights[cell] for cell in plan.order]
    states = np.zeros((1, 2 * plan.words), dtype=np.uint64)
    won = np.zeros((0, 2 * plan.words), dtype=np.uint64)
    total, widest, memory, seconds = 1, 1, 0, 0.0
    before = 8
    for step in range(plan.pattern.size):
        reached = successors(plan.step(step), states, won, plan.pattern.is_symmetric, plan.has_won, False)
        edges = 3 * (len(states) + len(won))
        states, won = reached.states, reached.won
        entries = layout_of(sum(weights[: step + 1]), sum(weights[step + 1 :]), to_ply).entries
        moduli = moduli_at(plan, step + 1)
        after = entries * len(moduli) * ((4 if moduli == (1 << 32,) else 8) * len(states) + 8 * len(won))
        count = len(states) + len(won)
        total += count
        widest = max(widest, count)
        memory = max(memory, before + after + edges * 30 + count * 80)
        seconds += edges * (_EDGE_SECONDS + entries * len(moduli) * _ENTRY_SECONDS)
        before = after
        if after > SIZE_LIMIT or (cap is not None and total > cap) or (best is not None and seconds >= best):
            return Forecast(total, widest, memory, seconds, False)
    return Forecast(total, widest, memory, seconds, True)
