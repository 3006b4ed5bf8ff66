"""Two boards or two games: are they the same? By which turn or flip, what it makes of each move, and every image."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noughts.analysis.records.comparison import Comparison, GameComparison
from noughts.present.report import Block, Commands, Table, Verbatim
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from noughts.rules.marks import Mask, cells_of, mask_of
from noughts.rules.position import Position
from noughts.rules.symmetry import is_identity
from noughts.verbs.same import game_report, report
from noughts.web.boards import blocks_of, named_picture
from noughts.web.kinds import answered
from noughts.web.links import Links, PageAnswer
from noughts.web.records import Drawn
from noughts.web.render import require_reach
from noughts.web.request import Ask

_MOST_IMAGES = 48
"""Maximum number of images on a page; the data have all."""


def answer_same(ask: Ask) -> PageAnswer:
    """Return the comparison of two boards or games; without them, the empty form. Raises InputError, BudgetError."""
    require_reach(ask.page, ask.on)
    missing = [name for name in ("first", "second") if ask.given(name) is None]
    if missing and ask.form != "html":
        raise InputError(f"the {missing[0]} board is missing: add ?{missing[0]}=X.O/.X./..O, or the moves of a game")
    if missing:
        return PageAnswer("same.html", "The same?", lambda links: _empty(ask, links), command="")
    found = answered(ask)
    return PageAnswer("same.html", "The same?", lambda links: _context(ask, found.result, links), found.forms)


def _empty(ask: Ask, links: Links) -> dict[str, Any]:
    board = ask.on
    corners = [cell_name(board, cell) for cell in (0, board.cells - 1)]
    games = [("a1 b1 c1 a2", "c1 b1 a1 a2")] if board.spec == "3x3:3" else []
    pairs = [(corners[0], corners[1]), *games]
    return {
        "first": ask.given("first") or "",
        "second": ask.given("second") or "",
        "headline": "",
        "boards": [],
        "images": [],
        "more": 0,
        "blocks": [],
        "examples": [(f"{a} and {b}", links.page("same", first=a, second=b)) for a, b in pairs],
    }


def _context(ask: Ask, found: Comparison | GameComparison, links: Links) -> dict[str, Any]:
    is_games = isinstance(found, GameComparison)
    content = game_report(found) if isinstance(found, GameComparison) else report(found)
    drawn = found.boards if isinstance(found, GameComparison) else found
    hidden = (Verbatim, Commands) if is_games else (Verbatim, Commands, Table)
    blocks: list[Block] = [b for part in content.sections for b in part if not isinstance(b, hidden)]
    images = _images(drawn.images, links)
    return {
        **_empty(ask, links),
        "headline": content.headline,
        "boards": _pair(found, drawn, links),
        "images": images[:_MOST_IMAGES],
        "more": max(len(images) - _MOST_IMAGES, 0),
        "blocks": blocks_of(blocks[1:], links),
    }


def _pair(found: Comparison | GameComparison, drawn: Comparison, links: Links) -> list[Drawn]:
    """Return both boards, and between them the image of the first under the first symmetry that is named."""
    thing, last = "board", [list[int](), list[int]()]
    if isinstance(found, GameComparison):
        thing, last = "game", [list(game[-1:]) for game in (found.first, found.second)]
    middle = []
    if found.symmetries and not is_identity(found.symmetries[0]):
        symmetry = found.symmetries[0]

        def moved(marks: Mask) -> Mask:
            return mask_of(symmetry[cell] for cell in cells_of(marks))

        image = Position(found.board, moved(drawn.first.x), moved(drawn.first.o))
        middle = [Drawn(named_picture(image, [symmetry[cell] for cell in last[0]]), None, "its image", found.words[0])]
    first, second = (
        Drawn(named_picture(at, cells), _to(at, links), f"{which} {thing}", "")
        for at, cells, which in zip((drawn.first, drawn.second), last, ("first", "second"), strict=True)
    )
    return [first, *middle, second]


def _images(images: Mapping[str, Position] | None, links: Links) -> list[Drawn]:
    """Return each image of a board once, with the symmetries that make it."""
    names: dict[Position, list[str]] = {}
    for words, image in (images or {}).items():
        names.setdefault(image, []).append(words)
    return [Drawn(named_picture(at), _to(at, links), "", "; ".join(words[:4])) for at, words in names.items()]


def _to(at: Position, links: Links) -> str | None:
    """Return the link to a position that play can reach."""
    return None if at.problems() else links.position(at)
