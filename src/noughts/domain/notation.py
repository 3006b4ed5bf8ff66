"""Positions as text: `X.O/.X./..O`, rows from the top, layers joined by `|`; or the moves that lead there."""

from __future__ import annotations

import re

from noughts.domain.arguments import wrong_type
from noughts.domain.bits import Cell, cells_of
from noughts.domain.board import Board
from noughts.domain.cells import cell_name, parse_cell
from noughts.domain.drawn import drawn_marks, with_plain_bars
from noughts.domain.errors import InvalidPosition, shown
from noughts.domain.frozen import short
from noughts.domain.position import Position, opponent
from noughts.domain.sizes import require_size
from noughts.domain.spelling import plain

__all__ = ["format_position", "format_start", "is_game", "parse_game", "parse_moves", "parse_position"]

_MARK = {"x": "X", "o": "O", ".": ".", "-": ".", "_": ".", " ": "."}
_TEXT_LIMIT = 4000
_MOVE = re.compile(r"[a-z]{1,4}[0-9]+(?:\.[0-9]+)?|[0-9]+")


def format_position(position: Position) -> str:
    """Return the one printed form; on a board given by its lines all cells stand in one row."""
    if not isinstance(position, Position):
        raise wrong_type("a position", position, "a Position, as parse_position returns it")
    return str(position)


def parse_position(board: Board | str, text: Position | str) -> Position:
    """Return the position that a text names: marks in any spelling, or the moves that lead to it from the empty board.

    A position of the board is returned as it is.

    Blanks are `.`, `-`, `_` or space, and `×` is an X; rows are joined by `/`, `,`, a line break or nothing, layers by
    `|`; lower case is read; so are rows with bars between the cells, `X | O |  `, and lines like `---+---+---` between
    them or none. Whether play can lead to the marks is not asked: see `Position.require_reachable`. Raises
    InvalidPosition.

    >>> str(parse_position("3x3", "a1 b2"))
    'X../.O./...'
    """
    board = Board.parse(board)
    if isinstance(text, Position):
        if text.board != board:
            raise InvalidPosition(f"{text} is a position of {text.board}, not of {board}: give both for one board")
        return text
    require_size(board)
    if not isinstance(text, str):
        raise wrong_type(f"a position of {board}", text, f"text such as {_example(board)}, or a Position")
    written = plain(with_plain_bars(text)) if len(text) <= _TEXT_LIMIT else ""
    if len(text) <= _TEXT_LIMIT and written.isascii():
        if re.search("[0-9]", written):
            return parse_moves(board, written)
        marks = _read_marks(board, written.lower().strip("\r\n\t"))
        if marks is not None:
            x = sum(1 << cell for cell, mark in enumerate(marks) if mark == "X")
            o = sum(1 << cell for cell, mark in enumerate(marks) if mark == "O")
            return Position(board, x, o)
    raise InvalidPosition(
        f"{shown(text)} is no position of {board}: write {_size(board)} with X, O and . for a blank, as in "
        f"{_example(board)}, or the moves that lead to it"
    )


def _size(board: Board) -> str:
    if board.shape is None:
        return f"{board.cells} cells"
    rows, columns, layers = board.shape
    text = f"{rows} row{'s' * (rows > 1)} of {columns}"
    return f"{layers} layers of {text}" if board.is_solid else text


def _example(board: Board) -> str:
    if board.cells > 100:
        return "'X.O/.X./..O'"
    return repr(format_position(Position(board, 1, 2 if board.cells > 1 else 0)))


def _read_marks(board: Board, text: str) -> list[str] | None:
    """Return one mark per cell, or None. Spaces count as blanks first, and as mere spacing where that does not fit."""
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
    flat = [part for group in groups for part in group]
    if any(mark not in _MARK for part in flat for mark in part):
        return None
    shape = [[len(part) for part in group] for group in groups]
    per_layer = rows * columns
    allowed = [
        [[columns] * rows] * layers,
        [[per_layer]] * layers,
        [[columns] * (rows * layers)],
        [[per_layer * layers]],
    ]
    if shape not in allowed:
        return None
    return [_MARK[mark] for part in flat for mark in part]


def format_start(position: Position) -> str:
    """Return ` from X../.../...` for a sentence about what follows, and nothing for the empty board."""
    return f" from {short(position, 60)}" if position.ply else ""


def parse_moves(board: Board, text: str) -> Position:
    """Return the position after the moves, X first; cells stand apart, by spaces or commas, or are names in one word.

    Raises InvalidCell for an unknown cell, InvalidPosition for a cell played twice or a move after the game was over.
    """
    position = Position(board)
    for cell in parse_game(board, text):
        position = position.play(cell)
    return position


def is_game(text: object) -> bool:
    """Return whether text is written as moves, not as marks: it has a digit."""
    return isinstance(text, str) and bool(re.search("[0-9]", text))


def parse_game(board: Board, text: str) -> tuple[Cell, ...]:
    """Return the cells of the moves in their order, X first. Raises as `parse_moves` does."""
    require_size(board)
    if not is_game(text) and re.search("[./|_]", text):
        raise InvalidPosition(f"{shown(text)} is a position, and moves are wanted: write them in order, as in a1 b2 c3")
    position, cells = Position(board), list[Cell]()
    for name in _move_names(plain(text).lower()):
        cell = parse_cell(board, name)
        if position.is_terminal:
            raise InvalidPosition(
                f"{shown(text)} plays {name} after the game was over, {_ended(position)}: leave out the moves from "
                f"{name} on"
            )
        if not position.blanks >> cell & 1:
            raise InvalidPosition(f"{shown(text)} plays {cell_name(board, cell)} twice: each cell is taken once")
        position = position.play(cell)
        cells.append(cell)
    return tuple(cells)


def _ended(position: Position) -> str:
    """Return how a finished game ended, in a few words."""
    winner = position.winner
    if winner is None:
        return "drawn on the full board"
    lined = opponent(winner) if position.board.misere else winner
    line = "-".join(cell_name(position.board, cell) for cell in cells_of(position.completed_lines(lined)[0]))
    return f"won by {winner} with {line}" if lined == winner else f"won by {winner} as {lined} completed {line}"


def _move_names(text: str) -> list[str]:
    names: list[str] = []
    for word in re.split(r"[\s,;]+", text.strip()):
        pieces = _MOVE.findall(word)
        names += pieces if "".join(pieces) == word else [word]
    return [name for name in names if name]
