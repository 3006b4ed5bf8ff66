"""The rules of play on a board: whose turn it is, which moves exist, what a move does, and how a game ends.

For another game on the same boards, write a subclass of `PlayRules` in a file of its own, a row in
`noughts.rules.board.RULES`, and tests. `noughts.rules.gravity` is an example.

A *move rule* applies to one player, so X and O can have different ones:

- `any`: every move
- `win`: a cell that completes a line; else any move
- `block`: a cell that wins; else a cell where the opponent threatens to complete a line; else any move
- `fork`: a cell that wins; else a cell that blocks; else a move that leaves at least two threats; else any move
- `perfect`: a move that keeps the best value attainable under free play
- `quickest`: as perfect, but only the moves that win soonest or lose latest under free play; every move that draws
- `concede`: as `block`, without futile blocks. A player who cannot win at once concedes where the opponent threatens
  lines at two cells or more: no block stops them. The game is then over without a move

An *end rule* says when the game is over (mathrec.org, 2002):

- `line`: at a completed line or a full board, as in the rules of play
- `decided`: as soon as all continuations that the move rules allow have the same outcome
- `full`: at a full board only
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, get_args

from noughts.rules.marks import Mask, Outcome, Player, opponent

if TYPE_CHECKING:
    from noughts.rules.symmetry import Group

MoveRule = Literal["any", "win", "block", "fork", "perfect", "quickest", "concede"]
EndRule = Literal["line", "decided", "full"]

MOVE_RULES: tuple[MoveRule, ...] = get_args(MoveRule)[:-1]
"""The move rules that leave a move in every unfinished game: all but `concede`."""
VALUE_RULES: tuple[MoveRule, ...] = ("perfect", "quickest")
"""The move rules that need the values of positions."""
END_RULES: tuple[EndRule, ...] = get_args(EndRule)


class PlayedBoard(Protocol):
    """The part of a board that rules of play use."""

    @property
    def cells(self) -> int:
        """The number of cells."""

    @property
    def shape(self) -> tuple[int, int, int] | None:
        """(rows, columns, layers); None for a board given by its lines."""

    @property
    def is_solid(self) -> bool:
        """Whether the board has three sides."""

    @property
    def torus(self) -> bool:
        """Whether lines wrap around the edges."""

    @property
    def full(self) -> Mask:
        """The set of all cells."""

    def has_line(self, marks: Mask) -> bool:
        """Tell whether a set of cells contains a winning line."""


@dataclass(frozen=True)
class PlayRules:
    """Rules of play. In this class X and O mark any blank cell in turn, and the first player with a line wins.

    A position is two sets of cells, the marks X and the marks O. A move is a number from 0, here that of the cell.
    Engines rely on the first attributes, and check those that they need. Under `misere` the player who completes a
    line loses.
    """

    misere: bool = False
    option: ClassVar[str] = ""
    """The option of a specification for these rules, without the `+`."""
    alternating: ClassVar[bool] = True
    """X and O move in turn, each with marks of their own."""
    any_blank: ClassVar[bool] = True
    """A move is any blank cell."""
    order_free: ClassVar[bool] = True
    """The same marks in any order give the same position."""
    forks: ClassVar[bool] = True
    """A player with two threats at blank cells wins by one of them."""
    by_column: ClassVar[bool] = False
    """A column names the move in it."""
    difference: ClassVar[str] = ""
    """The difference from normal play, as a clause."""

    @property
    def line_wins(self) -> bool:
        """Whether the player who completes a line wins; if not, that player loses."""
        return not self.misere

    @property
    def clause(self) -> str:
        """The difference from normal play with that of misere, as a clause; empty for normal play."""
        loses = "the player who completes a line loses" if self.misere else ""
        return ", and ".join(filter(None, (self.difference, loses)))

    @property
    def move_rules(self) -> tuple[MoveRule, ...]:
        """The move rules that have a meaning and leave a move; `any` and VALUE_RULES have one in every game."""
        if self.misere:
            return ("any", *VALUE_RULES)
        return MOVE_RULES if self.forks else tuple(rule for rule in MOVE_RULES if rule != "fork")

    @property
    def all_move_rules(self) -> tuple[MoveRule, ...]:
        """The move rules that have a meaning, with `concede` where a player can block."""
        return (*self.move_rules, "concede") if "block" in self.move_rules else self.move_rules

    @property
    def suffix(self) -> str:
        """The end of a specification with these rules; empty for normal play."""
        return "".join(f"+{option}" for option in (self.option, "misere" * self.misere) if option)

    @property
    def is_marking(self) -> bool:
        """Whether players mark any blank cell in turn, and the order of the marks does not matter."""
        return self.alternating and self.any_blank and self.order_free

    def problem(self, board: PlayedBoard) -> str | None:
        """Return why a board cannot have these rules, as a clause; None where it can."""
        return None

    def group(self, board: PlayedBoard, group: Group) -> Group:
        """Return the subgroup of symmetries that the rules preserve."""
        return group

    def to_move(self, x: Mask, o: Mask) -> Player:
        """Return whose turn it is."""
        return "X" if x.bit_count() <= o.bit_count() else "O"

    def moves(self, board: PlayedBoard, x: Mask, o: Mask) -> Mask:
        """Return the moves of an unfinished game, as a set; never empty."""
        return board.full & ~(x | o)

    def play(self, x: Mask, o: Mask, move: int) -> tuple[Mask, Mask]:
        """Return the marks after a move."""
        return (x | 1 << move, o) if x.bit_count() <= o.bit_count() else (x, o | 1 << move)

    def line_outcome(self, player: Player) -> Player:
        """Return who wins when a player completes a line."""
        return opponent(player) if self.misere else player

    def landing(self, board: PlayedBoard, x: Mask, o: Mask, column: int) -> int | None:
        """Return the move in a column, for rules that name moves by columns; None for other rules and full columns."""
        return None

    def unreachable(self, board: PlayedBoard, x: Mask, o: Mask) -> str | None:
        """Return why no order of balanced marks leads to a position, as a clause; None where one does."""
        return None

    def winner(self, board: PlayedBoard, x: Mask, o: Mask) -> Player | None:
        """Return the winner by completed lines; None where neither player or both players have one."""
        has_x, has_o = board.has_line(x), board.has_line(o)
        return None if has_x == has_o else self.line_outcome("X" if has_x else "O")

    def is_over(self, board: PlayedBoard, x: Mask, o: Mask) -> bool:
        """Tell whether the game is over: a line is completed, or the board is full."""
        return x | o == board.full or board.has_line(x) or board.has_line(o)

    def outcome(self, board: PlayedBoard, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on."""
        return self.winner(board, x, o) or ("draw" if x | o == board.full and not board.has_line(x) else None)


NORMAL, MISERE = PlayRules(), PlayRules(misere=True)
