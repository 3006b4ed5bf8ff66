"""A model of counts that are too large to plan: the states of a frontier, from those of narrower boards.

The frontier of an m x n board lies across its shorter side. On boards of the same length each further column multiplies
the states by a factor that falls towards a limit. For 3 in a row and 8 rows these are 10.1, 8.5, 8.0, 7.8 and 7.6. So
the widths that are explored in seconds give a range for larger ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from noughts.counting.frontier.graph import MOST_STATES, Exploration
from noughts.counting.frontier.grid import Grid, PointCost, values_bytes
from noughts.counting.frontier.points import BASE
from noughts.counting.frontier.sweep import Route
from noughts.counting.frontier.tables import shared_of
from noughts.counting.patterns import Needed
from noughts.counting.question import Question
from noughts.counting.sweeps import Part
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board

EXPLORED = 20_000_000
"""Boards of up to this many states are explored, in some 20 s."""

LEAST_FACTOR = 0.75
"""Further columns multiply the states on average by this part of the last factor at least, as for k = 2 to 5."""

OVERHEAD = 1.046
"""CPU time of processes beside that of threads, for the games of 6x7:4 (benchmarks/workers.py)."""

Range = tuple[float, float]


@dataclass(frozen=True)
class WidthForecast:
    """What a count at points takes: each pair is the least and the most.

    `measured` has the explored boards with their states; `widest` are the states after one cell. `graph`, `finding` and
    `values` are bytes: of the graph, of the process that finds it, and of one batch of points. `exploring` and `batch`
    are the CPU seconds for the graph, and for each of the `batches`.
    """

    measured: tuple[tuple[str, int], ...]
    states: Range
    widest: Range
    graph: Range
    finding: Range
    values: Range
    exploring: Range
    batch: Range
    batches: int

    @property
    def can_be_numbered(self) -> bool:
        """Whether the engine can number the states after one cell."""
        return self.widest[1] <= MOST_STATES

    def on(self, workers: int) -> WorkersForecast:
        """Return what the count takes on some workers; sending and disks take no time here.

        One process explores the graph, and each worker receives all of it; then the workers share the batches.
        """
        rounds, more = -(-self.batches // workers), OVERHEAD if workers > 1 else 1.0
        pairs = zip(self.exploring, self.batch, strict=True)
        least, most = (begin + rounds * each * more for begin, each in pairs)
        memory = [BASE.memory + graph + each for graph, each in zip(self.graph, self.values, strict=True)]
        if workers == 1:
            memory = [max(pair) for pair in zip(memory, self.finding, strict=True)]
        copies = 0 if workers == 1 else workers
        sent = copies * self.graph[0], copies * self.graph[1]
        return WorkersForecast(workers, (least, most), (memory[0], memory[1]), sent)

    def as_dict(self) -> dict[str, Any]:
        """Return the forecast as a record."""
        boards = [{"board": board, "states": states} for board, states in self.measured]
        states = [str(int(each)) for each in self.states]
        return {"measured": boards, "states": states, "batches": self.batches, "can_be_numbered": self.can_be_numbered}


@dataclass(frozen=True)
class WorkersForecast:
    """The least and the most seconds, bytes of memory of each worker, and bytes sent to all of them."""

    workers: int
    seconds: Range
    memory: Range
    sent: Range

    def as_dict(self) -> dict[str, Any]:
        """Return the forecast as a record."""
        sizes = {"memory_each": [str(int(n)) for n in self.memory], "bytes_sent": [str(int(n)) for n in self.sent]}
        return {"workers": self.workers, "seconds": [round(each, 1) for each in self.seconds], **sizes}


class _Explored(NamedTuple):
    """A board: its states, the most of them after one cell, and the bytes of its graph and of finding it."""

    spec: str
    states: int
    widest: int
    graph: int
    finding: int


def forecast_by_widths(question: Question, *, positions: bool, progress: Progress = silent) -> WidthForecast | None:
    """Return the forecast for a question that the engine `frontier` counts; None where the model does not apply.

    It applies to flat boards with labelled cells and free moves, from the empty board to the end of all games, where
    two narrower boards can be explored that are as wide as a line. `positions` says whether positions are counted too.
    Cost: half a minute and 2 GB at most.
    """
    board = question.board
    if board.shape is None or board.shape[2] > 1 or board.torus or not board.lines:
        return None
    is_whole = question.is_free and question.same == "labelled" and question.start is None and question.to_ply is None
    if not is_whole or not board.rules.is_marking or board.rules.exact:
        return None
    width, length = sorted(board.shape[:2])
    in_a_row = len(board.lines[0])
    explored: list[_Explored] = []
    for narrow in range(in_a_row, width):
        progress(narrow, width, "exploring narrower boards")
        found = _explored(replace(question, board=Board.grid(length, narrow, in_a_row)), positions)
        if found is None:
            break
        explored.append(found)
    if len(explored) < 2:
        return None
    last, columns = explored[-1], width - in_a_row - len(explored) + 1
    factor = last.states / explored[-2].states
    low, high = (LEAST_FACTOR * factor) ** columns, factor**columns

    def grown(number: float) -> Range:
        return number * low, number * high

    part, length_of_layers = _part(question, positions), (width - columns) / width
    alone, batch = (PointCost(n)([(last.states, 0, 0), (0, 0, 0)], 1).seconds for n in (0, 1))
    return WidthForecast(
        measured=tuple((each.spec, each.states) for each in explored),
        states=grown(last.states),
        widest=grown(last.widest * length_of_layers),
        graph=grown(last.graph),
        finding=grown(last.graph / 2 + last.finding * length_of_layers),  # its layers are widest half-way
        values=grown(values_bytes(last.widest) * length_of_layers),
        exploring=grown(alone),
        batch=grown(batch - alone),
        batches=Grid.of(part.pattern, won=part.won).batches,
    )


def _part(question: Question, positions: bool) -> Part:
    return Part(*next(iter(Needed(question).patterns(positions=positions).items())))


def _explored(question: Question, positions: bool) -> _Explored | None:
    """Return what a board takes whose rows are no longer than its columns; None where it has too many states."""
    part = _part(question, positions)
    run = Exploration(Route(part.pattern, range(part.pattern.size), shared_of(part)), PointCost(0), keeps=False)
    while not run.is_done:
        run.advance()
        if run.visited > EXPLORED:
            return None
    widest = max(still_open + won for still_open, won, _ in run.states)
    return _Explored(question.board.spec, run.visited, widest, run.cost(0).held, run.peak)
