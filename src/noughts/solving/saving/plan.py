"""How many sets of X there are in each layer, exactly, without listing one: what a table takes is known before.

Burnside: the classes of sets are the average over the symmetries of the sets that each leaves as they are, which are
unions of its cycles. Those are counted cycle by cycle: of the sets so far only which lines they still may complete
matters, and, once one is complete, which cells all complete ones share.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from math import ceil, comb
from typing import Any, NamedTuple

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, mask_of
from noughts.rules.symmetry import Permutation
from noughts.solving.index import LayerShape, ply_marks
from noughts.solving.saving.files import plies_of, portions

FIELD = 64
"""Bits of each coefficient of a polynomial that is kept in one integer: sets of up to 63 cells."""
MOST_STATES = 500_000
SYMMETRIES = 1_000

State = tuple[int, Mask]
"""Lines that may still be completed, as bits; and the cells that all complete lines share, -1 where none is."""


class LeadCounts(NamedTuple):
    """Classes of sets of 0, 1, ... marks: `free` have no line; `won` have one, which one of their marks completed."""

    free: tuple[int, ...]
    won: tuple[int, ...]


def lead_counts(board: Board) -> LeadCounts:
    """Return how many classes of sets of X there are by marks, up to half of the board.

    Cost: for each cell of the board as many steps as lines can be half complete in different ways; 5x6:4 takes a
    second. Raises BudgetError where that is too many, or where there are too many symmetries.
    """
    group = board.group("board")
    if board.cells >= FIELD or group.order > SYMMETRIES:
        raise BudgetError(
            f"{board} has {board.cells} cells and {group.order:,} symmetries: plans go up to {FIELD - 1} and "
            f"{SYMMETRIES:,}"
        )
    kinds = Counter(_cycles(element) for element in group.elements)
    free, won = 0, 0
    for cycles, many in kinds.items():
        fixed = _fixed(board, cycles)
        free += many * fixed[0]
        won += many * fixed[1]
    marks = range((board.cells + 1) // 2 + 1)
    return LeadCounts(*(tuple(_coefficient(total, p, group.order) for p in marks) for total in (free, won)))


def _coefficient(total: int, power: int, order: int) -> int:
    classes, rest = divmod(total >> FIELD * power & (1 << FIELD) - 1, order)
    assert rest == 0, "the sets that symmetries leave as they are must add up to a multiple of their number"
    return classes


def _cycles(element: Permutation) -> tuple[Mask, ...]:
    """Return the cycles of a symmetry as sets of cells, by their first cells."""
    seen, found = 0, []
    for cell in range(len(element)):
        if not seen >> cell & 1:
            cycle, at = [cell], element[cell]
            while at != cell:
                cycle.append(at)
                at = element[at]
            found.append(mask_of(cycle))
            seen |= found[-1]
    return tuple(found)


def _fixed(board: Board, cycles: tuple[Mask, ...]) -> tuple[int, int]:
    """Return the unions of cycles without a line, and those with one and a mark in all: polynomials by marks."""
    lines = board.line_masks
    meets = [sum(1 << number for number, line in enumerate(lines) if line & cycle) for cycle in cycles]
    last = [0] * len(cycles)
    for number, line in enumerate(lines):
        last[max(i for i, cycle in enumerate(cycles) if line & cycle)] |= 1 << number
    states: dict[State, int] = {((1 << len(lines)) - 1, -1): 1}
    for cycle, met, ends in zip(cycles, meets, last, strict=True):
        following: dict[State, int] = {}
        shift = FIELD * cycle.bit_count()
        for (alive, shared), ways in states.items():
            without = (alive & ~met & ~ends, shared)
            following[without] = following.get(without, 0) + ways
            complete = alive & ends
            common = shared
            while complete:
                number = (complete & -complete).bit_length() - 1
                complete &= complete - 1
                common &= lines[number]
            if common:
                marked = (alive & ~ends, common)
                following[marked] = following.get(marked, 0) + (ways << shift)
        states = following
        if len(states) > MOST_STATES:
            raise BudgetError(f"the sets of {board} cannot be counted in a plan: their lines meet in too many ways")
    free = sum(ways for (_, shared), ways in states.items() if shared == -1)
    return free, sum(states.values()) - free


# How often the value of a position has to be looked up in the next layer: by sampling, always the same positions.
#
# Most entries of a table are told by the board alone: a line is complete or can be completed, two threats cannot both
# be stopped. Where one threat has to be stopped one move is looked up, elsewhere up to as many as there are blanks.

SAMPLES = 250
ATTEMPTS = 100


class Looks(NamedTuple):
    """Moves that are looked up for an entry of a layer, on the average, if none ends the looking early."""

    ply: int
    mean: float


def looks_by_ply(board: Board) -> list[Looks]:
    """Return how many moves are looked up for an entry of each layer, about. Cost: half a second for 30 cells."""
    dice = random.Random(16)
    return [Looks(ply, _mean(board, ply, dice)) for ply in range(board.cells + 1)]


def _mean(board: Board, ply: int, dice: random.Random) -> float:
    found = []
    for _ in range(SAMPLES):
        x = _line_free(board, (ply + 1) // 2, dice)
        if x is None:
            break
        blank = [cell for cell in range(board.cells) if not x >> cell & 1]
        found.append(_looked_up(board, x, sum(1 << cell for cell in dice.sample(blank, ply // 2))))
    return sum(found) / len(found) if found else 0.0


def _line_free(board: Board, marks: int, dice: random.Random) -> Mask | None:
    """Return a set of so many cells without a line, grown cell by cell; None where that does not succeed."""
    for _ in range(ATTEMPTS):
        x, order = 0, dice.sample(range(board.cells), board.cells)
        for cell in order:
            if x.bit_count() == marks:
                return x
            if not board.has_line(x | 1 << cell):
                x |= 1 << cell
        if x.bit_count() == marks:
            return x
    return None


def _looked_up(board: Board, x: Mask, o: Mask) -> int:
    """Return how many moves are looked up in a position in which X has no line."""
    blanks = board.full & ~(x | o)
    if not blanks or board.has_line(o):
        return 0
    own, other = (x, o) if x.bit_count() == o.bit_count() else (o, x)
    completing, stopping = 0, 0
    for line in board.line_masks:
        missing = line & blanks
        if missing.bit_count() == 1:
            completing |= missing if line & ~missing & ~own == 0 else 0
            stopping |= missing if line & ~missing & ~other == 0 else 0
    if board.misere:
        return (blanks & ~completing).bit_count() if own == x else blanks.bit_count()
    if completing or stopping.bit_count() > 1:
        return 0
    return 1 if stopping else blanks.bit_count()


# What a core takes for each kind of work of a table, fitted to measurements on small boards.
#
# `python benchmarks/layers.py rates` measures again and prints these constants, and how well those of the small boards
# foretell the larger ones.


class Rates(NamedTuple):
    """Seconds of one core: for an entry of a layer in which X is to move, and for each move that may be looked up.

    The same where O is to move; for each entry of the tables that turn a block; for each position that X has won; and
    for each image of a set of X under a symmetry.
    """

    x_entry: float
    x_look: float
    o_entry: float
    o_look: float
    turning: float
    won: float
    image: float


RATES = Rates(
    x_entry=1.43e-08,
    x_look=5.34e-09,
    o_entry=1.51e-08,
    o_look=1.97e-09,
    turning=1.02e-08,
    won=6.28e-09,
    image=9.59e-08,
)

MEASURED: dict[str, float] = {"3x6:4": 0.9, "4x5:3": 1.4, "4x5:4": 5.5, "4x5:5": 8.5}
"""CPU seconds of all layers of the boards that the rates are fitted to, values only."""
FORETOLD: dict[str, float] = {"3x7:3": 4.1, "3x7:4": 19.9, "3x7:5": 28.2}
"""The same of larger boards, which the rates know nothing of."""
FACTOR = 1.5
"""What the rates foretell lies within this factor of what was measured, either way."""


# What it takes to save the values of all positions of a board: counted exactly, and timed by a model.


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
