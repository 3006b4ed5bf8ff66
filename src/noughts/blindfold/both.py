"""Both players blind: certified bounds on the value, from mixed strategies and exact best responses to them.

One player plays a mix of plans, each in a random image under the symmetries of the board. The other player, blind too,
has a best response, found exactly over all histories. Its belief says which of the plans may be in play, and how far
each has come. The payoff of the best response is a bound on the value. The responses become new plans (*double
oracle*). A small linear program mixes them; its floating point does not matter, since any mix gives a true bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from noughts.blindfold.beliefs import MergedGame, remembered
from noughts.blindfold.game import Answer, BlindRules, Plan
from noughts.blindfold.inquiry import BlindAnswer, Inquiry
from noughts.blindfold.pure import Analysis
from noughts.machine.linear import Program
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, cells_of
from noughts.rules.symmetry import Permutation

_FREE, _TAKEN = Answer("free"), Answer("taken")
_SHARES = 2_000
"""Mixes are rounded to this many shares."""

Weighted = tuple[int, Plan]
Agent = tuple[int, Plan | None, Mask]
"""A plan that the opponent may be playing: its number, its current place, its marks."""


def image_of_plan(plan: Plan, g: Permutation) -> Plan:
    """Return the image of a plan under a symmetry."""
    return Plan(g[plan.call], {answer: image_of_plan(below, g) for answer, below in plan.branches.items()})


class Response:
    """The best response of `player`, who hears only of own collisions, to a mix of plans of the other player.

    Payoffs are +1, 0, -1 for `player`. Cost, in time and memory: the histories in which the plans act differently.
    """

    def __init__(self, board: Board, player: str, mix: Sequence[Weighted]) -> None:
        self.board, self.player = board, player
        self._weights = [weight for weight, _ in mix]
        self._lines = [board.has_line(marks) for marks in range(1 << board.cells)]
        self._won = 1 if board.rules.line_wins else -1
        self._known: dict[tuple[Mask, Mask, tuple[tuple[int, int], ...]], tuple[int, int]] = {}
        agents: list[Agent] = [(i, plan, 0) for i, (_, plan) in enumerate(mix)]
        self._base, self._start = self._moved(agents, 0) if player == "O" else (0, tuple(agents))

    def value(self) -> Fraction:
        """Return the average payoff of the best response."""
        return Fraction(self._base + self._best(0, 0, self._start)[0], sum(self._weights))

    def plan(self) -> Plan:
        """Return the best response as a plan that is complete against every opponent; call `value` first."""
        plan = self._plan(0, 0, self._start)
        assert plan is not None
        return plan

    def _moved(self, agents: Sequence[Agent], mine: Mask) -> tuple[int, tuple[Agent, ...]]:
        """Let every agent move; return the payoff of games that end, and the remaining agents."""
        payoff, going = 0, []
        for number, plan, marks in agents:
            assert plan is not None
            while mine >> plan.call & 1:
                plan = plan.branches[_TAKEN]
            marks |= 1 << plan.call
            if self._lines[marks]:
                payoff -= self._won * self._weights[number]
            elif marks | mine != self.board.full:
                going.append((number, plan.branches.get(_FREE), marks))
        return payoff, tuple(going)

    def _call(
        self, own: Mask, agents: tuple[Agent, ...], cell: int
    ) -> tuple[int, tuple[Agent, ...], tuple[Agent, ...]]:
        """Return the payoff of games that end on a call, and the agents for which the cell was free, and taken."""
        after = own | 1 << cell
        taken = tuple(agent for agent in agents if agent[2] >> cell & 1)
        free = [agent for agent in agents if not agent[2] >> cell & 1]
        if self._lines[after]:
            return self._won * sum(self._weights[number] for number, _, _ in free), (), taken
        payoff, going = self._moved([agent for agent in free if agent[2] | after != self.board.full], after)
        return payoff, going, taken

    def _best(self, own: Mask, called: Mask, agents: tuple[Agent, ...]) -> tuple[int, int]:
        if not agents:
            return 0, -1
        key = (own, called, tuple((number, id(plan)) for number, plan, _ in agents))
        found = self._known.get(key)
        if found is None:
            options = []
            for cell in range(self.board.cells):
                if not called >> cell & 1:
                    payoff, free, taken = self._call(own, agents, cell)
                    payoff += self._best(own | 1 << cell, called | 1 << cell, free)[0]
                    payoff += self._best(own, called | 1 << cell, taken)[0]
                    options.append((payoff, -cell))
            most, cell = max(options)
            found = self._known[key] = most, -cell
        return found

    def _plan(self, own: Mask, called: Mask, agents: tuple[Agent, ...]) -> Plan | None:
        if not agents:
            return self._otherwise(own, called)
        cell = self._best(own, called, agents)[1]
        _, free, taken = self._call(own, agents, cell)
        barred = called | 1 << cell
        return _plan_of(cell, self._plan(own | 1 << cell, barred, free), self._plan(own, barred, taken))

    @remembered
    def _otherwise(self, own: Mask, called: Mask) -> Plan | None:
        """Return a plan for histories that the mix never reaches: lines first, then the cells on most lines."""
        through = self.board.lines_through
        ranked = (
            (self._won * self._lines[own | 1 << c], len(through[c]), -c) for c in cells_of(self.board.full & ~called)
        )
        best = max(ranked, default=None)
        if best is None:
            return None
        cell = -best[2]
        barred = called | 1 << cell
        return _plan_of(cell, self._otherwise(own | 1 << cell, barred), self._otherwise(own, barred))


def _plan_of(cell: int, free: Plan | None, taken: Plan | None) -> Plan:
    return Plan(cell, {answer: plan for answer, plan in ((_FREE, free), (_TAKEN, taken)) if plan is not None})


def play_out(board: Board, x_plan: Plan, o_plan: Plan) -> int:
    """Return the payoff for X when two plans meet."""
    marks, plans, turn = [0, 0], [x_plan, o_plan], 0
    while True:
        while marks[1 - turn] >> plans[turn].call & 1:
            plans[turn] = plans[turn].branches[_TAKEN]
        plan = plans[turn]
        marks[turn] |= 1 << plan.call
        outcome = board.rules.outcome(board, *marks)
        if outcome is not None:
            return {"X": 1, "draw": 0, "O": -1}[outcome]
        if _FREE in plan.branches:
            plans[turn] = plan.branches[_FREE]
        turn = 1 - turn


@dataclass(frozen=True)
class PhantomBounds:
    """Bounds on X's value with both players blind, and the mixes that prove them: plans with integer weights.

    X, playing `x_mix` in random images, gets at least `lower` on average; O, playing `o_mix`, gives at most `upper`.
    """

    lower: Fraction
    upper: Fraction
    x_mix: tuple[Weighted, ...]
    o_mix: tuple[Weighted, ...]


def phantom_bounds(board: Board, x_plans: Sequence[Plan], o_plans: Sequence[Plan], rounds: int = 8) -> PhantomBounds:
    """Return the best bounds of `rounds` rounds of best responses, from plans that are complete for a blind player.

    The players hear only of collisions, and call again after them. Cost on 3x3: seconds for 8 rounds, minutes for 40.
    """
    xs, os, group = list(x_plans), list(o_plans), board.group().elements
    payoffs = [[_payoff(board, x, o) for o in os] for x in xs]
    lower = upper = None
    x_best: tuple[Weighted, ...] = ()
    o_best: tuple[Weighted, ...] = ()
    for _ in range(rounds):
        x_shares, o_shares = _equilibrium(payoffs)
        x_mix = tuple((share, plan) for share, plan in zip(x_shares, xs, strict=True) if share)
        o_mix = tuple((share, plan) for share, plan in zip(o_shares, os, strict=True) if share)
        o_answer = Response(board, "O", [(share, image_of_plan(plan, g)) for share, plan in x_mix for g in group])
        x_answer = Response(board, "X", [(share, image_of_plan(plan, g)) for share, plan in o_mix for g in group])
        low, high = -o_answer.value(), x_answer.value()
        if lower is None or low > lower:
            lower, x_best = low, x_mix
        if upper is None or high < upper:
            upper, o_best = high, o_mix
        if lower == upper:
            break
        xs.append(x_answer.plan())
        os.append(o_answer.plan())
        payoffs = [[*row, _payoff(board, x, os[-1])] for row, x in zip(payoffs, xs, strict=False)]
        payoffs.append([_payoff(board, xs[-1], o) for o in os])
    assert lower is not None
    assert upper is not None
    return PhantomBounds(lower, upper, x_best, o_best)


def _payoff(board: Board, x_plan: Plan, o_plan: Plan) -> int:
    """Return the sum of X's payoffs over all images of O's plan."""
    return sum(play_out(board, x_plan, image_of_plan(o_plan, g)) for g in board.group().elements)


def _equilibrium(payoffs: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return optimal mixes of rows and columns in integer shares."""
    program = Program()
    rows = [program.column(signed=True) for _ in payoffs]
    value = program.column(signed=False)
    program.cost[value] = -1
    prices = [
        program.row({value: 1, **{row: -payoffs[i][j] for i, row in enumerate(rows)}}) for j in range(len(payoffs[0]))
    ]
    program.row(dict.fromkeys(rows, 1), 1, equal=True)
    program.solve()
    return _shares([program.primal[row] for row in rows]), _shares([-program.dual[row] for row in prices])


def _shares(weights: list[int]) -> list[int]:
    total = sum(max(weight, 0) for weight in weights)
    return [(2 * _SHARES * max(weight, 0) + total) // (2 * total) for weight in weights]


# Both players blind: the size of the game, and bounds on its value.
#
# A player's information set is the history of own calls and answers. The possible histories do not depend on whether
# the opponent sees: a blind opponent can make every sequence of moves of a sighted one, since its collisions leave no
# trace. So each player's histories are counted in the game where only that player is blind.

_CELL_LIMIT = 12
_ROUNDS = 40
"""Rounds of best responses: a minute or two on 3x3."""


def both_blind(board: Board, rules: BlindRules, wanted: set[str]) -> BlindAnswer:
    """Return sizes for both players, and bounds on X's value.

    X gets at least the value of a blind X against a sighted O. X gets at most the value of a sighted X against a blind
    O, because seeing more never hurts. With `value` in `wanted`, linear programs and `phantom_bounds` tighten the
    bounds.

    Raises BudgetError on boards of more than 12 cells, and where a program is too large.
    """
    if board.cells > _CELL_LIMIT:
        raise BudgetError(
            f"histories are counted for boards of up to {_CELL_LIMIT} cells, but {board} has {board.cells}"
        )
    sighted: dict[str, BlindRules] = {player: replace(rules, blind=player) for player in ("X", "O")}
    sizes = {player: Analysis(MergedGame(board, one)).histories() for player, one in sighted.items()}
    answers = [Inquiry(board, one, "win-often", wanted & {"value"}).answer() for one in sighted.values()]
    x_blind, o_blind = (answer.value_bounds for answer in answers)
    low, high = x_blind[0] if x_blind else Fraction(-1), -o_blind[0] if o_blind else Fraction(1)
    proof = "a blind X against a sighted O, and a sighted X against a blind O"
    plans = [plan for answer in answers if answer.strategy is not None for plan in answer.strategy.branches.values()]
    if "value" in wanted and rules.names_none and low < high and len(plans) == 2:
        bounds = phantom_bounds(board, plans[:1], plans[1:], rounds=_ROUNDS)
        low, high = max(low, bounds.lower), min(high, bounds.upper)
        proof = "mixed strategies of both players and the best responses to them, computed exactly"
    return BlindAnswer(
        board,
        rules,
        "never-lose",
        value=low if low == high else None,
        value_bounds=(low, high),
        value_proof=proof,
        sizes=sizes,
        left_out=() if "value" in wanted or low == high else ("value",),
        parts=tuple(sorted(wanted)),
    )
