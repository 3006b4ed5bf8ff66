"""Engine `transfer`: positions and games counted cell by cell, by the marks that can still matter.

The transfer-matrix method (Stanley, Enumerative Combinatorics 1, 4.7) without any device to have fewer states: a second
witness for the engine `frontier`, with which it shares no counting. It is asked for second opinions and by name.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.counting.census import Census
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.patterns.tally import Tally, census_rows, patterns_of, why_not
from noughts.counting.question import Question
from noughts.machine.budget import Estimate

if TYPE_CHECKING:
    from noughts.counting.census import PlyCounts
    from noughts.counting.engines import Progress
    from noughts.counting.transfer.cost import Cost
    from noughts.counting.transfer.graph import Graph
    from noughts.counting.transfer.run import Found

__all__ = ["Sweeps", "count", "estimate", "estimate_within", "is_partial", "name", "refusal"]

name = "transfer"

CELL_LIMIT = 64
MOST_CELLS = 1000
LINE_LIMIT = 4000
START_SECONDS = 1.0
"""What loading NumPy and the compiled kernels costs."""

OWN_MEMORY = 150 * 10**6
SMALL = 12
"""Patterns of up to so many cells cost nothing worth reckoning."""


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    board = question.board
    blank = board.cells - question.first_ply
    why = why_not(question, name, MOST_CELLS)
    if why is not None:
        return why
    if blank > CELL_LIMIT:
        return f"the engine transfer takes up to {CELL_LIMIT} blank cells, {board} has {blank}"
    if len(board.lines) > LINE_LIMIT:
        return f"the engine transfer takes up to {LINE_LIMIT} lines, {board} has {len(board.lines)}"
    return None


def is_partial(question: Question) -> bool:
    """Whether columns are missing that another engine may give: the games by choices need the class graph."""
    return question.same == "choices"


def estimate(question: Question) -> Estimate:
    """Return what the sweeps cost, by finding the states of each."""
    return estimate_within(question)


def estimate_within(question: Question, memory: float = inf, seconds: float = inf) -> Estimate:
    """Return the same, but stop where the costs exceed `memory` bytes or `seconds`. The states found are kept."""
    return Sweeps(question).estimate(memory, seconds)


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census by one sweep for each kind of symmetry and each modulus.

    With `resume` the values are kept in that folder after every cell and taken up again from there.
    """
    return Census(question, name, Sweeps(question).rows(progress, threads, resume))


_KEPT: dict[tuple[Question, bool], dict[tuple[Pattern, bool], Graph]] = {}
"""The graphs of the question whose cost was reckoned last: most of the work where the numbers are small."""


class Sweeps:
    """All sweeps that a question needs; with `games` without the won positions."""

    def __init__(self, question: Question, *, games: bool = False) -> None:
        self.question = question
        self.to_ply = question.last_ply - question.first_ply
        needed: dict[Pattern, bool] = {}
        for pattern, won in patterns_of(question):
            if not (won and games):
                needed[pattern] = needed.get(pattern, False) or won
        self.needed = needed
        self.games = games
        if (question, games) not in _KEPT:
            _KEPT.clear()
        self.graphs = _KEPT.setdefault((question, games), {})

    def _parts(self, pattern: Pattern) -> list[tuple[Pattern, bool]]:
        """Return the sweeps for a pattern: the players' wins apart where their lines differ."""
        won = self.needed[pattern]
        if won and not pattern.is_symmetric:
            return [(pattern, True), (pattern.swapped(), True)]
        return [(pattern, won)]

    def estimate(self, memory: float, seconds: float) -> Estimate:
        """Return what all sweeps cost, reckoned no further than to where they exceed the budget."""
        from noughts.counting.transfer.cost import Cost

        whole = Cost(OWN_MEMORY, seconds=START_SECONDS)
        for pattern in self.needed:
            for part, won in self._parts(pattern):
                if part.size <= SMALL:
                    continue
                graph, cost = self._reckoned(part, won, memory - whole.kept, seconds - whole.seconds)
                whole = whole.plus(cost)
                if graph is None:
                    self.graphs.clear()
                    return Estimate(whole.memory, whole.seconds, f"over {whole.widest:,} sets of marks", at_least=True)
                self.graphs[part, won] = graph
        return Estimate(whole.memory, whole.seconds, f"up to {whole.widest:,} sets of marks that matter")

    def _reckoned(self, pattern: Pattern, won: bool, memory: float, seconds: float) -> tuple[Graph | None, Cost]:
        """Return the graph for one sweep, None where it costs too much, and what is known of its cost."""
        from noughts.counting.transfer.cost import Reckoner
        from noughts.counting.transfer.graph import build, order_of

        shape = self.question.board.shape
        order = order_of(pattern, shape)
        weights = tuple(pattern.weights[cell] for cell in order)
        row = sorted(shape)[1] if shape is not None else 8
        reckoner = Reckoner(weights, self.to_ply, row, memory, seconds)
        graph = self.graphs.get((pattern, won))
        if graph is None:
            graph = build(pattern, order, won, reckoner.visit)
        else:
            for step, states in enumerate(graph.states):
                reckoner.visit(step, states)
        return graph, reckoner.forecast() if graph is None else reckoner.cost()

    def rows(self, progress: Progress | None, threads: int, resume: Path | None) -> tuple[PlyCounts, ...]:
        """Return the rows of the census."""
        from noughts.counting.checkpoints import Checkpoints
        from noughts.counting.transfer.graph import build, order_of
        from noughts.counting.transfer.run import swept
        from noughts.counting.transfer.values import moduli_of

        store = Checkpoints(resume) if resume is not None else None
        sweeps = [part for pattern in self.needed for part in self._parts(pattern)]
        whole = sum(part.size * len(moduli_of(part.weights)) for part, _ in sweeps)
        done = 0

        def report(cells: int, states: int) -> None:
            if progress is not None:
                progress(done + cells, max(whole, 1), f"{states:,} sets of marks that matter")

        def counted(pattern: Pattern, won: bool) -> Found:
            nonlocal done
            order = order_of(pattern, self.question.board.shape)
            graph = self.graphs.pop((pattern, won), None) or build(pattern, order, won)
            assert graph is not None, "nobody gave up"
            found = swept(graph, self.to_ply, threads, store, f"{pattern} {order} {won}", report)
            done += pattern.size * len(moduli_of(graph.weights))
            return found

        known: dict[Pattern, Tally] = {}

        def tally(pattern: Pattern, won: bool) -> Tally:
            if won and self.games:
                return Tally((), None)
            if pattern not in known:
                known[pattern] = _tally(pattern, [counted(*part) for part in self._parts(pattern)], self.to_ply)
            return known[pattern]

        rows = census_rows(self.question, tally)
        if progress is not None:
            progress(1, 1, "")
        return rows


def _tally(pattern: Pattern, found: list[Found], to_ply: int) -> Tally:
    """Return the tally from the sweep for the first player's wins and, last, that for the other's, or one for both."""
    plies = range(min(pattern.total, to_ply) + 1)
    first, second = found[0], found[-1]
    won = [first.won[(t + 1) // 2, t // 2] if t % 2 else second.won[t // 2, t // 2] for t in plies]
    return Tally(tuple(first.open[(t + 1) // 2, t // 2] for t in plies), tuple(won))
