"""The position graph of a game up to symmetry, in plain Python, for small games.

A node is a class of states with its canonical form, in the layer of its ply. An edge leads to a child class, one edge
for each. It has the set of moves of the canonical parent that lead there; the size of the set is the multiplicity of
the edge. So labelled counts, counts up to symmetry and counts by choices are three sums over one graph.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.game import Game, Marks, timed_value
from noughts.rules.marks import Mask, Outcome, opponent
from noughts.rules.play import VALUE_RULES, MoveRule
from noughts.rules.position import Position
from noughts.rules.symmetry import Group

_REPORTED = 512
"""Number of classes between two calls of the progress function."""


@dataclass(slots=True)
class Node:
    """A class: its canonical state, the size of its orbit, its outcome where the game is over, and its edges."""

    state: Marks
    orbit: int
    outcome: Outcome | None
    children: list[tuple[int, Mask]] = field(default_factory=list)


class ClassGraph:
    """All classes of states that play of a game reaches from its start, layer by layer.

    `nodes` are in order of ply; `layers[t]` is the range of those t plies after the start. The first node is the
    canonical form of the start. Nodes where the game is over have no children. Values assume that `to_ply` does not cut
    the graph. Raises BudgetError beyond `limit` nodes.

    Cost: about 5 microseconds for each edge and symmetry; 765 nodes and 10 ms for 3x3.
    """

    def __init__(
        self, game: Game, *, to_ply: int | None = None, limit: int = 2_000_000, progress: Progress = silent
    ) -> None:
        self.game = game
        self._progress: Progress = progress
        self._limit = limit
        self.nodes: list[Node] = []
        self.layers: list[range] = []
        self._grow(game.last_ply if to_ply is None else min(to_ply, game.last_ply))
        self._progress = silent
        self._allowed: dict[MoveRule, list[Mask]] = {}

    def _grow(self, to_ply: int) -> None:
        layer = {self.game.canonical(self.game.start): 0}
        self._add_layer(layer)
        for _ in range(self.game.ply(self.game.start), to_ply):
            layer = self._next_layer()
            if not layer:
                break
            self._add_layer(layer)
        self._progress(1, 1, "position classes")

    def _add_layer(self, layer: dict[Marks, int]) -> None:
        first = len(self.nodes)
        if first + len(layer) > self._limit:
            raise BudgetError(
                f"{self.game} has over {self._limit:,} position classes, too many to list in plain Python"
            )
        game, order = self.game, self.game.group.order
        self.nodes += [Node(state, order // len(game.stabiliser(state)), game.outcome(state)) for state in layer]
        self.layers.append(range(first, len(self.nodes)))

    def _next_layer(self) -> dict[Marks, int]:
        """Fill in the children of the last layer and return the next one, numbered from the end of `nodes`."""
        children = self.game.children
        found: dict[Marks, int] = {}
        base = len(self.nodes)
        for number in self.layers[-1]:
            if number % _REPORTED == 0:
                self._progress(number, 0, "position classes")
            node = self.nodes[number]
            if node.outcome is not None:
                continue
            edges: dict[int, Mask] = {}
            for move, child in children(node.state):
                target = found.setdefault(child, base + len(found))
                edges[target] = edges.get(target, 0) | 1 << move
            node.children = list(edges.items())
        return found

    @cached_property
    def numbers(self) -> dict[Marks, int]:
        """The number of each node by its canonical state."""
        return {node.state: number for number, node in enumerate(self.nodes)}

    def number_of(self, state: Marks) -> int:
        """Return the number of the class of a state. Raises KeyError where play from the start does not reach it."""
        return self.numbers[self.game.canonical(state)]

    def backward(self) -> Iterator[tuple[int, Node]]:
        """Yield the nodes with their numbers from the last to the first, so that children come before their parents."""
        return zip(reversed(range(len(self.nodes))), reversed(self.nodes), strict=True)

    @cached_property
    def values(self) -> list[int]:
        """For each node the value under free play, for X: +1, 0 or -1."""
        return [(value > 0) - (value < 0) for value in self.timed_values]

    @cached_property
    def remoteness(self) -> list[int]:
        """For each node the plies to the end: the winner hurries, the loser delays, a draw lasts as long as it can."""
        remoteness = [0] * len(self.nodes)
        values = self.values
        for number, node in self.backward():
            if not node.children:
                continue
            same = [remoteness[child] for child, _ in node.children if values[child] == values[number]]
            winning = values[number] == (1 if self.game.to_move(node.state) == "X" else -1)
            remoteness[number] = 1 + (min(same) if winning else max(same))
        return remoteness

    @cached_property
    def timed_values(self) -> list[int]:
        """For each node its value for X, larger for a quick win and for a late loss: 0 for a draw."""
        values, game = [0] * len(self.nodes), self.game
        for number, node in self.backward():
            outcome = node.state.won or node.outcome
            if outcome is not None:
                values[number] = timed_value(outcome, game.last_ply - game.ply(node.state))
            elif node.children:
                best = max if game.to_move(node.state) == "X" else min
                values[number] = best([values[child] for child, _ in node.children])
        return values

    @cached_property
    def decided(self) -> list[Outcome | None]:
        """For each node the outcome that all free play has, None where outcomes differ. One pass."""
        allowed = self.allowed("any")
        return self.decided_within(allowed, allowed)

    def over_within(self, x_moves: MoveRule, o_moves: MoveRule) -> list[Outcome | None]:
        """Return for each node the outcome where the game is over or the side to move concedes, else None."""
        over = [node.outcome for node in self.nodes]
        if "concede" in (x_moves, o_moves):
            allowed = self.allowed("concede")
            for number, node in enumerate(self.nodes):
                mover = self.game.to_move(node.state)
                if over[number] is None and (x_moves if mover == "X" else o_moves) == "concede" and not allowed[number]:
                    over[number] = opponent(mover)
        return over

    def decided_within(
        self, x_allowed: Sequence[Mask], o_allowed: Sequence[Mask], over: Sequence[Outcome | None] | None = None
    ) -> list[Outcome | None]:
        """Return for each node the outcome that all play within the allowed moves has, None where outcomes differ.

        `over` has the outcomes where play is over (default: those of the nodes).
        """
        decided: list[Outcome | None] = [None] * len(self.nodes)
        for number, node in self.backward():
            outcome = node.outcome if over is None else over[number]
            if outcome is not None:
                decided[number] = outcome
                continue
            allowed = (x_allowed if self.game.to_move(node.state) == "X" else o_allowed)[number]
            outcomes = {decided[child] for child, moves in node.children if moves & allowed}
            if len(outcomes) == 1:
                decided[number] = outcomes.pop()
        return decided

    def within(self, x_moves: MoveRule, o_moves: MoveRule, *, decided: bool = False) -> ClassGraph:
        """Return the part of the graph that play by two move rules reaches, with the edges of that play only.

        With `decided` play ends as soon as all allowed continuations have the same outcome; the node then has it.
        Values and remoteness of the part are those of play within the rules. Two passes.
        """
        x_allowed, o_allowed = self.allowed(x_moves), self.allowed(o_moves)
        over = self.over_within(x_moves, o_moves)
        if decided:
            over = self.decided_within(x_allowed, o_allowed, over)
        numbers, edges = {0: 0}, list[list[tuple[int, Mask]]]()
        for number in range(len(self.nodes)):
            if number not in numbers:
                continue
            node = self.nodes[number]
            allowed = (x_allowed if self.game.to_move(node.state) == "X" else o_allowed)[number]
            left = [(child, moves & allowed) for child, moves in node.children if moves & allowed]
            edges.append([] if over[number] else left)
            for child, _ in edges[-1]:
                numbers.setdefault(child, 0)
        reached = sorted(numbers)
        return self._part(reached, [over[number] for number in reached], edges)

    def _part(
        self, reached: Sequence[int], over: Sequence[Outcome | None], edges: Sequence[Sequence[tuple[int, Mask]]]
    ) -> ClassGraph:
        """Return the graph of some nodes, in order, with their outcomes and edges and with new numbers."""
        part = ClassGraph.__new__(ClassGraph)
        part.game, part._limit, part._allowed = self.game, self._limit, {}
        new = {number: place for place, number in enumerate(reached)}
        part.nodes = []
        for number, outcome, moves in zip(reached, over, edges, strict=True):
            node = self.nodes[number]
            part.nodes.append(Node(node.state, node.orbit, outcome, [(new[child], cells) for child, cells in moves]))
        ends = [bisect_left(reached, layer.stop) for layer in self.layers]
        layers = [range(first, last) for first, last in zip([0, *ends], ends, strict=False)]
        part.layers = [layer for layer in layers if layer]
        return part

    def allowed(self, rule: MoveRule) -> list[Mask]:
        """Return for each node the moves that a rule allows its side to move; empty where the game is over."""
        if rule not in self._allowed:
            self._allowed[rule] = [0 if node.outcome is not None else self._moves(node, rule) for node in self.nodes]
        return self._allowed[rule]

    def _moves(self, node: Node, rule: MoveRule) -> Mask:
        if rule not in VALUE_RULES:
            return self.game.moves(node.state, rule)
        sign = 1 if self.game.to_move(node.state) == "X" else -1
        goods = self.values if rule == "perfect" else self.timed_values
        values = [sign * goods[child] for child, _ in node.children]
        best = max(values, default=0)
        return sum(moves for (_, moves), value in zip(node.children, values, strict=True) if value == best)


_CACHED_NODES = 200_000
"""Largest total number of nodes in the cache of graphs; the last graph stays at any size."""
_cache: dict[tuple[object, ...], ClassGraph] = {}


def class_graph(
    board: Board,
    start: Position | None = None,
    *,
    end: Literal["line", "full"] = "line",
    group: Group | None = None,
    to_ply: int | None = None,
    progress: Progress = silent,
) -> ClassGraph:
    """Return the class graph of play on a board, from a cache where possible; see `Game` and `ClassGraph`."""
    game = Game(board, start, end, group)
    whole = to_ply is None or to_ply >= game.last_ply
    key = (board, game.start, end, game.group, None if whole else to_ply)
    graph = _cache.pop(key, None) or ClassGraph(game, to_ply=to_ply, progress=progress)
    _cache[key] = graph
    while len(_cache) > 1 and sum(len(each.nodes) for each in _cache.values()) > _CACHED_NODES:
        del _cache[next(iter(_cache))]
    return graph
