"""Which order of the cells keeps the frontier smallest: they are tried by dry runs, and the cheapest is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from noughts.counting.frontier.forecast import RECKONING, DryRun, Forecast
from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern
from noughts.machine.budget import Limits
from noughts.machine.progress import Progress, silent

__all__ = ["best_route"]


def best_route(
    pattern: Pattern,
    orders: Sequence[tuple[int, ...]],
    to_ply: int,
    sides: tuple[int, ...],
    limits: Limits,
    progress: Progress = silent,
) -> tuple[Route, Forecast]:
    """Return the route for the open positions with the cheapest of some orders, and its forecast.

    The same pattern and limits always give the same route. `sides` are the columns, rows and layers of a board that is
    a grid, otherwise empty. Orders race: the one that has met the fewest states goes on by a step, and the first at the
    end is taken. Those that exceed the limits are out, and all are where the race itself takes too long.
    """
    runs = [DryRun(Route(pattern, order), to_ply, sides) for order in orders]
    while True:
        first = min(runs, key=lambda run: run.visited)
        if first.is_done or (first.exceeds(limits) and len(runs) == 1):
            return first.route, first.forecast()
        raced = sum(run.seconds for run in runs)
        if raced + first.next_seconds > limits.seconds:
            forecast = first.forecast()
            return first.route, replace(forecast, seconds=max(forecast.seconds, raced + first.next_seconds))
        if first.exceeds(limits):
            runs.remove(first)
        else:
            first.advance()
            progress(first.step, pattern.size, RECKONING)
