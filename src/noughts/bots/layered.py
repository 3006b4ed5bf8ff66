"""Where bots of larger boards are judged: the layers of position classes as compiled kernels list them, as arrays.

One pass from the last layer to the first gives the exact chances at every decision of a bot. It does not matter whether
its other decisions lead there. In the layer of a ply all chances are parts of one scale. This is the product of the
numbers of moves of the opponent from there on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from noughts.analysis.policies.genome import SEATS, Gene, GenePool, Seat
from noughts.analysis.policies.policy import BEST
from noughts.analysis.policies.reading import PolicyLike
from noughts.bots.fitness import Aim, Fitness, require_time
from noughts.machine.workers import workers_for
from noughts.rules.arguments import is_word
from noughts.rules.board import Board
from noughts.rules.errors import InputError, InvalidQuestion
from noughts.rules.game import Game, class_bound
from noughts.rules.marks import Mask, Player, cells_of
from noughts.rules.position import Position
from noughts.rules.values import FrozenDict
from noughts.solving.fields import why_not_listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from noughts.solving.class_layers import ClassLayers

LEAST_CLASSES, MOST_CLASSES = 40_000, 2_000_000
"""Bounds on position classes between which bots are judged by layers, at most a second for each bot."""
GENE_BYTES = 60
"""Memory for each gene of each bot of a generation."""
RANDOM = "random"
_SIGNS = {"X": 1, "draw": 0, "O": -1}


def has_layers(board: Board) -> bool:
    """Return whether bots are judged by layers: where plain Python would list classes slowly, and kernels soon."""
    rules = board.rules
    if not rules.alternating or rules.by_column or rules.boards > 1 or why_not_listed(board) is not None:
        return False
    return LEAST_CLASSES < class_bound(Position(board)) <= MOST_CLASSES


class DecisionLayer(NamedTuple):
    """The classes of one ply: the numbers of the open ones, and the edges of each, one for each distinct choice.

    An edge leads to the class `child` of the next layer by so many `moves`, the cells of `choices`; those of an open
    class begin at its `first`, in the order of their first cells. `winners` is 1 where X has won, -1 where O has.
    """

    x: NDArray[Any]
    o: NDArray[Any]
    first: NDArray[Any]
    child: NDArray[Any]
    moves: NDArray[Any]
    choices: NDArray[Any]
    open: NDArray[Any]
    winners: NDArray[Any]


def layers_of(board: Board, deadline: float | None = None) -> list[DecisionLayer]:
    """Return the layers of a board that `has_layers`. Raises BudgetError after the deadline.

    Cost: some microseconds for each class.
    """
    from noughts.solving.class_layers import ClassLayers

    listed = ClassLayers(Game(board), progress=lambda *_: require_time(board, deadline))
    return [_layer(listed, ply) for ply in range(len(listed.layers))]


def _layer(listed: ClassLayers, ply: int) -> DecisionLayer:
    import numpy as np

    from noughts.kernels.states import FILLED, LINED, OPEN, SHIFT

    layer, low = listed.layers[ply], np.uint64((1 << int(SHIFT)) - 1)
    winners = np.zeros(layer.states.size, np.int8)
    for end, outcome in zip((LINED, FILLED), listed.outcomes(ply), strict=True):
        winners[layer.ends == end] = _SIGNS[outcome]
    numbers, cells = np.flatnonzero(layer.ends == OPEN), listed.game.board.cells - ply
    x, o = ((layer.states[numbers] >> shift & low).astype(np.int64) for shift in (SHIFT, np.uint64(0)))
    blank, bits = listed.game.board.full & ~(x | o), np.empty((numbers.size, cells), np.int64)
    for column in range(cells):
        bits[:, column] = blank & -blank
        blank &= blank - 1
    after = [edges.children for edges in listed.edges(ply)] if numbers.size else []
    if not after:
        none = np.zeros(0, np.int64)
        return DecisionLayer(x, o, none, none, none, none, numbers, winners)
    child = np.searchsorted(listed.layers[ply + 1].states, np.concatenate(after))
    # Moves of one class to the same child are one choice, at the place of the first of them.
    keys = np.repeat(np.arange(numbers.size), cells) * (int(child.max()) + 1) + child
    order = np.argsort(keys, kind="stable")
    heads = np.flatnonzero(np.r_[True, keys[order][1:] != keys[order][:-1]])
    places = np.argsort(order[heads])
    edges = order[heads][places]
    first = np.searchsorted(edges, np.arange(0, keys.size, cells))
    choices = np.bitwise_or.reduceat(bits.ravel()[order], heads)[places]
    return DecisionLayer(x, o, first, child[edges], np.diff(np.r_[heads, keys.size])[places], choices, numbers, winners)


def pool_of(board: Board, layers: Sequence[DecisionLayer], seat: Seat) -> GenePool:
    """Return all decisions of bots that play as X, as O or as both."""
    players, genes, settled = SEATS[seat], list[Gene](), {}
    for ply, layer in enumerate(layers):
        player: Player = "X" if ply % 2 == 0 else "O"
        if player not in players or not layer.open.size:
            continue
        choices, ends = layer.choices.tolist(), [*layer.first[1:].tolist(), layer.child.size]
        marks = zip(layer.x.tolist(), layer.o.tolist(), strict=True)
        if ply == board.cells - 1:
            settled = {at: next(cells_of(cells)) for at, cells in zip(marks, choices, strict=True)}
            continue
        spans = zip(layer.first.tolist(), ends, strict=True)
        genes += [Gene(*at, player, tuple(choices[a:b])) for at, (a, b) in zip(marks, spans, strict=True)]
    return GenePool(board, "all", players, tuple(genes), FrozenDict(settled))


@dataclass
class LayeredArena:
    """Bots of a seat against `random` or `best`; `columns` are their genes among those of the pool.

    After `judge`, `scores` has for each bot and gene what the bot attains from there on, in parts that are the same for
    all bots, and `lost` whether it can lose from there on.
    """

    layers: Sequence[DecisionLayer]
    seat: Player
    opponent: str
    wins_count: bool
    columns: NDArray[Any]
    scores: NDArray[Any] = field(init=False)
    lost: NDArray[Any] = field(init=False)

    @property
    def scale(self) -> int:
        """What the chances are parts of."""
        return prod(many for _, many, moves in self._plies() if not moves)

    def _plies(self) -> Iterator[tuple[DecisionLayer, int, bool]]:
        """Yield each layer, the number of moves there, and whether the bot moves, from the last to the first."""
        last = len(self.layers) - 1
        cells = (self.layers[0].moves.sum()).item()
        for ply in range(last, -1, -1):
            yield self.layers[ply], max(1, cells - ply), (ply % 2 == 0) == (self.seat == "X")

    def judge(self, alleles: NDArray[Any]) -> NDArray[Any]:
        """Return for each row of alleles how often it wins and loses, in parts of the scale: integers [bots, 2]."""
        import numpy as np

        rows = [row[self.columns] for row in alleles]
        parts = list(workers_for().map(_chances, self, rows))
        losses = np.array([lost for _, _, lost in parts])
        self.lost = losses > 0
        self.scores = (np.array([won for _, won, _ in parts]) if self.wins_count else 0) - losses
        return np.array([root for root, _, _ in parts])

    def most(self, wins_count: bool) -> Fraction:
        """Return the most that choosing at each decision gives: minus the chance to lose, plus to win if it counts."""
        import numpy as np

        scale, after, own = 1, np.zeros(0, np.int64), 1 if self.seat == "X" else -1
        for layer, many, moves in self._plies():
            scale *= 1 if moves else many
            values = (wins_count * (layer.winners == own) - (layer.winners == -own).astype(np.int64)) * scale
            if layer.open.size:
                if moves:
                    values[layer.open] = np.maximum.reduceat(after[layer.child], layer.first)
                elif self.opponent == RANDOM:
                    values[layer.open] = np.add.reduceat(layer.moves * after[layer.child], layer.first)
                else:
                    values[layer.open] = np.minimum.reduceat(after[layer.child], layer.first) * many
            after = values
        return Fraction(int(after[0]), scale)


def _chances(place: LayeredArena, row: NDArray[Any]) -> tuple[tuple[int, int], NDArray[Any], NDArray[Any]]:
    """Return the wins and losses of a bot at the start, and its wins and its losses at each of its genes."""
    import numpy as np

    own, scale, end = (1 if place.seat == "X" else -1), 1, row.size
    wins = losses = np.zeros(0, np.int64)
    at_genes: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for layer, many, moves in place._plies():
        scale *= 1 if moves else many
        won, lost = ((layer.winners == sign) * np.int64(scale) for sign in (own, -own))
        if not layer.open.size:
            pass
        elif moves:
            edges = layer.first
            if many > 1:
                edges = edges + row[end - edges.size : end]
                end -= edges.size
            won[layer.open], lost[layer.open] = wins[layer.child[edges]], losses[layer.child[edges]]
            if many > 1:
                at_genes.append((won[layer.open], lost[layer.open]))
        elif place.opponent == RANDOM:
            for here, after in (won, wins), (lost, losses):
                here[layer.open] = np.add.reduceat(layer.moves * after[layer.child], layer.first)
        else:
            worst = np.minimum.reduceat((wins - losses)[layer.child], layer.first) * many
            won[layer.open], lost[layer.open] = np.maximum(worst, 0), np.maximum(-worst, 0)
        wins, losses = won, lost
    at_genes.append((wins[:0], losses[:0]))
    won, lost = (np.concatenate([each[part] for each in reversed(at_genes)]) for part in (0, 1))
    return (int(wins[0]), int(losses[0])), won, lost


@dataclass(frozen=True)
class LayeredFitness(Fitness):
    """How bots are judged by layers: at every gene, not only as a whole."""

    def at_genes(self, bots: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return what each of the bots last judged attains from each gene on, and whether it can lose from there."""
        import numpy as np

        scores = np.zeros((bots, len(self.pool.genes)), np.int64)
        lost = np.zeros(scores.shape, np.bool_)
        for _, places in self.arenas:
            for place in cast(tuple[LayeredArena, ...], places):
                scores[:, place.columns] += place.scores
                lost[:, place.columns] |= place.lost
        return scores, lost

    def met(self, alleles: Sequence[int]) -> frozenset[tuple[Mask, Mask]]:
        """Return the classes of the genes that a bot can come to as one of its players."""
        return met_by(self.pool, cast(LayeredArena, self.arenas[0][1][0]).layers, alleles)


def met_by(pool: GenePool, layers: Sequence[DecisionLayer], alleles: Sequence[int]) -> frozenset[tuple[Mask, Mask]]:
    """Return the classes of the genes that a bot can come to as one of its players."""
    import numpy as np

    row, found = np.array(alleles, np.int64), np.zeros(len(pool.genes), np.bool_)
    for seat in pool.players:
        reached, gene = np.ones(1, np.bool_), 0
        for ply, layer in enumerate(layers[:-1]):
            here, mover = reached[layer.open], "XO"[ply % 2]
            end = gene + here.size * (mover in pool.players and ply < layers[0].moves.sum() - 1)
            reached = np.zeros(layers[ply + 1].winners.size, np.bool_)
            if mover == seat:
                found[gene:end] |= here[: end - gene]
                chosen = layer.first + (row[gene:end] if end > gene else 0)
                reached[layer.child[chosen[here]]] = True
            else:
                edges = np.diff(np.r_[layer.first, layer.child.size])
                reached[layer.child[np.repeat(here, edges)]] = True
            gene = end
    return frozenset((pool.genes[gene].x, pool.genes[gene].o) for gene in np.flatnonzero(found))


def opponents_of(board: Board, against: Sequence[PolicyLike]) -> tuple[str, ...]:
    """Return the names of opponents. Raises InputError for others than random and best."""
    names = tuple(name for given in against for name in (RANDOM, BEST) if is_word(given, name))
    if len(names) != len(against) or not names:
        raise InvalidQuestion(f"bots of {board} are bred against random or best alone: name one or both")
    if len(set(names)) < len(names):
        raise InputError(f"the opponent {names[0]} is named twice: name it once")
    return names


def layered_fitness(pool: GenePool, layers: Sequence[DecisionLayer], names: Sequence[str], aim: Aim) -> LayeredFitness:
    """Return how bots of a pool are judged by layers against `random`, `best` or both."""
    import numpy as np

    seats = cast(tuple[Player, ...], tuple(pool.players))
    players = np.array([gene.player == "X" for gene in pool.genes], np.bool_)

    def place(name: str, seat: Player) -> LayeredArena:
        return LayeredArena(layers, seat, name, aim == "result", np.flatnonzero(players == (seat == "X")))

    arenas = tuple((name, tuple(place(name, seat) for seat in seats)) for name in names)
    return LayeredFitness(pool, aim, seats, arenas)
