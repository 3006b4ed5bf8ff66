"""When the attacker cannot win: the defender answers pairs of cells, and Erdos and Selfridge weigh what is left."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.arrays import I32x1, I32x2, I64x1, I64x2
from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.threats import (
    ATTACKER,
    BLANK,
    DEFENDER,
    FOUND,
    Chase,
    Field,
    LineCounts,
    completes,
    find,
    glance,
    holds,
    put,
    take,
    threat_through,
)

Array = npt.NDArray[Any]


class Scale(NamedTuple):
    """Room to weigh in, int64: the weight of each line, of each cell, the ``joint`` weight (cells, cells) of the lines
    through two cells; and of each cell whether it is ``paired``."""

    lines: I64x1
    cells: I64x1
    joint: I64x2
    paired: I64x1


@helper
def _weigh(field: Field, marks: LineCounts, scale: Scale) -> Any:
    """Sum the weights by cell; return the weight of all lines, and of those through the heaviest cell."""
    scale.cells[:] = 0
    whole, heaviest = 0, 0
    for line in range(scale.lines.size):
        weight = scale.lines[line]
        if weight == 0:
            continue
        whole += weight
        for i in range(field.starts[line], field.starts[line + 1]):
            cell = field.cells[i]
            if marks.owner[cell] == BLANK and scale.paired[cell] == 0:
                scale.cells[cell] += weight
                heaviest = max(heaviest, scale.cells[cell])
    return whole, heaviest


@helper
def _best_pair(field: Field, marks: LineCounts, scale: Scale) -> Any:
    """Return the pair of blanks that lightens the lines most, and by how much: those with both go, those with one
    double."""
    joint = scale.joint
    for turn in range(3):
        best, one, two = 0, -1, -1
        for line in range(scale.lines.size):
            weight = scale.lines[line]
            if weight == 0:
                continue
            for i in range(field.starts[line], field.starts[line + 1]):
                u = field.cells[i]
                if marks.owner[u] != BLANK or scale.paired[u]:
                    continue
                for j in range(i + 1, field.starts[line + 1]):
                    v = field.cells[j]
                    if marks.owner[v] != BLANK or scale.paired[v]:
                        continue
                    if turn == 0:
                        joint[u, v] = 0
                    elif turn == 1:
                        joint[u, v] += weight
                    else:
                        gain = 3 * joint[u, v] - scale.cells[u] - scale.cells[v]
                        if gain > best:
                            best, one, two = gain, u, v
    return best, one, two


@helper
def is_held(field: Field, marks: LineCounts, scale: Scale, unit: int) -> Any:
    """Tell whether the defender can hit every live line of the attacker, whose turn it is, by pairs and weights.

    Disjoint pairs are chosen one by one; the defender gets one cell of each, so lines with both are hit, and the rest
    loses the cells, as if the attacker had got them. The defender holds where the weight of the lines left and that of
    the heaviest cell are less than 1 together.
    """
    limit = 1 << unit
    scale.paired[:] = 0
    for line in range(scale.lines.size):
        scale.lines[line] = 0
        if marks.theirs[line] == 0:
            left = field.starts[line + 1] - field.starts[line] - marks.ours[line]
            scale.lines[line] = 1 << max(0, unit - left)
    while True:
        whole, heaviest = _weigh(field, marks, scale)
        if whole + heaviest < limit:
            return True
        if whole > 4 * limit:
            return False
        gain, one, two = _best_pair(field, marks, scale)
        if gain <= 0:
            return False
        scale.paired[one] = 1
        scale.paired[two] = 1
        for line in range(scale.lines.size):
            if scale.lines[line] == 0:
                continue
            met = 0
            for i in range(field.starts[line], field.starts[line + 1]):
                met += field.cells[i] == one or field.cells[i] == two
            if met == 2:
                scale.lines[line] = 0
            elif met == 1:
                scale.lines[line] *= 2


ENTER, MOVE, REPLY, LEAVE = 0, 1, 2, 3


class Ladder(NamedTuple):
    """Room for a search of so many steps, int32: the attacker's ``moves`` and the defender's ``replies`` (steps, cells)
    and of each step (steps, 4) how many moves, which next, how many replies, which next."""

    moves: I32x2
    replies: I32x2
    at: I32x2


@helper
def _heaviest_first(field: Field, marks: LineCounts, scale: Scale, unit: int, out: Array) -> Any:
    """Write the blanks on live lines of the attacker, heaviest first; return how many."""
    scale.paired[:] = 0
    for line in range(scale.lines.size):
        scale.lines[line] = 0
        if marks.theirs[line] == 0:
            left = field.starts[line + 1] - field.starts[line] - marks.ours[line]
            scale.lines[line] = 1 << max(0, unit - left)
    _weigh(field, marks, scale)
    total = 0
    for cell in range(marks.owner.size):
        weight = scale.cells[cell]
        if weight == 0 or marks.owner[cell] != BLANK:
            continue
        at = total
        while at > 0 and scale.cells[out[at - 1]] < weight:
            out[at] = out[at - 1]
            at -= 1
        out[at] = cell
        total += 1
    return total


@helper
def _list_replies(
    field: Field, marks: LineCounts, scale: Scale, ladder: Ladder, unit: int, width: int, step: int
) -> Any:
    """Write the replies to try against the move just made; return how many."""
    forced = threat_through(field, marks, marks.ours, marks.theirs, ladder.moves[step, ladder.at[step, 1]])
    if forced == -1:
        return min(width, _heaviest_first(field, marks, scale, unit, ladder.replies[step]))
    ladder.replies[step, 0] = forced
    return 0 if forced == -2 else 1


@helper
def is_stopped(
    field: Field, marks: LineCounts, scale: Scale, ladder: Ladder, unit: int, width: int, budget: int
) -> Any:
    """Tell whether the defender is seen to hit every live line of the attacker, whose turn it is, after some moves.

    The ``width`` heaviest replies of the defender are tried, and ``budget`` positions weighed. False says nothing.
    """
    moves, replies, at = ladder.moves, ladder.replies, ladder.at
    step, phase, stopped = 0, ENTER, False
    while True:
        if phase == ENTER:
            budget -= 1
            stopped = is_held(field, marks, scale, unit)
            phase = LEAVE
            if not stopped and budget > 0 and step < at.shape[0]:
                at[step, 0] = _heaviest_first(field, marks, scale, unit, moves[step])
                at[step, 1] = 0
                phase = MOVE
        elif phase == MOVE:
            stopped = at[step, 1] == at[step, 0]  # all are answered
            phase = LEAVE
            if not stopped:
                put(field, marks, moves[step, at[step, 1]], ATTACKER)
                at[step, 2] = _list_replies(field, marks, scale, ladder, unit, width, step)
                at[step, 3] = 0
                phase = REPLY
        elif phase == REPLY:
            if at[step, 3] == at[step, 2]:
                take(field, marks, moves[step, at[step, 1]], ATTACKER)
                stopped = False
                phase = LEAVE
            else:
                put(field, marks, replies[step, at[step, 3]], DEFENDER)
                step += 1
                phase = ENTER
        else:
            if step == 0:
                return stopped
            step -= 1
            take(field, marks, replies[step, at[step, 3]], DEFENDER)
            if stopped:
                take(field, marks, moves[step, at[step, 1]], ATTACKER)
                at[step, 1] += 1
                phase = MOVE
            else:
                at[step, 3] += 1
                phase = REPLY


# What a move of the attacker leaves to be answered: the replies that no threat sequence refutes.

LOSES, WON, FORCES, QUIET, OPEN = 0, 1, 2, 3, 4
"""What a move does: lets the defender complete a line; refutes every reply; leaves one reply.

QUIET: sequences refute the replies not listed. OPEN: the attacker lacks a sequence even if the defender passes.
"""


STOP_WIDTH = 3


class Book(NamedTuple):
    """What was found of some moves: the ``kind`` of each, how many ``replies`` are left and ``which``; its sequences
    are ``text[begin[i]:begin[i + 1]]``, each with its length before it. int32; ``which`` is (moves, cells)."""

    kind: I32x1
    replies: I32x1
    which: I32x2
    begin: I32x1
    text: I32x1


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
    field: Field, marks: LineCounts, room: Chase, moves: I32x1, total: int, book: Book, most: int, limit: int
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
    field: Field, marks: LineCounts, unit: int, weights: I64x2, scale: Scale, ladder: Ladder, budget: int, moves: I32x1
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
