"""A tree of boards for a web page: every board a link, with what a script needs to fold branches and to light them.

Shapes have classes and no colours: the style sheet of the page has these. Without it they are outlines. Groups have the
number of their board, of that above them, and of those that are the same elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

from noughts.drawing.board import Frame
from noughts.drawing.cards import forest, measures
from noughts.drawing.glyphs import number
from noughts.drawing.layout import Measures, arrange, best_stack
from noughts.drawing.text import position_text
from noughts.drawing.thumbnail import shapes
from noughts.drawing.tree import TreeBoard, TreePicture

__all__ = ["draw_live_tree"]

_CELL = 14.0
_PAD = 6.0
_LINE = 12.5
_MARGIN = 24.0
_STACKED = 300
"""Boards up to which the height of stacks is chosen for the shape of the page."""


def draw_live_tree(tree: TreePicture, to: Callable[[int], str | None]) -> str:
    """Return a tree as an inline SVG element; `to` gives the link of a board by its number, None where it has none."""
    size = measures(tree, _CELL)
    woods = forest(tree, size)
    placed = arrange(woods, size, best_stack(woods, size, 1.8) if len(tree.nodes) <= _STACKED else 6)
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN + 12
    above = {link.target: link.source for link in tree.carried}
    best = {(link.source, link.target) for link in tree.links if link.best}
    numbered = {link.target for link in tree.symmetric}
    ways = [
        f'<path class="way{" best" * ((above[child], child) in best)}" data-to="{child}" d="{_path(points)}"/>'
        for child, points in placed.ways.items()
    ]
    nodes = [
        _node(tree, node, _Place(placed.corners[node.id], size, above.get(node.id), to(node.id)), numbered)
        for node in tree.nodes
    ]
    head = (
        f'<svg class="live-tree" xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" role="group" aria-label="{escape(tree.title)}" fill="none" '
        'stroke="currentColor">'
    )
    return "\n".join([head, f'<g class="ways">{"".join(ways)}</g>', *nodes, "</svg>"])


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x + _MARGIN)} {number(y + _MARGIN)}" for x, y in points)


@dataclass(frozen=True)
class _Place:
    """Where a board stands, how large its card is, the board above it, and where it leads."""

    corner: tuple[float, float]
    size: Measures
    above: int | None
    to: str | None


def _node(tree: TreePicture, node: TreeBoard, place: _Place, numbered: set[int]) -> str:
    """Return a board as a group: its frame and marks in a link, its number, and those of the same boards elsewhere."""
    x, y = (number(at + _MARGIN) for at in place.corner)
    said = ", ".join([*node.captions, *["best game"] * node.best]) or "open"
    label = escape(f"{position_text(tree.shape, node.marks)}: {said}")
    same = sorted({link.target for link in tree.symmetric_from.get(node.id, ())})
    kind = {"X": "of-x", "O": "of-o", "draw": "of-draw"}.get(node.outcome, "of-none")
    classes = " ".join(["node", kind, *["fork"] * node.fork, *["best"] * node.best])
    data = f'id="n{node.id}" data-node="{node.id}"'
    data += f' data-above="{place.above}"' if place.above is not None else ""
    data += f' data-same="{" ".join(map(str, same))}"' if same else ""
    begin, end = "<g>", "</g>"
    if place.to:
        begin, end = f'<a href="{escape(place.to)}" tabindex="-1" aria-label="{label}">', "</a>"
    parts = [begin, f"<title>{label}</title>", _card(tree, node, place.size), end]
    if node.id in numbered:
        parts.append(f'<text class="number" x="0" y="-5">#{node.id}</text>')
    parts += _at_foot(place.size, same, bool(tree.children.get(node.id)))
    return f'<g class="{classes}" {data} transform="translate({x} {y})">{"".join(parts)}</g>'


def _at_foot(size: Measures, same: list[int], has_children: bool) -> Iterator[str]:
    """Yield what stands at the foot of a card: links to the same boards elsewhere, and what folds the branch."""
    middle, foot = size.card_width / 2, size.card_height
    if same:
        words = "".join(f'<a href="#n{each}" tabindex="-1">#{each}</a> ' for each in same)
        yield f'<text class="number" x="{number(middle + 8)}" y="{number(foot + 10)}">= {words}</text>'
    if has_children:
        place = f'transform="translate({number(middle)} {number(foot + 5)})"'
        yield f'<g class="fold" {place}><circle r="5.5"/><path d="M-3 0h6"/><path class="more" d="M0 -3v6"/></g>'


def _card(tree: TreePicture, node: TreeBoard, size: Measures) -> str:
    """Return the frame, the board and the captions: sharp corners for X, round ones for O, dashes for a draw."""
    width, height = size.card_width, size.card_height
    radius = {"X": 0.0, "O": min(width, height) * 0.22}.get(node.outcome, 3.0)
    parts = []
    if node.best:
        parts.append(_rectangle("heavy", 3.0, width, height, 4.0))
    if node.fork:
        parts.append(_rectangle("second", 6.0 if node.best else 3.4, width, height, 4.0))
    parts.append(_rectangle("frame", 0.0, width, height, radius))
    frame = Frame(tree.shape, 0, 0, _CELL, _CELL * 0.5)
    board = shapes(tree.shape, node.marks, lines=node.lines, last=[] if node.last is None else [node.last])
    left = (width - frame.width) / 2
    parts.append(f'<g transform="translate({number(left)} {number(_PAD)}) scale({number(_CELL / 10)})">{board}</g>')
    for line, text in enumerate(node.captions, 1):
        base = number(_PAD + frame.height + line * _LINE - 0.6)
        parts.append(f'<text x="{number(width / 2)}" y="{base}">{escape(text)}</text>')
    return "".join(parts)


def _rectangle(name: str, out: float, width: float, height: float, radius: float) -> str:
    sides = (
        f'x="{number(-out)}" y="{number(-out)}" width="{number(width + 2 * out)}" height="{number(height + 2 * out)}"'
    )
    return f'<rect class="{name}" {sides} rx="{number(radius)}"/>'
