"""Short words for positions and moves, and what the marks show: threats, forks, lines, forced wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import factorial
from typing import Literal

from noughts.rules.board import Board
from noughts.rules.cells import Move, cell_name, move_name, moves_on
from noughts.rules.errors import InvalidPosition
from noughts.rules.game import allowed_cells, forking_cells, threatened
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.play import EndRule
from noughts.rules.position import Position, PositionLike, completing_cells, parse_position
from noughts.rules.values import FrozenDict, Result, begun

DRAWN = ("draw", "either can force a draw")
LABELS = ("X wins", "X can force a win", *DRAWN, "O can force a win", "O wins")
"""The labels of a position: decided or not, won or drawn. (mathrec.org, "Tic-Tac-Toe", 2002.)"""
LABEL_WORDS = {
    "X control": "X can force a win",
    "O control": "O can force a win",
    "force tie": "either can force a draw",
    "tie": "draw",
    "cat's game": "draw",
}
"""Other words for labels: those of mathrec.org, which writes X Wins, X control, Draw and force tie."""


def read_label(text: str) -> str | None:
    """Return the label that a text means, in any case and with `-` or `_` for spaces; None if it means none.

    X is also the first player, and O the second one.
    """
    word = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    for player, name in (("x", "first player"), ("o", "second player")):
        word = word.removeprefix("the ").replace(name, player)
    known = {each.lower(): each for each in LABELS} | {each.lower(): label for each, label in LABEL_WORDS.items()}
    return known.get(word)


Quality = Literal["keeps", "gives up a win", "loses", "lost before"]
"""What a move does to the value that its player had.

`keeps`: the value stays. `gives up a win`: a won position becomes a draw. `loses`: a won or drawn position becomes a
lost one. `lost before`: the position was lost already, and no move can change that.
"""

NAMED = 8
"""The most cells that a sentence names one by one."""
_NODE_LIMIT = 400_000


def label(outcome: Outcome, decided: bool, board: Board | None = None) -> str:
    """Return the label of a position: `X wins` or `draw` if every play ends so, else who can force what.

    On a board whose marks do not name the players it has their names.

    >>> label("X", True), label("X", False), label("draw", False)
    ('X wins', 'X can force a win', 'either can force a draw')
    """
    if outcome == "draw":
        return DRAWN[not decided]
    winner = outcome if board is None else board.rules.name_of(outcome)
    return f"{winner} wins" if decided else f"{winner} can force a win"


def listed(words: list[str], joiner: str = "and") -> str:
    """Return words as a list in prose: `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joiner} {words[-1]}"


def named_cells(board: Board, cells: Iterable[Cell], joiner: str = "and") -> str:
    """Return the names of moves as a list in prose."""
    return listed([move_name(board, cell) for cell in cells], joiner)


_KINDS = ("corner", "edge", "centre")


def cell_kind(board: Board, cell: Cell) -> str | None:
    """Return `corner`, `edge` or `centre` for a cell of a flat board with those three kinds, else None."""
    if board.shape != (3, 3, 1) or board.torus:
        return None
    return _KINDS[(cell // 3 == 1) + (cell % 3 == 1)]


def spots(position: Position, cells: Iterable[Cell], joiner: str = "and") -> str:
    """Return blank cells in words, every one of them: `the corners and b2 (centre)`, with `or` `any corner`.

    Beyond NAMED names it gives their number and the first.
    """
    board, left, words = position.board, sorted(cells), list[str]()
    if board.rules.chooses_mark:
        words, left = [move_name(board, move) for move in left], []
    for kind in _KINDS[:2] if left else ():
        alike = [cell for cell in cells_of(position.blanks) if cell_kind(board, cell) == kind]
        if len(alike) > 1 and set(alike) <= set(left):
            words.append(f"any {kind}" if joiner == "or" else f"the {kind}s")
            left = [cell for cell in left if cell not in alike]
    for cell in left:
        name = cell_kind(board, cell)
        words.append(cell_name(board, cell) + f" ({name})" * (name is not None and len(left) == 1))
    what = "moves" if board.rules.chooses_mark else "cells"
    return listed(words, joiner) if len(words) <= NAMED else f"{len(left or words)} {what} such as {words[0]}"


def moves_to_win(remoteness: int) -> int:
    """Return the number of moves that the side with the last move makes in so many plies.

    That side completes a line: it wins, or loses under misere.

    >>> moves_to_win(1), moves_to_win(2), moves_to_win(5)
    (1, 1, 3)
    """
    return (remoteness + 1) // 2


def in_moves(remoteness: int, end: EndRule = "line", *, at_most: bool = False) -> str:
    """Return `in 1 move`, `in 3 moves`, `in at most 3 moves`: how soon a game of so many plies is won.

    Under the other end rules either side may make the last move, so the words count plies. A game whose outcome is
    decided by then is not called won.

    >>> in_moves(5), in_moves(5, "decided"), in_moves(2, at_most=True)
    ('in 3 moves', '(decided in 5 plies)', 'in at most 1 move')
    """
    if end != "line":
        plies = f"in {remoteness:,} {'ply' if remoteness == 1 else 'plies'}"
        return f"(decided {plies})" if end == "decided" else plies
    moves = moves_to_win(remoteness)
    return f"in {'at most ' * at_most}{moves:,} move{'s' * (moves != 1)}"


def length_rule(board: Board, end: EndRule = "line") -> EndRule:
    """Return the end rule whose words give lengths: plies where a full board wins, as either side may move last."""
    return "full" if end == "line" and board.rules.full_wins else end


def counted(board: Board, end: EndRule = "line") -> str:
    """Return for a legend or a caption what lengths on a board count."""
    if end == "line" and board.rules.full_wins:
        return "plies to the end of the game"
    if end != "line":
        return "plies until " + ("the outcome is decided" if end == "decided" else "the board is full")
    if board.misere:
        return f"the moves of the side that has to complete {last_line(board)}, and so loses"
    return "the moves of the side that wins"


def outlook(
    label: str, outcome: Outcome, remoteness: int | None, end: EndRule = "line", *, at_most: int | None = None
) -> str:
    """Return the label of a position and how soon it is won: `X can force a win in 3 moves`; for a draw only the label.

    `at_most` bounds the plies to the end if only a bound is known.

    >>> outlook("X can force a win", "X", 5), outlook("draw", "draw", 3)
    ('X can force a win in 3 moves', 'draw')
    >>> outlook("X can force a win", "X", None, at_most=7)
    'X can force a win in at most 4 moves'
    """
    if outcome == "draw" or (remoteness is None and at_most is None):
        return label
    return f"{label} {in_moves(at_most or 0, at_most=True) if remoteness is None else in_moves(remoteness, end)}"


def quality(mover: Player, before: Outcome | None, after: Outcome | None) -> Quality | None:
    """Return what a move does, from the outcomes under best play before and after it; None if they do not decide it.

    >>> quality("O", "draw", "X"), quality("O", "X", "X"), quality("O", "O", "draw"), quality("O", "O", "X")
    ('loses', 'lost before', 'gives up a win', 'loses')
    """
    if after == mover:
        return "keeps"
    if before is None or after is None:
        return None
    if before == opponent(mover):
        return "lost before"
    if before == after:
        return "keeps"
    return "gives up a win" if after == "draw" else "loses"


def verdict(
    mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None, end: EndRule = "line"
) -> str:
    """Return what a move does for its player: `wins in 3 moves`, `draws`, `loses in 2 moves`.

    `remoteness` counts the plies after the move. The words count moves as `in_moves` does, this one included. A move in
    a position that was lost before gives `lost in 2 moves`.
    """
    if after is None:
        return "not found"
    if after == "draw":
        return "gives up the win" if quality(mover, before, after) == "gives up a win" else "draws"
    word = "wins" if after == mover else "loses" if quality(mover, before, after) == "loses" else "lost"
    return word if remoteness is None else f"{word} {in_moves(remoteness + 1, end)}"


def verdict_with_winner(
    board: Board, mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None
) -> str:
    """Return what a move does; for a lost game also who wins it and how soon, as the cells of a page show it.

    `remoteness` counts the plies after the move.
    """
    if after != opponent(mover) or remoteness is None:
        return verdict(mover, before, after, remoteness, length_rule(board))
    wins = f"{board.rules.name_of(after)} wins {in_moves(remoteness + 1, length_rule(board))}"
    words = {"loses": f"loses ({wins})", "lost before": f"was lost already ({wins})"}
    return words.get(quality(mover, before, after) or "", wins)


def completed_lines(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Return the completed lines, each in reading order: those of the winner, or under misere of the loser."""
    return tuple(tuple(cells_of(line)) for player in ("X", "O") for line in position.completed_lines(player))


def line_words(position: Position) -> str:
    """Return the completed lines in words: `the line a1-b1-c1`, or `the lines a1-b1-c1 and a1-a2-a3`."""
    named = ["-".join(cell_name(position.board, cell) for cell in line) for line in completed_lines(position)]
    return f"the line{'s' * (len(named) > 1)} {listed(named)}"


def last_line(board: Board) -> str:
    """Return the line that ends the game in words: `a line`, or with several boards `the last line`."""
    return "a line" if board.rules.boards == 1 else "the last line"


def ending(position: Position) -> str:
    """Return how a finished game ended as a clause: `X has won with the line a1-b1-c1`, `the game is drawn: ...`."""
    outcome, rules = position.outcome, position.board.rules
    if outcome is None or outcome == "draw":
        line = "neither player has a line" if rules.alternating else "it has no line"
        return f"the game is drawn: the board is full and {line}"
    winner, loser = rules.name_of(outcome), rules.name_of(opponent(outcome))
    if not completed_lines(position):
        return f"{winner} has won: the board is full without a line"
    if position.board.misere:
        what = line_words(position) if rules.boards == 1 else last_line(position.board)
        return f"{winner} has won: {loser} has completed {what}, which loses{' under misere' * rules.misere}"
    return f"{winner} has won with {line_words(position)}"


def ending_sentence(position: Position) -> str:
    """Return how a finished game ended as a sentence."""
    return f"{begun(ending(position))}."


def how_it_goes(board: Board) -> str:
    """Return the difference from normal play in a sentence; empty for normal play."""
    rules = board.rules
    words = rules.clause if rules.alternating else ": ".join(filter(None, (rules.places, rules.goal)))
    return f"{begun(words)}." if words else ""


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
