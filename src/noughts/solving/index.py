"""The perfect index of a board: canonical sets of X numbered once, sets of O ranked among the cells left.

A position of ply t has p = ceil(t / 2) X and q = floor(t / 2) O. A symmetry turns the X set into its canonical form.
Its place in the table has two parts: the number of this form, and the colexicographic rank of the turned O set. Only
line-free X sets have numbers: where X has a line the game is over, and needs no table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import ranks
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.symmetry import Group

Ints = npt.NDArray[np.int64]
ORDER_LIMIT = 1_000


def ply_marks(ply: int) -> tuple[int, int]:
    """Return the number of X and of O marks at a ply."""
    return (ply + 1) // 2, ply // 2


@dataclass(frozen=True)
class LayerShape:
    """How the table of one layer is laid out: `blocks` blocks of `size` entries, `stride` bytes each."""

    ply: int
    blocks: int
    size: int
    stride: int

    @classmethod
    def of(cls, cells: int, ply: int, blocks: int, packed: bool) -> LayerShape:
        """Return the layout for so many cells and canonical sets of X, with two bits (`packed`) or a byte an entry."""
        x, o = ply_marks(ply)
        size = comb(cells - x, o)
        return cls(ply, blocks, size, (size + 3) // 4 if packed else size)

    @property
    def bytes(self) -> int:
        """Bytes of the table."""
        return self.blocks * self.stride

    @property
    def entries(self) -> int:
        """Entries of the table, those for positions that cannot arise included."""
        return self.blocks * self.size


class PerfectIndex:
    """The index of all layers of a board of up to 30 cells; the sets of X are found when first asked for.

    Up to the symmetries of the board, or another group that keeps its lines.

    Cost: 2 to 3 microseconds per canonical set and symmetry, 12 bytes per canonical set and blank cell.
    """

    def __init__(self, board: Board, group: Group | None = None) -> None:
        if board.cells > ranks.MAX_CELLS:
            raise BudgetError(
                f"{board} has {board.cells} cells and tables of all positions go up to {ranks.MAX_CELLS}: "
                "ask about one position with --engine search"
            )
        group = group or board.group("board")
        if group.order > ORDER_LIMIT:
            raise BudgetError(f"{board} has {group.order:,} symmetries, and tables use at most {ORDER_LIMIT:,}")
        self.board, self.cells, self.lines = board, board.cells, board.line_masks
        self.permutations = np.array(group.elements, np.int64)

    @cached_property
    def images(self) -> ranks.Images:
        """Half-board tables of the symmetries."""
        return ranks.images(self.permutations)

    @cached_property
    def layers(self) -> tuple[ranks.LeadLayer, ...]:
        """The canonical line-free X sets of 0, 1, ... marks, up to half of the board, with their successors."""
        assert 0 not in self.lines, "a winning line has at least one cell"
        found, masks, half = [], np.zeros(1, np.int64), (self.cells + 1) // 2
        for marks in range(half):
            layer, masks = ranks.next_layer(masks, self.cells, marks, self.lines, self.images)
            found.append(layer)
        none = np.full((len(masks), self.cells - half), -1, np.int32)
        return (*found, ranks.LeadLayer(masks, none, none.astype(np.uint16), masks[:0]))

    def shape(self, ply: int, packed: bool) -> LayerShape:
        """Return the layout of the table of one layer, with two bits (`packed`) or one byte an entry."""
        return LayerShape.of(self.cells, ply, len(self.layers[ply_marks(ply)[0]].masks), packed)

    def shapes(self, packed: bool) -> Iterator[LayerShape]:
        """Yield the layouts from ply 0 on."""
        return (self.shape(ply, packed) for ply in range(self.cells + 1))

    def place(self, x: int, o: int, masks: Ints | None = None) -> tuple[int, int]:
        """Return the block and the entry of a position in the table of its layer; X must have no line.

        `masks` are the canonical sets of as many X; found here unless given.
        """
        best, element = ranks.canonical_images(np.array([x], np.int64), self.images)
        if masks is None:
            masks = self.layers[x.bit_count()].masks
        block = int(np.searchsorted(masks, best[0]))
        assert block < len(masks)
        assert masks[block] == best[0]
        permutation = self.permutations[int(element[0])]
        image = sum(1 << int(permutation[cell]) for cell in range(self.cells) if o >> cell & 1)
        free = [cell for cell in range(self.cells) if not int(best[0]) >> cell & 1]
        chosen = [index for index, cell in enumerate(free) if image >> cell & 1]
        return block, sum(comb(index, i + 1) for i, index in enumerate(chosen))


class LeadSets:
    """The canonical sets of X of a board under a group, as they are found: nothing else is kept of what is met."""

    def __init__(self, cells: int, lines: tuple[int, ...], elements: tuple[tuple[int, ...], ...]) -> None:
        self.cells, self.lines = cells, lines
        self.permutations = np.array(elements, np.int64)

    @cached_property
    def layers(self) -> tuple[tuple[Ints, Ints], ...]:
        """The line-free sets of 0, 1, ... marks, up to half of the board, and those that the last lined; rising."""
        group = ranks.images(self.permutations)
        found = [(np.zeros(1, np.int64), np.zeros(0, np.int64))]
        for marks in range((self.cells + 1) // 2):
            layer, masks = ranks.next_layer(found[-1][0], self.cells, marks, self.lines, group)
            found.append((masks, layer.won))
        return tuple(found)
