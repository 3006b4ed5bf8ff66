"""One position as a figure for a page, in every form."""

from __future__ import annotations

from noughts.drawing.board import board_text
from noughts.drawing.figures import captioned, marks_of, parse_arrows, position_figure, resized, shape_of, turn_words
from noughts.drawing.svg import Svg
from noughts.present.forms import Forms
from noughts.present.report import Look
from noughts.rules.arguments import plain
from noughts.rules.board import Board
from noughts.rules.marks import Cell
from noughts.rules.position import Position, is_game, parse_game, parse_position

__all__ = ["forms"]


def forms(board: str, position: str | None, look: Look, *, size: int | None, **words: str | None) -> Forms:
    """Return the figure as SVG, PNG and PDF, and as text; a PNG is as many pixels wide as the size, if one is given.

    Where moves lead to the position, the last of them is pointed out. Raises InputError for what makes no sense.
    """
    on, last = _read(board, position)
    made = _figure(on, last, words["title"], words["caption"] or "", words["arrows"] or "", size, look.theme)

    def png() -> bytes:
        from noughts.drawing.svg import to_png

        return to_png(made, zoom=2.0 if size is None else 1.0)

    def pdf() -> bytes:
        from noughts.drawing.svg import to_pdf

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
