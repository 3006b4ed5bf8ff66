"""Lines between boards: only on request, and never across a board, by the geometry of what is drawn."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

import noughts
from noughts.drawing.cards import draw_tree, forest, measures
from noughts.drawing.gametree import TreeStyle, tree_picture
from noughts.drawing.joins import joins
from noughts.drawing.layout import arrange
from noughts.drawing.pages import tree_pages
from noughts.drawing.palette import LIGHT
from noughts.drawing.tree import TreePicture

from .samples import TREE, wide_tree

SVG = "{http://www.w3.org/2000/svg}"
DASHED = 'stroke-dasharray="4 3"'
TREES: dict[str, tuple[str, dict[str, Any]]] = {
    "edge opening": ("3x3", {"opening": "b1"}),
    "reduced": ("3x3", {}),
    "misere": ("3x3+misere", {"kind": "full", "depth": 4, "start": "b2 a1 a2"}),
    "oblong": ("2x4:3", {}),
    "large board": ("4x4:3", {"kind": "full", "depth": 2, "start": "b2 c3 a1"}),
    "policies": ("3x3", {"kind": "policy", "x": "perfect", "o": "perfect", "start": "a1 b2"}),
    "solid": ("2x2x2", {"kind": "full", "depth": 3}),
}


def drawn(name: str, join: bool = True) -> TreePicture:
    board, asked = TREES[name]
    return tree_picture(noughts.tree(board, **asked), TreeStyle(join=join))


def boxes_and_joins(picture: str) -> tuple[list[tuple[float, float, float, float]], list[list[tuple[float, float]]]]:
    """The frames of all boards, and the dashed lines between them, as they stand in the file."""
    root = ET.fromstring(picture)
    boxes = []
    for group in root.iter(f"{SVG}g"):
        frames = [[float(r.get(key, 0)) for key in ("x", "y", "width", "height")] for r in group.iter(f"{SVG}rect")]
        x, y, width, height = max(frames, key=lambda f: f[2] * f[3])
        boxes.append((x, y, x + width, y + height))
    lines = []
    for path in root.iter(f"{SVG}path"):
        if path.get("stroke-dasharray") == "4 3" and path.get("stroke") == LIGHT["second"]:
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get("d", ""))]
            lines.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return boxes, lines[:-1]  # the last is the one in the key


def crosses(box: tuple[float, float, float, float], a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a level or upright segment runs through the inside of a box."""
    assert a[0] == b[0] or a[1] == b[1]
    left, right, top, foot = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
    return left < box[2] and right > box[0] and top < box[3] and foot > box[1]


@pytest.mark.parametrize("name", TREES)
def test_no_line_crosses_a_board(name: str) -> None:
    tree = drawn(name)
    boxes, lines = boxes_and_joins(draw_tree(tree))
    assert len(boxes) == len(tree.nodes)
    assert len(lines) == len(tree.symmetric)
    size = measures(tree)
    for line in lines:
        # What stands out has a frame outside the board's own: a line may reach through that to the board.
        first, last = line[0], line[-1]
        for box in boxes:
            inner = (box[0] + 8, box[1] + 8, box[2] - 8, box[3] - 8) if box[2] - box[0] > size.card_width else box
            assert not any(crosses(inner, a, b) for a, b in pairwise(line))
        assert any(box[0] < first[0] < box[2] and abs(first[1] - box[3]) < 7 for box in boxes), "leaves at a foot"
        assert any(box[0] < last[0] < box[2] and abs(last[1] - box[1]) < 7 for box in boxes), "ends at a head"


@pytest.mark.parametrize("tree", [TREE, wide_tree(4, 3), wide_tree(9, 7)], ids=["small", "wide", "wider"])
@pytest.mark.parametrize("stack", [1, 2, 5])
def test_lines_lead_from_each_board_to_the_right_one_beside_all_others(tree: TreePicture, stack: int) -> None:
    tree = TreePicture(tree.shape, tree.nodes, tree.links, joined=True)
    size = measures(tree)
    corners = arrange(forest(tree, size), size, stack).corners
    pairs = [(link.source, link.target) for link in tree.symmetric]
    found = joins(corners, pairs, size)
    assert len(found) == len(pairs) > 0
    for (source, target), line in zip(pairs, found, strict=True):
        assert line[0][1] == corners[source][1] + size.card_height
        assert line[-1][1] == corners[target][1]
        for end, node in ((line[0], source), (line[-1], target)):
            assert corners[node][0] < end[0] < corners[node][0] + size.card_width
        for x, y in corners.values():
            box = (x, y, x + size.card_width, y + size.card_height)
            assert not any(crosses(box, a, b) for a, b in pairwise(line))


def test_lines_are_on_request() -> None:
    for theme in ("light", "dark", "auto"):
        assert DASHED not in draw_tree(drawn("edge opening", join=False), theme)
        assert DASHED in draw_tree(drawn("edge opening"), theme)
    assert not any(DASHED in page for page in tree_pages(drawn("edge opening", join=False)))
    assert any(DASHED in page for page in tree_pages(drawn("edge opening")))


def test_the_numbers_stay() -> None:
    """A board that several paths reach is found by its number, with lines or without."""
    tree = drawn("edge opening", join=False)
    merged = {link.target for link in tree.symmetric}
    assert merged
    assert "drawn elsewhere" not in draw_tree(TreePicture(tree.shape, tree.nodes, tree.carried))
    text = ET.fromstring(draw_tree(tree)).findtext(f"{SVG}desc") or ""
    assert all(f"= #{number}\n" in text + "\n" for number in merged)


def solid_lines(picture: str) -> list[list[tuple[float, float]]]:
    """The solid lines of links, plain and heavy, as they stand in the file."""
    found = []
    for path in ET.fromstring(picture).iter(f"{SVG}path"):
        heavy = (path.get("stroke"), path.get("stroke-width"))
        if heavy in ((LIGHT["soft"], "1.2"), (LIGHT["ink"], "3.6")):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.get("d", ""))]
            found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


@pytest.mark.parametrize("name", sorted(TREES))
def test_on_every_page_the_lines_of_links_end_at_boards(name: str) -> None:
    lines = 0
    for page in tree_pages(drawn(name, join=False)):
        boxes, _ = boxes_and_joins(page)
        foot = max(box[3] for box in boxes)
        links = solid_lines(page)
        lines += len(links)
        for line in links:
            for x, y in (line[0], line[-1]):
                at_a_board = any(a - 8 <= x <= c + 8 and b - 8 <= y <= d + 8 for a, b, c, d in boxes)
                on_a_line = any(on_way(other, x, y) for other in links if other is not line)
                assert at_a_board or on_a_line, (x, y)
                assert y <= foot, "a line runs into the key"
    assert lines


def on_way(line: list[tuple[float, float]], x: float, y: float) -> bool:
    """Whether a point is on a level or upright line."""
    return any(
        min(a[0], b[0]) - 0.1 <= x <= max(a[0], b[0]) + 0.1 and min(a[1], b[1]) - 0.1 <= y <= max(a[1], b[1]) + 0.1
        for a, b in pairwise(line)
    )


@pytest.mark.parametrize("name", ["edge opening", "reduced"])
def test_the_key_of_a_page_explains_what_is_on_it(name: str) -> None:
    told = []
    for page in tree_pages(drawn(name, join=False)):
        shown = "best game</title>" in page
        told.append(shown)
        assert ('stroke-width="3.6"' in page) == shown
    assert any(told)
