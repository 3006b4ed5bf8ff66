"""The exact chances of two named policies on a board with up to some million position classes, layer by layer.

Plain NumPy over the arrays of `records.layers`. All classes of a ply share one denominator: a product of a common
multiple of the numbers of moves for each ply that is left. A chance is a whole number over it: int64 where that fits,
else a Python integer, so that the result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.analysis.policies.policy import Policy, RememberingPolicy
from noughts.analysis.policies.reading import ErringPolicy, NamedPolicy
from noughts.analysis.records.api import catalogue
from noughts.analysis.records.catalogue import ARRAY_CELLS, ARRAY_CLASSES, about_classes
from noughts.analysis.records.layers import DRAW, O_WINS, OPEN, X_WINS, Layer, LayerCatalogue, Layers, estimate_layers
from noughts.machine.budget import default_memory
from noughts.machine.workers import Progress
from noughts.rules.board import Board
from noughts.rules.marks import Player
from noughts.rules.position import Position

Ints = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int32]
Numbers = npt.NDArray[Any]

_ENDS = (X_WINS, DRAW, O_WINS)
_FITS = 2**62


def source_of(player: Policy | None) -> Policy | None:
    """Return the policy whose answers another one stores, or the policy itself."""
    return player.source if isinstance(player, RememberingPolicy) else player


def has_layers(board: Board, players: Sequence[Policy | None]) -> bool:
    """Return whether arrays give the chances of these policies: named ones, on a board whose arrays fit the memory.

    None is the best response to the other.
    """
    rules = board.rules
    if not (rules.is_marking and rules.alternating and rules.any_blank) or rules.exact or board.cells > ARRAY_CELLS:
        return False
    for player in map(source_of, players):
        if player is not None and (not isinstance(player, NamedPolicy | ErringPolicy) or "trap:" in player.name):
            return False
    classes = about_classes(board)
    return classes <= ARRAY_CLASSES and estimate_layers(board, classes).memory <= default_memory()


def layer_chances(start: Position, players: dict[Player, Policy | None], progress: Progress) -> dict[str, Fraction]:
    """Return the chances of `X`, `O` and `draw` from an unfinished position.

    `has_layers` holds for the players. Cost: for 4x4:4, with 1.2 million classes, 4 s of CPU and 0.5 GB.
    """
    layers = _layers(start.board)
    key = layers.canonical(np.array([start.x], np.int64), np.array([start.o], np.int64))
    first = start.ply
    reached = [np.searchsorted(layers.layers[first].keys, key)]
    for ply in range(first, len(layers.layers) - 1):
        layer = layers.layers[ply]
        on = np.zeros(len(layer), np.bool_)
        on[reached[-1]] = True
        plays = on[layer.parent]
        player = source_of(players["X" if ply % 2 == 0 else "O"])
        if player is not None:
            good, bad = _good(layers, ply, player)
            plays &= layer.cells & (good | bad)[layer.parent] != 0
        reached.append(np.unique(layer.child[plays]))
    denominator, after = 1, None
    for ply in range(first + len(reached) - 1, first - 1, -1):
        progress(start.board.cells - ply, start.board.cells, "plies")
        mover: Player = "X" if ply % 2 == 0 else "O"
        after, denominator = _pulled(layers, ply, source_of(players[mover]), reached[ply - first], after, denominator)
    assert after is not None
    found = [Fraction(int(row[reached[0][0]]), denominator) for row in after]
    return dict(zip(("X", "draw", "O"), found, strict=True))


def _layers(board: Board) -> Layers:
    """Return the layers of a board, those of its catalogue where that has them."""
    found = catalogue(board)
    return found.layers if isinstance(found, LayerCatalogue) else Layers(board)


def _pulled(
    layers: Layers, ply: int, player: Policy | None, reached: Ints, after: Numbers | None, denominator: int
) -> tuple[Numbers, int]:
    """Return the numbers (3, classes) of a layer from those of the next one, and their denominator."""
    layer, blanks = layers.layers[ply], layers.bits - ply
    unit = lcm(*range(1, blanks + 1)) * (player.error.denominator if isinstance(player, ErringPolicy) else 1)
    whole = denominator * unit
    kind = np.int64 if whole < _FITS else object
    numbers: Numbers = np.zeros((3, len(layer)), kind)
    for row, end in enumerate(_ENDS):
        numbers[row, layer.over == end] = whole
    chosen = reached[layer.over[reached] == OPEN]
    if after is None or not len(chosen):
        return numbers, whole
    places, starts = _edges(layer, chosen)
    children = after[:, layer.child[places]].astype(kind)
    if player is None:
        best = _best_response(children.astype(object), starts, ply, denominator)
        numbers[:, chosen] = children[:, best] * unit
        return numbers, whole
    shares, conceded = _shares(layers, ply, player, unit)
    weights = shares[places].astype(kind)
    for row in range(3):
        numbers[row, chosen] = np.add.reduceat(weights * children[row], starts)
    if conceded is not None:
        lost = chosen[conceded[chosen]]
        numbers[:, lost] = 0
        numbers[_ENDS.index(X_WINS if ply % 2 else O_WINS), lost] = whole
    return numbers, whole


def _best_response(children: Numbers, starts: Ints, ply: int, denominator: int) -> Ints:
    """Return for each class the first edge with the greatest P(win) - P(loss), then the greatest P(win)."""
    win, loss = (children[0], children[2]) if ply % 2 == 0 else (children[2], children[0])
    utility = (win - loss) * (denominator + 1) + win
    best = np.maximum.reduceat(utility, starts)
    lengths = np.diff(np.append(starts, len(utility)))
    edges = np.flatnonzero(utility == np.repeat(best, lengths))
    found: Ints = edges[np.searchsorted(edges, starts)]
    return found


def _edges(layer: Layer, classes: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of the edges of some classes, and where those of each class begin."""
    lengths = layer.first[classes + 1] - layer.first[classes]
    starts = np.cumsum(lengths) - lengths
    places = np.repeat(layer.first[classes] - starts, lengths) + np.arange(int(lengths.sum()))
    return places, starts


def _shares(layers: Layers, ply: int, player: Policy, unit: int) -> tuple[Ints, npt.NDArray[np.bool_] | None]:
    """Return the chance of each edge as a multiple of 1/`unit`, and the classes where the player concedes."""
    layer = layers.layers[ply]
    good, bad = _good(layers, ply, player)
    error = player.error if isinstance(player, ErringPolicy) else Fraction(0)
    wrong = np.where(bad != 0, unit * error.numerator // error.denominator, 0)
    shares = np.zeros(len(layer.parent), np.int64)
    for cells, amount in ((good, unit - wrong), (bad, wrong)):
        each = amount // np.maximum(np.bitwise_count(cells), 1)
        shares += np.bitwise_count(layer.cells & cells[layer.parent]) * each[layer.parent]
    return shares, good == 0 if player.concedes else None


def _good(layers: Layers, ply: int, player: Policy) -> tuple[Masks, Masks]:
    """Return for each class of a layer the moves that the player plays, and those that it plays with its error."""
    layer = layers.layers[ply]
    x, o = (marks.astype(np.int32) for marks in layers.sets(layer.keys))
    blank = np.int32(layers.full) & ~(x | o)
    none = np.zeros_like(blank)
    if player.needs_values:
        best = _best(layers, ply, player.name == "quickest")
        return (best, blank & ~best) if isinstance(player, ErringPolicy) else (best, none)
    own, other = (x, o) if ply % 2 == 0 else (o, x)
    return _by_lines(layers.board, own, other, blank, player.name), none


def _best(layers: Layers, ply: int, quickest: bool) -> Masks:
    """Return the moves that keep the value; with `quickest` those of them that win soonest or lose latest."""
    layer, after, sign = layers.layers[ply], layers.facts[ply + 1], np.int8(1 if ply % 2 == 0 else -1)
    here = layers.facts[ply].outcome[layer.parent] * sign
    keeps = after.outcome[layer.child] * sign == here
    if quickest:
        left = layers.facts[ply].remoteness[layer.parent] - 1
        keeps &= (here == 0) | (after.remoteness[layer.child] == left)
    found = np.zeros(len(layer), np.int32)
    np.bitwise_or.at(found, layer.parent[keeps], layer.cells[keeps])
    return found


def _by_lines(board: Board, own: Masks, other: Masks, blank: Masks, name: str) -> Masks:
    """Return the moves of the rules that look at lines alone; see `rules.game.allowed_cells`."""
    if name == "random":
        return blank
    wins = _completing(board, own, blank)
    rest = blank
    if name != "win":
        blocks = _completing(board, other, blank)
        if name == "fork":
            forks = _forking(board, own, blank)
            rest = np.where(forks != 0, forks, blank)
        rest = np.where(blocks != 0, blocks, rest)
        if name == "concede":
            rest = np.where(np.bitwise_count(blocks) > 1, 0, rest)
    return np.where(wins != 0, wins, rest).astype(np.int32)


def _completing(board: Board, marks: Masks, blank: Masks) -> Masks:
    """Return the blank cells that complete a line of these marks."""
    found = np.zeros_like(marks)
    for line in board.line_masks:
        missing = np.int32(line) & ~marks
        found |= np.where((np.bitwise_count(missing) == 1) & (missing & ~blank == 0), missing, 0)
    return found


def _forking(board: Board, own: Masks, blank: Masks) -> Masks:
    """Return the moves after which two blank cells or more complete a line."""
    found = np.zeros_like(own)
    for cell in range(board.cells):
        bit = np.int32(1 << cell)
        threats = _completing(board, own | bit, blank & ~bit)
        found |= np.where((blank & bit != 0) & (np.bitwise_count(threats) > 1), bit, 0)
    return found
