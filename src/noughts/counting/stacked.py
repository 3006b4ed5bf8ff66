"""Engine `stacked`: positions of marks that fall, ply by ply, as sorted stacks of bits with exact path counts.

A position is one number, its columns side by side (see `kernels.stacks`). The children of a sorted layer by one column
are sorted too. So the next layer is a merge, which works through the memory in order and needs no hash table.

The layers hold labelled positions, and mirror images count once by Burnside's lemma. Half of all positions and of those
that are their own mirror images are position classes; likewise for games by choices. Half of all games and of those in
the middle column are games up to symmetry. Where the mirror moves the start, both images are starts.
"""

from __future__ import annotations

import json
import random
import time
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from noughts.counting.census import PlyCounts, exactly, rows_from
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.machine.budget import Estimate, Limits, OfSize, Refusal
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.reading import parse_json
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
_EVERY = 5.0
"""The least number of seconds between two saved states."""


def refusal(question: Question, name: str) -> Refusal | None:
    """Return why an engine that follows falling marks cannot answer a question; None where it can."""
    board = question.board
    if not (board.rules.by_column and board.rules.alternating and board.rules.is_known):
        return Refusal(name, f"the engine {name} counts falling marks, and on {board} marks do not fall")
    if not question.is_free or question.end != "line":
        return Refusal(name, f"the engine {name} counts free moves until a line or a full board")
    if not fits_word(board):
        return Refusal(name, OfSize(f"the engine {name} counts boards with (rows + 1) x columns up to 64, not {board}"))
    return None


def offer(request: Request, limits: Limits) -> CountingOffer | Refusal:
    """Return an offer for free play under gravity, where each column with one bit more fits a word of 64 bits.

    The answer does not depend on the number of workers.
    """
    question = request.question
    refused = refusal(question, NAME)
    if refused is not None:
        return refused
    return CountingOffer(NAME, _estimate(question), question, partial(_rows, question))


def _estimate(question: Question) -> Estimate:
    layers = expected_layers(question.position(), question.last_ply)
    each = 8 * (1 + _words(question))
    columns = _sides(question.board)[1]
    seconds = sum(layers) * (columns * _SECONDS_PER_MERGE + _SECONDS_PER_POSITION)
    detail = f"about {sum(layers):,} positions"
    return Estimate(100_000_000 + int(2.5 * each * max(layers)), _LOADING + seconds, detail)


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


class _Terms(NamedTuple):
    """What the kernel takes that is the same for all plies."""

    height: np.uint64
    below: NDArray[np.uint64]
    shifts: NDArray[np.uint64]
    by_choices: int
    limbs: int


def _terms(stacks: Stacks, limbs: int, *, by_choices: bool) -> _Terms:
    import numpy as np

    shifts = stacks.shifts
    widest = max(map(len, shifts), default=1)
    padded = np.array([row + [0] * (widest - len(row)) for row in shifts], np.uint64).reshape(-1, widest)
    return _Terms(np.uint64(stacks.height), np.array(stacks.below, np.uint64), padded, int(by_choices), limbs)


class _StackLayer(NamedTuple):
    """The open positions of a ply: sorted keys, and the words of their weights."""

    keys: NDArray[np.uint64]
    weights: NDArray[np.uint64]


class _StackTally(NamedTuple):
    """What was counted of a ply: boards and paths that are won, open and drawn, then those of mirrored boards."""

    boards: list[int]
    paths: list[int]


_Item = tuple[list[int], list[int]]
"""The parents from which and to which each stream goes."""


def _merge(shared: tuple[_Terms, _StackLayer, int, int], item: _Item) -> tuple[_StackLayer, _StackTally]:
    """Return the open children of some parents, and what was counted."""
    import numpy as np

    from noughts.kernels.stacks import merge_children

    terms, layer, x_moves, final = shared
    limbs, (begin, end) = terms.limbs, item
    room = 1 + sum(last - first for first, last in zip(begin, end, strict=True))
    children, sums = np.empty(room, np.uint64), np.empty(room * limbs, np.uint64)
    boards, paths = np.zeros(6, np.int64), np.zeros(6 * (limbs + 1), np.uint64)
    found = int(
        merge_children(
            layer.keys,
            layer.weights,
            np.array(begin, np.int64),
            np.array(end, np.int64),
            terms.height,
            terms.below,
            terms.shifts,
            x_moves,
            final,
            terms.by_choices,
            np.uint64(limbs),
            np.uint64(_LIMB_BITS),
            np.empty(len(begin), np.uint64),
            children,
            sums,
            boards,
            paths,
        )
    )
    whole = [sum(w << _LIMB_BITS * j for j, w in enumerate(row)) for row in paths.reshape(6, limbs + 1).tolist()]
    return _StackLayer(children[:found].copy(), sums[: found * limbs].copy()), _StackTally(boards.tolist(), whole)


def _child(stacks: Stacks, column: int, x_moves: int, key: np.uint64) -> int:
    return stacks.child(int(key), column, x_moves)


def _items(stacks: Stacks, layer: _StackLayer, x_moves: int, workers: int) -> list[_Item]:
    """Return the work items of a layer: so many parents of each stream that all their children lie in one range."""
    columns, size = range(stacks.columns), layer.keys.size
    many = size * stacks.columns
    parts = 1 if many < _CHUNK // 16 else max(2 * workers, many // _CHUNK)
    sampled = layer.keys[:: max(1, size // (64 * parts))].tolist() if parts > 1 else []
    ordered = sorted(stacks.child(key, column, x_moves) for key in sampled for column in columns)
    edges = sorted({ordered[len(ordered) * part // parts] for part in range(1, parts)})

    def places(column: int) -> list[int]:
        child = partial(_child, stacks, column, x_moves)
        return [bisect_left(layer.keys, edge, key=child) for edge in edges]

    ends = [[0] * stacks.columns, *map(list, zip(*map(places, columns), strict=True)), [size] * stacks.columns]
    return list(pairwise(ends))


def _rows(question: Question, run: Run) -> tuple[PlyCounts, ...]:
    import numpy as np

    board, start = question.board, question.position()
    stacks, limbs = Stacks(board), _words(question)
    terms = _terms(stacks, limbs, by_choices=question.same == "choices")
    tallies = _Tallies(question)
    saved = _Saved(run.resume, question)
    rows, layer = saved.load()
    if layer is None and rows:
        return rows
    if layer is None:
        rows = (tallies.row(start.ply, _first_tally(question, len(tallies.starts))),)
        if start.is_terminal or question.last_ply == start.ply:
            return rows
        keys = sorted({stacks.key(*marks) for marks in tallies.starts})
        weights = np.zeros(len(keys) * limbs, np.uint64)
        weights[::limbs] = 1
        layer = _StackLayer(np.array(keys, np.uint64), weights)
    expected = expected_layers(start, question.last_ply)
    while layer.keys.size and rows[-1].ply < question.last_ply:
        ply = rows[-1].ply + 1
        shared = terms, layer, ply % 2, int(ply == board.cells)
        items = _items(stacks, layer, ply % 2, run.workers.here.count)
        parts, counted = [], []
        before, whole = sum(expected[: ply - start.ply]), sum(expected)
        for number, (part, tally) in enumerate(run.workers.here.map(_merge, shared, items), 1):
            parts.append(part)
            counted.append(tally)
            share = expected[ply - start.ply] * number // len(items)
            run.progress(min(before + share, whole - 1), whole, f"positions of ply {ply}")
        del shared, layer  # before the parts are joined
        layer = _StackLayer(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
        del parts, part
        sums = (list(map(sum, zip(*columns, strict=True))) for columns in zip(*counted, strict=True))
        rows = (*rows, tallies.row(ply, _StackTally(*sums)))
        saved.save(rows, layer, done=not layer.keys.size or ply == question.last_ply)
    run.progress(1, 1, "done")
    return rows


class _Tallies:
    """Turns what was counted of a ply into a row of the census of a question."""

    def __init__(self, question: Question) -> None:
        self._board = question.board
        start = question.position()
        group = question.group if question.same != "labelled" else Group.trivial(question.board.cells)
        self.starts = group.orbit(start.x, start.o)
        self._order = group.order
        self._by_choices = question.same == "choices"
        self._fixed = _fixed_games(start) if question.same == "symmetry" and len(self.starts) < self._order else {}

    def row(self, ply: int, tally: _StackTally) -> PlyCounts:
        """Return the row of a ply."""
        boards, paths = (self._by_outcome(ply, counts) for counts in tally)
        mirrored, fixed = (self._by_outcome(ply, counts[3:]) for counts in tally)
        if not self._by_choices:
            fixed = [int(self._fixed.get(ply, -1) == number) for number in range(4)]
        if self._order == 2:
            boards = [exactly(sum(pair), 2) for pair in zip(boards, mirrored, strict=True)]
            paths = [exactly(sum(pair), 2) for pair in zip(paths, fixed, strict=True)]
        return PlyCounts.of(ply, sum(boards), sum(boards[:3]), boards[:3], sum(paths), paths[:3])

    def _by_outcome(self, ply: int, counts: list[int]) -> list[int]:
        """Return the counts won by X, won by O, drawn and open."""
        x_wins = self._board.line_outcome("X" if ply % 2 else "O") == "X"
        return [counts[0] * x_wins, counts[0] * (not x_wins), counts[2], counts[1]]


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


def _first_tally(question: Question, starts: int) -> _StackTally:
    """Return the counts of the start, or of its two images."""
    start = question.position()
    kind = {None: 1, "draw": 2}.get(start.outcome, 0)
    counts = [starts * (at == kind) for at in range(3)]
    return _StackTally(
        [*counts, *(counts if starts == 1 else [0] * 3)], [*counts, *(counts if starts == 1 else [0] * 3)]
    )


class _Saved:
    """The state of a walk in a folder, between two plies; without a folder nothing is saved."""

    def __init__(self, folder: Path | None, question: Question) -> None:
        self._store = Checkpoints(folder) if folder is not None else None
        self._key = f"{NAME} {question.identity}"
        self._last = time.monotonic()

    def load(self) -> tuple[tuple[PlyCounts, ...], _StackLayer | None]:
        """Return the saved rows, and the last layer if the walk is unfinished."""
        if self._store is None:
            return (), None
        if (found := self._store.result(self._key)) is not None:
            return rows_from(found), None
        arrays = self._store.arrays(self._key, ("head", *_StackLayer._fields))
        if arrays is None:
            return (), None
        rows = rows_from(parse_json(str(arrays["head"]), "a checkpoint"))
        return rows, _StackLayer(arrays["keys"], arrays["weights"])

    def save(self, rows: tuple[PlyCounts, ...], layer: _StackLayer, *, done: bool) -> None:
        """Save a state if enough time has passed, or if the walk is complete."""
        if self._store is None:
            return
        records = [row.as_dict() for row in rows]
        if done:
            self._store.keep_result(self._key, records)
        elif time.monotonic() - self._last >= _EVERY:
            import numpy as np

            self._store.keep_arrays(self._key, {"head": np.array(json.dumps(records)), **layer._asdict()})
            self._last = time.monotonic()
