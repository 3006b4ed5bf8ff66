"""A position of any board as counts on its lines: marks are put and taken back line by line, up to 400 cells and more.

The *attacker* wants to complete a line, the *defender* to prevent it or to complete one first. A cell is 0 blank, 1 the
attacker's, 2 the defender's, 3 dead: it serves neither player. A line is *live* for a player while the other has no
mark on it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I8x1, I8x2, I16x2, I32x1, I32x2, I64x1, ReadI8x1, U64x1, U64x2
from noughts.kernels.jit import helper, kernel

Array = npt.NDArray[Any]

BLANK = 0
ATTACKER = 1
DEFENDER = 2
DEAD = 3


class Field(NamedTuple):
    """The board: line i has the ``cells[starts[i]:starts[i + 1]]``, cell c lies on ``through[first[c]:first[c + 1]]``.

    int32 all; ``keys`` uint64 (3, cells), a number for each mark; ``images`` int16 (symmetries, cells), the identity
    first; ``order`` lists the cells, those first which moves of equal weight are to be tried at first; ``holds`` int8
    (lines, cells) tells which cells lie on a line.
    """

    starts: I32x1
    cells: I32x1
    first: I32x1
    through: I32x1
    keys: U64x2
    images: I16x2
    order: I32x1
    holds: I8x2


class LineCounts(NamedTuple):
    """A position: the ``owner`` of each cell, int8; of each line ``ours``, ``theirs`` and the exclusive or of its
    ``blanks``.

    ``key`` uint64[1] is the exclusive or of the keys of the marks. int32 where nothing else is said.
    """

    owner: I8x1
    ours: I32x1
    theirs: I32x1
    blanks: I32x1
    key: U64x1


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
def set_up(field: Field, marks: LineCounts, owner: ReadI8x1) -> None:
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

    Two positions with the same picture and the same side to move have the same winner.
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
def picture(field: Field, marks: LineCounts, owner: ReadI8x1, drawn: I8x1, out: I8x1) -> Any:
    """Write a position's picture to ``drawn`` and its canonical image to ``out``; return which symmetry makes it."""
    set_up(field, marks, owner)
    _draw(field, marks, drawn)
    return _turn(field, drawn, out)


@kernel
def pictures(field: Field, marks: LineCounts, cells: I32x1, count: int, player: int, drawn: I8x1, out: I8x2) -> None:
    """Write to the rows of ``out`` the canonical pictures after each of ``count`` moves of a player."""
    for i in range(count):
        put(field, marks, cells[i], player)
        _draw(field, marks, drawn)
        _turn(field, drawn, out[i])
        take(field, marks, cells[i], player)


# Threat sequences: the attacker makes one threat after the other, and the defender has one reply to each.
#
# A sequence lists the attacker's moves and the forced replies in turn. Its last move completes a line or makes two
# threats. Where a forced reply makes a threat of the defender's own, the attacker's next move takes that cell, or
# completes a line. A defender with two threats has broken the sequence.

NONE, FOUND, GAVE_UP = 0, 1, 2
"""What a search of sequences came to: there is none, here is one, there may be one."""
FAILS, OPENED, WINS, KNOWN = 0, 1, 2, 3
EVERY = 255
"""The depth of a failure that no number of moves would mend."""


class Chase(NamedTuple):
    """Room to search in: ``known`` uint64[slots], positions without a sequence of so many moves; of each depth the
    candidate ``moves`` with their ``replies`` and ``scores``, and the ``lines`` of the attacker with two blanks
    (depths, 2 lines); the ``total``, the ``next``, ``cut`` where more moves might help, and the number of ``pairs``
    among the lines; of each cell the ``reply`` to a threat there and when it was ``seen``, int64; ``tally`` int64[3]:
    the positions opened, the stamp of ``seen``, the moves of the sequence found. Else int32.
    """

    known: U64x1
    moves: I32x2
    replies: I32x2
    scores: I32x2
    lines: I32x2
    total: I32x1
    next: I32x1
    cut: I32x1
    pairs: I32x1
    reply: I32x1
    seen: I64x1
    tally: I64x1


@helper
def _gain(field: Field, marks: LineCounts, cell: int, reply: int) -> Any:
    """Return how much a threat furthers other lines of the attacker: 0 where it furthers none."""
    score = 0
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if marks.theirs[line] == 0 and field.holds[line, reply] == 0:
            left = field.starts[line + 1] - field.starts[line] - marks.ours[line]
            score += 1 << max(0, 12 - 3 * left)
    return score


@helper
def _list_pairs(field: Field, marks: LineCounts, room: Chase) -> None:
    """Write the attacker's lines with two blanks, at depth 0."""
    total = 0
    for line in range(marks.ours.size):
        if marks.theirs[line] == 0 and marks.ours[line] == field.starts[line + 1] - field.starts[line] - 2:
            room.lines[0, total] = line
            total += 1
    room.pairs[0] = total


@helper
def _update_pairs(field: Field, marks: LineCounts, room: Chase, depth: int, move: int) -> None:
    """Write the attacker's lines with two blanks after a move and its reply: some of those before, and new ones.

    All lists are in the order of the lines.
    """
    before, after = room.lines[depth - 1], room.lines[depth]
    ours, theirs, starts = marks.ours, marks.theirs, field.starts
    total, i, j = 0, 0, field.first[move]
    while i < room.pairs[depth - 1] or j < field.first[move + 1]:
        if j == field.first[move + 1] or (i < room.pairs[depth - 1] and before[i] <= field.through[j]):
            line = before[i]
            j += j < field.first[move + 1] and line == field.through[j]
            i += 1
        else:
            line = field.through[j]
            j += 1
        if theirs[line] == 0 and ours[line] == starts[line + 1] - starts[line] - 2:
            after[total] = line
            total += 1
    room.pairs[depth] = total


@helper
def _list_threats(field: Field, marks: LineCounts, room: Chase, depth: int) -> Any:
    """Write the threats of a position to a depth; return a cell that makes two at once, or -1."""
    starts = field.starts
    room.tally[1] += 1
    stamp = room.tally[1]
    double = -1
    total = 0
    for k in range(room.pairs[depth]):
        line = room.lines[depth, k]
        i = starts[line]
        while marks.owner[field.cells[i]] != BLANK:
            i += 1
        one = field.cells[i]
        two = marks.blanks[line] ^ one
        for turn in range(2):
            cell, reply = (two, one) if turn else (one, two)
            if room.seen[cell] != stamp:
                room.seen[cell] = stamp
                room.reply[cell] = reply
                room.moves[depth, total] = cell
                total += 1
            elif room.reply[cell] != reply:
                double = cell
    room.total[depth] = total
    return double


@helper
def _sort_threats(field: Field, marks: LineCounts, room: Chase, depth: int) -> None:
    """Keep the threats that further other lines, those that further most first."""
    moves, scores = room.moves[depth], room.scores[depth]
    left = 0
    for i in range(room.total[depth]):
        cell = moves[i]
        score = _gain(field, marks, cell, room.reply[cell])
        if score == 0:
            continue
        at = left
        while at > 0 and scores[at - 1] < score:
            moves[at], scores[at] = moves[at - 1], scores[at - 1]
            at -= 1
        moves[at], scores[at] = cell, score
        left += 1
    for i in range(left):
        room.replies[depth, i] = room.reply[moves[i]]
    room.total[depth] = left


@helper
def threat_through(field: Field, marks: LineCounts, own: Array, other: Array, cell: int) -> Any:
    """Return the cell that completes a line through a cell, -1 where there is none, -2 where it is too late to stop.

    ``own`` are the counts of the player who completes it, ``other`` those of the opponent.
    """
    forced = -1
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        left = field.starts[line + 1] - field.starts[line] - own[line]
        if other[line] or left > 1:
            continue
        if left == 0 or (forced >= 0 and forced != marks.blanks[line]):
            return -2
        forced = marks.blanks[line]
    return forced


@helper
def _open_chase(field: Field, marks: LineCounts, room: Chase, depth: int, left: int) -> Any:
    """Look at a position with ``left`` moves of the attacker to come; where it WINS the move is written down.

    Below the first no line of the attacker has one blank, and every threat of the defender is on a line of the reply.
    """
    room.tally[0] += 1
    room.next[depth] = 0
    room.cut[depth] = 0
    key = marks.key[0]
    entry = room.known[np.int64(key & np.uint64(room.known.size - 1))]
    if (entry ^ key) >> np.uint64(8) == np.uint64(0):
        failed = np.int64(entry & np.uint64(255))
        if failed >= left:
            room.cut[depth] = failed != EVERY
            return KNOWN
    if depth == 0:
        view = glance(field, marks)
        if view.win >= 0:
            room.moves[depth, 0] = view.win
            return WINS
        danger = -2 if view.many else view.danger
        if danger != -2:
            _list_pairs(field, marks, room)
    else:
        i = room.next[depth - 1] - 1
        danger = threat_through(field, marks, marks.theirs, marks.ours, room.replies[depth - 1, i])
        if danger != -2:
            _update_pairs(field, marks, room, depth, room.moves[depth - 1, i])
    if danger == -2:
        return FAILS
    double = _list_threats(field, marks, room, depth)
    if danger >= 0:
        if room.seen[danger] != room.tally[1]:
            return FAILS
        room.moves[depth, 0] = danger
        if _is_double(field, marks, danger):
            return WINS
        room.replies[depth, 0] = room.reply[danger]
        room.total[depth] = 1
    elif double >= 0:
        room.moves[depth, 0] = double
        return WINS
    else:
        _sort_threats(field, marks, room, depth)
    if room.total[depth] == 0:
        return FAILS
    if left == 1:
        room.cut[depth] = 1
        return FAILS
    return OPENED


@helper
def _is_double(field: Field, marks: LineCounts, cell: int) -> Any:
    """Tell whether a move makes two threats at least."""
    reply = -1
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if marks.theirs[line] == 0 and marks.ours[line] == field.starts[line + 1] - field.starts[line] - 2:
            other = marks.blanks[line] ^ cell
            if reply >= 0 and other != reply:
                return True
            reply = other
    return False


@helper
def chase(field: Field, marks: LineCounts, room: Chase, most: int, stop: int) -> Any:
    """Search for a sequence of up to ``most`` moves of the attacker, whose turn it is; leave the marks as they were.

    Returns FOUND, with the sequence in the first columns of ``moves`` and ``replies``; NONE where no more moves would
    help; else GAVE_UP, which it also is when so many positions have been opened in all.
    """
    depth: Any = np.int64(0)  # a plain 0 is a type of its own: _open_chase would be compiled for it, too
    answer = _open_chase(field, marks, room, depth, most)
    while True:
        if answer == OPENED and room.next[depth] < room.total[depth] and room.tally[0] < stop:
            i = room.next[depth]
            room.next[depth] += 1
            put(field, marks, room.moves[depth, i], ATTACKER)
            put(field, marks, room.replies[depth, i], DEFENDER)
            depth += 1
            answer = _open_chase(field, marks, room, depth, most - depth)
            continue
        if answer == WINS:
            room.tally[2] = depth + 1
            while depth:
                depth -= 1
                i = room.next[depth] - 1
                room.moves[depth, 0], room.replies[depth, 0] = room.moves[depth, i], room.replies[depth, i]
                take(field, marks, room.moves[depth, 0], ATTACKER)
                take(field, marks, room.replies[depth, 0], DEFENDER)
            return FOUND
        if answer == OPENED and room.next[depth] < room.total[depth]:
            room.cut[depth] = 1
        elif answer != KNOWN and (room.cut[depth] == 0 or room.tally[0] < stop):
            key = marks.key[0]
            failed = most - depth if room.cut[depth] else EVERY
            room.known[np.int64(key & np.uint64(room.known.size - 1))] = (
                key >> np.uint64(8) << np.uint64(8)
            ) | np.uint64(failed)
        if depth == 0:
            return GAVE_UP if room.cut[0] else NONE
        room.cut[depth - 1] |= room.cut[depth]
        depth -= 1
        i = room.next[depth] - 1
        take(field, marks, room.moves[depth, i], ATTACKER)
        take(field, marks, room.replies[depth, i], DEFENDER)
        answer = OPENED


@kernel
def find(field: Field, marks: LineCounts, room: Chase, most: int, limit: int) -> Any:
    """Search for a shortest sequence of up to ``most`` moves, opening about ``limit`` positions; see `chase`."""
    stop = room.tally[0] + limit
    answer = GAVE_UP
    for moves in range(1, most + 1):
        answer = chase(field, marks, room, moves, stop)
        if answer != GAVE_UP or room.tally[0] >= stop:
            break
    return answer


@helper
def completes(field: Field, marks: LineCounts, cell: int) -> Any:
    """Tell whether a move of the attacker completes a line."""
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if marks.theirs[line] == 0 and marks.ours[line] == field.starts[line + 1] - field.starts[line] - 1:
            return True
    return False


@helper
def _threatens(field: Field, marks: LineCounts, cell: int, reply: int) -> Any:
    """Tell whether the attacker's mark on a cell threatens to complete a line on another."""
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if (
            marks.theirs[line] == 0
            and marks.ours[line] == field.starts[line + 1] - field.starts[line] - 1
            and marks.blanks[line] == reply
        ):
            return True
    return False


@helper
def holds(field: Field, marks: LineCounts, sequence: Array, start: int, stop: int) -> Any:
    """Tell whether a sequence wins from a position with the attacker to move; leave the marks as they were."""
    good = False
    i = start
    while i < stop:
        move = sequence[i]
        if marks.owner[move] != BLANK:
            break
        view = glance(field, marks)
        if view.win >= 0:
            good = completes(field, marks, move)
            break
        if view.many or (view.danger >= 0 and view.danger != move):
            break
        if i == stop - 1:
            good = _is_double(field, marks, move)
            break
        reply = sequence[i + 1]
        if marks.owner[reply] != BLANK:
            break
        put(field, marks, move, ATTACKER)
        if not _threatens(field, marks, move, reply):
            take(field, marks, move, ATTACKER)
            break
        put(field, marks, reply, DEFENDER)
        i += 2
    while i > start:
        i -= 2
        take(field, marks, sequence[i], ATTACKER)
        take(field, marks, sequence[i + 1], DEFENDER)
    return good
