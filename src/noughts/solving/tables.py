"""Solutions read from tables of all positions: in memory, or on disk through a memory map."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position, opponent
from noughts.machine.workers import SERIAL, Workers
from noughts.solving.backward import BackwardPass, LayerTable
from noughts.solving.codes import decode
from noughts.solving.index import PerfectIndex
from noughts.solving.plies import PlyValues, reached
from noughts.solving.solution import Evaluation, Solution

__all__ = ["MemoryTables", "TableSolution", "TableSource", "count_values", "layer_tables", "solve_in_memory"]

Progress = Callable[[int, int, str], None]


class TableSource(ABC):
    """Where the codes of a board's positions are kept."""

    packed: bool

    @abstractmethod
    def code(self, position: Position) -> int:
        """Return the code of a reachable position in which X has no line."""

    @abstractmethod
    def counts(self) -> tuple[PlyValues, ...]:
        """Return the distribution of values, ply by ply."""


class TableSolution(Solution):
    """Values looked up in tables of all positions: a few microseconds each."""

    engine = "retrograde"

    def __init__(self, index: PerfectIndex, source: TableSource, start: Position | None = None) -> None:
        super().__init__(index.board, start)
        vars(self).update(_source=source)

    _source: TableSource

    @property
    def _problem(self) -> tuple[object, ...]:
        return (self.start, self.packed)

    @property
    def packed(self) -> bool:
        """Whether the tables hold values only."""
        return self._source.packed

    def _evaluate_open(self, position: Position) -> Evaluation:
        found = decode(self._source.code(position), self._source.packed)
        assert found is not None
        value, remoteness = found
        winner = position.to_move if value == "win" else opponent(position.to_move)
        outcome: Outcome = "draw" if value == "draw" else winner
        plies = position.blanks.bit_count() if value == "draw" else remoteness
        return Evaluation(outcome, plies, "retrograde: looked up in the table of all positions")

    def plies(self) -> tuple[PlyValues, ...]:
        """Return how the values of all reachable positions are distributed, ply by ply.

        Raises BudgetError where the start is not the empty board: the tables do not tell what play from there reaches.
        """
        if self.start.ply:
            raise BudgetError(
                f"how the values of {self.board} are distributed is known of all positions, not of those that play "
                f"from {self.start} reaches: solve the board without a start"
            )
        return self._source.counts()


class MemoryTables(TableSource):
    """All layers in memory."""

    def __init__(self, backward: BackwardPass, layers: list[LayerTable]) -> None:
        self._backward = backward
        self._layers = {table.shape.ply: table for table in layers}
        self.packed = backward.packed

    def code(self, position: Position) -> int:
        """Return the code of a reachable position in which X has no line."""
        block, entry = self._backward.index.place(position.x, position.o)
        return self._layers[position.ply].code(block, entry, self.packed)

    def counts(self) -> tuple[PlyValues, ...]:
        """Return the distribution of values, ply by ply; the positions that X has won are counted now."""
        return reached(table.counts + self._backward.won(ply) for ply, table in self._layers.items())


def layer_tables(backward: BackwardPass, *, count_won: bool, progress: Progress | None = None) -> Iterator[LayerTable]:
    """Yield the tables of all layers, the full board first; only two are held here at a time."""
    index = backward.index
    whole = sum(shape.entries for shape in index.shapes(backward.packed))
    done = [0]

    def advance(entries: int) -> None:
        done[0] += entries
        if progress is not None and done[0] < whole:
            progress(done[0], whole, f"solving {index.board}")

    table: LayerTable | None = None
    for ply in range(index.cells, -1, -1):
        table = backward.layer(ply, table, count_won=count_won, done=advance)
        yield table
    if progress is not None:
        progress(whole, whole, f"solving {index.board}")


def solve_in_memory(
    index: PerfectIndex,
    *,
    packed: bool,
    start: Position | None = None,
    workers: Workers = SERIAL,
    progress: Progress | None = None,
) -> TableSolution:
    """Return the solution of a board, asked about a start, with the tables of all layers in memory."""
    backward = BackwardPass(index, packed=packed, workers=workers)
    layers = list(layer_tables(backward, count_won=False, progress=progress))
    return TableSolution(index, MemoryTables(backward, layers), start)


def count_values(
    index: PerfectIndex, *, packed: bool, workers: Workers = SERIAL, progress: Progress | None = None
) -> tuple[PlyValues, ...]:
    """Return the distribution of values, ply by ply, with two layers in memory at a time."""
    tables = layer_tables(BackwardPass(index, packed=packed, workers=workers), count_won=True, progress=progress)
    return reached(table.counts for table in tables)
