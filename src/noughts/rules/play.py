"""The rules of play on a board: whose turn it is, which moves exist, what a move does, and how a game ends.

For another game on the same boards, write a subclass of `PlayRules` in a file of its own, and add it by
`noughts.rules.add_rules`. `examples/rules/maker.py` is an example.

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

import re
from dataclasses import dataclass
from functools import reduce
from math import comb
from operator import and_
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, get_args

from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, Outcome, Player, cells_of, opponent

if TYPE_CHECKING:
    from noughts.rules.symmetry import Group

MoveRule = Literal["any", "win", "block", "fork", "perfect", "quickest", "concede"]
EndRule = Literal["line", "decided", "full"]

MOVE_RULES: tuple[MoveRule, ...] = get_args(MoveRule)[:-1]
"""The move rules that leave a move in every unfinished game: all but `concede`."""
VALUE_RULES: tuple[MoveRule, ...] = ("perfect", "quickest")
"""The move rules that need the values of positions."""
END_RULES: tuple[EndRule, ...] = get_args(EndRule)


_OF_PLAYER = re.compile(r"\b[XO]\b")
_ORDERS = 300_000
"""Maximum number of earlier positions to look at, some seconds."""


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

    def completed(self, marks: Mask) -> tuple[Mask, ...]:
        """Return the winning lines that a set of cells contains."""


@dataclass(frozen=True)
class PlayRules:
    """Rules of play. In this class X and O mark any blank cell in turn, and the first player with a line wins.

    A position is two sets of cells, the marks X and the marks O. A move is a number from 0, here that of the cell.
    Engines rely on the attributes, and check those that they need. Under `misere` the player who completes a line
    loses. Where lines are `exact`, a row longer than a line has none. Outcomes name the player who begins X.
    """

    misere: bool = False
    exact: bool = False
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
    chooses_mark: ClassVar[bool] = False
    """A player chooses the mark: the moves are the cells for X, then the cells for O."""
    boards = 1
    """The number of boards that players move on."""
    players: ClassVar[tuple[str, str]] = ("X", "O")
    """The names of the player who begins and of the other one, in sentences."""
    labels: ClassVar[tuple[str, str]] = ("X", "O")
    """The same names in one word, for tables."""
    places: ClassVar[str] = ""
    """What a move places, as a clause, where it is not the mark of the side to move."""
    difference: ClassVar[str] = ""
    """The difference from normal play, as a clause."""

    @property
    def line_wins(self) -> bool:
        """Whether the player who completes a line wins; if not, that player loses."""
        return not self.misere

    @property
    def has_threats(self) -> bool:
        """Whether a cell can be a threat: each player has marks of their own, and a completed line wins."""
        return self.alternating and self.line_wins

    @property
    def clause(self) -> str:
        """The difference from normal play with that of misere, as a clause; empty for normal play."""
        loses = "the player who completes a line loses" if self.misere else ""
        exact = "a row longer than a line is not a line" if self.exact else ""
        return ", and ".join(filter(None, (self.difference, loses, exact)))

    @property
    def goal(self) -> str:
        """Who wins, as a clause, where marks do not name the players."""
        return f"the player who completes a line {'wins' if self.line_wins else 'loses'}"

    @property
    def move_rules(self) -> tuple[MoveRule, ...]:
        """The move rules that have a meaning and leave a move; `any` and VALUE_RULES have one in every game."""
        if self.misere or not self.alternating:
            return ("any", *VALUE_RULES)
        return MOVE_RULES if self.forks else tuple(rule for rule in MOVE_RULES if rule != "fork")

    @property
    def all_move_rules(self) -> tuple[MoveRule, ...]:
        """The move rules that have a meaning, with `concede` where a player can block."""
        return (*self.move_rules, "concede") if "block" in self.move_rules else self.move_rules

    @property
    def suffix(self) -> str:
        """The end of a specification with these rules; empty for normal play."""
        options = (self.option, "misere" * self.misere, "exact" * self.exact)
        return "".join(f"+{option}" for option in options if option)

    def named(self, words: str) -> str:
        """Return words about the players X and O with the names that the game has for them."""
        return _OF_PLAYER.sub(lambda found: self.players[found[0] == "O"], words)

    def labelled(self, words: str) -> str:
        """Return words of a table about the players X and O with the labels that the game has for them."""
        return _OF_PLAYER.sub(lambda found: self.labels[found[0] == "O"], words)

    def name_of(self, player: Player) -> str:
        """Return the name of a player in sentences; outcomes call the player who begins X."""
        return self.players[player == "O"]

    @property
    def is_known(self) -> bool:
        """Whether these are rules of noughts, which its compiled engines know, not rules that somebody added."""
        return type(self).__module__.startswith("noughts.")

    @property
    def is_marking(self) -> bool:
        """Whether X and O mark any blank cell in turn, a set with all cells of a line has it, and order is free."""
        return self.is_known and self.alternating and self.any_blank and self.order_free and not self.exact

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

    def fillings(self, board: PlayedBoard, marked: Mask) -> list[int]:
        """Return for each number of further marks how many sets of cells they can take, without regard to lines."""
        blanks = (board.full & ~marked).bit_count()
        return [comb(blanks, more) for more in range(blanks + 1)]

    def markings(self, more: int, of_x: int) -> int:
        """Return in how many ways further marks on chosen cells can be X and O; in turn, `of_x` of them are X."""
        return comb(more, of_x)

    def play(self, board: PlayedBoard, x: Mask, o: Mask, move: int) -> tuple[Mask, Mask]:
        """Return the marks after a move."""
        return (x | 1 << move, o) if x.bit_count() <= o.bit_count() else (x, o | 1 << move)

    def line_outcome(self, player: Player) -> Player:
        """Return who wins when a player completes a line."""
        return opponent(player) if self.misere else player

    def closed(self, board: PlayedBoard, x: Mask, o: Mask) -> tuple[int, ...]:
        """Return which of several boards take no more marks, counted from 0."""
        return ()

    def landing(self, board: PlayedBoard, x: Mask, o: Mask, column: int) -> int | None:
        """Return the move in a column, for rules that name moves by columns; None for other rules and full columns."""
        return None

    def problems(self, board: PlayedBoard, x: Mask, o: Mask) -> tuple[str, ...]:
        """Return all the reasons why play that ends at the first line cannot lead to a position; empty when it can.

        A position is reachable if and only if the marks are balanced, and either neither player has a line, or only
        the last mover has lines and some mark lies on all of them. Exact lines may need another order of the marks.
        """
        p, q = x.bit_count(), o.bit_count()
        found = []
        if p not in (q, q + 1):
            many, has = ("X" if p > q + 1 else "O"), f"X has {'1 mark' if p == 1 else f'{p} marks'} and O {q}"
            found.append(f"too many {many}: {has}, but X starts and the players alternate")
        lines: dict[Player, tuple[Mask, ...]] = {"X": board.completed(x), "O": board.completed(o)}
        if lines["X"] and lines["O"]:
            found.append("both have a line, but the first line ends the game")
        if lines["X"] and not lines["O"] and p == q:
            found.append("X has a line and yet O moved after it")
        if lines["O"] and not lines["X"] and p == q + 1:
            found.append("O has a line and yet X moved after it")
        for player, completed in lines.items():
            if completed and not reduce(and_, completed):
                found.append(f"the lines of {player} share no cell, so no single mark completes them all")
        if not found and (self.exact or not self.order_free) and not self._leads(board, x, o):
            found.append("no order of the marks leads to it")
        return tuple(found)

    def _leads(self, board: PlayedBoard, x: Mask, o: Mask) -> bool:
        """Tell whether an order of moves leads to a position, by taking marks back in all orders.

        Raises BudgetError where there are too many earlier positions.
        """
        seen: set[tuple[Mask, Mask]] = set()
        earlier = [(x, o)]
        while earlier:
            x, o = earlier.pop()
            if not x | o:
                return True
            if len(seen) > _ORDERS:
                raise BudgetError("too many orders of marks may lead to this position: give the moves that lead there")
            for before in self.before(board, x, o):
                if before not in seen and not board.has_line(before[0]) and not board.has_line(before[1]):
                    seen.add(before)
                    earlier.append(before)
        return False

    def before(self, board: PlayedBoard, x: Mask, o: Mask) -> list[tuple[Mask, Mask]]:
        """Return the marks before the last move, for each mark that may have been the last, line or no line."""
        if self.to_move(x, o) == "O":
            return [(x & ~(1 << cell), o) for cell in cells_of(x)]
        return [(x, o & ~(1 << cell)) for cell in cells_of(o)]

    @property
    def full_wins(self) -> Player | None:
        """The player who wins on a full board without a line; None where that is a draw."""
        found = self.ends_for("X")[1]
        return None if found == "draw" else found

    @property
    def seeks_line(self) -> Player | None:
        """The player who alone wants a line, of either mark; None where both players do, or neither."""
        return opponent(self.full_wins) if self.chooses_mark and self.full_wins else None

    def can_draw(self, board: PlayedBoard) -> bool:
        """Tell whether a game can end without a winner."""
        return True

    def either(self, board: PlayedBoard, none: str) -> str:
        """Return who can win in a sentence, with a word for none where games can be drawn: `X, O or none`."""
        return self.named(f"X, O or {none}" if self.can_draw(board) else "X or O")

    def ends_for(self, to_move: Player) -> tuple[Outcome, Outcome]:
        """Return the outcome of a line that the player not to move has completed, and of a board full without one."""
        return self.line_outcome(opponent(to_move)), "draw"

    def winner(self, board: PlayedBoard, x: Mask, o: Mask) -> Player | None:
        """Return the winner by completed lines; None where neither player or both players have one."""
        has_x, has_o = board.has_line(x), board.has_line(o)
        return None if has_x == has_o else self.line_outcome("X" if has_x else "O")

    def is_over(self, board: PlayedBoard, x: Mask, o: Mask) -> bool:
        """Tell whether the game is over: a line is completed, or the board is full."""
        return x | o == board.full or board.has_line(x) or board.has_line(o)

    def outcome(self, board: PlayedBoard, x: Mask, o: Mask) -> Outcome | None:
        """Return the outcome where the game is over, None while it goes on."""
        is_draw = x | o == board.full and (self.exact or not board.has_line(x))
        return self.winner(board, x, o) or ("draw" if is_draw else None)


NORMAL, MISERE = PlayRules(), PlayRules(misere=True)
