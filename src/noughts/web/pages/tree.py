"""Trees of position classes: drawn, to be moved, zoomed and folded; and the same boards ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.domain.errors import InputError, NoughtsError
from noughts.domain.position import Position
from noughts.drawing.gametree import tree_picture
from noughts.drawing.livetree import draw_live_tree
from noughts.reports.page import PIPE, Block, Commands, Report
from noughts.reports.play.tree import forms, report
from noughts.strategy.gametree import DRAWN_NODES, NODE_LIMIT, GameTree, TreeNode
from noughts.strategy.openings import openings
from noughts.strategy.policies import POLICIES
from noughts.strategy.trees import tree
from noughts.web.ask import Ask
from noughts.web.blocks import blocks_of
from noughts.web.boards import picture
from noughts.web.kinds import kind_named
from noughts.web.links import Links
from noughts.web.listed import BoardGroup
from noughts.web.page import PageAnswer
from noughts.web.recorded import Drawn

__all__ = ["answer_tree"]

_DRAWN = ("html", "svg", "png", "pdf")
_WORDS = {
    "reduced": "forced moves only, cut where the rest is known, with scores",
    "full": "all moves",
    "openings": "first moves and replies",
    "forced-wins": "every way to force a fork",
    "policy": "what two ways of playing leave",
}


def answer_tree(ask: Ask) -> PageAnswer:
    """Return a tree; where a board has none of its kind, a page that says so.

    Raises InputError for what makes no sense, BudgetError where a tree is too large.
    """
    assert ask.board is not None
    try:
        found = _found(ask)
    except InputError as error:
        if ask.form != "html":
            raise
        sentence = f"{error}."
        return PageAnswer("tree.html", _title(ask), lambda links: _absent(ask, sentence, links), command="")

    return PageAnswer("tree.html", _title(ask), lambda links: _context(ask, found, links), forms(found, PIPE))


def _found(ask: Ask) -> GameTree:
    depth = ask.given("depth")
    return tree(
        ask.board or "3x3",
        ask.given("from"),
        kind=ask.what,
        opening=ask.given("opening"),
        depth=None if depth is None else int(depth),
        x=ask.given("x") or "random",
        o=ask.given("o") or "random",
        limit=DRAWN_NODES if ask.form in _DRAWN else NODE_LIMIT,
    )


def _title(ask: Ask) -> str:
    return f"{ask.what[0].upper()}{ask.what[1:].replace('-', ' ')} tree" if ask.what != "policy" else "Tree of policies"


def _frame(ask: Ask, links: Links) -> dict[str, Any]:
    """Return what every tree page has: the kinds of tree, and who plays in a tree of policies."""
    board = ask.board
    assert board is not None
    kinds = kind_named("tree").whats
    return {
        "kind": ask.what,
        "kinds": [(kind, _WORDS[kind], links.page("tree", kind, from_=ask.given("from"))) for kind in kinds],
        "policies": [(name, ask.given(name) or "random", POLICIES) for name in ("x", "o")],
        "from": ask.given("from") or "",
        "absent": "",
        "forced": [],
        "blocks": [],
        "groups": [],
        "picture": "",
        "tree": None,
        "is_scored": False,
    }


def _absent(ask: Ask, sentence: str, links: Links) -> dict[str, Any]:
    forced = _forced(ask, links) if ask.what == "forced-wins" and not ask.query else []
    return {**_frame(ask, links), "absent": f"{sentence[0].upper()}{sentence[1:]}", "forced": forced}


def _forced(ask: Ask, links: Links) -> list[Drawn]:
    """Return the replies that lose, each with a link to the tree of the wins that it allows."""
    assert ask.board is not None
    try:
        theory = openings(ask.board)
    except NoughtsError:
        return []
    found = []
    for opening in theory.openings:
        for reply in opening.replies:
            if reply.loses and not reply.position.is_terminal:
                name = f"{theory.name(opening.cell)}, {theory.name(reply.cell)}"
                to = links.page("tree", "forced-wins", from_=str(reply.position))
                found.append(Drawn(picture(reply.position, [reply.cell]), to, name, theory.verdict(reply, opening)))
    return found


def _context(ask: Ask, found: GameTree, links: Links) -> dict[str, Any]:
    shown = found.placed()
    made = tree_picture(found)
    marks = {node.id: node.marks for node in made.nodes}

    def to(number: int) -> str | None:
        return links.position(_position(found, marks[number]))

    return {
        **_frame(ask, links),
        "blocks": blocks_of(_said(report(found)), links),
        "picture": draw_live_tree(made, to) if len(found.nodes) > 1 else "",
        "tree": made,
        "is_scored": found.root.score is not None and found.root.end is None,
        "groups": [_group(found, ply, nodes, shown, links) for ply, nodes in _by_ply(found)],
    }


def _position(found: GameTree, marks: str) -> Position:
    x, o = (sum(1 << cell for cell, mark in enumerate(marks) if mark == player) for player in "XO")
    return Position(found.board, x, o)


def _said(told: Report) -> list[Block]:
    """Return all that a report says but its commands."""
    return [block for part in told.sections for block in part if not isinstance(block, Commands)]


def _by_ply(found: GameTree) -> list[tuple[int, list[TreeNode]]]:
    plies = sorted({node.position.ply for node in found.nodes})
    return [(ply, [node for node in found.nodes if node.position.ply == ply]) for ply in plies]


def _group(found: GameTree, ply: int, nodes: Sequence[TreeNode], shown: dict[int, Any], links: Links) -> BoardGroup:
    boards = []
    for node in nodes:
        position, last = shown[node.id]
        words = [node.end] * bool(node.end) + [f"score {node.score}"] * (node.score is not None) + ["fork"] * node.fork
        to = links.position(position)
        boards.append(Drawn(picture(position, [] if last is None else [last]), to, "", ", ".join(map(str, words))))
    return BoardGroup(f"Ply {ply}", len(nodes), boards)
