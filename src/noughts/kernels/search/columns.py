"""Alpha-beta search of one position under gravity, on an explicit stack, with a table of bounds.

A board is a word. Each column has a bit for each row, the bottom row first. One more bit stays blank, so that shifts do
not join two columns. A position is two words: the marks of the side to move, and all marks.

A score is positive where the side to move wins, 0 for a draw. A game that ends after t plies counts
(cells + 2 - t) // 2 for the winner. The parity of t says who wins, so a score gives the plies to the end.

Where lines win, nodes have no move that completes a line; moves after which the opponent completes one are left out.
Moves with more threats are tried first, of equal ones the more central.

Sources: J. Tromp, the Fhourstones benchmark; P. Pons, Solving Connect 4: how to build a perfect AI (2015).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I64x1, I64x2, U64x1, U64x2
from noughts.kernels.bits import BYTE, ONE, ZERO, popcount
from noughts.kernels.jit import helper, inner_kernel, kernel

Array = npt.NDArray[Any]

UNSETTLED = 99
"""No score yet."""
DEPTH, PHASE, RESULT, NODES, LOW, HIGH, WINDOW = 0, 1, 2, 3, 4, 5, 6
"""Places in the registers of a search."""
ENTER = 0
RETURN = 1
ALPHA, BETA, BEST, COUNT, NEXT, STARTED = 0, 1, 2, 3, 4, 5
"""Places in a frame."""
FLOOR = 31
"""More than any score."""
HEAVY = np.uint64(128)
WORK = 1 << 10
"""Nodes below an entry that is kept when a lighter one comes."""


class Columns(NamedTuple):
    """The board as a word, the number of its ``cells``, those of the ``bottom`` row, and ``order``, the columns.

    ``k`` in a row make a line; ``flat`` and ``tall`` and ``slant`` say whether it fits across, upwards and diagonally.
    Positions of up to ``fold`` marks are keyed with their mirror images. ``misere`` is 0 or 1.
    """

    board: np.uint64
    bottom: np.uint64
    order: U64x1
    cells: int
    height: int
    k: int
    tall: int
    flat: int
    slant: int
    fold: int
    misere: int


class ColumnStack(NamedTuple):
    """The path from the root, for each node: own marks, all marks and hashed key; moves with their weights; a frame."""

    marks: U64x2
    moves: U64x2
    weights: I64x2
    frames: I64x2


@inner_kernel
def ends_of_four(own: Any, step: Any) -> Any:
    """Return the cells that with three of ``own`` make four in a row in one direction."""
    two, three = step + step, step + step + step
    above = (own >> step) & (own >> two)
    below = (own << step) & (own << two)
    return above & ((own >> three) | (own << step)) | below & ((own << three) | (own >> step))


@helper
def ends_of_run(own: Any, step: Any, k: int) -> Any:
    """Return the cells that with k - 1 of ``own`` make k in a row in one direction."""
    found, below = ZERO, ~ZERO
    for j in range(k):
        both, shift = below, step
        for _ in range(k - 1 - j):
            both &= own >> shift
            shift += step
        found |= both
        if j + 1 < k:
            below &= own << (step * np.uint64(j + 1))
    return found


@helper
def completing(own: Any, ground: Columns) -> Any:
    """Return the cells, marked ones included, with which ``own`` has a line."""
    step, found = np.uint64(ground.height + 1), ZERO
    if ground.k == 4:
        if ground.tall:
            found |= (own << ONE) & (own << np.uint64(2)) & (own << np.uint64(3))
        if ground.flat:
            found |= ends_of_four(own, step)
        if ground.slant:
            found |= ends_of_four(own, step - ONE) | ends_of_four(own, step + ONE)
        return found & ground.board
    if ground.tall:
        found |= ends_of_run(own, ONE, ground.k)
    if ground.flat:
        found |= ends_of_run(own, step, ground.k)
    if ground.slant:
        found |= ends_of_run(own, step - ONE, ground.k) | ends_of_run(own, step + ONE, ground.k)
    return found & ground.board


@helper
def hashed(own: Any, marks: Any, count: int, ground: Columns) -> Any:
    """Return a word that only this position has, or near the empty board only it and its mirror image."""
    key = own + marks
    if count <= ground.fold:
        width = np.uint64(ground.height + 1)
        column, rest, turned = (ONE << width) - ONE, key, ZERO
        for _ in range(ground.order.shape[0]):
            turned = (turned << width) | (rest & column)
            rest >>= width
        key = min(key, turned)
    key ^= key >> np.uint64(31)
    key ^= key << np.uint64(13)
    key ^= key >> np.uint64(7)
    key ^= key << np.uint64(17)
    key ^= key >> np.uint64(29)
    return key


@helper
def keep(table: Array, word: Any, score: int, is_lower: bool, work: int) -> None:
    """Write a bound: 7 bits for it and one for much work, beside the upper 56 bits of its word.

    The lower bits are the place in the table, of at least 512 entries, two of which share a place.
    """
    place = np.int64(word & np.uint64(table.shape[0] // 2 - 1)) * 2
    code = np.uint64(score + FLOOR + 1 if is_lower else score + 3 * FLOOR + 1)
    entry = (word & ~BYTE) | code
    if work >= WORK:
        entry |= HEAVY
    old = table[place]
    if work < WORK and old & HEAVY != ZERO and (old ^ entry) & ~BYTE != ZERO:
        place += 1
    table[place] = entry


@helper
def recall(table: Array, word: Any) -> Any:
    """Return the bound of a word: 0 where there is none, else the code that `keep` wrote."""
    place = np.int64(word & np.uint64(table.shape[0] // 2 - 1)) * 2
    for entry in (table[place], table[place + 1]):
        if (entry ^ word) & ~BYTE == ZERO and entry & BYTE != ZERO:
            return np.int64(entry & np.uint64(127))
    return np.int64(0)


@helper
def safe_moves(own: Any, marks: Any, ground: Columns) -> Any:
    """Return the moves that do not lose at once."""
    possible = (marks + ground.bottom) & ground.board
    if ground.misere:
        return possible & ~completing(own, ground)
    wins = completing(own ^ marks, ground)
    forced = possible & wins
    if forced != ZERO:
        if forced & (forced - ONE) != ZERO:
            return ZERO
        possible = forced
    return possible & ~(wins >> ONE)


@helper
def open_node(ground: Columns, table: Array, stack: ColumnStack, depth: int, count: int, nodes: int) -> Any:
    """Return the score of a node that needs no search, or write its moves and its frame and return UNSETTLED."""
    own, marks = stack.marks[depth, 0], stack.marks[depth, 1]
    frame = stack.frames[depth]
    safe = safe_moves(own, marks, ground)
    soon = 1 if ground.misere else 2
    if safe == ZERO:
        return 0 if count == ground.cells else -((ground.cells + 2 - soon - count) // 2)
    if count + 2 >= ground.cells and not ground.misere:
        return 0
    if ground.misere:
        lowest, highest = -((ground.cells - 1 - count) // 2), (ground.cells - count) // 2
    else:
        lowest, highest = -((ground.cells - 2 - count) // 2), (ground.cells - 1 - count) // 2
    alpha, beta = max(frame[ALPHA], lowest), min(frame[BETA], highest)
    if alpha >= beta:
        return alpha if frame[ALPHA] < lowest else beta
    word = hashed(own, marks, count, ground)
    code = recall(table, word)
    if code > 2 * FLOOR + 1:
        beta = min(beta, code - 3 * FLOOR - 1)
        if alpha >= beta:
            return beta
    elif code:
        alpha = max(alpha, code - FLOOR - 1)
        if alpha >= beta:
            return alpha
    frame[ALPHA], frame[BETA], frame[BEST], frame[NEXT], frame[STARTED] = alpha, beta, -FLOOR, 0, nodes
    stack.marks[depth, 2] = word
    frame[COUNT] = list_moves(ground, own, marks, safe, stack.moves[depth], stack.weights[depth])
    return UNSETTLED


@helper
def list_moves(ground: Columns, own: Any, marks: Any, safe: Any, moves: Array, weights: Array) -> int:
    """Write the moves, those with more threats first; return how many there are."""
    total = 0
    for column in ground.order:
        move = safe & column
        if move == ZERO:
            continue
        weight = np.int64(popcount(completing(own | move, ground) & ~marks & ~move))
        if ground.misere:
            weight = -weight
        place = total
        while place > 0 and weights[place - 1] < weight:
            moves[place], weights[place] = moves[place - 1], weights[place - 1]
            place -= 1
        moves[place], weights[place] = move, weight
        total += 1
    return total


@helper
def middle(low: int, high: int) -> int:
    """Return the score to compare with: first who wins, then short steps, as most games are long."""
    if low < 0 < high:
        return 0
    if low >= 0:
        return low + (high - low) // 4
    return high - 1 - (high - low) // 4


@kernel
def search(ground: Columns, table: U64x1, stack: ColumnStack, plies: int, limit: int, registers: I64x1) -> Any:
    """Search on from where the stack stands; return the score, or UNSETTLED when ``limit`` nodes have been opened.

    ``plies`` is the number of marks of the root. ``table`` has a power of two of entries, at least 512. ``registers``
    int64[7] is kept between calls together with the stack. At the start it is zero but for LOW and HIGH; a score
    outside these is only a bound.
    """
    frames, marks, moves = stack.frames, stack.marks, stack.moves
    depth, phase, score, nodes = registers[DEPTH], registers[PHASE], registers[RESULT], registers[NODES]
    if nodes == 0 and not ground.misere:
        possible = (marks[0, 1] + ground.bottom) & ground.board
        if possible & completing(marks[0, 0], ground) != ZERO:
            return np.int64((ground.cells + 1 - plies) // 2)
    stop = nodes + limit
    while True:
        if phase == ENTER:
            if nodes >= stop:
                registers[DEPTH], registers[PHASE], registers[RESULT], registers[NODES] = depth, phase, score, nodes
                return np.int64(UNSETTLED)
            if depth == 0:
                frames[0, ALPHA] = middle(registers[LOW], registers[HIGH])
                frames[0, BETA] = frames[0, ALPHA] + 1
                registers[WINDOW] = frames[0, ALPHA]
            nodes += 1
            score = open_node(ground, table, stack, depth, plies + depth, nodes)
            done = score != UNSETTLED
        else:
            frame = frames[depth]
            frame[NEXT] += 1
            frame[BEST] = max(frame[BEST], -score)
            frame[ALPHA] = max(frame[ALPHA], -score)
            score = frame[BEST]
            done = score >= frame[BETA] or frame[NEXT] >= frame[COUNT]
            if done:
                keep(table, marks[depth, 2], score, score >= frame[BETA], nodes - frame[STARTED])
        if not done:
            frame = frames[depth]
            move = moves[depth, frame[NEXT]]
            marks[depth + 1, 0] = marks[depth, 0] ^ marks[depth, 1]
            marks[depth + 1, 1] = marks[depth, 1] | move
            frames[depth + 1, ALPHA], frames[depth + 1, BETA] = -frame[BETA], -frame[ALPHA]
            depth += 1
            phase = ENTER
        elif depth > 0:
            depth -= 1
            phase = RETURN
        else:
            if score > registers[WINDOW]:
                registers[LOW] = max(registers[LOW], score)
            else:
                registers[HIGH] = min(registers[HIGH], score)
            if registers[LOW] >= registers[HIGH]:
                registers[NODES] = nodes
                return np.int64(score)
            phase = ENTER
