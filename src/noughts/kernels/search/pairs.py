"""When the attacker cannot win: the defender answers pairs of cells, and Erdos and Selfridge weigh what is left."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.jit import helper
from noughts.kernels.search.field import ATTACKER, BLANK, DEFENDER, Field, LineCounts, put, take

__all__ = ["Ladder", "Scale", "is_held", "is_stopped"]

Array = npt.NDArray[Any]


class Scale(NamedTuple):
    """Room to weigh in, int64: the weight of each line, of each cell, the ``joint`` weight (cells, cells) of the lines
    through two cells; and of each cell whether it is ``paired``."""

    lines: Array
    cells: Array
    joint: Array
    paired: Array


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

    moves: Array
    replies: Array
    at: Array


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
def _must_take(field: Field, marks: LineCounts, cell: int) -> Any:
    """Return the cell on which the defender must answer a move, -1 where there is none, -2 where it is too late."""
    forced = -1
    for i in range(field.first[cell], field.first[cell + 1]):
        line = field.through[i]
        left = field.starts[line + 1] - field.starts[line] - marks.ours[line]
        if marks.theirs[line] or left > 1:
            continue
        if left == 0 or (forced >= 0 and forced != marks.blanks[line]):
            return -2
        forced = marks.blanks[line]
    return forced


@helper
def _list_replies(
    field: Field, marks: LineCounts, scale: Scale, ladder: Ladder, unit: int, width: int, step: int
) -> Any:
    """Write the replies to try against the move just made; return how many."""
    forced = _must_take(field, marks, ladder.moves[step, ladder.at[step, 1]])
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
