"""Closed forms for beliefs: which sets of marks the opponent can have, how many, and whether a line threatens.

A belief is the family of all line-free sets of `size` cells that contain `known` and avoid `barred`.
"""

from __future__ import annotations

from collections.abc import Iterator

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board

__all__ = ["Families"]


class Families:
    """The families of line-free sets of a board, by what they must avoid and contain; all answers are remembered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._full = board.full
        self._lines = board.line_masks
        self._through = {1 << cell: [line for line in self._lines if line >> cell & 1] for cell in range(board.cells)}
        self._from = {
            1 << cell: [line for line in self._lines if line & -line == 1 << cell] for cell in range(board.cells)
        }
        self._exists: dict[tuple[Mask, Mask, int], bool] = {}
        self._counts: dict[tuple[Mask, Mask, int], int] = {}
        self._threats: dict[tuple[Mask, Mask, int], bool] = {}

    def has_line(self, marks: Mask) -> bool:
        """Tell whether the marks contain a winning line."""
        left = marks
        while left:
            cell = left & -left
            left ^= cell
            for line in self._from[cell]:
                if marks & line == line:
                    return True
        return False

    def exists(self, barred: Mask, known: Mask, size: int) -> bool:
        """Tell whether the opponent can have `size` marks, `known` among them, none in `barred`, and no line."""
        key = (barred, known, size)
        found = self._exists.get(key)
        if found is None:
            found = self._exists[key] = not self.has_line(known) and self._extends(barred, known, size)
        return found

    def _extends(self, barred: Mask, known: Mask, size: int) -> bool:
        """Tell the same where `known` has no line."""
        missing = size - known.bit_count()
        if missing <= 0:
            return missing == 0
        open_cells = self._full & ~(barred | known)
        if open_cells.bit_count() < missing:
            return False
        if self._fills(known, open_cells, missing):
            return True
        cell = open_cells & -open_cells
        more = known | cell
        if not any(more & line == line for line in self._through[cell]) and self._is_open(barred, more, size):
            return True
        return self._is_open(barred | cell, known, size)

    def _fills(self, marks: Mask, open_cells: Mask, missing: int) -> bool:
        """Tell whether so many cells can be added to marks when each that makes no line is taken, in reading order."""
        through = self._through
        while missing and open_cells:
            cell = open_cells & -open_cells
            open_cells ^= cell
            more = marks | cell
            for line in through[cell]:
                if more & line == line:
                    break
            else:
                marks, missing = more, missing - 1
        return not missing

    def _is_open(self, barred: Mask, known: Mask, size: int) -> bool:
        key = (barred, known, size)
        found = self._exists.get(key)
        if found is None:
            found = self._exists[key] = self._extends(barred, known, size)
        return found

    def count(self, barred: Mask, known: Mask, size: int) -> int:
        """Return how many sets `exists` speaks of."""
        if not self.exists(barred, known, size):
            return 0
        if known.bit_count() == size:
            return 1
        key = (barred, known, size)
        found = self._counts.get(key)
        if found is None:
            open_cells = self._full & ~(barred | known)
            cell = open_cells & -open_cells
            found = self.count(barred, known | cell, size) + self.count(barred | cell, known, size)
            self._counts[key] = found
        return found

    def members(self, barred: Mask, known: Mask, size: int) -> Iterator[Mask]:
        """Yield the sets that `count` counts."""
        if not self.exists(barred, known, size):
            return
        if known.bit_count() == size:
            yield known
            return
        open_cells = self._full & ~(barred | known)
        cell = open_cells & -open_cells
        yield from self.members(barred, known | cell, size)
        yield from self.members(barred | cell, known, size)

    def can_complete(self, barred: Mask, known: Mask, size: int) -> bool:
        """Tell whether the opponent, with `size` marks as in `exists`, can complete a line with the next one."""
        key = (barred, known, size)
        found = self._threats.get(key)
        if found is None:
            found = self._threats[key] = self._completes(barred, known, size)
        return found

    def _completes(self, barred: Mask, known: Mask, size: int) -> bool:
        for line in self._lines:
            if line & barred:
                continue
            for cell in cells_of(line & ~known):
                last = 1 << cell
                if self.exists(barred | last, known | (line ^ last), size):
                    return True
        return False
