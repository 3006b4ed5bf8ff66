"""The sets of marks that hold lines on a small board, by kind of line, for derivations that a reader can check.

The player who moves last has a set of marks that completes a line, if all its lines share the cell marked last. The
other player's marks lie in the other cells and hold no line, or the game was over before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from math import comb
from operator import and_

from noughts.rules.board import Board
from noughts.rules.marks import Mask, cells_of
from noughts.rules.symmetry import ELEMENT_LIMIT, coordinates

SUBSET_LIMIT = 16
"""Boards of up to this many cells are derived from all 2^N sets of the winner's marks."""

_DIGITS = 16
"""Bits for the number of subsets of one size: at most 12,870 of SUBSET_LIMIT cells."""
_MOST_TERMS = 8
"""Terms of a sum of sets with several lines that are listed."""


@dataclass(frozen=True)
class LineKind:
    """The sets of marks that complete lines of one kind, with a given number of marks of the other player.

    `last` counts the sets by the number of cells that could have been marked last. On a full board it leaves out sets
    whose other cells hold a line. Elsewhere `before` counts the choices of a set, its last mark and the other player's
    marks where those marks hold a line. `parts` says how the number of sets arises; empty where that is plain.
    """

    words: str
    last: Counter[int]
    before: int
    parts: str


@dataclass(frozen=True)
class Boards:
    """Boards with given numbers of marks: all of them, and those that cannot arise, or on which play is over.

    `before`: the other player has a line. `apart`: the last mover's lines share no cell, the other player has no line.
    `sets`: the sets of the last mover's marks with a line; `both`: the boards with such a set on which the other player
    has a line too. `drawn`: full boards without a line.
    """

    before: int
    apart: int
    sets: int
    both: int
    drawn: int


class LineSets:
    """The sets of cells of a board that hold a line. Cost: 2^N steps."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._subsets = _sets_with_a_line(board)
        self._found: dict[int, list[tuple[Mask, list[Mask], int]]] = {}

    def _of(self, size: int) -> list[tuple[Mask, list[Mask], int]]:
        """Return the sets of a size that hold a line, each with its lines and the number of cells common to these."""
        if size not in self._found:
            self._found[size] = []
            for cells in combinations(range(self.board.cells), size):
                marks = sum(1 << cell for cell in cells)
                lines = [line for line in self.board.line_masks if marks & line == line]
                if lines:
                    self._found[size].append((marks, lines, reduce(and_, lines).bit_count()))
        return self._found[size]

    def _held(self, marks: Mask, other: int) -> int:
        """Return how many sets of `other` cells outside a set of marks hold a line."""
        return self._subsets[self.board.full & ~marks] >> other * _DIGITS & (1 << _DIGITS) - 1

    def kinds(self, marks: int, other: int, loser: str) -> list[LineKind]:
        """Return the kinds of line that `marks` marks complete against `other` marks of the loser, single lines first.

        `loser` names the other player in the words.
        """
        sorted_sets: dict[tuple[int, int], list[tuple[Mask, list[Mask], int]]] = {}
        for each in self._of(marks):
            lines = each[1]
            key = len(lines), _axes(self.board, lines[0]) if len(lines) == 1 else 0
            sorted_sets.setdefault(key, []).append(each)
        return [self._kind(*key, sets, marks, other, loser) for key, sets in sorted(sorted_sets.items())]

    def _kind(
        self, lines: int, axes: int, sets: list[tuple[Mask, list[Mask], int]], marks: int, other: int, loser: str
    ) -> LineKind:
        is_full = marks + other == self.board.cells
        last, before = Counter[int](), 0
        alone, taken, mixed = Counter[Mask](), Counter[Mask](), Counter[tuple[int, ...]]()
        for each, completed, common in sets:
            held = self._held(each, other)
            alone[completed[0]] += 1
            if is_full and held:
                taken[completed[0]] += 1
                continue
            last[common] += 1
            before += common * held
            mixed[tuple(sorted(_axes(self.board, line) for line in completed))] += common > 0
        words = _kind_words(self.board, lines, axes)
        parts = self._of_lines(axes, marks, alone, taken, loser) if lines == 1 else _of_mixtures(self.board, mixed)
        return LineKind(words, last, before, parts)

    def _of_lines(self, axes: int, marks: int, alone: Counter[Mask], taken: Counter[Mask], loser: str) -> str:
        """Return how sets with one line arise: the lines, times the choices of the other cells."""
        lines = [line for line in self.board.line_masks if _axes(self.board, line) == axes]
        lines = [line for line in lines if line.bit_count() <= marks]
        rows = []
        for line in lines:
            size = line.bit_count()
            choices = comb(self.board.cells - size, marks - size)
            rows.append((choices, choices - alone[line], taken[line]))
        if all(row == (1, 0, 0) for row in rows):
            return ""
        is_even = len(set(rows)) == 1
        terms = rows[0] if is_even else tuple(map(sum, zip(*rows, strict=True)))
        reasons = ("", "hold another line", f"leave {loser} a line")
        less = [f"{terms[at]:,} {why}" for at, why in enumerate(reasons) if why and terms[at]]
        amount = " - ".join(f"{term:,}" for term in terms if term)
        left = f"{amount} choices of a line and"
        if is_even:
            left = f"{len(lines):,} line{'s' * (len(lines) != 1)} x {f'({amount})' if less else amount} choices"
        total, why = alone.total() - taken.total(), f" ({', '.join(less)})" if less else ""
        return f"{left} of the other cells = {total:,} set{'s' * (total != 1)}{why}"

    def boards(self, marks: int, other: int) -> Boards:
        """Return the boards on which the last mover has `marks` marks and the other player `other`."""
        cells, sets = self.board.cells, self._of(marks)
        before = len(self._of(other)) * comb(cells - other, marks)
        places = comb(cells - marks, other)
        apart = sum(places - self._held(each, other) for each, _, common in sets if not common)
        both = sum(self._held(each, other) for each, _, common in sets if common)
        ended = sum(1 for *_, common in sets if common)
        return Boards(before, apart, ended, both, len(self.full_boards) if marks + other == cells else 0)

    @cached_property
    def full_boards(self) -> list[tuple[Mask, Mask]]:
        """The full boards without a line, X on one cell more where the number of cells is odd."""
        board = self.board
        found = (sum(1 << cell for cell in cells) for cells in combinations(range(board.cells), (board.cells + 1) // 2))
        return [(x, board.full & ~x) for x in found if not board.has_line(x) and not board.has_line(board.full & ~x)]

    def full_classes(self) -> list[int]:
        """Return the sizes of the classes of full boards without a line, largest first; empty for a large group."""
        group = self.board.group()
        if group.order > ELEMENT_LIMIT:
            return []
        left, sizes = set(self.full_boards), []
        while left:
            orbit = set(group.orbit(*next(iter(left))))
            sizes.append(len(left & orbit))
            left -= orbit
        return sorted(sizes, reverse=True)


def _sets_with_a_line(board: Board) -> list[int]:
    """Return for each set of cells the number of its subsets of each size that hold a line, by sums over subsets."""
    found = [1 << cells.bit_count() * _DIGITS if board.has_line(cells) else 0 for cells in range(board.full + 1)]
    for cell in range(board.cells):
        bit = 1 << cell
        for cells in range(board.full + 1):
            if cells & bit:
                found[cells] += found[cells ^ bit]
    return found


def _axes(board: Board, line: Mask) -> int:
    """Return the number of axes along which a line runs: 1 for a row, 2 for a diagonal; 0 on a board without a grid."""
    if board.shape is None:
        return 0
    places = [coordinates(board.shape, cell) for cell in cells_of(line)]
    return sum(len(set(along)) > 1 for along in zip(*places, strict=True))


_FLAT = (("row or column", "rows or columns"), ("diagonal", "diagonals"))
_SOLID = (
    ("row, column or pillar", "rows, columns or pillars"),
    ("diagonal of a slice", "diagonals of a slice"),
    ("diagonal through the box", "diagonals through the box"),
)


def _kind_words(board: Board, lines: int, axes: int) -> str:
    if lines > 1:
        return f"{('two', 'three', 'four')[lines - 2] if lines < 5 else lines} lines at once"
    if axes == 0:
        return "one line"
    return f"one {(_SOLID if board.is_solid else _FLAT)[axes - 1][0]}"


def _of_mixtures(board: Board, mixed: Counter[tuple[int, ...]]) -> str:
    """Return how sets with several lines arise: `9 + 12 + 1 = 22 sets`, and the lines of each term."""
    terms = {axes: many for axes, many in sorted(mixed.items()) if many}
    if not 1 < len(terms) <= _MOST_TERMS:
        return ""
    words = "; ".join(" and ".join(_counted(board, Counter(axes))) for axes in terms)
    return f"{' + '.join(f'{many:,}' for many in terms.values())} = {sum(terms.values()):,} sets ({words})"


def _counted(board: Board, axes: Counter[int]) -> Iterator[str]:
    for each, many in sorted(axes.items()):
        one, several = (_SOLID if board.is_solid else _FLAT)[each - 1]
        yield f"{many} {one if many == 1 else several}"
