"""Small tables on boards whose positions are too many to list: only the boards that tables meet are.

A table is a choice for each board that it meets. A *local search* changes one choice at a time, and keeps what makes
the table no larger. Each board knows how many boards of the table lead to it, so a change costs what it changes.

A bound comes from a part of the boards: those outside it count as entries but need nothing. No table is smaller than
the smallest of the part. Where that one stays inside, it is the smallest of all; else the boards outside that it meets
join the part.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import inf, log
from time import monotonic

from noughts.analysis.solutions import solution_for
from noughts.bots.crib_judge import CribQuestion
from noughts.bots.crib_search import CribGraph, floor_of, opened_by, require_goal, solve_programme
from noughts.machine.budget import format_size
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game, Marks
from noughts.rules.marks import Mask
from noughts.rules.position import Position

BOARD_BYTES = 3_000
"""What a board with its children takes, about."""
SEARCHED = 0.4
"""The share of the time that the local search has; the bound has the rest."""
_WORSE = 2.0
"""By how many entries a change may make the table larger at the beginning of the local search, on average."""
_PATIENCE = 40
"""The local search ends when it has tried a change at each board so many times without a smaller table."""
Edges = tuple[tuple[int, Mask], ...]


class Reached:
    """The boards that tables meet, found as they are asked for and numbered as they are found; 0 is the start.

    A winning move at once is the only one where entries are the boards at which the player moves, as it adds none.
    Raises InputError where the goal cannot be met; every method BudgetError where the boards take too much memory.
    """

    def __init__(self, question: CribQuestion, memory: float) -> None:
        self.question, self.game, self._memory = question, Game(question.board, question.start), memory
        self.states, self.own, self._over = list[Marks](), list[bool](), list[bool]()
        self._numbers: dict[Marks, int] = {}
        self._edges: dict[int, Edges] = {}
        self._values: dict[int, int] = {}
        self._solution = solution_for(question.start)
        if self._solution.engine != "retrograde":
            raise BudgetError(
                f"a crib for {question.where} needs the value of every position: choose a smaller board or a later "
                "position"
            )
        self._lines = question.board.line_masks
        self._number(self.game.canonical(self.game.start))
        if question.opening is not None:
            every = self._all_edges(0)
            self._edges[0] = tuple(opened_by(question, every, {child: self._value(child) for child, _ in every}))
        require_goal(question, self._value(0 if question.opening is None else self._edges[0][0][0]))

    def _number(self, state: Marks) -> int:
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            over = self.game.outcome(state) is not None
            self.states.append(state)
            self._over.append(over)
            self.own.append(not over and self.game.to_move(state) == self.question.player)
        return number

    def _value(self, at: int) -> int:
        """Return the value of a board to the player."""
        if at not in self._values:
            x, o, _ = self.states[at]
            outcome = self._solution.outcome(Position(self.question.board, x, o))
            self._values[at] = 0 if outcome == "draw" else 1 if outcome == self.question.player else -1
        return self._values[at]

    def _all_edges(self, at: int) -> Edges:
        found: dict[int, Mask] = {}
        for move, state in self.game.children(self.states[at]):
            child = self._number(state)
            found[child] = found.get(child, 0) | 1 << move
        return tuple(found.items())

    def edges(self, at: int) -> Edges:
        """Return the moves of the player that serve the goal, the most promising first, or all replies."""
        found = self._edges.get(at)
        if found is None:
            if len(self.states) * BOARD_BYTES > self._memory:
                room = format_size(int(self._memory))
                raise BudgetError(
                    f"a table for {self.question.where} takes more than {room}: raise --memory, or choose a later "
                    "position"
                )
            found = () if self._over[at] else self._all_edges(at)
            if self.own[at]:
                floor = floor_of(self.question, [self._value(child) for child, _ in found])
                found = tuple(
                    sorted((e for e in found if self._value(e[0]) >= floor), key=lambda e: self._weight(e[0]))
                )
                won = [edge for edge in found if self._over[edge[0]] and self._value(edge[0]) == 1]
                found = tuple(won[:1]) if won and self.question.count == "own" else found
            self._edges[at] = found
        return found

    def _weight(self, at: int) -> float:
        """Return the weight of the lines that the opponent may still complete, less that of the player's lines."""
        x, o, _ = self.states[at]
        mine, other = (x, o) if self.question.player == "X" else (o, x)
        mine_open = sum(0.5 ** (line & ~mine).bit_count() for line in self._lines if not line & other)
        return sum(0.5 ** (line & ~other).bit_count() for line in self._lines if not line & mine) - mine_open

    def counts(self, at: int) -> bool:
        """Return whether a board is an entry."""
        return self.own[at] or self.question.count == "all"

    def part(self, edges: Callable[[int], Edges | None]) -> tuple[CribGraph, list[int]]:
        """Return what some edges reach as a graph, and its boards; a board with None is outside, and needs nothing."""
        met, waiting = {0: edges(0)}, [0]
        while waiting:
            for child, _ in met[waiting.pop()] or ():
                if child not in met:
                    met[child] = edges(child)
                    waiting.append(child)
        order = sorted(met, key=lambda at: (self.game.ply(self.states[at]), at))
        new = {at: number for number, at in enumerate(order)}
        every = [met[at] or () for at in order]
        graph = CribGraph(
            self.question,
            tuple(self.states[at] for at in order),
            tuple(tuple(new[child] for child, _ in each) for each in every),
            tuple(tuple(cells for _, cells in each) for each in every),
            frozenset(new[at] for at in order if self.own[at] and met[at] is not None),
            frozenset(new[at] for at in order if self.own[at] and met[at] is None),
        )
        return graph, order


class _Table:
    """A table that changes: the choice at each board, and how many boards of the table lead to each."""

    def __init__(self, boards: Reached) -> None:
        self.boards, self.chosen, self.size = boards, dict[int, int](), 0
        self.leading: dict[int, int] = {}

    def after(self, at: int) -> Iterator[int]:
        """Yield the boards that a board needs: the chosen child, or all replies."""
        edges = self.boards.edges(at)
        if self.boards.own[at]:
            if at not in self.chosen:
                self.chosen[at] = next((child for child, _ in edges if child in self.leading), edges[0][0])
            yield self.chosen[at]
        else:
            yield from (child for child, _ in edges)

    def add(self, at: int, meanwhile: Callable[[], None], most: float = inf) -> bool:
        """Count one more board that leads to a board, which brings with it what it needs.

        Return False, with nothing changed, where the table would become larger than `most`.
        """
        waiting, added = [at], list[int]()
        try:
            while waiting and self.size <= most:
                at = waiting.pop()
                self.leading[at] = self.leading.get(at, 0) + 1
                added.append(at)
                if self.leading[at] == 1:
                    meanwhile()
                    self.size += self.boards.counts(at)
                    waiting += self.after(at)
        finally:
            fits = not waiting and self.size <= most
            for at in () if fits else reversed(added):
                self._leave(at)
        return fits

    def _leave(self, at: int) -> bool:
        """Count one board less that leads to a board; return whether it was the last."""
        self.leading[at] -= 1
        if not self.leading[at]:
            del self.leading[at]
            self.size -= self.boards.counts(at)
        return at not in self.leading

    def drop(self, at: int) -> None:
        """Count one board less that leads to a board, which leaves with what only it needs."""
        waiting = [at]
        while waiting:
            at = waiting.pop()
            if self._leave(at):
                waiting += self.after(at)

    def change(self, at: int, child: int, worse: float, meanwhile: Callable[[], None]) -> None:
        """Choose another child, if the table becomes larger by no more than so many entries."""
        old, before = self.chosen[at], self.size
        self.drop(old)
        self.chosen[at] = child
        if not self.add(child, meanwhile, before + worse):
            self.chosen[at] = old
            self.add(old, meanwhile)


def local_table(
    boards: Reached, began: float, until: float, last: float, meanwhile: Callable[[], None]
) -> tuple[int, dict[int, int]]:
    """Return the size and the choices of a small table, searched until a time, or a first one by the last moment.

    Raises BudgetError where none is complete then.
    """
    table, dice, chosen = _Table(boards), random.Random(0), dict[int, int]()

    def in_time() -> None:
        meanwhile()
        if monotonic() > (until if chosen else last):
            raise BudgetError(
                f"a table for {boards.question.where} is not complete in time, with {table.size:,} entries: raise "
                "--time, or choose a later position"
            )

    table.add(0, in_time)
    best, chosen = table.size, dict(table.chosen)
    try:
        patience = _PATIENCE
        while monotonic() < until and patience:
            patience -= 1
            met = [at for at in table.leading if boards.own[at] and len(boards.edges(at)) > 1]
            dice.shuffle(met)
            for at in met:
                if at not in table.leading:
                    continue
                left = max(0.0, (until - monotonic()) / (until - began))
                child = dice.choice(boards.edges(at))[0]
                if child != table.chosen[at]:
                    table.change(at, child, -_WORSE * left * left * log(1 - dice.random()), in_time)
                    if table.size < best:
                        best, chosen, patience = table.size, dict(table.chosen), _PATIENCE
    except BudgetError:
        pass
    return best, chosen


def bounded(
    boards: Reached, best: int, chosen: dict[int, int], until: float, meanwhile: Callable[[], object]
) -> tuple[int, dict[int, int], int]:
    """Return the size and the choices of the best table, and a bound; one that is the smallest ends the work."""
    inside, bound = {0}, 1
    try:
        while bound < best and monotonic() < until:
            graph, order = boards.part(lambda at: boards.edges(at) if at in inside or not boards.own[at] else None)
            choices, least = solve_programme(graph, max(1.0, until - monotonic()), meanwhile)
            bound = max(bound, min(least, best))
            if choices is None:
                break
            outside = [order[at] for at in graph.reached(choices) if at in graph.outside]
            if not outside:
                if graph.size(choices) < best:
                    best, chosen = graph.size(choices), {order[at]: order[child] for at, child in choices.items()}
                break
            inside.update(outside)
    except BudgetError:
        pass
    return best, chosen, bound
