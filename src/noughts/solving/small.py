"""Solutions in plain Python: boards, or ends of games, so small that nothing need be compiled."""

from __future__ import annotations

from noughts.domain.board import Board
from noughts.domain.game import MarkingGame, Marks
from noughts.domain.position import Position
from noughts.domain.symmetry import Group
from noughts.solving.classgraph import ClassGraph
from noughts.solving.plies import PlyValues, Split
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.values import OUTCOME_OF_VALUE

__all__ = ["SmallSolution"]


class SmallSolution(Solution):
    """Values from one class graph: all that play from a start position reaches. See `ClassGraph` for the cost."""

    engine = "retrograde"

    def __init__(self, board: Board, start: Position | None = None) -> None:
        super().__init__(board)
        whole = start is None or start.ply == 0
        self._graph = ClassGraph(MarkingGame(board, start, group=None if whole else Group.trivial(board.cells)))

    def _evaluate_open(self, position: Position) -> Evaluation:
        number = self._graph.number_of(Marks(position.x, position.o))
        outcome = OUTCOME_OF_VALUE[self._graph.values[number]]
        return Evaluation(
            outcome, self._graph.remoteness[number], f"retrograde: all {len(self._graph.nodes):,} classes valued"
        )

    def plies(self) -> tuple[PlyValues, ...]:
        """Return how the values of all positions are distributed; from a later start, of those that it reaches."""
        rows = []
        for ply, numbers in enumerate(self._graph.layers, self._graph.game.ply(self._graph.game.start)):
            counts = {value: [0, 0] for value in OUTCOME_OF_VALUE}
            for number in numbers:
                count = counts[self._graph.values[number]]
                count[0] += self._graph.nodes[number].orbit
                count[1] += 1
            labelled, symmetry = (Split(counts[1][i], counts[0][i], counts[-1][i]) for i in (0, 1))
            rows.append(PlyValues(ply, labelled, symmetry))
        return tuple(rows)
