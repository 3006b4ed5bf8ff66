"""Positions: marks on cells, what they mean in play, and how to read and write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeGuard

from noughts.rules.arguments import one_of, plain, wrong_type
from noughts.rules.board import Board, require_own_marks, require_size
from noughts.rules.cells import Cells, Move, cell_name, column_name, move_name, moves_on, parse_cell, parse_move
from noughts.rules.errors import InvalidCell, InvalidPosition, shown
from noughts.rules.marks import Cell, Mask, Outcome, Player, cells_of, mask_of
from noughts.rules.values import short


def format_marks(board: Board, x: Mask, o: Mask) -> str:
    """Return the printed form; on a board given by its lines all cells are in one row."""
    marks = ["X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(board.cells)]
    if board.shape is None:
        return "".join(marks)
    rows, columns, layers = board.shape
    text = ["".join(marks[start : start + columns]) for start in range(0, len(marks), columns)]
    return "|".join("/".join(text[layer * rows : (layer + 1) * rows]) for layer in range(layers))


# Marks on cells, and what follows from them: whose move it is, threats, lines, and whether play can lead there.


def completing_cells(board: Board, own: Mask, blank: Mask) -> Mask:
    """Return the blank cells that complete a line for the owner of the marks `own`, who has none.

    Cost: linear in the number of lines; for each cell where lines are exact.
    """
    if board.rules.exact:
        return mask_of(cell for cell in cells_of(blank) if board.has_line(own | 1 << cell))
    found = 0
    for line in board.line_masks:
        missing = line & ~own
        if missing & (missing - 1) == 0 and missing & blank:
            found |= missing
    return found


@dataclass(frozen=True)
class Position:
    """A board with its rules of play, and marks on it: `x` and `o` are disjoint sets of cells.

    `Position("3x3")` is the empty board. Any two disjoint sets make a position; `problems()` says why play from the
    empty board cannot lead to it.
    """

    board: Board
    x: Mask = 0
    o: Mask = 0

    if TYPE_CHECKING:

        def __init__(self, board: Board | str, x: Mask = 0, o: Mask = 0) -> None:
            """Take a board or its name."""

    def __post_init__(self) -> None:
        if isinstance(self.board, str):
            vars(self)["board"] = Board.parse(self.board)
        try:
            wrong = self.x & self.o or (self.x | self.o) & ~self.board.full or self.x < 0 or self.o < 0
        except (AttributeError, TypeError):
            if not isinstance(self.board, Board):
                raise wrong_type("the board of a position", self.board, "a Board or its name") from None
            part = self.o if isinstance(self.x, int) else self.x
            raise wrong_type("a set of cells", part, "an integer, bit i for cell i") from None
        if wrong:
            raise InvalidPosition(f"the sets of cells {self.x} and {self.o} are not a position of {self.board}")

    def __repr__(self) -> str:
        whole = f"Position({self.board!r}, x={self.x}, o={self.o})"
        return whole if len(whole) < 120 else f"<Position of {short(self.board)} with {self.ply} marks>"

    def __str__(self) -> str:
        return format_marks(self.board, self.x, self.o)

    @property
    def ply(self) -> int:
        """The number of marks."""
        return (self.x | self.o).bit_count()

    @property
    def to_move(self) -> Player:
        """The player whose turn it is: X when there are as many X as O."""
        return self.board.rules.to_move(self.x, self.o)

    @property
    def blanks(self) -> Cells:
        """The set of blank cells."""
        return Cells(self.board.unmarked, self.board.full & ~(self.x | self.o))

    @property
    def playable(self) -> Cells:
        """The set of cells that the side to move may play; with rules such as gravity not every blank cell."""
        return Cells(self.board, 0 if self.is_terminal else self.board.rules.moves(self.board, self.x, self.o))

    def marks(self, player: Player) -> Cells:
        """The set of cells of one player, X or O."""
        if player not in ("X", "O"):
            one_of("the player", player, ("X", "O"))
        return Cells(self.board.unmarked, self.x if player == "X" else self.o)

    def mark_at(self, cell: Cell | str) -> Player | None:
        """The mark on a cell, given by index, name or number, or None for a blank one."""
        if type(cell) is not int or not 0 <= cell < self.board.cells:
            cell = parse_cell(self.board, cell)
        if self.x >> cell & 1:
            return "X"
        return "O" if self.o >> cell & 1 else None

    def moves(self) -> tuple[Move, ...]:
        """Return the moves of the side to move, in reading order; empty when the game is over."""
        return moves_on(self.board, cells_of(self.playable))

    def play(self, move: Cell | str) -> Position:
        """Return the position after a move of the side to move: a cell, given by index, name or number.

        Where players choose the mark, a name has it first, as in Xa1. Raises InvalidPosition where the cell is not
        blank, the game is over or the rules do not allow the move, InvalidCell for an unknown cell.

        >>> str(Position(Board.parse("3x3")).play("c3"))
        '.../.../..X'
        """
        board = self.board
        if (type(move) is not int and type(move) is not Move) or not 0 <= move < board.move_count:
            move = read_move(self, move)
        if (self.x | self.o) >> move % board.cells & 1:
            name = cell_name(board, move % board.cells)
            raise InvalidPosition(f"{name} is not blank in {self}: play one of the blank cells")
        if self.is_terminal:
            name = move_name(board, move)
            raise InvalidPosition(f"the game is over in {self}, so {name} cannot be played: choose an earlier position")
        if not board.rules.any_blank and not self.playable >> move & 1:
            name, can = move_name(board, move), " ".join(map(str, self.moves()))
            raise InvalidPosition(f"{name} cannot be played in {short(self)}: the moves there are {can}")
        after = Position(board, *board.rules.play(board, self.x, self.o, move))
        if board.rules.is_marking:  # saves a search through all lines of the board
            own = after.x if after.x != self.x else after.o
            over = after.x | after.o == board.full
            for line in board.lines_through[move]:
                if own & line == line:
                    over = True
            vars(after)["is_terminal"] = over
        return after

    def completed_lines(self, player: Player) -> tuple[Cells, ...]:
        """The winning lines that one player has completed, as sets of cells."""
        return tuple(Cells(self.board.unmarked, line) for line in self.board.completed(self.marks(player)))

    def threats(self, player: Player) -> tuple[Move, ...]:
        """Return the cells that complete a line for one player, in reading order; it need not be to move.

        With rules such as gravity only cells that can be played now. Raises InvalidQuestion where marks do not name the
        players.
        """
        require_own_marks(self.board, "a threat of one player")
        within = self.board.rules.moves(self.board, self.x, self.o)
        return moves_on(self.board, cells_of(completing_cells(self.board, self.marks(player), within)))

    @property
    def winner(self) -> Player | None:
        """The winner by the completed lines, as in `Board.winner`; None where there is none."""
        return self.board.winner(self.x, self.o)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome where a line is completed or the board is full; None while play goes on."""
        return self.board.rules.outcome(self.board, self.x, self.o)

    @cached_property
    def is_terminal(self) -> bool:
        """Whether a line is completed or the board is full."""
        return self.board.rules.is_over(self.board, self.x, self.o)

    def as_dict(self) -> dict[str, object]:
        """Return the position for JSON."""
        return {"board": self.board.spec, "position": str(self), "to_move": self.to_move, "ply": self.ply}

    def problems(self) -> tuple[str, ...]:
        """Return all the reasons why play that ends at the first line cannot lead here; empty when it can."""
        return self.board.rules.problems(self.board, self.x, self.o)

    def require_reachable(self) -> Position:
        """Return this position, or raise InvalidPosition with all the reasons why play cannot lead to it."""
        problems = self.problems()
        if problems:
            raise InvalidPosition(f"{self} cannot arise in play on {self.board}: {'; '.join(problems)}")
        return self


def way_to(position: Position) -> tuple[Cell, ...]:
    """Return the moves of a game that leads to a position, X first, by taking back marks.

    Raises InvalidPosition where none does. Cost: quick on most positions, at worst one step for each earlier position.
    """
    board, rules, dead = position.board, position.board.rules, set[tuple[Mask, Mask]]()
    path = [(position.x, position.o)]
    while path and path[-1] != (0, 0):
        earlier = (marks for marks in rules.before(board, *path[-1]) if marks not in dead)
        before = next((marks for marks in earlier if not rules.is_over(board, *marks)), None)
        if before is None:
            dead.add(path.pop())
        else:
            path.append(before)
    if not path:
        raise InvalidPosition(f"{position} cannot arise in play on {board}: no order of moves leads to it")
    steps = [(then[0] ^ marks[0], then[1] ^ marks[1]) for then, marks in pairwise(path)]
    offset = board.cells if rules.chooses_mark else 0
    return tuple(x.bit_length() - 1 if x else o.bit_length() - 1 + offset for x, o in reversed(steps))


# Drawn boards: `X | O |  ` for a row, bars between the cells, and optional rules between the rows.
#
# Source of the notation: B. Shourd, 2012, and many programming exercises.

_RULE = re.compile(r"[-=+|\s]*")
"""A line that only separates rows: dashes and crossings, or nothing."""
_PLAIN = str.maketrans("│┃─━┼╋", "||--++")
"""Box-drawing characters, and the keyboard characters that replace them."""


def drawn_marks(columns: int, text: str) -> str | None:
    """Return the cells of a drawn board in reading order, a blank one as a space; None where it is not a drawing.

    Rows end at a line break, `/` or `,`. Between rows there may be lines like `---+---+---` and empty lines. Bars may
    also be at both ends of a row. A board of one column has no bars, so its text is never a drawing.
    """
    if columns < 2:
        return None
    found = ""
    for line in re.split(r"\r?\n|[/,]", text):
        if _RULE.fullmatch(line) and ("|" not in line or re.search("--|[=+]", line)):  # `-|-|-` is a row of blanks
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == columns + 2 and not cells[0] and not cells[-1]:
            cells = cells[1:-1]
        elif len(cells) == columns + 1 and bool(cells[0]) != bool(cells[-1]):
            cells = cells[1:] if not cells[0] else cells[:-1]
        if len(cells) != columns or any(len(cell) > 1 for cell in cells):
            return None
        found += "".join(cell or " " for cell in cells)
    return found


# Positions as text: `X.O/.X./..O`, rows from the top, layers joined by `|`; or the moves that lead there.

_MARK = {"x": "X", "o": "O", ".": ".", "-": ".", "_": ".", " ": "."}
_TEXT_LIMIT = 4000
_MOVE = re.compile(r"[a-z]{1,4}[0-9]+(?:\.[0-9]+)?|[0-9]+")
_MOVE_OR_COLUMN = re.compile(_MOVE.pattern + "|[a-n]")


def format_position(position: Position) -> str:
    """Return the printed form; on a board given by its lines all cells are in one row."""
    if not isinstance(position, Position):
        raise wrong_type("a position", position, "a Position, as parse_position returns it")
    return str(position)


Moves = str | Sequence[Cell | str]
"""The moves of a game in their order: as text, or one by one, as results have them."""
PositionLike = Position | Moves
"""A position, its text, or the moves that lead to it."""


def parse_position(board: Board | str, text: PositionLike) -> Position:
    """Return the position of a text: marks in any spelling, or the moves that lead to it from the empty board.

    Blanks are `.`, `-`, `_` or space, and `×` is an X; lower case works too. Rows are joined by `/`, `,`, a line break
    or nothing, layers by `|`. Rows may have bars between the cells, `X | O |  `, and lines like `---+---+---` between
    rows. A `Position` of the board is returned as it is. Moves may also be given one by one, as results have them.

    Does not check that play can lead to the marks: see `Position.require_reachable`. Raises InvalidPosition.

    >>> str(parse_position("3x3", "a1 b2"))
    'X../.O./...'
    """
    board = Board.parse(board)
    if isinstance(text, Position):
        if text.board != board:
            raise InvalidPosition(f"{text} is a position of {text.board}, not of {board}: give both for one board")
        return text
    require_size(board)
    if isinstance(text, tuple | list):
        return parse_moves(board, text)
    if not isinstance(text, str):
        raise wrong_type(f"a position of {board}", text, f"text such as {_example(board)}, moves, or a Position")
    if text.replace("X", ".").replace("O", ".") == _no_marks(board):  # as `str` writes it: read at once
        flat = text[::-1].replace("/", "").replace("|", "").replace(".", "0")
        of_x, of_o = (flat.replace(mark, "1").replace(other, "0") for mark, other in ("XO", "OX"))
        return Position(board, int(of_x, 2), int(of_o, 2))
    written = plain(text.translate(_PLAIN)) if len(text) <= _TEXT_LIMIT else ""
    if len(text) <= _TEXT_LIMIT and written.isascii():
        if is_game(written, board):
            return parse_moves(board, written)
        marks = _read_marks(board, written.lower().strip("\r\n\t"))
        if marks is not None:
            x = sum(1 << cell for cell, mark in enumerate(marks) if mark == "X")
            o = sum(1 << cell for cell, mark in enumerate(marks) if mark == "O")
            return Position(board, x, o)
    raise InvalidPosition(
        f"{shown(text)} is not a position of {board}: write {_size(board)} with X, O and ., as in {_example(board)}, "
        "or moves"
    )


@lru_cache(maxsize=8)
def _no_marks(board: Board) -> str:
    return str(Position(board))


def _size(board: Board) -> str:
    if board.shape is None:
        return f"{board.cells} cells"
    rows, columns, layers = board.shape
    text = f"{rows} row{'s' * (rows > 1)} of {columns}"
    return f"{layers} layers of {text}" if board.is_solid else text


def _example(board: Board) -> str:
    if board.cells > 100:
        return "'X.O/.X./..O'"
    first = board.rules.moves(board, 0, 0) & -board.rules.moves(board, 0, 0)
    return repr(format_position(Position(board, first, first << 1 & board.full)))


def _read_marks(board: Board, text: str) -> list[str] | None:
    """Return one mark per cell, or None. Spaces are blanks; where these do not fit, they are ignored."""
    for candidate in (text, text.replace(" ", "")):
        marks = _split_marks(board, candidate)
        if marks is not None:
            return marks
    drawn = drawn_marks(board.shape[1], text) if board.shape is not None and "|" in text else None
    return None if drawn is None else _split_marks(board, drawn)


def _split_marks(board: Board, text: str) -> list[str] | None:
    rows, columns, layers = board.shape or (1, board.cells, 1)
    text = re.sub(r"\r?\n", "/", text)
    groups = [re.split("[/,]", group) for group in text.split("|")]
    flat = [mark for group in groups for part in group for mark in part]
    shape, area = [[len(part) for part in group] for group in groups], rows * columns
    allowed = [[[columns] * rows] * layers, [[area]] * layers, [[columns] * (rows * layers)], [[area * layers]]]
    return [_MARK[mark] for mark in flat] if shape in allowed and _MARK.keys() >= set(flat) else None


def format_start(position: Position) -> str:
    """Return ` from X../.../...` for a sentence, and nothing for the empty board."""
    return f" from {short(position, 60)}" if position.ply else ""


def parse_moves(board: Board, text: Moves) -> Position:
    """Return the position after the moves, X first; cells stand apart, by spaces or commas, or are names in one word.

    Raises InvalidCell for an unknown cell, InvalidPosition for a cell played twice or a move after the game was over.
    """
    position = Position(board)
    for cell in parse_game(board, text):
        position = position.play(cell)
    return position


def is_game(text: object, board: Board) -> TypeGuard[Moves]:
    """Return whether moves of a board are given, not marks: one by one, or text with a digit or with columns alone."""
    if not isinstance(text, str):
        return isinstance(text, tuple | list) and bool(text)
    return bool(re.search("[0-9]", text)) or (
        board.rules.by_column and bool(re.fullmatch(r"[\s,;]*[a-n][a-n\s,;]*", text.lower()))
    )


def parse_game(board: Board, text: Moves) -> tuple[Move, ...]:
    """Return the moves in their order, X first; each is its cell unless players choose the mark.

    Raises as `parse_moves` does, InvalidType for what is neither text nor a list of moves.
    """
    require_size(board)
    if isinstance(text, tuple | list):
        other = next((move for move in text if isinstance(move, Move) and move.board.shape != board.shape), None)
        if other is not None:
            raise InvalidPosition(f"{other} is a move of {other.board}, not of {board}: give both for one board")
        text = " ".join(move if _is_column(move, board) else str(Move(board, move)) for move in text)
    if not isinstance(text, str):
        raise wrong_type("the moves of a game", text, "text such as a1 b2 c3, or moves one by one")
    if not is_game(text, board) and re.search("[./|_]", text):
        raise InvalidPosition(f"{shown(text)} is a position, and moves are wanted: write them in order, as in a1 b2 c3")
    position, moves = Position(board), list[Cell]()
    for name in _move_names(plain(text).lower(), _MOVE_OR_COLUMN if board.rules.by_column else _MOVE):
        move = read_move(position, name)
        if position.is_terminal:
            raise InvalidPosition(
                f"{shown(text)} plays {name} after the game was over, {_ended(position)}: leave out the moves from "
                f"{name} on"
            )
        if not position.blanks >> move % board.cells & 1:
            name = cell_name(board, move % board.cells)
            raise InvalidPosition(f"{shown(text)} plays {name} twice: each cell is taken once")
        position = position.play(move)
        moves.append(move)
    return moves_on(board, moves)


def _ended(position: Position) -> str:
    """Return how a finished game ended, in a few words."""
    winner = position.winner
    if winner is None:
        return "drawn on the full board"
    board, lined = position.board, position.board.line_outcome(winner)
    if not board.rules.alternating:
        return f"won by {board.rules.name_of(winner)}"
    line = "-".join(cell_name(board, cell) for cell in cells_of(position.completed_lines(lined)[0]))
    return f"won by {winner} with {line}" if lined == winner else f"won by {winner} as {lined} completed {line}"


def read_move(position: Position, given: str | Cell) -> int:
    """Return the move that a text or a number means: a cell, or the column in which a mark falls, as in `d`.

    Raises InvalidCell, and InvalidPosition for a full column.
    """
    if _is_column(given, position.board):
        return _landing(position, given.strip().lower())
    return parse_move(position.board, given)


def _is_column(given: object, board: Board) -> TypeGuard[str]:
    """Return whether a move is given by its column, on a board where that names it."""
    return board.rules.by_column and isinstance(given, str) and given.strip().isalpha()


def _landing(position: Position, name: str) -> Cell:
    """Return the cell to which the next mark falls in a column. Raises InvalidCell and InvalidPosition."""
    board, column = position.board, ord(name[0]) - ord("a")
    columns = (board.shape or (1, board.cells))[1]
    if len(name) > 1 or column >= columns:
        raise InvalidCell(f"{board} has no column {shown(name)}: the last one is {column_name(columns - 1)}")
    if position.is_terminal:
        return column
    found = board.rules.landing(board, position.x, position.o, column)
    if found is None:
        raise InvalidPosition(f"column {name} is full in {short(position)}: choose another")
    return found


def _move_names(text: str, pattern: re.Pattern[str]) -> list[str]:
    names: list[str] = []
    for word in re.split(r"[\s,;]+", text.strip()):
        pieces = pattern.findall(word)
        names += pieces if "".join(pieces) == word else [word]
    return [name for name in names if name]
