"""The catalogue of a board: a record for every position class, by its canonical position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from noughts.counting.question import Question
from noughts.domain.arguments import whole_number, wrong_type
from noughts.domain.bits import Mask
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.frozen import Frozen, short
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.domain.symmetry import Group, Permutation, inverse
from noughts.machine.frames import Framed
from noughts.records.record import Record
from noughts.records.selection import Selection
from noughts.strategy.patterns import drawn_classes

__all__ = ["EVERYTHING", "RECORD_LIMIT", "Catalogue"]

RECORD_LIMIT = 300_000
"""Records that one selection gives at most."""
EVERYTHING = Selection()
"""The selection without conditions."""


class Catalogue(Frozen, Framed, ABC):
    """A record for every position class of a board, in order of ply and then of the canonical sets of X and of O.

    `catalogue["X.O/.X./..O"]` is the record of the class of a position, given in any spelling or as moves; its cells
    are those of the canonical board, and `of_board` gives them on the board asked about. Iterating gives the classes,
    `labelled()` every board, `where(...)` those that a selection admits. Made by
    `noughts.catalogue(board)`. `question` has the rules of play that reaches the classes. Catalogues are equal when
    board and rules are; pickling keeps these, and what they give is worked out again.
    """

    board: Board
    group: Group
    question: Question

    def __init__(self, board: Board) -> None:
        vars(self).update(board=board, group=board.group(), question=Question(board, "choices"))

    def frame_rows(self) -> Iterator[dict[str, object]]:
        """Yield a row for each class, for `to_pandas` and `to_polars`."""
        return (record.as_row() for record in self)

    def __repr__(self) -> str:
        return f"catalogue({short(self.board, 80)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalogue) and self.question == other.question

    def __hash__(self) -> int:
        return hash(self.question)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.board,)

    def as_dict(self) -> dict[str, object]:
        """Return the size of the catalogue for JSON; `positions(board).as_dict()` has all that it holds."""
        rules = {"x_moves": self.question.x_moves, "o_moves": self.question.o_moves, "end": self.question.end}
        sizes: dict[str, object] = {"classes": str(len(self)), "boards": str(self.boards), "plies": self.plies}
        return {"board": self.board.spec, **rules, **sizes}

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of classes."""

    @property
    @abstractmethod
    def boards(self) -> int:
        """The number of labelled positions."""

    @property
    @abstractmethod
    def plies(self) -> int:
        """The number of plies that have positions, the empty board's included."""

    @abstractmethod
    def _layer(self, ply: int, selection: Selection = EVERYTHING) -> Iterator[Record]:
        """Yield the classes of a ply that has some, in order; those that a selection leaves out may be passed over."""

    @abstractmethod
    def _find(self, position: Position) -> Record:
        """Return the record of the class of a reachable position."""

    def layer(self, ply: int) -> Iterator[Record]:
        """Yield the classes of one ply, in order; none where no position has so many marks."""
        return self._layer(ply) if whole_number("the ply", ply) < self.plies else iter(())

    def __iter__(self) -> Iterator[Record]:
        for ply in range(self.plies):
            yield from self._layer(ply)

    def __getitem__(self, position: Position | str) -> Record:
        return self._find(parse_position(self.board, position).require_reachable())

    def __contains__(self, given: object) -> bool:
        position = given.canonical if isinstance(given, Record) else given
        if not isinstance(position, Position | str):
            return False
        try:
            return bool(self[position])
        except InputError:
            return False

    def where(self, selection: Selection | None = None, **conditions: Any) -> list[Record]:
        """Return the records of the classes that a selection admits, or the conditions of one: `where(trap=True)`.

        Raises InputError for a condition that does not exist or makes no sense on this board, BudgetError where more
        than RECORD_LIMIT classes are admitted.
        """
        if selection is not None and not isinstance(selection, Selection):
            raise wrong_type("a selection", selection, "a Selection, or its conditions by name")
        chosen = (selection or Selection.of(conditions)).on(self.board)
        if chosen.conditions.keys() <= {"ply"} and self._least_classes(chosen.ply) > RECORD_LIMIT:
            raise self._too_many()
        plies = range(self.plies) if chosen.ply is None else range(chosen.ply, min(chosen.ply + 1, self.plies))
        admitted: list[Record] = []
        for ply in plies:
            for record in self._layer(ply, chosen):
                if chosen.admits(record):
                    admitted.append(record)
            if len(admitted) > RECORD_LIMIT:
                raise self._too_many()
        return admitted

    def _least_classes(self, ply: int | None) -> int:
        """Return a number of classes, of one ply or in all, that there surely are; seen without listing any."""
        return 0

    def _too_many(self) -> BudgetError:
        return BudgetError(
            f"more than {RECORD_LIMIT:,} classes of {self.board} are asked for: add conditions, such as --ply, "
            "or write all to a file with noughts export"
        )

    def labelled(self, records: list[Record] | None = None) -> Iterator[Record]:
        """Yield a record for every board, of all classes or of those given: class by class, each orbit in order."""
        for record in self if records is None else records:
            for permutation in self.orbit(record).values():
                yield record.turned(permutation)

    def of_board(self, position: Position | str) -> Record:
        """Return the record of one labelled board: its cells are those of this board, and its ways its own alone.

        `lambda position: catalogue.of_board(position).best_moves` is a policy. Raises InputError for a position that
        play cannot lead to.
        """
        at = parse_position(self.board, position).require_reachable()
        _, _, symmetry = self.group.to_canonical(at.x, at.o)
        return self._find(at).turned(inverse(symmetry))

    def orbit(self, of: Record | Position | str) -> dict[tuple[Mask, Mask], Permutation]:
        """Return the boards of a class, the canonical one first, each with a symmetry that leads to it."""
        group, found = self.group, dict[tuple[Mask, Mask], Permutation]()
        canonical = self._record(of).canonical
        x, o = canonical.x, canonical.o
        for image, element in zip(group.images, group.elements, strict=True):
            found.setdefault((image(x), image(o)), element)
        return dict(sorted(found.items()))

    def best_line(self, start: Record | Position | str) -> list[Record]:
        """Return the classes that best play goes through from a class to the end, taking the first best move."""
        line = [self._record(start)]
        while line[-1].moves:
            best = next(move for move in line[-1].moves if move.best)
            line.append(self[best.canonical])
        return line

    def _record(self, of: Record | Position | str) -> Record:
        if not isinstance(of, Record):
            return self[of]
        parse_position(self.board, of.canonical)
        return of

    @cached_property
    def patterns(self) -> dict[tuple[Mask, Mask], str]:
        """The names of the drawn full boards by canonical sets; empty where there are too many to list."""
        try:
            return {(found.position.x, found.position.o): found.name for found in drawn_classes(self.board)}
        except BudgetError:
            return {}
