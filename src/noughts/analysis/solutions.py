"""The values that analyses ask for: the engines of `solving`, each within what a person waits for."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from noughts.machine.budget import Limits
from noughts.machine.workers import silent, workers_for
from noughts.rules.board import require_playable
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Outcome, Player
from noughts.rules.position import Position, format_start
from noughts.solving.bounds import surely_drawn
from noughts.solving.classgraph import ClassGraph
from noughts.solving.engines import offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.published import and_known
from noughts.solving.search import NAME
from noughts.solving.solution import Solution

TABLE_SECONDS = 30.0
"""All positions are valued, with plies to the end, where the engine takes that to cost no more than this."""

SEARCH = SearchBudget(position=8_000_000, moves=8_000_000, whole=24_000_000, far=250_000)
"""What a search may spend where that costs more: some seconds, and for a tree what is beyond is absent."""


def solution_for(start: Position, search: SearchBudget = SEARCH) -> Solution:
    """Return the values of the positions that play from `start` reaches, by the cheapest engine that can.

    Raises BudgetError where no engine can.
    """
    require_playable(start.board)
    problem = Problem(start.board, start, remoteness_preferred=True, search=search)
    offer, refusals = offers(problem, Limits.of(time=TABLE_SECONDS))
    if offer is None:
        why = "; ".join(refusal.reason for refusal in refusals)
        raise BudgetError(
            f"{start.board}{format_start(start)} cannot be valued: {why}; ask about a smaller board{and_known(start)}"
        )
    return offer.solve(workers_for(), silent)


def searched_from(start: Position, search: SearchBudget) -> Solution:
    """Return the values from `start` by a search begun anew, which finds the same each time.

    Raises BudgetError where the board is too large for a search.
    """
    offer, refusals = offers(Problem(start.board, start, search=search), Limits.of("1GB"), engine=NAME)
    if offer is None:
        raise BudgetError("; ".join(refusal.reason for refusal in refusals))
    return offer.solve(workers_for(), silent)


class Outcomes:
    """Outcomes under best play of positions below a start. No engine is asked before one look does not tell."""

    def __init__(self, start: Position) -> None:
        self._start = start

    @cached_property
    def solution(self) -> Solution:
        """The solution, made when it is first asked for. Raises BudgetError where no engine can."""
        return solution_for(self._start)

    def outcome(self, position: Position) -> Outcome:
        """Return who wins under best play. Raises BudgetError where no engine finds it."""
        if position.outcome is not None:
            return position.outcome
        if "solution" not in vars(self) and surely_drawn(position):
            return "draw"
        return self.solution.outcome(position)

    def found(self, position: Position) -> Outcome | None:
        """Return who wins under best play, None where no engine finds it."""
        try:
            return self.outcome(position)
        except BudgetError:
            return None


def winning_chances(graph: ClassGraph, player: Player) -> list[Fraction]:
    """Return for each node of a class graph the greatest chance that a player has of winning in the end.

    The opponent chooses every move at random, each cell alike, of those that the edges have. One backward pass.
    """
    chances: dict[int, Fraction] = {}
    for number, node in graph.backward():
        if node.outcome is not None:
            chances[number] = Fraction(node.outcome == player)
        elif graph.game.to_move(node.state) == player:
            chances[number] = max(chances[child] for child, _ in node.children)
        else:
            cells = sum(moves.bit_count() for _, moves in node.children)
            found = sum((chances[child] * moves.bit_count() for child, moves in node.children), Fraction(0))
            chances[number] = found / cells
    return [chances[number] for number in range(len(graph.nodes))]
