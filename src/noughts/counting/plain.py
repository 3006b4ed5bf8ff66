"""Engine `plain`: the definition as recursion, memoised; the judge of the other engines on small boards.

A game is followed move by move from each position, and what is counted from a position on is the vector of its partial
and finished games by length. Nothing is pushed forward, weighed by orbits or shared with the other engines: games up to
symmetry are counted by Burnside's lemma, and positions by collecting them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import factorial
from pathlib import Path
from typing import NamedTuple

from noughts.counting.census import Census, PlyCounts
from noughts.counting.question import Question
from noughts.domain.bits import Mask, cells_of
from noughts.domain.position import Outcome
from noughts.domain.rules import allowed_cells
from noughts.domain.symmetry import Group
from noughts.machine.budget import Estimate

__all__ = ["count", "estimate", "fixed_paths", "name", "refusal"]

name = "plain"

CELL_LIMIT = 16
_OUTCOMES: tuple[Outcome, ...] = ("X", "O", "draw")


class _State(NamedTuple):
    """Marks, and under the end rule `full` the outcome of a line completed earlier."""

    x: Mask
    o: Mask
    won: Outcome | None = None


class _Ways(NamedTuple):
    """From one state on, by number of further moves: the partial games, and the finished games by outcome."""

    paths: tuple[int, ...]
    ends: tuple[tuple[int, int, int], ...]


class _Play:
    """The rules of one question, as plain functions of a state."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.board = question.board
        self.value_of = cache(self._value_of)
        self.sole_outcome = cache(self._sole_outcome)

    def start(self) -> _State:
        position = self.question.position()
        won = position.winner if self.question.end == "full" else None
        return _State(position.x, position.o, won)

    def line_outcome(self, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome of play that ends at a line or a full board."""
        for marks, own, other in ((x, "X", "O"), (o, "O", "X")):
            if self.board.has_line(marks):
                winner: Outcome = "X" if (own == "X") != self.board.misere else "O"
                assert not self.board.has_line(o if other == "O" else x)
                return winner
        return "draw" if x | o == self.board.full else None

    def _value_of(self, x: Mask, o: Mask) -> int:
        outcome = self.line_outcome(x, o)
        if outcome is not None:
            return {"X": 1, "draw": 0, "O": -1}[outcome]
        x_moves = x.bit_count() == o.bit_count()
        values = [self.value_of(*_take(x, o, cell)) for cell in cells_of(self.board.full & ~(x | o))]
        return max(values) if x_moves else min(values)

    def _sole_outcome(self, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome of every continuation that the move rules allow, or None where there are several."""
        outcome = self.line_outcome(x, o)
        if outcome is not None:
            return outcome
        outcomes = {self.sole_outcome(*_take(x, o, cell)) for cell in self.moves(_State(x, o))}
        return outcomes.pop() if len(outcomes) == 1 else None

    def outcome(self, state: _State) -> Outcome | None:
        """Return the outcome if the game is over here."""
        if self.question.end == "line":
            return self.line_outcome(state.x, state.o)
        if self.question.end == "decided":
            return self.sole_outcome(state.x, state.o)
        return (state.won or "draw") if state.x | state.o == self.board.full else None

    def moves(self, state: _State) -> Iterator[int]:
        x, o, won = state
        rule = self.question.x_moves if x.bit_count() == o.bit_count() else self.question.o_moves
        return cells_of(allowed_cells(self.board, x, o, "any" if won else rule, self.value_of))

    def play(self, state: _State, cell: int) -> _State:
        x, o = _take(state.x, state.o, cell)
        if self.question.end != "full":
            return _State(x, o)
        won = state.won
        if won is None and (self.board.has_line(x) or self.board.has_line(o)):
            won = self.line_outcome(x, o)
        return _State(x, o, won)


def _take(x: Mask, o: Mask, cell: int) -> tuple[Mask, Mask]:
    bit = 1 << cell
    return (x | bit, o) if x.bit_count() == o.bit_count() else (x, o | bit)


def _follow(play: _Play, within: Mask, classes: Group | None) -> _Ways:
    """Count the games from the start whose moves lie `within` some cells; by classes where a group is given."""
    depth = play.question.last_ply - play.question.first_ply

    @cache
    def ways(state: _State) -> _Ways:
        outcome = play.outcome(state)
        left = depth - (state.x | state.o).bit_count() + play.question.first_ply
        here = (int(outcome == "X"), int(outcome == "O"), int(outcome == "draw"))
        if outcome is not None or left == 0:
            return _Ways((1,) + (0,) * left, (here,) + ((0, 0, 0),) * left)
        children = [play.play(state, cell) for cell in play.moves(state) if within >> cell & 1]
        if classes is not None:
            children = list({_State(*classes.canonical(child.x, child.o), child.won) for child in children})
        following = [ways(child) for child in children]
        paths = (1, *(sum(child.paths[i] for child in following) for i in range(left)))
        ends = (here, *(_add(child.ends[i] for child in following) for i in range(left)))
        return _Ways(paths, ends)

    return ways(play.start())


def _add(vectors: Iterator[tuple[int, int, int]]) -> tuple[int, int, int]:
    x = o = draws = 0
    for vector in vectors:
        x, o, draws = x + vector[0], o + vector[1], draws + vector[2]
    return x, o, draws


def _games(play: _Play) -> _Ways:
    """Return the games from the start under the sameness of the question."""
    question = play.question
    if question.same == "labelled":
        return _follow(play, question.board.full, None)
    if question.same == "choices":
        return _follow(play, question.board.full, question.group)
    runs = _fixed_games(play)
    paths = tuple(_mean(column) for column in zip(*(run.paths for run in runs), strict=True))
    ends = tuple(
        (_mean(x), _mean(o), _mean(draws))
        for x, o, draws in (
            tuple(zip(*column, strict=True)) for column in zip(*(run.ends for run in runs), strict=True)
        )
    )
    return _Ways(paths, ends)


def _fixed_games(play: _Play) -> list[_Ways]:
    """Return for each symmetry that keeps the start the games it fixes: those whose moves are all on fixed cells."""
    start = play.question.position()
    group = play.question.group.stabiliser(start.x, start.o)
    fixed = [sum(1 << cell for cell, image in enumerate(g) if cell == image) for g in group.elements]
    return [_follow(play, cells, None) for cells in fixed]


def fixed_paths(question: Question) -> list[tuple[int, ...]]:
    """Return for each symmetry that keeps the start how many paths of each length it fixes: see Burnside's lemma."""
    return [run.paths for run in _fixed_games(_Play(question))]


def _mean(counts: tuple[int, ...]) -> int:
    quotient, rest = divmod(sum(counts), len(counts))
    assert rest == 0, "Burnside's lemma gives whole numbers"
    return quotient


def _positions(
    play: _Play, same: Callable[[Mask, Mask], tuple[Mask, Mask]]
) -> list[dict[tuple[Mask, Mask], set[Outcome]]]:
    """Return for each ply the positions that play reaches, each with the outcomes it ends with (none while open)."""
    question = play.question
    layers: list[dict[tuple[Mask, Mask], set[Outcome]]] = [
        {} for _ in range(question.last_ply - question.first_ply + 1)
    ]
    seen = set()
    waiting = [play.start()]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        outcome = play.outcome(state)
        depth = (state.x | state.o).bit_count() - question.first_ply
        layers[depth].setdefault(same(state.x, state.o), set()).update({outcome} if outcome else set())
        if outcome is None and depth + 1 < len(layers):
            waiting += [play.play(state, cell) for cell in play.moves(state)]
    return layers


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    if question.board.cells > CELL_LIMIT:
        return f"the engine plain takes boards of up to {CELL_LIMIT} cells, {question.board} has {question.board.cells}"
    return None


def estimate(question: Question) -> Estimate:
    """Return the cost, from the number of ways to place the marks of each ply."""
    cells = question.board.cells
    states = sum(
        factorial(cells) // (factorial((t + 1) // 2) * factorial(t // 2) * factorial(cells - t))
        for t in range(question.first_ply, question.last_ply + 1)
    )
    runs = question.group.order if question.same == "symmetry" else 1
    return Estimate(states * 2500, states * 2e-5 * (1 + runs / 2), f"{states:,} boards to walk through in plain Python")


def count(question: Question, *, progress: object = None, threads: int = 1, resume: Path | None = None) -> Census:
    """Return the census by following every position; see the module for what it shares with nobody."""
    play = _Play(question)
    games = _games(play)
    if question.same == "labelled":
        layers = _positions(play, lambda x, o: (x, o))
    else:
        layers = _positions(play, question.group.canonical)
    rows = []
    for depth, layer in enumerate(layers):
        if not layer:
            break
        terminal = [outcomes for outcomes in layer.values() if outcomes]
        by = [sum(outcome in outcomes for outcomes in terminal) for outcome in _OUTCOMES]
        split = by if question.end != "full" else None
        ply = question.first_ply + depth
        rows.append(PlyCounts.of(ply, len(layer), len(terminal), split, games.paths[depth], games.ends[depth]))
    return Census(question, name, tuple(rows))
