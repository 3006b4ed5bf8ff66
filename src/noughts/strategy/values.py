"""Values of positions as the rooms of this package need them: outcome, remoteness, decided, for any position.

Small boards are answered by one backward pass over the class graph in plain Python, larger ones by the engines of
`solving`. Nobody here needs to know which.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.errors import BudgetError
from noughts.domain.extent import LISTED_CLASSES, class_bound
from noughts.domain.game import MarkingGame, Marks
from noughts.domain.position import Outcome, Position
from noughts.machine.budget import default_memory
from noughts.solving.classgraph import ClassGraph
from noughts.solving.engines import Problem, engine_named
from noughts.solving.values import OUTCOME_OF_VALUE

if TYPE_CHECKING:
    from noughts.solving.searching import SearchSolution
    from noughts.solving.solution import Solution

__all__ = [
    "SEARCH_NODES",
    "SEARCH_NODES_IN_ALL",
    "TABLE_SECONDS",
    "GraphValues",
    "SearchValues",
    "SolvedValues",
    "Values",
    "outcome_value",
    "values_for",
]

TABLE_SECONDS = 30.0
"""Tables of all positions are made where the engine takes them to cost no more than this."""

SEARCH_NODES = 8_000_000
"""Positions that a search may open for the value of one position, and for those of all its moves: some seconds."""

SEARCH_NODES_IN_ALL = 3 * SEARCH_NODES
"""Positions that a search may open for all values asked of it, as for a tree; from there on they are absent."""


class Values(Protocol):
    """What is known about the positions of a board under best play."""

    def outcome(self, x: Mask, o: Mask) -> Outcome:
        """Return who wins under best play; of a finished game, who won. Raises BudgetError where it was not found."""

    def remoteness(self, x: Mask, o: Mask) -> int | None:
        """Return the plies to the end: the winner hurries, the loser delays, a draw fills the board; or None."""

    def decided(self, x: Mask, o: Mask) -> bool:
        """Return whether every continuation has the same outcome."""

    def after(self, position: Position) -> dict[Cell, Outcome | None]:
        """Return the outcome after each move of an unfinished position, None where it was not found."""


class GraphValues:
    """Values of all positions that play from a start reaches, over their classes. Cost: that of the class graph."""

    def __init__(self, start: Position) -> None:
        self.graph = ClassGraph(MarkingGame(start.board, start))

    def outcome(self, x: Mask, o: Mask) -> Outcome:
        """Return who wins under best play."""
        return OUTCOME_OF_VALUE[self.graph.values[self.graph.number_of(Marks(x, o))]]

    def remoteness(self, x: Mask, o: Mask) -> int:
        """Return the plies to the end."""
        return self.graph.remoteness[self.graph.number_of(Marks(x, o))]

    def decided(self, x: Mask, o: Mask) -> bool:
        """Return whether every continuation has the same outcome."""
        return self.graph.decided[self.graph.number_of(Marks(x, o))] is not None

    def after(self, position: Position) -> dict[Cell, Outcome | None]:
        """Return the outcome after each move."""
        children = {cell: position.play(cell) for cell in cells_of(position.blanks)}
        return {cell: self.outcome(child.x, child.o) for cell, child in children.items()}


class SolvedValues:
    """Values from a solution of the board that knows every position, by tables."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    def outcome(self, x: Mask, o: Mask) -> Outcome:
        """Return who wins under best play."""
        return self.solution.outcome(Position(self.solution.board, x, o))

    def remoteness(self, x: Mask, o: Mask) -> int | None:
        """Return the plies to the end."""
        return self.solution.remoteness(Position(self.solution.board, x, o))

    def decided(self, x: Mask, o: Mask) -> bool:
        """Return whether every continuation has the same outcome."""
        return self.solution.is_decided(Position(self.solution.board, x, o))

    def after(self, position: Position) -> dict[Cell, Outcome | None]:
        """Return the outcome after each move."""
        return {move.cell: move.outcome for move in self.solution.moves(position)}


class SearchValues(SolvedValues):
    """Values by search, position by position, each within a budget of nodes; of won games the plies are not known."""

    def __init__(self, solution: SearchSolution) -> None:
        super().__init__(solution)
        self._search = solution

    def outcome(self, x: Mask, o: Mask) -> Outcome:
        """Return who wins under best play. Raises BudgetError after SEARCH_NODES nodes without an answer."""
        position = Position(self._search.board, x, o)
        nodes = min(SEARCH_NODES, SEARCH_NODES_IN_ALL - self._search.nodes)
        found = self._search.evaluate_within(position, nodes) if nodes > 0 or position.is_terminal else None
        if found is None:
            raise BudgetError(
                f"{position} of {position.board} was not settled by a search of {SEARCH_NODES:,} positions: "
                f"ask noughts solve, or about a later position"
            )
        return found.outcome

    def after(self, position: Position) -> dict[Cell, Outcome | None]:
        """Return the outcome after each move, None where it was not found, or where the budget of all is spent."""
        if self._search.nodes < SEARCH_NODES_IN_ALL:
            return super().after(position)
        return {cell: position.play(cell).outcome for cell in cells_of(position.blanks)}

    def remoteness(self, x: Mask, o: Mask) -> int | None:
        """Return the plies to the end where they are known without tables: of drawn and of finished games."""
        position = Position(self._search.board, x, o)
        if position.is_terminal:
            return 0
        return position.blanks.bit_count() if self.outcome(x, o) == "draw" else None


def outcome_value(outcome: Outcome) -> int:
    """Return the value for X of an outcome: +1, 0 or -1."""
    return {"X": 1, "draw": 0, "O": -1}[outcome]


@lru_cache(maxsize=8)
def values_for(start: Position) -> Values:
    """Return the values of the positions that play from `start` reaches, by the cheapest engine that can.

    Raises BudgetError where no engine can.
    """
    if class_bound(start) <= LISTED_CLASSES:
        return GraphValues(start)
    tables, problem = engine_named("retrograde"), Problem(start.board, start if start.ply else None, remoteness=True)
    if tables.refusal(problem) is None:
        cost = tables.estimate(problem)
        if cost.seconds <= TABLE_SECONDS and cost.memory <= default_memory():
            return SolvedValues(tables.solve(problem, threads=2, progress=None))
    search = Problem(start.board, start)
    if (why := engine_named("search").refusal(search)) is not None:
        raise BudgetError(f"{start} of {start.board} cannot be valued: {why}; ask about a smaller board")
    from noughts.solving.searching import SearchSolution

    return SearchValues(SearchSolution(start.board, move_nodes=SEARCH_NODES))
