"""Opening theory; drawn patterns and who can force them; trees of position classes with their boards ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from noughts.analysis.drawn import DrawnPattern
from noughts.analysis.explain.answers import most_losing_answers
from noughts.analysis.explain.openings import OpeningMove, OpeningTheory, replied
from noughts.analysis.explain.wording import counted
from noughts.analysis.payoff.guarantee import Guarantee
from noughts.analysis.payoff.patterns import Patterns
from noughts.analysis.policies.policy import POLICIES
from noughts.analysis.trees import DRAWN_NODES, GameTree, TreeNode
from noughts.drawing.cards import draw_live_tree
from noughts.drawing.trees import guarantee_picture, tree_picture
from noughts.present.report import Block, Commands, How, Paragraph
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.position import Position
from noughts.rules.values import begun
from noughts.verbs import guarantee
from noughts.verbs.explain import losing, losing_unit
from noughts.verbs.openings import in_order, report, sentences, tree_command
from noughts.verbs.patterns import FORCE
from noughts.verbs.patterns import report as report_patterns
from noughts.verbs.tree import report as report_tree
from noughts.web.addresses import command_of, spoken
from noughts.web.boards import blocks_of, command_link, picture
from noughts.web.kinds import answered
from noughts.web.links import Links, PageAnswer
from noughts.web.records import BoardGroup, Drawn, plural
from noughts.web.render import require_reach
from noughts.web.request import Ask


def answer_openings(ask: Ask) -> PageAnswer:
    """Return opening theory. Raises InputError for a finished game, BudgetError if the values cost too much."""
    require_reach(ask.page, ask.on)
    found = answered(ask)
    return PageAnswer("openings.html", "Openings", lambda links: _context(found.result, links), found.forms)


def _context(theory: OpeningTheory, links: Links) -> dict[str, Any]:
    blocks = [block for part in report(theory).sections for block in part]
    start, has_threats = theory.start if theory.start.ply else None, theory.board.rules.has_threats
    trees = (("openings", "Openings as a tree"), *[("forced-wins", "How mistakes are punished")] * has_threats)
    return {
        "headline": next(block.text for block in blocks if isinstance(block, Paragraph)),
        "advice": sentences(theory),
        "counted": counted(theory.board),
        "losing": losing_unit(in_order(theory)),
        "start": start,
        "openings": [_opening(theory, opening, links) for opening in theory.openings],
        "hows": [block.text for block in blocks if isinstance(block, How)],
        "trees": [(words, links.page("tree", kind, from_=start)) for kind, words in trees],
        "misere": theory.board.misere,
    }


def _opening(theory: OpeningTheory, opening: OpeningMove, links: Links) -> dict[str, Any]:
    replies = [_drawn(theory, reply, links, opening) for reply in opening.replies]
    return {
        "name": theory.name(opening.cell),
        "board": _drawn(theory, opening, links),
        "said": f"{replied(opening.replies)}, up to symmetry" if replies else "",
        "most": most_losing_answers(opening.replies),
        "tree": command_link(tree_command(opening.position), links) if replies else None,
        "replies": replies,
    }


def _drawn(
    theory: OpeningTheory, move: OpeningMove, links: Links, opening: OpeningMove | None = None
) -> dict[str, Any]:
    names = ", ".join(map(str, move.cells))
    verdict, lost = theory.verdict(move, opening), losing([move])[0]
    return {
        "drawn": Drawn(picture(move.position, [move.cell]), links.position(move.position), names),
        "verdict": verdict,
        "errs": bool(move.loses or move.gives_up_win),
        "label": (move.label or "not found") + f"; {lost} answers lose" * bool(lost),
        "tree": command_link(tree_command(move.position), links) if lost and opening else None,
    }


_PICTURED = 120
"""Maximum number of patterns on a page; the data have all."""


def answer_patterns(ask: Ask) -> PageAnswer:
    """Return the drawn patterns, or the strategy that forces one. Raises InputError, BudgetError for large boards."""
    found = answered(ask)
    if ask.given("force") is None:
        return PageAnswer(
            "patterns.html", "Drawn patterns", lambda links: _context_patterns(found.result, links), found.forms
        )
    return PageAnswer("forced.html", "Forcing a draw", lambda links: _forced(found.result, links), found.forms)


def _context_patterns(found: Patterns, links: Links) -> dict[str, Any]:
    content = report_patterns(found)
    signs = dict(zip(found.names, found.signs, strict=False))

    def drawn(each: DrawnPattern) -> Drawn:
        gone = ", no longer possible" if found.start.ply and each.name not in found.possible else ""
        sign = f", {signs[each.name]}" if signs else ""
        words = plural(each.boards, "board") + sign + gone
        return Drawn(picture(each.position), links.position(each.position), each.name, words)

    return {
        "headline": content.headline,
        "force": FORCE,
        "found": found,
        "start": found.start if found.start.ply else None,
        "boards": [drawn(each) for each in found.patterns[:_PICTURED]],
        "more": max(len(found.patterns) - _PICTURED, 0),
        "strategies": _strategies(found, links),
        "blocks": blocks_of(_text_blocks(content.sections[-1:]), links),
    }


def _strategies(found: Patterns, links: Links) -> list[tuple[str, str]]:
    """Return a link to the strategy for each pattern that a player can force from the start."""
    if not found.forcing:
        return []
    start = str(found.start) if found.start.ply else None
    wanted = [("X", name) for name in found.forcing[0].x] + [("O", name) for name in found.forcing[0].o]
    made = [(who, name, links.page("patterns", force=name, by=who, from_=start)) for who, name in wanted]
    return [(f"{who} forces {name}", to) for who, name, to in made if to]


def _forced(found: Guarantee, links: Links) -> dict[str, Any]:
    content = guarantee.report(found)
    tree = guarantee_picture(found)
    shown = found.tree.placed()
    return {
        "headline": content.headline,
        "blocks": blocks_of(_text_blocks(content.sections)[1:], links),
        "picture": draw_live_tree(tree, lambda number: links.position(shown[number][0])),
        "tree": tree,
        "all": links.page("patterns"),
    }


_WORDS = {
    "reduced": "forced moves only, until a win or draw is certain, with scores",
    "full": "all moves",
    "openings": "first moves and replies",
    "forced-wins": "every way to force a fork",
    "policy": "the games between two policies",
}


def answer_tree(ask: Ask) -> PageAnswer:
    """Return a tree, or its first two plies if it is too large to draw, or why the board has none of this kind.

    Raises InputError for invalid requests, BudgetError for large trees.
    """
    drawn: dict[str, Any] = {"limit": DRAWN_NODES} if ask.form == "html" else {}
    try:
        found = answered(ask, kind=ask.what, **drawn)
    except BudgetError as error:
        if ask.form != "html" or ask.given("depth"):
            raise
        return _begun_tree(replace(ask, what=ask.what if ask.what == "policy" else "full"), error)
    except InputError as error:
        if ask.form != "html":
            raise
        sentence = f"{spoken(str(error), ask)}."
        return PageAnswer("tree.html", _title(ask), lambda links: _absent(ask, sentence, links), command="")
    return PageAnswer("tree.html", _title(ask), lambda links: _context_tree(ask, found.result, links), found.forms)


def _begun_tree(ask: Ask, error: BudgetError) -> PageAnswer:
    """Return the page of the first two plies, with the size of the tree that was asked for."""
    ask = ask.changed(depth=2)
    found = answered(ask, kind=ask.what, limit=DRAWN_NODES)
    size = str(error).partition(": ")[0]
    size += ", too many to draw" * ("nodes" in size)
    note = f"{begun(size)}. Here are all first moves and replies."
    return PageAnswer(
        "tree.html",
        _title(ask),
        lambda links: {**_context_tree(ask, found.result, links), "note": note},
        command=command_of(ask),
    )


def _title(ask: Ask) -> str:
    return f"{begun(ask.what).replace('-', ' ')} tree" if ask.what != "policy" else "Tree of policies"


def _frame(ask: Ask, links: Links) -> dict[str, Any]:
    """Return the parts of every tree page: the kinds of tree, and the policies to choose."""
    start = ask.given("from")
    return {
        "kind": ask.what,
        "kinds": [(kind, words, links.page("tree", kind, from_=start)) for kind, words in _WORDS.items()],
        "policies": [(name, ask.given(name) or "random", POLICIES) for name in ("x", "o")],
        "from": start or "",
        "absent": "",
        "note": "",
        "blocks": [],
        "groups": [],
        "picture": "",
        "tree": None,
        "is_scored": False,
        "players": ask.on.rules.players,
    }


def _absent(ask: Ask, sentence: str, links: Links) -> dict[str, Any]:
    return {**_frame(ask, links), "absent": begun(sentence)}


def _context_tree(ask: Ask, found: GameTree, links: Links) -> dict[str, Any]:
    shown = found.placed()
    made = tree_picture(found)
    marks = {node.id: node.marks for node in made.nodes}

    def to(number: int) -> str | None:
        x, o = (sum(1 << cell for cell, mark in enumerate(marks[number]) if mark == player) for player in "XO")
        return links.position(Position(found.board, x, o))

    def drawn(node: TreeNode) -> Drawn:
        position, last = shown[node.id]
        words = [node.end] * bool(node.end) + [f"score {node.score}"] * (node.score is not None) + ["fork"] * node.fork
        made = picture(position, [] if last is None else [last])
        return Drawn(made, links.position(position), "", ", ".join(map(str, words)))

    by_ply: dict[int, list[Drawn]] = {}
    for node in sorted(found.nodes, key=lambda node: node.position.ply):
        by_ply.setdefault(node.position.ply, []).append(drawn(node))
    return {
        **_frame(ask, links),
        "blocks": blocks_of(_text_blocks(report_tree(found).sections), links),
        "picture": draw_live_tree(made, to) if len(found.nodes) > 1 else "",
        "tree": made,
        "is_scored": found.kind != "forced-wins" and found.root.score is not None and found.root.end is None,
        "groups": [BoardGroup(f"Ply {ply}", len(boards), boards) for ply, boards in by_ply.items()],
    }


def _text_blocks(sections: Sequence[Sequence[Block]]) -> list[Block]:
    """Return the blocks of a report without its commands."""
    return [block for part in sections for block in part if not isinstance(block, Commands)]
