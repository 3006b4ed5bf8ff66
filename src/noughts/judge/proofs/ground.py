"""What the judge of proofs computes for itself: permutations, the board of a specification, lines of a certificate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm, prod
from typing import NamedTuple, NoReturn, TypeVar

from noughts.rules.errors import CheckError, InputError, shown

Permutation = tuple[int, ...]
Mover = Callable[[int], int]
"""Maps a set of cells to its image under a permutation."""


def mover(permutation: Sequence[int]) -> Mover:
    """Return the permutation as a function of sets of cells; it looks up one byte at a time."""
    tables = []
    for low in range(0, len(permutation), 8):
        table = [0]
        for to in permutation[low : low + 8]:
            table += [image | 1 << to for image in table]
        tables.append(table)

    def move(cells: int) -> int:
        found, at = 0, 0
        while cells:
            found |= tables[at][cells & 255]
            cells >>= 8
            at += 1
        return found

    return move


class AlikePictures:
    """A set of pictures of a board, one byte a cell, up to a group of permutations.

    `picture in alike` is True where a permutation of the group maps the picture to one that was added.
    """

    def __init__(self, group: Sequence[Permutation]) -> None:
        self._cells = len(group[0])
        self._turns = [bytes(each) for each in group] if self._cells <= 256 else []
        self._group = group
        self._least: set[bytes] = set()

    def add(self, picture: bytes) -> None:
        """Add a picture."""
        self._least.add(self.least(picture))

    def __contains__(self, picture: bytes) -> bool:
        return self.least(picture) in self._least

    def least(self, picture: bytes) -> bytes:
        """Return the least of the images of a picture.

        A permutation gives the picture whose cell c holds what cell permutation[c] holds. As the permutations are a
        group, these are all images.
        """
        if not self._turns:
            return min(bytes(map(picture.__getitem__, each)) for each in self._group)
        table = picture + bytes(256 - self._cells)
        return min(turn.translate(table) for turn in self._turns)


def drawn(cells: int, own: int, other: int, dead: int = 0) -> bytes:
    """Return the picture of a position. Each cell is 0 blank, 1 own, 2 the opponent's, or 3 dead."""
    return bytes(3 if dead >> c & 1 else own >> c & 1 or (other >> c & 1) * 2 for c in range(cells))


# The board of a certificate, computed from its specification: lines, position, symmetries as permutations.

MOST_CELLS = 400
MOST_SYMMETRIES = 2_000
_BOARD = re.compile(
    r"(\d{1,9})x(\d{1,9})(?:x(\d{1,9}))?(?::(\d{1,9}))?((?:\+torus)?(?:\+misere)?|\+misere\+torus|\+gravity(?:\+misere)?|\+misere\+gravity"
    r"|(?:\+torus)?(?:\+wild(?:\+misere)?|\+order|\+chaos|\+notakto(?:\*[1-9]\d?)?))",
    re.ASCII,
)


@dataclass(frozen=True)
class ProofBoard:
    """A board: the number of its cells, numbered in reading order, and its lines as sets of bits.

    `through[c]` are the lines through cell c. With `is_misere`, the player who completes a line loses.
    With `falling`, the number of columns, marks fall; without gravity it is 0. `game` is wild, order, chaos or notakto,
    on `boards` boards; empty where X and O each have marks of their own.
    """

    sides: tuple[int, ...]
    cells: int
    lines: tuple[int, ...]
    through: tuple[tuple[int, ...], ...]
    is_misere: bool
    falling: int = 0
    game: str = ""
    boards: int = 1

    @property
    def moves(self) -> int:
        """The number of moves: where players choose the mark, the cells for an X, then the cells for an O."""
        return self.cells * (1 if self.game in ("", "notakto") else 2)

    def playable(self, marks: int) -> int:
        """Return the cells that a player may mark, as bits."""
        blank = self.full & ~marks
        return blank & (marks | self.full << self.cells) >> self.falling if self.falling else blank

    @property
    def full(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1


def read_ground(text: str) -> ProofBoard:
    """Return the board of a specification such as 4x9:4, 4x4x4 or 3x3+torus. Raises InputError."""
    match = _BOARD.fullmatch(text)
    if match is None:
        raise InputError(f"a proof cannot have the board {shown(text)}: write a board such as 4x9:4 or 4x4x4")
    rows, columns, layers = int(match[1]), int(match[2]), int(match[3] or 1)
    sides = (layers, rows, columns) if match[3] else (rows, columns)
    k = int(match[4]) if match[4] else min(sides)
    if not prod(sides) or not k or prod(sides) > MOST_CELLS:
        raise InputError(f"{shown(text)} has {prod(sides):,} cells; a proof can have a board of 1 to {MOST_CELLS}")
    game = re.search("wild|order|chaos|notakto", match[5])
    boards = int(match[5].partition("*")[2] or 1)
    size, cells = prod(sides), prod(sides) * boards
    if cells > MOST_CELLS:
        raise InputError(f"{shown(text)} has {cells:,} cells; a proof can have a board of 1 to {MOST_CELLS}")
    one = sorted(set(_lines(sides, k, "+torus" in match[5])))
    found = [line << at for at in range(0, cells, size) for line in one]
    through = tuple(tuple(line for line in found if line >> cell & 1) for cell in range(cells))
    falls = "+gravity" in match[5]
    if falls and len(sides) > 2:
        raise InputError(f"{shown(text)} cannot have +gravity: marks fall in the columns of a board with two sides")
    falling = columns if falls else 0
    misere, named = "+misere" in match[5], game[0] if game else ""
    return ProofBoard(sides, cells, tuple(found), through, misere, falling, named, boards)


def _lines(sides: tuple[int, ...], k: int, torus: bool) -> Iterator[int]:
    """Yield the sets of k cells in a row, from every cell in every direction."""
    if k == 1:
        yield from (1 << cell for cell in range(prod(sides)))
        return
    for step in product((-1, 0, 1), repeat=len(sides)):
        longest = lcm(*(side for side, d in zip(sides, step, strict=True) if d)) if torus else max(sides)
        if step <= (0,) * len(sides) or k > longest:  # a line is walked in one of its two directions
            continue
        for first in product(*map(range, sides)):
            end = [a + (k - 1) * d for a, d in zip(first, step, strict=True)]
            if torus or all(0 <= a < side for a, side in zip(end, sides, strict=True)):
                yield sum(
                    1 << _number([(a + i * d) % side for a, d, side in zip(first, step, sides, strict=True)], sides)
                    for i in range(k)
                )


def _number(cell: Sequence[int], sides: tuple[int, ...]) -> int:
    number = 0
    for at, side in zip(cell, sides, strict=True):
        number = number * side + at
    return number


def marks_of(text: str, ground: ProofBoard) -> tuple[int, int]:
    """Return the cells of X and of O in a position written in rows. Raises InputError."""
    signs = re.sub(r"[/|]", "", text)
    if len(signs) != ground.cells or set(signs) - set("XO."):
        raise InputError(f"{shown(text)} is not a position on this board: write {ground.cells} of X, O and . in rows")
    x = sum(1 << i for i, sign in enumerate(signs) if sign == "X")
    o = sum(1 << i for i, sign in enumerate(signs) if sign == "O")
    if ground.game:
        return x, o
    if x.bit_count() - o.bit_count() not in (0, 1):
        raise InputError(
            f"{shown(text)} has {x.bit_count()} X and {o.bit_count()} O: X moves first, then players alternate"
        )
    if ground.falling and (x | o) & ~((x | o | ground.full << ground.cells) >> ground.falling):
        raise InputError(f"in {shown(text)} a mark floats above a blank cell: under +gravity marks fall")
    if any(line & ~x == 0 or line & ~o == 0 for line in ground.lines):
        raise InputError(f"in {shown(text)} a player has a line: a proof must begin at an unfinished position")
    return x, o


def closure(generators: Iterable[Sequence[int]], ground: ProofBoard) -> list[Permutation]:
    """Return the group that some permutations generate. Raises InputError where one does not map lines to lines."""
    lines, same = set(ground.lines), tuple(range(ground.cells))
    found, steps = {same}, list[Permutation]()
    for given in generators:
        each = tuple(given)
        if each in found:
            continue
        if sorted(each) != list(same):
            raise InputError("a symmetry of the certificate is not a permutation of the cells: write each cell once")
        move = mover(each)
        if any(move(line) not in lines for line in lines):
            raise InputError("a symmetry of the certificate does not map lines to lines")
        size = ground.cells // ground.boards
        if any(each[cell] // size != each[cell - cell % size] // size for cell in same):
            raise InputError("a symmetry of the certificate does not map boards to boards")
        if ground.falling and any(each[up] + ground.falling != each[up + ground.falling] for up in _supported(ground)):
            raise InputError("a symmetry of the certificate does not keep the columns, in which marks fall")
        steps.append(each)
        ends = found
        while ends:
            ends = {tuple(map(step.__getitem__, old)) for old in ends for step in steps} - found
            found = found | ends
            if len(found) > MOST_SYMMETRIES:
                raise InputError(
                    f"the symmetries of the certificate generate more than {MOST_SYMMETRIES:,}: write fewer"
                )
    return sorted(found)


def _supported(ground: ProofBoard) -> range:
    """Return the cells with another one below them."""
    return range(ground.cells - ground.falling)


# The lines of a certificate, read one by one; a fault names the number of its line.

State = TypeVar("State")


class ProofFault(CheckError):
    """A certificate does not prove what it claims; the message names the line."""


class SectionCount(NamedTuple):
    """Counts of a section: positions with a line of their own, and replies to all of them."""

    positions: int = 0
    replies: int = 0


class Script:
    """The lines of a certificate; `cell_count` is the number of cells of its board."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at, self.cell_count = lines, 0, 0

    def fault(self, why: str) -> NoReturn:
        """Raise ProofFault about the line that was read last."""
        written = f" ({shown(self.lines[self.at - 1])})" if 0 < self.at <= len(self.lines) else ""
        raise ProofFault(f"line {self.at:,}{written}: {why}")

    def peek(self) -> str | None:
        """Return the next line, None at the end."""
        return self.lines[self.at] if self.at < len(self.lines) else None

    def next_line(self, section: str) -> str:
        """Return the next line of a section. Raises ProofFault at the end of the certificate."""
        if self.at >= len(self.lines):
            self.fault(f"the certificate ends in the middle of a section {section}")
        self.at += 1
        return self.lines[self.at - 1]

    def cell(self, text: str) -> int:
        """Return the number of a cell."""
        return self.move(text, self.cell_count, "cell")

    def move(self, text: str, count: int, what: str = "move") -> int:
        """Return the number of a move, which is less than a count."""
        text = text.strip()
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) < count):
            self.fault(f"{shown(text)} is not a {what}: {what}s are 0 to {count - 1}")
        return int(text)

    def cells(self, text: str) -> list[int]:
        """Return the numbers of several cells."""
        return [self.cell(each) for each in text.split()]


def judged(first: Iterator[State], opened: Callable[[State], Iterator[State]]) -> None:
    """Open the `first` states and all states that these leave open, in preorder.

    `opened` reads the line of a state, and returns the states that need a line after it.
    """
    waiting = [first]
    while waiting:
        following = next(waiting[-1], None)
        if following is None:
            waiting.pop()
        else:
            waiting.append(opened(following))
