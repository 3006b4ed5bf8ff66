"""The disk space for the values of all positions of a board, with an exact count of the sets of X.

By Burnside's lemma the number of classes of sets is an average over the symmetries: of the number of sets that each
symmetry keeps. These sets are unions of its cycles. They are counted cycle by cycle; the state is the set of lines that
they may still complete.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask
from noughts.rules.symmetry import orbits_of
from noughts.solving.index import LayerShape
from noughts.solving.saving.files import plies_of, portions

FIELD = 64
"""Bits of each coefficient of a polynomial stored in one integer, for sets of up to 63 cells."""
MOST_STATES = 500_000
SYMMETRIES = 1_000


class LayerPlan(NamedTuple):
    """A layer of a table: the number of its `blocks`, one for each canonical line-free set of X, with `size` entries.

    The blocks take `bytes` in a number of `files`; each file is one work item. At most `read` bytes of the next layer
    are read for them.
    """

    ply: int
    blocks: int
    size: int
    bytes: int
    files: int
    read: int

    @property
    def entries(self) -> int:
        """Number of entries of the layer."""
        return self.blocks * self.size

    def as_dict(self) -> dict[str, Any]:
        """Return the layer as a record."""
        found = {"blocks": self.blocks, "entries": self.entries, "bytes": self.bytes, "bytes_read_at_most": self.read}
        return {"ply": self.ply, "files": self.files, **{name: str(number) for name, number in found.items()}}


@dataclass(frozen=True)
class SavingPlan:
    """The layers in the order of their computation, the full board first."""

    board: Board
    packed: bool
    layers: tuple[LayerPlan, ...]

    @property
    def entries(self) -> int:
        """Number of entries of all layers."""
        return sum(layer.entries for layer in self.layers)

    @property
    def disk(self) -> int:
        """Number of bytes of all layers and of all sets of X."""
        sets = sum(4 * layer.blocks for layer in self.layers if layer.ply % 2 or layer.ply == 0)
        return sum(layer.bytes for layer in self.layers) + sets

    @property
    def read(self) -> int:
        """Largest number of bytes that are read."""
        return sum(layer.read for layer in self.layers)

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as a record."""
        return {
            "board": self.board.spec,
            "values_only": self.packed,
            "entries": str(self.entries),
            "disk_bytes": str(self.disk),
            "bytes_read_at_most": str(self.read),
            "layers": [layer.as_dict() for layer in self.layers],
        }


SECONDS_AN_ENTRY = 9e-9, 18e-9
"""CPU time of an entry, at least and at most: 145 s for the 16,191,952,394 of 5x5:4 (benchmarks/solving.md)."""
OVERHEAD = 1.065
"""CPU time of processes beside that of threads, for 3x7:4 (benchmarks/workers.py)."""


@dataclass(frozen=True)
class WorkForecast:
    """What a table takes on some workers: seconds, bytes of memory of each, and bytes read and written by all.

    A layer ends with its last work item, and its items take equally long: more workers than items do not help.
    """

    workers: int
    seconds: tuple[float, float]
    memory: int
    read: int
    written: int

    @classmethod
    def of(cls, plan: SavingPlan, workers: int, memory: int) -> WorkForecast:
        """Return the forecast for a plan, by times measured on one machine. Reading and writing take no time here."""
        entries = sum(layer.entries * -(-layer.files // workers) / layer.files for layer in plan.layers)
        more = OVERHEAD if workers > 1 else 1
        least, most = (entries * each * more for each in SECONDS_AN_ENTRY)
        return cls(workers, (least, most), memory, plan.read, plan.disk)

    def as_dict(self) -> dict[str, Any]:
        """Return the forecast as a record."""
        sizes = {"memory_each": self.memory, "bytes_read_at_most": self.read, "bytes_written": self.written}
        seconds = [round(each, 1) for each in self.seconds]
        return {"workers": self.workers, "seconds": seconds} | {name: str(size) for name, size in sizes.items()}


def plan_saving(board: Board, *, packed: bool) -> SavingPlan:
    """Return the plan for saving the values of a board of up to 63 cells; blocks, entries, bytes and files are exact.

    Cost: seconds. Raises BudgetError where the sets of X cannot be counted.
    """
    cells, free = board.cells, lead_counts(board)
    layers: list[LayerPlan] = []
    for marks in range((cells + 1) // 2, -1, -1):
        blocks = free[marks]
        files = len(portions(cells, marks, blocks, packed))
        for ply in reversed(plies_of(cells, marks)):
            shape, read = LayerShape.of(cells, ply, blocks, packed), 0
            if layers and ply % 2 == 0:
                after = LayerShape.of(cells, ply + 1, free[marks + 1], packed)
                read = min(blocks * (cells - marks), after.blocks * (marks + 1)) * after.stride
            layers.append(LayerPlan(ply, blocks, shape.size, shape.bytes, files, read))
    return SavingPlan(board, packed, tuple(layers))


def lead_counts(board: Board) -> tuple[int, ...]:
    """Return the number of classes of line-free sets of 0, 1, ... X, up to half of the board.

    Cost: for each cell a step for every reachable set of lines that may still be completed; 5x6:4 takes a second.
    Raises BudgetError where these sets or the symmetries are too many.
    """
    group = board.group("board")
    if board.cells >= FIELD or group.order > SYMMETRIES:
        raise BudgetError(
            f"{board} has {board.cells} cells and {group.order:,} symmetries: a plan takes up to {FIELD - 1} and "
            f"{SYMMETRIES:,}"
        )
    kinds = Counter(map(orbits_of, group.elements))
    total = sum(many * _fixed(board, cycles) for cycles, many in kinds.items())
    found = [divmod(total >> FIELD * p & (1 << FIELD) - 1, group.order) for p in range((board.cells + 1) // 2 + 1)]
    assert not any(rest for _, rest in found), "the sets that symmetries keep add up to a multiple of their number"
    return tuple(classes for classes, _ in found)


def _fixed(board: Board, cycles: tuple[Mask, ...]) -> int:
    """Return the number of unions of cycles without a line, as a polynomial in the number of marks.

    A state is the set of lines that may still be completed, as bits.
    """
    lines = board.line_masks
    met = [sum(1 << number for number, line in enumerate(lines) if line & cycle) for cycle in cycles]
    last = [0] * len(cycles)
    for number, line in enumerate(lines):
        last[max(i for i, cycle in enumerate(cycles) if line & cycle)] |= 1 << number
    states: dict[int, int] = {(1 << len(lines)) - 1: 1}
    for cycle, touched, ends in zip(cycles, met, last, strict=True):
        following: dict[int, int] = {}
        for alive, ways in states.items():
            without = alive & ~touched
            following[without] = following.get(without, 0) + ways
            if not alive & ends:
                following[alive] = following.get(alive, 0) + (ways << FIELD * cycle.bit_count())
        states = following
        if len(states) > MOST_STATES:
            raise BudgetError(f"the sets of {board} cannot be counted in a plan: their lines meet in too many ways")
    return sum(states.values())
