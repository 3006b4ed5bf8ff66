"""`noughts draw`: one position as a figure for a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.drawing.figures import captioned, parse_arrows, position_figure, resized, turn_words
from noughts.present.forms import chart_forms
from noughts.present.text import drawn
from noughts.rules.arguments import plain
from noughts.rules.board import Board
from noughts.rules.position import Position, is_game, parse_game, parse_position
from noughts.verbs.request import (
    PICTURES,
    Caller,
    VerbAnswer,
    VerbRequest,
    argument,
    option,
)


@dataclass(frozen=True, kw_only=True)
class DrawRequest(VerbRequest):
    """POSITION of BOARD as one figure: a title, who is to move or how the game ended, the board, and a key.

    POSITION is written X.O/.X./..O, or as the moves that lead to it, a1 b2 c3: then the last is pointed out. Without
    it: the empty board.
    """

    forms = (*PICTURES, "text")

    board: str | Board = argument(default="3x3")
    position: str | None = argument("[POSITION]", None)
    arrows: str = option("Arrows from cell to cell: a1-c3, or a1-c3,b2-b3.", "", metavar="ARROWS")
    caption: str = option("A text below the figure.", "", metavar="TEXT")
    title: str | None = option("The text above it (the board).", metavar="TEXT")
    size: int | None = option("The width: pixels of a PNG, units of an SVG.", metavar="N")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return what text cannot show."""
        is_text = self.form == "text"
        return (
            (
                is_text and self.arrows,
                "--arrows has no place in --format text, which has no lines to draw: leave it out",
            ),
            (
                is_text and self.size is not None,
                "--size has no place in --format text, which has no pixels: leave it out",
            ),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the figure; where moves lead to the position, the last of them is pointed out."""
        on, size = Board.parse(self.board), self.size
        moves = parse_game(on, self.position) if self.position and is_game(plain(self.position)) else ()
        position = Position(on) if self.position is None else parse_position(on, self.position)
        theme, arrows = caller.look.theme, parse_arrows(on, self.arrows)
        figure = position_figure(position, self.title, arrows, moves[-1] if moves else None, theme)
        figure = captioned(figure, self.caption, theme)
        made = figure if size is None else resized(figure, size)

        def png() -> bytes:
            from noughts.drawing.svg import to_png

            return to_png(made, zoom=2.0 if size is None else 1.0)

        pictures = chart_forms(lambda: made, look=caller.look)
        return VerbAnswer(made, {**pictures, "png": png, "text": lambda: self._text(position)})

    def _text(self, position: Position) -> str:
        """Return the board as text between what stands above and below the figure."""
        board = position.board
        turn = f"{turn_words(position)}."
        head = f"{board}: {turn}" if self.title is None else "\n\n".join(filter(None, (self.title, turn)))
        return "\n\n".join(filter(None, (head, drawn(position), self.caption))) + "\n"
