"""A policy that is a table: for each position class the chances of the moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from noughts.domain.bits import Cell, Mask, mask_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.domain.frozen import FrozenDict
from noughts.domain.position import Position
from noughts.domain.symmetry import inverse
from noughts.machine.reading import FILE_VERSION
from noughts.solving.solution import Solution
from noughts.strategy.policy import Policy
from noughts.strategy.weights import Weights, evenly

__all__ = ["FilePolicy"]


@dataclass(frozen=True)
class FilePolicy(Policy):
    """The weights of the moves by position class, as a file holds them; what is not listed is played by `otherwise`.

    `table` is {the canonical sets of X and of O: {cell: chance}}; not `by_class`, the sets are those of a position, and
    nothing is said of its images. `board` is the one that it is for. A position with one blank cell needs no entry.
    Where neither the table nor `otherwise` says what to play, `moves` and `probabilities` raise InputError.
    """

    name: str
    table: FrozenDict[tuple[Mask, Mask], Weights] = field(repr=False)
    otherwise: Policy | None = None
    by_class: bool = True
    board: Board | None = field(default=None, repr=False)

    @property
    def is_symmetric(self) -> bool:
        """Whether the table is by class, and so is what is played otherwise.

        Where a symmetry keeps a class and moves the cell of its entry, its images get one of the cells that the
        symmetry exchanges: they lead to the same class.
        """
        return self.by_class and (self.otherwise is None or self.otherwise.is_symmetric)

    @property
    def needs_values(self) -> bool:
        """Whether what is not listed needs the values of positions."""
        return self.otherwise is not None and self.otherwise.needs_values

    def moves(self, position: Position, solution: Solution | None) -> Mask:
        """Return the cells of the class, carried over to this position. Raises InputError where nothing is said."""
        listed = self.listed(position)
        if listed is None:
            return self._otherwise(position).moves(position, solution)
        return mask_of(listed)

    def probabilities(self, position: Position, solution: Solution | None) -> dict[Cell, Fraction]:
        """Return the chances of the class, carried over to this position. Raises InputError where nothing is said."""
        listed = self.listed(position)
        if listed is None:
            return self._otherwise(position).probabilities(position, solution)
        return {cell: listed[cell] for cell in sorted(listed)}

    def listed(self, position: Position) -> Weights | None:
        """Return what the table says of a position, or that its one blank cell is left; None where it says nothing."""
        found = self._of_class(position) if self.by_class else self.table.get((position.x, position.o))
        return evenly(position.blanks) if found is None and position.blanks.bit_count() == 1 else found

    def _of_class(self, position: Position) -> Weights | None:
        x, o, symmetry = position.board.group().to_canonical(position.x, position.o)
        found = self.table.get((x, o))
        if found is None:
            return None
        back = inverse(symmetry)
        return FrozenDict({back[cell]: chance for cell, chance in found.items()})

    def _otherwise(self, position: Position) -> Policy:
        if self.otherwise is not None:
            return self.otherwise
        board = position.board
        canonical = Position(board, *board.group().canonical(position.x, position.o))
        what = f"its class {canonical}" if self.by_class else "it"
        raise InputError(f"the policy {self.name} has no moves for {position}: add {what}, or a rule under 'otherwise'")

    def as_dict(self, board: Board) -> dict[str, object]:
        """Return the policy as its file has it: a list of cells as likely as each other, or cells with fractions."""
        entries = {str(Position(board, x, o)): _entry(board, weights) for (x, o), weights in sorted(self.table.items())}
        found: dict[str, object] = {"version": FILE_VERSION, "board": board.spec}
        if not self.by_class:
            found["by"] = "position"
        if self.otherwise is not None:
            inner = self.otherwise
            found["otherwise"] = inner.as_dict(board) if isinstance(inner, FilePolicy) else inner.name
        return {**found, "moves": entries}


def _entry(board: Board, weights: Weights) -> object:
    named = {cell_name(board, cell): str(weights[cell]) for cell in sorted(weights)}
    return list(named) if len(set(named.values())) == 1 else named
