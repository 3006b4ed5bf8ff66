"""The rules of play on a board: whose turn it is, which moves there are, what a move does, and how a game ends.

Another game on the same boards is a subclass of `PlayRules` in a file of its own, with a row in RULES and tests.

A *move rule* binds one player, so that X and O may differ:

any       every move
win       a cell that completes a line, if there is one; else any
block     win; else a cell where the opponent threatens to complete a line, if there is one; else any
fork      win; else block; else a move after which the mover has at least two threats, if there is one; else any
perfect   a move that keeps the best value attainable under free play, by value alone
quickest  perfect, and of these moves one that wins soonest or loses latest under free play; every move that draws

An *end rule* says when the game is over: `line` as the rules of play have it, at a completed line or a full board,
`decided` as soon as all continuations that the move rules allow have the same outcome, `full` at a full board only.
(mathrec.org, 2002.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, get_args

from noughts.rules.marks import Mask, Outcome, Player, opponent

if TYPE_CHECKING:
    from noughts.rules.symmetry import Group

MoveRule = Literal["any", "win", "block", "fork", "perfect", "quickest"]
EndRule = Literal["line", "decided", "full"]

MOVE_RULES: tuple[MoveRule, ...] = get_args(MoveRule)
VALUE_RULES: tuple[MoveRule, ...] = ("perfect", "quickest")
"""The rules that look at values, to the end of the game."""
END_RULES: tuple[EndRule, ...] = get_args(EndRule)


class PlayedBoard(Protocol):
    """What rules of play ask of a board."""

    @property
    def cells(self) -> int:
        """The number of cells."""

    @property
    def shape(self) -> tuple[int, int, int] | None:
        """(rows, columns, layers); None for a board given by its lines."""

    @property
    def full(self) -> Mask:
        """The set of all cells."""

    def has_line(self, marks: Mask) -> bool:
        """Tell whether a set of cells contains a winning line."""


@dataclass(frozen=True)
class PlayRules:
    """PlayRules of play: here X and O mark any blank cell in turn, and who completes a line first wins.

    A position is two sets of cells, the marks X and the marks O; a move is a number from 0, here that of the cell. The
    first five attributes are what engines rest on: an engine that needs one asks for it before it begins.
    """

    option: ClassVar[str] = ""
    """What a specification says of these rules, after a `+`."""
    alternating: ClassVar[bool] = True
    """X and O make marks of their own, in turn."""
    any_blank: ClassVar[bool] = True
    """A move is any blank cell."""
    line_wins: ClassVar[bool] = True
    """Who completes a line wins; where not, loses."""
    order_free: ClassVar[bool] = True
    """The same marks can be made in any order, and the same position comes of it."""
    said: ClassVar[str] = ""
    """What whoever knows normal play is to hear of these rules, as a clause."""
    move_rules: ClassVar[tuple[MoveRule, ...]] = MOVE_RULES
    """The move rules that have a meaning: `any` and VALUE_RULES have one in every game."""

    @property
    def suffix(self) -> str:
        """The option as a specification has it at its end; nothing for normal play."""
        return f"+{self.option}" if self.option else ""

    @property
    def is_marking(self) -> bool:
        """Whether this is a marking game: two marks in turn, on any blank cell, in an order that does not matter."""
        return self.alternating and self.any_blank and self.order_free

    def group(self, board: PlayedBoard, group: Group) -> Group:
        """Return those of some symmetries of a board that the rules keep."""
        return group

    def to_move(self, x: Mask, o: Mask) -> Player:
        """Return whose turn it is."""
        return "X" if x.bit_count() <= o.bit_count() else "O"

    def moves(self, board: PlayedBoard, x: Mask, o: Mask) -> Mask:
        """Return the moves while the game goes on, as a set; never none."""
        return board.full & ~(x | o)

    def play(self, x: Mask, o: Mask, move: int) -> tuple[Mask, Mask]:
        """Return the marks after a move."""
        return (x | 1 << move, o) if x.bit_count() <= o.bit_count() else (x, o | 1 << move)

    def line_outcome(self, player: Player) -> Player:
        """Return who wins when a player completes a line."""
        return player

    def winner(self, board: PlayedBoard, x: Mask, o: Mask) -> Player | None:
        """Return who wins by completed lines; None where there are none, and where both players have one."""
        has_x, has_o = board.has_line(x), board.has_line(o)
        return None if has_x == has_o else self.line_outcome("X" if has_x else "O")

    def is_over(self, board: PlayedBoard, x: Mask, o: Mask) -> bool:
        """Tell whether no move is to be made: a line is completed, or the board is full."""
        return x | o == board.full or board.has_line(x) or board.has_line(o)

    def outcome(self, board: PlayedBoard, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on."""
        return self.winner(board, x, o) or ("draw" if x | o == board.full and not board.has_line(x) else None)


class Misere(PlayRules):
    """As above, but who completes a line loses."""

    option = "misere"
    line_wins = False
    said = "whoever completes a line loses"
    move_rules = ("any", *VALUE_RULES)

    def line_outcome(self, player: Player) -> Player:
        """Return the other player."""
        return opponent(player)


NORMAL, MISERE = PlayRules(), Misere()
RULES: dict[str, PlayRules] = {rules.option: rules for rules in (NORMAL, MISERE)}
"""The rules of play by the options of a specification."""
