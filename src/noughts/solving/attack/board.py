"""A board laid out for the search of attacks, with the room it works in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.search import replies as quiet
from noughts.kernels.search import threats as field
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Cell, Mask, Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.solving.problem import MOST_CELLS, SEARCHED_CELLS
from noughts.solving.proofs import attack_symmetries

if TYPE_CHECKING:
    from noughts.solving.transposition import Searcher


MOST = 30
"""The longest sequence has so many moves of the attacker."""
BATCH = 16
STEPS = 4
STOPS = 30

Picture = bytes
"""A position, the attacker to move, cell by cell: 0 blank, 1 the attacker's, 2 the defender's, 3 dead (see `field`)."""

_Ints = npt.NDArray[Any]


class Attempt(NamedTuple):
    """A move that was tried: its `kind` (see `kernels.search.quiet`), the `replies` that no sequence refutes, and the
    sequences."""

    cell: Cell
    kind: int
    replies: tuple[Cell, ...]
    sequences: tuple[tuple[Cell, ...], ...]


class AttackBoard:
    """The arrays of a board: positions are put up here, looked at, and tried.

    A search of sequences opens `limit` positions at most; `stops` bounds what is weighed to see that the defender hits
    every line. Memory: 8 bytes for each of `slots`, a power of two, and 8 for each pair of cells.
    """

    def __init__(self, board: Board, *, slots: int = 1 << 20, limit: int = 2000, stops: int | None = None) -> None:
        if board.cells > MOST_CELLS:
            raise BudgetError(f"attacks are searched on boards of up to {MOST_CELLS} cells, {board} has {board.cells}")
        self.board = board
        cells, lines = board.cells, len(board.lines)
        self._field = _field(board)
        self._marks = field.LineCounts(
            np.zeros(cells, np.int8), _ints(lines), _ints(lines), _ints(lines), np.zeros(1, np.uint64)
        )
        depth, width = MOST + 2, 2 * lines + 1
        self._room = field.Chase(
            known=np.zeros(slots, np.uint64),
            moves=_ints(depth, width),
            replies=_ints(depth, width),
            scores=_ints(depth, width),
            lines=_ints(depth, width),
            total=_ints(depth),
            next=_ints(depth),
            cut=_ints(depth),
            pairs=_ints(depth),
            reply=_ints(cells),
            seen=np.zeros(cells, np.int64),
            tally=np.zeros(3, np.int64),
        )
        self._book = quiet.Book(
            _ints(BATCH), _ints(BATCH), _ints(BATCH, cells + 1), _ints(BATCH + 1), _ints((BATCH * cells + 1) * 2 * MOST)
        )
        longs = [np.zeros(shape, np.int64) for shape in (lines, cells, (cells, cells), cells)]
        self._scale = quiet.Scale(*longs)
        self._ladder = quiet.Ladder(_ints(STEPS, cells), _ints(STEPS, cells), _ints(STEPS, 4))
        self._stops = stops or (STOPS if cells <= SEARCHED_CELLS else 1)
        self._weights = np.zeros((2, cells), np.int64)
        self._moves, self._limit = _ints(cells), limit
        self._unit = min(40, max((len(line) for line in board.lines), default=1))
        self._drawn, self._image = np.zeros(cells, np.int8), np.zeros(cells, np.int8)
        self._images = np.zeros((cells, cells), np.int8)

    def owners(self, position: Position, attacker: Player) -> _Ints:
        """Return the owner of each cell."""
        owner = np.zeros(self.board.cells, np.int8)
        owner[list(cells_of(position.marks(attacker)))] = field.ATTACKER
        owner[list(cells_of(position.marks(opponent(attacker))))] = field.DEFENDER
        return owner

    def picture(self, owner: _Ints) -> tuple[_Ints, Picture, int]:
        """Return the picture of a position, its canonical image, and the number of the symmetry between them."""
        chosen = field.picture(self._field, self._marks, owner, self._drawn, self._image)
        return self._drawn.copy(), self._image.tobytes(), int(chosen)

    def image(self, chosen: int) -> list[Cell]:
        """Return a symmetry: the image of each cell."""
        return list(self._field.images[chosen].tolist())

    def after(self, owner: _Ints, cells: tuple[Cell, ...], player: int) -> list[Picture]:
        """Return the canonical pictures after moves of a player (`field.ATTACKER` or `field.DEFENDER`)."""
        field.set_up(self._field, self._marks, owner)
        many = np.array(cells, np.int32)
        field.pictures(self._field, self._marks, many, len(cells), player, self._drawn, self._images)
        return [row.tobytes() for row in self._images[: len(cells)]]

    def candidates(self, owner: _Ints) -> list[Cell]:
        """Return the attacker's moves worth trying, best first; none where it is seen at once that none wins."""
        field.set_up(self._field, self._marks, owner)
        total = quiet.rank(
            self._field, self._marks, self._unit, self._weights, self._scale, self._ladder, self._stops, self._moves
        )
        return list(self._moves[: max(0, total)].tolist())

    def unlike(self, owner: _Ints, cells: list[Cell]) -> list[Cell]:
        """Return the attacker's moves without those that a symmetry exchanges for one before."""
        unlike: dict[Picture, Cell] = {}
        for cell, after in zip(cells, self.after(owner, tuple(cells), field.ATTACKER), strict=True):
            unlike.setdefault(after, cell)
        return list(unlike.values())

    def attempt(self, owner: _Ints, cells: list[Cell]) -> list[Attempt]:
        """Try up to BATCH moves of the attacker until one refutes all replies, and return what was found of each."""
        field.set_up(self._field, self._marks, owner)
        book, moves = self._book, np.array(cells, np.int32)
        done = quiet.expand(self._field, self._marks, self._room, moves, len(cells), book, MOST, self._limit)
        return [self._trial(cells[i], i) for i in range(done)]

    def _trial(self, cell: Cell, number: int) -> Attempt:
        book = self._book
        text = book.text[book.begin[number] : book.begin[number + 1]].tolist()
        sequences = []
        while text:
            sequences.append(tuple(text[1 : 1 + text[0]]))
            text = text[1 + text[0] :]
        replies = tuple(book.which[number, : book.replies[number]].tolist())
        return Attempt(cell, int(book.kind[number]), replies, tuple(sequences))


def _ints(*shape: int) -> _Ints:
    return np.zeros(shape, np.int32)


def _field(board: Board) -> field.Field:
    through: list[list[int]] = [[] for _ in range(board.cells)]
    for number, line in enumerate(board.lines):
        for cell in line:
            through[cell].append(number)
    holds = np.zeros((max(1, len(board.lines)), board.cells), np.int8)
    for number, line in enumerate(board.lines):
        holds[number, list(line)] = 1
    dice = np.random.default_rng(1)
    return field.Field(
        starts=_sums([len(line) for line in board.lines]),
        cells=np.array([cell for line in board.lines for cell in line], np.int32),
        first=_sums([len(lines) for lines in through]),
        through=np.array([line for lines in through for line in lines], np.int32),
        keys=dice.integers(0, 1 << 64, (3, board.cells), np.uint64),
        images=np.array(attack_symmetries(board), np.int16),
        order=_central_first(board),
        holds=holds,
    )


def _sums(counts: list[int]) -> _Ints:
    found = _ints(len(counts) + 1)
    found[1:] = np.cumsum(counts)
    return found


def _central_first(board: Board) -> _Ints:
    """Return the cells, those first from which all others are reached along the fewest lines."""
    near = np.eye(board.cells, dtype=np.float32)
    for line in board.lines:
        near[np.ix_(line, line)] = 1
    reach, far = near, np.zeros(board.cells, np.int64)
    while True:
        far += (reach == 0).sum(axis=1)
        wider = (reach @ near > 0).astype(np.float32)
        if (wider == reach).all():
            return np.argsort(far, kind="stable").astype(np.int32)
        reach = wider


MOST_BLANKS = 40
"""With more blanks plain search settles next to nothing."""
SLOTS = 1 << 22


class Lookahead:
    """Asks plain search whether the attacker wins; its answers are exact, and it remembers them.

    It settles what attacks only exhaust: positions that the defender holds by threats of his own. `searched` counts its
    positions. It searches with a `Searcher` that others may ask as well; where none is given, with one of so many
    `slots`, of 32 bytes each, made when it is first asked.
    """

    def __init__(self, board: Board, searcher: Searcher | None = None, *, slots: int = SLOTS) -> None:
        self.board, self._slots, self.searched = board, slots, 0
        if searcher is not None:
            self._searcher = searcher

    def takes(self, blanks: int) -> bool:
        """Whether it looks at positions with so many blanks."""
        return self.board.cells <= SEARCHED_CELLS and blanks <= MOST_BLANKS

    def wins(self, owner: _Ints, *, moves: bool, limit: int) -> bool | None:
        """Tell whether the attacker, to move or not, wins a picture; None where `limit` positions do not tell."""
        if not self.takes(int(np.count_nonzero(owner == field.BLANK))):
            return None
        attack, defend, dead = (mask_of_owner(owner, each) for each in (field.ATTACKER, field.DEFENDER, field.DEAD))
        before = self._searcher.nodes
        found = self._searcher.forces((attack, defend, dead), moves=moves, limit=limit)
        self.searched += self._searcher.nodes - before
        return found

    @cached_property
    def _searcher(self) -> Searcher:
        from noughts.solving.transposition import Searcher

        return Searcher(self.board, slots=self._slots)


def mask_of_owner(owner: _Ints, player: int) -> Mask:
    """Return the cells of a player, or the dead or blank ones, of a picture."""
    return int.from_bytes(np.packbits(owner == player, bitorder="little").tobytes(), "little")
