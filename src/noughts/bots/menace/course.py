"""All play of a machine against an opponent, as a graph: what is drawn at each place, and where each draw leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from noughts.bots.menace.boxes import Cabinet
from noughts.bots.menace.draws import Draws
from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.domain.symmetry import inverse
from noughts.solving.solution import Solution
from noughts.strategy.policies import Policy
from noughts.strategy.solutions import solution_for

__all__ = ["Beads", "Filling", "GameChances", "Parts", "PlayGraph", "PlayStep", "Trail"]

Beads = dict[Player, list[list[int]]]
"""For each machine the beads of each colour in each of its boxes."""
Filling = Mapping[Player, Sequence[Sequence[int]]]
"""The same, where it is only read."""
Parts = tuple[int, int, int]
"""What X wins and what is drawn, out of a whole, in lowest terms."""
Trail = list[tuple[Player, int, int]]
"""The boxes that were opened: whose, which, and the place of the colour drawn."""


@dataclass(frozen=True)
class PlayStep:
    """A place in the graph. `box` is that of the machine that moves, None where weights that never change are drawn.

    Where the game is over `outcome` says how, and there is nothing `after`.
    """

    mover: Player
    outcome: Outcome | None
    box: int | None
    weights: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class GameChances:
    """The exact chances of the outcomes of a game: X wins, nobody, O wins."""

    x_wins: Fraction
    draws: Fraction
    o_wins: Fraction

    def of(self, player: Player) -> tuple[Fraction, Fraction, Fraction]:
        """Return the chances that a player wins, draws and loses."""
        return (self.x_wins, self.draws, self.o_wins) if player == "X" else (self.o_wins, self.draws, self.x_wins)

    def value(self, player: Player) -> Fraction:
        """Return a player's chance to win less that to lose."""
        win, _, loss = self.of(player)
        return win - loss


class PlayGraph:
    """Play between two sides on a board: each a cabinet of boxes, or a policy.

    Places are position classes where the policies treat symmetric positions alike, else labelled positions; they stand
    in order of ply, the empty board first. Policies are asked once for each place.
    """

    def __init__(self, board: Board, sides: Mapping[Player, Cabinet | Policy]) -> None:
        self.board = board
        self._sides = dict(sides)
        policies = [side for side in sides.values() if isinstance(side, Policy)]
        self._symmetric = all(each.is_symmetric for each in policies)
        needy = any(each.needs_values for each in policies)
        self._solution: Solution | None = solution_for(Position(board)) if needy else None
        self.steps: tuple[PlayStep, ...] = tuple(self._grown())
        self._leading: dict[tuple[Player, int], frozenset[int]] = {}

    def _grown(self) -> list[PlayStep]:
        start = Position(self.board)
        layer, steps = {(start.x, start.o): 0}, list[PlayStep]()
        while layer:
            base, following = len(steps) + len(layer), dict[tuple[int, int], int]()
            for x, o in list(layer):
                steps.append(self._step(Position(self.board, x, o), base, following))
            layer = following
        return steps

    def _step(self, position: Position, base: int, following: dict[tuple[int, int], int]) -> PlayStep:
        mover = position.to_move
        if position.outcome is not None:
            return PlayStep(mover, position.outcome, None, (), ())
        box, weights, cells = self._choices(position, mover)
        after = []
        for cell in cells:
            then = position.play(cell)
            key = self.board.group().canonical(then.x, then.o) if self._symmetric else (then.x, then.o)
            after.append(following.setdefault(key, base + len(following)))
        return PlayStep(mover, None, box, weights, tuple(after))

    def _choices(self, position: Position, mover: Player) -> tuple[int | None, tuple[int, ...], Sequence[Cell]]:
        """Return the box that is opened, or the weights of what is drawn without one, and the cells."""
        side = self._sides[mover]
        if isinstance(side, Policy):
            chances = side.probabilities(position, self._solution)
            whole = lcm(*(chance.denominator for chance in chances.values()))
            return None, tuple(int(chance * whole) for chance in chances.values()), tuple(chances)
        x, o, symmetry = self.board.group().to_canonical(position.x, position.o)
        place = side.places.get((x, o))
        if place is None:
            return None, (1,), position.moves()
        back = inverse(symmetry)
        return place, (), tuple(back[cell] for cell in side.boxes[place].cells)

    def played(self, beads: Beads, draws: Draws) -> tuple[Outcome, Trail]:
        """Return how a game ends whose moves are drawn, and the boxes opened. An empty box resigns the game."""
        trail: Trail = []
        step = self.steps[0]
        while step.outcome is None:
            weights: Sequence[int] = step.weights
            if step.box is not None:
                weights = beads[step.mover][step.box]
                if not any(weights):
                    return opponent(step.mover), trail
            place = draws.pick(list(weights))
            if step.box is not None:
                trail.append((step.mover, step.box, place))
            step = self.steps[step.after[place]]
        return step.outcome, trail

    def chances(self, beads: Filling) -> GameChances:
        """Return the exact chances of a game with these beads: one backward pass over the graph, in whole numbers.

        An empty box loses the game.
        """
        return _as_chances(self.known(beads)[0])

    def known(self, beads: Filling) -> list[Parts]:
        """Return for each step what X wins and what is drawn, out of a whole."""
        known: list[Parts] = [(0, 0, 1)] * len(self.steps)
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            weights = step.weights if step.box is None else beads[step.mover][step.box]
            known[number] = _parts(step, weights, [known[n] for n in step.after])
        return known

    def changed(
        self, known: Sequence[Parts], boxes: Mapping[tuple[Player, int], Sequence[int]], beads: Filling
    ) -> GameChances:
        """Return the chances where some boxes hold other beads than those that `known` is of: only the steps that lead
        to them are gone through anew."""
        touched = sorted(set().union(*(self._above(key) for key in boxes)), reverse=True)
        fresh: dict[int, Parts] = {}
        for number in touched:
            step = self.steps[number]
            weights: Sequence[int] = step.weights
            if step.box is not None:
                weights = boxes.get((step.mover, step.box), beads[step.mover][step.box])
            fresh[number] = _parts(step, weights, [fresh.get(n) or known[n] for n in step.after])
        return _as_chances(fresh.get(0, known[0]))

    @cached_property
    def _before(self) -> list[list[int]]:
        """For each step those from which one draw leads to it."""
        before: list[list[int]] = [[] for _ in self.steps]
        for number, step in enumerate(self.steps):
            for then in set(step.after):
                before[then].append(number)
        return before

    @cached_property
    def _opened(self) -> dict[tuple[Player, int], list[int]]:
        """For each box the steps at which it is opened."""
        opened: dict[tuple[Player, int], list[int]] = {}
        for number, step in enumerate(self.steps):
            if step.box is not None:
                opened.setdefault((step.mover, step.box), []).append(number)
        return opened

    def _above(self, box: tuple[Player, int]) -> frozenset[int]:
        """Return the steps at which a box is opened, and all that lead there."""
        if box not in self._leading:
            found = set(self._opened[box])
            edge = list(found)
            while edge:
                fresh = {each for number in edge for each in self._before[number]} - found
                found |= fresh
                edge = list(fresh)
            self._leading[box] = frozenset(found)
        return self._leading[box]


_SURE: Mapping[str, Parts] = {"X": (1, 0, 1), "draw": (0, 1, 1), "O": (0, 0, 1)}
"""What X wins and what is drawn, out of a whole, where the outcome is sure."""


def _as_chances(parts: Parts) -> GameChances:
    x, draw, whole = parts
    return GameChances(Fraction(x, whole), Fraction(draw, whole), Fraction(whole - x - draw, whole))


def _parts(step: PlayStep, weights: Sequence[int], after: Sequence[Parts]) -> Parts:
    """Return the chances at a step, from those of the steps after it."""
    if step.outcome is not None:
        return _SURE[step.outcome]
    if not any(weights):
        return _SURE[opponent(step.mover)]
    return _mixed([(weight, parts) for weight, parts in zip(weights, after, strict=True) if weight])


def _mixed(parts: Sequence[tuple[int, Parts]]) -> Parts:
    """Return the mean of chances, each with a weight, in lowest terms."""
    if len(parts) == 1:
        return parts[0][1]
    common = lcm(*(whole for _, (_, _, whole) in parts))
    x = sum(weight * wins * (common // whole) for weight, (wins, _, whole) in parts)
    draw = sum(weight * draws * (common // whole) for weight, (_, draws, whole) in parts)
    total = common * sum(weight for weight, _ in parts)
    shared = gcd(x, draw, total)
    return x // shared, draw // shared, total // shared
