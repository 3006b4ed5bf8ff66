"""Plain search of one position, in compiled code, with a table of what is settled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.bits import image_tables
from noughts.kernels.search import attack as search
from noughts.kernels.search import survey
from noughts.machine.budget import free_memory, is_over
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, Player, cells_of, mask_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation, compose, coordinates, identity, inverse

SLICE = 1 << 19
FIRST_SLOTS, GROWTH = 1 << 16, 8
"""Entries of the table at first; it grows by this factor when a search has opened as many nodes."""
SLOT_BYTES = 32
FOLD_DEPTH = 6
GROUP_LIMIT = 200


class _Opened(NamedTuple):
    """A question, and how far its search has come."""

    position: Position
    player: Player
    stack: search.Stack
    registers: npt.NDArray[np.int64]


class Searcher:
    """Answers whether a player can force a win, remembering what it has settled.

    Inside, cells are numbered from the middle outwards: of moves that look alike the most central is tried first.

    `nodes` counts the positions opened so far. The table grows with them to at most `slots`, a power of two, and to a
    third of the free memory.
    """

    def __init__(self, board: Board, *, slots: int = 1 << 22, progress: Progress = silent) -> None:
        self._progress = progress
        if board.cells > 64:
            raise BudgetError(f"the engine search takes boards of up to 64 cells, {board} has {board.cells:,}")
        self.board = board
        self.nodes = 0
        longest = max((len(line) for line in board.lines), default=1)
        self._number = inverse(_central_first(board))
        images = image_tables(_renumbered(board, self._number))
        self._ground = search.Ground(images, board.cells, min(longest, 40), int(board.misere), board.cells - FOLD_DEPTH)
        self._most = slots
        self._known = search.Transpositions(np.zeros((min(slots, FIRST_SLOTS), 4), np.uint64))
        lines = len(board.lines)
        degree = max((len(through) for through in board.lines_through), default=0)
        planes = self._ground.unit + (3 * degree).bit_length() + 1
        self._scratch = survey.LineRoom(_words(lines + 1), _words(lines + 1), _words(lines + 1), _words(planes))
        self._lines = np.array([self._inside(line) for line in board.line_masks], np.uint64)
        self._begun: _Opened | None = None

    def can_force(
        self, position: Position, player: Player, *, limit: int | None = None, deadline: float | None = None
    ) -> bool | None:
        """Tell whether a player can force a win from an open position.

        None after `limit` nodes without an answer, or soon after the `deadline` on the monotonic clock. The next call
        resumes the search if it has the same question.
        """
        begun, self._begun = self._begun, None
        if begun is None or (begun.position, begun.player) != (position, player):
            marks = self._inside(position.marks(player)), self._inside(position.marks(opponent(player)))
            begun = _Opened(position, player, self._stack(*marks, self._lines), np.zeros(4, np.int64))
        stack, registers = begun.stack, begun.registers
        side = 1 if position.to_move == player else 0
        before = int(registers[search.NODES])
        left = limit
        while True:
            if registers[search.NODES]:
                self._progress(self.nodes + int(registers[search.NODES]) - before, 0, "positions searched")
            until = self._room(self.nodes + int(registers[search.NODES]) - before)
            part = min(SLICE, until) if left is None else min(SLICE, until, left)
            answer = search.search(self._ground, self._known, stack, self._scratch, side, part, registers)
            late = is_over(deadline)
            if answer != search.UNSETTLED or late or (left is not None and left <= part):
                self.nodes += int(registers[search.NODES]) - before
                self._begun = begun if answer == search.UNSETTLED else None
                return None if answer == search.UNSETTLED else bool(answer == search.YES)
            if left is not None:
                left -= part

    def _room(self, nodes: int) -> int:
        """Return how many nodes a search may open before the table grows, which is now if that is due."""
        slots = len(self._known.rows)
        if nodes >= slots < self._most:
            size = min(self._most, GROWTH * slots)
            if size * SLOT_BYTES > free_memory() // 3:
                self._most = slots
            else:
                self._known = search.Transpositions(_grown(self._known.rows, size))
                slots = size
        return slots - nodes if slots < self._most else SLICE

    def forces(self, marks: tuple[Mask, Mask, Mask], *, moves: bool, limit: int) -> bool | None:
        """Tell whether a player can force a win, who moves or not; None after `limit` nodes without an answer.

        `marks` are the player's, the other's, and the dead cells: no line through these counts.
        """
        own, other, dead = map(self._inside, marks)
        stack = self._stack(own, other, self._lines[self._lines & np.uint64(dead) == 0])
        registers = np.zeros(4, np.int64)
        answer = search.search(self._ground, self._known, stack, self._scratch, int(moves), limit, registers)
        self.nodes += int(registers[search.NODES])
        return None if answer == search.UNSETTLED else bool(answer == search.YES)

    def _inside(self, mask: Mask) -> Mask:
        """Return a set of cells by the numbers that they have inside."""
        return mask_of(self._number[cell] for cell in cells_of(mask))

    def _stack(self, own: Mask, other: Mask, remain: npt.NDArray[np.uint64]) -> search.Stack:
        depth, lines = self.board.cells + 2, len(self._lines)
        stack = search.Stack(
            attack=_words(depth),
            defend=_words(depth),
            key_attack=_words(depth),
            key_defend=_words(depth),
            key_blanks=_words(depth),
            moves=np.zeros((depth, 64), np.int64),
            total=np.zeros(depth, np.int64),
            next=np.zeros(depth, np.int64),
            started=np.zeros(depth, np.int64),
            lines=np.zeros((depth + 1, lines + 1), np.uint64),
            line_count=np.zeros(depth + 1, np.int64),
        )
        stack.attack[0], stack.defend[0] = own, other
        stack.lines[0, : len(remain)] = remain
        stack.line_count[0] = len(remain)
        return stack


def _grown(rows: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.uint64]:
    """Return a larger table with the entries of this one; where two meet, with the one that cost more work."""
    there = rows[rows[:, 3] != 0]
    there = there[np.argsort(there[:, 3])]
    grown = np.zeros((size, 4), np.uint64)
    grown[search.slot_of(there[:, 0], there[:, 1], there[:, 2], there[:, 3] >> np.uint64(2) & np.uint64(1), size)] = (
        there
    )
    return grown


def _words(count: int) -> npt.NDArray[np.uint64]:
    return np.zeros(count, np.uint64)


def _central_first(board: Board) -> Permutation:
    """Return the cells of a board, from the middle outwards; in reading order for a board without a middle."""
    if board.shape is None or board.torus:
        return identity(board.cells)
    shape = board.shape

    def distance(cell: Cell) -> int:
        return sum(abs(2 * at - side + 1) for at, side in zip(coordinates(shape, cell), shape, strict=True))

    return tuple(sorted(range(board.cells), key=distance))


def _renumbered(board: Board, number: Permutation) -> list[Permutation]:
    """Return the symmetries of a board by other numbers of its cells; the identity alone where there are many."""
    group = board.group("board")
    if group.order > GROUP_LIMIT:
        return [identity(board.cells)]
    cells = inverse(number)
    return [compose(compose(cells, element), number) for element in group.elements]
