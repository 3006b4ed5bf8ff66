"""Pictures of game trees: best games by weight, both scores as fractions and decimals, one word a frame."""

from __future__ import annotations

from fractions import Fraction

import pytest

import noughts
from noughts.drawing.cards import draw_tree
from noughts.drawing.figures import openings_picture
from noughts.drawing.trees import TreeStyle, tree_picture
from tests.analysis.oracle import Oracle, oracle


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
    at = noughts.rules.parse_position(spec, start) if start else None
    found = tree_picture(noughts.tree(spec, at), TreeStyle(scoring))
    root = str(at or noughts.tree(spec).start).replace("/", "")
    boards, moves = best_positions(board, root, scoring == "classes")
    by_id = {node.id: board.canonical(node.marks) for node in found.nodes}
    assert {by_id[node.id] for node in found.nodes if node.best} == (boards if moves else set())
    assert {(by_id[link.source], by_id[link.target]) for link in found.links if link.best} == moves
    merged = {link.target for link in found.symmetric if link.best}
    carried = {link.target for link in found.carried if link.best}
    assert merged <= carried, "a board of a best game hangs where the best game comes from"


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
