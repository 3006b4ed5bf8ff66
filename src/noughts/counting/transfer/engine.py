"""Engine `transfer`: positions and games counted cell by cell, by the marks that can still matter.

The transfer-matrix method (Stanley, Enumerative Combinatorics 1, 4.7) without any device to have fewer states: a second
witness for the engine `frontier`, with which it shares no counting. It is asked for second opinions and by name. As
`transfer-games` it leaves out the positions and has half of the states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.frontier.engine import TOGETHER
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import why_not
from noughts.counting.question import Question
from noughts.counting.sweeps import Cost, Found, KeptPlans, Part, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.frontier.graph import StateGraph
    from noughts.counting.frontier.points import Grid
    from noughts.counting.sweeps import Checkpoints
    from noughts.counting.transfer.sweep import Graph


CELL_LIMIT = 64
MOST_CELLS = 1000
LINE_LIMIT = 4000
START_SECONDS_TRANSFER = 1.0
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 150 * 10**6
SMALL = 12
"""Patterns of up to so many cells cost nothing worth reckoning."""


def offer_transfer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer by one sweep for each kind of symmetry and each modulus, or why not.

    The states are found while the cost is reckoned, and kept: most of the work where the numbers are small.
    """
    why = why_not_by_transfer(request.question, "transfer")
    if why is not None:
        return Refusal("transfer", why)
    return offer_sweeps(_GraphPlanner(request.question), request, limits)


def why_not_by_transfer(question: Question, engine: str) -> str | None:
    """Return why this engine cannot count by the marks that can still matter; None if it can."""
    board = question.board
    blank = board.cells - question.first_ply
    why = why_not(question, engine, MOST_CELLS)
    if why is None and blank > CELL_LIMIT:
        why = f"the engine {engine} takes up to {CELL_LIMIT} blank cells, {board} has {blank}"
    if why is None and len(board.lines) > LINE_LIMIT:
        why = f"the engine {engine} takes up to {LINE_LIMIT} lines, {board} has {len(board.lines)}"
    return why


@dataclass(frozen=True)
class _GraphSweep:
    """A part, the order of its cells, and the graph where it is large enough to have been found before."""

    part: Part
    order: tuple[int, ...]
    graph: Graph | None
    steps: int

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        from noughts.counting.transfer.sweep import build, swept

        graph = self.graph or build(self.part.pattern, self.order, self.part.won)
        assert graph is not None, "nobody gave up"
        return swept(graph, to_ply, workers.here, store, f"{self.part.pattern} {self.order} {self.part.won}", report)


class _GraphPlanner(KeptPlans):
    """Finds the graphs of sweeps as far as they fit."""

    engine, games = "transfer", "transfer-games"
    states = "{} sets of marks that matter"
    base = Cost(OWN_MEMORY, seconds=START_SECONDS_TRANSFER)

    def __init__(self, question: Question) -> None:
        self.moves = question.last_ply - question.first_ply
        self.shape = question.board.shape
        super().__init__()

    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        from noughts.counting.transfer.sweep import Reckoner, build, moduli_of, order_of

        pattern, won = part
        order = order_of(pattern, self.shape)
        steps = pattern.size * len(moduli_of(pattern.weights))
        if pattern.size <= SMALL:
            return _GraphSweep(part, order, None, steps), Cost(0)
        weights = tuple(pattern.weights[cell] for cell in order)
        row = sorted(self.shape)[1] if self.shape is not None else 8
        reckoner = Reckoner(weights, self.moves, row, limits)
        graph = build(pattern, order, won, reckoner.visit)
        if graph is None:
            return None, reckoner.forecast()
        return _GraphSweep(part, order, graph, steps), reckoner.cost()


# Engine `transfer-points`: positions and games by values at points on the graph of the engine `transfer`.
#
# Its states are the marks that can still matter and the cells that all completed lines share, so the won positions come
# with the others, on three edges a state. It reaches boards on which no tables fit, at several times the states of the
# engine `points`; what the two share is the arithmetic of points and the streaming, neither states nor edges.

START_SECONDS_WITNESS = 1.3
"""What loading NumPy and the compiled kernels costs."""


def offer_witness(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer by a graph for each kind of symmetry, or why not.

    The graph is found while the cost is reckoned, and kept: a small part of the work.
    """
    why = why_not_by_transfer(request.question, "transfer-points")
    if why is not None:
        return Refusal("transfer-points", why)
    return offer_sweeps(_WitnessPlanner(request.question), request, limits)


@dataclass(frozen=True)
class _WitnessSweep:
    """A part with its graph, and the points."""

    part: Part
    order: tuple[int, ...]
    graph: StateGraph
    grid: Grid
    together: int

    @property
    def steps(self) -> int:
        return self.grid.batches

    def count(self, to_ply: int, workers: Workers, store: Checkpoints | None, report: Report) -> Found:
        from noughts.counting.frontier.points import counted_at_points

        key = f"transfer {self.order} {self.part.won}"
        return counted_at_points(self.part.pattern, self.graph, self.grid, self.together, workers, store, key, report)


class _WitnessPlanner(KeptPlans):
    """Finds the graphs as far as they fit."""

    engine = games = "transfer-points"
    states = "points on {} sets of marks that matter"
    base = Cost(OWN_MEMORY, seconds=START_SECONDS_WITNESS)

    def __init__(self, question: Question) -> None:
        self.shape = question.board.shape
        super().__init__()

    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        from noughts.counting.frontier.graph import StateGraph, survey_of
        from noughts.counting.frontier.points import Grid, Tariff
        from noughts.counting.transfer.sweep import build, laid_out, order_of

        pattern, won = part
        order = order_of(pattern, self.shape)
        rough = Grid.with_won(pattern) if won else Grid.of(pattern)
        tariff = Tariff(pattern, rough, order, TOGETHER)
        sizes = [1]

        def visit(step: int, states: int) -> bool:
            sizes[step:] = [states]
            return not tariff.forecast(sizes, _peak(sizes)).exceeds(limits)

        found = build(pattern, order, won, visit)
        if found is None:
            return None, tariff.forecast(sizes, _peak(sizes))
        graph = StateGraph(found.weights, laid_out(found), False, 2 if won else 1)
        survey = survey_of(graph)
        grid = Grid.with_won(pattern, survey) if won else Grid.of(pattern, survey)
        tariff = Tariff(pattern, grid, order, TOGETHER)
        together = tariff.together(graph.sizes, _peak(sizes), limits)
        cost = tariff.cost(graph.sizes, _peak(sizes), together)
        return _WitnessSweep(part, order, graph, grid, together), cost


def _peak(sizes: list[int]) -> int:
    """Return the bytes taken while the last of these layers is found."""
    from noughts.counting.transfer.sweep import EDGE_BYTES, STATE_BYTES

    return EDGE_BYTES * sum(sizes) + STATE_BYTES * max(sizes)
