"""All forced wins after the replies that lose to an opening: how each mistake is punished."""

from __future__ import annotations

from dataclasses import dataclass

from noughts.domain.bits import Cell, Mask, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.errors import InputError, InvalidQuestion
from noughts.domain.frozen import short
from noughts.domain.position import Position
from noughts.strategy.forcedwins import forced_wins
from noughts.strategy.openings import openings
from noughts.strategy.replies import Opening, Reply, count
from noughts.strategy.threats import threat_mask

__all__ = ["ForcedWin", "Punishment", "Punishments", "punishments"]


@dataclass(frozen=True)
class ForcedWin:
    """A sequence of moves that forces a fork, the attacker's first, and the cells that then complete a line.

    `times` counts the sequences that are the same turned or mirrored.
    """

    moves: tuple[Cell, ...]
    threats: tuple[Cell, ...]
    times: int
    position: Position


@dataclass(frozen=True)
class Punishment:
    """A reply that loses, for all its symmetric cells, and every forced win after it, up to symmetry.

    `complete` says that these are all. `at_once` are the moves that complete a line; no forced win begins with them.
    `winning` are the moves that win where no fork can be forced by threats alone.
    """

    opening: Cell
    reply: Cell
    cells: Mask
    position: Position
    wins: tuple[ForcedWin, ...]
    complete: bool
    at_once: tuple[Cell, ...]
    winning: tuple[Cell, ...]


@dataclass(frozen=True, repr=False)
class Punishments:
    """Every losing reply to some openings, with the forced wins after it. `opening` is None where it is about all."""

    start: Position
    opening: Cell | None
    replies: int
    """The replies up to symmetry, those that lose and all others."""
    lost_before: int
    """How many of the replies were made in a position that was lost already, so that none of them is a mistake."""
    not_found: int
    """How many of the replies are of a value that was not found."""
    found: tuple[Punishment, ...]

    def __repr__(self) -> str:
        return f"<Punishments from {short(self.start)} on {short(self.board)}: {len(self.found)} losing replies>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board

    @property
    def sequences(self) -> int:
        """The number of forced wins, up to symmetry."""
        return sum(len(each.wins) for each in self.found)

    def as_dict(self) -> dict[str, object]:
        """Return the replies and the forced wins after each for JSON."""

        def names(cells: tuple[Cell, ...]) -> list[str]:
            return [cell_name(self.board, cell) for cell in cells]

        return {
            "board": self.board.spec,
            "position": str(self.start),
            "opening": None if self.opening is None else cell_name(self.board, self.opening),
            "replies": self.replies,
            "lost_before": self.lost_before,
            "not_found": self.not_found,
            "losing": [
                {
                    "opening": cell_name(self.board, each.opening),
                    "reply": cell_name(self.board, each.reply),
                    "cells": names(tuple(cells_of(each.cells))),
                    "position": str(each.position),
                    "forced_wins": [
                        {"moves": names(win.moves), "threats": names(win.threats), "times": win.times}
                        for win in each.wins
                    ],
                    "complete": each.complete,
                    "at_once": names(each.at_once),
                    "winning_moves": names(each.winning),
                }
                for each in self.found
            ],
        }


def punishments(
    board: Board | str, start: Position | str | None = None, *, opening: str | int | None = None
) -> Punishments:
    """Return the replies that lose after each first move from a start, or after one, and all forced wins after each.

    A forced win is a sequence of threats that ends in a fork. Raises InvalidQuestion under misere, where forks are no
    help, and InputError as `openings` does. Cost: that of the values, and of all sequences of threats.

    >>> found = punishments("3x3")
    >>> len(found.found), found.sequences
    (7, 22)
    """
    board = Board.parse(board)
    if board.misere:
        raise InvalidQuestion("forced wins are made of threats and forks, which mean the opposite under misere")
    theory = openings(board, start)
    chosen = theory.openings
    if opening is not None:
        cell = parse_cell(board, opening)
        chosen = tuple(each for each in chosen if each.cells >> cell & 1)
        if not chosen:
            raise InputError(f"{cell_name(board, cell)} is taken in {theory.start}: give a blank cell")
    found = [_punishment(each, reply) for each in chosen for reply in each.replies if reply.loses]
    replies = [reply for each in chosen for reply in each.replies]
    return Punishments(
        theory.start,
        None if opening is None else chosen[0].cell,
        len(replies),
        count(replies, "lost before"),
        count(replies, None),
        tuple(found),
    )


def _punishment(opening: Opening, reply: Reply) -> Punishment:
    position = reply.position
    searched = forced_wins(position)
    keeping = position.board.group().keeping(position.x, position.o)
    times: dict[tuple[Cell, ...], int] = {}
    for sequence in searched.sequences:
        least = min(tuple(symmetry[cell] for cell in sequence) for symmetry in keeping)
        times[least] = times.get(least, 0) + 1
    wins = tuple(_win(position, moves, many) for moves, many in times.items())
    at_once = tuple(cells_of(threat_mask(position, position.to_move)))
    winning = () if wins else _winning(position)
    return Punishment(opening.cell, reply.cell, reply.cells, position, wins, searched.complete, at_once, winning)


def _win(position: Position, moves: tuple[Cell, ...], times: int) -> ForcedWin:
    attacker = position.to_move
    for cell in moves:
        position = position.play(cell)
    return ForcedWin(moves, tuple(cells_of(threat_mask(position, attacker))), times, position)


def _winning(position: Position) -> tuple[Cell, ...]:
    """Return the moves that win, by the values."""
    theory = openings(position.board, position)
    return tuple(c for o in theory.openings if o.outcome == position.to_move for c in cells_of(o.cells))
