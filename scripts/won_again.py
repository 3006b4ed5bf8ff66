"""Count all positions of a board a second time: the won ones by cells that all lines share, less neighbouring pairs.

python scripts/won_again.py BOARD ...   such as 7x7:4; by default the carried boards that no engine counted again

The lines of a won position share m cells, which are neighbours on one row, column or diagonal. So the position counts
once as m cells less m - 1 pairs. A shared cell is where the last mark may be. So a position without a line and a blank
cell become a won position with a shared cell, or a position without a line and a cell of the player who moved. The
cells follow from the positions without a line and their marks. The pairs are counted for each row, column and diagonal:
from the positions with a run of k to 2k - 2 marks of one player on it, and no other line of either player. A run of r
marks has 2k - 1 - r pairs.

The state after each cell is the lines under way that each player may still complete, and how far the run is. Values are
taken at roots of unity modulo primes whose product exceeds the number of all fillings, so the sum is exact. The engine
`frontier` counts won positions by the same lemma, with other states and other code: shared are boards and their
symmetries, the hash table, the test of primes and the Chinese remainder theorem.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.counting.patterns import is_prime, recombine
from noughts.kernels.frontier.hashing import find_or_add
from noughts.known import load
from noughts.rules.board import Board
from noughts.rules.cells import move_name
from noughts.rules.errors import InvalidQuestion
from noughts.rules.marks import cells_of

Words = NDArray[np.uint64]
Indices = NDArray[np.int32]
Lanes = NDArray[np.uint32]
Line = tuple[int, ...]

LANES = 16
_CHUNK = 1 << 16
_FLAG = 60
"""The bits of a state's first word from here on are its stage; those below are lines under way."""
_LONGEST = 8
"""Lines of k cells take 2 k stages."""

BEFORE, AFTER = 0, 1
"""Stages of a run: no line yet, and over. Others are marks of the run, and, negative, pairs that are to be counted."""

_njit: Any = numba.njit
_find = _njit(find_or_add)


@dataclass(frozen=True)
class Step:
    """A cell, or a step after a cell of the axis in which a run that ended is counted as often as it has pairs.

    The lines are bits: those under way that go through the cell, that begin and end there, that end there on the axis
    of the run, and those on the axis that may still be completed. `stages[stage][event]` is the stage after the cell,
    -1 if it is not allowed. The events of a cell are no X, an X, and an X that completes a line of the axis.
    """

    is_cell: bool
    lines: tuple[int, int, int, int, int]
    stages: tuple[tuple[int, ...], ...]
    must_begin: bool = False


def steps_of(board: Board, axis: Line) -> list[Step]:
    """Return the steps of a board with a run on an axis; without an axis those of positions without a line."""
    assert board.k is not None, "grids have lines of k cells"
    k, lines = board.k, [tuple(cells_of(line)) for line in board.line_masks]
    names = [BEFORE, AFTER, *range(k, 2 * k - 1), *range(-1, -k, -1)]
    free, bit, found = [1 << number for number in range(_FLAG)], dict[Line, int](), list[Step]()

    def stages(events: dict[int, tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """Return the stages by number; -1 is what is not allowed."""
        rows = [events.get(name, (name, name, name)) for name in names]
        return tuple(tuple(names.index(name) if name in names else -1 for name in row) for row in rows)

    for cell in range(board.cells):
        through = sum(bit[line] for line in bit if cell in line)
        opens = [line for line in lines if line[0] == cell]
        bit |= {line: free.pop() for line in opens}
        closes = [line for line in bit if line[-1] == cell]
        own = [line for line in bit if set(line) <= set(axis)]
        events: dict[int, tuple[int, ...]] = {}
        if cell in axis:
            events = {AFTER: (AFTER, AFTER, 2 * k)}
            events[BEFORE] = (BEFORE, BEFORE, 1 - k if cell == axis[-1] else k)
            for run in range(k, 2 * k - 1):
                longer = run + 2 - 2 * k if cell == axis[-1] and run < 2 * k - 2 else run + 1
                events[run] = (run + 1 - 2 * k, longer, longer)
        masks = (through, sum(bit[line] for line in opens), sum(bit[line] for line in closes))
        ends, alive = (sum(bit[line] for line in own if (line in closes) is on) for on in (True, False))
        must = cell in axis and cell >= axis[len(axis) - k]
        found.append(Step(True, (*masks, ends, alive), stages(events), must))
        free += [bit.pop(line) for line in closes]
        if cell in axis[k - 1 :]:
            paid: dict[int, tuple[int, ...]] = {name: (name, 2 * k, 2 * k) for name in names if name >= 0}
            paid |= {-1: (AFTER, 2 * k, 2 * k), -2: (AFTER, AFTER, 2 * k), -3: (AFTER, AFTER, AFTER)}
            paid |= {-pairs: (AFTER, AFTER, 2 - pairs) for pairs in range(4, k)}
            found += [Step(False, (0, 0, 0, 0, 0), stages(paid))] * max(1, (k - 1) // 2)
    return found


@_njit
def _spread(
    states: Words,
    begin: int,
    end: int,
    is_cell: bool,
    lines: Words,
    stages: NDArray[np.int64],
    must_begin: bool,
    table: Indices,
    found: Words,
    count: int,
    edges: Indices,
    key: Words,
) -> int:
    """Take the states `begin..end` through a step and write their edges; return how many states are found.

    The choices of a cell are blank, X and O. Those of another step are the ways to count a run.
    """
    through, opens, closes, axis_closes, alive = lines
    zero, low = np.uint64(0), np.uint64((1 << _FLAG) - 1)
    for s in range(begin, end):
        stage = np.int64(states[s, 0] >> np.uint64(_FLAG))
        for choice in range(3):
            edges[s, choice] = -1
            x, o, event = states[s, 0] & low, states[s, 1], choice
            if is_cell:
                x = x | opens if choice == 1 else x & ~through
                o = o | opens if choice == 2 else o & ~through
                if x & closes & ~axis_closes != zero or o & closes != zero:
                    continue
                event = 2 if x & axis_closes != zero else 1 if choice == 1 else 0
                x, o = x & ~closes, o & ~closes
            after = stages[stage, event]
            if after < 0 or (must_begin and after == 0 and x & alive == zero):
                continue
            key[0], key[1] = x | np.uint64(after) << np.uint64(_FLAG), o
            target = _find(table, found, count, key)
            edges[s, choice] = target
            count = max(count, target + 1)
    return count


@_njit
def _enter(table: Indices, known: Words, count: int, found: Words) -> None:
    for s in range(count):
        _find(table, found, s, known[s])


Edges = list[tuple[bool, int, Indices]]
"""For each step whether it is a cell, the number of states after it, and `[state, choice]`, the state or -1."""


def explored(board: Board, axis: Line) -> Edges:
    """Return the edges of all steps. The last state is one alone."""
    states, key, found = np.zeros((1, 2), dtype=np.uint64), np.empty(2, dtype=np.uint64), Edges()
    for step in steps_of(board, axis):
        lines, stages = np.array(step.lines, dtype=np.uint64), np.array(step.stages, dtype=np.int64)
        edges, next_states, count = np.empty((len(states), 3), dtype=np.int32), states[:0], 0
        for begin in range(0, len(states), _CHUNK):
            end = min(begin + _CHUNK, len(states))
            if count + 3 * (end - begin) > len(next_states):
                known, room = next_states, max(len(states) * 5 // 4, count * 4 // 3) + 3 * _CHUNK
                next_states = np.empty((room, 2), dtype=np.uint64)
                table = np.full(1 << (room + room // 4).bit_length(), -1, dtype=np.int32)
                _enter(table, known, count, next_states)
            count = _spread(
                states, begin, end, step.is_cell, lines, stages, step.must_begin, table, next_states, count, edges, key
            )
        found.append((step.is_cell, count, edges))
        states = next_states[:count].copy()
        del next_states, table
    assert len(states) == 1, "no line is under way at the end, and a run is over"
    return found


@_njit
def _push(
    targets: Lanes, sources: Lanes, edges: Indices, weights: Lanes, quotients: Lanes, primes: Lanes, half: int
) -> None:
    """Add the values of the sources, times the weights of a blank, an X or an O, to those of their targets.

    Lanes from `half` on hold the values of positions with one X of theirs chosen, for the points of those before.
    """
    row = np.empty(LANES, dtype=np.uint32)
    for s in range(edges.shape[0]):
        for choice in range(3):
            target = edges[s, choice]
            if target < 0:
                continue
            for j in range(LANES):
                value = sources[s, j]
                if choice == 1 and j >= half:
                    value += sources[s, j - half]
                    value = min(value, np.uint32(value - primes[j]))
                if choice:
                    near = np.uint32((np.uint64(quotients[choice, j]) * np.uint64(value)) >> np.uint64(32))
                    rest = np.uint32(np.uint32(weights[choice, j] * value) - np.uint32(near * primes[j]))
                    value = min(rest, np.uint32(rest - primes[j]))
                row[j] = value
            for j in range(LANES):
                total = np.uint32(targets[target, j] + row[j])
                targets[target, j] = min(total, np.uint32(total - primes[j]))


@_njit
def _push_most(targets: NDArray[np.int16], sources: NDArray[np.int16], edges: Indices, is_cell: bool) -> None:
    """Write by how many marks X, and O, exceed the other at most in each target."""
    for s in range(edges.shape[0]):
        for choice in range(3):
            target = edges[s, choice]
            if target >= 0:
                more = (1 if choice == 1 else -1 if choice == 2 else 0) if is_cell else 0
                targets[target, 0] = max(targets[target, 0], sources[s, 0] + more)
                targets[target, 1] = max(targets[target, 1], sources[s, 1] - more)


def order_of(edges: Edges) -> int:
    """Return a number that a difference of 0 or 1 marks and any other difference are not apart."""
    most = np.zeros((1, 2), dtype=np.int16)
    for is_cell, count, rows in edges:
        targets = np.full((count, 2), -1000, dtype=np.int16)
        _push_most(targets, most, rows, is_cell)
        most = targets
    return max(int(most[0, 0]) + 1, int(most[0, 1]) + 2)


def primes_for(order: int, cells: int) -> list[int]:
    """Return primes below 2^31, one more than multiples of `order`; their product exceeds the fillings times cells."""
    found, candidate = list[int](), (2**31 - 2) // order * order + 1
    while prod(found) <= cells * 3**cells:
        if candidate % 2 and is_prime(candidate):
            found.append(candidate)
        candidate -= order
    return found


def root_of(prime: int, order: int) -> int:
    """Return a number whose powers modulo the prime return to 1 after `order` steps, not before."""
    return next(
        root
        for root in (pow(base, (prime - 1) // order, prime) for base in range(2, prime))
        if all(pow(root, number, prime) != 1 for number in range(1, order))
    )


def balanced(edges: Edges, cells: int, *, chosen: bool = False) -> list[int]:
    """Return how many positions end in the last state: those with as many X as O, and those with one X more.

    With `chosen` the numbers of pairs of such a position and one X of it follow.
    """
    order = order_of(edges)
    points = [(p, pow(root_of(p, order), j, p)) for p in primes_for(order, cells) for j in range(order)]
    half, sums = LANES // 2 if chosen else LANES, [Counter[int]() for _ in range(4 if chosen else 2)]
    for begin in range(0, len(points), half):
        some = points[begin : begin + half]
        values = _values(edges, [*some, *some[-1:] * (half - len(some))] * (LANES // half), half)
        for place, (p, w) in enumerate(some):
            for number, remainders in enumerate(sums):
                value = values[place + half * (number // 2)]
                remainders[p] += value * pow(w, -(number % 2), p) * pow(order, -1, p)
    return [recombine([number % p for p, number in each.items()], list(each)) for each in sums]


def _values(edges: Edges, points: Sequence[tuple[int, int]], half: int) -> list[int]:
    """Return the value of the last state in each lane: an X weighs w, and an O as much as the inverse of w."""
    primes = np.array([p for p, _ in points], dtype=np.uint32)
    weighed = [[1] * LANES, [w for _, w in points], [pow(w, -1, p) for p, w in points]]
    values = np.array([[1] * half + [0] * (LANES - half)], dtype=np.uint32)
    for is_cell, count, rows in edges:
        weights = weighed if is_cell else [[1] * LANES] * 3
        quotients = [[(w << 32) // int(p) for w, p in zip(row, primes, strict=True)] for row in weights]
        targets = np.zeros((count, LANES), dtype=np.uint32)
        given = np.array(weights, dtype=np.uint32), np.array(quotients, dtype=np.uint32), primes
        _push(targets, values, rows, *given, half if is_cell else LANES)
        values = targets
    return [int(value) for value in values[0]]


def axes_of(board: Board) -> Iterator[tuple[Line, int]]:
    """Yield one row, column or diagonal of each class that holds a line, and how many are alike.

    It is the one that ends earliest: then a run is soon over, and few states know of it.
    """
    assert board.shape is not None, "a grid has rows and columns"
    rows, columns, _ = board.shape
    found: Counter[Line] = Counter()
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for cell in range(board.cells):
            r, c = divmod(cell, columns)
            if 0 <= r - down < rows and 0 <= c - right < columns:
                continue
            axis = [cell]
            while 0 <= (r := r + down) < rows and 0 <= (c := c + right) < columns:
                axis.append(r * columns + c)
            if len(axis) >= (board.k or 0):
                images = (tuple(sorted(symmetry[cell] for cell in axis)) for symmetry in board.group().elements)
                found[min(images, key=lambda image: image[::-1])] += 1
    yield from found.items()


def positions_of(board: Board) -> int:
    """Return the number of all positions of a flat grid with lines of two to eight cells, without a torus.

    Cost: proportional to the states, which standard error counts; half an hour and 7.8 GB for 7x7:4.
    """
    assert board.k is not None, "grids have lines of k cells"
    if board.torus or board.is_solid or not 2 <= board.k <= _LONGEST:
        raise InvalidQuestion(f"{board}: give a flat board without a torus, with lines of 2 to {_LONGEST} cells")
    n = board.cells
    even, odd, x_of_even, x_of_odd = balanced(_found(board, ()), n, chosen=True)
    # Blank cells, less the cells of the player who moved: of t marks, t / 2 or (t + 1) / 2.
    total = even + n * even - 3 * x_of_even + odd + (n + 1) * odd - 3 * x_of_odd
    for axis, many in axes_of(board):
        total -= many * sum(balanced(_found(board, axis), n))
    return total


def _found(board: Board, axis: Line) -> Edges:
    edges = explored(board, axis)
    what = f"with a run on {move_name(board, axis[0])} to {move_name(board, axis[-1])}" if axis else "without a line"
    states = sum(count for _, count, _ in edges)
    print(f"{board}: {states:,} states of positions {what}", file=sys.stderr, flush=True)
    return edges


if __name__ == "__main__":
    carried = {row["board"]: int(row["positions"]) for row in load("games.toml")["positions"]}
    specs = sys.argv[1:] or ["7x7:4", "7x7:5", "8x8:3"]
    if unknown := [spec for spec in specs if spec not in carried]:
        raise SystemExit(f"{unknown[0]} is not one of the boards that are carried: give some of {', '.join(carried)}")
    for spec in specs:
        begin, positions = time.process_time(), positions_of(Board.parse(spec))
        found = "as carried" if positions == carried[spec] else "not as carried"
        print(f"{spec}: {positions:,} positions, {found}, {time.process_time() - begin:.0f} s", flush=True)
        if positions != carried[spec]:
            raise SystemExit(1)
