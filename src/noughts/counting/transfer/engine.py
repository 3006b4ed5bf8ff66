"""Engine `transfer`: positions and games counted cell by cell, by the marks that can still matter.

The transfer-matrix method (Stanley, Enumerative Combinatorics 1, 4.7) without any device to have fewer states: a second
witness for the engine `frontier`, with which it shares no counting. It is asked for second opinions and by name. As
`transfer-games` it leaves out the positions and has half of the states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns.needed import why_not
from noughts.counting.question import Question
from noughts.counting.sweeps import Cost, Found, KeptPlans, Part, Report, Sweep, offer_sweeps
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal
from noughts.machine.workers import Workers

if TYPE_CHECKING:
    from noughts.counting.checkpoints import Checkpoints
    from noughts.counting.transfer.graph import Graph

__all__ = ["offer", "why_not_by_transfer"]

CELL_LIMIT = 64
MOST_CELLS = 1000
LINE_LIMIT = 4000
START_SECONDS = 1.0
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 150 * 10**6
SMALL = 12
"""Patterns of up to so many cells cost nothing worth reckoning."""


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
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
        from noughts.counting.transfer.graph import build
        from noughts.counting.transfer.run import swept

        graph = self.graph or build(self.part.pattern, self.order, self.part.won)
        assert graph is not None, "nobody gave up"
        return swept(graph, to_ply, workers.here, store, f"{self.part.pattern} {self.order} {self.part.won}", report)


class _GraphPlanner(KeptPlans):
    """Finds the graphs of sweeps as far as they fit."""

    engine, games = "transfer", "transfer-games"
    states = "{} sets of marks that matter"
    base = Cost(OWN_MEMORY, seconds=START_SECONDS)

    def __init__(self, question: Question) -> None:
        self.moves = question.last_ply - question.first_ply
        self.shape = question.board.shape
        super().__init__()

    def _planned(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        from noughts.counting.transfer.cost import Reckoner
        from noughts.counting.transfer.graph import build, order_of
        from noughts.counting.transfer.values import moduli_of

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
