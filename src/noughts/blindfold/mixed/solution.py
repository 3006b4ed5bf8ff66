"""Mixed strategies: the value of a blind game by linear programming over sequences, with exact certificates.

The blind player chooses how likely each sequence of own calls is; the value of each truth at each place is bounded by
what the opponent's replies leave. The dual prices are the opponent's mixed replies. SciPy's HiGHS solves the program
in floating point; both strategies are then rounded to fractions, and what each of them guarantees is computed exactly,
against every reply and every call. Where the two guarantees meet they are the value, proved from both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noughts.blindfold.game.rules import BlindRules
from noughts.blindfold.mixed.program import BITS, Program
from noughts.blindfold.mixed.sequence import Option, Place, SequenceGame, SightedPlace, Truth
from noughts.domain.bits import Cell
from noughts.domain.board import Board

__all__ = ["MixedSolution", "concession", "guarantee", "solve_mixed"]

Mix = dict[Cell, Fraction]

_DIGITS = (9, 12, 18, 24, 30, 36, 42, 48)
"""Digits of the denominators tried; the solution is refined before each but the first."""


@dataclass(frozen=True)
class MixedSolution:
    """Both sides' mixed strategies and their exact guarantees, from the blind player's viewpoint.

    The blind player gets at least `lower` on average whatever the opponent replies, and the opponent holds the blind
    player to at most `upper`; `calls[place]` and `replies[reply]` are the strategies, by the numbers of the sequence
    form, with one cell standing for its orbit.
    """

    game: SequenceGame
    lower: Fraction
    upper: Fraction
    calls: dict[int, Mix]
    replies: dict[int, Mix]

    @property
    def value(self) -> Fraction | None:
        """The value where the two guarantees meet; None where rounding left a gap between them."""
        return self.lower if self.lower == self.upper else None


def solve_mixed(board: Board, rules: BlindRules, opening: Cell | None = None) -> MixedSolution:
    """Return optimal mixed strategies of both players, win +1, draw 0, loss -1 for the blind player.

    Raises BudgetError for games that are too large. Cost on 3x3: a second for a told opening, minutes where O is blind
    and untold.
    """
    game = SequenceGame(board, rules, opening)
    if isinstance(game.root, int):
        over = Fraction(game.root)
        return MixedSolution(game, over, over, {}, {})
    form = _Form(game)
    lower = upper = None
    calls: dict[int, Mix] = {}
    replies: dict[int, Mix] = {}
    for digits in _DIGITS:
        if digits > _DIGITS[0]:
            form.program.refine()
        for limit in (10 ** (digits // 3), 10**digits):
            mixes = {number: _mix(weights, limit) for number, weights in enumerate(form.calls())}
            low = guarantee(game, mixes)
            if lower is None or low > lower:
                lower, calls = low, mixes
        for limit in (10 ** (digits // 3), 10**digits):
            mixes = {number: _mix(weights, limit) for number, weights in enumerate(form.replies())}
            high = concession(game, mixes)
            if upper is None or high < upper:
                upper, replies = high, mixes
        if lower == upper:
            break
    assert lower is not None
    assert upper is not None
    return MixedSolution(game, lower, upper, calls, replies)


def _mix(weights: dict[Cell, int], limit: int) -> Mix:
    """Return the weights as fractions that add up to 1, with small denominators; the first cell where all are nil."""
    kept = {cell: weight for cell, weight in weights.items() if weight >> (BITS - 36) > 0}
    total = sum(kept.values())
    if not total:
        return {next(iter(weights)): Fraction(1)}
    shares = {cell: Fraction(weight, total).limit_denominator(limit) for cell, weight in kept.items()}
    whole = sum(shares.values(), Fraction())
    return {cell: share / whole for cell, share in shares.items() if share}


# The program


class _Form:
    """The linear program of a sequence form, and how to read its solution."""

    def __init__(self, game: SequenceGame) -> None:
        self.game, self.program = game, Program()
        self._columns: dict[Any, int] = {}
        self._prices: list[tuple[int, Cell, int]] = []
        for place in game.places:
            for cell in place.calls:
                self._columns[place.number, cell] = self.program.column(signed=True)
        for place in game.places:
            self._place(place)
        for reply in game.replies:
            self._reply(reply)
        assert not isinstance(game.root, int)
        for at, value in self._of(game.root, None).items():
            self.program.cost[at] = value
        self.program.solve()

    def _column(self, key: Any) -> int:
        if key not in self._columns:
            self._columns[key] = self.program.column(signed=False)
        return self._columns[key]

    def _of(self, option: Option | SightedPlace, sequence: int | None) -> dict[int, int]:
        if isinstance(option, int):
            return {} if option == 0 or sequence is None else {sequence: -option}
        key = ("reply", option.number) if isinstance(option, SightedPlace) else (option[0].number, option[1])
        return {self._column(key): -1}

    def _place(self, place: Place) -> None:
        flow = {self._columns[place.number, cell]: orbit for cell, orbit in place.calls.items()}
        if place.after is not None:
            flow[self._columns[place.after[0].number, place.after[1]]] = -1
        self.program.row(flow, 0 if place.after is not None else 1, equal=True)
        for truth, terms in place.terms.items():
            row = {self._column((place.number, truth)): 1}
            for cell, option in terms:
                for at, value in self._of(option, self._columns[place.number, cell]).items():
                    row[at] = row.get(at, 0) + value
            self.program.row(row)

    def _reply(self, reply: SightedPlace) -> None:
        sequence = self._columns[reply.place.number, reply.call] if reply.place is not None else None
        for cell, option in reply.options.items():
            row = {self._column(("reply", reply.number)): 1}
            for at, value in self._of(option, sequence).items():
                row[at] = row.get(at, 0) + value
            ceiling = option if isinstance(option, int) and sequence is None else 0
            self._prices.append((reply.number, cell, self.program.row(row, ceiling)))

    def calls(self) -> list[dict[Cell, int]]:
        """Return for each place the weight of each call, for its whole orbit."""
        x, columns = self.program.primal, self._columns
        return [
            {cell: orbit * x[columns[place.number, cell]] for cell, orbit in place.calls.items()}
            for place in self.game.places
        ]

    def replies(self) -> list[dict[Cell, int]]:
        """Return for each reply the weight of each option."""
        found: list[dict[Cell, int]] = [{} for _ in self.game.replies]
        for number, cell, row in self._prices:
            found[number][cell] = -self.program.dual[row]
        return found


# What the strategies guarantee, exactly


def guarantee(game: SequenceGame, calls: dict[int, Mix]) -> Fraction:
    """Return what a mix of calls makes sure of on average, against the best replies."""
    seen: dict[tuple[int, Truth], Fraction] = {}

    def option_value(option: Option | SightedPlace) -> Fraction:
        if isinstance(option, int):
            return Fraction(option)
        if isinstance(option, SightedPlace):
            return min(option_value(after) for after in option.options.values())
        return truth_value(*option)

    def truth_value(place: Place, truth: Truth) -> Fraction:
        key = (place.number, truth)
        if key not in seen:
            mix = calls[place.number]
            total = Fraction()
            for cell, option in place.terms[truth]:
                if cell in mix:
                    total += mix[cell] / place.calls[cell] * option_value(option)
            seen[key] = total
        return seen[key]

    return option_value(game.root)


def concession(game: SequenceGame, replies: dict[int, Mix]) -> Fraction:
    """Return the most that the blind player can get on average against a mix of replies."""

    def spread(option: Option | SightedPlace, weight: Fraction, into: dict[Place, dict[Truth, Fraction]]) -> Fraction:
        if isinstance(option, int):
            return weight * option
        if isinstance(option, SightedPlace):
            mix = replies[option.number]
            return sum((spread(option.options[cell], weight * share, into) for cell, share in mix.items()), Fraction())
        truths = into.setdefault(option[0], {})
        truths[option[1]] = truths.get(option[1], Fraction()) + weight
        return Fraction()

    def best(place: Place, weights: dict[Truth, Fraction]) -> Fraction:
        totals: dict[Cell, Fraction] = dict.fromkeys(place.calls, Fraction())
        below: dict[Cell, dict[Place, dict[Truth, Fraction]]] = {cell: {} for cell in place.calls}
        for truth, weight in weights.items():
            for cell, option in place.terms[truth]:
                totals[cell] += spread(option, weight / place.calls[cell], below[cell])
        return max(totals[c] + sum((best(p, w) for p, w in below[c].items()), Fraction()) for c in place.calls)

    into: dict[Place, dict[Truth, Fraction]] = {}
    start = spread(game.root, Fraction(1), into)
    return start + sum((best(place, weights) for place, weights in into.items()), Fraction())
