"""What the counting engines count on: weighted cells and the lines of each player.

A board is the simplest pattern: each cell weighs one. The positions that a symmetry leaves alone are colourings of
its orbits, so they live on a pattern too: one cell per orbit, weighing as many marks as the orbit has cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from noughts.domain.bits import Mask, cells_of, mask_of
from noughts.domain.symmetry import Permutation, identity

__all__ = ["Pattern", "PatternLine", "orbits_of", "shared_sets"]


@dataclass(frozen=True, order=True)
class PatternLine:
    """A line of a pattern: complete when all cells of `trigger` are one player's.

    `core` are the cells that lie wholly on every winning line behind it. On a board the two are the line itself.
    """

    trigger: Mask
    core: Mask


@dataclass(frozen=True)
class Pattern:
    """Weighted cells, the lines of the player who moves first, and those of the other.

    `cells[i]` are the cells of the board that cell i of the pattern stands for: taking it takes them all.
    """

    cells: tuple[Mask, ...]
    first: tuple[PatternLine, ...]
    second: tuple[PatternLine, ...]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The number of marks that taking each cell means."""
        return tuple(cells.bit_count() for cells in self.cells)

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def total(self) -> int:
        """The number of marks on the full pattern."""
        return sum(self.weights)

    @property
    def is_symmetric(self) -> bool:
        """Whether both players have the same lines."""
        return self.first == self.second

    def swapped(self) -> Pattern:
        """Return the pattern with the players exchanged."""
        return Pattern(self.cells, self.second, self.first)

    def within_reach(self, marks: int) -> Pattern:
        """Return the pattern without the lines that take more than so many marks."""
        weights = self.weights

        def short(lines: tuple[PatternLine, ...]) -> tuple[PatternLine, ...]:
            return tuple(line for line in lines if sum(weights[cell] for cell in cells_of(line.trigger)) <= marks)

        return Pattern(self.cells, short(self.first), short(self.second))

    @classmethod
    def of_lines(cls, cells: int, lines: Iterable[Mask]) -> Pattern:
        """Return the pattern of a board: cells of weight one, the same lines for both."""
        return cls.of(cells, tuple(lines))

    @classmethod
    def of(
        cls,
        cells: int,
        lines: Sequence[Mask],
        *,
        first: Mask = 0,
        second: Mask = 0,
        within: Mask = -1,
        symmetry: Permutation | None = None,
    ) -> Pattern:
        """Return the pattern of the cells that are still blank in a position.

        `first` are the marks of the side to move and `second` those of the other. With `within` only these cells may be
        taken. With `symmetry` the pattern stands for the fillings that this permutation leaves alone; it must keep the
        marks, the lines and `within`. Assumes that nobody has a line.
        """
        blank = (1 << cells) - 1 & ~(first | second) & within
        orbits = tuple(o & blank for o in orbits_of(symmetry or identity(cells)) if o & blank)
        number = {cell: i for i, orbit in enumerate(orbits) for cell in cells_of(orbit)}

        def behind(missing: Mask) -> PatternLine:
            """Return the line that stands for all images of a set of cells under the symmetry."""
            taken = {number[cell] for cell in cells_of(missing)}
            return PatternLine(mask_of(taken), mask_of(i for i in taken if missing & orbits[i] == orbits[i]))

        def left(own: Mask, other: Mask) -> tuple[PatternLine, ...]:
            return _reduced(behind(line & ~own) for line in lines if not line & ~(own | blank))

        if first == second == 0:
            both = left(0, 0)
            return cls(orbits, both, both)
        return cls(orbits, left(first, second), left(second, first))


def orbits_of(symmetry: Permutation) -> tuple[Mask, ...]:
    """Return the orbits of one permutation as sets of cells, by least cell."""
    seen, found = 0, []
    for cell in range(len(symmetry)):
        if seen >> cell & 1:
            continue
        orbit, image = 0, cell
        while not orbit >> image & 1:
            orbit |= 1 << image
            image = symmetry[image]
        seen |= orbit
        found.append(orbit)
    return tuple(found)


def _reduced(lines: Iterable[PatternLine]) -> tuple[PatternLine, ...]:
    """Merge lines with one trigger, and drop those that say nothing that a line inside them does not say."""
    cores: dict[Mask, Mask] = {}
    for line in lines:
        cores[line.trigger] = cores.get(line.trigger, -1) & line.core
    kept: list[PatternLine] = []
    beginning: dict[Mask, list[PatternLine]] = {}  # a line inside another begins at one of its cells
    for trigger in sorted(cores, key=lambda mask: (mask.bit_count(), mask)):
        near = (line for begin in (0, *(1 << cell for cell in cells_of(trigger))) for line in beginning.get(begin, ()))
        core = cores[trigger]
        if not any(line.trigger & trigger == line.trigger and line.core & core == line.core for line in near):
            kept.append(PatternLine(trigger, core))
            beginning.setdefault(trigger & -trigger, []).append(kept[-1])
    return tuple(sorted(kept))


def shared_sets(lines: Iterable[PatternLine], limit: int) -> dict[Mask, int] | None:
    """Return sets T of cells with weights such that a position counts once iff its completed lines share a cell.

    The sets are all non-empty intersections of cores. For any family of lines with the shared part I, the weights of
    the sets inside I add up to 1 if I is not empty (and to 0 otherwise): Moebius inversion, which on a grid comes down
    to cells minus neighbouring pairs. None if there are more than `limit` sets. Cost: quadratic in their number.
    """
    cores = {line.core for line in lines if line.core}
    closed = set(cores)
    fresh = closed
    while fresh:
        fresh = {a & b for a in fresh for b in cores} - closed - {0}
        closed |= fresh
        if len(closed) > limit:
            return None
    weights: dict[Mask, int] = {}
    for shared in sorted(closed, key=lambda mask: (mask.bit_count(), mask)):
        weight = 1 - sum(w for inner, w in weights.items() if inner & shared == inner)
        if weight:
            weights[shared] = weight
    return weights
