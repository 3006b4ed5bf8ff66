"""Engine `frontier` by tables: positions and games cell by cell, by the status of the winning lines under way.

The engine lists no positions. For each winning line it stores only whether the visited cells are all X or all O; at its
last cell the line is dropped. docs/explanation/counting-without-listing.md describes the states and their values. Games
alone, without the won positions, take a third of the memory and time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from noughts.counting.bounds import Price, promising
from noughts.counting.frontier.order import TableCost, orders_of
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import shared_sets
from noughts.counting.sweeps import Cost, Found, Part, Planner, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits, OfSize, Refusal
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Progress, Workers
from noughts.rules.board import Board
from noughts.rules.marks import Mask

if TYPE_CHECKING:
    from noughts.counting.frontier.graph import Exploration

LINE_LIMIT = 4000
SHARED_LIMIT = 4000
SMALL = 12
"""Patterns of up to this many cells need no dry run."""

_START_SECONDS = 1.0
"""Seconds to load NumPy and the compiled kernels."""

_OWN_MEMORY, _SMALL_MEMORY = 120 * 10**6, 50 * 10**6


def too_many_lines(board: Board) -> OfSize | None:
    """Return why sweeps cannot count a board with too many lines; None if they can."""
    if len(board.lines) <= LINE_LIMIT:
        return None
    return OfSize(f"counts boards of up to {LINE_LIMIT:,} lines, but {board} has {len(board.lines):,}")


def shared_of(part: Part) -> dict[Mask, int] | None:
    """Return the shared sets of a part with won positions; None without them, or where they are too many."""
    return shared_sets(part.pattern.first, SHARED_LIMIT) if part.won else None


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal | str:
    """Return an offer with one sweep for each kind of symmetry (one for labelled questions), or a refusal.

    A dry run takes about a fifth of the time of the sweep.
    """
    return too_many_lines(request.question.board) or offer_sweeps(_TablePlanner(request), request, limits)


def _counted(
    part: Part, order: tuple[int, ...], to_ply: int, workers: Workers, store: Checkpoints, report: Report
) -> Found:
    from noughts.counting.frontier.sweep import Route, swept

    return swept(Route(part.pattern, order, shared_of(part)), to_ply, workers.here, store, report)


def explored(
    part: Part,
    shared: Callable[[], dict[Mask, int] | None],
    prices: dict[tuple[int, ...], Price],
    limits: Limits,
    progress: Progress,
    *,
    keeps: bool = True,
) -> tuple[Exploration | None, Cost]:
    """Return the exploration in the order with the fewest states, and its cost; None where all exceed the limits."""
    hopeful, least = promising(part.pattern, prices, limits)
    if not hopeful:
        return None, least
    sets = shared()
    if part.won and sets is None:
        return None, Cost()
    from noughts.counting.frontier.forecast import smallest
    from noughts.counting.frontier.graph import Exploration
    from noughts.counting.frontier.sweep import Route

    runs = [Exploration(Route(part.pattern, order, sets), prices[order], keeps=keeps) for order in hopeful]
    return smallest(runs, limits, progress)


class _TablePlanner(Planner):
    """Plans sweeps in the order of the cells that is best for the open positions, also for won positions."""

    engine = "frontier"
    states = "a frontier of {} states"
    light = True

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        memory = _SMALL_MEMORY if request.question.board.cells <= SMALL else _OWN_MEMORY
        self.base = Cost(memory, seconds=_START_SECONDS)

    def find(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return the sweep in the order with the fewest states, which a dry run finds."""
        pattern = part.pattern
        if pattern.size <= SMALL:
            orders = [tuple(range(pattern.size))]
        elif not part.won:
            orders = orders_of(pattern, self.shape)
        else:
            first, cost = self.plan(Part(pattern, False), limits)
            if first is None:
                return None, cost
            orders = [first.order]
        order, cost, shared = orders[0], Cost(), shared_of(part)
        if part.won and shared is None:
            return None, Cost()
        if pattern.size > SMALL:
            prices: dict[tuple[int, ...], Price] = {}
            prices |= {each: TableCost(pattern, each, self.moves, shared) for each in orders}
            run, cost = explored(part, lambda: shared, prices, limits, self.progress, keeps=False)
            if run is None:
                return None, cost
            order = run.route.order
        return Sweep(len(order), partial(_counted, part, order), order), cost
