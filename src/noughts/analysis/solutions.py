"""The values for analyses: the engines of `solving`, within limits of time that suit people."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from noughts.machine.budget import Limits
from noughts.machine.workers import silent, workers_for
from noughts.rules.board import require_playable
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Outcome, Player
from noughts.rules.position import Position, format_start
from noughts.solving import retrograde
from noughts.solving.bounds import surely_drawn
from noughts.solving.classgraph import ClassGraph
from noughts.solving.engines import COLUMNS, offers
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.published import and_known
from noughts.solving.search import NAME
from noughts.solving.solution import Solution

TABLE_SECONDS = 30.0
"""All positions are valued, with plies to the end, if the estimate is at most this."""

SEARCH = SearchBudget(position=8_000_000, moves=8_000_000, whole=24_000_000, far=250_000)
"""The budget of a search if tables cost more: some seconds. A tree leaves out what the search did not find."""


SECONDS = 8.0
"""Where no search exists, all positions below one are valued, if the estimate is at most this."""


def solution_for(start: Position, search: SearchBudget = SEARCH, *, soon: bool = False) -> Solution:
    """Return the values of the positions that play from `start` reaches, by the cheapest engine.

    With `soon` it takes SECONDS at most where no search exists. Raises BudgetError if no engine can value them.
    """
    require_playable(start.board)
    problem = Problem(start.board, start, remoteness_preferred=True, search=search)
    offer, refusals = offers(problem, Limits.of(time=TABLE_SECONDS if has_search(start) or not soon else SECONDS))
    if offer is None:
        why = "; ".join(refusal.reason for refusal in refusals)
        raise BudgetError(
            f"{start.board}{format_start(start)} cannot be valued: {why}; ask about a smaller board{and_known(start)}"
        )
    return offer.solve(workers_for(), silent)


def has_search(start: Position) -> bool:
    """Return whether an engine can search from a position, without values of all below it."""
    return start.board.rules.by_column or start.board.rules.is_marking


def searched_from(start: Position, search: SearchBudget) -> Solution:
    """Return the values from `start` by a new search, which finds the same each time, or by all positions below it.

    Raises BudgetError if the board is too large.
    """
    rules = start.board.rules
    engine = COLUMNS if rules.by_column else NAME if rules.is_marking else retrograde.NAME
    limits = Limits.of("1GB", None if has_search(start) else SECONDS)
    offer, refusals = offers(Problem(start.board, start, search=search), limits, engine=engine)
    if offer is None:
        raise BudgetError("; ".join(refusal.reason for refusal in refusals))
    return offer.solve(workers_for(), silent)


class Outcomes:
    """Outcomes under best play of positions below a start. An engine starts only if a quick bound does not decide."""

    def __init__(self, start: Position) -> None:
        self._start = start

    @cached_property
    def solution(self) -> Solution:
        """The solution, made on first use. Raises BudgetError if no engine can value the positions."""
        return solution_for(self._start)

    def outcome(self, position: Position) -> Outcome:
        """Return the outcome under best play. Raises BudgetError if no engine finds it."""
        if position.outcome is not None:
            return position.outcome
        if "solution" not in vars(self) and surely_drawn(position):
            return "draw"
        return self.solution.outcome(position)

    def found(self, position: Position) -> Outcome | None:
        """Return the outcome under best play, None if no engine finds it."""
        try:
            return self.outcome(position)
        except BudgetError:
            return None


def winning_chances(graph: ClassGraph, player: Player) -> list[Fraction]:
    """Return for each node of a class graph the greatest chance that a player can have to win.

    The opponent chooses every move at random, each cell of the edges equally likely. One backward pass.
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
