"""The layers of streaming: their sizes and numbers of paths, the values that rules need, and the cost estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import FileIO
from itertools import pairwise
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.counting.question import Question
from noughts.kernels.index import ranks as lead
from noughts.kernels.paths.records import PathEnds, PathNumbers, PathValues
from noughts.machine.budget import Estimate, Limits, format_size
from noughts.machine.reading import read_into
from noughts.machine.workers import Progress, Workers
from noughts.rules.errors import CheckError
from noughts.rules.play import VALUE_RULES, MoveRule
from noughts.solving.blockfile import BlockFile, write_block_file
from noughts.solving.index import PerfectIndex
from noughts.solving.retrograde import line_free_shares
from noughts.solving.tables import BackwardPass
from noughts.solving.values import BYTE_CODES, PACKED_CODES, turned, value_code


def bytes_above(marks: int) -> int:
    """Return the bytes beyond four for a number of paths with `marks` marks of each player, at most (marks!)^2."""
    return max(0, -(-((factorial(marks) ** 2).bit_length() - 32) // 8))


@dataclass(frozen=True)
class LayerSize:
    """The layer where each player has `marks` marks: `blocks` blocks of `size` numbers of 4 + `high` bytes each."""

    marks: int
    blocks: int
    size: int
    high: int

    @classmethod
    def of(cls, cells: int, marks: int, blocks: int) -> LayerSize:
        """Return the size of a layer on a board of `cells` cells."""
        return cls(marks, blocks, comb(cells - marks, marks), bytes_above(marks))

    @property
    def block_bytes(self) -> int:
        """Bytes of a block."""
        return self.size * (4 + self.high)

    @property
    def bytes(self) -> int:
        """Bytes of the layer."""
        return self.blocks * self.block_bytes


# X's threats after each move, as sets of the blanks of a block; the rule fork needs them.

Ints = npt.NDArray[np.int64]


def threats_after(lines: Sequence[int], before: Ints, blanks: Ints, more: Ints | None = None) -> Ints:
    """Return the threats of sets of X, shape (n, m), after a move on each blank, shape (n, b).

    The result has shape (n, m, b) and holds sets of the blanks. The masks ``more``, shape (n, m), give one cell for
    each set; it counts as one more blank, the last.
    """
    after = before[:, :, None] | (np.int64(1) << blanks)[:, None, :]
    threats = lead.threat_table(after.ravel(), lines).reshape(after.shape).astype(np.int64)
    seen = np.zeros(after.shape, np.int64)
    for j in range(blanks.shape[1]):
        seen |= (threats >> blanks[:, None, j, None] & 1) << j
    if more is not None:
        seen |= np.where(threats & more[:, :, None], 1 << blanks.shape[1], 0)
    return seen


# The numbers of a layer in parts: in memory, or in the files of a folder.


def room_for(blocks: int, size: int, high: int) -> PathNumbers:
    """Return empty memory for the numbers of `blocks` blocks."""
    return PathNumbers(np.empty((blocks, size), np.uint32), np.empty((blocks, high, size), np.uint8))


@dataclass(frozen=True)
class FilePart:
    """A number of blocks of a layer in a file; `of` identifies the layer and the part."""

    path: Path
    of: str
    blocks: int

    def write(self, numbers: PathNumbers, about: dict[str, Any]) -> None:
        """Write the numbers, whole or not at all, with a record about them. Raises FileError."""
        data = np.concatenate([numbers.low.reshape(-1).view(np.uint8), numbers.high.reshape(-1)])
        shape = {"blocks": len(numbers.low), "size": numbers.low.shape[1], "high": numbers.high.shape[1]}
        write_block_file(self.path, data, {"of": self.of, **shape, **about})

    def about(self) -> dict[str, Any] | None:
        """Return the record about the numbers; None where the file does not exist. Raises CheckError."""
        return self._file().about if self.path.is_file() else None

    def check(self) -> int:
        """Check every byte; return the offset of the numbers in the file. Raises CheckError."""
        file = self._file()
        file.check_all()
        return file.data_start

    def take(self, start: int, blocks: Ints, found: PathNumbers) -> None:
        """Read some blocks, without a memory map, which would count as memory of this process."""
        size, high = found.low.shape[1], found.high.shape[1]
        edges = [0, *(np.flatnonzero(np.diff(blocks) != 1) + 1).tolist(), len(blocks)]
        upper = start + 4 * size * self.blocks
        with open(self.path, "rb", buffering=0) as file:
            for a, b in pairwise(edges):
                _read(file, start + 4 * size * int(blocks[a]), found.low[a:b])
                if high:
                    _read(file, upper + high * size * int(blocks[a]), found.high[a:b])

    def _file(self) -> BlockFile:
        file = BlockFile(self.path)
        file.require(of=self.of, blocks=self.blocks)
        return file


def _read(file: FileIO, offset: int, out: npt.NDArray[Any]) -> None:
    """Fill an array from an offset in a file. Raises CheckError where the file is too short."""
    if not read_into(file.fileno(), offset, out.data.cast("B")):
        raise CheckError(f"{file.name!s} has become shorter while it was read: delete it and start again")


LayerPart = PathNumbers | FilePart


class PathLayer:
    """The numbers of a layer: parts in order, each with its number of blocks. A file is checked at its first read."""

    def __init__(self, parts: list[tuple[int, LayerPart]], size: int, high: int) -> None:
        self._parts, self._size, self._high = parts, size, high
        self._starts: dict[int, int] = {}

    def __reduce__(self) -> tuple[type[PathLayer], tuple[list[tuple[int, LayerPart]], int, int]]:
        return PathLayer, (self._parts, self._size, self._high)

    def take(self, blocks: Ints) -> PathNumbers:
        """Return a copy of some blocks, given in increasing order. Raises CheckError, FileNotFoundError."""
        found, first = room_for(len(blocks), self._size, self._high), 0
        for number, (count, part) in enumerate(self._parts):
            a, b = np.searchsorted(blocks, (first, first + count)).tolist()
            if a < b:
                some, wanted = PathNumbers(found.low[a:b], found.high[a:b]), blocks[a:b] - first
                if isinstance(part, FilePart):
                    if number not in self._starts:
                        self._starts[number] = part.check()
                    part.take(self._starts[number], wanted, some)
                else:
                    np.take(part.low, wanted, axis=0, out=some.low)
                    np.take(part.high, wanted, axis=0, out=some.high)
            first += count
        return found

    def files(self) -> list[Path]:
        """Return the files on disk."""
        return [part.path for _, part in self._parts if isinstance(part, FilePart)]


# Values of all positions for the rules perfect and quickest: the layers of the backward pass, in memory.
#
# The rule perfect needs only the value, in two bits for each position; the rule quickest needs a byte.

Bytes = npt.NDArray[np.uint8]

_NOTHING: Bytes = np.zeros((1, 1), np.uint8)
_UNASKED: Bytes = np.zeros((2, 256), np.uint8)
NO_VALUES = PathValues(_NOTHING, _NOTHING, _NOTHING, 1, 0, _UNASKED, _UNASKED)
"""For rules that do not depend on values."""
NO_ENDS = PathEnds(_NOTHING, _NOTHING)
"""For play until a line."""


@dataclass(frozen=True)
class PositionValues:
    """The values of all positions, a table for each ply, and how they are read."""

    tables: tuple[Bytes, ...]
    reading: PathValues

    def of_two_plies(self, ply: int) -> PathValues:
        """Return the values at a ply of X, after X's move, and after O's move; a row for each canonical set of X."""
        before, between, after = (self.tables[at] if at < len(self.tables) else _NOTHING for at in range(ply, ply + 3))
        return self.reading._replace(before=before, between=between, after=after)

    def backward(self, ply: int, blocks: slice) -> PathValues:
        """Return the values that decide the moves from some blocks of a ply: see `kernels.paths.outcomes`."""
        here, following = self.tables[ply][blocks], self.tables[ply + 1]
        if ply % 2:
            return self.reading._replace(between=here, after=following[blocks])
        return self.reading._replace(before=here, between=following)


def looks_at_values(question: Question) -> bool:
    """Return whether a move rule of the question depends on values."""
    return question.x_moves in VALUE_RULES or question.o_moves in VALUE_RULES


def are_packed(question: Question) -> bool:
    """Return whether two bits for each position are enough, as no rule depends on remoteness."""
    return "quickest" not in (question.x_moves, question.o_moves)


def position_values(question: Question, index: PerfectIndex, workers: Workers, progress: Progress) -> PositionValues:
    """Return the values of all positions under free play.

    Cost: the backward pass, and two bits or a byte for each pair of a set of O and a canonical line-free set of X.
    """
    packed = are_packed(question)
    passes = BackwardPass(index, packed=packed, workers=workers).layers(count_won=False, progress=progress)
    tables = [table.data.reshape(table.shape.blocks, table.shape.stride) for table in passes][::-1]
    loss, _, win, _ = PACKED_CODES if packed else BYTE_CODES
    asks, gives = zip(*(_codes(rule, packed) for rule in (question.x_moves, question.o_moves)), strict=True)
    lined = win if question.board.misere else loss
    reading = NO_VALUES._replace(packed=int(packed), lined=lined, asks=np.array(asks), gives=np.array(gives))
    return PositionValues(tuple(tables), reading)


def _codes(rule: MoveRule, packed: bool) -> tuple[Bytes, Bytes]:
    """Return by code of a parent what a rule asks of a child, and by code of a child what it gives."""
    asks, gives = np.arange(256, dtype=np.uint8), np.array(turned(packed), np.uint8)
    if rule == "quickest" or packed:
        return asks, gives
    values = [value_code(code, packed) for code in range(256)]
    kinds = np.array([("loss", "draw", "win", None).index(value) for value in values], np.uint8)
    return kinds, kinds[gives]


# The cost of streaming, estimated from samples before any set of X is found.

SAMPLES = 400
START_SECONDS = 2.0
"""Seconds to load the compiled kernels, or to compile them if necessary."""
SECONDS_A_SET = 3e-6
"""Seconds to find a canonical set of X, for each symmetry."""
SECONDS_AN_ADDITION = 6e-9
"""Seconds to add a number from a parent, on a busy core; under move rules up to `RULED` times as long."""
RULED = 3
SECONDS_A_VALUE = 3e-8
"""Seconds for the value of a position, where a rule needs it."""
SECONDS_AN_END = 4e-8
"""Seconds to find how play can end from a position, under any rules."""
BASE_BYTES = 300_000_000
ITEM_BYTES = 700_000_000
"""Bytes of the items under way at a time, with two workers."""


def estimate(question: Question, order: int, limits: Limits) -> Estimate:
    """Return the estimated cost, with the layers on disk where the limits allow it, else in memory.

    Where loading alone exceeds the limits, the estimate stops there.
    """
    if limits.seconds < START_SECONDS:
        return Estimate(BASE_BYTES, START_SECONDS, "to load its kernels", at_least=True)
    cells, last = question.board.cells, question.last_ply
    shares = line_free_shares(question.board, SAMPLES if cells >= 12 else SAMPLES // 4)
    with_marks = [int(comb(cells, marks) * share) // order + 1 for marks, share in enumerate(shares)]
    blocks = with_marks[: (last + 1) // 2 + 1]
    sizes = [LayerSize.of(cells, marks, many) for marks, many in enumerate(blocks) if 2 * marks <= last]
    additions = sum(size.blocks * size.size * size.marks for size in sizes)
    additions += sum(many * comb(cells - marks, marks - 1) * marks for marks, many in enumerate(blocks) if marks)
    pair = max(a.bytes + b.bytes for a, b in zip(sizes, [*sizes[1:], sizes[-1]], strict=True))
    plies = range(cells + 1)
    positions = sum(with_marks[(ply + 1) // 2] * comb(cells - (ply + 1) // 2, ply // 2) for ply in plies)
    factor = 1 if question.x_moves == question.o_moves == "any" else RULED
    seconds = START_SECONDS + sum(blocks) * order * SECONDS_A_SET + additions * SECONDS_AN_ADDITION * factor
    valued, decided = looks_at_values(question), question.end == "decided"
    seconds += positions * (SECONDS_A_VALUE * valued + SECONDS_AN_END * decided)
    quarters = valued * (1 if are_packed(question) else 4) + decided
    tables = BASE_BYTES + positions // 4 * quarters + 40 * comb(cells, cells // 2) + 16 * sum(blocks)
    items = min(ITEM_BYTES, 4 * sum(size.bytes for size in sizes))
    detail = f"about {sum(size.blocks * size.size for size in sizes):,} numbers of paths"
    on_disk = Estimate(tables + items, seconds, detail, disk=pair)
    if limits.disk:
        return on_disk
    in_memory = Estimate(tables + items + pair, seconds, detail)
    if limits.allow(in_memory) or pair < ITEM_BYTES:
        return in_memory
    more = f"; --resume DIR needs {format_size(on_disk.memory)} and {format_size(on_disk.disk)} of disk"
    return replace(in_memory, detail=detail + more)
