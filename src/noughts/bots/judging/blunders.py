"""How a bot conducts itself against an opponent: the moves it makes, and those of them that give value away."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noughts.domain.bits import Cell, Mask
from noughts.domain.cells import cell_name
from noughts.domain.position import Outcome, Player, Position
from noughts.solving.solution import Solution
from noughts.strategy.policies import Policy
from noughts.strategy.quality import Quality, quality

__all__ = ["Conduct", "LikelyBlunder", "conduct"]


@dataclass(frozen=True)
class LikelyBlunder:
    """A move after which its player has less than before, by the outcomes under best play.

    `reached` is the chance that a game comes to the position, `share` the one with which the move is made there. The
    position stands for its class where both policies treat symmetric positions alike.
    """

    position: Position
    cell: Cell
    reached: Fraction
    share: Fraction
    before: Outcome
    after: Outcome
    what: Quality

    @property
    def chance(self) -> Fraction:
        """The chance that it is made in a game."""
        return self.reached * self.share

    def as_dict(self) -> dict[str, object]:
        """Return the blunder for JSON, fractions as text; outcomes are X, O or draw."""
        return {
            "position": str(self.position),
            "cell": cell_name(self.position.board, self.cell),
            "chance": str(self.chance),
            "reached": str(self.reached),
            "share": str(self.share),
            "before": self.before,
            "after": self.after,
        }


@dataclass(frozen=True)
class Conduct:
    """The moves of one player in games between two policies: `moves` it makes on average, and its blunders."""

    moves: Fraction
    blunders: tuple[LikelyBlunder, ...]

    @property
    def blunders_a_game(self) -> Fraction:
        """The blunders that it makes in a game, on average."""
        return sum((each.chance for each in self.blunders), Fraction(0))

    @property
    def blunder_rate(self) -> Fraction:
        """The part of its moves that are blunders, each position weighted by the chance to reach it."""
        return self.blunders_a_game / self.moves if self.moves else Fraction(0)

    def as_dict(self) -> dict[str, object]:
        """Return the conduct for JSON, fractions as text."""
        return {
            "moves": str(self.moves),
            "blunders_a_game": str(self.blunders_a_game),
            "blunder_rate": str(self.blunder_rate),
            "blunders": [each.as_dict() for each in self.blunders],
        }


def conduct(start: Position, player: Player, bot: Policy, against: Policy, solution: Solution) -> Conduct:
    """Return how a player who plays by a policy does against another policy. One forward pass, layer by layer.

    Positions are classes where both policies treat symmetric positions alike, else labelled.
    """
    symmetric = bot.is_symmetric and against.is_symmetric
    layer, moves, found = {_key(start, symmetric): Fraction(1)}, Fraction(0), list[LikelyBlunder]()
    while layer:
        following: dict[tuple[Mask, Mask], Fraction] = {}
        for (x, o), reached in layer.items():
            position = Position(start.board, x, o)
            if position.is_terminal:
                continue
            mine = position.to_move == player
            shares = (bot if mine else against).probabilities(position, solution)
            for cell, share in shares.items():
                key = _key(position.play(cell), symmetric)
                following[key] = following.get(key, Fraction(0)) + reached * share
            if mine:
                moves += reached
                found += _blunders(position, reached, shares, solution)
        layer = following
    return Conduct(moves, tuple(sorted(found, key=lambda each: (-each.chance, each.position.ply))))


def _key(position: Position, symmetric: bool) -> tuple[Mask, Mask]:
    if symmetric:
        return position.board.group().canonical(position.x, position.o)
    return position.x, position.o


def _blunders(
    position: Position, reached: Fraction, shares: dict[Cell, Fraction], solution: Solution
) -> list[LikelyBlunder]:
    before = solution.outcome(position)
    found = []
    for cell, share in shares.items():
        after = solution.outcome(position.play(cell))
        what = quality(position.to_move, before, after)
        if share and what in ("gives up a win", "loses"):
            found.append(LikelyBlunder(position, cell, reached, share, before, after, what))
    return found
