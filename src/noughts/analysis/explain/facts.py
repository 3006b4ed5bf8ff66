"""Facts of positions and moves, and what the marks show: threats, forks, lines, forced wins, ways to reach them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import factorial

from noughts.analysis.explain.wording import completed_lines, ending
from noughts.rules.board import Board
from noughts.rules.cells import Move, moves_on
from noughts.rules.errors import InvalidPosition
from noughts.rules.game import allowed_cells, forking_cells, threatened
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.position import Position, PositionLike, completing_cells, parse_position
from noughts.rules.values import FrozenDict, Result

_NODE_LIMIT = 400_000


@dataclass(frozen=True, repr=False)
class FromStart(Result):
    """A result about play from a position."""

    start: Position

    @property
    def board(self) -> Board:
        """The board."""
        return self.start.board


@dataclass(frozen=True, repr=False)
class ValuedMove(Result):
    """The move on any of `cells`, which lead to one class, in reading order, and the values of the position after it.

    `outcome` is absolute, `remoteness` counts plies. An unknown value is None. `losing_answers` has the number
    of answers that lose, and of all answers, after a move that draws; None where they were not counted.
    """

    cells: tuple[Move, ...]
    position: Position
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    losing_answers: tuple[int, int] | None = field(default=None, kw_only=True)
    keys = "cell label outcome remoteness creates_fork losing_answers=answers_record class=canonical"

    @property
    def answers_record(self) -> dict[str, int] | None:
        """The losing answers for JSON."""
        found = self.losing_answers
        return None if found is None else {"losing": found[0], "answers": found[1]}

    @property
    def cell(self) -> Move:
        """The first of its cells."""
        return self.cells[0]

    @cached_property
    def canonical(self) -> Position:
        """The class of the position after it."""
        board = self.position.board
        return Position(board, *board.group().canonical(self.position.x, self.position.o))

    @cached_property
    def creates_fork(self) -> bool | None:
        """Whether it makes two threats; None where threats have no meaning."""
        return is_fork(self.position) if self.position.board.rules.has_threats else None


@dataclass(frozen=True, repr=False)
class OnPosition(Result):
    """A result about one position."""

    position: Position

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def to_move(self) -> Player:
        """The player whose turn the marks imply, in a finished game too."""
        return self.position.to_move


@dataclass(frozen=True, repr=False)
class PositionFacts(OnPosition):
    """What the marks of a position show, and its value under best play. An unknown value is None.

    `outcome` is absolute, `remoteness` counts the plies to the end. `threats` and `forks` map a player to the blank
    cells that complete a line, or on which a mark would create two threats. They are None under misere, and where marks
    do not name the players: there `completing` has the moves that complete a line, for either player.
    """

    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    moves: tuple[ValuedMove, ...]

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.moves

    @cached_property
    def threats(self) -> FrozenDict[Player, tuple[Move, ...]] | None:
        """For each player the blank cells that complete a line."""
        return self._by_player(threat_mask)

    @cached_property
    def forks(self) -> FrozenDict[Player, tuple[Move, ...]] | None:
        """For each player the blank cells on which a mark of theirs would create a fork."""
        return self._by_player(fork_cells)

    @cached_property
    def completing(self) -> tuple[Move, ...] | None:
        """The moves that complete a line, for either player; None where each player has marks of their own."""
        return None if self.board.rules.alternating else completing_moves(self.position)

    def _by_player(self, find: Callable[[Position, Player], Mask]) -> FrozenDict[Player, tuple[Move, ...]] | None:
        if not self.board.rules.has_threats:
            return None
        return FrozenDict((p, moves_on(self.board, cells_of(find(self.position, p)))) for p in ("X", "O"))

    @cached_property
    def is_trap(self) -> bool | None:
        """Whether the side to move has a move that loses and another that does not; None if unknown."""
        lost = [move.outcome == opponent(self.to_move) for move in self.moves]
        safe = [move.outcome in (self.to_move, "draw") for move in self.moves]
        if any(lost) and any(safe):
            return True
        return False if all(lost) or all(safe) else None


def completing_moves(position: Position) -> tuple[Move, ...]:
    """Return the moves of the side to move that complete a line."""
    lines = completed_lines(position)
    return tuple(move for move in position.moves() if completed_lines(position.play(move)) != lines)


def reachable(board: Board | str, start: PositionLike | None) -> Position:
    """Return a reachable position; the empty board for None. Raises InvalidPosition and InvalidQuestion."""
    board = Board.parse(board)
    return Position(board) if start is None else parse_position(board, start).require_reachable()


def unfinished(board: Board | str, start: PositionLike | None) -> Position:
    """Return a reachable, unfinished position; the empty board for None. Raises InvalidPosition."""
    found = reachable(board, start)
    if found.is_terminal:
        raise InvalidPosition(f"the game is over in {found}: {ending(found)}; give an unfinished position")
    return found


def along(start: Position, cells: Iterable[Cell]) -> tuple[Position, ...]:
    """Return the positions before the first of some moves and after each."""
    return tuple(accumulate(cells, Position.play, initial=start))


def move_classes(position: Position) -> list[tuple[Move, Mask]]:
    """Return the moves up to the symmetries of the position: the first cell of each class, and all its cells.

    Moves are the same if the positions after them are in one class. They are in reading order of their first cells; a
    finished game has none.
    """
    group = position.board.group()
    found: dict[tuple[Mask, Mask], Mask] = {}
    for cell in position.moves():
        after = position.play(cell)
        key = group.canonical(after.x, after.o)
        found[key] = found.get(key, 0) | 1 << cell
    return [(Move(position.board, next(cells_of(cells))), cells) for cells in found.values()]


def previous_positions(position: Position) -> tuple[tuple[Position, tuple[Cell, ...]], ...]:
    """Return the positions one move earlier, one of each class, with the cells of the last moves from that class.

    Each is this position without one mark of the last mover, and is not finished; play can lead there. They are in the
    order of their first cells. Assumes a reachable position. Raises BudgetError where rules such as gravity make it
    too long to find out what play can lead to.
    """
    board, rules = position.board, position.board.rules
    found: dict[tuple[int, int], tuple[Position, list[Cell]]] = {}
    for x, o in rules.before(board, position.x, position.o) if position.ply else ():
        earlier, move = Position(board, x, o), last_move(position, x, o)
        if earlier.is_terminal or not earlier.playable >> move & 1:
            continue
        if (rules.order_free and rules.alternating) or not earlier.problems():
            found.setdefault(board.group().canonical(x, o), (earlier, []))[1].append(move)
    return tuple((earlier, moves_on(board, sorted(moves))) for earlier, moves in found.values())


def last_move(position: Position, x: Mask, o: Mask) -> Cell:
    """Return the move that leads to a position from the marks before it."""
    cell = ((position.x | position.o) & ~(x | o)).bit_length() - 1
    return cell + position.board.cells * (position.board.rules.chooses_mark and position.o != o)


CHOICES_LIMIT = 10_000
"""The most images of earlier positions, by a bound, that `ways_by_choices` looks at."""


ORDERS_LIMIT = 5_000
"""The most earlier positions that `ways_to` looks at, where not every order of the marks can be played."""


def ways_to(position: Position) -> int | None:
    """Return in how many orders of moves play leads from the empty board to a reachable position.

    Where marks can be made in any order, no order of those before the last completes a line, so each counts. Else
    the orders are counted backwards, one mark less each time; None for more than ORDERS_LIMIT earlier positions.
    """
    if not (position.board.rules.order_free and position.board.rules.alternating):
        return _orders(position)
    last = sum(len(cells) for _, cells in previous_positions(position))
    mover, other = (position.marks(player).bit_count() for player in (opponent(position.to_move), position.to_move))
    return last * factorial(mover - 1) * factorial(other) if last else 1


def _orders(position: Position) -> int | None:
    """Return the number of orders of moves to a position by taking back each mark that can have been the last."""
    layer = {position: 1}
    looked = 0
    for _ in range(position.ply):
        earlier: dict[Position, int] = {}
        for at, ways in layer.items():
            for x, o in at.board.rules.before(at.board, at.x, at.o):
                before = Position(at.board, x, o)
                if before.playable >> last_move(at, x, o) & 1:
                    earlier[before] = earlier.get(before, 0) + ways
        looked += len(earlier)
        if looked > ORDERS_LIMIT:
            return None
        layer = earlier
    return sum(layer.values())


def ways_by_choices(position: Position) -> int | None:
    """Return in how many ways play leads to the class of a position, moves to one class being one choice.

    None where that takes more than CHOICES_LIMIT images. Assumes a reachable position.
    """
    group = position.board.group()
    if group.order << position.ply > CHOICES_LIMIT:
        return None
    found: dict[tuple[Mask, Mask], int] = {}

    def ways(at: Position) -> int:
        key = group.canonical(at.x, at.o)
        if key not in found:
            found[key] = sum(ways(earlier) for earlier, _ in previous_positions(at)) if at.ply else 1
        return found[key]

    return ways(position)


def threat_mask(position: Position, player: Player) -> Mask:
    """Return the moves that complete a line for a player, to move or not; none in a finished game."""
    return completing_cells(position.board, position.marks(player), position.playable)


def is_fork(position: Position) -> bool:
    """Return whether the last mover threatens on two or more cells; False in a finished game."""
    threats = threat_mask(position, opponent(position.to_move))
    return threats & (threats - 1) != 0


def is_stacked(board: Board, own: Mask, other: Mask, threat: Mask) -> bool:
    """Return whether the block of a single threat opens another move that completes a line, as under gravity."""
    return not board.rules.any_blank and bool(threatened(board, own, other | threat))


def fork_cells(position: Position, player: Player) -> Mask:
    """Return the moves with which the player would create a fork.

    The player need not be to move. A cell that completes a line ends the game and does not create a fork.
    """
    if position.is_terminal:
        return 0
    other = position.marks(opponent(player))
    forks = forking_cells(position.board, position.marks(player), other, position.playable)
    return forks & ~threat_mask(position, player)


def forced_cells(position: Position) -> Mask:
    """Return the cells that the rule `block` allows: those that win, else those that block, else all blanks."""
    return allowed_cells(position.board, position.x, position.o, "block")


@dataclass(frozen=True)
class Lines:
    """The winning lines of a position: open to a player (without marks of the other), or blocked for both."""

    x_open: tuple[Mask, ...]
    o_open: tuple[Mask, ...]
    blocked: tuple[Mask, ...]


def lines_of(position: Position) -> Lines:
    """Return which lines each player may still complete and which neither can."""
    lines = position.board.line_masks
    return Lines(
        tuple(line for line in lines if not line & position.o),
        tuple(line for line in lines if not line & position.x),
        tuple(line for line in lines if line & position.x and line & position.o),
    )


@dataclass(frozen=True)
class ForcedWins:
    """The sequences that force a fork, shortest first and then in reading order; `complete` if these are all.

    Attacker and defender alternate. Every move of the attacker makes a threat, and the defender blocks it. A block may
    itself threaten; then the attacker's next move must meet that threat. The sequence ends with the
    attacker's move that makes a fork which the defender cannot answer by completing a line. Under gravity it may end
    with a threat whose block lets the attacker complete a line in the cell above.
    """

    sequences: tuple[tuple[Cell, ...], ...]
    complete: bool


def forced_wins(position: Position, limit: int = _NODE_LIMIT) -> ForcedWins:
    """Return every sequence by which the side to move can force a fork.

    Assumes an unfinished position without misere. Cost: exponential in the length of the sequences; after `limit` steps
    the search stops, and the result is not `complete`.
    """
    board, left, deeper = position.board, limit, True

    def sequences(own: Mask, other: Mask, length: int) -> Iterator[tuple[Cell, ...]]:
        """Yield all sequences of exactly so many moves (odd); the attacker moves first."""
        nonlocal left, deeper
        left -= 1
        moves = board.rules.moves(board, own, other)
        wins, must = completing_cells(board, own, moves), completing_cells(board, other, moves)
        if left < 0 or must & (must - 1):
            return
        for cell in cells_of((must or moves) & ~wins):
            mine = own | 1 << cell
            threats = threatened(board, mine, other)
            if not threats & ~wins:
                continue  # the move makes no threat
            if not board.rules.any_blank and threatened(board, other, mine):
                continue  # the move lets the defender complete a line
            if threats & (threats - 1) or is_stacked(board, mine, other, threats):
                if length == 1:
                    yield (cell,)
            elif length > 1:
                for tail in sequences(mine, other | threats, length - 2):
                    yield (cell, threats.bit_length() - 1, *tail)
            else:
                deeper = True  # a longer sequence may exist

    found, length = list[tuple[Cell, ...]](), 1
    while deeper and left >= 0:
        deeper = False
        found += sequences(position.marks(position.to_move), position.marks(opponent(position.to_move)), length)
        length += 2
    return ForcedWins(tuple(found), left >= 0)
