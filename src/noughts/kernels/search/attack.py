"""AND/OR search of one question: can the attacker force a win? Depth first, with a table, on an explicit stack.

An OR node has the attacker to move, an AND node the defender. A node is settled without search where a player completes
a line or makes two threats at once, or where the attacker is hopeless (`survey.is_hopeless`). A single threat leaves
one move. Against a fork that is to come, only moves that break it or threaten are tried. Threats are tried before
other moves, the heaviest first, and the answer goes into the table.

An extra mark never harms in normal play. So a player's marks on lines that are dead for that player make no difference,
nor do blanks on dead lines. The key of a position leaves them out. It has each player's marks on that player's live
lines, and the blanks on live lines of either. Near the empty board it is the least image of these.

Under misere the player who completes a line loses; a mark may harm, so all blanks count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I64x1, I64x2, U64x1, U64x2, U64x3
from noughts.kernels.bits import ONE, ZERO, lowest, popcount
from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.survey import (
    LineRoom,
    View,
    add_lines,
    avoids,
    breaking,
    clear,
    heaviest,
    image_of,
    is_hopeless,
    survey,
)

Array = npt.NDArray[Any]

UNSETTLED = 0
YES = 1
NO = 2

DEPTH, PHASE, RESULT, NODES = 0, 1, 2, 3
"""Places in the registers of a search."""
ENTER = 0
RETURN = 1
NOT_STORED = -1


class Ground(NamedTuple):
    """The board: ``images`` (see `survey.image_of`), the number of ``cells``, the ``unit`` of weights.

    ``misere`` is 0 or 1; positions with ``fold`` blanks or more are keyed by their least image.
    """

    images: U64x3
    cells: int
    unit: int
    misere: int
    fold: int


class Transpositions(NamedTuple):
    """A table of settled nodes: uint64 (slots, 4), the three sets of a key and work * 8 + side * 4 + answer.

    One row is half a line of the processor's cache, so a look-up costs one miss.
    """

    rows: U64x2


class Stack(NamedTuple):
    """The path from the root: sets, keys and lines (uint64); moves, how many, the next, and when opened (int64)."""

    attack: U64x1
    defend: U64x1
    key_attack: U64x1
    key_defend: U64x1
    key_blanks: U64x1
    moves: I64x2
    total: I64x1
    next: I64x1
    started: I64x1
    lines: U64x2
    line_count: I64x1


@helper
def settle(view: View, attacker_moves: bool) -> int:
    """Return the answer where threats or forks decide it at once."""
    if attacker_moves:
        if view.our_wins:
            return YES
        if view.their_wins:
            return NO if view.their_wins & (view.their_wins - ONE) else UNSETTLED
        return YES if view.our_forks else UNSETTLED
    if view.their_wins:
        return NO
    if view.our_wins:
        return YES if view.our_wins & (view.our_wins - ONE) else UNSETTLED
    return NO if view.their_forks else UNSETTLED


@helper
def settle_misere(view: View, blanks: Any, attacker_moves: bool, unit: int, scratch: LineRoom) -> int:
    """Return the answer where the defender avoids every line, or the mover can only complete a line."""
    if not view.their_live:
        return NO
    own = view.our_wins if attacker_moves else view.their_wins
    if not blanks & ~own:
        return NO if attacker_moves else YES
    return NO if avoids(view, blanks, attacker_moves, unit, scratch) else UNSETTLED


@helper
def escapes(view: View, attacker_moves: bool, scratch: LineRoom) -> Any:
    """Return the cells that may break the forks which the other player would make next: all where there are none."""
    if attacker_moves:
        return breaking(view.their_forks, scratch.their_lines, view.theirs)
    return breaking(view.our_forks, scratch.our_lines, view.ours)


@helper
def make_key(ground: Ground, stack: Stack, depth: int, view: View, blanks: Any) -> None:
    """Write the key of a node: what matters of it, as its least image where enough cells are blank."""
    attack = stack.attack[depth] & view.our_live
    defend = stack.defend[depth] & view.their_live
    rest = blanks if ground.misere else blanks & (view.our_live | view.their_live)
    best_attack, best_defend, best_rest = attack, defend, rest
    if popcount(blanks) >= ground.fold:
        for g in range(1, ground.images.shape[0]):
            image = image_of(attack, ground.images, g)
            if image > best_attack:
                continue
            other = image_of(defend, ground.images, g)
            if image == best_attack and other > best_defend:
                continue
            third = image_of(rest, ground.images, g)
            if image < best_attack or other < best_defend or third < best_rest:
                best_attack, best_defend, best_rest = image, other, third
    stack.key_attack[depth] = best_attack
    stack.key_defend[depth] = best_defend
    stack.key_blanks[depth] = best_rest


@helper
def slot_of(attack: Any, defend: Any, blanks: Any, side: int, slots: int) -> Any:
    """Return the first of the two places of a key, by shifts and exclusive-ors alone."""
    word = attack ^ (defend << np.uint64(23)) ^ (defend >> np.uint64(41)) ^ (blanks << np.uint64(47))
    word ^= (blanks >> np.uint64(17)) ^ (np.uint64(side) << np.uint64(62))
    word ^= word >> np.uint64(31)
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    word ^= word >> np.uint64(29)
    return np.int64(word & np.uint64(slots - 1))


@helper
def recall(known: Transpositions, stack: Stack, depth: int, side: int) -> Any:
    """Return the answer kept for the key of a node, if there is one."""
    attack, defend, blanks = stack.key_attack[depth], stack.key_defend[depth], stack.key_blanks[depth]
    rows = known.rows
    slot = slot_of(attack, defend, blanks, side, rows.shape[0])
    for place in (slot, slot ^ 1):
        if rows[place, 0] == attack and rows[place, 1] == defend and rows[place, 2] == blanks:
            verdict = np.int64(rows[place, 3])
            if verdict & 3 and verdict >> 2 & 1 == side:
                return verdict & 3
    return UNSETTLED


@helper
def keep(known: Transpositions, stack: Stack, depth: int, side: int, answer: int, work: int) -> None:
    """Keep the answer of a node: in the first place of its key, or in the second where the first cost more work."""
    attack, defend, blanks = stack.key_attack[depth], stack.key_defend[depth], stack.key_blanks[depth]
    rows = known.rows
    place = slot_of(attack, defend, blanks, side, rows.shape[0])
    if np.int64(rows[place, 3]) >> 3 > work:
        place ^= 1
    rows[place, 0] = attack
    rows[place, 1] = defend
    rows[place, 2] = blanks
    rows[place, 3] = np.uint64(work << 3 | side << 2 | answer)


@helper
def list_moves(
    candidates: Any, first: Any, ground: Ground, view: View, attacker_moves: bool, scratch: LineRoom, moves: Array
) -> Any:
    """Write the candidate cells and return how many there are.

    Those in ``first`` before the others, the heaviest before the lighter, the attacker's lines counting twice; under
    misere the lightest come first, the mover's own lines counting twice.
    """
    planes = scratch.planes
    clear(planes)
    ours_twice = attacker_moves or not ground.misere
    add_lines(planes[1:] if ours_twice else planes, scratch.our_lines, view.ours, ground.unit)
    add_lines(planes if ours_twice else planes[1:], scratch.their_lines, view.theirs, ground.unit)
    total = popcount(candidates)
    misere = ground.misere
    for i in range(total):
        ahead = candidates & first
        cell = lowest(heaviest(planes, ahead if ahead else candidates))
        candidates ^= ONE << np.uint64(cell)
        moves[total - 1 - i if misere else i] = cell
    return total


@helper
def open_node(
    ground: Ground, known: Transpositions, stack: Stack, scratch: LineRoom, depth: int, side: int, clock: int
) -> Any:
    """Settle a node at once, or write its moves to the stack and return UNSETTLED."""
    attack, defend = stack.attack[depth], stack.defend[depth]
    attacker_moves = side == 1
    lines, live = stack.lines[depth], stack.lines[depth + 1]
    view = survey(attack, defend, lines, stack.line_count[depth], live, ground.unit, scratch)
    stack.line_count[depth + 1] = view.live_lines
    every = ~ZERO >> np.uint64(64 - ground.cells)
    blanks = every & ~(attack | defend)
    forced, threats = ZERO, ZERO
    if ground.misere:
        answer = settle_misere(view, blanks, attacker_moves, ground.unit, scratch)
        candidates = blanks & ~(view.our_wins if attacker_moves else view.their_wins)
    else:
        answer = settle(view, attacker_moves)
        candidates = blanks & (view.our_live | view.their_live)
        forced = view.their_wins if attacker_moves else view.our_wins
        threats = view.our_pairs if attacker_moves else view.their_pairs
        choice = forced if forced else blanks
        if answer == UNSETTLED and is_hopeless(view, choice, attacker_moves, ground.unit, scratch):
            answer = NO
        if answer == UNSETTLED and not forced:
            candidates &= threats | escapes(view, attacker_moves, scratch)
            if not candidates:
                answer = NO if attacker_moves else YES
    if answer != UNSETTLED:
        return answer
    stack.next[depth] = 0
    if forced:
        stack.moves[depth, 0] = lowest(forced)
        stack.total[depth] = 1
        stack.started[depth] = NOT_STORED
        return UNSETTLED
    make_key(ground, stack, depth, view, blanks)
    answer = recall(known, stack, depth, side)
    if answer != UNSETTLED:
        return answer
    stack.total[depth] = list_moves(candidates, threats, ground, view, attacker_moves, scratch, stack.moves[depth])
    stack.started[depth] = clock
    return UNSETTLED


@kernel
def search(
    ground: Ground,
    known: Transpositions,
    stack: Stack,
    scratch: LineRoom,
    root_side: int,
    limit: int,
    registers: I64x1,
) -> Any:
    """Search on from where the stack stands; return YES, NO, or UNSETTLED when ``limit`` nodes have been opened.

    ``root_side``: 1 where the attacker moves at the root. ``registers`` int64[4], zero at the start, is kept between
    calls together with the stack. Every opened position counts as a node.
    """
    attack, defend, moves = stack.attack, stack.defend, stack.moves
    following, total, started = stack.next, stack.total, stack.started
    depth = registers[DEPTH]
    phase = registers[PHASE]
    answer = registers[RESULT]
    nodes = registers[NODES]
    stop = nodes + limit
    while True:
        side = root_side ^ (depth & 1)
        if phase == ENTER:
            if nodes >= stop:
                registers[DEPTH], registers[PHASE], registers[RESULT], registers[NODES] = depth, phase, answer, nodes
                return UNSETTLED
            nodes += 1
            answer = open_node(ground, known, stack, scratch, depth, side, nodes)
            done = answer != UNSETTLED
        else:
            following[depth] += 1
            done = (answer == YES) == (side == 1) or following[depth] >= total[depth]
            if done and started[depth] != NOT_STORED:
                keep(known, stack, depth, side, answer, nodes - started[depth])
        if done:
            phase = RETURN
            if depth == 0:
                registers[NODES] = nodes
                return answer
            depth -= 1
            continue
        bit = ONE << np.uint64(moves[depth, following[depth]])
        if side == 1:
            attack[depth + 1] = attack[depth] | bit
            defend[depth + 1] = defend[depth]
        else:
            attack[depth + 1] = attack[depth]
            defend[depth + 1] = defend[depth] | bit
        depth += 1
        phase = ENTER
