"""Where bots are judged: the class graph against one opponent as arrays, with chances as whole numbers.

The opponent's chances in a layer are scaled by the least common multiple of their denominators there. The *scale* of an
arena is the product of those of all layers: every chance is a whole number of its parts. A scale below 2^63 fits 64
bits, as no number in the pass exceeds it; a larger one needs Python integers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import lcm, prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar, cast

from noughts.analysis.policies.genome import GenePool
from noughts.analysis.policies.policy import BEST, Policy
from noughts.analysis.policies.reading import PolicyLike, policy
from noughts.analysis.solutions import solution_for
from noughts.counting.class_sums import graph_of
from noughts.counting.question import Question
from noughts.machine.budget import is_over
from noughts.machine.workers import cuts, workers_for
from noughts.rules.arguments import is_word, one_of
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, InvalidQuestion
from noughts.rules.game import Game, Marks, on_moves
from noughts.rules.marks import Outcome, Player, cells_of
from noughts.rules.marks import opponent as opponent_of
from noughts.rules.position import Position
from noughts.rules.symmetry import inverse

if TYPE_CHECKING:
    from numpy.typing import NDArray


_FITS = 2**63
_OVER, _MIXED, _WORST = -1, -2, -3
"""What `kernels.breeding` calls so: that room is loaded when bots are judged, and not before."""


@dataclass(frozen=True)
class Arena:
    """The classes that a bot of one seat may meet against an opponent; numbers are those of `kernels.breeding`.

    `wins` and `losses` say what the nodes where the game is over are worth to the bot, in parts of `scale`.
    """

    seat: Player
    scale: int
    first: tuple[int, ...]
    kind: tuple[int, ...]
    child: tuple[int, ...]
    weight: tuple[int, ...]
    side: tuple[int, ...]
    wins: tuple[int, ...]
    losses: tuple[int, ...]

    def judge(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Return for each row of alleles how often it wins and loses, in parts of the scale: integers [bots, 2].

        Cost: about 3 nanoseconds for each edge and bot; Python integers, a thousand times as much.
        """
        import numpy as np

        workers = workers_for()
        parts = cuts(len(alleles), workers.count)
        found = np.zeros((len(alleles), 2), self._dtype)
        rows = [np.ascontiguousarray(alleles[start:end]) for start, end in parts]
        for _ in workers.fill(_judged, self, rows, parts, found):
            pass
        return found

    def meet(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Return for each bot as X and as O how many of the others it beats and loses to: int64[bots, 2, 2].

        Of a ring alone. Cost: about 30 nanoseconds for each pair.
        """
        import numpy as np

        from noughts.kernels import breeding

        found = np.zeros((len(alleles), 2, 2), np.int64)
        given = self.arrays
        ends = given["wins"] - given["losses"]
        breeding.meet(alleles, given["first"], given["kind"], given["child"], given["side"], ends, found)
        return found

    def most(self, wins_count: bool) -> Fraction:
        """Return the most that choosing at each node can give: minus the chance to lose, plus that to win if it counts.

        No bot exceeds it. Where the nodes are position classes, some bot attains it. Cost: one visit to each edge.
        """
        values = [wins_count * win - loss for win, loss in zip(self.wins, self.losses, strict=True)]
        for node in range(len(values) - 1, -1, -1):
            edges = range(self.first[node], self.first[node + 1])
            after = [self.weight[edge] * values[self.child[edge]] for edge in edges]
            kind = self.kind[node]
            if kind != _OVER:
                values[node] = sum(after) if kind == _MIXED else min(after) if kind == _WORST else max(after)
        return Fraction(values[0], self.scale)

    @property
    def _dtype(self) -> Any:
        import numpy as np

        return np.int64 if self.scale < _FITS else np.dtype(object)

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The numbers as arrays: 64 bits, or Python integers where the scale needs them."""
        import numpy as np

        exact = {name: np.array(getattr(self, name), self._dtype) for name in ("weight", "wins", "losses")}
        return exact | {name: np.array(getattr(self, name), np.int64) for name in ("first", "kind", "child", "side")}


class Judging(Protocol):
    """What judges the bots of a seat against an opponent, as an `Arena` does."""

    @property
    def scale(self) -> int:
        """What the chances are parts of."""

    def judge(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Return for each row of alleles how often it wins and loses, in parts of the scale: integers [bots, 2]."""

    def most(self, wins_count: bool) -> Fraction:
        """Return the most that choosing at each node gives: minus the chance to lose, plus to win if it counts."""


def _judged(place: Arena, alleles: NDArray[Any], part: NDArray[Any]) -> None:
    import numpy as np

    from noughts.kernels import breeding
    from noughts.kernels.jit import plain

    given = place.arrays
    exact = given["wins"].dtype.hasobject
    pass_over: Callable[..., None] = plain(breeding.judge) if exact else breeding.judge
    wins, losses = given["wins"].copy(), given["losses"].copy()
    met, seen = np.zeros(len(wins) + 1, np.int64), np.zeros(len(wins), np.int64)
    pass_over(alleles, given["first"], given["kind"], given["child"], given["weight"], wins, losses, met, seen, part)


def arena(pool: GenePool, seat: Player, opponent: Policy | None, deadline: float | None = None) -> Arena:
    """Return the arena of bots of a seat against an opponent; None plays the best response to each bot.

    Over position classes where the opponent treats symmetric positions alike, else over labelled positions. Raises
    InputError where the opponent cannot answer a position that some bot leads to, and BudgetError after the deadline.
    """
    return _Builder(pool, (seat,), opponent, deadline).built()


def require_time(board: Board, deadline: float | None) -> None:
    """Raise BudgetError where listing the positions of a board has passed the deadline."""
    if is_over(deadline):
        raise BudgetError(
            f"listing the positions of {board} took longer than the time: raise --time, or choose a smaller board"
        )


State = TypeVar("State", bound=Hashable)
T = TypeVar("T")


def grown(
    start: State, after: Callable[[State], tuple[T, list[State]]]
) -> list[list[tuple[State, T, tuple[int, ...]]]]:
    """Return the states that play from a start reaches, layer by layer, numbered in this order.

    `after` gives what is to know about a state, and the states that follow it; in the result these are numbers.
    """
    layers, base, layer = [], 0, {start: 0}
    while layer:
        base, following, nodes = base + len(layer), dict[State, int](), []
        for state in layer:
            known, then = after(state)
            nodes.append((state, known, tuple(following.setdefault(each, base + len(following)) for each in then)))
        layers.append(nodes)
        layer = following
    return layers


Place = int | Marks
"""A position class, by its number in the class graph, or a position."""


class _Met(NamedTuple):
    """What happens at a place: its kind, the chances of what follows, whether O moves, and who has won, if anybody."""

    kind: int
    shares: tuple[Fraction, ...]
    o_moves: bool
    winner: Outcome | None


class _Builder:
    """Walks from the empty board through all that some bot and the opponent may play."""

    def __init__(
        self, pool: GenePool, seats: tuple[Player, ...], opponent: Policy | None, deadline: float | None
    ) -> None:
        self.pool, self.board, self.seats, self.opponent, self.deadline = pool, pool.board, seats, opponent, deadline
        self.game = Game(self.board)
        self.graph = graph_of(Question(self.board, "choices"), whole_group=True)
        self.by_class = opponent is None or opponent.is_symmetric
        needs = opponent is not None and opponent.needs_values
        self.solution = solution_for(Position(self.board)) if needs else None

    def _look(self, place: Place) -> tuple[Marks, Outcome | None, dict[int, Place]]:
        """Return the marks of a place, the outcome where the game is over, and where each move leads."""
        if isinstance(place, int):
            node = self.graph.nodes[place]
            return node.state, node.outcome, {move: then for then, moves in node.children for move in cells_of(moves)}
        end = self.game.outcome(place)
        moves = () if end else cells_of(self.game.moves(place))
        return place, end, {move: self.game.play(place, move) for move in moves}

    def _after(self, place: Place) -> tuple[_Met, list[Place]]:
        """Return what happens at a place, and the places that it leads to."""
        require_time(self.board, self.deadline)
        marks, end, steps = self._look(place)
        mover = self.game.to_move(marks)
        if end is not None:
            return _Met(_OVER, (), mover == "O", end), []
        if mover in self.seats:
            kind, moves = self._choices(marks)
            after = [steps[move] for move in moves]
        elif self.opponent is None:
            kind, after = _WORST, list(dict.fromkeys(steps.values()))
        else:
            replies = self.opponent.probabilities(Position(self.board, marks.x, marks.o), self.solution)
            shares: dict[Place, Fraction] = defaultdict(Fraction)
            for move, share in replies.items():
                shares[steps[move]] += share
            shares = {then: share for then, share in shares.items() if share}
            kind, winner = (_MIXED, None) if replies else (_OVER, opponent_of(mover))  # who concedes, loses
            return _Met(kind, tuple(shares.values()), mover == "O", winner), list(shares)
        return _Met(kind, (Fraction(1),) * len(after), mover == "O", None), after

    def _choices(self, marks: Marks) -> tuple[int, list[int]]:
        """Return the number of the gene that plays here, or MIXED where one move is settled; and the moves it plays."""
        x, o, back = marks.x, marks.o, tuple(range(self.board.move_count))
        if not self.by_class:
            x, o, symmetry = self.board.group().to_canonical(x, o)
            back = on_moves(self.board, inverse(symmetry))
        number = self.pool.numbers.get((x, o))
        if number is None:
            return _MIXED, [back[self.pool.settled[x, o]]]
        return number, [back[next(cells_of(choice))] for choice in self.pool.genes[number].choices]

    def built(self) -> Arena:
        """Return the arena of the first seat, its nodes layer by layer, with its chances as whole numbers."""
        start: Place = 0 if self.by_class else self.game.start
        seat, layers = self.seats[0], grown(start, self._after)
        commons = [lcm(*(share.denominator for _, met, _ in layer for share in met.shares)) for layer in layers]
        scales = [prod(commons[ply:]) for ply in range(len(layers))]
        first, weight, wins, losses = [0], list[int](), list[int](), list[int]()
        for common, scale, layer in zip(commons, scales, layers, strict=True):
            for _, met, after in layer:
                first.append(first[-1] + len(after))
                # A node where nothing is mixed has one child's numbers, which are scaled as its layer is.
                weight += [int(share * common) if met.kind == _MIXED else 1 for share in met.shares]
                wins.append(scale * (met.winner == seat))
                losses.append(scale * (met.winner == opponent_of(seat)))
        nodes = [(met, after) for layer in layers for _, met, after in layer]
        return Arena(
            seat,
            scales[0],
            tuple(first),
            tuple(met.kind for met, _ in nodes),
            tuple(child for _, after in nodes for child in after),
            tuple(weight),
            tuple(int(met.o_moves) for met, _ in nodes),
            tuple(wins),
            tuple(losses),
        )


# What a bot is worth: its exact results against opponents, as player X, O or both, and one whole number to rank it by.
#
# `result` is the chance to win less the chance to lose; `never-lose` the chance not to lose. Both are averages over
# the opponents and, for bots that play both, over X and O. Against `best` they say what the bot holds against every
# play, and against `each-other` what it does in one game as X and one as O with each other bot of its generation.

Aim = Literal["result", "never-lose"]
FITNESS = ("result", "never-lose")
EACH_OTHER = "each-other"
_FITS_FITNESS = 2**62


@dataclass(frozen=True)
class Odds:
    """The chances of a bot to win, draw and lose; they sum to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    def as_dict(self) -> dict[str, str]:
        """Return the chances as fractions in text."""
        return {"win": str(self.win), "draw": str(self.draw), "loss": str(self.loss)}

    @classmethod
    def mean(cls, several: Sequence[Odds]) -> Odds:
        """Return the average."""
        n = len(several)
        win, loss = sum((c.win for c in several), Fraction(0)) / n, sum((c.loss for c in several), Fraction(0)) / n
        return cls(win, 1 - win - loss, loss)


@dataclass(frozen=True)
class Fitness:
    """How bots of a pool are judged: for each opponent, by name, an arena for each seat, or one for both."""

    pool: GenePool
    aim: Aim
    seats: tuple[Player, ...]
    arenas: tuple[tuple[str, tuple[Judging, ...]], ...]

    def tables(self, alleles: NDArray[Any]) -> list[tuple[NDArray[Any], int]]:
        """Return for each opponent and each seat the wins and losses of all bots, and what they are parts of."""
        found = []
        for name, places in self.arenas:
            if name == EACH_OTHER:
                met, games = cast(Arena, places[0]).meet(alleles), len(alleles) - 1
                found += [(met[:, seat], games) for seat in (0, 1)]
            else:
                found += [(place.judge(alleles), place.scale) for place in places]
        return found

    def values(self, tables: Sequence[tuple[NDArray[Any], int]]) -> tuple[NDArray[Any], int]:
        """Return the fitness of all bots as whole numbers, and what they are parts of."""
        import numpy as np

        whole = lcm(*(scale for _, scale in tables))
        exact: Any = np.int64 if whole * len(tables) < _FITS_FITNESS else object
        total = np.zeros(len(tables[0][0]), exact)
        for table, scale in tables:
            wins, losses = table[:, 0].astype(exact), table[:, 1].astype(exact)
            total += (wins - losses if self.aim == "result" else scale - losses) * (whole // scale)
        return total, whole * len(tables)

    @cached_property
    def bound(self) -> Fraction:
        """A fitness that no bot exceeds: the average of the most against each opponent, 1 against each other."""
        found = []
        for name, places in self.arenas:
            if name == EACH_OTHER:
                found += [Fraction(1)] * len(self.seats)
            elif self.aim == "result":
                found += [place.most(wins_count=True) for place in places]
            else:
                found += [1 + place.most(wins_count=False) for place in places]
        return sum(found, Fraction(0)) / len(found)

    def record(self, tables: Sequence[tuple[NDArray[Any], int]], bot: int) -> dict[str, tuple[Odds, ...]]:
        """Return the chances of a bot, by its number, against each opponent from each seat."""
        chances = []
        for table, scale in tables:
            win, loss = Fraction(int(table[bot, 0]), scale), Fraction(int(table[bot, 1]), scale)
            chances.append(Odds(win, 1 - win - loss, loss))
        n = len(self.seats)
        return {name: tuple(chances[i * n : i * n + n]) for i, (name, _) in enumerate(self.arenas)}


def fitness_of(pool: GenePool, against: Sequence[PolicyLike], aim: str, deadline: float | None = None) -> Fitness:
    """Return how bots of a pool are judged.

    Raises InputError for invalid opponents, and BudgetError after the deadline.
    """
    one_of("the fitness", aim, FITNESS)
    if not against:
        raise InputError("the list of opponents is empty: name one, such as random")
    seats = cast(tuple[Player, ...], tuple(pool.players))
    arenas: dict[str, tuple[Arena, ...]] = {}
    for given in against:
        name, places = _places(pool, seats, given, deadline)
        if name in arenas and not isinstance(given, str):
            name = next(each for each in (f"{name} ({n})" for n in count(2)) if each not in arenas)
        if name in arenas:
            raise InputError(f"the opponent {name} is named twice: name it once")
        arenas[name] = places
    return Fitness(pool, cast(Aim, aim), seats, tuple(arenas.items()))


def _places(
    pool: GenePool, seats: tuple[Player, ...], given: PolicyLike, deadline: float | None
) -> tuple[str, tuple[Arena, ...]]:
    """Return the name of an opponent and where bots meet it."""
    if isinstance(given, str) and given.replace(" ", "-") == EACH_OTHER:
        if len(seats) < 2:
            raise InvalidQuestion(
                f"bots that play {pool.board.rules.name_of(seats[0])} cannot meet each other: breed bots that play both"
            )
        return EACH_OTHER, (_Builder(pool, ("X", "O"), None, deadline).built(),)
    if is_word(given, BEST):
        return BEST, tuple(arena(pool, seat, None, deadline) for seat in seats)
    opponent = policy(pool.board, given)
    return opponent.name, tuple(arena(pool, seat, opponent, deadline) for seat in seats)
