"""The empty geometry: cells, winning lines, symmetries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from math import prod
from operator import index
from typing import Literal, get_args

from noughts.domain.arguments import integer, one_of
from noughts.domain.automorphisms import automorphism_group
from noughts.domain.bits import Cell, Mask, mask_of
from noughts.domain.errors import InvalidBoard, InvalidType
from noughts.domain.frozen import short
from noughts.domain.geometry import Shape, grid_lines, isometries, isometry_generators, isometry_order
from noughts.domain.players import Player, opponent
from noughts.domain.specification import (
    ENDING,
    SIDE_LIMIT,
    Specification,
    format_specification,
    parse_specification,
)
from noughts.domain.symmetry import Group, Permutation

__all__ = ["Board", "SymmetryName"]

SymmetryName = Literal["board", "lines"]


@dataclass(frozen=True, repr=False)
class Board:
    """The empty geometry of a game: cells numbered in reading order, winning lines, and symmetries.

    Make one with `Board.parse("4x5:4+torus")`, `Board.grid(4, 5, 4)` or `Board.from_lines(7, lines)`. Boards are
    values: two with the same geometry and rules are equal. Lines and groups are computed when first asked for.

    `cells` is the number of cells; `shape` is (rows, columns, layers), or None for a board given by its lines; `k` the
    length of a line, or None; `torus` and `misere` as in the specification, which `spec` gives back.
    """

    specification: Specification | None
    cells: int
    given_lines: tuple[tuple[Cell, ...], ...] | None = None
    given_symmetries: tuple[Permutation, ...] = ()
    misere: bool = False
    name: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.specification, Specification) == (self.given_lines is not None):
            raise InvalidBoard(
                "a board has sides or lines: make one with Board.parse('3x3'), Board.grid(3, 3) or "
                "Board.from_lines(3, [(0, 1, 2)])"
            )

    @classmethod
    def parse(cls, text: str | Board) -> Board:
        """Return the board of a specification such as `3x3`, `4x5:4`, `3x3x3`, `3x3+torus` or `4x4:3+misere`.

        A board is returned as it is. Raises InvalidBoard with the remedy.
        """
        if isinstance(text, Board):
            return text
        return cls._of(parse_specification(text))

    @classmethod
    def grid(
        cls,
        rows: int,
        columns: int,
        k: int | None = None,
        layers: int | None = None,
        *,
        torus: bool = False,
        misere: bool = False,
    ) -> Board:
        """Return the board with these sides, k in a row (the shortest side unless given).

        Raises InvalidBoard where a side is not from 1 to the limit, or k is below 1.
        """
        sides = (rows, columns) if layers is None else (rows, columns, layers)
        integer("rows", rows)
        integer("columns", columns)
        for what, number in (("k", k), ("layers", layers)):
            if number is not None:
                integer(what, number)
        if any(not 1 <= side <= SIDE_LIMIT for side in sides) or (k is not None and k < 1):
            raise InvalidBoard(f"sides are 1 to {SIDE_LIMIT} and k is at least 1, not {sides} and {k}: try 3, 3, 3")
        return cls._of(Specification(sides, k if k is not None else min(sides), torus, misere))

    @classmethod
    def _of(cls, specification: Specification) -> Board:
        return cls(specification, prod(specification.sides), misere=specification.misere)

    @classmethod
    def from_lines(
        cls,
        cells: int,
        lines: Iterable[Iterable[Cell]],
        symmetries: Iterable[Permutation] | None = None,
        *,
        misere: bool = False,
        name: str | None = None,
    ) -> Board:
        """Return a board given by its winning lines, any sets of cells 0..cells-1; equal sets count once.

        `symmetries` generate the `board` group (the identity alone unless given); each must map lines to lines.
        Raises InvalidBoard otherwise.
        """
        if integer("the number of cells", cells) < 1:
            raise InvalidBoard(f"a board has at least one cell, not {cells}")
        try:
            unique = tuple(sorted({tuple(sorted({index(cell) for cell in line})) for line in lines}))
            given = tuple(tuple(index(cell) for cell in p) for p in (() if symmetries is None else symmetries))
        except TypeError:
            raise InvalidType("lines and symmetries are lists of lists of cells, numbered from 0") from None
        for line in unique:
            if not line or line[0] < 0 or line[-1] >= cells:
                raise InvalidBoard(f"the line {line} is not a set of cells 0 to {cells - 1}: number the cells from 0")
        for p in given:
            if sorted(p) != list(range(cells)) or {tuple(sorted(p[c] for c in line)) for line in unique} != set(unique):
                raise InvalidBoard(f"{p} is no symmetry of the lines: it must permute the cells and keep the lines")
        return cls(None, cells, unique, given, misere, name)

    @property
    def shape(self) -> Shape | None:
        """(rows, columns, layers), with one layer for a flat board; None for a board given by its lines."""
        if self.specification is None:
            return None
        sides = self.specification.sides
        return (sides[0], sides[1], sides[2] if len(sides) == 3 else 1)

    @property
    def is_solid(self) -> bool:
        """Whether the specification has three sides, so that cells are named with their layer."""
        return self.specification is not None and len(self.specification.sides) == 3

    @property
    def k(self) -> int | None:
        """The length of a winning line; None for a board given by its lines."""
        return self.specification.k if self.specification else None

    @property
    def torus(self) -> bool:
        """Whether lines wrap around the edges."""
        return self.specification is not None and self.specification.torus

    def is_called(self, given: object) -> bool:
        """Tell whether a text names this board: in any spelling or, where it is given by its lines, as `spec` does.

        A file of lines is known by its name, wherever it lies. Raises InvalidBoard for what can name no board.
        """
        if isinstance(given, str) and (given.lower().endswith(ENDING) or given == self.spec):
            return _last(given) == _last(self.spec)
        return Board.parse(given) == self  # type: ignore[arg-type]  # which says what is wrong with another type

    @cached_property
    def spec(self) -> str:
        """The specification, always with `:K`; for a board given by its lines its name or a short description.

        A file of lines says itself whether a completed line loses.
        """
        if self.specification is not None:
            return format_specification(self.specification)
        words = self.name or f"{self.cells} cells, {len(self.lines)} lines"
        return words + ("+misere" if self.misere and not words.lower().endswith(("+misere", ENDING)) else "")

    @cached_property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The winning lines as sorted tuples of cells, sorted, none twice."""
        if self.given_lines is not None:
            return self.given_lines
        assert self.specification is not None
        assert self.shape is not None
        return grid_lines(self.shape, self.specification.k, self.torus)

    @cached_property
    def line_masks(self) -> tuple[Mask, ...]:
        """The winning lines as sets of cells, in the order of `lines`."""
        return tuple(mask_of(line) for line in self.lines)

    @cached_property
    def lines_through(self) -> tuple[tuple[Mask, ...], ...]:
        """For each cell the winning lines that hold it."""
        through: list[list[Mask]] = [[] for _ in range(self.cells)]
        for line, mask in zip(self.lines, self.line_masks, strict=True):
            for cell in line:
                through[cell].append(mask)
        return tuple(tuple(masks) for masks in through)

    @property
    def full(self) -> Mask:
        """The set of all cells."""
        return (1 << self.cells) - 1

    def has_line(self, marks: Mask) -> bool:
        """Tell whether a set of cells contains a winning line."""
        if not marks:  # a large board has many lines, which an empty one need not find
            return False
        for line in self.line_masks:  # noqa: SIM110 - twice as quick as any(), and asked of every position
            if marks & line == line:
                return True
        return False

    def line_outcome(self, player: Player) -> Player:
        """Return who wins when a player completes a line: that player, under misere the other."""
        return opponent(player) if self.misere else player

    def winner(self, x: Mask, o: Mask) -> Player | None:
        """Return who wins by the completed lines of two sets of marks.

        None when nobody has a line, and where both have one, which play that ends at a line never leads to.
        """
        has_x, has_o = self.has_line(x), self.has_line(o)
        return None if has_x == has_o else self.line_outcome("X" if has_x else "O")

    @cached_property
    def _board_group(self) -> Group:
        if self.shape is None:
            if self.given_symmetries:
                return Group(self.cells, self.given_symmetries)
            return Group.trivial(self.cells)
        shape, torus = self.shape, self.torus
        return Group(
            self.cells,
            lambda: isometry_generators(shape, torus),
            isometry_order(shape, torus),
            lambda: isometries(shape, torus),
        )

    @cached_property
    def _lines_group(self) -> Group:
        return automorphism_group(self.cells, self.lines)

    def group(self, name: SymmetryName = "board") -> Group:
        """Return a symmetry group: `board`, the isometries, or `lines`, all permutations that keep the lines.

        On a torus the isometries include the translations. For a board given by its lines `board` is the group
        generated by the symmetries given with it. The order is exact; the elements are listed up to 10,000.
        """
        if name == "board":
            return self._board_group
        one_of("the symmetry", name, get_args(SymmetryName))
        return self._lines_group

    def __reduce__(self) -> tuple[object, ...]:
        return Board, tuple(getattr(self, field.name) for field in fields(self))

    def as_dict(self) -> dict[str, object]:
        """Return the board for JSON: cells counted from 0 in reading order."""
        return {
            "board": self.spec,
            "cells": self.cells,
            "shape": self.shape and list(self.shape),
            "k": self.k,
            "torus": self.torus,
            "misere": self.misere,
            "lines": [list(line) for line in self.lines],
        }

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        if self.specification is not None:
            return f"Board.parse({self.spec!r})"
        given = f", symmetries={self.given_symmetries!r}" if self.given_symmetries else ""
        named = f", name={self.name!r}" if self.name else ""
        misere = ", misere=True" if self.misere else ""
        whole = f"Board.from_lines({self.cells}, {self.lines!r}{given}{misere}{named})"
        return whole if len(whole) < 100 else f"<Board {short(self)!r} of {self.cells} cells, {len(self.lines)} lines>"


def _last(name: str) -> str:
    """Return the last part of the path of a file."""
    return name.replace("\\", "/").rpartition("/")[2]
