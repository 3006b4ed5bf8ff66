"""A game that is played through: the moves up to here, the line they are the first of, and the lines that were left.

All of it stands in the link: the moves in the path, `line` where it goes on from here, `also` the lines left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.errors import InputError, shown
from noughts.web.addresses import game_slug, read_game
from noughts.web.ask import Ask

__all__ = ["GameLines", "read_lines"]

_KEPT = 6
"""Lines left that are kept, the latest."""

Moves = tuple[Cell, ...]


@dataclass(frozen=True)
class GameLines:
    """Where a reader is: after `moves`, on `line`, which begins with them; `also` are the lines that were left."""

    board: Board
    moves: Moves
    line: Moves
    also: tuple[Moves, ...] = ()

    def at(self, ply: int) -> GameLines:
        """Return the same line after so many moves."""
        return replace(self, moves=self.line[:ply])

    def play(self, cell: Cell) -> GameLines:
        """Return what a move leads to: along the line, or to a new one, where the rest of the old is kept."""
        after = (*self.moves, cell)
        if self.line[: len(after)] == after:
            return replace(self, moves=after)
        left = self._with(self.line) if len(self.line) > len(self.moves) else self.also
        return GameLines(self.board, after, after, left)

    def switch(self, other: Moves) -> GameLines:
        """Return one of the lines left, at its end, with this one kept instead."""
        rest = tuple(line for line in self.also if line != other)
        return GameLines(self.board, other, other, replace(self, also=rest)._with(self.line))

    def _with(self, line: Moves) -> tuple[Moves, ...]:
        return (*[other for other in self.also if other != line], line)[-_KEPT:]

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the link."""
        found = {}
        if self.line != self.moves:
            found["line"] = game_slug(self.board, self.line)
        if self.also:
            found["also"] = ",".join(game_slug(self.board, line) for line in self.also)
        return found


def read_lines(ask: Ask) -> GameLines:
    """Return where a reader is, from the address. Raises NotFound for impossible moves, InputError for other lines."""
    assert ask.board is not None
    board = ask.board
    moves = read_game(board, ask.what)
    line, also = ask.given("line"), ask.given("also")
    whole = moves if line is None else read_game(board, line)
    if whole[: len(moves)] != moves:
        raise InputError(f"the line {shown(line or '')} does not begin with {shown(ask.what)}: leave out line=")
    left = [text for text in (also or "").split(",") if text]
    if len(left) > _KEPT:
        raise InputError(f"also= has {len(left)} lines and up to {_KEPT} are kept: leave some out")
    return GameLines(board, moves, whole, tuple(read_game(board, text) for text in left))
