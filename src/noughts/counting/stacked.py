"""Engine `stacked`: positions of marks that fall, ply by ply, as sorted stacks of bits with exact path counts.

A position is one number, its columns side by side (see `kernels.stacks`). The children of a sorted layer by one column
are sorted too. So the next layer is a merge, which works through the memory in order and needs no hash table.

The layers hold labelled positions, and mirror images count once by Burnside's lemma. Half of all positions and of those
that are their own mirror images are position classes; likewise for games by choices. Half of all games and of those in
the middle column are games up to symmetry. Where the mirror moves the start, both images are starts.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from math import perm
from typing import TYPE_CHECKING

from noughts.counting.census import PlyCounts, exactly
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.counting.saved import Checkpoint
from noughts.machine.budget import Estimate, Limits, OfSize
from noughts.rules.board import Board
from noughts.rules.game import layer_bounds
from noughts.rules.marks import OUTCOMES, Mask, cells_of
from noughts.rules.position import Position
from noughts.rules.symmetry import Group
from noughts.solving.fields import bits_below, bits_of, fits_word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "stacked"

_LOADING = 0.15
_SECONDS_PER_MERGE = 4e-9
_SECONDS_PER_POSITION = 1e-8
_LIMB_BITS = 63
"""Bits of a weight in each 64-bit word: two words and a carry add up without wrapping around."""
_SAMPLED = 1_000_000
_SAMPLES = 200
_CHUNK = 1 << 21
"""The children that one work item merges."""


def offer(request: Request, limits: Limits) -> CountingOffer | str:
    """Return an offer for free play under gravity, where each column with one bit more fits a word of 64 bits.

    The answer does not depend on the number of workers.
    """
    question = request.question
    if not question.is_free or question.end != "line":
        return "counts free moves until a line or a full board"
    if not fits_word(question.board):
        return OfSize(f"counts boards with (rows + 1) x columns up to 64, not {question.board}")
    layers = expected_layers(question.position(), question.last_ply)
    each = 8 * (1 + _words(question))
    columns = _sides(question.board)[1]
    seconds = sum(layers) * (columns * _SECONDS_PER_MERGE + _SECONDS_PER_POSITION)
    memory, detail = 100_000_000 + int(2.5 * each * max(layers)), f"about {sum(layers):,} positions without a line"
    return CountingOffer(NAME, Estimate(memory, _LOADING + seconds, detail), question, partial(_rows, question))


@cache
def expected_layers(start: Position, last_ply: int) -> tuple[int, ...]:
    """Return about how many positions each ply has, never fewer than one.

    The bound on each ply is exact without lines. On large boards it is multiplied by the share of fillings without a
    line, in a sample that is always the same. Cost: up to 0.2 s.
    """
    bounds = layer_bounds(start, 1, last_ply)
    if sum(bounds) < _SAMPLED:
        return tuple(bounds)
    stacks = Stacks(start.board)
    drawn = random.Random(1)
    return tuple(max(1, int(bound * stacks.share(start.ply + more, drawn))) for more, bound in enumerate(bounds))


def _sides(board: Board) -> tuple[int, int]:
    rows, columns, _ = board.shape or (1, board.cells, 1)
    return rows, columns


def path_bound(question: Question) -> int:
    """Return a bound on the paths of a question: no ply has more."""
    depth, columns = question.last_ply - question.first_ply, _sides(question.board)[1]
    orders: int = perm(question.position().blanks.bit_count(), depth)
    most: int = columns**depth
    return 2 * min(most, orders)


def _words(question: Question) -> int:
    return -(-path_bound(question).bit_length() // _LIMB_BITS)


class Stacks:
    """The stacks of a board as numbers: keys of positions, their children, and lines as shifts."""

    def __init__(self, board: Board) -> None:
        self.rows, self.columns = _sides(board)
        self.height = self.rows + 1
        assert board.k is not None
        self.k = board.k
        self.column = (1 << self.height) - 1
        self.bits, (self.bottom, self.below) = bits_of(board), bits_below(board)

    def key(self, x: Mask, o: Mask) -> int:
        """Return the key of a position whose marks rest on each other."""
        own, marks = (sum(1 << self.bits[cell] for cell in cells_of(each)) for each in (x, x | o))
        return marks + self.bottom | own

    def child(self, key: int, column: int, x_moves: int) -> int:
        """Return a number that grows with the key: the child by a column, where that is not full."""
        shift = column * self.height
        top = 1 << (key >> shift & self.column).bit_length() - 1
        return key | (1 << shift + self.height) - 1 if top >> self.rows else key + (top << shift + x_moves)

    @property
    def shifts(self) -> list[list[int]]:
        """For each direction in which k in a row fit the shifts that leave the first cell of each run of k."""
        fits = {1: self.rows, self.height: self.columns}
        fits |= dict.fromkeys((self.height - 1, self.height + 1), min(self.rows, self.columns))
        return [self._steps(step) for step, room in fits.items() if self.k <= room]

    def _steps(self, step: int) -> list[int]:
        found, joined = [], 1
        while joined < self.k:
            more = min(joined, self.k - joined)
            found.append(more * step)
            joined += more
        return found or [0]

    def share(self, ply: int, drawn: random.Random) -> float:
        """Return the share of the ways to place the marks of a ply in which neither player has a line, by a sample."""
        ways = [[1]]
        for _ in range(self.columns):
            ways.append([sum(ways[-1][max(0, n - self.rows) : n + 1]) for n in range(len(ways[-1]) + self.rows)])
        shifts, without = self.shifts, 1
        for _ in range(_SAMPLES):
            marks, left, sides = [1] * ((ply + 1) // 2) + [0] * (ply // 2), ply, [0, 0]
            drawn.shuffle(marks)
            for column in range(self.columns):
                row = ways[self.columns - column - 1]
                fits = range(max(0, left - len(row) + 1), min(self.rows, left) + 1)
                many = drawn.choices(fits, [row[left - n] for n in fits])[0]
                for at in range(many):
                    sides[marks.pop()] |= 1 << column * self.height + at
                left -= many
            without += not any(self._has_run(side, shifts) for side in sides)
        return without / (_SAMPLES + 1)

    @staticmethod
    def _has_run(own: int, shifts: Sequence[Sequence[int]]) -> bool:
        for steps in shifts:
            run = own
            for step in steps:
                run &= run >> step
            if run:
                return True
        return False


_StackLayer = tuple["NDArray[np.uint64]", "NDArray[np.uint64]"]
"""The open positions of a ply: sorted keys, and the words of their weights."""
_Tally = tuple[list[int], list[int]]
"""What was counted of a ply: boards and paths that are won, open and drawn, then those of mirrored boards."""
_Geometry = tuple["np.uint64", "NDArray[np.uint64]", "NDArray[np.uint64]"]
"""The height of a column, and the arrays `below` and `shifts`, for the kernel."""
_Item = tuple[list[int], list[int]]
"""The parents from which and to which each stream goes."""


def _geometry(stacks: Stacks) -> _Geometry:
    import numpy as np

    shifts = stacks.shifts
    widest = max(map(len, shifts), default=1)
    padded = np.array([row + [0] * (widest - len(row)) for row in shifts], np.uint64).reshape(-1, widest)
    return np.uint64(stacks.height), np.array(stacks.below, np.uint64), padded


def _merge(shared: tuple[_Geometry, _StackLayer, int, tuple[int, int, int]], item: _Item) -> tuple[_StackLayer, _Tally]:
    """Return the open children of some parents, and what was counted."""
    import numpy as np

    from noughts.kernels.stacks import merge_children

    geometry, layer, limbs, flags = shared
    (height, below, shifts), (begin, end) = geometry, item
    room = 1 + sum(last - first for first, last in zip(begin, end, strict=True))
    children, sums = np.empty(room, np.uint64), np.empty(room * limbs, np.uint64)
    boards, paths = np.zeros(6, np.int64), np.zeros(6 * (limbs + 1), np.uint64)
    streams = (np.array(begin, np.int64), np.array(end, np.int64))
    words, heads = (np.uint64(limbs), np.uint64(_LIMB_BITS)), np.empty(len(begin), np.uint64)
    found = int(
        merge_children(*layer, *streams, height, below, shifts, *flags, *words, heads, children, sums, boards, paths)
    )
    whole = [sum(w << _LIMB_BITS * j for j, w in enumerate(row)) for row in paths.reshape(6, limbs + 1).tolist()]
    return (children[:found].copy(), sums[: found * limbs].copy()), (boards.tolist(), whole)


def _items(stacks: Stacks, keys: NDArray[np.uint64], x_moves: int, workers: int) -> list[_Item]:
    """Return the work items of a layer: so many parents of each stream that all their children lie in one range."""
    columns, size = range(stacks.columns), keys.size
    many = size * stacks.columns
    parts = 1 if many < _CHUNK // 16 else max(2 * workers, many // _CHUNK)
    sampled = keys[:: max(1, size // (64 * parts))].tolist() if parts > 1 else []
    ordered = sorted(stacks.child(key, column, x_moves) for key in sampled for column in columns)
    edges = sorted({ordered[len(ordered) * part // parts] for part in range(1, parts)})

    def place(edge: int, column: int) -> int:
        return bisect_left(keys, edge, key=lambda key: stacks.child(int(key), column, x_moves))

    ends = [[place(edge, column) for column in columns] for edge in edges]
    return list(pairwise([[0] * stacks.columns, *ends, [size] * stacks.columns]))


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    import numpy as np

    board, start, last = question.board, question.position(), question.last_ply
    group = question.group if question.same != "labelled" else Group.trivial(board.cells)
    starts = group.orbit(start.x, start.o)
    fixed = _fixed_games(start) if question.same == "symmetry" and len(starts) < group.order else {}
    stacks, limbs = Stacks(board), _words(question)
    geometry = _geometry(stacks)
    saved = Checkpoint(run.resume, f"{NAME} {question.identity}")
    rows, arrays = saved.load(("keys", "weights"))
    if arrays is not None:
        layer = arrays["keys"], arrays["weights"]
    elif rows:
        return rows
    else:
        rows = (_row(question, start.ply, _first_tally(start, len(starts)), group.order, fixed),)
        if start.is_terminal or last == start.ply:
            return rows
        keys = sorted({stacks.key(*marks) for marks in starts})
        weights = np.zeros(len(keys) * limbs, np.uint64)
        weights[::limbs] = 1
        layer = np.array(keys, np.uint64), weights
    expected = expected_layers(start, last)
    while layer[0].size and rows[-1].ply < last:
        ply = rows[-1].ply + 1
        shared = geometry, layer, limbs, (ply % 2, int(ply == board.cells), int(question.same == "choices"))
        items = _items(stacks, layer[0], ply % 2, run.workers.here.count)
        parts, counted = [], []
        before, whole = sum(expected[: ply - start.ply]), sum(expected)
        for number, (part, tally) in enumerate(run.workers.here.map(_merge, shared, items), 1):
            parts.append(part)
            counted.append(tally)
            share = expected[ply - start.ply] * number // len(items)
            run.progress(min(before + share, whole - 1), whole, f"positions of ply {ply}")
        del shared, layer  # before the parts are joined
        layer = np.concatenate([keys for keys, _ in parts]), np.concatenate([weights for _, weights in parts])
        del parts, part
        boards, paths = (list(map(sum, zip(*columns, strict=True))) for columns in zip(*counted, strict=True))
        rows = (*rows, _row(question, ply, (boards, paths), group.order, fixed))
        goes_on = layer[0].size and ply < last
        saved.save(rows, partial(dict, keys=layer[0], weights=layer[1]) if goes_on else None)
    run.progress(1, 1, "done")
    return rows


def _row(question: Question, ply: int, tally: _Tally, order: int, fixed: dict[int, int]) -> PlyCounts:
    """Return the row of a ply; with the mirror half of all boards and games and of those that it fixes."""
    x_wins = question.board.line_outcome("X" if ply % 2 else "O") == "X"

    def by_outcome(counts: list[int]) -> list[int]:
        """Return the counts won by X, won by O, drawn and open."""
        return [counts[0] * x_wins, counts[0] * (not x_wins), counts[2], counts[1]]

    boards, paths = map(by_outcome, tally)
    if order == 2:
        mirrored, alike = (by_outcome(counts[3:]) for counts in tally)
        if question.same != "choices":
            alike = [int(fixed.get(ply, -1) == number) for number in range(4)]
        boards = [exactly(sum(pair), 2) for pair in zip(boards, mirrored, strict=True)]
        paths = [exactly(sum(pair), 2) for pair in zip(paths, alike, strict=True)]
    return PlyCounts.of(ply, sum(boards), sum(boards[:3]), boards[:3], sum(paths), paths[:3])


def _fixed_games(start: Position) -> dict[int, int]:
    """Return for each ply of the game in the middle column its outcome by number, 3 while play goes on."""
    columns = _sides(start.board)[1]
    outcomes = (*OUTCOMES, None)
    found, position = {start.ply: outcomes.index(start.outcome)}, start
    while columns % 2 and not position.is_terminal:
        move = start.board.rules.landing(start.board, position.x, position.o, columns // 2)
        if move is None:
            break
        position = position.play(move)
        found[position.ply] = outcomes.index(position.outcome)
    return found


def _first_tally(start: Position, starts: int) -> _Tally:
    """Return the counts of the start, or of its two images."""
    kind = {None: 1, "draw": 2}.get(start.outcome, 0)
    counts = [starts * (at == kind) for at in range(3)]
    both = [*counts, *(counts if starts == 1 else [0] * 3)]
    return both, both
