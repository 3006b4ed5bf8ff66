"""The first line on which a bot still loses, found by going through every reply to it."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.players import Player, opponent
from noughts.domain.position import Position
from noughts.domain.symmetry import inverse
from noughts.strategy.genome import Genome

__all__ = ["LosingLine", "first_loss"]


@dataclass(frozen=True)
class LosingLine:
    """A whole game that a bot loses: which player it was, and the moves of both."""

    board: Board
    player: Player
    moves: tuple[Cell, ...]

    @property
    def names(self) -> list[str]:
        """The names of the cells."""
        return [cell_name(self.board, cell) for cell in self.moves]

    def as_dict(self) -> dict[str, object]:
        """Return the line for JSON."""
        return {"as": self.player, "moves": self.names}


def first_loss(bot: Genome) -> LosingLine | None:
    """Return the shortest game that a bot can lose, None where it never loses.

    Of equally short ones that as X, and then the one whose moves come first in reading order. Cost: one visit to each
    position class that the bot can come to.
    """
    players: tuple[Player, ...] = tuple(player for player in ("X", "O") if player in bot.pool.players)
    found = [line for line in (_Hunt(bot, player).line() for player in players) if line is not None]
    return min(found, key=lambda line: len(line.moves), default=None)


class _Hunt:
    """Looks for the soonest loss of a bot that plays as one player."""

    def __init__(self, bot: Genome, player: Player) -> None:
        self.bot, self.player = bot, player
        self.group = bot.pool.board.group()
        self.known: dict[tuple[Mask, Mask], int | None] = {}

    def line(self) -> LosingLine | None:
        """Return the line."""
        at, moves = Position(self.bot.pool.board), list[Cell]()
        if self._plies(at) is None:
            return None
        while not at.is_terminal:
            near = {cell: self._plies(at.play(cell)) for cell in self._cells(at)}
            moves.append(min((plies, cell) for cell, plies in near.items() if plies is not None)[1])
            at = at.play(moves[-1])
        return LosingLine(at.board, self.player, tuple(moves))

    def _cells(self, at: Position) -> list[Cell]:
        if at.to_move != self.player:
            return list(cells_of(at.blanks))
        x, o, symmetry = self.group.to_canonical(at.x, at.o)
        return [inverse(symmetry)[self.bot.cells[x, o]]]

    def _plies(self, at: Position) -> int | None:
        """Return how many plies it is to the soonest loss, None where the bot holds."""
        if at.is_terminal:
            return 0 if at.outcome == opponent(self.player) else None
        key = self.group.canonical(at.x, at.o)
        if key not in self.known:
            after = [self._plies(at.play(cell)) for cell in self._cells(at)]
            self.known[key] = min((1 + plies for plies in after if plies is not None), default=None)
        return self.known[key]
