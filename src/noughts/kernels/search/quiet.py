"""What a move of the attacker leaves to be answered: the replies that no threat sequence refutes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.field import ATTACKER, BLANK, DEFENDER, Field, LineCounts, glance, put, take
from noughts.kernels.search.pairs import Ladder, Scale, is_stopped
from noughts.kernels.search.threats import FOUND, Chase, completes, find, holds

__all__ = ["FORCES", "LOSES", "OPEN", "QUIET", "WON", "Book", "expand", "rank"]

Array = npt.NDArray[Any]

LOSES, WON, FORCES, QUIET, OPEN = 0, 1, 2, 3, 4
"""A move: the defender completes a line; every reply is refuted; there is one reply; sequences refute the replies not
listed; there is no sequence even if the defender passes."""


STOP_WIDTH = 3


class Book(NamedTuple):
    """What was found of some moves: the ``kind`` of each, how many ``replies`` are left and ``which``; its sequences
    are ``text[begin[i]:begin[i + 1]]``, each with its length before it. int32; ``which`` is (moves, cells)."""

    kind: Array
    replies: Array
    which: Array
    begin: Array
    text: Array


@helper
def _threats_of(field: Field, marks: LineCounts, cell: int) -> Any:
    """Return two cells, or fewer and -1, on which the attacker's mark on a cell threatens to complete a line."""
    one, two = -1, -1
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if marks.theirs[line] == 0 and marks.ours[line] == field.starts[line + 1] - field.starts[line] - 1:
            blank = marks.blanks[line]
            if one < 0:
                one = blank
            elif blank != one:
                two = blank
    return one, two


@helper
def _write(room: Chase, text: Array, at: int) -> Any:
    """Copy the sequence that was found; return where the next goes."""
    moves = room.tally[2]
    text[at] = 2 * moves - 1
    for depth in range(moves):
        text[at + 1 + 2 * depth] = room.moves[depth, 0]
        if depth < moves - 1:
            text[at + 2 + 2 * depth] = room.replies[depth, 0]
    return at + 2 * moves


@helper
def _is_met(field: Field, marks: LineCounts, text: Array, begin: int, end: int) -> Any:
    """Tell whether one of the sequences wins with the attacker to move."""
    at = begin
    while at < end:
        if holds(field, marks, text, at + 1, at + 1 + text[at]):
            return True
        at += 1 + text[at]
    return False


@helper
def _spread(field: Field, marks: LineCounts, text: Array, begin: int, stamp: int, room: Chase) -> None:
    """Mark the cells that a sequence uses, those of its last two threats too, with a stamp in ``room.seen``."""
    last = text[begin + text[begin]]
    for i in range(begin + 1, begin + 1 + text[begin]):
        room.seen[text[i]] = stamp
        room.reply[text[i]] = (i - begin) & 1
    for i in range(field.first[last], field.first[last + 1]):
        line = field.through[i]
        if marks.theirs[line] == 0:
            for j in range(field.starts[line], field.starts[line + 1]):
                cell = field.cells[j]
                if marks.owner[cell] == BLANK and room.seen[cell] != stamp:
                    room.seen[cell] = stamp
                    room.reply[cell] = 1


@helper
def _is_apart(field: Field, marks: LineCounts, cell: int, stamp: int, room: Chase) -> Any:
    """Tell whether a reply on a cell can neither take a cell of a sequence nor lead to a threat with its replies."""
    if room.seen[cell] == stamp:
        return False
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if marks.ours[line]:
            continue
        size = field.starts[line + 1] - field.starts[line]
        have = marks.theirs[line] + 1
        for j in range(field.starts[line], field.starts[line + 1]):
            have += room.seen[field.cells[j]] == stamp and room.reply[field.cells[j]] == 0
        if have >= size - 1:
            return False
    return True


@helper
def _answer(field: Field, marks: LineCounts, room: Chase, book: Book, number: int, most: int, limit: int) -> Any:
    """Write down what a move leaves to be answered, which has just been put; return its kind."""
    at = book.begin[number]
    move = book.which[number, 0]
    book.replies[number] = 0
    view = glance(field, marks)
    one, two = _threats_of(field, marks, move)
    kind = QUIET
    if view.danger >= 0:
        kind = LOSES
    elif one >= 0:
        book.text[at], book.text[at + 1] = 1, one
        at += 2
        if two >= 0:
            book.text[at], book.text[at + 1] = 1, two
            at += 2
            kind = WON
        else:
            put(field, marks, one, DEFENDER)
            if find(field, marks, room, most, limit) == FOUND:
                at = _write(room, book.text, at)
                kind = WON
            else:
                kind = FORCES
                book.replies[number] = 1
                book.which[number, 0] = one
            take(field, marks, one, DEFENDER)
    elif find(field, marks, room, most, limit) != FOUND:
        kind = OPEN
        for cell in range(marks.owner.size):
            if marks.owner[cell] == BLANK:
                book.which[number, book.replies[number]] = cell
                book.replies[number] += 1
    else:
        begin = at
        at = _write(room, book.text, at)
        total = 0
        room.tally[1] += 1
        _spread(field, marks, book.text, begin, room.tally[1], room)
        for cell in range(marks.owner.size):
            if marks.owner[cell] == BLANK and not _is_apart(field, marks, cell, room.tally[1], room):
                book.which[number, total] = cell
                total += 1
        for i in range(total):
            cell = book.which[number, i]
            put(field, marks, cell, DEFENDER)
            if not _is_met(field, marks, book.text, begin, at):
                if find(field, marks, room, most, limit) == FOUND:
                    at = _write(room, book.text, at)
                else:
                    book.which[number, book.replies[number]] = cell
                    book.replies[number] += 1
            take(field, marks, cell, DEFENDER)
        total = book.replies[number]
        book.replies[number] = 0
        for i in range(total):  # those for which the search gave up, and a sequence found later does
            cell = book.which[number, i]
            put(field, marks, cell, DEFENDER)
            if not _is_met(field, marks, book.text, begin, at):
                book.which[number, book.replies[number]] = cell
                book.replies[number] += 1
            take(field, marks, cell, DEFENDER)
        if book.replies[number] == 0:
            kind = WON
    book.kind[number] = kind
    book.begin[number + 1] = at
    return kind


@kernel
def expand(
    field: Field, marks: LineCounts, room: Chase, moves: Array, total: int, book: Book, most: int, limit: int
) -> Any:
    """Try moves of the attacker, whose turn it is, until one wins; return how many were tried.

    ``most`` and ``limit`` bound each search of a sequence, see `find`.
    """
    book.begin[0] = 0
    for number in range(total):
        move = moves[number]
        book.which[number, 0] = move
        if completes(field, marks, move):
            book.replies[number] = 0
            book.kind[number] = WON
            book.begin[number + 1] = book.begin[number]
            return number + 1
        put(field, marks, move, ATTACKER)
        kind = _answer(field, marks, room, book, number, most, limit)
        take(field, marks, move, ATTACKER)
        if kind == WON:
            return number + 1
    return total


@kernel
def rank(
    field: Field, marks: LineCounts, unit: int, weights: Array, scale: Scale, ladder: Ladder, budget: int, moves: Array
) -> Any:
    """Write the moves of the attacker worth trying, heaviest first; return how many.

    Those that weigh as much stand in the field's order. A cell's weight is the sum over the live lines through it of
    2**-blanks, in units of 2**-unit. -1 where the attacker cannot win: the defender has two threats, or is seen to hit
    every line, see `is_stopped`. A threat of the defender's leaves one move. ``weights`` is int64 (2, cells).
    """
    view = glance(field, marks)
    if view.win >= 0:
        moves[0] = view.win
        return 1
    if view.many:
        return -1
    weights[:] = 0
    for line in range(marks.ours.size):
        ours, theirs = marks.ours[line], marks.theirs[line]
        if ours and theirs:
            continue
        start, stop = field.starts[line], field.starts[line + 1]
        weight = 1 << max(0, unit - (stop - start) + ours + theirs)
        for i in range(start, stop):
            if theirs == 0:
                weights[0, field.cells[i]] += weight
            if ours == 0:
                weights[1, field.cells[i]] += weight
    if is_stopped(field, marks, scale, ladder, unit, STOP_WIDTH, budget):
        return -1
    if view.danger >= 0:
        moves[0] = view.danger
        return 1
    total = 0
    for i in range(marks.owner.size):
        cell = field.order[i]
        if marks.owner[cell] != BLANK or weights[0, cell] + weights[1, cell] == 0:
            continue
        weights[0, cell] = 2 * weights[0, cell] + weights[1, cell]
        at = total
        while at > 0 and weights[0, moves[at - 1]] < weights[0, cell]:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = cell
        total += 1
    return total
