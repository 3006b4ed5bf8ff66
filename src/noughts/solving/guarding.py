"""The section `stop X by threats` of a proof: a player keeps the other from a line, with threats of his own.

*Breaker* must not lose, *Maker* wants a line. Where Breaker threatens to complete a line, Maker has one reply. Of the
moves that hold, the one that leaves the least open is written. What holds is known from a solution; the judge needs the
text only. docs/reference/proofs.md says what a line means, and which replies need no line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from noughts.kernels.bits import image_tables
from noughts.kernels.search import guard as kernels
from noughts.rules.board import Board
from noughts.rules.marks import Cell, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.rules.symmetry import Group
from noughts.solving.weak.compiled import family_scratch
from noughts.solving.weak.family import GROUP_LIMIT, unit_of
from noughts.solving.weak.stopper import PASS

WIDTH = 4
"""Moves that hold are compared up to this number."""
STEEP = 6
"""Power of the weight that an open reply counts; heavy ones take most lines."""

Key = tuple[int, int, int]


class _Reply(NamedTuple):
    """A reply, the canonical form of the position after it, and the weight that pairs leave there."""

    cell: Cell
    key: Key
    weight: float


class _GuardedMove(NamedTuple):
    """A move of Breaker (None: Maker is to move), the cells of its pairs, and the replies that it leaves open."""

    cell: Cell | None
    pairs: tuple[Cell, ...]
    replies: tuple[_Reply, ...]

    def __str__(self) -> str:
        move = PASS if self.cell is None else str(self.cell)
        return f"{move} : {' '.join(map(str, self.pairs))}" if self.pairs else move


class Guarding:
    """Writes the section in which a player stops the other; `holds` tells what is held with Maker to move.

    Takes boards of up to 64 cells where lines win. `count` is the number of lines written.
    """

    def __init__(self, board: Board, breaker: Player, holds: Callable[[Position], bool]) -> None:
        self.board, self.breaker, self.maker, self._holds = board, breaker, opponent(breaker), holds
        self.count = 0
        lines = board.line_masks
        group = board.group("board")
        group = group if group.order <= GROUP_LIMIT else Group.trivial(board.cells)
        self._above: set[Key] = set()
        self._images = image_tables(group.elements)
        self._lines = np.array(lines, np.uint64)
        self._unit = unit_of(lines)
        self._bench = family_scratch(len(lines))
        self._room = _room(len(lines))

    def lines(self, position: Position) -> Iterator[str]:
        """Yield the lines of a position that Breaker holds, and those of the positions that follow from it."""
        passes = position.to_move == self.maker
        first = self._answered(position, None) if passes else self._chosen(position)
        self.count += 1
        yield str(first)
        waiting = [self._after(position, first)]
        while waiting:
            after = next(waiting[-1], None)
            if after is None:
                waiting.pop()
                continue
            move = self._chosen(after)
            self.count += 1
            yield str(move)
            waiting.append(self._after(after, move))

    def _after(self, position: Position, move: _GuardedMove) -> Iterator[Position]:
        """Yield the positions after the replies that are still open when their turn comes."""
        played = position if move.cell is None else position.play(move.cell)
        for reply in move.replies:
            if reply.key not in self._above:
                self._above.add(reply.key)
                yield played.play(reply.cell)

    def _chosen(self, position: Position) -> _GuardedMove:
        """Return the move of those that hold that seems to take the fewest lines."""
        best, least, tried = None, 0.0, 0
        room, (maker, breaker) = self._room, self._marks(position)
        count = kernels.list_answers(maker, breaker, self._lines, self._unit, self._bench, room)
        if not count:
            cell = next(cells_of(position.blanks))
            return self._answered(position.play(cell), cell)
        cells, weights = room.cells[:count].tolist(), room.weights[:count].tolist()
        for cell, weight in zip(cells, weights, strict=True):
            after = position.play(cell)
            if after.outcome == self.breaker:
                return _GuardedMove(cell, (), ())
            if count > 1 and weight >= 1 << self._unit and not self._holds(after):
                continue
            move = self._answered(after, cell)
            cost = sum(reply.weight for reply in move.replies)
            if best is None or cost < least:
                best, least = move, cost
            tried += 1
            if not move.replies or tried == WIDTH:
                break
        assert best is not None, "a position of the proof is not held"
        return best

    def _answered(self, after: Position, cell: Cell | None) -> _GuardedMove:
        """Return a move with its pairs and the replies that it leaves open; Maker is to move."""
        room, (maker, breaker) = self._room, self._marks(after)
        _, count, chosen = kernels.list_replies(
            maker, breaker, self._lines, self._unit, self._images, self._bench, room
        )
        pairs = tuple(room.pairs[:chosen].ravel().tolist())
        keys, replies = room.keys[: 3 * count].tolist(), []
        for i, (reply, weight) in enumerate(
            zip(room.cells[:count].tolist(), room.weights[:count].tolist(), strict=True)
        ):
            key = (keys[3 * i], keys[3 * i + 1], keys[3 * i + 2])
            if key not in self._above:
                replies.append(_Reply(reply, key, (weight / (1 << self._unit)) ** STEEP))
        return _GuardedMove(cell, pairs, tuple(replies))

    def _marks(self, position: Position) -> tuple[np.uint64, np.uint64]:
        return np.uint64(position.marks(self.maker)), np.uint64(position.marks(self.breaker))


def _room(lines: int) -> kernels.GuardRoom:
    return kernels.GuardRoom(
        family=np.zeros(max(lines, 1), np.uint64),
        common=np.zeros(64, np.uint64),
        keys=np.zeros(3 * 64, np.uint64),
        cells=np.zeros(64, np.int64),
        weights=np.zeros(64, np.int64),
        pairs=np.zeros((32, 2), np.int64),
    )
