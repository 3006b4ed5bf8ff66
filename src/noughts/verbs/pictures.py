"""One function that draws whatever the package gives, and what a notebook shows of each result."""

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
"""Classes up to which a catalogue shows the first of all; a larger one shows those of ply 2."""

_SHOWN = 200
_TAKEN = (
    "a Board, Position, Record, PositionValue, Explanation, Solution, Catalogue, Positions, Comparison, GameTree, "
    "Guarantee, OpeningTheory, Patterns, Payoff, Match, Menace, Census or BlindAnswer"
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
    """Return the picture of a board, a position, a record, or an answer of any function of the package.

    A string that shows itself in a notebook; `save` writes it as .svg, .png or .pdf. One board (Board, Position,
    Record, PositionValue) is a figure with a `title`, the board unless given, who is to move, and a key; `arrows` are
    `a1-c3`, several with commas between, or pairs of cells. A catalogue is a sheet of its first classes. Below any
    picture stands a `caption`, and `size` is its width in picture units. For a game tree, `scoring` says which averages
    are shown, `moves` or `classes`, and `decimals` how many (fractions unless given). Raises InvalidQuestion for what
    means nothing there, InputError for what makes no sense, and InvalidType for anything that cannot be drawn.

    >>> draw(Position(Board.parse("3x3")), arrows="a1-c3").startswith("<svg")
    True
    """
    from noughts.drawing.figures import captioned, resized
    from noughts.drawing.trees import TreeStyle

    found = _one_board(thing, theme, title, arrows)
    if found is None:
        if title is not None or arrows:
            raise InvalidQuestion("a title and arrows are for the figure of one board or position: leave them out")
        found = _answer(thing, theme, scoring, decimals)
    elif TreeStyle(scoring, decimals) != TreeStyle():
        raise _not_a_tree()
    found = captioned(found, text_of("the caption", caption), theme)
    return found if size is None else resized(found, size)


def _not_a_tree() -> InvalidQuestion:
    return InvalidQuestion("scoring and decimals are about the picture of a game tree: leave them out")


def _one_board(thing: Any, theme: str, title: str | None, arrows: Arrows) -> Svg | None:
    """Return the figure of what is one board, None for anything else."""
    from noughts.analysis.records.record import Record
    from noughts.drawing.figures import parse_arrows, position_figure, value_figure
    from noughts.solving.solution import PositionValue

    if title is not None:
        text_of("the title", title)
    if isinstance(thing, PositionValue):
        return value_figure(thing, title, parse_arrows(thing.position.board, arrows), theme)
    position = thing.position if isinstance(thing, Record) else Position(thing) if isinstance(thing, Board) else thing
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
"""For each class of answers that is a tree or one board the function that makes it, ready to draw."""
_DRAWN = {
    "Catalogue": "verbs.pictures.first_classes",
    "Census": "drawing.figures.census_chart",
    "Match": "drawing.figures.match_chart",
    "Menace": "verbs.menace.machine_picture",
    "Positions": "verbs.positions.sheet",
    "Solution": "verbs.pictures.solution_picture",
}
"""For each class of other answers the function that draws it in a theme."""


def _answer(thing: Any, theme: str, scoring: str | None, decimals: int | None) -> Svg:
    """Return the picture of an answer. Raises InvalidType for what is none."""
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
    """Return the strategy of an answer about blindfold play as a tree. Raises InputError where there is none."""
    from noughts.drawing.trees import picture

    if answer.strategy is None:
        raise InputError(f"there is no strategy to draw in the answer for {answer.board}: ask for another goal")
    return picture(answer.strategy)


def solution_picture(solution: Solution, theme: str) -> Svg:
    """Return the start of a solution with the value of each move, alone where every value is a search of its own."""
    from noughts.analysis.explain.explanation import explanation
    from noughts.drawing.board import draw_board
    from noughts.drawing.figures import explanation_picture, position_figure

    if not solution.has_cheap_line(solution.start) or solution.start.is_terminal:
        return position_figure(solution.start, None, theme=theme)
    return draw_board(explanation_picture(explanation(solution.start, solution)), theme)


def first_classes(catalogue: Catalogue, theme: str) -> Svg:
    """Return a sheet of the first classes of a catalogue, of those of ply 2 where it is large."""
    from noughts.analysis.records.api import positions
    from noughts.verbs.positions import sheet

    few = len(catalogue) <= _DRAWN_CLASSES
    found = positions(catalogue.board) if few else positions(catalogue.board, ply=2)
    return sheet(found, theme, limit=_SHOWN)


def picture(result: Any) -> str:
    """Return the picture of a result as SVG, in the colours of its surroundings: what a notebook shows.

    Raises InvalidType for what cannot be drawn.
    """
    return draw(result, "auto")
