"""The page of opening theory: first moves up to symmetry, the replies to each, and the advice that follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.analysis.explain.facts import counted
from noughts.analysis.explain.openings import OpeningTheory, ValuedMove, errors, openings
from noughts.analysis.payoff.guarantee import Guarantee
from noughts.analysis.payoff.patterns import Patterns, force, patterns
from noughts.analysis.policies.policy import POLICIES
from noughts.analysis.trees import DRAWN_NODES, NODE_LIMIT, GameTree, TreeNode, tree
from noughts.drawing.cards import draw_live_tree
from noughts.drawing.trees import guarantee_picture, tree_picture
from noughts.present.report import PIPE, Block, Commands, How, Paragraph, Report
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError, NoughtsError
from noughts.rules.marks import cells_of
from noughts.rules.position import Position
from noughts.verbs import guarantee
from noughts.verbs.openings import forms, report
from noughts.verbs.patterns import forms as forms_patterns
from noughts.verbs.patterns import report as report_patterns
from noughts.verbs.tree import forms as forms_tree
from noughts.verbs.tree import report as report_tree
from noughts.web.boards import blocks_of, picture
from noughts.web.kinds import kind_named
from noughts.web.links import Links, PageAnswer
from noughts.web.records import BoardGroup, Drawn, plural
from noughts.web.render import require_reach
from noughts.web.request import Ask


def answer_openings(ask: Ask) -> PageAnswer:
    """Return opening theory. Raises InputError for a finished game, BudgetError where values cost too much."""
    require_reach(ask.page, ask.on)
    theory = openings(ask.on, ask.given("from"))
    return PageAnswer("openings.html", "Openings", lambda links: _context(theory, links), forms(theory, PIPE))


def _context(theory: OpeningTheory, links: Links) -> dict[str, Any]:
    told = [block for part in report(theory).sections for block in part]
    where = {"from_": str(theory.start)} if theory.start.ply else {}
    return {
        "headline": next(block.text for block in told if isinstance(block, Paragraph)),
        "advice": theory.advice,
        "counted": counted(theory.board),
        "start": theory.start if theory.start.ply else None,
        "openings": [_opening(theory, opening, links) for opening in theory.openings],
        "hows": [block.text for block in told if isinstance(block, How)],
        "trees": [
            (words, links.page("tree", kind, **where))  # type: ignore[arg-type]
            for kind, words in (("openings", "Openings as a tree"), ("forced-wins", "How mistakes are punished"))
        ],
        "misere": theory.board.misere,
    }


def _opening(theory: OpeningTheory, opening: ValuedMove, links: Links) -> dict[str, Any]:
    replies = [_drawn(theory, reply, links, opening) for reply in opening.replies]
    said = f"{plural(len(replies), 'reply', 'replies')} up to symmetry: {errors(opening.replies)}" if replies else ""
    return {
        "name": theory.name(opening.cell),
        "board": _drawn(theory, opening, links),
        "said": said,
        "replies": replies,
    }


def _drawn(theory: OpeningTheory, move: ValuedMove, links: Links, opening: ValuedMove | None = None) -> dict[str, Any]:
    names = ", ".join(cell_name(theory.board, cell) for cell in cells_of(move.cells))
    verdict = theory.verdict(move, opening)
    return {
        "drawn": Drawn(picture(move.position, [move.cell]), links.position(move.position), names),
        "verdict": verdict,
        "errs": bool(move.loses or move.gives_up_win),
        "label": move.label or "not found",
    }


# The drawn boards up to symmetry, who can force which, and with `force` the strategy that does it.

_PICTURED = 120
"""Patterns that are drawn; the data have all."""


def answer_patterns(ask: Ask) -> PageAnswer:
    """Return the drawn patterns, or how one is forced. Raises InputError, BudgetError for boards of too many."""
    start, name, player = ask.given("from"), ask.given("force"), ask.given("by")
    if name is None:
        if player is not None:
            raise InputError("--by is about the strategy for a pattern: add --force NAME")
        found = patterns(ask.on, start)
        return PageAnswer(
            "patterns.html",
            "Drawn patterns",
            lambda links: _context_patterns(found, links),
            forms_patterns(found, PIPE),
        )
    made = force(ask.on, start, pattern=name, player=player)
    return PageAnswer("forced.html", "Forcing a draw", lambda links: _forced(made, links), guarantee.forms(made, PIPE))


def _context_patterns(found: Patterns, links: Links) -> dict[str, Any]:
    told = report_patterns(found)
    last = [block for block in told.sections[-1] if not isinstance(block, Commands)]
    return {
        "headline": told.headline,
        "found": found,
        "start": found.start if found.start.ply else None,
        "boards": [
            Drawn(
                picture(each.position),
                links.position(each.position),
                each.name,
                plural(each.boards, "board")
                + (", no longer possible" if found.start.ply and each.name not in found.possible else ""),
            )
            for each in found.patterns[:_PICTURED]
        ],
        "more": max(len(found.patterns) - _PICTURED, 0),
        "strategies": _strategies(found, links),
        "blocks": blocks_of(last, links),
    }


def _strategies(found: Patterns, links: Links) -> list[tuple[str, str]]:
    """Return a link to the strategy for each pattern that somebody can force from the start."""
    if not found.forcing:
        return []
    start = str(found.start) if found.start.ply else None
    here = found.forcing[0]
    wanted = [(player, name) for player, names in (("X", here.x), ("O", here.o)) for name in names]
    made = (
        (f"{player} forces {name}", links.page("patterns", force=name, by=player, from_=start))
        for player, name in wanted
    )
    return [(words, to) for words, to in made if to]


def _forced(found: Guarantee, links: Links) -> dict[str, Any]:
    told = guarantee.report(found)
    tree = guarantee_picture(found)
    shown = found.tree.placed()
    said: list[Block] = [block for part in told.sections for block in part if not isinstance(block, Commands)]
    return {
        "headline": told.headline,
        "blocks": blocks_of(said[1:], links),
        "picture": draw_live_tree(tree, lambda number: links.position(shown[number][0])),
        "tree": tree,
        "all": links.page("patterns"),
    }


# Trees of position classes: drawn, to be moved, zoomed and folded; and the same boards ply by ply.

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
    try:
        found = _found(ask)
    except InputError as error:
        if ask.form != "html":
            raise
        sentence = f"{error}."
        return PageAnswer("tree.html", _title(ask), lambda links: _absent(ask, sentence, links), command="")
    return PageAnswer("tree.html", _title(ask), lambda links: _context_tree(ask, found, links), forms_tree(found, PIPE))


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
    forced = _forced_tree(ask, links) if ask.what == "forced-wins" and not ask.query else []
    return {**_frame(ask, links), "absent": f"{sentence[0].upper()}{sentence[1:]}", "forced": forced}


def _forced_tree(ask: Ask, links: Links) -> list[Drawn]:
    """Return the replies that lose, each with a link to the tree of the wins that it allows."""
    try:
        theory = openings(ask.on)
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


def _context_tree(ask: Ask, found: GameTree, links: Links) -> dict[str, Any]:
    shown = found.placed()
    made = tree_picture(found)
    marks = {node.id: node.marks for node in made.nodes}

    def to(number: int) -> str | None:
        return links.position(_position(found, marks[number]))

    return {
        **_frame(ask, links),
        "blocks": blocks_of(_said(report_tree(found)), links),
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
