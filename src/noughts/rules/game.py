"""Play for engines: the moves that move rules allow, bounds on the number of positions, states and their classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from operator import or_
from typing import Literal, NamedTuple

from noughts.rules.board import Board, require_playable
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, mask_of
from noughts.rules.play import VALUE_RULES, MoveRule
from noughts.rules.position import Position, completing_cells, format_start
from noughts.rules.symmetry import Group, Permutation
from noughts.rules.values import FrozenDict, roughly


def allowed_cells(board: Board, x: Mask, o: Mask, rule: MoveRule) -> Mask:
    """Return the cells that a move rule allows in an unfinished position; empty only where a player concedes.

    Assumes that neither player has a line and that a cell is blank. For VALUE_RULES see `best_moves`.
    """
    blank = board.rules.moves(board, x, o)
    if rule == "any":
        return blank
    assert rule not in VALUE_RULES
    own, other = (x, o) if board.rules.to_move(x, o) == "X" else (o, x)
    wins = completing_cells(board, own, blank)
    if wins or rule == "win":
        return wins or blank
    blocks = completing_cells(board, other, blank)
    if rule == "concede":
        return 0 if blocks & (blocks - 1) else blocks or blank
    if blocks or rule == "block":
        return blocks or blank
    return forking_cells(board, own, other, blank) or blank


def threatened(board: Board, own: Mask, other: Mask) -> Mask:
    """Return the moves that complete a line for the owner of the marks `own`, to move or not."""
    return completing_cells(board, own, board.rules.moves(board, own, other))


def forking_cells(board: Board, own: Mask, other: Mask, moves: Mask) -> Mask:
    """Return the moves that give the owner of the marks `own` at least two threats, at two different cells.

    Cost: linear in the number of lines; for each move where not every blank cell is a move.
    """
    if not board.rules.any_blank or board.rules.exact:
        return mask_of(cell for cell in cells_of(moves) if threatened(board, own | 1 << cell, other).bit_count() > 1)
    threats, blank = 0, moves
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


# Bounds on the number of position classes that play can reach, and the limits of plain Python, for all rooms.

QUICK_CLASSES = 40_000
"""Bound on position classes up to which plain Python takes about as long as loading the compiled kernels."""

WAITED_FOR = 10**9
"""Bound on position classes up to which an error suggests waiting longer."""

LISTED_CLASSES = 120_000
"""Bound on position classes up to which plain Python lists them where no kernel can: some seconds."""


def layer_bounds(start: Position, order: int, last_ply: int | None = None) -> list[int]:
    """Return for each ply from `start` to `last_ply` the multinomial bound on positions, divided by `order`.

    The bound is the number of ways to choose the cells of the marks still to be made, as if no line ended the game.
    With order 1 it bounds labelled positions. With the order of a group it is close to a bound on classes, as few
    positions have symmetries. The default of `last_ply` is the full board. Under gravity the cells are those of the
    ways to fill columns.
    """
    rules = start.board.rules
    ways = rules.fillings(start.board, start.x | start.o)
    bounds = []
    for ply in range(start.ply, 1 + (start.board.cells if last_ply is None else last_ply)):
        more = ply - start.ply
        bounds.append(-(-ways[more] * rules.markings(more, (ply + 1) // 2 - start.x.bit_count()) // order))
    return bounds


def _cycles(permutation: Permutation) -> int:
    """Return the number of cycles of a permutation, fixed cells included."""
    left, many = set(range(len(permutation))), 0
    while left:
        cell, many = left.pop(), many + 1
        while (cell := permutation[cell]) in left:
            left.remove(cell)
    return many


def class_bound(start: Position) -> int:
    """Return about how many position classes play from a start can reach; from a later start every position counts.

    Several boards of Notakto have as many classes as there are choices of one for each; Burnside counts those of one.

    Raises BudgetError on boards of more than PLAYED_CELLS cells.
    """
    require_playable(start.board)
    boards, part = start.board.rules.boards, start.board.part
    if boards > 1 and start.ply == 0:
        one = sum(1 << _cycles(each) for each in part.group().elements) // part.group().order
        return comb(one + boards - 1, boards)
    return -(-sum(layer_bounds(start, 1)) // (start.board.group().order if start.ply == 0 else 1))


def require_listed(
    start: Position,
    what: str,
    limit: int = LISTED_CLASSES,
    *,
    has_option: bool = False,
    takes_position: bool = True,
) -> None:
    """Raise BudgetError where play from a position meets too many classes for plain Python.

    Parameters
    ----------
    start:
        the position where play begins
    what:
        the task, as the subject of the message
    limit:
        the largest allowed bound on position classes
    has_option:
        whether the message suggests --limit
    takes_position:
        whether the message suggests a later position
    """
    bound = class_bound(start)
    if bound > limit:
        raise BudgetError(
            f"{what} on {start.board}{format_start(start)} may meet {roughly(bound)} position classes, more than "
            f"{limit:,}: choose a smaller board"
            + " or a later position" * takes_position
            + (f", or wait longer with --limit {bound}" if has_option and bound < WAITED_FOR else "")
        )


def least_classes(start: Position, depth: int | None = None) -> int:
    """Return a lower bound on the number of classes that free play reaches within `depth` plies.

    Play reaches every filling while neither player has enough marks for a line. A class holds at most as many positions
    as the group has symmetries.
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
    """Return for each ply an upper bound on the number of reachable positions, rarely twice as large.

    `free` has for each size the number of sets of cells without a line, or an upper bound on it. An open position
    is a line-free set of one player with some set of the other. A position with a line is one move after an open one.
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
    """Return for each ply a lower bound on the number of reachable positions: open ones, by inclusion and exclusion.

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
    """A state of play: two sets of cells, and the winner where play goes on after a line."""

    x: Mask
    o: Mask
    won: Player | None = None


def timed_value(outcome: Outcome, plies_left: int) -> int:
    """Return the value of an outcome for X, larger for a quick win and for a late loss: 0 for a draw.

    `plies_left` is the number of blank plies at the end. Best play of both sides by this value is `quickest` play.
    """
    return {"X": 1, "draw": 0, "O": -1}[outcome] * (plies_left + 1)


def best_moves(game: Game, state: Marks, value_of: Callable[[Marks], int]) -> Mask:
    """Return the moves that keep the best value for the side to move; `value_of` gives values for X.

    With values +1, 0 and -1 these are the moves of the rule `perfect`; with `timed_value` those of `quickest`.
    """
    sign = 1 if game.to_move(state) == "X" else -1
    values = {1 << move: sign * value_of(game.play(state, move)) for move in cells_of(game.moves(state))}
    best = max(values.values())
    return sum(move for move, value in values.items() if value == best)


_new = tuple.__new__
"""Makes a named tuple in a third of the time of its own call, for millions of states."""


class Game:
    """Play from a start by the rules of a board, until the game is over, or with `end="full"` to the full board.

    In play to the full board the first completed line gives the outcome; after it every rule allows any cell. Where
    lines are exact, only the lines on the full board count.

    Parameters
    ----------
    board:
        the board with its rules of play
    start:
        the position where play begins (default: the empty board)
    end:
        where play stops: `line` or `full`
    group:
        the symmetries that make states equivalent (default: those of the board)
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
        self.is_judged_full = end == "full" and board.rules.exact
        self._to_full = end == "full" and not board.rules.exact
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
        if self.is_judged_full and x | o != self._full:
            return None
        if self._to_full:
            return (won or "draw") if x | o == self._full else None
        return self.rules.outcome(self.board, x, o)

    def moves(self, state: Marks, rule: MoveRule = "any") -> Mask:
        """Return the moves that a rule outside VALUE_RULES allows in an unfinished game; after a win all moves.

        None where a player who may concede does so.
        """
        x, o, won = state
        if rule == "any" or won:
            return self.rules.moves(self.board, x, o)
        return allowed_cells(self.board, x, o, rule)

    def play(self, state: Marks, move: int) -> Marks:
        """Return the state after a move."""
        x, o = self.rules.play(self.board, state[0], state[1], move)
        won = state[2]
        if self._to_full and won is None:
            won = self.board.winner(x, o)
        return _new(Marks, (x, o, won))

    def canonical(self, state: Marks) -> Marks:
        """Return the least image of a state."""
        x, o, won = state
        return _new(Marks, (*self.group.canonical(x, o), won))

    def children(self, state: Marks) -> list[tuple[int, Marks]]:
        """Return, for a canonical unfinished state, each move with the canonical state after it.

        In a marking game this takes a third of the time of `canonical` after `play`: it adds one cell to the images of
        the marks. Where O moves, only the symmetries that keep X matter, as X is least already.
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
        """Return, for each of some cells, the least image of the marks with one more X."""
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
        """Return, for each of some cells, the least image of the marks with one more O; X is its own least image."""
        keeping_x = [(number, image(o)) for number, image in enumerate(self.group.images) if image(x) == x]
        if len(keeping_x) == 1:
            return [(x, o | 1 << cell) for cell in cells]
        bits = self.group.cell_images
        return [(x, min([before | bits[cell][number] for number, before in keeping_x])) for cell in cells]

    def stabiliser(self, state: Marks) -> Sequence[Permutation]:
        """Return the symmetries that keep a state; its class has (order of the group) / (their number) states."""
        return self.group.keeping(state[0], state[1])

    def on_moves(self, symmetry: Permutation) -> Permutation:
        """Return what a symmetry of the cells does to the moves."""
        return on_moves(self.board, symmetry)

    def position(self, state: Marks) -> tuple[Mask, Mask]:
        """Return the marks of a state, without the winner; they make the position."""
        return state[0], state[1]


def on_moves(board: Board, symmetry: Permutation) -> Permutation:
    """Return what a symmetry of the cells does to the moves on a board."""
    return (*symmetry, *(len(symmetry) + cell for cell in symmetry)) if board.rules.chooses_mark else symmetry


# A way of play as a value: for each position the moves that it may make.


@dataclass(frozen=True)
class PlayTable:
    """The name of a player in sentences, and for each position (the sets of X and of O) the cells that it may play.

    Positions are labelled: an entry does not apply to images under symmetries. Hashable and picklable.
    """

    name: str
    board: Board
    cells: FrozenDict[tuple[Mask, Mask], Mask] = field(repr=False)

    def at(self, x: Mask, o: Mask) -> Mask:
        """Return the cells that it may play. Raises InputError for a position that is not in the table."""
        found = self.cells.get((x, o))
        if not found:
            position = Position(self.board, x, o)
            raise InputError(f"{self.name} has no moves for {position}: begin at a position that leads there")
        return found
