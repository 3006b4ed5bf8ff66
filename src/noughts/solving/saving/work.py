"""What it takes to save the values of all positions of a board: counted exactly, and timed by a model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import ceil, comb
from typing import Any

from noughts.domain.board import Board
from noughts.solving.index import LayerShape, ply_marks
from noughts.solving.saving.leadsets import lead_counts
from noughts.solving.saving.looks import looks_by_ply
from noughts.solving.saving.portions import plies_of, portions
from noughts.solving.saving.rates import RATES, Rates

__all__ = ["LayerWork", "SavingPlan", "plan_saving"]


@dataclass(frozen=True)
class LayerWork:
    """A layer of a table: so many `blocks`, one for each canonical line-free set of X, of `size` entries.

    They take `bytes` in so many `files`, which are work items, too. At most `read` bytes of the layer after it are
    read for them. `won` positions have no entry and are only counted. `seconds` are those of one core, by the model.
    """

    ply: int
    blocks: int
    size: int
    bytes: int
    files: int
    read: int
    won: int
    seconds: float

    @property
    def entries(self) -> int:
        """Entries of the layer."""
        return self.blocks * self.size

    def as_dict(self) -> dict[str, Any]:
        """Return the layer as a record."""
        return {
            "ply": self.ply,
            "blocks": str(self.blocks),
            "entries": str(self.entries),
            "bytes": str(self.bytes),
            "files": self.files,
            "bytes_read_at_most": str(self.read),
            "core_seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class SavingPlan:
    """The layers in the order in which they are made, the full board first.

    `sets_seconds` are those in which one core finds all sets of X; `memory` are the bytes that a core works in.
    """

    board: Board
    packed: bool
    layers: tuple[LayerWork, ...]
    sets_seconds: float
    shared_memory: int
    memory: int

    @property
    def entries(self) -> int:
        """Entries of all layers."""
        return sum(layer.entries for layer in self.layers)

    @property
    def disk(self) -> int:
        """Bytes of all layers and of all sets of X."""
        sets = sum(4 * layer.blocks for layer in self.layers if layer.ply % 2 or layer.ply == 0)
        return sum(layer.bytes for layer in self.layers) + sets

    @property
    def read(self) -> int:
        """Bytes that are read at most."""
        return sum(layer.read for layer in self.layers)

    @property
    def core_seconds(self) -> float:
        """Seconds that one core takes for everything."""
        return self.sets_seconds + sum(layer.seconds for layer in self.layers)

    def seconds_on(self, cores: int) -> float:
        """Return about how long so many cores take: a layer waits for the last of its items."""
        steps = [list(step) for _, step in groupby(self.layers, lambda layer: ply_marks(layer.ply)[0])]
        rounds = ((ceil(step[0].files / cores) / step[0].files, step) for step in steps if step[0].files)
        return self.sets_seconds + sum(share * sum(layer.seconds for layer in step) for share, step in rounds)

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as a record."""
        return {
            "board": self.board.spec,
            "values_only": self.packed,
            "entries": str(self.entries),
            "disk_bytes": str(self.disk),
            "bytes_read_at_most": str(self.read),
            "core_seconds": round(self.core_seconds, 1),
            "set_seconds": round(self.sets_seconds, 1),
            "memory_shared": str(self.shared_memory),
            "memory_a_core": str(self.memory),
            "layers": [layer.as_dict() for layer in self.layers],
        }


def plan_saving(board: Board, *, packed: bool, rates: Rates = RATES) -> SavingPlan:
    """Return what it takes to save the values of a board of up to 63 cells; blocks, entries, bytes and files exactly.

    Cost: seconds. Raises BudgetError where the sets of X cannot be counted.
    """
    cells, counts = board.cells, lead_counts(board)
    looks = [look.mean for look in looks_by_ply(board)]
    layers: list[LayerWork] = []
    for marks in range((cells + 1) // 2, -1, -1):
        blocks = counts.free[marks]
        files = len(portions(cells, marks, blocks, packed))
        for ply in reversed(plies_of(cells, marks)):
            shape = LayerShape.of(cells, ply, blocks, packed)
            following = layers[-1] if layers and ply % 2 == 0 else None
            read = 0 if following is None else _most_read(marks, blocks, cells - marks, following)
            won = counts.won[marks] * shape.size if ply % 2 else 0
            seconds = _seconds(cells, shape, won, looks[ply], rates)
            layers.append(LayerWork(ply, blocks, shape.size, shape.bytes, files, read, won, seconds))
    images = sum(free * (cells - marks) for marks, free in enumerate(counts.free[:-1])) * board.group("board").order
    half = comb(cells, cells // 2)
    widest = max(layer.bytes // max(1, layer.files) for layer in layers)
    return SavingPlan(board, packed, tuple(layers), images * rates.image, 20 * half, 3 * widest + 8 * widest // 4)


def _most_read(marks: int, blocks: int, blanks: int, following: LayerWork) -> int:
    """Return the bytes of the next layer that so many blocks need: their children, of which each has few parents."""
    stride = following.bytes // max(1, following.blocks)
    return min(blocks * blanks, following.blocks * (marks + 1)) * stride


def _seconds(cells: int, shape: LayerShape, won: int, looks: float, rates: Rates) -> float:
    """Return about how many seconds a core takes for a layer."""
    blanks = cells - ply_marks(shape.ply)[0]
    turning = (shape.blocks << (blanks + 1) // 2) * rates.turning
    if shape.ply % 2:
        return shape.entries * (rates.o_entry + looks * rates.o_look) + 2 * turning + won * rates.won
    return shape.entries * (rates.x_entry + looks * rates.x_look) + min(blanks, 1 + looks) * turning
