"""Threat sequences: the attacker makes one threat after the other, and the defender has one reply to each.

A sequence lists the attacker's moves and the forced replies in turn. Its last move completes a line or makes two
threats. Where a forced reply makes a threat of the defender's own, the attacker's next move takes that cell, or
completes a line. A defender with two threats has broken the sequence.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.field import ATTACKER, BLANK, DEFENDER, Field, LineCounts, glance, put, take

__all__ = ["FOUND", "GAVE_UP", "NONE", "Chase", "chase", "completes", "find", "holds"]

Array = npt.NDArray[Any]

NONE, FOUND, GAVE_UP = 0, 1, 2
"""What a search of sequences came to: there is none, here is one, there may be one."""
FAILS, OPENED, WINS, KNOWN = 0, 1, 2, 3
EVERY = 255
"""The depth of a failure that no number of moves would mend."""


class Chase(NamedTuple):
    """Room to search in: ``known`` uint64[slots], positions without a sequence of so many moves; of each depth the
    candidate ``moves`` with their ``replies`` and ``scores`` (depths, 2 lines), the ``total``, the ``next``, and
    ``cut`` where more moves might help; of each cell the ``reply`` to a threat there and when it was ``seen``, int64;
    ``tally`` int64[3]: the positions opened, the stamp of ``seen``, the moves of the sequence found. Else int32.
    """

    known: Array
    moves: Array
    replies: Array
    scores: Array
    total: Array
    next: Array
    cut: Array
    reply: Array
    seen: Array
    tally: Array


@helper
def _gain(field: Field, marks: LineCounts, cell: int, reply: int) -> Any:
    """Return how much a threat furthers other lines of the attacker: 0 where it furthers none."""
    score = 0
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        if marks.theirs[line]:
            continue
        left = field.starts[line + 1] - field.starts[line] - marks.ours[line]
        meets = False
        for j in range(field.starts[line], field.starts[line + 1]):
            meets = meets or field.cells[j] == reply
        if not meets:
            score += 1 << max(0, 12 - 3 * left)
    return score


@helper
def _list_threats(field: Field, marks: LineCounts, room: Chase, depth: int) -> Any:
    """Write the threats of a position to a depth; return a cell that makes two at once, or -1."""
    ours, theirs, starts = marks.ours, marks.theirs, field.starts
    room.tally[1] += 1
    stamp = room.tally[1]
    double = -1
    total = 0
    for line in range(ours.size):
        if theirs[line] or ours[line] != starts[line + 1] - starts[line] - 2:
            continue
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
    kept = 0
    for i in range(room.total[depth]):
        cell = moves[i]
        score = _gain(field, marks, cell, room.reply[cell])
        if score == 0:
            continue
        at = kept
        while at > 0 and scores[at - 1] < score:
            moves[at], scores[at] = moves[at - 1], scores[at - 1]
            at -= 1
        moves[at], scores[at] = cell, score
        kept += 1
    for i in range(kept):
        room.replies[depth, i] = room.reply[moves[i]]
    room.total[depth] = kept


@helper
def _open_chase(field: Field, marks: LineCounts, room: Chase, depth: int, left: int) -> Any:
    """Look at a position with ``left`` moves of the attacker to come; where it WINS the move is written down."""
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
    view = glance(field, marks)
    if view.win >= 0:
        room.moves[depth, 0] = view.win
        return WINS
    if view.many:
        return FAILS
    double = _list_threats(field, marks, room, depth)
    if view.danger >= 0:
        forced = view.danger
        if room.seen[forced] != room.tally[1]:
            return FAILS
        if _is_double(field, marks, forced):
            room.moves[depth, 0] = forced
            return WINS
        room.moves[depth, 0] = forced
        room.replies[depth, 0] = room.reply[forced]
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
