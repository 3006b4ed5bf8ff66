"""One function that draws every result of the package, and the picture of a result in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from noughts.drawing.svg import Svg
from noughts.rules.arguments import text_of
from noughts.rules.board import Board
from noughts.rules.errors import InputError, InvalidQuestion, InvalidType
from noughts.rules.position import Position

if TYPE_CHECKING:
    from noughts.analysis.explain.explanation import Explanation
    from noughts.analysis.explain.openings import OpeningTheory
    from noughts.analysis.payoff.guarantee import Guarantee
    from noughts.analysis.payoff.patterns import Patterns
    from noughts.analysis.payoff.playout import Match
    from noughts.analysis.payoff.points import Payoff
    from noughts.analysis.records.api import Positions
    from noughts.analysis.records.catalogue import Catalogue
    from noughts.analysis.records.comparison import Comparison
    from noughts.analysis.records.record import Record
    from noughts.analysis.trees import GameTree
    from noughts.blindfold.inquiry import BlindAnswer
    from noughts.bots.menace import Menace
    from noughts.counting.census import Census
    from noughts.drawing.tree import TreePicture
    from noughts.rules.marks import Cell
    from noughts.solving.solution import PositionValue, Solution

    Figure = Board | Position | Record | PositionValue
    Answers = Explanation | Solution | GameTree | OpeningTheory | Patterns | Payoff | Match | Census | BlindAnswer
    Drawable = Figure | Answers | Guarantee | Catalogue | Positions | Comparison | Menace
    Arrows = str | Iterable[str | tuple[Cell | str, Cell | str]]

_DRAWN_CLASSES = 5_000
"""Classes up to which the sheet of a catalogue begins at ply 0; a larger one shows ply 2."""

_SHOWN = 200
_TAKEN = (
    "a Board, Position, Record, PositionValue, Explanation, Solution, Catalogue, Positions, Comparison, GameTree, "
    "Guarantee, OpeningTheory, Patterns, Payoff, Match, Menace, Census, Conventions or BlindAnswer"
)


def draw(
    thing: Drawable,
    theme: str = "light",
    *,
    title: str | None = None,
    caption: str = "",
    arrows: Arrows = (),
    size: int | None = None,
    scoring: str | None = None,
    decimals: int | None = None,
) -> Svg:
    """Return the picture of a board, a position, a record, or the answer of any function of the package.

    Parameters
    ----------
    thing
        What to draw. One board (Board, Position, Record, PositionValue) gives a figure with the player to move and a
        key. A catalogue gives a sheet of its first classes.
    theme
        `light`, `dark` or `auto`.
    title
        The text above the figure of one board; the board unless given.
    caption
        A text below the picture.
    arrows
        Arrows on one board: `a1-c3`, several with commas between, or pairs of cells.
    size
        The width in picture units.
    scoring, decimals
        For a game tree, the averages to show, `moves` or `classes`, and their decimals (fractions unless given).

    Returns
    -------
    Svg
        A string that a notebook displays; its `save` writes .svg, .png or .pdf.

    Raises
    ------
    InvalidQuestion
        For an argument that does not fit `thing`.
    InputError
        For an invalid value.
    InvalidType
        For a `thing` that cannot be drawn.

    Examples
    --------
    >>> draw(Position(Board.parse("3x3")), arrows="a1-c3").startswith("<svg")
    True
    """
    from noughts.drawing.figures import captioned, resized
    from noughts.drawing.trees import TreeStyle

    found = _one_board(thing, theme, title, arrows)
    if found is None:
        if title is not None or not (isinstance(arrows, str | list | tuple) and not arrows):
            raise InvalidQuestion("title and arrows need one board or position: remove them")
        found = _answer(thing, theme, scoring, decimals)
    elif TreeStyle(scoring, decimals) != TreeStyle():
        raise _not_a_tree()
    found = captioned(found, text_of("the caption", caption), theme)
    return found if size is None else resized(found, size)


def _not_a_tree() -> InvalidQuestion:
    return InvalidQuestion("scoring and decimals need a game tree: remove them")


def _one_board(thing: Any, theme: str, title: str | None, arrows: Arrows) -> Svg | None:
    """Return the figure of one board, None for anything else."""
    from noughts.analysis.records.full import FullRecord
    from noughts.analysis.records.record import Record
    from noughts.drawing.figures import parse_arrows, position_figure, value_figure
    from noughts.solving.solution import PositionValue

    if title is not None:
        text_of("the title", title)
    if isinstance(thing, PositionValue):
        return value_figure(thing, title, parse_arrows(thing.position.board, arrows), theme)
    position = (
        thing.position
        if isinstance(thing, Record | FullRecord)
        else Position(thing)
        if isinstance(thing, Board)
        else thing
    )
    if not isinstance(position, Position):
        return None
    return position_figure(position, title, parse_arrows(position.board, arrows), theme=theme)


_MADE = {
    "BlindAnswer": "verbs.pictures.blind_picture",
    "Comparison": "drawing.figures.comparison_picture",
    "Explanation": "drawing.figures.explanation_picture",
    "GameTree": "drawing.trees.tree_picture",
    "Guarantee": "drawing.trees.guarantee_picture",
    "OpeningTheory": "drawing.figures.openings_picture",
    "Patterns": "drawing.figures.patterns_picture",
    "Payoff": "drawing.figures.payoff_picture",
}
"""The function that makes the tree or board of an answer, by class."""
_DRAWN = {
    "Catalogue": "verbs.pictures.first_classes",
    "Census": "drawing.figures.census_chart",
    "Conventions": "verbs.conventions.picture",
    "Match": "drawing.figures.match_chart",
    "Menace": "verbs.menace.machine_picture",
    "Positions": "verbs.positions.sheet",
    "Solution": "verbs.pictures.solution_picture",
}
"""The function that draws any other answer in a theme, by class."""


def _answer(thing: Any, theme: str, scoring: str | None, decimals: int | None) -> Svg:
    """Return the picture of an answer. Raises InvalidType for anything else."""
    from noughts.drawing.board import BoardPicture, draw_board
    from noughts.drawing.cards import draw_tree
    from noughts.drawing.trees import TreeStyle

    names = [each.__name__ for each in type(thing).__mro__ if each.__module__.startswith("noughts.")]
    style = TreeStyle(scoring, decimals)
    name = next((each for each in names if each in _MADE or each in _DRAWN), None)
    if name != "GameTree" and style != TreeStyle():
        raise _not_a_tree()
    if name is None:
        raise InvalidType(f"cannot draw a {type(thing).__name__}: give {_TAKEN}")
    module, function = (_MADE | _DRAWN)[name].rsplit(".", 1)
    make = getattr(import_module(f"noughts.{module}"), function)
    if name in _DRAWN:
        drawn: Svg = make(thing, theme)
        return drawn
    made = make(thing, style) if name == "GameTree" else make(thing)
    return draw_board(made, theme) if isinstance(made, BoardPicture) else draw_tree(made, theme)


def blind_picture(answer: BlindAnswer) -> TreePicture:
    """Return the strategy of a blindfold answer as a tree. Raises InputError if it has none."""
    from noughts.drawing.trees import picture

    if answer.strategy is None:
        raise InputError(f"the answer for {answer.board} has no strategy to draw: use another goal")
    return picture(answer.strategy)


def solution_picture(solution: Solution, theme: str) -> Svg:
    """Return the start of a solution, with the value of each move if these are cheap."""
    from noughts.analysis.explain.explanation import explanation
    from noughts.drawing.board import draw_board
    from noughts.drawing.figures import explanation_picture, position_figure

    if not solution.has_cheap_line(solution.start) or solution.start.is_terminal:
        return position_figure(solution.start, None, theme=theme)
    return draw_board(explanation_picture(explanation(solution.start, solution)), theme)


def first_classes(catalogue: Catalogue, theme: str) -> Svg:
    """Return a sheet of the first classes of a catalogue, or of ply 2 if it is large."""
    from noughts.analysis.records.api import positions
    from noughts.verbs.positions import sheet

    ply = None if len(catalogue) <= _DRAWN_CLASSES else 2
    return sheet(positions(catalogue.board, ply=ply), theme, limit=_SHOWN)


def picture(result: Any) -> str:
    """Return the picture of a result as SVG in the colours of the notebook.

    Raises InvalidType for a result without a picture.
    """
    return draw(result, "auto")
