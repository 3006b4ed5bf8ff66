"""Engine `transfer`: positions and games counted cell by cell, by the marks that can still matter.

It is the transfer-matrix method (Stanley, Enumerative Combinatorics 1, 4.7) without any reduction of its states. It
checks the engine `frontier`, with which it shares no counting code, and runs only for second opinions or when named.
Games alone need half of the states.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from operator import or_
from typing import TYPE_CHECKING

from noughts.counting.bounds import Price, States, hopeless
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import Pattern
from noughts.counting.question import Question
from noughts.counting.sweeps import Cost, Found, Part, Planner, Report, Sweep, offer_sweeps
from noughts.counting.transfer.marks import band_of, largest_counts, moduli_of
from noughts.machine.budget import Limits, OfSize, Refusal
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import Workers
from noughts.rules.marks import cells_of

if TYPE_CHECKING:
    from noughts.counting.transfer.sweep import Graph

CELL_LIMIT = 64
LINE_LIMIT = 4000
OWN_MEMORY = 150 * 10**6
SMALL = 12
"""Patterns of up to this many cells need no estimate."""

_EDGE_BYTES = 12
"""Bytes of a state in the graph: the targets of its three choices."""

STATE_BYTES = 140
"""Bytes of a state during the search: three words, the hash table, and both again while they grow."""

_STATE_SECONDS, _NUMBER_SECONDS = 8e-7, 1.2e-9
"""Measured on two cores: seconds to find the three successors of a state, and to add one number."""


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal | str:
    """Return an offer with one sweep for each kind of symmetry and each modulus, or a refusal.

    The estimate finds the states, and the run reuses them; where the numbers are small this is most of the work.
    """
    return why_not_by_transfer(request.question) or offer_sweeps(TransferPlanner(request), request, limits)


def why_not_by_transfer(question: Question) -> str | None:
    """Return why this engine cannot answer a question; None if it can."""
    board, blank = question.board, question.board.cells - question.first_ply
    if blank > CELL_LIMIT:
        return OfSize(f"counts up to {CELL_LIMIT} blank cells, but {board} has {blank}")
    if len(board.lines) > LINE_LIMIT:
        return OfSize(f"counts boards of up to {LINE_LIMIT} lines, but {board} has {len(board.lines)}")
    return None


def _sweep(part: Part, order: tuple[int, ...], known: Graph | None) -> Sweep:
    """Return the sweep of a part in an order of its cells; `known` is its graph, None for small patterns."""

    def tally(to_ply: int, workers: Workers, store: Checkpoints, report: Report) -> Found:
        from noughts.counting.transfer.sweep import build, swept

        graph = known or build(part.pattern, order, part.won)
        assert graph is not None, "without limits every graph is found"
        return swept(graph, to_ply, workers.here, store, f"{part.pattern} {order} {part.won}", report)

    return Sweep(len(order) * len(moduli_of(part.pattern.weights)), tally)


class TransferPlanner(Planner):
    """Finds the graphs of sweeps within the limits."""

    engine = "transfer"
    states = "{} sets of marks that matter"
    base = Cost(OWN_MEMORY, seconds=1.0)

    def find(self, part: Part, limits: Limits) -> tuple[Sweep | None, Cost]:
        """Return a sweep in the order with the fewest cells on lines under way."""
        order = order_of(part.pattern, self.shape)
        if part.pattern.size <= SMALL:
            return _sweep(part, order, None), Cost()
        graph, cost = graph_of(part, order, _TableCost(part.pattern, order, self.moves), limits)
        return None if graph is None else _sweep(part, order, graph), cost


def graph_of(part: Part, order: Sequence[int], price: Price, limits: Limits) -> tuple[Graph | None, Cost]:
    """Return the graph of a part, None where the cost exceeds the limits; and the cost at this price.

    There are at least as many states as in the engine `frontier`, which merges more of them.
    """
    least = hopeless(part.pattern, order, price, limits)
    if least is not None:
        return None, least
    from noughts.counting.transfer.sweep import build

    states, before, cost = [(1, 0, 0)], Cost(), Cost()

    def visit(step: int, found: int) -> bool:
        nonlocal before, cost
        if step == len(states):
            states.append((found, 0, 0))
            before = cost
        states[step] = found, 0, 0
        cost = before.plus(price(states, step)).plus(Cost(top=STATE_BYTES * found))
        return not cost.exceeds(limits)

    return build(part.pattern, order, part.won, visit), cost


class _TableCost:
    """The cost of tables of numbers by marks, step by step: the graph stays, values only until the next step."""

    def __init__(self, pattern: Pattern, order: Sequence[int], to_ply: int) -> None:
        self.weights, self.to_ply = tuple(pattern.weights[cell] for cell in order), to_ply
        self.moduli = len(moduli_of(self.weights))

    def __call__(self, states: States, step: int) -> Cost:
        """Return the cost of one step."""
        entries = sum(end - begin for begin, end in band_of(self.weights, step, self.to_ply))
        before, now = states[step - 1][0], states[step][0]
        size = entries * (4 if largest_counts(self.weights)[step] < 1 << 32 else 8)
        seconds = before * (_STATE_SECONDS + 3 * entries * self.moduli * _NUMBER_SECONDS)
        return Cost(_EDGE_BYTES * before, now * size * 5 // 4, seconds, now)


def order_of(pattern: Pattern, shape: tuple[int, int, int] | None) -> tuple[int, ...]:
    """Return the order of visits: along the axes of a grid one after the other, else by cell number.

    The order of the axes is the one with the fewest visited cells on lines under way, first at most, then in all: each
    such cell may triple the states. Cost: proportional to cells times lines.
    """
    if shape is None:
        return tuple(range(pattern.size))
    rows, columns, _ = shape

    def along(axes: tuple[int, ...]) -> tuple[int, ...]:
        def place(cell: int) -> tuple[int, ...]:
            at = cell // columns % rows, cell % columns, cell // (rows * columns)
            return tuple(at[axis] for axis in axes)

        least = [min(place(cell) for cell in cells_of(cells)) for cells in pattern.cells]
        return tuple(sorted(range(pattern.size), key=least.__getitem__))

    return min((along(axes) for axes in permutations(range(3))), key=lambda order: _marks_that_matter(pattern, order))


def _marks_that_matter(pattern: Pattern, order: Sequence[int]) -> tuple[int, int]:
    """Return the number of visited cells on lines under way: the largest, and the sum over all steps."""
    visited, counts = 0, [0]
    for cell in order:
        visited |= 1 << cell
        near = reduce(or_, (line.trigger for line in pattern.first if line.trigger & ~visited), 0)
        counts.append((near & visited).bit_count())
    return max(counts), sum(counts)
