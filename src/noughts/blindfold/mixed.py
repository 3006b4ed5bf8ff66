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

from noughts.blindfold.rules import BlindRules
from noughts.blindfold.sequence import Option, Place, Reply, SequenceGame, Truth
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.errors import InputError

__all__ = ["MixedSolution", "concession", "guarantee", "solve_mixed"]

Mix = dict[Cell, Fraction]

_DENOMINATORS = (12, 60, 720, 5_000, 50_000, 10**6, 10**9)


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

    Needs SciPy (`pip install 'noughts[blindfold]'`); InputError without it, BudgetError for games that are too large.
    Cost on 3x3: a second for a told opening, minutes where O is blind and untold.
    """
    game = SequenceGame(board, rules, opening)
    if isinstance(game.root, int):
        over = Fraction(game.root)
        return MixedSolution(game, over, over, {}, {})
    primal, dual = _program(game)
    best_calls = best_replies = None
    lower = upper = None
    for limit in _DENOMINATORS:
        calls = {place.number: _mix(primal[place.number], limit) for place in game.places}
        replies = {reply.number: _mix(dual[reply.number], limit) for reply in game.replies}
        low, high = guarantee(game, calls), concession(game, replies)
        if lower is None or low > lower:
            lower, best_calls = low, calls
        if upper is None or high < upper:
            upper, best_replies = high, replies
        if lower == upper:
            break
    assert lower is not None
    assert upper is not None
    return MixedSolution(game, lower, upper, best_calls or {}, best_replies or {})


def _mix(weights: dict[Cell, float], limit: int) -> Mix:
    """Return the weights as fractions that add up to 1, with small denominators; the first cell where all are nil."""
    total = sum(max(weight, 0.0) for weight in weights.values())
    if total < 1e-11:
        return {next(iter(weights)): Fraction(1)}
    shares = {cell: Fraction(max(weight, 0.0) / total).limit_denominator(limit) for cell, weight in weights.items()}
    whole = sum(shares.values(), Fraction())
    return {cell: share / whole for cell, share in shares.items() if share}


# The program


class _Rows:
    """A sparse matrix under construction."""

    def __init__(self) -> None:
        self.entries: tuple[list[int], list[int], list[float]] = ([], [], [])
        self.count = 0

    def add(self, coefficients: dict[int, float]) -> int:
        rows, columns, values = self.entries
        rows += [self.count] * len(coefficients)
        columns += coefficients.keys()
        values += coefficients.values()
        self.count += 1
        return self.count - 1


def _program(game: SequenceGame) -> tuple[list[dict[Cell, float]], list[dict[Cell, float]]]:
    """Solve the program; return weights of calls per place (per orbit) and of options per reply."""
    scipy = _scipy()
    columns: dict[Any, int] = {}

    def column(key: Any) -> int:
        return columns.setdefault(key, len(columns))

    for place in game.places:
        for cell in place.calls:
            column((place.number, cell))
    sequences = len(columns)

    def of(option: Option | Reply, sequence: int | None) -> dict[int, float]:
        if isinstance(option, int):
            return {} if option == 0 or sequence is None else {sequence: -float(option)}
        if isinstance(option, Reply):
            return {column(("reply", option.number)): -1.0}
        return {column((option[0].number, option[1])): -1.0}

    bounds, flows = _Rows(), _Rows()
    for place in game.places:
        flow = {columns[place.number, cell]: float(orbit) for cell, orbit in place.calls.items()}
        if place.after is not None:
            flow[columns[place.after[0].number, place.after[1]]] = -1.0
        flows.add(flow)
        for truth, terms in place.terms.items():
            row = {column((place.number, truth)): 1.0}
            for cell, option in terms:
                for at, value in of(option, columns[place.number, cell]).items():
                    row[at] = row.get(at, 0.0) + value
            bounds.add(row)
    tags: list[tuple[int, Cell, int]] = []
    ceiling: list[float] = [0.0] * bounds.count
    for reply in game.replies:
        sequence = columns[reply.place.number, reply.call] if reply.place is not None else None
        for cell, option in reply.options.items():
            row = {column(("reply", reply.number)): 1.0}
            for at, value in of(option, sequence).items():
                row[at] = row.get(at, 0.0) + value
            tags.append((reply.number, cell, bounds.add(row)))
            ceiling.append(float(option) if isinstance(option, int) and sequence is None else 0.0)
    objective = [0.0] * len(columns)
    root = of(game.root, None) if not isinstance(game.root, int) else {}
    for at, value in root.items():
        objective[at] = value
    result = _run(scipy, objective, bounds, ceiling, flows, sequences)
    prices = result.ineqlin.marginals
    primal: list[dict[Cell, float]] = [
        {cell: orbit * float(result.x[columns[place.number, cell]]) for cell, orbit in place.calls.items()}
        for place in game.places
    ]
    dual: list[dict[Cell, float]] = [{} for _ in game.replies]
    for number, cell, row_number in tags:
        dual[number][cell] = -float(prices[row_number])
    return primal, dual


def _scipy() -> Any:
    try:
        from scipy import optimize, sparse
    except ImportError:
        raise InputError(
            "mixed strategies need SciPy, which is not installed: pip install 'noughts[blindfold]'"
        ) from None
    return optimize, sparse


def _run(scipy: Any, objective: list[float], bounds: _Rows, ceiling: list[float], flows: _Rows, signed: int) -> Any:
    optimize, sparse = scipy
    width = len(objective)

    def matrix(rows: _Rows) -> Any:
        row, column, value = rows.entries
        return sparse.csr_matrix((value, (row, column)), shape=(rows.count, width))

    ones = [1.0] + [0.0] * (flows.count - 1)
    limits = [(0.0, None)] * signed + [(None, None)] * (width - signed)
    result = optimize.linprog(
        objective, matrix(bounds), ceiling, matrix(flows), ones, limits, method="highs-ds"
    )  # fmt: skip
    if result.status != 0:
        raise InputError(f"the linear program was not solved ({result.message}): try a smaller board")
    return result


# What the strategies guarantee, exactly


def guarantee(game: SequenceGame, calls: dict[int, Mix]) -> Fraction:
    """Return what a mix of calls makes sure of on average, against the best replies."""
    seen: dict[tuple[int, Truth], Fraction] = {}

    def option_value(option: Option | Reply) -> Fraction:
        if isinstance(option, int):
            return Fraction(option)
        if isinstance(option, Reply):
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

    def spread(option: Option | Reply, weight: Fraction, into: dict[Place, dict[Truth, Fraction]]) -> Fraction:
        if isinstance(option, int):
            return weight * option
        if isinstance(option, Reply):
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
