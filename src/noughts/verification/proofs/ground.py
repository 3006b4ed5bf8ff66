"""The board of a certificate, computed again from its specification: lines, position, symmetries as permutations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm, prod

from noughts.domain.errors import InputError, shown
from noughts.verification.proofs.tables import Permutation, mover

__all__ = ["MOST_CELLS", "MOST_SYMMETRIES", "ProofBoard", "closure", "marks_of", "read_ground"]

MOST_CELLS = 400
MOST_SYMMETRIES = 2_000
_BOARD = re.compile(
    r"(\d{1,9})x(\d{1,9})(?:x(\d{1,9}))?(?::(\d{1,9}))?((?:\+torus)?(?:\+misere)?|\+misere\+torus)", re.ASCII
)


@dataclass(frozen=True)
class ProofBoard:
    """A board: the number of its cells in reading order and its lines as sets of bits.

    `through[c]` are the lines through cell c. `is_misere` says that who completes a line loses.
    """

    sides: tuple[int, ...]
    cells: int
    lines: tuple[int, ...]
    through: tuple[tuple[int, ...], ...]
    is_misere: bool

    @property
    def full(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1


def read_ground(text: str) -> ProofBoard:
    """Return the board of a specification such as 4x9:4, 4x4x4 or 3x3+torus. Raises InputError."""
    match = _BOARD.fullmatch(text)
    if match is None:
        raise InputError(f"{shown(text)} is no board that a proof can be about: it names one such as 4x9:4 or 4x4x4")
    rows, columns, layers = int(match[1]), int(match[2]), int(match[3] or 1)
    sides = (layers, rows, columns) if match[3] else (rows, columns)
    k = int(match[4]) if match[4] else min(sides)
    if not prod(sides) or not k or prod(sides) > MOST_CELLS:
        raise InputError(f"{shown(text)} has {prod(sides):,} cells; proofs are judged on boards of 1 to {MOST_CELLS}")
    found = sorted(set(_lines(sides, k, "+torus" in match[5])))
    through = tuple(tuple(line for line in found if line >> cell & 1) for cell in range(prod(sides)))
    return ProofBoard(sides, prod(sides), tuple(found), through, "+misere" in match[5])


def _lines(sides: tuple[int, ...], k: int, torus: bool) -> Iterator[int]:
    """Yield the sets of k cells in a row: every first cell, every direction."""
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
        raise InputError(f"{shown(text)} is no position on this board: write {ground.cells} of X, O and . in rows")
    x = sum(1 << i for i, sign in enumerate(signs) if sign == "X")
    o = sum(1 << i for i, sign in enumerate(signs) if sign == "O")
    if x.bit_count() - o.bit_count() not in (0, 1):
        raise InputError(f"{shown(text)} has {x.bit_count()} X and {o.bit_count()} O: X moves first, then in turn")
    if any(line & ~x == 0 or line & ~o == 0 for line in ground.lines):
        raise InputError(f"in {shown(text)} somebody has a line: a proof begins at a position that goes on")
    return x, o


def closure(generators: Iterable[Sequence[int]], ground: ProofBoard) -> list[Permutation]:
    """Return all permutations that some make, each of which has to take lines to lines. Raises InputError."""
    lines, same = set(ground.lines), tuple(range(ground.cells))
    found, kept = {same}, list[Permutation]()
    for given in generators:
        each = tuple(given)
        if each in found:
            continue
        if sorted(each) != list(same):
            raise InputError("a symmetry of the certificate is no permutation of the cells: write each cell once")
        move = mover(each)
        if any(move(line) not in lines for line in lines):
            raise InputError("a symmetry of the certificate does not take lines to lines")
        kept.append(each)
        ends = found
        while ends:
            ends = {tuple(map(step.__getitem__, old)) for old in ends for step in kept} - found
            found = found | ends
            if len(found) > MOST_SYMMETRIES:
                raise InputError(f"the symmetries of the certificate make more than {MOST_SYMMETRIES:,}: name fewer")
    return sorted(found)
