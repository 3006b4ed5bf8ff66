"""`noughts draw`: one position as a figure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from noughts.drawing.figures import captioned, parse_arrows, position_figure, resized, turn_words
from noughts.present.forms import chart_forms
from noughts.present.text import LAYOUTS, drawn, rows_of
from noughts.rules.arguments import plain
from noughts.rules.board import Board
from noughts.rules.position import Position, is_game, parse_game, parse_position
from noughts.verbs.request import PICTURES, Caller, VerbAnswer, VerbRequest, argument, option


@dataclass(frozen=True, kw_only=True)
class DrawRequest(VerbRequest):
    """Figure of POSITION on BOARD: a title, the player to move or the result, the board, and a key.

    POSITION (default: the empty board) is written X.O/.X./..O, or as the moves to it, a1 b2 c3. The figure marks the
    last of these moves.
    """

    forms = (*PICTURES, "text")

    board: str | Board = argument(default="3x3")
    position: str | None = argument("[POSITION]", None)
    arrows: str = option("Arrows between cells: a1-c3, or a1-c3,b2-b3", "", metavar="ARROWS")
    caption: str = option("Text below the figure", "", metavar="TEXT")
    title: str | None = option("Text above the figure", metavar="TEXT", usual="the board")
    layout: str | None = option(
        "Layout of the text: X . O, X-O, or lines like ---+---+---",
        choices=LAYOUTS,
        where="commands",
        implies="text",
        usual="with names",
    )
    size: int | None = option("Width: pixels of a PNG, units of an SVG", metavar="N")

    def contradictions(self) -> Iterable[tuple[object, str]]:
        """Return the rules on options."""
        is_text = self.form == "text"
        return (
            (not is_text and self.layout is not None, "--layout is for text: add --format text, or remove --layout"),
            (is_text and self.arrows, "--arrows cannot be used with --format text: remove --arrows"),
            (is_text and self.size is not None, "--size cannot be used with --format text: remove --size"),
        )

    def answer(self, caller: Caller) -> VerbAnswer:
        """Return the figure, with the last move marked if moves are given."""
        on, size = Board.parse(self.board), self.size
        moves = parse_game(on, self.position) if self.position and is_game(plain(self.position), on) else ()
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
        """Return the board as text, with the texts above and below it."""
        board = position.board
        turn = f"{turn_words(position)}."
        board_rows = "\n".join(rows_of(position, self.layout)) if self.layout else drawn(position)
        head = f"{board}: {turn}" if self.title is None else "\n\n".join(filter(None, (self.title, turn)))
        return "\n\n".join(filter(None, (head, board_rows, self.caption))) + "\n"
