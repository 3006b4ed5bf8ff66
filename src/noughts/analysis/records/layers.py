"""The class graph of a large board as arrays, layer by layer, with the facts of the catalogue as sums over its edges.

Plain NumPy. A class is the number `x << N | o` of its canonical sets, so that a layer sorted by it is in the order of
the catalogue. Edges are sorted by parent, so that a sum over the moves of each class is one `reduceat`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import factorial

import numpy as np
import numpy.typing as npt

from noughts.analysis.explain.wording import label
from noughts.analysis.records.catalogue import ARRAY_CELLS, EVERYTHING, Catalogue, Valued, about_classes, least_by_ply
from noughts.analysis.records.record import RandomPlay, Record, Selection
from noughts.counting.question import Question
from noughts.kernels.index import ranks as lead
from noughts.machine.budget import Estimate, default_memory, format_size
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.rules.values import roughly

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]

_SLICE = 1 << 18
_BYTES_PER_CLASS = 160
_SECONDS_PER_ROW = 8e-6

X_WINS, DRAW, O_WINS, OPEN = 1, 0, -1, 2
"""Outcomes for X as numbers; OPEN for unfinished positions."""


def estimate_layers(board: Board, classes: int) -> Estimate:
    """Return the cost of the arrays of a board with about so many classes, and of the rows of all its boards."""
    rows = classes * board.group().order
    memory = 100_000_000 + classes * (_BYTES_PER_CLASS + board.cells * 16)
    return Estimate(
        memory, rows * _SECONDS_PER_ROW, f"about {roughly(classes)} position classes and {roughly(rows)} positions"
    )


@dataclass
class Layer:
    """The classes of one ply and their moves.

    `keys` (int64, ascending), `orbit` (int32), `over` (int8: an outcome, or OPEN). Edge e leads from class `parent[e]`
    to class `child[e]` of the next layer by the cells `cells[e]` (a set, int32); `first` has for each class the number
    of its first edge, and at the end the number of edges.
    """

    keys: Ints
    orbit: npt.NDArray[np.int32]
    over: Bytes
    parent: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    cells: npt.NDArray[np.int32]
    first: Ints

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def times(self) -> Ints:
        """The number of cells of each edge."""
        return np.bitwise_count(self.cells).astype(np.int64)


@dataclass
class LayerFacts:
    """The facts of each class of a layer; all arrays are as long as the layer.

    `outcome` and `remoteness` (int8) under best play; `decided`, `trap` (bool). Counts are int64, exact as N <= 20.
    `weights` (3, n): of X wins, draw, O wins under random play, to be divided by (blanks)!. `before`: how many classes
    have a move to this one.
    """

    outcome: Bytes
    remoteness: Bytes
    decided: Flags
    trap: Flags
    ways: Ints
    ways_by_choices: Ints
    finishes: Ints
    finishes_by_choices: Ints
    weights: Ints
    before: npt.NDArray[np.int32]


class Layers:
    """All layers of a board of up to 20 cells with at least one mark to place, and the facts about their classes.

    Cost: for 4x4:4, with 1.2 million classes, 2 s and 0.3 GB.
    `done` receives the finished plies and the number of plies. Raises BudgetError for boards of more cells.
    """

    def __init__(self, board: Board, done: Callable[[int, int], None] | None = None) -> None:
        if board.cells > ARRAY_CELLS:
            raise BudgetError(f"{board} has {board.cells} cells, but arrays of a catalogue hold at most {ARRAY_CELLS}")
        self.board = board
        self.bits = board.cells
        self.full = board.full
        self.images = lead.images(np.array(board.group().elements, np.int64))
        self.layers: list[Layer] = []
        keys = np.zeros(1, np.int64)
        for ply in range(board.cells + 1):
            keys = self._grow(keys, ply)
            if done is not None:
                done(ply, board.cells + 1)
            if not len(keys):
                break
        self.facts = self._facts()

    def sets(self, keys: Ints) -> tuple[Ints, Ints]:
        """Return the sets of X and of O of classes."""
        return keys >> self.bits, keys & self.full

    def image(self, masks: Ints, element: int | npt.NDArray[np.int64]) -> Ints:
        """Return the images of sets of cells under one symmetry, or under one for each."""
        low_bits, low, high = self.images
        found: Ints = low[element, masks & ((1 << low_bits) - 1)] | high[element, masks >> low_bits]
        return found

    def canonical(self, x: Ints, o: Ints) -> Ints:
        """Return the keys of the classes of positions."""
        best = (self.image(x, 0) << self.bits) | self.image(o, 0)
        for element in range(1, len(self.images.low)):
            np.minimum(best, (self.image(x, element) << self.bits) | self.image(o, element), out=best)
        return best

    def _grow(self, keys: Ints, ply: int) -> Ints:
        """Add the layer of these classes and return the classes of the next."""
        x, o = self.sets(keys)
        over = self._over(x, o)
        parent, cell, after = self._moves(keys, over == OPEN, ply)
        following, child = np.unique(after, return_inverse=True)
        edges = _joined(parent, child.astype(np.int64), cell, len(following))
        first = np.searchsorted(edges[0], np.arange(len(keys) + 1))
        self.layers.append(Layer(keys, self._orbits(x, o), over, *edges, first))
        return following

    def _over(self, x: Ints, o: Ints) -> Bytes:
        """Return the outcome of finished positions, OPEN for the others."""
        over = np.full(len(x), OPEN, np.int8)
        over[(x | o) == self.full] = DRAW
        won, lost = (X_WINS if self.board.line_outcome(player) == "X" else O_WINS for player in ("X", "O"))
        for line in self.board.line_masks:
            over[(x & line) == line] = won
            over[(o & line) == line] = lost
        return over

    def _orbits(self, x: Ints, o: Ints) -> npt.NDArray[np.int32]:
        fixed = np.zeros(len(x), np.int32)
        for element in range(len(self.images.low)):
            fixed += (self.image(x, element) == x) & (self.image(o, element) == o)
        found: npt.NDArray[np.int32] = np.int32(len(self.images.low)) // fixed
        return found

    def _moves(self, keys: Ints, still_open: Flags, ply: int) -> tuple[Ints, npt.NDArray[np.int8], Ints]:
        """Return every move of the open classes: number of the class, cell, key of the class after it."""
        numbers = np.flatnonzero(still_open)
        parents, cells, after = [], [], []
        for start in range(0, len(numbers), _SLICE):
            part = numbers[start : start + _SLICE]
            x, o = self.sets(keys[part])
            for cell in range(self.bits):
                bit = np.int64(1 << cell)
                blank = ((x | o) & bit) == 0
                if not blank.any():
                    continue
                mine, other = x[blank], o[blank]
                after.append(self.canonical(mine | bit, other) if ply % 2 == 0 else self.canonical(mine, other | bit))
                parents.append(part[blank])
                cells.append(np.full(len(mine), cell, np.int8))
        none = np.zeros(0, np.int64)
        if not parents:
            return none, none.astype(np.int8), none
        return np.concatenate(parents), np.concatenate(cells), np.concatenate(after)

    def _facts(self) -> list[LayerFacts]:
        facts: list[LayerFacts] = []
        for ply in range(len(self.layers) - 1, -1, -1):
            facts.insert(0, self._pulled(ply, facts[0] if facts else None))
        for layer, here, after in zip(self.layers, facts, facts[1:], strict=False):
            size = len(after.ways)
            after.ways = _sums(layer.child, here.ways[layer.parent] * layer.times, size)
            after.ways_by_choices = _sums(layer.child, here.ways_by_choices[layer.parent], size)
            after.before = np.bincount(layer.child, minlength=size).astype(np.int32)
        return facts

    def _pulled(self, ply: int, after: LayerFacts | None) -> LayerFacts:
        """Return the facts of a layer from those of the next; ways are computed later."""
        layer = self.layers[ply]
        size, over, orders = len(layer), layer.over, np.int64(factorial(self.bits - ply))
        facts = LayerFacts(
            outcome=np.where(over == OPEN, 0, over).astype(np.int8),
            remoteness=np.zeros(size, np.int8),
            decided=over != OPEN,
            trap=np.zeros(size, np.bool_),
            ways=np.ones(size, np.int64),
            ways_by_choices=np.ones(size, np.int64),
            finishes=np.ones(size, np.int64),
            finishes_by_choices=np.ones(size, np.int64),
            weights=np.stack([np.where(over == end, orders, 0) for end in (X_WINS, DRAW, O_WINS)]),
            before=np.zeros(size, np.int32),
        )
        going_on = np.flatnonzero(over == OPEN)
        if after is not None and len(going_on):
            _pull(layer, facts, after, going_on, 1 if ply % 2 == 0 else -1)
        return facts


def _joined(
    parent: Ints, child: Ints, cell: npt.NDArray[np.int8], children: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return one edge for each pair of parent and child, with its set of cells, by parent and then by first cell."""
    pair = parent * max(children, 1) + child
    order = np.argsort(pair, kind="stable")
    pair = pair[order]
    starts = np.flatnonzero(np.concatenate(([True], pair[1:] != pair[:-1]))) if len(pair) else np.zeros(0, np.int64)
    bits = np.int32(1) << cell[order].astype(np.int32)
    cells = np.bitwise_or.reduceat(bits, starts) if len(pair) else bits
    parents, targets = parent[order][starts], child[order][starts]
    by_cell = np.lexsort((cells & -cells, parents))
    return parents[by_cell].astype(np.int32), targets[by_cell].astype(np.int32), cells[by_cell]


def _sums(places: npt.NDArray[np.int32], amounts: Ints, size: int) -> Ints:
    """Return the sums of amounts by place, in integers throughout."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, places, amounts)
    return sums


def _pull(layer: Layer, facts: LayerFacts, after: LayerFacts, going_on: Ints, mover: int) -> None:
    """Compute the facts of unfinished classes from those of their children."""
    starts, child, times = layer.first[going_on], layer.child, layer.times
    outcome = after.outcome[child] * np.int8(mover)
    best = np.maximum.reduceat(outcome, starts)
    worst = np.minimum.reduceat(outcome, starts)
    facts.outcome[going_on] = best * np.int8(mover)
    facts.trap[going_on] = (worst == -1) & (best > -1)
    decided = np.logical_and.reduceat(after.decided[child], starts)
    facts.decided[going_on] = decided & (best == worst)
    # The winner takes the child with the least remoteness, other players the one with the greatest.
    keeps = outcome == np.repeat(best, np.diff(np.append(starts, len(child))))
    far = after.remoteness[child]
    least = np.minimum.reduceat(np.where(keeps, far, 127), starts)
    most = np.maximum.reduceat(np.where(keeps, far, -1), starts)
    facts.remoteness[going_on] = 1 + np.where(best == 1, least, most)
    facts.finishes[going_on] = np.add.reduceat(after.finishes[child] * times, starts)
    facts.finishes_by_choices[going_on] = np.add.reduceat(after.finishes_by_choices[child], starts)
    for row in range(3):
        facts.weights[row][going_on] = np.add.reduceat(after.weights[row][child] * times, starts)


# The catalogue of a large board: arrays for all classes, and records on request.

_KEPT = 1 << 14
"""Positions that are kept."""
_OUTCOMES: dict[int, Outcome] = {X_WINS: "X", DRAW: "draw", O_WINS: "O"}


class LayerCatalogue(Catalogue):
    """A catalogue over the layers of a board of up to 20 cells. Cost: that of the layers, and 0.1 ms a record.

    The first request makes the layers. Raises BudgetError if the arrays do not fit three quarters of the free memory.
    """

    _parents: Callable[[int], tuple[Ints, Ints]]
    _position: Callable[[int, int], Position]

    def __init__(self, asked: Question | Board | str) -> None:
        super().__init__(asked)
        needed = estimate_layers(self.board, about_classes(self.board))
        if needed.memory > default_memory():
            raise BudgetError(
                f"{self.board} needs {needed}, over the budget of {format_size(default_memory())}: "
                "ask about a smaller board"
            )
        # Records share their positions, which each of them names as its own, a child or a predecessor.
        find = lru_cache(maxsize=_KEPT)(self._find_position)
        vars(self).update(_parents=lru_cache(maxsize=2)(self._find_parents), _position=find)

    @cached_property
    def layers(self) -> Layers:
        """The classes and their facts, as arrays."""
        return Layers(self.board)

    def __len__(self) -> int:
        return sum(map(len, self.layers.layers))

    @property
    def boards(self) -> int:
        """The number of labelled positions."""
        return sum(int(layer.orbit.sum()) for layer in self.layers.layers)

    @property
    def plies(self) -> int:
        """The number of plies that have positions."""
        return len(self.layers.layers)

    def _layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of one ply that the selection may admit, in order."""
        return (self._record_at(ply, row) for row in np.flatnonzero(self._candidates(ply, selection)).tolist())

    def _find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""
        x, o = self.group.canonical(position.x, position.o)
        keys = self.layers.layers[position.ply].keys
        return self._record_at(position.ply, int(np.searchsorted(keys, x << self.layers.bits | o)))

    def _least_classes(self, ply: int | None) -> int:
        found = least_by_ply(self.board)
        return sum(found) if ply is None else sum(found[ply : ply + 1])

    def _candidates(self, ply: int, selection: Selection) -> Flags:
        """Return which classes of a ply meet the conditions that the arrays can test; records test the others."""
        layer, facts = self.layers.layers[ply], self.layers.facts[ply]
        given, chosen = selection.conditions, np.ones(len(layer), np.bool_)
        if given.keys() & {"terminal", "won", "drawn"}:
            chosen &= layer.over != OPEN
        if given.keys() & {"unfinished", "decision", "real_decision", "matchbox"}:
            chosen &= layer.over == OPEN
        if "won" in given:
            codes = {"X": (X_WINS,), "O": (O_WINS,), "any": (X_WINS, O_WINS)}
            chosen &= np.isin(layer.over, codes[given["won"]])
        if "drawn" in given:
            chosen &= layer.over == DRAW
        if "trap" in given:
            chosen &= facts.trap
        if "symmetric" in given:
            chosen &= layer.orbit < self.group.order
        if "label" in given:
            named = {
                label(_OUTCOMES[code], decided): (code, decided) for code in _OUTCOMES for decided in (False, True)
            }
            code, decided = named[given["label"]]
            chosen &= (facts.outcome == code) & (facts.decided == decided)
        return chosen

    def _find_position(self, ply: int, row: int) -> Position:
        key = int(self.layers.layers[ply].keys[row])
        return Position(self.board, key >> self.layers.bits, key & self.layers.full)

    def _find_parents(self, ply: int) -> tuple[Ints, Ints]:
        """Return the parents of the classes of a ply, sorted by child, and where those of each child begin."""
        if ply == 0:
            return np.zeros(0, np.int64), np.zeros(2, np.int64)
        before, size = self.layers.layers[ply - 1], len(self.layers.layers[ply])
        order = np.argsort(before.child, kind="stable")
        return before.parent[order].astype(np.int64), np.searchsorted(before.child[order], np.arange(size + 1))

    def _value(self, ply: int, row: int) -> Valued:
        facts = self.layers.facts[ply]
        return _OUTCOMES[int(facts.outcome[row])], int(facts.remoteness[row]), bool(facts.decided[row])

    def _record_at(self, ply: int, row: int) -> Record:
        """Return the record of a class."""
        facts, layer = self.layers.facts[ply], self.layers.layers[ply]
        parents, first = self._parents(ply)
        orders, edges = factorial(self.board.cells - ply), slice(layer.first[row], layer.first[row + 1])
        children = zip(layer.child[edges].tolist(), layer.cells[edges].tolist(), strict=True)
        return self._made(
            self._position(ply, row),
            int(layer.orbit[row]),
            self._value(ply, row),
            ((self._position(ply + 1, child), cells, self._value(ply + 1, child)) for child, cells in children),
            (self._position(ply - 1, parent) for parent in parents[first[row] : first[row + 1]].tolist()),
            (
                int(facts.ways[row]),
                int(facts.ways_by_choices[row]),
                int(facts.finishes[row]),
                int(facts.finishes_by_choices[row]),
            ),
            RandomPlay(*(Fraction(int(weights[row]), orders) for weights in facts.weights)),
        )
