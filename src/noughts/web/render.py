"""Pages from templates: what they all can use, and the frame that they stand in."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from noughts._version import __version__
from noughts.web.ask import Form
from noughts.web.links import Links
from noughts.web.manual import has_manual
from noughts.web.reach import is_in_reach

__all__ = ["macro", "render"]

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
