"""Mixed strategies of a blind and a sighted player: the sequence form, and its value with exact certificates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from operator import itemgetter
from typing import Any

from noughts.blindfold.game import BlindRules
from noughts.machine.linear import BITS, Program
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.symmetry import Permutation

# The game tree of a blind and a sighted player in sequence form, up to symmetry.
#
# A *place* is a history of the blind player; a *truth* there is (own marks, opponent's marks, last move). After a call
# the sighted player moves at a *sighted place*: the replies lead to truths at places of the next call. Histories that a
# symmetry of the board maps to each other are one place. So are truths that a symmetry which fixes the history maps to
# each other. The value stays the same, since both players can play the average over the symmetries.

CELL_LIMIT = 10
"""The most cells of a board."""

Truth = tuple[Mask, Mask, int]
Heard = tuple[str, Mask]


@dataclass(eq=False)
class Place:
    """A place where the blind player calls: `calls` maps one call of each orbit to the size of the orbit.

    `terms[truth]` lists the result of each call. `number` counts places in the order of construction, and `after` is
    the place and call that lead here. `path` has the calls and answers so far. `below` has the next place for each call
    and answer, `replies` the result of a call in a truth.
    """

    after: tuple[Place, Cell] | None
    path: tuple[tuple[Cell, Heard], ...]
    barred: Mask
    symmetries: list[Permutation]
    number: int = -1
    calls: dict[Cell, int] = field(default_factory=dict)
    terms: dict[Truth, list[Term]] = field(default_factory=dict)
    below: dict[tuple[Cell, Heard], Place] = field(default_factory=dict)
    replies: dict[tuple[Cell, Truth], Option | SightedPlace] = field(default_factory=dict)

    def fixing(self, cell: Cell) -> list[Permutation]:
        """Return the symmetries of the place that fix a cell."""
        return [g for g in self.symmetries if g[cell] == cell]

    def heard(self, cell: Cell, heard: Heard) -> tuple[tuple[Cell, Heard], Permutation]:
        """Return the least image of an answer under symmetries that fix the call, and a symmetry that gives it."""
        g = min(self.fixing(cell), key=lambda g: image_of(g, heard[1]))
        return (cell, (heard[0], image_of(g, heard[1]))), g


@dataclass(eq=False)
class SightedPlace:
    """A place where the sighted player moves, after `call` at `place`, in `truth`: one option per different result."""

    number: int
    place: Place | None
    call: Cell
    truth: Truth
    options: dict[Cell, Option] = field(default_factory=dict)


Option = int | tuple[Place, Truth]
"""A result: the payoff to the blind player, or a truth at the next place."""

Term = tuple[Cell, "Option | SightedPlace"]
"""The representative of a call's orbit, and the result."""


class SequenceGame:
    """The sequence form for one board and one set of rules.

    `opening` fixes X's first mark, which a blind O learns. With `retry` and normal play the blind player first calls
    cells that would complete a line, if there are any (*free tries*). They cost nothing: after a collision the player
    can continue as if nothing had happened. Raises BudgetError beyond `budget` truths.
    """

    def __init__(self, board: Board, rules: BlindRules, opening: Cell | None = None, budget: int = 400_000) -> None:
        if board.cells > CELL_LIMIT:
            raise BudgetError(
                f"the value in mixed strategies is computed for boards of up to {CELL_LIMIT} cells, but {board} has "
                f"{board.cells}: try 3x3"
            )
        self.board, self.rules, self.budget = board, rules, budget
        self.places: list[Place] = []
        self.replies: list[SightedPlace] = []
        self.root: Option | SightedPlace
        self._truths = 0
        self._has_line = cache(board.has_line)
        self._mine, self._theirs = (1, -1) if board.rules.line_wins else (-1, 1)
        fixing = [g for g in board.group().elements if opening is None or g[opening] == opening]
        place = Place(None, (), 0 if opening is None else 1 << opening, fixing)
        if rules.blind == "X" or opening is not None:
            self.root = self._opened(place, -1 if opening is None else opening)
        else:
            openings = {cell: self._opened(place, cell) for cell in range(board.cells)}
            least = {c: way for c, way in openings.items() if isinstance(way, int) or way[1][1] == 1 << c}
            self.root = SightedPlace(0, None, -1, (0, 0, -1), least)
            self.replies.append(self.root)
        if not isinstance(self.root, int):
            self._build(place)

    def _opened(self, place: Place, cell: Cell) -> Option:
        """Return the result of X's first mark, of none for -1: a truth at the first place, or a payoff."""
        truth = (0, 1 << cell, cell) if cell >= 0 else (0, 0, -1)
        over = self._outcome(truth, mine=False) if truth[1] else None
        if over is not None:
            return over
        truth = self._canonical(truth, place.symmetries)
        place.terms[truth] = []
        return place, truth

    def image(self, g: Permutation, truth: Truth) -> Truth:
        """Return the image of a truth, without its last move unless the referee names it."""
        own, other, last = truth
        is_named = self.rules.names_last and last >= 0
        return image_of(g, own), image_of(g, other), g[last] if is_named else -1

    def _canonical(self, truth: Truth, symmetries: list[Permutation]) -> Truth:
        return min(self.image(g, truth) for g in symmetries)

    def _outcome(self, truth: Truth, *, mine: bool) -> int | None:
        """Return the payoff if a move of the blind player (`mine`) or of the opponent ended the game, else None."""
        if self._has_line(truth[0] if mine else truth[1]):
            return self._mine if mine else self._theirs
        return 0 if truth[0] | truth[1] == self.board.full else None

    # Building

    def _build(self, place: Place) -> None:
        """Compute the result of each call in the truths of a place, and build all places below it."""
        place.number = len(self.places)
        self.places.append(place)
        self._truths += len(place.terms)
        if self._truths > self.budget:
            raise BudgetError(
                f"the sequence form of this game has more than {self.budget:,} truths: try a smaller board, "
                "--opening-told, or --collision lose-turn"
            )
        images = [min(((g[cell], g) for g in place.symmetries), key=itemgetter(0)) for cell in self._allowed(place)]
        place.calls.update(Counter(cell for cell, _ in images))
        place.terms = {
            truth: [(cell, self._follow(place, cell, self.image(g, truth))) for cell, g in images]
            for truth in sorted(place.terms)
        }
        for child in place.below.values():
            self._build(child)

    def _allowed(self, place: Place) -> list[Cell]:
        """Return the calls to examine: one orbit of free tries if there is any, else all calls."""
        cells = list(cells_of(self.board.full & ~place.barred))
        if self.rules.loses_turn or not self.board.rules.line_wins or self.rules.is_silent:
            return cells
        own = min(place.terms)[0]
        for cell in cells:
            if self._has_line(own | 1 << cell) and any(not truth[1] >> cell & 1 for truth in place.terms):
                return sorted({g[cell] for g in place.symmetries})
        return cells

    def _follow(self, place: Place, cell: Cell, truth: Truth) -> Option | SightedPlace:
        own, other, last = truth
        silent = self.rules.is_silent
        heard: Heard = ("next" if silent else "free", 0)
        if other >> cell & 1:
            named = other if self.rules.names_all else 1 << last if self.rules.names_last and last >= 0 else 0
            heard = heard if silent else ("taken", named)
            if not self.rules.loses_turn:
                return self._enter(place, cell, heard, truth)
        else:
            truth = own | 1 << cell, other, last
            over = self._outcome(truth, mine=True)
            if over is not None:
                return over
        after, g = min((self.image(g, truth), g) for g in place.fixing(cell))
        key = cell, after
        if key not in place.replies:
            place.replies[key] = self._replied(place, cell, (heard[0], image_of(g, heard[1])), after)
        return place.replies[key]

    def _replied(self, place: Place, cell: Cell, heard: Heard, truth: Truth) -> Option | SightedPlace:
        own, other, _ = truth
        options: dict[Cell, Option] = {}
        for reply in cells_of(self.board.full & ~(own | other)):
            after = own, other | 1 << reply, reply
            over = self._outcome(after, mine=False)
            if over == -1:
                return -1
            options[reply] = self._enter(place, cell, heard, after) if over is None else over
        distinct = {option: reply for reply, option in reversed(options.items())}
        if len(distinct) == 1:
            return next(iter(distinct))
        different = {reply: option for option, reply in distinct.items()}
        self.replies.append(SightedPlace(len(self.replies), place, cell, truth, different))
        return self.replies[-1]

    def _enter(self, place: Place, cell: Cell, heard: Heard, truth: Truth) -> Option:
        """Return the truth at the place after a call and its answer; create the place if it is new."""
        key, g = place.heard(cell, heard)
        named = key[1][1]
        if key not in place.below:
            fixing = [h for h in place.fixing(cell) if image_of(h, named) == named]
            place.below[key] = Place((place, cell), (*place.path, key), place.barred | 1 << cell | named, fixing)
        child = place.below[key]
        canonical = self._canonical(self.image(g, truth), child.symmetries)
        child.terms.setdefault(canonical, [])
        return child, canonical


@cache
def image_of(g: Permutation, mask: Mask) -> Mask:
    """Return the image of a set of cells under a permutation."""
    return mask_of(g[cell] for cell in cells_of(mask))


# Mixed strategies: the value of a blind game by linear programming over sequences, with exact certificates.
#
# The blind player chooses the chance of each sequence of own calls. The opponent's replies bound the value of each
# truth at each place. The dual prices are the opponent's mixed replies. Both strategies are rounded to fractions, and
# their guarantees are computed exactly, against every reply and every call. If the two guarantees are equal, they are
# the value, proved from both sides.

Mix = dict[Cell, Fraction]

_DIGITS = (9, 12, 18, 24, 30, 36, 42, 48, 56, 64)
"""Digits of the denominators to try; the solution is refined before each except the first."""
_SEEDS = (0, 7)
"""Seeds of HiGHS, which finds one of many optimal mixes; if its denominators are too large, the next seed is used."""


@dataclass(frozen=True)
class MixedSolution:
    """Both players' mixed strategies and their exact guarantees, from the blind player's viewpoint.

    The blind player gets at least `lower` on average against any replies. The opponent holds the blind player to at
    most `upper`. `calls[place]` and `replies[reply]` are the strategies, by the numbers of the sequence form; one cell
    represents its orbit.
    """

    game: SequenceGame
    lower: Fraction
    upper: Fraction
    calls: dict[int, Mix]
    replies: dict[int, Mix]

    @property
    def value(self) -> Fraction | None:
        """The value if the two guarantees are equal; None if rounding left a gap between them."""
        return self.lower if self.lower == self.upper else None


def solve_mixed(board: Board, rules: BlindRules, opening: Cell | None = None) -> MixedSolution:
    """Return optimal mixed strategies of both players, with win +1, draw 0, loss -1 for the blind player.

    Raises BudgetError for games that are too large. Cost on 3x3: a second for a given opening, minutes for a blind O
    who does not learn the opening.
    """
    game = SequenceGame(board, rules, opening)
    if isinstance(game.root, int):
        over = Fraction(game.root)
        return MixedSolution(game, over, over, {}, {})
    form = _Form(game)
    lower = upper = None
    calls: dict[int, Mix] = {}
    replies: dict[int, Mix] = {}
    for seed, digits in product(_SEEDS, _DIGITS):
        if digits == _DIGITS[0]:
            form.program.solve(seed)
        else:
            form.program.refine()
        for limit in (10 ** (digits // 3), 10**digits):
            mixes, answers = (
                {number: _mix(weights, limit) for number, weights in enumerate(each)}
                for each in (form.calls(), form.replies())
            )
            low, high = guarantee(game, mixes), concession(game, answers)
            if lower is None or low > lower:
                lower, calls = low, mixes
            if upper is None or high < upper:
                upper, replies = high, answers
        if lower == upper:
            break
    assert lower is not None
    assert upper is not None
    return MixedSolution(game, lower, upper, calls, replies)


def _mix(weights: dict[Cell, int], limit: int) -> Mix:
    """Return weights as fractions with small denominators that add up to 1; only the first cell if all are zero."""
    positive = {cell: weight for cell, weight in weights.items() if weight >> (BITS - 36) > 0}
    total = sum(positive.values())
    if not total:
        return {next(iter(weights)): Fraction(1)}
    shares = {cell: Fraction(weight, total).limit_denominator(limit) for cell, weight in positive.items()}
    whole = sum(shares.values(), Fraction())
    return {cell: share / whole for cell, share in shares.items() if share}


# The program


class _Form:
    """The linear program of a sequence form, and its solution as mixes."""

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
            self._row((place.number, truth), [(option, self._columns[place.number, cell]) for cell, option in terms])

    def _reply(self, reply: SightedPlace) -> None:
        sequence = self._columns[reply.place.number, reply.call] if reply.place is not None else None
        for cell, option in reply.options.items():
            ceiling = option if isinstance(option, int) and sequence is None else 0
            row = self._row(("reply", reply.number), [(option, sequence)], ceiling)
            self._prices.append((reply.number, cell, row))

    def _row(self, key: Any, following: list[tuple[Option | SightedPlace, int | None]], ceiling: int = 0) -> int:
        """Add a row that bounds the value at a place by the values of its results."""
        row = {self._column(key): 1}
        for option, sequence in following:
            for at, value in self._of(option, sequence).items():
                row[at] = row.get(at, 0) + value
        return self.program.row(row, ceiling)

    def calls(self) -> list[dict[Cell, int]]:
        """Return for each place the weight of each call, for its whole orbit."""
        x, columns = self.program.primal, self._columns
        return [
            {cell: orbit * x[columns[place.number, cell]] for cell, orbit in place.calls.items()}
            for place in self.game.places
        ]

    def replies(self) -> list[dict[Cell, int]]:
        found: list[dict[Cell, int]] = [{} for _ in self.game.replies]
        for number, cell, row in self._prices:
            found[number][cell] = -self.program.dual[row]
        return found


# The exact guarantees of the strategies


def guarantee(game: SequenceGame, calls: dict[int, Mix]) -> Fraction:
    """Return the average payoff that a mix of calls guarantees, against the best replies."""
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
    """Return the largest average payoff of the blind player against a mix of replies."""

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
