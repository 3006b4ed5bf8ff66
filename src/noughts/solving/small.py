"""Solutions in plain Python: boards, or ends of games, so small that nothing need be compiled."""

from __future__ import annotations

from functools import cached_property

from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.errors import InvalidPosition
from noughts.domain.game import Marks
from noughts.domain.position import Position
from noughts.domain.symmetry import Group
from noughts.solving.classgraph import ClassGraph, class_graph
from noughts.solving.plies import PlyValues, Split
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import OUTCOME_OF_VALUE

__all__ = ["SmallSolution"]


class SmallSolution(Solution):
    """Values from one class graph: all that play from a start position reaches. See `ClassGraph` for the cost."""

    engine = "retrograde"

    def __init__(self, board: Board, start: Position | None = None) -> None:
        super().__init__(board, start)
        whole = start is None or start.ply == 0
        graph = class_graph(board, start, group=None if whole else Group.trivial(board.cells))
        vars(self).update(graph=graph)

    graph: ClassGraph[Marks]
    """What was gone through: classes from the empty board, positions from a later start."""

    def __reduce__(self) -> tuple[type[SmallSolution], tuple[Board, Position]]:
        return SmallSolution, (self.board, self.start)

    @cached_property
    def _classes(self) -> dict[tuple[Mask, Mask], int]:
        """One position of each class that is reached, by the canonical form under all symmetries of the board."""
        canonical = self.board.group().canonical
        return {canonical(node.state.x, node.state.o): number for number, node in enumerate(self.graph.nodes)}

    def _number(self, position: Position) -> int:
        """Return the number of a position, or of one symmetric to it: play from a start need not reach the others."""
        try:
            return self.graph.number_of(Marks(position.x, position.o))
        except KeyError:
            found = self._classes.get(self.board.group().canonical(position.x, position.o))
        if found is None:
            raise InvalidPosition(
                f"{position} is not known: the solution has what play from {self.start} reaches; solve for it anew"
            )
        return found

    def _evaluate_open(self, position: Position) -> Evaluation:
        number = self._number(position)
        outcome = OUTCOME_OF_VALUE[self.graph.values[number]]
        return Evaluation(outcome, self.graph.remoteness[number], f"retrograde: {self._valued()}")

    def _valued(self) -> str:
        """What was valued: classes where symmetric positions are one node of the graph, else positions."""
        many = len(self.graph.nodes)
        if self.graph.game.group.order == 1:
            return f"all {many:,} positions valued" if many > 1 else "one position valued"
        return f"all {many:,} classes valued"

    def is_decided(self, position: str | Position | None = None) -> bool:
        """Tell whether every continuation has the same outcome."""
        at = self._position(position)
        return at.is_terminal or self.graph.decided[self._number(at)] is not None

    def plies(self) -> tuple[PlyValues, ...]:
        """Return how the values of all positions are distributed; from a later start, of those that it reaches."""
        rows = []
        for ply, numbers in enumerate(self.graph.layers, self.graph.game.ply(self.graph.game.start)):
            counts = {value: [0, 0] for value in OUTCOME_OF_VALUE}
            for number in numbers:
                count = counts[self.graph.values[number]]
                count[0] += self.graph.nodes[number].orbit
                count[1] += 1
            labelled, symmetry = (Split(counts[1][i], counts[0][i], counts[-1][i]) for i in (0, 1))
            rows.append(PlyValues(ply, labelled, symmetry))
        return tuple(rows)
