"""Pages from templates, the files that they share, and which pages each board has."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from noughts._version import __version__
from noughts.analysis.records.catalogue import ARRAY_CELLS, ARRAY_CLASSES, about_classes
from noughts.drawing.svg import DARK, LIGHT
from noughts.present.report import DIGITS, brief
from noughts.rules.board import Board, require_marking, require_own_marks
from noughts.rules.errors import BudgetError, shown
from noughts.rules.game import LISTED_CLASSES, QUICK_CLASSES, class_bound
from noughts.rules.position import Position
from noughts.web.links import Links
from noughts.web.request import MEDIA, Form, NotFound, PageReply

_HERE = Path(__file__).parent
MEDIA_OF = {
    ".html": MEDIA["html"],
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": MEDIA["svg"],
    ".png": MEDIA["png"],
}
_STRONG = {"o-mark": ("#d55e00", "#ff9d5c"), "x-mark": ("#0072b2", "#6cc0f2")}
"""The colours of large marks, which need less contrast than text."""


@lru_cache(maxsize=1)
def _assets() -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted((_HERE / "static").iterdir()) if path.suffix in MEDIA_OF}
    return {**found, "palette.css": _palette().encode()}


def asset(name: str) -> bytes | None:
    """Return the bytes of a style sheet, a script or the icon, None for any other name."""
    return _assets().get(name)


def asset_reply(name: str) -> PageReply:
    """Return a file that pages share. Raises NotFound."""
    body = asset(name)
    if body is None:
        raise NotFound(f"the file {shown(name)} does not exist")
    return PageReply(200, MEDIA_OF[Path(name).suffix], body)


def _palette() -> str:
    """Return the colours as custom properties, and as rules for the shapes of inline pictures."""
    roles = {role: (colour, DARK[role]) for role, colour in LIGHT.items()} | _STRONG
    light = "".join(f"--{role}:{colours[0]};" for role, colours in roles.items())
    dark = "".join(f"--{role}:{colours[1]};" for role, colours in roles.items())
    shapes = "".join(f".n-s-{role}{{stroke:var(--{role})}}.n-f-{role}{{fill:var(--{role})}}\n" for role in LIGHT)
    return (
        f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n{shapes}"
    )


_CLASSES = dict.fromkeys(("endings", "positions", "match"), ARRAY_CLASSES) | {"crib": 30_000, "menace": 3_000}
"""Maximum bounds on position classes for lists, the smallest table and matchboxes on pages."""
_CELLS = 36
"""Maximum cells for a page that searches all first moves and replies."""
_MOST_CELLS = {"openings": _CELLS, "tree": 64, "patterns": 24, "blindfold": 64, "same": 64}
"""Maximum cells of a board that may have such a page."""
_PUZZLED = 64
"""Maximum cells for puzzles and exercises; tiny boards, and those of short lines, may have none."""


_OWNED = ("patterns", "blindfold", "crib", "menace", "sheets")
"""The pages of boards on which marks name the players."""
_MARKING = ("patterns", "blindfold", "crib", "menace")
"""The pages of boards on which any blank cell may be marked."""


def is_in_reach(page: str, board: Board) -> bool:
    """Tell whether a board has a kind of page, from its size alone; False if that is uncertain."""
    if not board.rules.alternating and page in _OWNED:
        return False
    if page in _MARKING and not board.rules.is_marking:
        return False
    if page in ("puzzles", "sheets"):
        if not board.rules.alternating and class_bound(Position(board)) > QUICK_CLASSES:
            return False
        shortest = min(map(len, board.lines), default=0)
        return 3 <= shortest < board.cells / 2 <= _PUZZLED / 2 and (page == "puzzles" or board.shape is not None)
    if page in _CLASSES:
        return board.cells <= _CELLS and _about_classes(board) <= _most_classes(page, board)
    return board.cells <= _MOST_CELLS.get(page, board.cells)


def _about_classes(board: Board) -> int:
    """Return how many classes of positions a board has, as far as the package carries it, else an estimate."""
    if board.cells <= ARRAY_CELLS:
        return about_classes(board)
    from noughts.counting.carried import carried_census  # only here: most boards are smaller
    from noughts.counting.question import Question

    carried = carried_census(Question(board, "choices"))
    return about_classes(board) if carried is None else carried.totals.positions or 0


def _most_classes(page: str, board: Board) -> int:
    """Return the most classes for a page of lists; more than plain Python lists need arrays, which hold few cells."""
    by_arrays = board.cells <= ARRAY_CELLS and board.rules.is_marking
    return _CLASSES[page] if by_arrays else min(_CLASSES[page], LISTED_CLASSES)


def beyond_a_page(page: str, board: Board) -> str:
    """Return the command that makes a crib or matchboxes of a board that is too large for the page; empty if none."""
    if page not in ("crib", "menace") or is_in_reach(page, board) or board.cells > ARRAY_CELLS:
        return ""
    bound = class_bound(Position(board)) if board.rules.alternating and board.rules.is_marking else ARRAY_CLASSES + 1
    limit = f" --limit {bound}" if bound > LISTED_CLASSES else ""
    return f"noughts {page} {board}{limit}" if bound <= ARRAY_CLASSES else ""


def require_reach(page: str, board: Board) -> None:
    """Raise BudgetError where the board is too large for this kind of page."""
    if is_in_reach(page, board):
        return
    require_own_marks(board, "this page")
    if page in _MARKING:
        require_marking(board, "this page")
    if page not in _CLASSES:
        raise BudgetError(
            f"this page allows at most {_MOST_CELLS[page]} cells: "
            f"use the command line for {board}, or choose a smaller board"
        )
    command = beyond_a_page(page, board)
    way = f"use {command}, or " if command else ""
    later = way or "ask from a later position on the command line, or "
    too_many = {
        "match": "for exact chances on a page: estimate them with --sample on the command line",
        "crib": f"for a smallest table on a page: {later}choose a smaller board",
        "menace": f"boxes for a page: {way}choose a smaller board",
    }.get(page, "to list: count them, or choose a smaller board")
    raise BudgetError(
        f"{board} may have more than {_most_classes(page, board):,} classes of positions, too many {too_many}"
    )


_BOARD_PAGES = (
    ("board", "", "Board"),
    ("play", "", "Play"),
    ("puzzles", "", "Puzzles"),
    ("count", "", "How many?"),
    ("openings", "", "Openings"),
    ("tree", "reduced", "Tree"),
    ("positions", "", "Positions"),
    ("endings", "", "Endings"),
    ("patterns", "", "Draws"),
    ("match", "", "How often?"),
    ("same", "", "The same?"),
    ("blindfold", "", "Blindfold"),
    ("crib", "", "Crib"),
    ("menace", "", "MENACE"),
    ("sheets", "", "Sheets"),
)
"""The pages of a board in its navigation: kind, what, words."""


_OFFERED = ("3x3", "4x4", "5x5:4", "3x3x3", "4x4:3", "3x3+torus", "3x3+misere", "6x7:4+gravity", "4x4:3+gravity",
            "3x3+wild", "3x3+notakto", "3x3+notakto*2", "4x4:4+order", "6x6:5+order", "2x4:2+exact")  # fmt: skip
"""Boards that the box for a board offers."""
_WIDE = re.compile(r"\d{1,3}(?:,\d{3}){6,}")
"""A number too wide for the column beside a word."""


def _breakable(text: str) -> Markup:
    """Return text in which a wide number may break after each comma, and not before one."""
    return Markup(_WIDE.sub(lambda found: found[0].replace(",", ",<wbr>"), str(escape(text))))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    loader = FileSystemLoader(_HERE / "templates")
    environment = Environment(
        loader=loader,
        autoescape=True,
        auto_reload=False,  # else every page asks the file system about each of its templates
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grouped"] = lambda number: f"{number:,}"
    environment.filters["brief"] = lambda number: brief(f"{number:,}", DIGITS[0])
    environment.filters["breakable"] = _breakable
    environment.globals["version"] = __version__
    environment.globals["kept"] = _cached_macro
    environment.globals["board_names"] = _OFFERED
    return environment


def render(
    template: str,
    title: str,
    context: Mapping[str, Any],
    links: Links,
    command: str = "",
    forms: Sequence[Form] = (),
) -> str:
    """Return the page. Templates have `links`, `here`, `title`, `command`, and the context.

    `forms` are the further forms of this page.
    """
    here = links.here.board
    return (
        _environment()
        .get_template(template)
        .render(
            links=links,
            here=links.here,
            title=title,
            command=command,
            forms=forms,
            has_json="json" in forms,
            board_pages=[each for each in _BOARD_PAGES if here is None or is_in_reach(each[0], here)],
            **context,
        )
    )


@lru_cache(maxsize=4096)
def _cached_macro(template: str, name: str, *given: Hashable) -> Markup:
    """Return the cached output of a macro: marks, shapes and notes repeat on cells and pages."""
    return Markup(macro(template, name, *given))


def macro(template: str, name: str, *given: object) -> str:
    """Return the output of a template's macro."""
    return str(getattr(_environment().get_template(template).module, name)(*given))
