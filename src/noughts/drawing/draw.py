"""One function that draws whatever the package gives: positions, explanations, trees, patterns, censuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.domain.board import Board
from noughts.domain.errors import InvalidQuestion, InvalidType
from noughts.domain.position import Position
from noughts.drawing.svg import Svg

if TYPE_CHECKING:
    from noughts.counting.census import Census
    from noughts.strategy.explain import Explanation
    from noughts.strategy.gametree import GameTree
    from noughts.strategy.guarantee import Guarantee
    from noughts.strategy.openings import OpeningTheory
    from noughts.strategy.patterns import Patterns
    from noughts.strategy.payoff import Payoff
    from noughts.strategy.versus import Match

    Drawable = (
        Board | Position | Census | Explanation | GameTree | Guarantee | OpeningTheory | Patterns | Payoff | Match
    )

__all__ = ["draw"]


def draw(
    thing: Drawable,
    theme: str = "light",
    *,
    scoring: str | None = None,
    decimals: int | None = None,
    join: bool = False,
) -> Svg:
    """Return the picture of a board, a position, or an answer: explanation, openings, tree, patterns, census, match.

    The picture is a string that shows itself in a notebook; `save` writes it as .svg, .png or .pdf. For a game tree,
    `scoring` says which averages are shown, `moves` or `classes`, `decimals` how many (fractions unless given), and
    `join` draws lines to the boards that stand elsewhere; InvalidQuestion is raised where that means nothing. Raises
    InvalidType for anything that cannot be drawn.

    >>> draw(Position(Board.parse("3x3"))).startswith("<svg")
    True
    """
    from noughts.counting.census import Census
    from noughts.drawing import figures
    from noughts.drawing.board import draw_board
    from noughts.drawing.cards import draw_tree
    from noughts.drawing.gametree import TreeStyle, tree_picture
    from noughts.drawing.guarantees import guarantee_picture
    from noughts.strategy.explain import Explanation
    from noughts.strategy.gametree import GameTree
    from noughts.strategy.guarantee import Guarantee
    from noughts.strategy.openings import OpeningTheory
    from noughts.strategy.patterns import Patterns
    from noughts.strategy.payoff import Payoff
    from noughts.strategy.versus import Match

    style = TreeStyle(scoring, decimals, join)
    if style != TreeStyle() and not isinstance(thing, GameTree):
        raise InvalidQuestion("scoring, decimals and join are about the picture of a game tree: leave them out")
    if isinstance(thing, Board):
        thing = Position(thing)
    if isinstance(thing, Position):
        return draw_board(figures.position_picture(thing), theme)
    if isinstance(thing, Explanation):
        return draw_board(figures.explanation_picture(thing), theme)
    if isinstance(thing, GameTree):
        return draw_tree(tree_picture(thing, style), theme)
    if isinstance(thing, OpeningTheory):
        return draw_tree(figures.openings_picture(thing), theme)
    if isinstance(thing, Census):
        return figures.census_chart(thing, theme)
    if isinstance(thing, Match):
        return figures.match_chart(thing, theme)
    if isinstance(thing, Payoff):
        return draw_tree(figures.payoff_picture(thing), theme)
    if isinstance(thing, Guarantee):
        return draw_tree(guarantee_picture(thing), theme)
    if isinstance(thing, Patterns):
        return draw_tree(figures.patterns_picture(thing), theme)
    raise InvalidType(f"cannot draw a {type(thing).__name__}: give a board, a position, an explanation or a tree")
