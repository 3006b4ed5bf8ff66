"""All positions under gravity, layer by layer: forward to list them, backward for their values, in arrays.

A position is one word: each column holds the marks of the side to move, and a one above its highest mark. Of a position
and its mirror image the smaller word stands for both. A layer is a sorted array of words, and an array of scores.
A score is positive where the side to move wins, and 0 for a draw. It is cells + 1 - t for a game of t plies.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import OUTCOME_OF_VALUE, PlyValues, Split

Words = npt.NDArray[np.uint64]
ONE = np.uint64(1)
BLOCK = 1 << 21
"""Positions whose moves are made at once."""


class ColumnWords:
    """A board as words; see the module."""

    def __init__(self, board: Board) -> None:
        rows, columns, _ = board.shape or (1, board.cells, 1)
        self.board, self.rows, self.columns = board, rows, columns
        self.width = np.uint64(rows + 1)
        bits = [1 << column * (rows + 1) for column in range(columns)]
        self.bottom = np.uint64(sum(bits))
        self.bottoms = [np.uint64(bit) for bit in bits]
        self.stacks = [np.uint64(((1 << rows) - 1) * bit) for bit in bits]
        self.full = np.uint64(sum(((1 << rows) - 1) * bit for bit in bits))
        self.bit = [1 << cell % columns * (rows + 1) + rows - 1 - cell // columns for cell in range(board.cells)]
        k = board.k or 0
        fits = ((1, rows), (rows + 1, columns), (rows, min(rows, columns)), (rows + 2, min(rows, columns)))
        self.steps = [step for step, room in fits if k <= room]

    def word(self, position: Position) -> np.uint64:
        """Return the smaller word of a position and its mirror image."""
        own = position.x if position.to_move == "X" else position.o
        own, marks = (sum(self.bit[cell] for cell in cells_of(each)) for each in (own, position.x | position.o))
        found: np.uint64 = self.canonical(np.array([marks + int(self.bottom) ^ own], np.uint64))[0]
        return found

    def canonical(self, words: Words) -> Words:
        """Return the smaller words of positions and their mirror images."""
        return np.minimum(words, self.mirrored(words))

    def mirrored(self, words: Words) -> Words:
        """Return the words of the mirror images."""
        column, rest, turned = (ONE << self.width) - ONE, words, np.zeros_like(words)
        for _ in range(self.columns):
            turned = (turned << self.width) | (rest & column)
            rest = rest >> self.width
        return turned

    def parts(self, words: Words) -> tuple[Words, Words]:
        """Return the marks of the side to move, and all marks."""
        marks = words >> ONE & self.full
        for _ in range(self.rows - 1):
            marks |= marks >> ONE & self.full
        return words ^ (marks + self.bottom), marks

    def has_line(self, own: Words) -> npt.NDArray[np.bool_]:
        """Tell for each set of marks whether it has a line."""
        found = np.zeros(len(own), bool)
        for step in self.steps:
            run, length, k = own, 1, self.board.k or 0
            while length < k:
                more = min(length, k - length)
                run = run & run >> np.uint64(step * more)
                length += more
            found |= run != 0
        return found

    def children(self, words: Words) -> Iterator[tuple[npt.NDArray[np.int64], Words]]:
        """Yield for each column the places of the words that have a move there, and the words after it."""
        own, marks = self.parts(words)
        for bottom, stack in zip(self.bottoms, self.stacks, strict=True):
            move = marks + bottom & stack
            (places,) = np.nonzero(move)
            after = marks[places] | move[places]
            yield places, self.canonical(own[places] ^ marks[places] ^ (after + self.bottom))


def _distinct(words: Words) -> Words:
    """Return the different words, sorted; sorts the given array."""
    words.sort()
    return words[np.concatenate(([True], words[1:] != words[:-1]))] if len(words) else words


class ColumnTables(Solution):
    """Values of all positions, from a forward and a backward pass. Memory: 9 bytes for two mirror images."""

    engine = "retrograde"

    def __init__(self, board: Board, start: Position | None = None, *, progress: Progress = silent) -> None:
        super().__init__(board, start)
        vars(self).update(columns=ColumnWords(board), _progress=progress)
        vars(self).update(layers=self._listed(), _progress=progress)
        vars(self).update(scores=self._valued(), _progress=silent)

    columns: ColumnWords
    layers: list[Words]
    scores: list[npt.NDArray[np.int8]]
    _progress: Progress

    def __reduce__(self) -> tuple[type[ColumnTables], tuple[Board, Position]]:
        return ColumnTables, (self.board, self.start)

    def _blocks(self, words: Words) -> Iterator[slice]:
        for first in range(0, len(words), BLOCK):
            yield slice(first, first + BLOCK)

    def _over(self, words: Words) -> npt.NDArray[np.bool_]:
        """Tell for each word whether the last mover has a line."""
        own, marks = self.columns.parts(words)
        return self.columns.has_line(own ^ marks)

    def _listed(self) -> list[Words]:
        layers, words = [], np.array([self.columns.bottom], np.uint64)
        while len(words):
            layers.append(words)
            found: list[Words] = [np.zeros(0, np.uint64)]
            for block in self._blocks(words):
                going = words[block][~self._over(words[block])]
                after = [child for _, child in self.columns.children(going)]
                found.append(_distinct(np.concatenate(after)))
                self._progress(len(layers), 2 * self.board.cells, "plies listed")
            words = _distinct(np.concatenate(found))
        return layers

    def _valued(self) -> list[npt.NDArray[np.int8]]:
        cells, scores = self.board.cells, list[npt.NDArray[np.int8]]()
        later, values_later = np.zeros(0, np.uint64), np.zeros(0, np.int8)
        for ply in range(len(self.layers) - 1, -1, -1):
            words, left = self.layers[ply], cells + 1 - ply
            found = np.full(len(words), left if self.board.misere else -left, np.int8)
            for block in self._blocks(words):
                (going,) = np.nonzero(~self._over(words[block]))
                best = np.full(len(going), -128 if ply < cells else 0, np.int8)
                for places, after in self.columns.children(words[block][going]) if ply < cells else ():
                    best[places] = np.maximum(best[places], -values_later[np.searchsorted(later, after)])
                found[block.start + going] = best
                self._progress(2 * cells - ply, 2 * cells, "plies valued")
            scores.append(found)
            later, values_later = words, found
        return scores[::-1]

    def _evaluate_open(self, position: Position) -> Evaluation:
        words = self.layers[position.ply]
        score = int(self.scores[position.ply][np.searchsorted(words, self.columns.word(position))])
        sign = ((score > 0) - (score < 0)) * (1 if position.to_move == "X" else -1)
        plies = self.board.cells + 1 - abs(score) - position.ply if score else position.blanks.bit_count()
        many = sum(map(len, self.layers))
        return Evaluation(OUTCOME_OF_VALUE[sign], plies, f"retrograde: all {many:,} classes valued")

    def plies(self) -> tuple[PlyValues, ...]:
        """Return the distribution of the values of all reachable positions, ply by ply."""
        rows = []
        for ply, (words, scores) in enumerate(zip(self.layers, self.scores, strict=True)):
            double = self.columns.mirrored(words) != words
            splits = []
            for weights in (1 + double, np.ones_like(words)):
                wins, draws, losses = (int(weights[found].sum()) for found in (scores > 0, scores == 0, scores < 0))
                splits.append(Split(wins, draws, losses) if ply % 2 == 0 else Split(losses, draws, wins))
            rows.append(PlyValues(ply, *splits))
        return tuple(rows)
