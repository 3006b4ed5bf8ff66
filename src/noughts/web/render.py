"""The files that pages share: style sheets, scripts, the icon; and the colours, which are those of the pictures."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from noughts._version import __version__
from noughts.analysis.puzzles.finding import MOST_CELLS, is_listed, listed_puzzles
from noughts.analysis.puzzles.puzzle import LEAST_BLANKS, PuzzleGoal
from noughts.analysis.records.catalogue import about_classes
from noughts.drawing.svg import DARK, LIGHT
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, shown
from noughts.rules.game import LISTED_CLASSES, class_bound
from noughts.rules.position import Position
from noughts.web.links import Links
from noughts.web.request import MEDIA, Form, NotFound, PageReply
from noughts.worksheets.exercise import MOST_PRINTED

ASSETS = Path(__file__).parent / "static"
_MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_STRONG = {"o-mark": ("#d55e00", "#ff9d5c"), "x-mark": ("#0072b2", "#6cc0f2")}
"""The colours of large marks, which need less contrast than text."""


@lru_cache(maxsize=1)
def _files() -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted(ASSETS.iterdir()) if path.suffix in _MEDIA}
    return {**found, "palette.css": _palette().encode()}


def asset(name: str) -> bytes | None:
    """Return the bytes of a file, None where there is no such file; nothing is looked up on disk by name."""
    return _files().get(name)


def asset_reply(name: str) -> PageReply:
    """Return a file that pages share. Raises NotFound."""
    body = asset(name)
    if body is None:
        raise NotFound(f"there is no file {shown(name)}")
    return PageReply(200, _MEDIA[Path(name).suffix], body)


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


# The documentation under /docs: the files that `make docs-site` has put into the package, none looked up by name.

_FOLDER = Path(__file__).parent / "manual"
_FIRST = "index.html"
_MEDIA_MANUAL = {
    ".html": MEDIA["html"],
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@lru_cache(maxsize=1)
def _files_manual() -> dict[str, Path]:
    found = {path.relative_to(_FOLDER).as_posix(): path for path in _FOLDER.rglob("*") if path.suffix in _MEDIA_MANUAL}
    return found if _FIRST in found else {}


def has_manual() -> bool:
    """Tell whether the documentation is here to be served."""
    return bool(_files_manual())


def manual_reply(name: str) -> PageReply:
    """Return a file of the documentation; for the empty name lead to its first page. Raises NotFound."""
    if not has_manual():
        raise NotFound(_how_to_have_it())
    if not name:
        return PageReply(303, _MEDIA_MANUAL[".html"], b"", location=f"/docs/{_FIRST}")
    path = _files_manual().get(name)
    if path is None:
        raise NotFound(f"the documentation has no file {shown(name)}: its first page is /docs/{_FIRST}")
    return PageReply(200, _MEDIA_MANUAL[path.suffix], path.read_bytes())


def _how_to_have_it() -> str:
    checkout = Path(__file__).parents[3]
    if (checkout / "Makefile").exists():
        return f"the documentation is not built yet: run make docs-site in {checkout} and start the server again"
    return (
        "the documentation is not in this copy of noughts: install a wheel that was built after make docs-site, "
        "or read docs/index.md of its source"
    )


# Which pages of a board can be had while a reader waits, told from its size before any work is done.

_CLASSES = 100_000
"""Classes of positions, by the bound, up to which a page lists them."""
_CELLS = 36
"""Cells up to which a page searches all first moves and the replies to each."""
_LISTS = ("endings", "positions")
_CRIB = 30_000
"""Classes of positions, by the bound, up to which a page looks for the smallest table."""
_BOXES = 3_000
"""Classes of positions, by the bound, up to which a page has a matchbox for each."""


def is_in_reach(page: str, board: Board) -> bool:
    """Tell whether a kind of page is had of a board: from its size alone, False where that is sure to be too much."""
    if page in _LISTS:
        return board.cells <= _CELLS and about_classes(board) <= _CLASSES
    if page == "crib":
        return board.cells <= _CELLS and about_classes(board) <= _CRIB
    if page == "puzzles":
        return _has_puzzles(board)
    if page == "sheets":
        return board.shape is not None and board.cells <= MOST_PRINTED and _has_puzzles(board, "win")
    if page == "menace":
        return board.cells <= _CELLS and about_classes(board) <= _BOXES
    return page != "openings" or board.cells <= _CELLS


def _has_puzzles(board: Board, goal: PuzzleGoal | None = None) -> bool:
    """Tell whether puzzles are looked for on a board, and where all are listed whether there are any with the goal."""
    if not LEAST_BLANKS <= board.cells <= MOST_CELLS or not board.lines:
        return False
    return not is_listed(board) or any(goal in (None, each.goal) for each in listed_puzzles(board))


def require_reach(page: str, board: Board) -> None:
    """Raise BudgetError where a kind of page is not had of a board."""
    if is_in_reach(page, board):
        return
    if page in _LISTS:
        raise BudgetError(
            f"{board} may have more than {_CLASSES:,} classes of positions, too many to list while a page is waited "
            "for: list them on the command line, or ask about a smaller board"
        )
    if page == "crib":
        listed = board.cells <= _CELLS and class_bound(Position(board)) <= LISTED_CLASSES
        way = "on the command line" if listed else "from a later position on the command line"
        raise BudgetError(
            f"{board} may have more than {_CRIB:,} classes of positions, too many for a smallest table while a page is "
            f"waited for: ask {way}, or about a smaller board"
        )
    if page == "menace":
        raise BudgetError(
            f"{board} may have more than {_BOXES:,} classes of positions, too many boxes for a page: ask on the "
            "command line, or about a smaller board"
        )
    raise BudgetError(
        f"the replies to all first moves of {board} are not searched while a page is waited for, which is done for up "
        f"to {_CELLS} cells: ask on the command line, or for a smaller board"
    )


# Pages from templates: what they all can use, and the frame that they stand in.

_BOARD_PAGES = (
    ("board", "", "Board"),
    ("play", "", "Play"),
    ("count", "", "How many?"),
    ("openings", "", "Openings"),
    ("tree", "reduced", "Tree"),
    ("positions", "", "Positions"),
    ("endings", "", "Endings"),
    ("patterns", "", "Draws"),
    ("blindfold", "", "Blindfold"),
    ("crib", "", "Crib"),
    ("menace", "", "MENACE"),
    ("puzzles", "", "Puzzles"),
    ("sheets", "", "Sheets"),
)
"""The pages of a board in its navigation: kind, what, words."""


@lru_cache(maxsize=1)
def _environment() -> Environment:
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(
        loader=loader,
        autoescape=True,
        auto_reload=False,  # else every page asks the file system about each of its templates
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["grouped"] = lambda number: f"{number:,}"
    environment.globals["version"] = __version__
    environment.globals["kept"] = _kept
    environment.globals["has_manual"] = has_manual
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

    `forms` are those in which this page is to be had, besides.
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
def _kept(template: str, name: str, *given: Hashable) -> Markup:
    """Return what a macro makes, and keep it: marks, shapes and notes stand on cell after cell, page after page."""
    return Markup(macro(template, name, *given))


def macro(template: str, name: str, *given: object) -> str:
    """Return what a macro of a template makes of what it is given."""
    return str(getattr(_environment().get_template(template).module, name)(*given))
