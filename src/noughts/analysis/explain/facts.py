"""The four labels of a position: decided or not, won or drawn. (mathrec.org, "Tic-Tac-Toe", 2002.)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.game import allowed_cells, forking_cells
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, opponent
from noughts.rules.play import EndRule
from noughts.rules.position import Position, completing_cells

LABELS = (
    "X wins",
    "X can force a win",
    "draw",
    "either can force a draw",
    "O can force a win",
    "O wins",
)


def label(outcome: Outcome, decided: bool) -> str:
    """Return the label of a position: `X wins` and `draw` when however both play it ends so, else who can force it.

    >>> label("X", True), label("X", False), label("draw", False)
    ('X wins', 'X can force a win', 'either can force a draw')
    """
    if outcome == "draw":
        return "draw" if decided else "either can force a draw"
    return f"{outcome} wins" if decided else f"{outcome} can force a win"


# How long a won game lasts, for people: in moves of one side. Data count plies, as `remoteness`.


def moves_to_win(remoteness: int) -> int:
    """Return in how many moves a game is won that lasts so many plies: the moves of the side that makes the last one.

    That is the winner, who completes a line; under misere it is the loser, who has to complete one.

    >>> moves_to_win(1), moves_to_win(2), moves_to_win(5)
    (1, 1, 3)
    """
    return (remoteness + 1) // 2


def in_moves(remoteness: int, end: EndRule = "line") -> str:
    """Return `in 1 move`, `in 3 moves`: how soon a game is won that lasts so many plies.

    Where a game ends without a line, when all is decided or the board is full, either side may make the last move: then
    it is plies, and of a game that is decided by then nobody says that it is won.

    >>> in_moves(5), in_moves(5, "decided")
    ('in 3 moves', '(decided in 5 plies)')
    """
    if end != "line":
        plies = f"in {remoteness:,} {'ply' if remoteness == 1 else 'plies'}"
        return f"(decided {plies})" if end == "decided" else plies
    moves = moves_to_win(remoteness)
    return f"in {moves:,} move{'s' * (moves != 1)}"


def within(at_most: int) -> str:
    """Return `in at most 3 moves`: how soon a game is won that lasts at most so many plies.

    >>> within(5), within(2)
    ('in at most 3 moves', 'in at most 1 move')
    """
    moves = moves_to_win(at_most)
    return f"in at most {moves:,} move{'s' * (moves != 1)}"


def counted(board: Board, end: EndRule = "line") -> str:
    """Return what the lengths on a board count, for a legend or a caption."""
    if end != "line":
        return "plies until " + ("the outcome is decided" if end == "decided" else "the board is full")
    if board.misere:
        return "the moves of the side that has to complete a line, and so loses"
    return "the moves of the side that wins"


def outlook(
    label: str, outcome: Outcome, remoteness: int | None, end: EndRule = "line", *, at_most: int | None = None
) -> str:
    """Return the label of a position with how soon it is won, `X can force a win in 3 moves`; of a draw the label.

    `at_most` is a number of plies within which the game ends, where only that is known.

    >>> outlook("X can force a win", "X", 5), outlook("draw", "draw", 3)
    ('X can force a win in 3 moves', 'draw')
    >>> outlook("X can force a win", "X", None, at_most=7)
    'X can force a win in at most 4 moves'
    """
    if outcome == "draw" or (remoteness is None and at_most is None):
        return label
    if remoteness is None:
        return f"{label} {within(at_most or 0)}"
    return f"{label} {in_moves(remoteness, end)}"


# What a move does to the game, decided in one place: it keeps the value, gives up a win, loses, or was lost before.

Quality = Literal["keeps", "gives up a win", "loses", "lost before"]
"""What a move does to the value that its player had.

`keeps`: nothing is lost. `gives up a win`: a won position becomes a draw. `loses`: it was not lost and is now,
a win thrown away included. `lost before`: the position was lost already, and no move can change that.
"""


def quality(mover: Player, before: Outcome | None, after: Outcome | None) -> Quality | None:
    """Return what a move does, by the outcomes under best play before and after it; None where they do not tell.

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
    """Return what a move does in a few words, as its player sees it: `wins in 3 moves`, `draws`, `loses in 2 moves`.

    `remoteness` counts the plies after the move; the moves in the words are those that `in_moves` counts, this one
    included. In a position that was lost before no move loses it: `lost in 2 moves`.
    """
    if after is None:
        return "not found"
    if after == "draw":
        return "gives up the win" if quality(mover, before, after) == "gives up a win" else "draws"
    word = "wins" if after == mover else "loses" if quality(mover, before, after) == "loses" else "lost"
    return word if remoteness is None else f"{word} {in_moves(remoteness + 1, end)}"


def told(mover: Player, before: Outcome | None, after: Outcome | None, remoteness: int | None) -> str:
    """Return what a move does, a lost game by who wins it and how soon: what cells say, and with the same number.

    `remoteness` counts the plies after the move.

    >>> told("O", "draw", "X", 3), told("O", "X", "X", 3)
    ('loses (X wins in 2 moves)', 'was lost already (X wins in 2 moves)')
    """
    if after != opponent(mover) or remoteness is None:
        return verdict(mover, before, after, remoteness)
    wins = f"{after} wins {in_moves(remoteness + 1)}"
    words = {"loses": f"loses ({wins})", "lost before": f"was lost already ({wins})"}
    return words.get(quality(mover, before, after) or "", wins)


# How a finished game ended: who won and by which line or lines, or that nobody did; in cells and in a sentence.


def completed_lines(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Return the lines that are completed, each in reading order: those of the winner, under misere the loser's."""
    return tuple(tuple(cells_of(line)) for player in ("X", "O") for line in position.completed_lines(player))


def line_words(position: Position) -> str:
    """Return the completed lines in words: `the line a1-b1-c1`, or `the lines a1-b1-c1 and a1-a2-a3`."""
    named = ["-".join(cell_name(position.board, cell) for cell in line) for line in completed_lines(position)]
    if len(named) == 1:
        return f"the line {named[0]}"
    return f"the lines {', '.join(named[:-1])} and {named[-1]}"


def ending(position: Position) -> str:
    """Return how a finished game ended as a clause: `X has won with the line a1-b1-c1`, `the game is drawn: ...`."""
    winner = position.winner
    if winner is None:
        return "the game is drawn: the board is full and nobody has a line"
    if position.board.misere:
        return f"{winner} has won: {opponent(winner)} has completed {line_words(position)}, which loses under misere"
    return f"{winner} has won with {line_words(position)}"


# What the marks say at a glance: threats, forks that a move would create, lines still open and lines blocked.


def threat_mask(position: Position, player: Player) -> Mask:
    """Return the blank cells that complete a line for a player, whoever is to move; none once the game is over."""
    if position.is_terminal:
        return 0
    return completing_cells(position.board, position.marks(player), position.blanks)


def is_fork(position: Position) -> bool:
    """Return whether the last mover has two or more threats: different cells, not lines. A finished game is no fork."""
    threats = threat_mask(position, opponent(position.to_move))
    return threats & (threats - 1) != 0


def fork_cells(position: Position, player: Player) -> Mask:
    """Return the blank cells on which a mark of the player would create a fork.

    Asked for either player, whoever is to move. A cell that completes a line ends the game and creates no fork.
    """
    if position.is_terminal:
        return 0
    own, blank = position.marks(player), position.blanks
    return forking_cells(position.board, own, blank) & ~completing_cells(position.board, own, blank)


def forced_cells(position: Position) -> Mask:
    """Return the cells that the rule `block` leaves: those that win, else those that block, else all blanks."""
    return allowed_cells(position.board, position.x, position.o, "block")


@dataclass(frozen=True)
class Lines:
    """The winning lines of a position: open to a player (no mark of the other), or blocked for both."""

    x_open: tuple[Mask, ...]
    o_open: tuple[Mask, ...]
    blocked: tuple[Mask, ...]


def lines_of(position: Position) -> Lines:
    """Return which lines each player may still complete and which nobody can."""
    lines = position.board.line_masks
    return Lines(
        tuple(line for line in lines if not line & position.o),
        tuple(line for line in lines if not line & position.x),
        tuple(line for line in lines if line & position.x and line & position.o),
    )


# Forced wins: every way to force a fork, move by move.
#
# Attacker and defender alternate. Every move of the attacker makes a threat and the defender's reply is the block of
# it. A block may itself threaten; then the attacker's next move must meet that threat. The sequence ends with the
# attacker's move that makes a fork which the defender cannot answer by completing a line.

_NODE_LIMIT = 400_000


@dataclass(frozen=True)
class ForcedWins:
    """The sequences, shortest first and then in reading order of their cells, and whether these are all."""

    sequences: tuple[tuple[Cell, ...], ...]
    complete: bool


class _Search:
    """Depth-limited search that counts its steps, so that huge boards end with what was found.

    `deeper` says whether a longer sequence may be found.
    """

    deeper: bool

    def __init__(self, board: Board, limit: int) -> None:
        self.board = board
        self.left = limit

    def sequences(self, own: Mask, other: Mask, length: int) -> Iterator[tuple[Cell, ...]]:
        """All sequences of exactly this many moves (odd), the attacker to move."""
        self.left -= 1
        if self.left < 0:
            return
        blank = self.board.full & ~(own | other)
        wins = completing_cells(self.board, own, blank)
        must = completing_cells(self.board, other, blank)
        candidates = (must or blank) & ~wins
        if must & (must - 1):
            return
        for cell in cells_of(candidates):
            mine, rest = own | 1 << cell, blank ^ 1 << cell
            threats = completing_cells(self.board, mine, rest)
            if not threats & ~wins:
                continue  # the move makes no threat
            if threats & (threats - 1):
                if length == 1:
                    yield (cell,)
                continue
            if length > 1:
                block = threats.bit_length() - 1
                for tail in self.sequences(mine, other | threats, length - 2):
                    yield (cell, block, *tail)
            else:
                self.deeper = True


def forced_wins(position: Position, limit: int = _NODE_LIMIT) -> ForcedWins:
    """Return every way in which the side to move can force a fork, or none.

    Assumes an unfinished position; misere is refused by the caller. Cost: exponential in the length of the sequences;
    the search stops after `limit` steps and says so.
    """
    board = position.board
    x_moves = position.to_move == "X"
    own, other = (position.x, position.o) if x_moves else (position.o, position.x)
    search, found, length = _Search(board, limit), [], 1
    while True:
        search.deeper = False
        found += list(search.sequences(own, other, length))
        if not search.deeper or search.left < 0:
            return ForcedWins(tuple(found), search.left >= 0)
        length += 2


# What there is to say about a position in facts: label, threats, forks, traps, moves, forced wins.


@dataclass(frozen=True, repr=False)
class MoveExplanation:
    """A move: its cell, and of the position after it the label, outcome, remoteness and canonical form.

    What the engine did not find is None. `creates_fork` is None under misere, where a fork is no help.
    """

    cell: Cell
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    creates_fork: bool | None
    canonical: Position

    def __repr__(self) -> str:
        return f"<MoveExplanation: {cell_name(self.canonical.board, self.cell)}, {self.label or 'not found'}>"

    def as_dict(self) -> dict[str, object]:
        """Return the move as a record, as `noughts explain --format json` prints it."""
        return {
            "cell": cell_name(self.canonical.board, self.cell),
            "label": self.label,
            "outcome": self.outcome,
            "remoteness": self.remoteness,
            "creates_fork": self.creates_fork,
            "class": str(self.canonical),
        }


@dataclass(frozen=True)
class Facts:
    """The facts about a position. Outcomes are absolute, remoteness counts plies; None is what was not found.

    `threats`, `forced`, `forks` and `forced_wins` are None under misere, where completing a line loses.
    """

    position: Position
    label: str | None
    outcome: Outcome | None
    remoteness: int | None
    moves: tuple[MoveExplanation, ...]

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def to_move(self) -> Player:
        """The side to move."""
        return self.position.to_move

    @property
    def is_over(self) -> bool:
        """Whether the game is over: then nobody is to move, threatens or forks."""
        return self.position.is_terminal

    @cached_property
    def completed(self) -> tuple[tuple[Cell, ...], ...]:
        """The completed lines of a finished game: the winner's, under misere the loser's; none while play goes on."""
        return completed_lines(self.position)

    @cached_property
    def threats(self) -> dict[Player, tuple[Cell, ...]] | None:
        """For each player the blank cells that complete a line."""
        if self.board.misere:
            return None
        if self.is_over:
            return {"X": (), "O": ()}
        return {player: tuple(cells_of(threat_mask(self.position, player))) for player in ("X", "O")}

    @cached_property
    def forced(self) -> tuple[Cell, ...] | None:
        """The cells that the rule `block` leaves; empty when it leaves all."""
        if self.board.misere:
            return None
        if self.is_over:
            return ()
        left = forced_cells(self.position)
        return () if left == self.position.blanks else tuple(cells_of(left))

    @cached_property
    def forks(self) -> dict[Player, tuple[Cell, ...]] | None:
        """For each player the blank cells on which a mark of theirs would create a fork."""
        if self.board.misere:
            return None
        if self.is_over:
            return {"X": (), "O": ()}
        return {player: tuple(cells_of(fork_cells(self.position, player))) for player in ("X", "O")}

    @cached_property
    def is_trap(self) -> bool | None:
        """Whether the side to move has a move that loses and another that does not; None where that was not found."""
        lost = [move.outcome == opponent(self.to_move) for move in self.moves]
        safe = [move.outcome in (self.to_move, "draw") for move in self.moves]
        if any(lost) and any(safe):
            return True
        return False if all(lost) or all(safe) else None

    @cached_property
    def losing_moves(self) -> tuple[MoveExplanation, ...]:
        """The moves that lose: the position is not lost, and after the move it is. None loses what was lost before."""
        if self.outcome is None and not self.is_trap:
            return ()
        lost = opponent(self.to_move)
        return tuple(move for move in self.moves if move.outcome == lost != self.outcome)

    @cached_property
    def moves_giving_up_the_win(self) -> tuple[MoveExplanation, ...]:
        """The moves that make a draw of a position that the side to move can win."""
        return tuple(m for m in self.moves if quality(self.to_move, self.outcome, m.outcome) == "gives up a win")

    def verdict(self, move: MoveExplanation) -> str:
        """Return what a move does in a few words, as the side to move sees it: `wins in 3 moves`, `draws`, `loses`."""
        return verdict(self.to_move, self.outcome, move.outcome, move.remoteness)

    @cached_property
    def best_moves(self) -> tuple[MoveExplanation, ...]:
        """The moves that keep the value and, of these, win soonest or lose latest."""
        kept = [move for move in self.moves if move.outcome is not None and move.outcome == self.outcome]
        plies = [move.remoteness for move in kept if move.remoteness is not None]
        if not kept or len(plies) < len(kept):
            return tuple(kept)
        best = (min if self.outcome == self.to_move else max)(plies)
        return tuple(move for move in kept if move.remoteness == best)

    @cached_property
    def lines(self) -> Lines:
        """The lines still open to each player, and those blocked for both."""
        return lines_of(self.position)

    @cached_property
    def forced_wins(self) -> ForcedWins | None:
        """Every way in which the side to move, if it wins, can force a fork."""
        if self.board.misere:
            return None
        if self.outcome != self.to_move or self.is_over:
            return ForcedWins((), True)
        return forced_wins(self.position)
