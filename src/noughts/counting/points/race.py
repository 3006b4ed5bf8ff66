"""Which order of the cells gives the smallest graph: they are found side by side, and the first to end is taken."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.counting.frontier.forecast import RECKONING
from noughts.counting.frontier.route import Route
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.points.cost import Tariff, hopeless_by_walks
from noughts.counting.points.graph import Exploration, StateGraph
from noughts.counting.sweeps import Cost
from noughts.domain.bits import Mask
from noughts.machine.budget import Limits
from noughts.machine.progress import Progress, silent

__all__ = ["smallest_graph"]

_WORTH_WALKS = 300_000
"""States found from which on walks are worth their time, which show that there are far more."""


def smallest_graph(
    pattern: Pattern,
    tariffs: Sequence[Tariff],
    limits: Limits,
    shared: dict[Mask, int] | None = None,
    progress: Progress = silent,
) -> tuple[tuple[tuple[int, ...], StateGraph] | None, Cost]:
    """Return the order with the fewest states and its graph, or None where all exceed the limits; and the cost.

    There is a tariff for each order. With the `shared` sets of a route won positions come too. Of several graphs the
    one with the fewest states goes on by a cell, so that no other ever has many more than the smallest; an order that
    exceeds the limits goes on with its edges on disk, if there is a folder for them, and is out if it still does.
    """
    runs = [(Exploration(Route(pattern, tariff.order, shared)), tariff) for tariff in tariffs]
    peak = 0
    walked: set[Exploration] = set()
    while True:
        run, tariff = min(runs, key=lambda pair: pair[0].visited)
        others = sum(other.kept for other, _ in runs if other is not run)
        on_disk = run.file is not None
        reckoned = [tariff.forecast(run.sizes, peak, run.branched, on_disk)]
        if run.visited > _WORTH_WALKS and run not in walked and not reckoned[0].exceeds(limits):
            walked.add(run)
            least = hopeless_by_walks(tariff, limits)
            if least is not None:
                runs.remove((run, tariff))
                if not runs:
                    return None, least
                continue

        def goes_on(
            states: int,
            tariff: Tariff = tariff,
            sizes: Sequence[int] = run.sizes,
            least: int = max(peak, others),
            branches: int = run.branched,
            on_disk: bool = on_disk,
            told: list[Cost] = reckoned,
        ) -> bool:
            told.append(tariff.forecast([*sizes, states], least, branches, on_disk))
            return not told[-1].exceeds(limits)

        went_on = run.advance(goes_on)
        progress(len(run.edges), pattern.size, RECKONING)
        peak = max(peak, others + run.peak)
        if went_on and run.is_done:
            return (run.route.order, run.graph()), tariff.cost(run.sizes, peak, 1, run.branched, on_disk)
        if not went_on and limits.folder is not None and not (on_disk or reckoned[-1].moved().exceeds(limits)):
            run.move_to_disk(limits.folder)
        elif not went_on:
            runs.remove((run, tariff))
            if not runs:
                return None, reckoned[-1]
