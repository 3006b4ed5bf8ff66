"""Figures of one board: a position with who is to move, or how the game ended; its values; two boards compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from noughts.domain.bits import Cell
from noughts.domain.position import Position
from noughts.drawing.board import BoardPicture, Note
from noughts.drawing.figure import draw_figure
from noughts.drawing.figures import marks_of, position_picture, shape_of
from noughts.drawing.svg import Svg
from noughts.drawing.tree import TreeBoard, TreePicture
from noughts.strategy.ending import ending

if TYPE_CHECKING:
    from noughts.records.comparison import Comparison
    from noughts.solving.solution import PositionValue

__all__ = ["comparison_picture", "position_figure", "turn_words", "value_figure"]

Arrows = Sequence[tuple[Cell, Cell]]


def turn_words(position: Position) -> str:
    """Return whose move it is, how the game ended, or why play cannot lead to such marks."""
    problems = position.problems()
    if problems:
        return f"cannot arise in play: {problems[0]}"
    return ending(position) if position.is_terminal else f"{position.to_move} to move"


def position_figure(
    position: Position, title: str | None, arrows: Arrows = (), last: Cell | None = None, theme: str = "light"
) -> Svg:
    """Return a position under a title, the board unless given, and who is to move; `last` is pointed out."""
    picture = replace(position_picture(position, last), arrows=arrows)
    return _figure(picture, str(position.board) if title is None else title, turn_words(position), theme)


def value_figure(found: PositionValue, title: str | None, arrows: Arrows = (), theme: str = "light") -> Svg:
    """Return a position with what each move comes to, and who wins with best play."""
    position = found.position
    notes = {"win": Note("wins", "win"), "draw": Note("draws", "draw"), "loss": Note("loses", "loss"), None: Note("?")}
    picture = replace(
        position_picture(position), arrows=arrows, notes={move.cell: notes[move.value] for move in found.moves}
    )
    best = "a draw with best play" if found.outcome == "draw" else f"{found.outcome} wins with best play"
    turn = turn_words(position) if position.is_terminal else f"{position.to_move} to move: {best}"
    return _figure(picture, str(position.board) if title is None else title, turn, theme)


def _figure(picture: BoardPicture, title: str, turn: str, theme: str) -> Svg:
    return draw_figure(picture, title, f"{turn[0].upper()}{turn[1:]}.", theme)


def comparison_picture(found: Comparison) -> TreePicture:
    """Return two boards side by side, and which turn or flip makes them the same."""
    nodes = [
        TreeBoard(i, marks_of(position), captions=[words])
        for i, (position, words) in enumerate(((found.first, "the first"), (found.second, "the second")))
    ]
    said = f"the same: {found.words[0]}" if found.is_same else "different, however turned or mirrored"
    return TreePicture(shape_of(found.board), nodes, [], f"{found.board}: {said}", words={})
