"""Pictures: boards, trees and charts as SVG, PNG, PDF, DOT and text.

Everything here takes plain values (a shape, a string of marks, numbers), so that any room above can draw with it.
"""

from noughts.drawing.board import BoardPicture, Note, draw_board
from noughts.drawing.cards import draw_tree
from noughts.drawing.chart import Series, chart_text, draw_chart
from noughts.drawing.dot import tree_dot
from noughts.drawing.files import printed_scale, save_picture, to_pdf, to_png
from noughts.drawing.pages import tree_pages
from noughts.drawing.palette import THEMES
from noughts.drawing.svg import Svg
from noughts.drawing.text import board_text, position_text
from noughts.drawing.tree import TreeBoard, TreeLink, TreePicture, tree_text

__all__ = [
    "THEMES",
    "BoardPicture",
    "Note",
    "Series",
    "Svg",
    "TreeBoard",
    "TreeLink",
    "TreePicture",
    "board_text",
    "chart_text",
    "draw_board",
    "draw_chart",
    "draw_tree",
    "position_text",
    "printed_scale",
    "save_picture",
    "to_pdf",
    "to_png",
    "tree_dot",
    "tree_pages",
    "tree_text",
]
