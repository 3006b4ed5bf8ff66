"""The position graph up to symmetry, in plain Python: for boards small enough to answer at once.

Nodes are position classes, each by its canonical form, in layers by ply; an edge leads to a distinct child class and
carries the set of cells, of the canonical parent, that lead there. Its size is the edge's multiplicity, so labelled
counts, counts up to symmetry and counts by choices are three sums over one graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from noughts.domain.bits import Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Outcome, Position
from noughts.domain.rules import MoveRule, allowed_cells
from noughts.domain.symmetry import Group

__all__ = ["ClassGraph", "Node"]


@dataclass(slots=True)
class Node:
    """A position class: its canonical sets, the size of its orbit, and its outcome where a line ends play."""

    x: Mask
    o: Mask
    orbit: int
    outcome: Outcome | None
    children: list[tuple[int, Mask]] = field(default_factory=list)


class ClassGraph:
    """All classes that free play reaches from a start position, layer by layer.

    `nodes` are in order of ply; `layers[t]` is the range of those t plies after the start. Nodes where the game is over
    have no children, unless `beyond_lines` lets play go on to a full board. `group` is the group whose orbits are the
    classes; the start node is the canonical form of the start. Raises BudgetError beyond `limit` nodes.

    Cost: about 5 microseconds for each edge and symmetry; 765 nodes and 10 ms for 3x3.
    """

    def __init__(
        self,
        board: Board,
        group: Group | None = None,
        start: Position | None = None,
        *,
        beyond_lines: bool = False,
        to_ply: int | None = None,
        limit: int = 2_000_000,
    ) -> None:
        self.board = board
        self.group = group if group is not None else board.group()
        self.start = start if start is not None else Position(board)
        self.beyond_lines = beyond_lines
        self._limit = limit
        self.nodes: list[Node] = []
        self.layers: list[range] = []
        self._grow(board.cells if to_ply is None else min(to_ply, board.cells))
        self._allowed: dict[MoveRule, list[Mask]] = {}

    def _grow(self, to_ply: int) -> None:
        layer = {self.group.canonical(self.start.x, self.start.o): 0}
        self._add_layer(layer)
        ply = self.start.ply
        while ply < to_ply and layer:
            layer = self._next_layer(ply)
            ply += 1
            if layer:
                self._add_layer(layer)

    def _add_layer(self, layer: dict[tuple[Mask, Mask], int]) -> None:
        first = len(self.nodes)
        if first + len(layer) > self._limit:
            raise BudgetError(
                f"{self.board} has over {self._limit:,} position classes, too many to list in plain Python"
            )
        for x, o in layer:
            stabiliser = sum(1 for image in self.group.images if image(x) == x and image(o) == o)
            self.nodes.append(Node(x, o, self.group.order // stabiliser, self._outcome(x, o)))
        self.layers.append(range(first, len(self.nodes)))

    def _outcome(self, x: Mask, o: Mask) -> Outcome | None:
        has_x, has_o = self.board.has_line(x), self.board.has_line(o)
        if has_x != has_o:
            return "X" if has_x != self.board.misere else "O"
        return "draw" if x | o == self.board.full and not has_x else None

    def _next_layer(self, ply: int) -> dict[tuple[Mask, Mask], int]:
        """Fill in the children of the last layer and return the next one, numbered from the end of `nodes`."""
        full, canonical, x_moves = self.board.full, self.group.canonical, ply % 2 == 0
        found: dict[tuple[Mask, Mask], int] = {}
        base = len(self.nodes)
        for number in self.layers[-1]:
            node = self.nodes[number]
            if node.outcome is not None and not self.beyond_lines:
                continue
            edges: dict[int, Mask] = {}
            x, o = node.x, node.o
            for cell in cells_of(full & ~(x | o)):
                bit = 1 << cell
                child = canonical(x | bit, o) if x_moves else canonical(x, o | bit)
                target = found.setdefault(child, base + len(found))
                edges[target] = edges.get(target, 0) | bit
            node.children = list(edges.items())
        return found

    @cached_property
    def numbers(self) -> dict[tuple[Mask, Mask], int]:
        """The number of each node by its canonical sets."""
        return {(node.x, node.o): number for number, node in enumerate(self.nodes)}

    def number_of(self, x: Mask, o: Mask) -> int:
        """Return the number of the class of a position; KeyError where play from the start does not reach it."""
        return self.numbers[self.group.canonical(x, o)]

    @cached_property
    def values(self) -> list[int]:
        """For each node the value under free play that ends at a line, for X: +1, 0 or -1. One backward pass."""
        from noughts.solving.values import backward_values

        return backward_values(self)

    @cached_property
    def remoteness(self) -> list[int]:
        """For each node the plies to the end under the best of such play, as `backward_remoteness` has it. One pass."""
        from noughts.solving.values import backward_remoteness

        return backward_remoteness(self)

    @cached_property
    def decided(self) -> list[Outcome | None]:
        """For each node the one outcome of all free play that ends at a line, None where it is open. One pass."""
        from noughts.solving.values import backward_decided

        allowed = self.allowed("any")
        return backward_decided(self, allowed, allowed)

    def allowed(self, rule: MoveRule) -> list[Mask]:
        """Return for each node the cells that a rule allows its side to move; all blanks where somebody has a line."""
        if rule not in self._allowed:
            self._allowed[rule] = [self._allowed_at(node, rule) for node in self.nodes]
        return self._allowed[rule]

    def _allowed_at(self, node: Node, rule: MoveRule) -> Mask:
        if node.outcome is not None or rule == "any" or self._over(node):
            return self.board.full & ~(node.x | node.o)
        if rule == "perfect":
            return self._best(node)
        return allowed_cells(self.board, node.x, node.o, rule)

    def _over(self, node: Node) -> bool:
        return self.beyond_lines and self.board.has_line(node.x)

    def _best(self, node: Node) -> Mask:
        """Return the moves that keep the best value for the side to move."""
        sign = 1 if node.x.bit_count() == node.o.bit_count() else -1
        values = [sign * self.values[child] for child, _ in node.children]
        best = max(values, default=0)
        return sum(cells for (_, cells), value in zip(node.children, values, strict=True) if value == best)
