"""Pictures of game trees: best games by weight, both scores as fractions and decimals, one word a frame."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

import noughts
from noughts.drawing.cards import draw_tree, forest, measures
from noughts.drawing.figures import openings_picture
from noughts.drawing.layout import arrange, joins
from noughts.drawing.svg import LIGHT
from noughts.drawing.tree import TreePicture, tree_dot, tree_text
from noughts.drawing.trees import TreeStyle, tree_picture
from tests.analysis.oracle import Oracle, oracle
from tests.drawing.samples import TREE, wide_tree


def cards(picture: str) -> list[str]:
    return [group.split("</g>")[0] for group in picture.split("<g>")[1:]]


def best_positions(board: Oracle, start: str, distinct: bool) -> tuple[set[str], set[tuple[str, str]]]:
    """The classes and moves of all best games, by the scores of the oracle."""
    boards, moves, work = {board.canonical(start)}, set[tuple[str, str]](), [board.canonical(start)]
    while work:
        s = work.pop()
        if board.end(s):
            continue
        below = {board.canonical(board.put(s, c)) for c in board.block_rule(s)}
        choose = max if board.mover(s) == "X" else min
        best = choose(board.score(t, distinct) for t in below)
        for t in (t for t in below if board.score(t, distinct) == best):
            moves.add((s, t))
            if t not in boards:
                boards.add(t)
                work.append(t)
    return boards, moves


@pytest.mark.parametrize("scoring", ["moves", "classes"])
@pytest.mark.parametrize(
    ("spec", "shape", "start"),
    [("3x3", (3, 3, 3), ""), ("3x3", (3, 3, 3), "b1"), ("3x3", (3, 3, 3), "b2 a1 c3"), ("2x4:3", (2, 4, 3), "")],
)
def test_the_best_game_stands_out(spec, shape, start, scoring):
    board = oracle(*shape)
    at = noughts.parse_position(spec, start) if start else None
    found = tree_picture(noughts.tree(spec, at), TreeStyle(scoring))
    root = str(at or noughts.tree(spec).start).replace("/", "")
    boards, moves = best_positions(board, root, scoring == "classes")
    by_id = {node.id: board.canonical(node.marks) for node in found.nodes}
    assert {by_id[node.id] for node in found.nodes if node.best} == (boards if moves else set())
    assert {(by_id[link.source], by_id[link.target]) for link in found.links if link.best} == moves
    merged = {link.target for link in found.symmetric if link.best}
    carried = {link.target for link in found.carried if link.best}
    assert merged <= carried, "a board of a best game hangs where the best game comes from"


def test_the_best_game_is_told_by_weight():
    """Without colours a heavy frame and heavy lines are left."""
    tree = noughts.tree("3x3", opening="b1")
    picture = re.sub(r"#[0-9a-f]{6}", "#000000", noughts.draw(tree))
    heavy = [card for card in cards(picture) if re.search(r'<rect [^>]*stroke-width="3\.6"', card)]
    assert len(heavy) == len([card for card in cards(picture) if "best game" in card]) == 4
    lines = re.findall(r'<path d="([^"]*)"[^>]*stroke-width="3\.6"', picture)
    assert len(lines) == 3
    assert tree_text(tree_picture(tree)).count("best game") == 4
    assert tree_dot(tree_picture(tree)).count("penwidth=5") == 4 + 3
    # A heavy line starts where the one before ended: from the first board to the last.
    ends = [[float(n) for n in re.findall(r"-?[\d.]+", line)] for line in lines]
    assert [end[1] for end in ends] == sorted(end[1] for end in ends)


@pytest.mark.parametrize("distinct", [False, True])
def test_both_scorings_as_pictures(distinct):
    board, tree = oracle(3, 3, 3), noughts.tree("3x3")
    found = tree_picture(tree, TreeStyle("classes" if distinct else "moves"))
    places = tree_picture(tree, TreeStyle("classes" if distinct else "moves", decimals=3))
    assert ("distinct class" in found.note) == distinct
    scored = [(a, b) for a, b in zip(found.nodes, places.nodes, strict=True) if not a.outcome]
    assert len(scored) == sum(node.end is None for node in tree.nodes)
    for node, rounded in scored:
        score = board.score(board.canonical(node.marks), distinct)
        assert Fraction(node.captions[0]) == score
        assert rounded.captions[0] == f"{float(score):.3f}"
    assert "rounded to 3 decimals" in places.note


PICTURES = {
    "reduced": lambda: tree_picture(noughts.tree("3x3")),
    "full to the end": lambda: tree_picture(noughts.tree("3x3", "a1 b2 c3 a3 c1", kind="full")),
    "misere to the end": lambda: tree_picture(noughts.tree("3x3+misere", "a1 b2 c3 a3 c1", kind="full")),
    "forced wins": lambda: tree_picture(noughts.tree("3x3", "a1 b1", kind="forced-wins")),
    "policies": lambda: tree_picture(noughts.tree("3x3", kind="policy", x="perfect", o="random")),
    "openings": lambda: openings_picture(noughts.openings("3x3")),
    "misere openings": lambda: openings_picture(noughts.openings("3x3+misere")),
    "won at once": lambda: openings_picture(noughts.openings("2x2:1")),
    "won large board": lambda: openings_picture(noughts.openings("4x4:3")),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_key_has_the_words_of_the_boards(name):
    picture = PICTURES[name]()
    said: dict[str, set[str]] = {}
    for node in picture.nodes:
        if node.outcome:
            said.setdefault(node.outcome, set()).add(node.captions[0])
    for outcome, words in said.items():
        assert set(picture.words[outcome].split(", ")) == words
    # "Wins" is for games that are over, "can win" for those that are not.
    for node in picture.nodes:
        over = bool(node.lines) or "." not in node.marks
        if node.outcome in ("X", "O") and name != "won at once" and "openings" not in name:
            assert node.captions[0] == f"{node.outcome} {'wins' if over else 'can win'}"
    assert draw_tree(picture)


# Lines between boards: only on request, and never across a board, by the geometry of what is drawn.

SVG = "{http://www.w3.org/2000/svg}"
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
