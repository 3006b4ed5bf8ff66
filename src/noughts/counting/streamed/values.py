"""Values of all positions for the rules perfect and quickest: the layers of the backward pass, in memory.

Two bits a position for perfect, which looks at the value alone; a byte where a player's moves are to be the quickest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from noughts.counting.question import Question
from noughts.domain.rules import VALUE_RULES, MoveRule
from noughts.kernels.paths.records import PathEnds, PathValues
from noughts.machine.progress import Progress
from noughts.machine.workers import Workers
from noughts.solving.backward import BackwardPass
from noughts.solving.codes import BYTE_CODES, PACKED_CODES, turned, value_code
from noughts.solving.index import PerfectIndex
from noughts.solving.tables import layer_tables

__all__ = [
    "NO_ENDS",
    "NO_VALUES",
    "LayerEnds",
    "LayerValues",
    "PositionValues",
    "are_packed",
    "looks_at_values",
    "position_values",
]

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_NOTHING: Bytes = np.zeros((1, 1), np.uint8)
_UNASKED: Bytes = np.zeros((2, 256), np.uint8)
NO_VALUES = PathValues(_NOTHING, _NOTHING, _NOTHING, 1, 0, _UNASKED, _UNASKED)
"""For rules that ask for none."""
NO_ENDS = PathEnds(_NOTHING, _NOTHING)
"""Where play goes on to a line."""


@dataclass(frozen=True)
class LayerValues:
    """The values of the positions of three plies, a row for each canonical set of X: see `PathValues`."""

    before: Bytes
    between: Bytes
    after: Bytes
    reading: PathValues

    def of(self, needed: Ints, first: int, count: int) -> PathValues:
        """Return the values for `count` blocks from the first on, and for the blocks before that these need."""
        own = slice(first, first + count)
        return self.reading._replace(before=self.before[needed], between=self.between[own], after=self.after[own])


@dataclass(frozen=True)
class PositionValues:
    """The values of all positions, a table for each ply, and how they are read."""

    tables: tuple[Bytes, ...]
    reading: PathValues

    def of_two_plies(self, ply: int) -> LayerValues:
        """Return the values at a ply of X, and after X's move and O's."""
        before, between, after = (self.tables[at] if at < len(self.tables) else _NOTHING for at in range(ply, ply + 3))
        return LayerValues(before, between, after, self.reading)

    def backward(self, ply: int, blocks: slice) -> PathValues:
        """Return the values that tell the moves from some blocks of a ply: see `kernels.paths.outcomes`."""
        here, following = self.tables[ply][blocks], self.tables[ply + 1]
        if ply % 2:
            return self.reading._replace(between=here, after=following[blocks])
        return self.reading._replace(before=here, between=following)


@dataclass(frozen=True)
class LayerEnds:
    """How play ends in the positions of two plies, X's and O's: see `PathEnds`."""

    between: Bytes
    after: Bytes

    def of(self, first: int, count: int) -> PathEnds:
        """Return how it ends for `count` blocks from the first on."""
        own = slice(first, first + count)
        return PathEnds(self.between[own], self.after[own])


def looks_at_values(question: Question) -> bool:
    """Tell whether a move rule of the question looks at values."""
    return question.x_moves in VALUE_RULES or question.o_moves in VALUE_RULES


def are_packed(question: Question) -> bool:
    """Tell whether its rules look at values alone, so that two bits a position do."""
    return "quickest" not in (question.x_moves, question.o_moves)


def position_values(question: Question, index: PerfectIndex, workers: Workers, progress: Progress) -> PositionValues:
    """Return the values of all positions under free play.

    Cost: that of the backward pass, and two bits or a byte for each set of O beside each canonical line-free set of X.
    """
    packed = are_packed(question)
    passes = layer_tables(BackwardPass(index, packed=packed, workers=workers), count_won=False, progress=progress)
    tables = [table.data.reshape(table.shape.blocks, table.shape.stride) for table in passes][::-1]
    return PositionValues(tuple(tables), _reading(question, packed))


def _reading(question: Question, packed: bool) -> PathValues:
    """Return how values are read, without the values."""
    loss, _, win, _ = PACKED_CODES if packed else BYTE_CODES
    asks, gives = zip(*(_asked(rule, packed) for rule in (question.x_moves, question.o_moves)), strict=True)
    lined = win if question.board.misere else loss
    return NO_VALUES._replace(packed=int(packed), lined=lined, asks=np.array(asks), gives=np.array(gives))


def _asked(rule: MoveRule, packed: bool) -> tuple[Bytes, Bytes]:
    """Return what the code of a parent asks for by a rule, and what that of a child gives."""
    asks, gives = np.arange(256, dtype=np.uint8), np.array(turned(packed), np.uint8)
    if rule == "quickest" or packed:
        return asks, gives
    values = [value_code(code, packed) for code in range(256)]
    kinds = np.array([("loss", "draw", "win", None).index(value) for value in values], np.uint8)
    return kinds, kinds[gives]
