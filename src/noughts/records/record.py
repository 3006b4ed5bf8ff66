"""The record of a position: every fact about it as a typed value, and the same as plain data for files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from noughts.domain.bits import Cell, Mask, cells_of, mask_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.frozen import FrozenDict, short
from noughts.domain.position import Outcome, Player, Position, opponent
from noughts.domain.symmetry import Permutation
from noughts.strategy.threats import fork_cells, is_fork, threat_mask

__all__ = ["Move", "RandomPlay", "Record", "Threats", "Value", "fraction_text", "tactics"]

Value = Literal["win", "draw", "loss"]
Threats = FrozenDict[Player, tuple[Cell, ...]] | None
"""Cells in reading order for each player; None where it is not defined."""


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """A move to a distinct child class, for all cells that lead there, in reading order.

    `label`, `outcome` (absolute) and `remoteness` (plies) are those of the child. `best`: it keeps the value and, of
    the moves that do, wins soonest or loses latest.
    """

    cells: tuple[Cell, ...]
    canonical: Position
    label: str
    outcome: Outcome
    remoteness: int
    best: bool

    def __repr__(self) -> str:
        name = cell_name(self.canonical.board, self.cells[0])
        return f"<Move {name}: {self.label}{', best' if self.best else ''}>"


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """The exact probabilities of the outcomes when both sides choose every move at random from here on."""

    x_wins: Fraction
    draw: Fraction
    o_wins: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """All that the catalogue knows about a position: that of a class, or of one labelled board.

    `canonical` is the identifier of the class, `position` the board that cells refer to; they are the same for a class.
    `is_terminal`: the game is over. In a catalogue of rules of play all but the marks is within these rules.
    `outcome` (absolute) and `remoteness` (plies to the end) are under best play. `threats` and `forks` map a player to
    the blank cells that complete a line, or on which a mark would create two threats; None under misere, and so is
    `is_fork`. `ways` counts the paths to any board of the class, or to this labelled board; `finishes` the ways to
    finish the game from one board; `by_choices` means that each distinct child class is one choice. `pattern` names a
    drawn full board; None for all others and where the patterns are too many to list.
    """

    position: Position
    canonical: Position
    orbit: int
    stabiliser: int
    is_terminal: bool
    outcome: Outcome
    remoteness: int
    decided: bool
    label: str
    threats: Threats
    forks: Threats
    is_fork: bool | None
    ways: int
    ways_by_choices: int
    finishes: int
    finishes_by_choices: int
    random_play: RandomPlay
    pattern: str | None
    predecessors: tuple[Position, ...]
    moves: tuple[Move, ...]

    def __repr__(self) -> str:
        return f"<Record of {short(self.position)} on {short(self.board)}: {self.label}>"

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def ply(self) -> int:
        """The number of marks."""
        return self.position.ply

    @property
    def to_move(self) -> Player:
        """The player whose turn the marks imply, in a finished game too."""
        return self.position.to_move

    @property
    def value(self) -> Value:
        """The outcome as the player sees it whose turn the marks imply."""
        if self.outcome == "draw":
            return "draw"
        return "win" if self.outcome == self.to_move else "loss"

    @property
    def is_trap(self) -> bool:
        """Whether the side to move has a move that loses and another that does not."""
        lost = [move.outcome == opponent(self.to_move) for move in self.moves]
        return any(lost) and not all(lost)

    @property
    def best_moves(self) -> tuple[Cell, ...]:
        """The cells of the best moves, in reading order; none where the game is over."""
        return tuple(sorted(cell for move in self.moves if move.best for cell in move.cells))

    @property
    def games(self) -> int:
        """Finished games through this position: ways to reach it times ways to finish."""
        return self.ways * self.finishes

    @property
    def games_by_choices(self) -> int:
        """Finished games through the class when games are paths of distinct choices."""
        return self.ways_by_choices * self.finishes_by_choices

    def turned(self, permutation: Permutation) -> Record:
        """Return the record of the labelled board that a symmetry makes of this class; its ways are its own alone."""

        def image(cells: Iterable[Cell]) -> tuple[Cell, ...]:
            return tuple(sorted(permutation[cell] for cell in cells))

        def marks(mask: Mask) -> Mask:
            return mask_of(permutation[cell] for cell in cells_of(mask))

        def both(found: Threats) -> Threats:
            return None if found is None else FrozenDict((player, image(cells)) for player, cells in found.items())

        return replace(
            self,
            position=Position(self.board, marks(self.canonical.x), marks(self.canonical.o)),
            threats=both(self.threats),
            forks=both(self.forks),
            ways=self.ways // self.orbit,
            moves=tuple(replace(move, cells=image(move.cells)) for move in self.moves),
        )

    def names(self, cells: Iterable[Cell]) -> list[str]:
        """Return the names of cells in reading order."""
        return [cell_name(self.board, cell) for cell in sorted(cells)]

    def as_row(self) -> dict[str, object]:
        """Return the record as a row of a table: counts as integers, probabilities as fractions, moves as text."""
        return {
            "position": str(self.position),
            "class": str(self.canonical),
            "ply": self.ply,
            "orbit": self.orbit,
            "stabiliser": self.stabiliser,
            "to_move": self.to_move,
            "terminal": self.is_terminal,
            "outcome": self.outcome,
            "value": self.value,
            "remoteness": self.remoteness,
            "label": self.label,
            "decided": self.decided,
            "fork": self.is_fork,
            "trap": self.is_trap,
            "best_moves": " ".join(self.names(self.best_moves)),
            "ways": self.ways,
            "ways_by_choices": self.ways_by_choices,
            "finishes": self.finishes,
            "finishes_by_choices": self.finishes_by_choices,
            "games": self.games,
            "games_by_choices": self.games_by_choices,
            "random_x": self.random_play.x_wins,
            "random_draw": self.random_play.draw,
            "random_o": self.random_play.o_wins,
            "pattern": self.pattern,
        }

    def as_dict(self) -> dict[str, object]:
        """Return the record for JSON: counts as decimal strings, probabilities as p/q, what is not defined as null."""
        return {
            "position": str(self.position),
            "class": str(self.canonical),
            "ply": self.ply,
            "orbit": str(self.orbit),
            "stabiliser": str(self.stabiliser),
            "to_move": self.to_move,
            "terminal": self.is_terminal,
            "outcome": self.outcome,
            "value": self.value,
            "remoteness": self.remoteness,
            "label": self.label,
            "decided": self.decided,
            "threats": self._by_player(self.threats),
            "forks": self._by_player(self.forks),
            "fork": self.is_fork,
            "trap": self.is_trap,
            "best_moves": self.names(self.best_moves),
            "ways": str(self.ways),
            "ways_by_choices": str(self.ways_by_choices),
            "finishes": str(self.finishes),
            "finishes_by_choices": str(self.finishes_by_choices),
            "games": str(self.games),
            "games_by_choices": str(self.games_by_choices),
            "random_play": {
                "X": fraction_text(self.random_play.x_wins),
                "draw": fraction_text(self.random_play.draw),
                "O": fraction_text(self.random_play.o_wins),
            },
            "pattern": self.pattern,
            "predecessors": [str(position) for position in self.predecessors],
            "moves": [
                {
                    "cells": self.names(move.cells),
                    "class": str(move.canonical),
                    "label": move.label,
                    "outcome": move.outcome,
                    "remoteness": move.remoteness,
                    "best": move.best,
                }
                for move in self.moves
            ],
        }

    def _by_player(self, found: Threats) -> dict[Player, list[str]] | None:
        return None if found is None else {player: self.names(cells) for player, cells in found.items()}


def fraction_text(value: Fraction) -> str:
    """Return a fraction as text, always with its denominator."""
    return f"{value.numerator}/{value.denominator}"


def tactics(
    position: Position,
) -> tuple[Threats, Threats, bool | None]:
    """Return the threats and forks of both players and whether the position is a fork; None each under misere."""
    if position.board.misere:
        return None, None, None

    def both(find: Callable[[Position, Player], Mask]) -> Threats:
        return FrozenDict(X=tuple(cells_of(find(position, "X"))), O=tuple(cells_of(find(position, "O"))))

    return both(threat_mask), both(fork_cells), is_fork(position)
