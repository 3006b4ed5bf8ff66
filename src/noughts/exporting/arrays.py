"""Rows of the three tables from the layers of a large board: a stream, some thousand rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.analysis.explain.wording import label
from noughts.analysis.records.catalogue import pattern_names
from noughts.analysis.records.layers import OPEN, Layer, Layers
from noughts.exporting.columns import CHUNK, Chunk, TableSchema
from noughts.kernels.index import ranks as lead
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.marks import Outcome, cells_of
from noughts.rules.position import Position, format_position

__all__ = ["LayerSource"]

Ints = npt.NDArray[np.int64]
_THREAT_CELLS = (1 << lead.MAX_CELLS) - 1
_OUTCOMES: tuple[Outcome, ...] = ("draw", "X", "O")
"""By the number of the outcome: 0, 1 and, counted from the end, -1."""


class LayerSource:
    """The rows of a board from its layers; equal to those of a catalogue in memory, and in the same order."""

    def __init__(self, board: Board, done: Callable[[int, int], None] | None = None) -> None:
        self.board = board
        self.layers = Layers(board, done)
        self._names: dict[int, str] = {}
        self._best = lru_cache(maxsize=1)(self._find_best)

    def size(self, table: TableSchema) -> int:
        """Return the number of rows."""
        if table.name == "positions":
            return sum(int(layer.orbit.sum()) for layer in self.layers.layers)
        if table.name == "moves":
            return sum(len(layer.child) for layer in self.layers.layers)
        return sum(map(len, self.layers.layers))

    def chunks(self, table: TableSchema) -> Iterator[Chunk]:
        """Yield the rows of a table in order of ply."""
        make = {"positions": self._positions, "classes": self._classes, "moves": self._moves}[table.name]
        step = max(1, CHUNK // self.layers.images.low.shape[0]) if table.name == "positions" else CHUNK
        for ply, layer in enumerate(self.layers.layers):
            for start in range(0, len(layer), step):
                part = slice(start, min(start + step, len(layer)))
                chunk = make(ply, layer, part)
                if chunk and len(chunk[0]):
                    yield chunk

    def texts(self, x: Ints, o: Ints) -> list[str]:
        """Return positions as text."""
        frame, places = self._frame
        signs = np.repeat(frame[None, :], len(x), axis=0)
        for cell, place in enumerate(places):
            bit = np.int64(1 << cell)
            signs[(x & bit) != 0, place] = ord("X")
            signs[(o & bit) != 0, place] = ord("O")
        width, text = len(frame), signs.tobytes().decode("ascii")
        return [text[start : start + width] for start in range(0, len(text), width)]

    @cached_property
    def _frame(self) -> tuple[npt.NDArray[np.uint8], list[int]]:
        """The text of the empty board, and the places of its cells in it."""
        empty = format_position(Position(self.board))
        return np.frombuffer(empty.encode(), np.uint8), [i for i, sign in enumerate(empty) if sign == "."]

    def _cells(self, masks: npt.NDArray[Any]) -> list[object]:
        """Return sets of cells as names with spaces."""
        names = self._names
        found: list[object] = []
        for mask in masks.tolist():
            if mask not in names:
                names[mask] = " ".join(cell_name(self.board, cell) for cell in cells_of(mask))
            found.append(names[mask])
        return found

    def _values(self, ply: int, layer: Layer, part: slice, rows: Ints | None, best: Ints) -> Chunk:
        """Return the columns that positions and classes share; `rows` repeats classes for their boards."""
        facts = self.layers.facts[ply]
        size = (part.stop - part.start) if rows is None else len(rows)

        def spread(column: list[object]) -> list[object]:
            return column if rows is None else [column[row] for row in rows.tolist()]

        mover = "X" if ply % 2 == 0 else "O"
        outcome, decided = facts.outcome[part].tolist(), facts.decided[part].tolist()
        sign = 1 if mover == "X" else -1
        words = {code * sign: word for code, word in ((1, "win"), (0, "draw"), (-1, "loss"))}
        labels = {
            (code, sure): label(_OUTCOMES[code], sure, self.board) for code in (-1, 0, 1) for sure in (False, True)
        }
        fork = self._fork(ply, layer, part) if self.board.rules.has_threats else None
        return [
            [ply] * size,
            [mover] * size,
            spread((layer.over[part] != OPEN).tolist()),
            spread([_OUTCOMES[code] for code in outcome]),
            spread([words[code] for code in outcome]),
            spread(facts.remoteness[part].tolist()),
            spread([labels[pair] for pair in zip(outcome, decided, strict=True)]),
            spread(decided),
            [None] * size if fork is None else spread(fork),
            spread(facts.trap[part].tolist()),
            self._cells(best),
        ]

    def _threats(self, layer: Layer, part: slice, x: Ints, o: Ints) -> tuple[Ints, Ints]:
        """Return the blank cells that complete a line for X and for O; none if the game is over."""
        going_on = layer.over[part] == OPEN
        blank = np.where(going_on, self.layers.full & ~(x | o), 0)
        lines = self.board.line_masks
        x_threats, o_threats = (lead.threat_table(own, lines).astype(np.int64) & blank for own in (x, o))
        return x_threats, o_threats

    def _fork(self, ply: int, layer: Layer, part: slice) -> list[object]:
        """Return whether the last mover has two threats."""
        x, o = self.layers.sets(layer.keys[part])
        threats = self._threats(layer, part, x, o)[1 if ply % 2 == 0 else 0]
        found: list[object] = ((threats & (threats - 1)) != 0).tolist()
        return found

    def _forks(self, layer: Layer, part: slice, own: Ints, other: Ints, threats: Ints) -> Ints:
        """Return the blank cells on which a mark makes two threats and does not complete a line."""
        going_on = layer.over[part] == OPEN
        found = np.zeros(len(own), np.int64)
        for cell in range(self.board.cells):
            bit = np.int64(1 << cell)
            free = going_on & (((own | other | threats) & bit) == 0)
            mine = own[free] | bit
            after = lead.threat_table(mine, self.board.line_masks).astype(np.int64) & _THREAT_CELLS & ~other[free]
            found[free] |= np.where((after & (after - 1)) != 0, bit, 0)
        return found

    def _find_best(self, ply: int) -> Ints:
        """Return the best moves of every class of a layer."""
        layer = self.layers.layers[ply]
        best = np.zeros(len(layer), np.int64)
        if len(layer.child):
            is_best = self._is_best(ply, layer, slice(0, len(layer.child)))
            np.bitwise_or.at(best, layer.parent[is_best], layer.cells[is_best].astype(np.int64))
        return best

    def _is_best(self, ply: int, layer: Layer, edges: slice) -> npt.NDArray[np.bool_]:
        here, after = self.layers.facts[ply], self.layers.facts[ply + 1]
        parent, child = layer.parent[edges], layer.child[edges]
        found: npt.NDArray[np.bool_] = (after.outcome[child] == here.outcome[parent]) & (
            after.remoteness[child] == here.remoteness[parent] - 1
        )
        return found

    def _positions(self, ply: int, layer: Layer, part: slice) -> Chunk:
        """Return the rows of every board of some classes, each orbit in order."""
        layers, facts = self.layers, self.layers.facts[ply]
        x, o = layers.sets(layer.keys[part])
        order = len(layers.images.low)
        boards = np.stack([(layers.image(x, g) << layers.bits) | layers.image(o, g) for g in range(order)], axis=1)
        turned = np.argsort(boards, axis=1, kind="stable")
        boards = np.take_along_axis(boards, turned, axis=1)
        new = np.ones(boards.shape, np.bool_)
        new[:, 1:] = boards[:, 1:] != boards[:, :-1]
        rows, element = np.nonzero(new)[0], turned[new]
        best = layers.image(self._best(ply)[part][rows], element)
        classes = self.texts(x, o)
        ways = facts.ways[part] // layer.orbit[part]
        finishes = facts.finishes[part]
        return [
            list[object](self.texts(*layers.sets(boards[new]))),
            [classes[row] for row in rows.tolist()],
            *self._values(ply, layer, part, rows, best),
            ways[rows].tolist(),
            finishes[rows].tolist(),
            (ways * finishes)[rows].tolist(),
        ]

    def _classes(self, ply: int, layer: Layer, part: slice) -> Chunk:
        """Return the rows of some classes."""
        facts = self.layers.facts[ply]
        x, o = self.layers.sets(layer.keys[part])
        order = len(self.layers.images.low)
        size = len(x)
        decision = (layer.over[part] == OPEN) & (self.board.cells - ply > 1)
        return [
            list[object](self.texts(x, o)),
            layer.orbit[part].tolist(),
            (order // layer.orbit[part]).tolist(),
            *self._values(ply, layer, part, None, self._best(ply)[part]),
            decision.tolist(),
            *self._tactics(layer, part, x, o, decision),
            facts.ways[part].tolist(),
            facts.ways_by_choices[part].tolist(),
            facts.finishes[part].tolist(),
            facts.finishes_by_choices[part].tolist(),
            (facts.ways[part] * facts.finishes[part]).tolist(),
            (facts.ways_by_choices[part] * facts.finishes_by_choices[part]).tolist(),
            *_chances(facts.weights[:, part], factorial(self.board.cells - ply)),
            self._patterns(layer, part, x, o) if ply == self.board.cells else [None] * size,
            facts.before[part].tolist(),
            np.diff(layer.first[part.start : part.stop + 1]).tolist(),
        ]

    def _tactics(self, layer: Layer, part: slice, x: Ints, o: Ints, decision: npt.NDArray[np.bool_]) -> Chunk:
        """Return real decisions, threats and forks; null under misere."""
        if not self.board.rules.has_threats:
            return [[None] * len(x) for _ in range(5)]
        x_threats, o_threats = self._threats(layer, part, x, o)
        return [
            (decision & ((x_threats | o_threats) == 0)).tolist(),
            self._cells(x_threats),
            self._cells(o_threats),
            self._cells(self._forks(layer, part, x, o, x_threats)),
            self._cells(self._forks(layer, part, o, x, o_threats)),
        ]

    def _patterns(self, layer: Layer, part: slice, x: Ints, o: Ints) -> list[object]:
        drawn = layer.over[part] == 0
        pairs = zip(x.tolist(), o.tolist(), drawn.tolist(), strict=True)
        return [self._named.get((mine, other)) if over else None for mine, other, over in pairs]

    @cached_property
    def _named(self) -> dict[tuple[int, int], str]:
        return pattern_names(self.board)

    def _moves(self, ply: int, layer: Layer, part: slice) -> Chunk:
        """Return the rows of the moves of some classes."""
        edges = slice(int(layer.first[part.start]), int(layer.first[part.stop]))
        if edges.start == edges.stop:
            return []
        after = self.layers.facts[ply + 1]
        child, parent = layer.child[edges], layer.parent[edges] - part.start
        texts = self.texts(*self.layers.sets(layer.keys[part]))
        children = self.texts(*self.layers.sets(self.layers.layers[ply + 1].keys[child]))
        outcome, decided = after.outcome[child].tolist(), after.decided[child].tolist()
        return [
            [texts[row] for row in parent.tolist()],
            self._cells(layer.cells[edges]),
            layer.times[edges].tolist(),
            list[object](children),
            [_OUTCOMES[code] for code in outcome],
            after.remoteness[child].tolist(),
            [label(_OUTCOMES[code], sure, self.board) for code, sure in zip(outcome, decided, strict=True)],
            self._is_best(ply, layer, edges).tolist(),
        ]


def _chances(weights: Ints, orders: int) -> Chunk:
    """Return weights of X, draw and O over a number of orders as floats, numerators and the least denominator."""
    common = np.gcd(np.gcd.reduce(weights), np.int64(orders))
    below: list[object] = (orders // common).tolist()
    above = [(row // common).tolist() for row in weights]
    return [*([p / q for p, q in zip(row, below, strict=True)] for row in above), *above, below]
