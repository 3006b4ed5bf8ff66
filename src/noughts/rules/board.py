"""Boards: their specifications, cells, winning lines and symmetries; and the notation of the infinite board."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import prod
from operator import index
from typing import Literal, get_args

from noughts.rules.arguments import integer, one_of, plain, wrong_type
from noughts.rules.errors import BudgetError, InvalidBoard, InvalidQuestion, InvalidType, shown
from noughts.rules.gravity import Gravity
from noughts.rules.marks import Cell, Mask, Player, mask_of
from noughts.rules.notakto import Notakto
from noughts.rules.play import NORMAL, PlayRules
from noughts.rules.registry import RULES
from noughts.rules.symmetry import (
    Group,
    Permutation,
    Shape,
    automorphism_group,
    grid_lines,
    isometries,
    isometry_generators,
    isometry_order,
    line_guards,
)
from noughts.rules.values import short

# The infinite board, k in a row, is written `9+infinite`. It has no last cell, so it is not a `Board`.

EXAMPLE = "9+infinite"
INFINITE_K_LIMIT = 1_000_000
_PATTERN = re.compile(r"(?:([0-9]+)\+infinite|infinite:([0-9]+))")


def is_infinite(text: object) -> bool:
    """Tell whether a text names an infinite board, even with a mistake in it."""
    return isinstance(text, str) and "infinite" in plain(text).lower()


def format_infinite(k: int) -> str:
    """Return the printed form."""
    return f"{k}+infinite"


def infinite_k(text: str) -> int:
    """Return k for the text of an infinite board where k in a row win. Raises InvalidBoard and InvalidType.

    >>> infinite_k("9+infinite"), infinite_k("infinite:9")
    (9, 9)
    """
    if not isinstance(text, str):
        raise wrong_type("an infinite board", text, f"text such as {EXAMPLE}")
    match = _PATTERN.fullmatch(re.sub(r"\s", "", plain(text)[:100]).lower())
    if match is None:
        raise InvalidBoard(f"{shown(text)} is not an infinite board: write only how many in a row win, as in {EXAMPLE}")
    k = int((match[1] or match[2])[:10])
    if not 1 <= k <= INFINITE_K_LIMIT:
        raise InvalidBoard(f"{shown(text)} has {k} in a row: write 1 to {INFINITE_K_LIMIT:,}, as in {EXAMPLE}")
    return k


# Specification strings of boards: `ROWSxCOLS[:K]`, `AxBxC[:K]`, then `+torus`, one of RULES, `+misere` and `+exact`.

_BOARDS_LIMIT = 100

SIDE_LIMIT = 1000
_K_LIMIT = 1_000_000
_TEXT_LIMIT = 100
_PATTERN_SPECIFICATION = re.compile(r"([0-9]+(?:x[0-9]+)*)(?::([0-9]+))?((?:\+[a-z]+(?:\*[0-9]+)?)*)")
_SIGNS = re.compile(r"\s*([x*:+]|by)\s*")
ENDING = ".lines"
"""The extension of a file of lines."""
_NAMES = {
    "tictactoe": "3x3",
    "noughtsandcrosses": "3x3",
    "gomoku": "15x15:5",
    "qubic": "4x4x4",
    "connect4": "6x7:4+gravity",
    "connectfour": "6x7:4+gravity",
}
"""Boards with a common name, written without blanks and hyphens."""
_EXAMPLES = "write ROWSxCOLS:K, as in 3x3, 4x5:4, 3x3x3, 3x3+torus, 4x4:3+misere or 6x7:4+gravity"


@dataclass(frozen=True)
class Specification:
    """A specification: two or three sides, k, whether lines wrap around, and the rules of play."""

    sides: tuple[int, ...]
    k: int
    torus: bool = False
    rules: PlayRules = NORMAL

    @property
    def misere(self) -> bool:
        """Whether the player who completes a line loses."""
        return not self.rules.line_wins


def _no_board(given: object) -> InvalidType:
    """Return the error for what is neither text nor a board: a position or a result has a board."""
    has_board = isinstance(getattr(given, "board", None), Board)
    works = "its board, as in position.board" if has_board else "text such as 3x3 or 4x5:4+torus, or a Board"
    return wrong_type("a board", given, works)


def parse_specification(text: str) -> Specification:
    """Return the specification that a text gives; the default of K is the shortest side.

    Also reads `3 x 3`, `3×3`, `3*3`, `3 by 3` and full-width digits as `3x3`, and `+misère` as `+misere`. Raises
    InvalidBoard and InvalidType.
    """
    if not isinstance(text, str):
        raise _no_board(text)
    if is_infinite(text):
        raise InvalidBoard(
            f"only noughts solve takes the infinite board {shown(text)}, without a position: write sides, as in 15x15:9"
        )
    match = _PATTERN_SPECIFICATION.fullmatch(_written(text)) if len(text) <= _TEXT_LIMIT else None
    if match is None:
        what = "names a file of lines, not the sizes of a board" if text.endswith(ENDING) else "is not a board"
        raise InvalidBoard(f"{shown(text)} {what}: {_EXAMPLES}")
    sides = tuple(int(side) for side in match[1].split("x"))
    if len(sides) not in (2, 3):
        raise InvalidBoard(f"{shown(text)} has {_sides(len(sides))}, but a board has two or three: {_EXAMPLES}")
    if min(sides) < 1 or max(sides) > SIDE_LIMIT:
        raise InvalidBoard(f"{shown(text)} has a side outside 1 to {SIDE_LIMIT:,}: {_EXAMPLES}")
    k = int(match[2]) if match[2] is not None else min(sides)
    if not 1 <= k <= _K_LIMIT:
        raise InvalidBoard(f"{shown(text)} has {k} in a row, but k is 1 to {_K_LIMIT:,}: {_EXAMPLES}")
    torus, rules = _options(text, match[3])
    if isinstance(rules, Notakto) and rules.boards > 1 and len(sides) > 2:
        raise InvalidBoard(f"{shown(text)} has several boards of three sides: use boards with two")
    return Specification(sides, k, torus, rules)


def _written(text: str) -> str:
    """Return the text in the standard spelling, as far as it can be read."""
    small = _SIGNS.sub(lambda sign: sign[1], plain(text).strip().lower())
    name, plus, options = small.partition("+")
    small = _NAMES.get(re.sub(r"[\s_-]", "", name), name) + plus + options
    return re.sub(r"(?<=[0-9])(?:\*|by)(?=[0-9])", "x", small).replace("misère", "misere")


def begins_with_name(text: str) -> bool:
    """Tell whether a text is the common name of a board, such as connect4, perhaps with options."""
    return re.sub(r"[\s_-]", "", plain(text).lower().partition("+")[0]) in _NAMES


def _sides(count: int) -> str:
    return "one side" if count == 1 else f"{count} sides"


def _options(text: str, written: str) -> tuple[bool, PlayRules]:
    known = ("torus", *filter(None, RULES), "misere", "exact")
    options, boards = list[str](), 1
    for option in written.split("+")[1:]:
        name, _, number = option.partition("*")
        if name not in known or (number and name != "notakto"):
            there_are = f"+{', +'.join(known[:-1])} and +{known[-1]}"
            raise InvalidBoard(f"{shown(text)} has the unknown option +{option}: choose from {there_are}")
        if name in options:
            raise InvalidBoard(f"{shown(text)} has +{name} twice: write it once")
        options.append(name)
        boards = int(number) if number else boards
    games = [option for option in options if option in RULES]
    if len(games) > 1:
        raise InvalidBoard(f"{shown(text)} has the rules of two games, +{games[0]} and +{games[1]}: choose one")
    if not 1 <= boards <= _BOARDS_LIMIT:
        raise InvalidBoard(f"{shown(text)} has {boards} boards: choose 1 to {_BOARDS_LIMIT}")
    kind, misere, exact = RULES[games[0]] if games else PlayRules, "misere" in options, "exact" in options
    rules = Notakto(misere, exact, boards) if kind is Notakto else kind(misere, exact)
    return "torus" in options, rules


def format_specification(specification: Specification) -> str:
    """Return the printed form, always with `:K`."""
    sides = "x".join(str(side) for side in specification.sides)
    return f"{sides}:{specification.k}{'+torus' if specification.torus else ''}{specification.rules.suffix}"


# The empty geometry: cells, winning lines, symmetries.

SymmetryName = Literal["board", "lines"]


@dataclass(frozen=True, repr=False)
class Board:
    """The empty board of a game: cells numbered in reading order, winning lines, symmetries and rules of play.

    Make a board with `Board.parse("4x5:4+torus")`, `Board.grid(4, 5, 4)` or `Board.from_lines(7, lines)`. Boards are
    values: equal descriptions make equal boards. Lines and groups are computed at first use.

    `cells` is the number of cells. `shape` is (rows, columns, layers), and `k` the length of a line; both are None for
    a board given by its lines. `torus` and `misere` are options of the specification, which `spec` returns. `rules`
    are the rules of play.
    """

    specification: Specification | None
    cells: int
    given_lines: tuple[tuple[Cell, ...], ...] | None = None
    given_symmetries: tuple[Permutation, ...] = ()
    rules: PlayRules = NORMAL
    name: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.specification, Specification) == (self.given_lines is not None):
            raise InvalidBoard(
                "a board has sides or lines: make one with Board.parse('3x3'), Board.grid(3, 3) or "
                "Board.from_lines(3, [(0, 1, 2)])"
            )
        problem = self.rules.problem(self)
        if problem:
            raise InvalidBoard(f"{self.spec} cannot be played: {problem}")

    @classmethod
    def parse(cls, text: str | Board) -> Board:
        """Return the board of a specification such as `3x3`, `4x5:4`, `3x3x3`, `3x3+torus` or `6x7:4+gravity`.

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
        gravity: bool = False,
    ) -> Board:
        """Return the board with these sides.

        Parameters
        ----------
        rows, columns, layers:
            the sides, each from 1 to 1,000; without layers the board is flat
        k:
            the number of cells in a line, at least 1 (default: the shortest side)
        torus:
            whether lines wrap around the edges
        misere:
            whether the player who completes a line loses
        gravity:
            whether marks fall to the lowest blank cell of a column

        Raises
        ------
        InvalidBoard
            where a side or k is out of range, or the board cannot have the rules
        """
        sides = (rows, columns) if layers is None else (rows, columns, layers)
        integer("rows", rows)
        integer("columns", columns)
        for what, number in (("k", k), ("layers", layers)):
            if number is not None:
                integer(what, number)
        if any(not 1 <= side <= SIDE_LIMIT for side in sides) or (k is not None and k < 1):
            raise InvalidBoard(f"the sides {sides} or k {k} are out of range: sides are 1 to {SIDE_LIMIT}, k from 1")
        rules = (Gravity if gravity else PlayRules)(misere=misere)
        return cls._of(Specification(sides, k if k is not None else min(sides), torus, rules))

    @classmethod
    def _of(cls, specification: Specification) -> Board:
        rules = specification.rules
        return cls(specification, prod(specification.sides) * rules.boards, rules=rules)

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
        """Return a board given by its winning lines.

        Parameters
        ----------
        cells:
            the number of cells, at least 1
        lines:
            the winning lines, any sets of cells 0 to cells - 1; equal sets count once
        symmetries:
            permutations that generate the `board` group (default: the identity); each must map lines to lines
        misere:
            whether the player who completes a line loses
        name:
            the name of the board in output

        Raises
        ------
        InvalidBoard
            for a wrong cell, an empty line, or a permutation that does not map lines to lines
        """
        if integer("the number of cells", cells) < 1:
            raise InvalidBoard(f"a board cannot have {cells} cells: give 1 or more")
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
                raise InvalidBoard(f"{p} is not a symmetry of the lines: it must permute the cells and keep the lines")
        return cls(None, cells, unique, given, PlayRules(misere=misere), name)

    @property
    def shape(self) -> Shape | None:
        """(rows, columns, layers), with one layer for a flat board; None for a board given by its lines."""
        if self.specification is None:
            return None
        sides = self.specification.sides
        return (sides[0], sides[1], sides[2] if len(sides) == 3 else self.rules.boards)

    @property
    def is_solid(self) -> bool:
        """Whether there are three sides or several boards; then the name of a cell contains its layer."""
        return self.specification is not None and (len(self.specification.sides) == 3 or self.rules.boards > 1)

    @property
    def move_count(self) -> int:
        """The number of moves on the empty board under any order: the cells, twice where players choose the mark."""
        return 2 * self.cells if self.rules.chooses_mark else self.cells

    @property
    def part(self) -> Board:
        """One of several boards; the board itself if there is one."""
        if self.specification is None or self.rules.boards == 1:
            return self
        return Board._of(replace(self.specification, rules=Notakto()))

    @property
    def k(self) -> int | None:
        """The length of a winning line; None for a board given by its lines."""
        return self.specification.k if self.specification else None

    @property
    def torus(self) -> bool:
        """Whether lines wrap around the edges."""
        return self.specification is not None and self.specification.torus

    @property
    def misere(self) -> bool:
        """Whether the player who completes a line loses."""
        return not self.rules.line_wins

    def is_called(self, given: object) -> bool:
        """Tell whether a text names this board, in any spelling; a board given by its lines only as `spec` does.

        Of the path of a file of lines only the last part counts. Raises InvalidBoard for a text that cannot name a
        board.
        """
        if isinstance(given, str) and (given.lower().endswith(ENDING) or given == self.spec):
            return _last(given) == _last(self.spec)
        return Board.parse(given) == self  # type: ignore[arg-type]  # which says what is wrong with another type

    @cached_property
    def spec(self) -> str:
        """The specification, always with `:K`; for a board given by its lines its name or a short description."""
        if self.specification is not None:
            return format_specification(self.specification)
        words = self.name or f"{self.cells} cells, {len(self.lines)} lines"
        return words if words.lower().endswith((self.rules.suffix, ENDING)) else words + self.rules.suffix

    @cached_property
    def unmarked(self) -> Board:
        """The board itself; where players choose the mark, the one whose moves are cells without a mark."""
        if self.specification is None or not self.rules.chooses_mark:
            return self
        return Board._of(replace(self.specification, rules=NORMAL))

    @cached_property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The winning lines: sorted tuples of cells, in sorted order, each once."""
        if self.given_lines is not None:
            return self.given_lines
        assert self.specification is not None
        assert self.shape is not None
        if self.rules.boards == 1:
            return grid_lines(self.shape, self.specification.k, self.torus)
        size = prod(self.specification.sides)
        one = grid_lines((*self.shape[:2], 1), self.specification.k, self.torus)
        return tuple([tuple([cell + at for cell in line]) for at in range(0, self.cells, size) for line in one])

    @cached_property
    def line_masks(self) -> tuple[Mask, ...]:
        """The winning lines as sets of cells, in the order of `lines`."""
        return tuple(mask_of(line) for line in self.lines)

    @cached_property
    def lines_through(self) -> tuple[tuple[Mask, ...], ...]:
        """For each cell the winning lines through it."""
        through: list[list[Mask]] = [[] for _ in range(self.cells)]
        for line, mask in zip(self.lines, self.line_masks, strict=True):
            for cell in line:
                through[cell].append(mask)
        return tuple(tuple(masks) for masks in through)

    @property
    def full(self) -> Mask:
        """The set of all cells."""
        return (1 << self.cells) - 1

    @cached_property
    def guarded_lines(self) -> tuple[tuple[Mask, Mask], ...]:
        """Each line, and with it the cells that would lengthen it where lines are exact: it counts without these."""
        if not self.rules.exact or self.shape is None:
            return tuple((line, line) for line in self.line_masks)
        assert self.k is not None
        return line_guards(self.shape, self.k, self.torus)

    def has_line(self, marks: Mask) -> bool:
        """Tell whether a set of cells contains a winning line."""
        if not marks:  # saves an empty large board the search for its many lines
            return False
        if self.rules.exact:
            return any(marks & guard == line for line, guard in self.guarded_lines)
        for line in self.line_masks:  # noqa: SIM110 - twice as quick as any(), and called for every position
            if marks & line == line:
                return True
        return False

    def completed(self, marks: Mask) -> tuple[Mask, ...]:
        """Return the winning lines that a set of cells contains."""
        if not marks:  # saves an empty large board the search for its many lines
            return ()
        if self.rules.exact:
            return tuple(dict.fromkeys(line for line, guard in self.guarded_lines if marks & guard == line))
        return tuple(line for line in self.line_masks if marks & line == line)

    def line_outcome(self, player: Player) -> Player:
        """Return the winner when a player completes a line: that player, or under misere the other player."""
        return self.rules.line_outcome(player)

    def winner(self, x: Mask, o: Mask) -> Player | None:
        """Return the winner by the completed lines of two sets of marks.

        None where neither player has a line. Also None where both have one; play that ends at a line never leads there.
        """
        return self.rules.winner(self, x, o)

    @cached_property
    def _board_group(self) -> Group:
        if self.shape is None:
            if self.given_symmetries:
                return Group(self.cells, self.given_symmetries)
            return Group.trivial(self.cells)
        shape, torus = self.shape, self.torus
        group = Group(
            self.cells,
            lambda: isometry_generators(shape, torus),
            isometry_order(shape, torus),
            lambda: isometries(shape, torus),
        )
        return self.rules.group(self, group)

    @cached_property
    def _lines_group(self) -> Group:
        return self.rules.group(self, automorphism_group(self.cells, self.lines))

    def group(self, name: SymmetryName = "board") -> Group:
        """Return a symmetry group: `board`, the isometries, or `lines`, all permutations that keep the lines.

        On a torus the isometries include the translations. For a board given by its lines, `board` is the group that
        its given symmetries generate. The order is exact; the elements are listed up to 10,000.
        """
        if name == "board":
            return self._board_group
        one_of("the symmetry", name, get_args(SymmetryName))
        return self._lines_group

    def __reduce__(self) -> tuple[object, ...]:
        return Board, tuple(getattr(self, field.name) for field in fields(self))

    def as_dict(self) -> dict[str, object]:
        """Return the board for JSON, with cells numbered from 0 in reading order."""
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


# Limits on the number of cells, checked before lines, masks or groups are built.

COUNTED_CELLS = 4096
"""Number of cells of the largest board that noughts counts, and whose positions it reads."""
PLAYED_CELLS = 400
"""Number of cells of the largest board whose play noughts analyses."""


def require_marking(board: Board, what: str) -> None:
    """Raise InvalidQuestion unless players mark any blank cell in turn; `what` is the subject of the message.

    Code that assumes that a blank cell is a move, or that any order of the marks can be played, calls this first.
    """
    if not board.rules.is_marking:
        raise InvalidQuestion(f"{what} is not made for {board}, where {board.rules.clause}: choose another board")


def require_known(board: Board, what: str) -> None:
    """Raise InvalidQuestion for rules that somebody added; `what` is the subject of the message."""
    if not board.rules.is_known:
        raise InvalidQuestion(f"{what} cannot be used with {board.rules.suffix}, which is not a rule of noughts")


def require_own_marks(board: Board, what: str) -> None:
    """Raise InvalidQuestion unless X and O each make marks of their own; `what` is the subject of the message.

    Code that names the players X and O by their marks, or looks for their lines, calls this first.
    """
    if not board.rules.alternating:
        used = f"{what} cannot be used with {board.rules.suffix}"
        raise InvalidQuestion(f"{used}: noughts solve and noughts explain answer about {board}")


def require_size(board: Board) -> None:
    """Raise BudgetError on boards of more than COUNTED_CELLS cells."""
    if board.cells > COUNTED_CELLS:
        raise BudgetError(f"{board} has {board.cells:,} cells: choose a board of up to {COUNTED_CELLS:,}")


def require_playable(board: Board) -> None:
    """Raise BudgetError on boards of more than PLAYED_CELLS cells; of several boards each may have as many."""
    if board.part.cells > PLAYED_CELLS:
        raise BudgetError(
            f"{board} has {board.cells:,} cells; play is analysed up to {PLAYED_CELLS}: choose a smaller board"
        )
