"""A position of any board as counts on its lines: marks are put and taken back line by line, up to 400 cells and more.

The *attacker* wants to complete a line, the *defender* to prevent it or to complete one first. A cell is 0 blank, 1 the
attacker's, 2 the defender's, 3 dead: nobody's, and of no use. A line is *live* for a player while the other has no mark
on it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.jit import helper, kernel

__all__ = [
    "ATTACKER",
    "BLANK",
    "DEAD",
    "DEFENDER",
    "Field",
    "Glance",
    "LineCounts",
    "glance",
    "picture",
    "pictures",
    "put",
    "set_up",
    "take",
]

Array = npt.NDArray[Any]

BLANK = 0
ATTACKER = 1
DEFENDER = 2
DEAD = 3


class Field(NamedTuple):
    """The board: line i has the ``cells[starts[i]:starts[i + 1]]``, cell c lies on ``through[first[c]:first[c + 1]]``.

    int32 all; ``keys`` uint64 (3, cells), a number for each mark; ``images`` int16 (symmetries, cells), the identity
    first; ``order`` lists the cells, those first which moves of equal weight are to be tried at first.
    """

    starts: Array
    cells: Array
    first: Array
    through: Array
    keys: Array
    images: Array
    order: Array


class LineCounts(NamedTuple):
    """A position: the ``owner`` of each cell, int8; of each line ``ours``, ``theirs`` and the exclusive or of its
    ``blanks``.

    ``key`` uint64[1] is the exclusive or of the keys of the marks. int32 where nothing else is said.
    """

    owner: Array
    ours: Array
    theirs: Array
    blanks: Array
    key: Array


class Glance(NamedTuple):
    """``win``: a cell that completes a line of the attacker, or -1; ``danger``: one that completes one of the
    defender, or -1; ``many``: whether there are two of these."""

    win: Any
    danger: Any
    many: Any


@helper
def put(field: Field, marks: LineCounts, cell: int, player: int) -> None:
    """Put a mark on a blank cell."""
    marks.owner[cell] = player
    marks.key[0] ^= field.keys[player - 1, cell]
    counts = marks.ours if player == ATTACKER else marks.theirs
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        counts[line] += 1
        marks.blanks[line] ^= cell


@helper
def take(field: Field, marks: LineCounts, cell: int, player: int) -> None:
    """Take a mark back."""
    marks.owner[cell] = BLANK
    marks.key[0] ^= field.keys[player - 1, cell]
    counts = marks.ours if player == ATTACKER else marks.theirs
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        counts[line] -= 1
        marks.blanks[line] ^= cell


@kernel
def set_up(field: Field, marks: LineCounts, owner: Array) -> None:
    """Write a position, given as the owner of each cell, into ``marks``. No line through a DEAD cell is live."""
    marks.ours[:] = 0
    marks.theirs[:] = 0
    marks.key[0] = 0
    for line in range(marks.blanks.size):
        word = 0
        for i in range(field.starts[line], field.starts[line + 1]):
            word ^= field.cells[i]
        marks.blanks[line] = word
    marks.owner[:] = BLANK
    for cell in range(owner.size):
        if owner[cell] == DEAD:
            marks.owner[cell] = DEAD
            marks.key[0] ^= field.keys[DEAD - 1, cell]
            for i in range(field.first[cell], field.first[cell + 1]):
                line = field.through[i]
                marks.ours[line] += 1
                marks.theirs[line] += 1
        elif owner[cell] != BLANK:
            put(field, marks, cell, owner[cell])


@helper
def glance(field: Field, marks: LineCounts) -> Glance:
    """Look for cells that complete a line."""
    win, danger, many = -1, -1, False
    ours, theirs, starts = marks.ours, marks.theirs, field.starts
    for line in range(ours.size):
        size = starts[line + 1] - starts[line]
        if theirs[line] == 0:
            if ours[line] == size - 1:
                win = marks.blanks[line]
                break
        elif ours[line] == 0 and theirs[line] == size - 1:
            cell = marks.blanks[line]
            many = many or (danger >= 0 and danger != cell)
            danger = cell
    return Glance(win, danger, many)


@helper
def _draw(field: Field, marks: LineCounts, out: Array) -> None:
    """Write a position's picture to ``out``: what lies on no live line is DEAD, and so is a mark on none of its own.

    Whoever wins one of two positions with the same picture and the same side to move wins the other.
    """
    out[:] = DEAD
    for line in range(marks.ours.size):
        if marks.ours[line] and marks.theirs[line]:
            continue
        for i in range(field.starts[line], field.starts[line + 1]):
            cell = field.cells[i]
            out[cell] = marks.owner[cell]


@helper
def _turn(field: Field, owner: Array, out: Array) -> Any:
    """Write the image of a position whose key is least to ``out``; return which symmetry makes it.

    Equal images are equal positions; two images of one position may only differ where their keys are equal by chance.
    """
    best, chosen = np.uint64(0), 0
    for g in range(field.images.shape[0]):
        word = np.uint64(0)
        for cell in range(owner.size):
            if owner[cell] != BLANK:
                word ^= field.keys[owner[cell] - 1, field.images[g, cell]]
        if g == 0 or word < best:
            best, chosen = word, g
    for cell in range(owner.size):
        out[field.images[chosen, cell]] = owner[cell]
    return chosen


@kernel
def picture(field: Field, marks: LineCounts, owner: Array, drawn: Array, out: Array) -> Any:
    """Write a position's picture to ``drawn`` and its canonical image to ``out``; return which symmetry makes it."""
    set_up(field, marks, owner)
    _draw(field, marks, drawn)
    return _turn(field, drawn, out)


@kernel
def pictures(field: Field, marks: LineCounts, cells: Array, count: int, player: int, drawn: Array, out: Array) -> None:
    """Write to the rows of ``out`` the canonical pictures after each of ``count`` moves of a player."""
    for i in range(count):
        put(field, marks, cells[i], player)
        _draw(field, marks, drawn)
        _turn(field, drawn, out[i])
        take(field, marks, cells[i], player)
