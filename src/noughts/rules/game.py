"""Play as engines follow it: the moves that move rules allow, bounds on positions, states and their classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from operator import or_
from typing import Literal, NamedTuple

from noughts.rules.board import Board, require_playable
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of
from noughts.rules.play import VALUE_RULES, MoveRule
from noughts.rules.position import Position, completing_cells, format_start
from noughts.rules.symmetry import Group, Permutation
from noughts.rules.values import FrozenDict, roughly


def allowed_cells(board: Board, x: Mask, o: Mask, rule: MoveRule) -> Mask:
    """Return the cells that the rule allows the side to move of an unfinished position, as a set; never empty.

    Assumes that nobody has a line and that a cell is blank. Not for VALUE_RULES: see `best_moves`.
    """
    blank = board.full & ~(x | o)
    if rule == "any":
        return blank
    assert rule not in VALUE_RULES
    own, other = (x, o) if x.bit_count() == o.bit_count() else (o, x)
    wins = completing_cells(board, own, blank)
    if wins or rule == "win":
        return wins or blank
    blocks = completing_cells(board, other, blank)
    if blocks or rule == "block":
        return blocks or blank
    return forking_cells(board, own, blank) or blank


def forking_cells(board: Board, own: Mask, blank: Mask) -> Mask:
    """Return the blank cells after which their owner has at least two threats, two different cells.

    Linear in the number of lines.
    """
    threats = 0
    after: dict[Mask, Mask] = {}
    for line in board.line_masks:
        missing = line & ~own
        many = missing.bit_count()
        if missing & ~blank or not 1 <= many <= 2:
            continue
        if many == 1:
            threats |= missing
        else:
            first, second = missing & -missing, missing & (missing - 1)
            after[first] = after.get(first, 0) | second
            after[second] = after.get(second, 0) | first
    found = 0
    for cell in cells_of(blank):
        bit = 1 << cell
        created = threats & ~bit | after.get(bit, 0)
        if created & (created - 1):
            found |= bit
    return found


# How many position classes play can reach, and up to how many plain Python is enough: decided here for all rooms.

QUICK_CLASSES = 40_000
"""Position classes, by the bound, that plain Python lists about as fast as compiled kernels are loaded."""

WAITED_FOR = 10**9
"""Position classes up to which a person may be told to wait."""

LISTED_CLASSES = 120_000
"""Position classes, by the bound, that plain Python lists where nothing compiled does the work: some seconds."""


def layer_bounds(start: Position, order: int, last_ply: int | None = None) -> list[int]:
    """Return for each ply from a start on the multinomial bound on positions, divided by the order of a group.

    The number of ways to choose the cells of the marks still to be made, X's and O's, as if no line ended the game.
    A bound on labelled positions; on classes nearly so, as few positions have symmetries. Up to the full board unless
    the last ply is given.
    """
    blank = start.blanks.bit_count()
    bounds = []
    for ply in range(start.ply, 1 + (start.board.cells if last_ply is None else last_ply)):
        x, o = (ply + 1) // 2 - start.x.bit_count(), ply // 2 - start.o.bit_count()
        bounds.append(-(-comb(blank, x) * comb(blank - x, o) // order))
    return bounds


def class_bound(start: Position) -> int:
    """Return about how many position classes play from a start can reach; from a later start all are taken for one.

    Raises BudgetError on boards of more than PLAYED_CELLS cells.
    """
    require_playable(start.board)
    return -(-sum(layer_bounds(start, 1)) // (start.board.group().order if start.ply == 0 else 1))


def require_listed(
    start: Position,
    what: str,
    limit: int = LISTED_CLASSES,
    *,
    has_option: bool = False,
    takes_position: bool = True,
) -> None:
    """Raise BudgetError where play from a position meets too many classes for plain Python; `what` is to be done.

    `has_option` where --limit is to be named; not `takes_position` where no later one can be asked about.
    """
    bound = class_bound(start)
    if bound > limit:
        raise BudgetError(
            f"{what} on {start.board}{format_start(start)} may meet some {roughly(bound)} position classes, and up to "
            f"{limit:,} are listed: ask about a smaller board"
            + " or a later position" * takes_position
            + (f", or wait longer with --limit {bound}" if has_option and bound < WAITED_FOR else "")
        )


def least_classes(start: Position, depth: int | None = None) -> int:
    """Return a number of classes that free play surely reaches, within so many plies.

    While nobody has marks enough for a line all fillings are reached. A class holds at most as many positions as there
    are symmetries.
    """
    board, blanks = start.board, start.blanks.bit_count()
    require_playable(board)
    shortest = min(map(len, board.lines), default=board.cells + 1)
    first, second = (start.x, start.o) if start.to_move == "X" else (start.o, start.x)
    total = 0
    for more in range(1 + (blanks if depth is None else min(depth, blanks))):
        p, q = (more + 1) // 2, more // 2
        if first.bit_count() + p >= shortest or second.bit_count() + q >= shortest:
            break
        total += -(-comb(blanks, p) * comb(blanks - p, q) // board.group().order)
    return total


def position_bounds(board: Board, free: Sequence[int]) -> list[int]:
    """Return for each ply at least the number of reachable positions, and rarely twice as many.

    `free` has for each size the number of sets of cells without a line, or at least so many. Open positions are at most
    one player's line-free sets with any set of the other; a position with a line is one move after an open one.
    """
    cells, before = board.cells, 0
    bounds = []
    for ply in range(cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        still_open = min(free[p] * comb(cells - p, q), free[q] * comb(cells - q, p))
        bounds.append(min(comb(cells, ply) * comb(ply, q), still_open + before * (cells - ply + 1)))
        before = still_open
    return bounds


def least_positions(board: Board, free: Sequence[int]) -> list[int]:
    """Return for each ply a number of positions that are surely reached: open ones, by inclusion and exclusion.

    `free` has for each size the number of sets of cells without a line.
    """
    found = []
    for ply in range(board.cells + 1):
        p, q = (ply + 1) // 2, ply // 2
        with_line = comb(board.cells, q) - free[q]
        found.append(max(0, free[p] * comb(board.cells - p, q) - with_line * comb(board.cells - q, p)))
    return found


# Play from a start, state by state.


class Marks(NamedTuple):
    """A state of play: two sets of cells, and who has won already where play goes on after a line."""

    x: Mask
    o: Mask
    won: Player | None = None


def worth(outcome: Outcome, plies_left: int) -> int:
    """Return what the end of a game is worth to X who likes to win soon and to lose late: 0 for a draw.

    `plies_left` are those that the game might have gone on. The best worth of both sides is `quickest` play.
    """
    return {"X": 1, "draw": 0, "O": -1}[outcome] * (plies_left + 1)


def best_moves(game: Game, state: Marks, value_of: Callable[[Marks], int]) -> Mask:
    """Return the moves that keep the best value for the side to move, by values under free play for X.

    With values +1, 0 and -1 these are the moves of `perfect`; with the `worth` of each end those of `quickest`.
    """
    sign = 1 if game.to_move(state) == "X" else -1
    values = {1 << move: sign * value_of(game.play(state, move)) for move in cells_of(game.moves(state))}
    best = max(values.values())
    return sum(move for move, value in values.items() if value == best)


_new = tuple.__new__
"""Makes a named tuple of a tuple in a third of the time that its own call takes: states are made by the million."""


class Game:
    """Play by the rules of a board from a start, until it is over; or `full`, on to the full board.

    Played on to the full board, the first completed line gives the outcome, and from then on every rule allows any
    cell. `start` is the empty board and `group`, by whose symmetries states are alike, that of the board unless given.
    """

    def __init__(
        self,
        board: Board,
        start: Position | None = None,
        end: Literal["line", "full"] = "line",
        group: Group | None = None,
    ) -> None:
        self.board, self.rules = board, board.rules
        self.group = board.group() if group is None else group
        self.last_ply = board.cells
        self._to_full = end == "full"
        self._full = board.full
        position = Position(board) if start is None else start
        self.start = Marks(position.x, position.o, position.winner if self._to_full else None)

    def __str__(self) -> str:
        return str(self.board)

    def bound(self, to_ply: int) -> int:
        """Return the number of ways to place marks on the blank cells of the start, as if no line ended the game."""
        return sum(layer_bounds(Position(self.board, self.start.x, self.start.o), 1, min(to_ply, self.last_ply)))

    def ply(self, state: Marks) -> int:
        """Return the number of marks."""
        return (state[0] | state[1]).bit_count()

    def to_move(self, state: Marks) -> Player:
        """Return whose turn it is."""
        return self.rules.to_move(state[0], state[1])

    def outcome(self, state: Marks) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on."""
        x, o, won = state
        if self._to_full:
            return (won or "draw") if x | o == self._full else None
        return self.rules.outcome(self.board, x, o)

    def moves(self, state: Marks, rule: MoveRule = "any") -> Mask:
        """Return the moves that a rule other than VALUE_RULES allows while the game goes on; any once one has won."""
        x, o, won = state
        if rule == "any" or won:
            return self.rules.moves(self.board, x, o)
        return allowed_cells(self.board, x, o, rule)

    def play(self, state: Marks, move: int) -> Marks:
        """Return the state after a move."""
        x, o = self.rules.play(state[0], state[1], move)
        won = state[2]
        if self._to_full and won is None:
            won = self.board.winner(x, o)
        return _new(Marks, (x, o, won))

    def canonical(self, state: Marks) -> Marks:
        """Return the least image of a state."""
        x, o, won = state
        return _new(Marks, (*self.group.canonical(x, o), won))

    def children(self, state: Marks) -> list[tuple[int, Marks]]:
        """Return, for a canonical state in which the game goes on, each move with the canonical state after it.

        Where any cell may be marked: the images of a set with one more cell are those of the set with one more cell
        each; and where O moves, only symmetries that keep X are asked, as X is least already. A third of the time of
        `canonical` after `play`.
        """
        x, o, won = state
        moves = list(cells_of(self.rules.moves(self.board, x, o)))
        if not self.rules.is_marking:
            return [(move, self.canonical(self.play(state, move))) for move in moves]
        mover = self.rules.to_move(x, o)
        found = self._with_x(x, o, moves) if mover == "X" else self._with_o(x, o, moves)
        if not self._to_full or won is not None:
            return [(move, _new(Marks, (*marks, won))) for move, marks in zip(moves, found, strict=True)]
        wins, has_line, side = self.board.line_outcome(mover), self.board.has_line, int(mover == "O")
        return [
            (move, _new(Marks, (*marks, wins if has_line(marks[side]) else None)))
            for move, marks in zip(moves, found, strict=True)
        ]

    def _with_x(self, x: Mask, o: Mask, cells: Sequence[Cell]) -> list[tuple[Mask, Mask]]:
        """Return the least image of the marks with one more X, for each of some cells."""
        images, bits = self.group.images, self.group.cell_images
        before = [image(x) for image in images]
        found = []
        for cell in cells:
            of_x = list(map(or_, before, bits[cell]))
            least = min(of_x)
            if of_x.count(least) == 1:
                found.append((least, images[of_x.index(least)](o)))
            else:
                found.append(
                    (least, min([image(o) for image, also in zip(images, of_x, strict=True) if also == least]))
                )
        return found

    def _with_o(self, x: Mask, o: Mask, cells: Sequence[Cell]) -> list[tuple[Mask, Mask]]:
        """Return the least image of the marks with one more O, for each of some cells; X is its own least image."""
        kept = [(number, image(o)) for number, image in enumerate(self.group.images) if image(x) == x]
        if len(kept) == 1:
            return [(x, o | 1 << cell) for cell in cells]
        bits = self.group.cell_images
        return [(x, min([before | bits[cell][number] for number, before in kept])) for cell in cells]

    def stabiliser(self, state: Marks) -> Sequence[Permutation]:
        """Return the symmetries that keep a state; its class has as many states as they are fewer than all."""
        return self.group.keeping(state[0], state[1])

    def position(self, state: Marks) -> tuple[Mask, Mask]:
        """Return what positions are counted by: the marks and nothing else."""
        return state[0], state[1]


# The moves that somebody may make, position by position: what a way of play comes to, as a value.


@dataclass(frozen=True)
class PlayTable:
    """Who plays, as sentences have it, and for each position (the sets of X and of O) the cells that may be played.

    The positions are labelled: one says nothing of its images under symmetries. Hashable and picklable.
    """

    name: str
    board: Board
    cells: FrozenDict[tuple[Mask, Mask], Mask] = field(repr=False)

    def at(self, x: Mask, o: Mask) -> Mask:
        """Return the cells that may be played. Raises InputError where the table does not say."""
        found = self.cells.get((x, o))
        if not found:
            position = Position(self.board, x, o)
            raise InputError(f"{self.name} was not asked about {position}: ask again, with this position within reach")
        return found
