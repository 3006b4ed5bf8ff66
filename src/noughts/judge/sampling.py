"""Estimates games by choices and positions from random ones: a second method where no other engine reaches.

A random game has a weight. Each move divides it by the probability of the move, and by the number of cells that
symmetries make of it. The expected weight of the games with an outcome is their number by choices
(Knuth 1975, for trees). Where a line can be completed, one move of ENDING does so: long games are met. Weights are
exact. Positions are arrays of marks, so neither sets of bits nor classes are shared with the engines.

Random boards with the marks of a ply show which part of all such boards are positions. A first half of them tells at
which plies the others say most (Neyman 1934, for strata). Where the search values the positions, each counts as a part
of its class: as one, divided by the number of its images.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.rules.board import Board
from noughts.rules.marks import OUTCOMES, Outcome, mask_of
from noughts.rules.position import Position
from noughts.solving.search import SearchSolution

GAMES = 200_000
BOARDS = 1_000_000
VALUED = 8000
DEVIATIONS = 3
ENOUGH = 1000
ENOUGH_VALUED = 100
ENDING = 8
_AT_ONCE = 20_000

_Marks = npt.NDArray[np.int8]
_Weights = npt.NDArray[np.object_]


@dataclass
class _Sums:
    """Sums of the weights of games and of their squares, each as numerators by denominator, and the number of games."""

    weights: Counter[int]
    squares: Counter[int]
    games: int = 0


class Sampled(NamedTuple):
    """The estimate of a number, its variance, and how many of the random games or boards were counted."""

    mean: Fraction
    variance: Fraction
    counted: int

    def fits(self, count: int, enough: int = ENOUGH) -> bool | None:
        """Tell whether a count is at most DEVIATIONS standard deviations from the mean; None where few were counted."""
        return (count - self.mean) ** 2 <= DEVIATIONS**2 * self.variance if self.counted >= enough else None


def sampled_games(board: Board, games: int = GAMES, seed: int = 1) -> dict[tuple[int, Outcome], Sampled]:
    """Estimate how many games by choices end at each ply with each outcome, where play ends at a line or a full board.

    Cost: a second for some 10,000 games of 25 cells. Assumes a board without gravity, on which lines win.
    """
    dice = np.random.default_rng(seed)
    sums = dict[tuple[int, Outcome], _Sums]()
    for first in range(0, games, _AT_ONCE):
        _play(board, dice, min(_AT_ONCE, games - first), sums)
    found = dict[tuple[int, Outcome], Sampled]()
    for end, total in sums.items():
        mean, square = (
            sum((Fraction(part, denominator) for denominator, part in each.items()), Fraction(0)) / games
            for each in (total.weights, total.squares)
        )
        found[end] = Sampled(mean, (square - mean**2) / games, total.games)
    return found


def _play(board: Board, dice: np.random.Generator, games: int, sums: dict[tuple[int, Outcome], _Sums]) -> None:
    """Play random games all at once, and add the weights with which they end."""
    elements = np.array(board.group("board").elements)
    marks: _Marks = np.zeros((games, board.cells), np.int8)
    numerators, denominators = (np.ones(games, object) for _ in range(2))
    for ply in range(board.cells):
        mark, every = np.int8(1 + ply % 2), np.arange(len(marks))
        ending = _ending(board, marks, mark)
        others = (marks == 0) & ~ending
        both = ending.any(axis=1) & others.any(axis=1)
        ends = np.where(both, dice.integers(0, ENDING, len(marks)) == 0, ending.any(axis=1))
        chosen = np.where(ends[:, None], ending, others)
        move = np.where(chosen, dice.random(chosen.shape), -1).argmax(axis=1)
        keeping = np.stack([(marks[:, element] == marks).all(axis=1) for element in elements])
        fixing = keeping & (elements[:, move] == move)
        numerators = numerators * chosen.sum(axis=1) * fixing.sum(axis=0) * np.where(both, ENDING, 1)
        denominators = denominators * keeping.sum(axis=0) * np.where(both & ~ends, ENDING - 1, 1)
        marks[every, move] = mark
        _add(sums, (ply + 1, "O" if ply % 2 else "X"), numerators[ends], denominators[ends])
        marks, numerators, denominators = marks[~ends], numerators[~ends], denominators[~ends]
    _add(sums, (board.cells, "draw"), numerators, denominators)


def _add(
    sums: dict[tuple[int, Outcome], _Sums], end: tuple[int, Outcome], numerators: _Weights, denominators: _Weights
) -> None:
    """Add the weights of the games with an end, if there are any."""
    if len(numerators):
        total = sums.setdefault(end, _Sums(Counter(), Counter()))
        total.games += len(numerators)
        for numerator, denominator in zip(numerators.tolist(), denominators.tolist(), strict=True):
            total.weights[denominator] += numerator
            total.squares[denominator**2] += numerator**2


def _ending(board: Board, marks: _Marks, mark: np.int8) -> npt.NDArray[np.bool_]:
    """Return the cells that complete a line of a player: bool (games, cells)."""
    found = np.zeros(marks.shape, bool)
    for line in board.lines:
        part = marks[:, list(line)]
        one_left = ((part == mark).sum(axis=1) == len(line) - 1) & ((part == 0).sum(axis=1) == 1)
        found[:, list(line)] |= one_left[:, None] & (part == 0)
    return found


def sampled_positions(board: Board, boards: int = BOARDS, seed: int = 1) -> Sampled:
    """Estimate how many positions there are with cells distinguishable, where play ends at a line or at a full board.

    Cost: a second for some 200,000 boards of 49 cells. Assumes a board without gravity, on which lines win.
    """
    dice = np.random.default_rng(seed)
    plies = range(board.cells + 1)
    first = max(1, boards // (2 * len(plies)))
    hits = [_hits(board, dice, ply, first) for ply in plies]
    spreads = [isqrt(_boards(board, ply) ** 2 * (hit + 1) * (first - hit + 1)) for ply, hit in enumerate(hits)]
    mean = variance = Fraction(0)
    counted = 0
    for ply, spread in enumerate(spreads):
        size, many = _boards(board, ply), 2 + boards * spread // (2 * sum(spreads))
        hit = _hits(board, dice, ply, many)
        counted += hit
        mean += Fraction(size * hit, many)
        variance += Fraction(size * size * hit * (many - hit), many**3)
    return Sampled(mean, variance, counted)


def sampled_values(board: Board, ply: int, boards: int = VALUED, seed: int = 1) -> dict[Outcome, Sampled]:
    """Estimate how many position classes of a ply have each outcome with best play, by searching random positions.

    Cost: a millisecond for each position of 25 cells. Assumptions as for `sampled_positions`.
    """
    dice, solution, elements = np.random.default_rng([seed, ply]), SearchSolution(board), board.group("board").elements
    parts: dict[Outcome, list[Fraction]] = {outcome: [] for outcome in OUTCOMES}
    for shuffled, lines in _positions(board, dice, ply, boards):
        for marks, won in zip(shuffled.T, lines, strict=True):
            x, o = (mask_of(np.flatnonzero(marks == mark).tolist()) for mark in (1, 2))
            value = "loss" if won else solution.value(Position(board, x, o)) if ply < board.cells else "draw"
            outcome: Outcome = "draw" if value == "draw" else "X" if (value == "win") == (ply % 2 == 0) else "O"
            alike = sum(bool((marks[list(element)] == marks).all()) for element in elements)
            parts[outcome].append(Fraction(alike, len(elements)))
    size, found = _boards(board, ply), dict[Outcome, Sampled]()
    for outcome, each in parts.items():
        mean, square = sum(each, Fraction(0)) / boards, sum((part**2 for part in each), Fraction(0)) / boards
        found[outcome] = Sampled(size * mean, size**2 * (square - mean**2) / boards, len(each))
    return found


def _boards(board: Board, ply: int) -> int:
    """Return the number of boards with the marks of a ply."""
    return comb(board.cells, ply) * comb(ply, ply // 2)


def _hits(board: Board, dice: np.random.Generator, ply: int, boards: int) -> int:
    """Return how many of some random boards with the marks of a ply are positions."""
    return sum(len(lines) for _, lines in _positions(board, dice, ply, boards))


def _positions(
    board: Board, dice: np.random.Generator, ply: int, boards: int
) -> Iterator[tuple[_Marks, npt.NDArray[np.int16]]]:
    """Yield the positions among random boards with the marks of a ply: marks (cells, positions), and lines of each."""
    marks: _Marks = np.zeros(board.cells, np.int8)
    marks[:ply] = 1 + np.arange(ply) % 2
    mover = 2 - ply % 2
    for first in range(0, boards, _AT_ONCE):
        shuffled = dice.permuted(np.tile(marks, (min(_AT_ONCE, boards - first), 1)), axis=1).T
        own, other = (np.ascontiguousarray(shuffled == mark) for mark in (mover, 3 - mover))
        lines, stopped = np.zeros(own.shape[1], np.int16), np.zeros(own.shape[1], bool)
        through = np.zeros(own.shape, np.int16)
        for line in board.lines:
            cells = list(line)
            has_line = own[cells].all(axis=0)
            lines += has_line
            through[cells] += has_line
            stopped |= other[cells].all(axis=0)
        fitting = ~stopped & (through.max(axis=0) == lines)
        yield shuffled[:, fitting], lines[fitting]
