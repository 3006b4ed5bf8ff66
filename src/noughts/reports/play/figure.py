"""One position as a figure for a page, in every form."""

from __future__ import annotations

from noughts.domain.bits import Cell
from noughts.domain.board import Board
from noughts.domain.notation import is_game, parse_game, parse_position
from noughts.domain.position import Position
from noughts.domain.spelling import plain
from noughts.drawing.arrows import parse_arrows
from noughts.drawing.boards import position_figure, turn_words
from noughts.drawing.figure import captioned, resized
from noughts.drawing.figures import marks_of, shape_of
from noughts.drawing.svg import Svg
from noughts.drawing.text import board_text
from noughts.reports.forms import Forms
from noughts.reports.page import Look

__all__ = ["forms"]


def forms(board: str, position: str | None, look: Look, *, size: int | None, **words: str | None) -> Forms:
    """Return the figure as SVG, PNG and PDF, and as text; a PNG is as many pixels wide as the size, if one is given.

    Where moves lead to the position, the last of them is pointed out. Raises InputError for what makes no sense.
    """
    on, last = _read(board, position)
    made = _figure(on, last, words["title"], words["caption"] or "", words["arrows"] or "", size, look.theme)

    def png() -> bytes:
        from noughts.drawing.files import to_png

        return to_png(made, zoom=2.0 if size is None else 1.0)

    def pdf() -> bytes:
        from noughts.drawing.files import to_pdf

        return to_pdf([made], look.paper)

    return {
        "svg": lambda: str(made),
        "png": png,
        "pdf": pdf,
        "text": lambda: _text(on, words["title"], words["caption"]),
    }


def _read(board: Board | str, position: str | None) -> tuple[Position, Cell | None]:
    on = Board.parse(board)
    if position is None:
        return Position(on), None
    moves = parse_game(on, position) if is_game(plain(position)) else ()
    return parse_position(on, position), moves[-1] if moves else None


def _figure(
    position: Position, last: Cell | None, title: str | None, caption: str, arrows: str, size: int | None, theme: str
) -> Svg:
    made = position_figure(position, title, parse_arrows(position.board, arrows), last, theme)
    made = captioned(made, caption, theme)
    return made if size is None else resized(made, size)


def _text(position: Position, title: str | None, caption: str | None) -> str:
    """Return the board as text between what stands above and below the figure."""
    board = position.board
    drawn = board_text(shape_of(board), marks_of(position), names=True, numbered=board.shape is None)
    said = f"{turn_words(position)}."
    head = f"{board}: {said}" if title is None else "\n\n".join(filter(None, (title, said)))
    return "\n\n".join(filter(None, (head, drawn, caption))) + "\n"
