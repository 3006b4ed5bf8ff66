"""Both players blind: the value in mixed strategies, from a linear program over one player's calls.

X's mixed strategy is a flow through X's information sets (*sequence form*). O answers with plans: each is the best
response to X's last mix, and one more row of the program (*double oracle*). The prices of these rows mix O's plans.
Every mix is played in a random image under the symmetries of the board. The program's floating point does not matter:
the shares are rounded to fractions, and the best response to any mix gives a true bound.

Three facts keep the game small. A call that would complete a line comes first: if the cell is taken, nothing is lost.
The order of the calls of one turn does not matter. The last blank cell needs no call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from operator import itemgetter
from typing import Any

from noughts.blindfold.beliefs import MergedGame, remembered
from noughts.blindfold.certificate import plan_from_json
from noughts.blindfold.game import PROOF_FORMAT, Answer, BlindRules, Plan, board_word, plan_to_json
from noughts.blindfold.inquiry import BlindAnswer, Inquiry
from noughts.blindfold.pure import Analysis
from noughts.known import phantoms
from noughts.machine.linear import BITS, Program
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidQuestion
from noughts.rules.marks import Cell, Mask, cells_of
from noughts.rules.symmetry import Permutation

_FREE, _TAKEN = Answer("free"), Answer("taken")
_NEAR = 1e-7
"""Bounds in floating point that are as near as this are taken for equal, until they are computed exactly."""

_NOTHING = 1 << BITS - 30
"""A weight up to this one counts as zero."""

_DIGITS = (4, 12, 24)
"""Digits of the denominators to try; the solution is refined before each except the first."""

Weighted = tuple[int, Plan]
Agent = tuple[int, Plan | None, Mask]
"""A plan that the opponent may be playing: its weight, its current place, its marks."""


def image_of_plan(plan: Plan, g: Permutation) -> Plan:
    """Return the image of a plan under a symmetry."""
    return Plan(g[plan.call], {answer: image_of_plan(below, g) for answer, below in plan.branches.items()})


_CELL_LIMIT = 12


def _too_large(board: Board) -> BudgetError:
    return BudgetError(f"two blind players on {board} need a linear program that is too large: try 3x3 or 2x4:3")


class Phantom:
    """The game of one player, who hears only of own collisions, against a mix of plans of the other player.

    Payoffs are +1, 0, -1 for `player`, times the weights of the plans.
    """

    def __init__(self, board: Board, player: str) -> None:
        if board.cells > _CELL_LIMIT:
            raise _too_large(board)
        self.board, self.player, self.group = board, player, board.group().elements
        self.lines = [board.has_line(marks) for marks in range(1 << board.cells)]
        self.won = 1 if board.rules.line_wins else -1
        self._fixing = {0: self.group}

    def begun(self, mix: Sequence[Weighted]) -> tuple[int, tuple[Agent, ...]]:
        """Return the payoff of games over before the first call, and the agents: each plan in all images."""
        agents: list[Agent] = [(weight, image_of_plan(plan, g), 0) for weight, plan in mix for g in self.group]
        return self._moved(agents, 0) if self.player == "O" else (0, tuple(agents))

    def calls(self, own: Mask, called: Mask) -> list[Cell]:
        """Return the calls to choose from: one that would complete a line, else one of each set of equivalent ones."""
        cells = list(cells_of(self.board.full & ~called))
        winning = [cell for cell in cells if self.won > 0 and self.lines[own | 1 << cell]]
        if winning:
            return winning[:1]
        group = self._fixing.get(called)
        if group is None:
            group = tuple(g for g in self.group if all(g[cell] == cell for cell in cells_of(called)))
            self._fixing[called] = group
        return [cell for cell in cells if all(g[cell] >= cell for g in group)]

    def is_over(self, own: Mask) -> bool:
        """Whether the player with these marks, who is to move, has at most the last blank cell left."""
        return 2 * own.bit_count() + (self.player == "O") + 1 >= self.board.cells

    def _moved(self, agents: Sequence[Agent], mine: Mask) -> tuple[int, tuple[Agent, ...]]:
        """Let every agent move; return the payoff of games that end, also by the last blank, and the other agents."""
        payoff, going = 0, list[Agent]()
        for weight, plan, marks in agents:
            blank = self.board.full & ~(marks | mine)
            if blank & blank - 1:
                assert plan is not None
                while mine >> plan.call & 1:
                    plan = plan.branches[_TAKEN]
                blank = 1 << plan.call
                plan = plan.branches.get(_FREE)
            marks |= blank
            blank = self.board.full & ~(marks | mine)
            if self.lines[marks]:
                payoff -= self.won * weight
            elif blank & blank - 1:
                going.append((weight, plan, marks))
            elif blank and self.lines[mine | blank]:
                payoff += self.won * weight
        return payoff, tuple(going)

    def call(
        self, own: Mask, agents: tuple[Agent, ...], cell: Cell
    ) -> tuple[int, tuple[Agent, ...], tuple[Agent, ...]]:
        """Return the payoff of games that end on a call, and the agents for which the cell was free, and taken."""
        after = own | 1 << cell
        taken = tuple(agent for agent in agents if agent[2] >> cell & 1)
        free = [agent for agent in agents if not agent[2] >> cell & 1]
        if self.lines[after]:
            return self.won * sum(weight for weight, _, _ in free), (), taken
        payoff, going = self._moved([agent for agent in free if agent[2] | after != self.board.full], after)
        return payoff, going, taken

    @remembered
    def otherwise(self, own: Mask, called: Mask) -> Plan | None:
        """Return a plan for histories that no agent reaches: lines first, then the cells on most lines."""
        if self.is_over(own):
            return None
        through = self.board.lines_through
        ranked = (
            (self.won * self.lines[own | 1 << c], len(through[c]), -c) for c in cells_of(self.board.full & ~called)
        )
        cell = -max(ranked)[2]
        return self.onward(cell, own, called, self.otherwise(own | 1 << cell, called | 1 << cell), None)

    def onward(self, cell: Cell, own: Mask, called: Mask, free: Plan | None, taken: Plan | None) -> Plan:
        """Return the plan that calls a cell, and then follows these plans where the game can continue."""
        possible = (called & ~own).bit_count() < own.bit_count() + (self.player == "O")
        if possible and taken is None:
            taken = self.otherwise(own, called | 1 << cell)
        below = ((_FREE, None if self.lines[own | 1 << cell] else free), (_TAKEN, taken if possible else None))
        return Plan(cell, {answer: plan for answer, plan in below if plan is not None})


class Response:
    """The best response of the phantom game's player to a mix of plans of the other player."""

    def __init__(self, game: Phantom, mix: Sequence[Weighted]) -> None:
        self.game = game
        self._known: dict[tuple[Mask, Mask, tuple[tuple[int, Mask], ...]], tuple[int, Cell]] = {}
        self._base, self._start = game.begun(mix)
        self._total = sum(weight for weight, _ in mix) * len(game.group)

    def value(self) -> Fraction:
        """Return the average payoff of the best response."""
        return Fraction(self._base + self._best(0, 0, self._start)[0], self._total)

    def plan(self) -> Plan:
        """Return the best response as a plan that is complete against every opponent."""
        plan = self._plan(0, 0, self._start)
        assert plan is not None
        return plan

    def _best(self, own: Mask, called: Mask, agents: tuple[Agent, ...]) -> tuple[int, Cell]:
        if not agents:
            return 0, -1
        key = (own, called, tuple((id(plan), marks) for _, plan, marks in agents))
        found = self._known.get(key)
        if found is None:
            options = []
            for cell in self.game.calls(own, called):
                payoff, free, taken = self.game.call(own, agents, cell)
                payoff += self._best(own | 1 << cell, called | 1 << cell, free)[0]
                payoff += self._best(own, called | 1 << cell, taken)[0]
                options.append((payoff, -cell))
            most, cell = max(options)
            found = self._known[key] = most, -cell
        return found

    def _plan(self, own: Mask, called: Mask, agents: tuple[Agent, ...]) -> Plan | None:
        if not agents:
            return self.game.otherwise(own, called)
        cell = self._best(own, called, agents)[1]
        _, free, taken = self.game.call(own, agents, cell)
        barred = called | 1 << cell
        below = self._plan(own | 1 << cell, barred, free), self._plan(own, barred, taken)
        return self.game.onward(cell, own, called, *below)


# X's information sets, up to symmetry, and flows through them.

_SET_LIMIT = 20_000

Below = tuple[int, int | None, int | None]
"""The column of a call, and the information sets after it: where the cell is free, and where it is taken."""


class Flows:
    """The linear program of X's mixed strategies: a column for each call, a row for each information set.

    `plans` are those of O that were added, each a row. Raises BudgetError on a board with too many information sets.
    """

    def __init__(self, game: Phantom) -> None:
        self.game, self.program, self.plans = game, Program(), list[Plan]()
        self._sets: list[tuple[Mask, Mask, dict[Cell, Below]]] = []
        self._numbers: dict[tuple[tuple[tuple[Mask, Cell], ...], Mask], int] = {}
        self._value = self.program.column(signed=False)
        self.program.cost[self._value] = -1
        rows: list[dict[int, int]] = []
        self._set(0, 0, (), 0, rows)
        for number, row in enumerate(rows):
            self.program.row(row, int(number == 0), equal=True)
        self._first = len(rows)

    def add(self, plan: Plan) -> None:
        """Add a row: X's value is at most the payoff against a plan of O, in all images."""
        self.plans.append(plan)
        payoffs = self._against(plan)
        self.program.row({self._value: len(self.game.group), **{column: -payoffs[column] for column in payoffs}})

    def high(self) -> float:
        """Return X's value against the plans so far."""
        return self.program.primal[self._value] / (1 << BITS)

    def x_mix(self, limit: int) -> tuple[Weighted, ...]:
        """Return X's solution as a mix of plans. `limit` is the largest denominator of a share."""
        return _mix(self._plans(self.program.primal), limit)

    def o_mix(self, limit: int) -> tuple[Weighted, ...]:
        """Return the mix of O's plans by their prices. `limit` is the largest denominator of a share."""
        return _mix(zip(map(abs, self.program.dual[self._first :]), self.plans, strict=True), limit)

    def _set(
        self, own: Mask, found: Mask, turns: tuple[tuple[Mask, Cell], ...], now: Mask, rows: list[dict[int, int]]
    ) -> int:
        """Return the number of an information set: what X found, and marked, in each turn; and finds `now`."""
        if (turns, now) in self._numbers:
            return self._numbers[turns, now]
        number = self._numbers[turns, now] = len(self._sets)
        if number == _SET_LIMIT:
            raise _too_large(self.game.board)
        calls: dict[Cell, Below] = {}
        self._sets.append((own, own | found, calls))
        rows.append({})
        for cell in self.game.calls(own, own | found):
            free = taken = None
            column, after = self.program.column(signed=True), own | 1 << cell
            if not (self.game.lines[after] or self.game.is_over(after)):
                free = self._set(after, found, (*turns, (now, cell)), 0, rows)
            if found.bit_count() < own.bit_count():
                taken = self._set(own, found | 1 << cell, turns, now | 1 << cell, rows)
            calls[cell] = column, free, taken
            rows[number][column] = 1
            for below in (free, taken):
                if below is not None:
                    rows[below][column] = -1
        return number

    def _against(self, plan: Plan) -> dict[int, int]:
        """Return X's payoff by column against all images of a plan of O."""
        _, agents = self.game.begun([(1, plan)])
        found: dict[int, int] = {}
        waiting, seen = [(0, agents)], {0}
        while waiting:
            number, agents = waiting.pop()
            own, _, calls = self._sets[number]
            for cell, (column, *below) in calls.items():
                payoff, *answered = self.game.call(own, agents, cell)
                if payoff:
                    found[column] = payoff
                for following, left in zip(below, answered, strict=True):
                    if following is not None and following not in seen and left:
                        seen.add(following)
                        waiting.append((following, left))
        return found

    def _plans(self, flow: Sequence[int]) -> Iterator[Weighted]:
        """Yield plans with weights that together have this flow."""
        left, share = list(flow), 1
        while share > 0:
            used: list[int] = []
            plan = self._plan(0, left, used)
            share = min(left[column] for column in used)
            for column in used:
                left[column] -= share
            if plan is not None:
                yield share, plan

    def _plan(self, number: int | None, flow: Sequence[int], used: list[int]) -> Plan | None:
        """Return the plan that follows the largest flow, and note its columns."""
        if number is None:
            return None
        own, called, calls = self._sets[number]
        cell = max(calls, key=lambda cell: flow[calls[cell][0]])
        column, *below = calls[cell]
        used.append(column)
        free, taken = (self._plan(following, flow, used) for following in below)
        return self.game.onward(cell, own, called, free, taken)


@dataclass(frozen=True)
class PhantomBounds:
    """Bounds on X's value with both players blind, and the mixes that prove them: plans with integer weights.

    X, playing `x_mix` in random images, gets at least `lower` on average; O, playing `o_mix`, gives at most `upper`.
    """

    lower: Fraction
    upper: Fraction
    x_mix: tuple[Weighted, ...]
    o_mix: tuple[Weighted, ...]


def has_value(board: Board) -> bool:
    """Return whether the program of the value with both players blind is small enough. Cost: part of a second."""
    try:
        return board.cells > 2 and bool(Flows(Phantom(board, "X")))
    except BudgetError:
        return False


@lru_cache(maxsize=4)
def phantom_bounds(board: Board, rounds: int = 400) -> PhantomBounds:
    """Return the value with both players blind, or the bounds after `rounds` best responses of O.

    The players hear only of collisions, and call again after them. Cost on 3x3: half a minute. Raises BudgetError on a
    board with too many information sets, InvalidQuestion on one with fewer than three cells.
    """
    x_game, o_game = Phantom(board, "X"), Phantom(board, "O")
    flows, plan = Flows(x_game), o_game.otherwise(0, 0)
    if plan is None:
        raise InvalidQuestion(f"two blind players need three cells or more, but {board} has {board.cells}")
    lower, x_mix = Fraction(-2), tuple[Weighted, ...]()
    for count in range(1, rounds + 1):
        flows.add(plan)
        flows.program.solve()
        mix = flows.x_mix(10 ** _DIGITS[0])
        answer = Response(o_game, mix)
        lower, x_mix = max((lower, x_mix), (-answer.value(), mix), key=itemgetter(0))
        if flows.high() - lower < _NEAR or count == rounds:
            break
        plan = answer.plan()
    upper, o_mix = Fraction(2), tuple[Weighted, ...]()
    for digits in _DIGITS:
        mix = flows.x_mix(10**digits)
        lower, x_mix = max((lower, x_mix), (-Response(o_game, mix).value(), mix), key=itemgetter(0))
        mix = flows.o_mix(10**digits)
        upper, o_mix = min((upper, o_mix), (Response(x_game, mix).value(), mix), key=itemgetter(0))
        if lower == upper:
            break
        flows.program.refine()
    return PhantomBounds(lower, upper, x_mix, o_mix)


def _mix(weights: Iterable[tuple[int, Plan]], limit: int) -> tuple[Weighted, ...]:
    """Return a mix by fractions of denominators up to a limit, which are exact if the shares have such denominators."""
    positive = [(weight, plan) for weight, plan in weights if weight > _NOTHING]
    total = sum(weight for weight, _ in positive)
    shares = [Fraction(weight, total).limit_denominator(limit) for weight, _ in positive]
    common = lcm(*(share.denominator for share in shares))
    return tuple((int(share * common), plan) for share, (_, plan) in zip(shares, positive, strict=True) if share)


def is_usual(rules: BlindRules) -> bool:
    """Return whether a player hears only of own collisions, and calls again after them."""
    return rules.names_none and not rules.loses_turn and not rules.opening_told


def carried_bounds(board: Board, rules: BlindRules) -> PhantomBounds | None:
    """Return the value with both players blind and the mixes that noughts carries, None where it has none."""
    known = carried_proof(board, rules)
    if known is None:
        return None
    read = partial(plan_from_json, board, BlindRules(), where="a plan", depth=0)
    x_mix, o_mix = (tuple((one["weight"], read(one["plan"])) for one in known[player]) for player in "XO")
    return PhantomBounds(Fraction(known["lower"]), Fraction(known["upper"]), x_mix, o_mix)


def carried_proof(board: Board, rules: BlindRules) -> dict[str, Any] | None:
    """Return the proof of the value with both players blind that noughts carries, None where it has none."""
    return None if not is_usual(rules) else next((proof for proof in phantoms() if proof["board"] == board.spec), None)


def prove_both(board: Board, rules: BlindRules, *, carried: bool = True) -> dict[str, Any]:
    """Return both players' mixes as a JSON object that `judge_proof` judges; by default the one that noughts carries.

    Raises InvalidQuestion for rules under which a collision shows more, BudgetError as `phantom_bounds` does.
    """
    if not rules.names_none:
        raise InvalidQuestion("a proof with both players blind needs --told collision: remove the other option")
    known = carried_proof(board, rules)
    if known is not None and carried:
        return known
    found = phantom_bounds(board)
    mixes = {
        player: [{"weight": weight, "plan": plan_to_json(board, rules, plan)} for weight, plan in mix]
        for player, mix in (("X", found.x_mix), ("O", found.o_mix))
    }
    head = {"format": PROOF_FORMAT, "version": 1, "board": board_word(board), **rules.as_dict()}
    return {**head, "lower": str(found.lower), "upper": str(found.upper), **mixes}


# Both players blind: the size of the game, and bounds on its value.
#
# A player's information set is the history of own calls and answers. The possible histories do not depend on whether
# the opponent sees: a blind opponent can make every sequence of moves of a sighted one, since its collisions leave no
# trace. So each player's histories are counted in the game where only that player is blind.

_CLASS_LIMIT = 100_000
"""Sets of own and known marks up to symmetry, at most 3^cells, that are examined in less than a minute."""


def both_blind(board: Board, rules: BlindRules, wanted: set[str]) -> BlindAnswer:
    """Return sizes for both players, and X's value or bounds on it.

    The value is the one that noughts carries, or with `value` in `wanted` that of `phantom_bounds`. Otherwise X gets at
    least the value of a blind X against a sighted O, and at most that of a sighted X against a blind O, because seeing
    more never hurts.

    Raises BudgetError where there are too many histories, and where a program is too large.
    """
    if board.cells > _CELL_LIMIT or 3**board.cells > _CLASS_LIMIT * board.group("board").order:
        raise BudgetError(f"two blind players on {board} have too many histories to count: try 2x5:3 or 3x4+torus")
    bounds, proof = carried_bounds(board, rules), "both players' mixed strategies, which noughts carries"
    if bounds is None and rules.names_none and "value" in wanted and board.cells > 2:
        bounds = phantom_bounds(board)
        proof = "mixed strategies of both players and the best responses to them, computed exactly"
    sighted: dict[str, BlindRules] = {player: replace(rules, blind=player) for player in ("X", "O")}
    sizes = {player: _histories(MergedGame(board, one)) for player, one in sighted.items()}
    if bounds is not None:
        low, high = bounds.lower, bounds.upper
    else:
        answers = [Inquiry(board, one, "win-often", wanted & {"value"}).answer() for one in sighted.values()]
        x_blind, o_blind = (answer.value_bounds for answer in answers)
        low, high = x_blind[0] if x_blind else Fraction(-1), -o_blind[0] if o_blind else Fraction(1)
        proof = "a blind X against a sighted O, and a sighted X against a blind O"
    return BlindAnswer(
        board,
        rules,
        "never-lose",
        value=low if low == high else None,
        value_bounds=(low, high),
        value_proof=proof,
        sizes=sizes,
        mixes={} if bounds is None else {"X": bounds.x_mix, "O": bounds.o_mix},
        left_out=("value",) if low < high and not wanted and (has_value(board) or not rules.names_none) else (),
        parts=tuple(sorted(wanted)),
    )


def _histories(game: MergedGame) -> int:
    """Return the number of histories after which the blind player calls."""
    return Analysis(game, alike=game.alike).histories()
