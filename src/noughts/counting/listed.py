"""Engine `listed`: position classes of marks that fall, ply by ply, by NumPy alone; a second opinion on `stacked`.

A class is two sets of cells in reading order, the lesser of the two mirror images. A ply's children are all written
down, sorted, and joined where they are equal. The number of paths into a class is known modulo several primes, and the
sums of a ply by the Chinese remainder theorem. Where a labelled question starts from a position that the mirror moves,
positions are listed instead of classes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.counting.census import PlyCounts, exactly
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.patterns import recombine
from noughts.counting.question import Question
from noughts.counting.stacked import expected_layers, path_bound, refusal
from noughts.machine.budget import Estimate, Limits, OfSize, Refusal
from noughts.rules.board import Board
from noughts.rules.marks import mask_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Masks = NDArray[Any]

NAME = "listed"

_PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549)
"""Primes of 31 bits: sums of 2**32 residues fit 63 bits."""
_BITS = 30
_LOADING = 0.17
_SECONDS_PER_CHILD = 2.5e-7


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer for the questions of `stacked` that six primes suffice for."""
    question = request.question
    refused = refusal(question, NAME)
    if refused is not None:
        return refused
    primes = _prime_count(question)
    if primes > len(_PRIMES):
        most = f"2^{_BITS * len(_PRIMES)} games"
        return Refusal(NAME, OfSize(f"the engine {NAME} counts up to {most}, and {question.board} may have more"))
    layers = expected_layers(question.position(), question.last_ply)
    columns = _columns(question.board)
    folds = _folds(question) + 1
    memory = 60_000_000 + columns * max(layers) // folds * 8 * (6 + 3 * primes)
    seconds = _LOADING + sum(layers) * columns / folds * _SECONDS_PER_CHILD
    detail = f"about {sum(layers) // folds:,} position classes"
    return CountingOffer(NAME, Estimate(memory, seconds, detail), question, partial(_rows, question))


def _prime_count(question: Question) -> int:
    return -(-path_bound(question).bit_length() // _BITS)


def _columns(board: Board) -> int:
    assert board.shape is not None
    return board.shape[1]


def _folds(question: Question) -> bool:
    """Return whether mirror images are listed once."""
    start, group = question.position(), question.board.group()
    return group.order == 2 and (question.same != "labelled" or len(group.orbit(start.x, start.o)) == 1)


class _Classes(NamedTuple):
    """Classes of a ply: their marks, and the paths into each modulo the primes."""

    x: Masks
    o: Masks
    paths: Masks


class _Grid:
    """The cells and lines of a board as NumPy needs them."""

    def __init__(self, board: Board) -> None:
        import numpy as np

        rows, columns = board.cells // _columns(board), _columns(board)
        self.full, self.width = np.uint64(board.full), np.uint64(columns)
        self.columns = [np.uint64(mask_of(range(at, board.cells, columns))) for at in range(columns)]
        self.bottom = np.uint64(mask_of(range((rows - 1) * columns, board.cells)))
        self.lines = [np.uint64(line) for line in board.line_masks]

    def drops(self, x: Masks, o: Masks) -> Masks:
        """Return the cells to which a mark may fall."""
        marked = x | o
        found: Masks = self.full & ~marked & (marked >> self.width | self.bottom)
        return found

    def mirrored(self, marks: Masks) -> Masks:
        """Return the mirror images of sets of cells."""
        import numpy as np

        image = np.zeros_like(marks)
        last = len(self.columns) - 1
        for at, column in enumerate(self.columns):
            far = np.uint64(abs(last - 2 * at))
            image |= (marks & column) << far if last > 2 * at else (marks & column) >> far
        return image

    def has_line(self, marks: Masks) -> Masks:
        """Return which sets contain a line."""
        import numpy as np

        found = np.zeros(marks.shape, bool)
        for line in self.lines:
            found |= marks & line == line
        return found


def _children(grid: _Grid, layer: _Classes, x_moves: bool, *, fold: bool, once: bool) -> _Classes:
    """Return the classes after each move, sorted; with `once` equal children of a parent count as one choice."""
    import numpy as np

    drops, half = grid.drops(layer.x, layer.o), (len(grid.columns) + 1) // 2
    mirrored = (grid.mirrored(layer.x) == layer.x) & (grid.mirrored(layer.o) == layer.o)
    parts: list[_Classes] = []
    for at, column in enumerate(grid.columns):
        cell = drops & column
        chosen = (cell != 0) & ~(mirrored & (once and at >= half))
        x, o, cell = layer.x[chosen], layer.o[chosen], cell[chosen]
        parts.append(_Classes(x | cell if x_moves else x, o if x_moves else o | cell, layer.paths[chosen]))
    x, o, paths = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    if fold:
        x_image, o_image = grid.mirrored(x), grid.mirrored(o)
        turned = (x_image < x) | (x_image == x) & (o_image < o)
        x, o = np.where(turned, x_image, x), np.where(turned, o_image, o)
    order = np.lexsort((o, x))
    x, o, paths = x[order], o[order], paths[order]
    first = np.flatnonzero(np.concatenate(([True], (x[1:] != x[:-1]) | (o[1:] != o[:-1]))))
    primes = np.array(_PRIMES[: paths.shape[1]], np.uint64)
    return _Classes(x[first], o[first], np.add.reduceat(paths, first, axis=0) % primes)


def _whole(paths: Masks) -> int:
    """Return the sum of the numbers that leave these residues, a row for each number."""
    return recombine([int(total) for total in paths.sum(axis=0)], _PRIMES[: paths.shape[1]])


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    import numpy as np

    start, grid = question.position(), _Grid(question.board)
    fold, once = _folds(question), question.same == "choices" and question.group.order == 2
    x, o = question.group.canonical(start.x, start.o) if fold else (start.x, start.o)
    paths = np.ones((1, _prime_count(question)), np.uint64)
    layer = _Classes(np.array([x], np.uint64), np.array([o], np.uint64), paths)
    expected, rows = expected_layers(start, question.last_ply), list[PlyCounts]()
    for ply in range(start.ply, question.last_ply + 1):
        row, layer = _counted(question, grid, layer, ply, fold=fold)
        rows.append(row)
        if not layer.x.size:
            break
        run.progress(sum(expected[: ply - start.ply]), sum(expected), f"classes of ply {ply}")
        if ply < question.last_ply:
            layer = _children(grid, layer, ply % 2 == 0, fold=fold, once=once)
    run.progress(1, 1, "done")
    return tuple(rows)


def _counted(question: Question, grid: _Grid, layer: _Classes, ply: int, *, fold: bool) -> tuple[PlyCounts, _Classes]:
    """Return the row of a ply, and its open classes."""
    import numpy as np

    board = question.board
    lined = {"X": grid.has_line(layer.x), "O": grid.has_line(layer.o)}
    wins = {board.line_outcome(player): lined[player] for player in ("X", "O")}
    over = wins["X"] | wins["O"]
    kinds = (wins["X"], wins["O"], ~over & (ply == board.cells), ~over & (ply < board.cells))
    mirrored = (grid.mirrored(layer.x) == layer.x) & (grid.mirrored(layer.o) == layer.o)
    orbits = np.where(mirrored, 1, 2) if fold and question.same == "labelled" else np.ones(layer.x.shape, np.int64)
    positions = [int(orbits[kind].sum()) for kind in kinds]
    paths = [_whole(layer.paths[kind]) for kind in kinds]
    start, group = question.position(), question.group
    if question.same == "symmetry" and group.order == 2 and len(group.orbit(start.x, start.o)) == 1:
        middle = grid.columns[len(grid.columns) // 2] if len(grid.columns) % 2 else 0
        fixed = (layer.x | layer.o) & ~np.uint64(start.x | start.o | int(middle)) == 0
        still = [_whole(layer.paths[kind & fixed]) for kind in kinds]
        paths = [exactly(sum(pair), 2) for pair in zip(paths, still, strict=True)]
    row = PlyCounts.of(ply, sum(positions), sum(positions[:3]), positions[:3], sum(paths), paths[:3])
    return row, _Classes(*(array[kinds[3]] for array in layer))
