"""Answers as pictures: the options and the writing that several verbs share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from noughts.cli.options import words
from noughts.domain.errors import InputError, shown

if TYPE_CHECKING:
    from noughts.drawing.board import BoardPicture
    from noughts.drawing.svg import Svg
    from noughts.drawing.tree import TreePicture

__all__ = [
    "Answer",
    "Sink",
    "board_drawings",
    "chart_sink",
    "emit",
    "emit_picture",
    "picture_options",
    "sink",
    "tree_drawings",
]

F = TypeVar("F", bound=Callable[..., Any])

_ENDINGS = {".svg": "svg", ".png": "png", ".pdf": "pdf", ".json": "json", ".dot": "dot", ".txt": "text"}
_FORMS = ("table", "json", "svg", "png", "pdf", "text", "dot")


def picture_options(function: F) -> F:
    """Add --format, -o, --theme and --paper to a verb."""
    options = [
        click.option(
            "--format", "form", metavar="|".join(_FORMS), help="How to answer (table; or by the name of FILE)."
        ),
        click.option("-o", "--output", metavar="FILE", help="Write to this file."),
        click.option("--theme", default="light", **words("light", "dark", "auto"), help="Colours of a picture."),
        click.option(
            "--paper", metavar="a3|a4", help="Paper of a PDF: one A3 page, or A4 pages that hold whole boards."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True)
class Sink:
    """Where an answer goes and in which form."""

    form: str
    output: str | None
    theme: str
    paper: str | None


@dataclass(frozen=True)
class Answer:
    """An answer in all its forms, each made only when asked for."""

    table: Callable[[], None]
    record: Callable[[], object]
    picture: Callable[[str], Svg]
    pages: Callable[[str, str], Sequence[Svg]]
    text: Callable[[], str]
    dot: Callable[[], str]


def sink(form: str | None, output: str | None, theme: str, paper: str | None) -> Sink:
    """Return where the answer goes; raises InputError for what does not fit together."""
    from noughts.drawing.files import paper_size
    from noughts.drawing.palette import THEMES

    if form is None:
        form = _ENDINGS.get(Path(output).suffix.lower(), "") if output else "table"
        if not form:
            raise InputError(
                f"cannot tell the format from {shown(str(output))}: add --format, or end it in .svg or .pdf"
            )
    if form not in _FORMS:
        raise InputError(f"--format {shown(form)} is not known: use one of {', '.join(_FORMS)}")
    if theme not in THEMES:
        raise InputError(f"--theme {shown(theme)} is not known: use one of {', '.join(THEMES)}")
    if paper is not None:
        paper = paper.lower()
        paper_size(paper, landscape=True)
        if form != "pdf":
            raise InputError("--paper is about the pages of a PDF: add --format pdf")
    if form in ("png", "pdf") and output is None and sys.stdout.isatty():
        raise InputError(f"a {form} is no text for a terminal: name a file with -o")
    return Sink(form, output, theme, paper)


def chart_sink(form: str | None, output: str | None) -> Sink:
    """Return where a chart goes, which is svg, png or pdf. Raises InputError for other forms."""
    to = sink(form if form in _FORMS or form is None else "svg", output, "light", None)
    chosen = form or to.form
    if chosen not in ("svg", "png", "pdf"):
        raise InputError(
            f"-o writes a chart as svg, png or pdf, not as {chosen}: leave out -o, and redirect the output"
        )
    return to


def emit_picture(picture: Svg, to: Sink) -> None:
    """Write one picture: to standard output, or whole to a file."""
    if to.form == "svg":
        _write(picture.encode("utf-8"), to)
        return
    from noughts.drawing.files import to_pdf, to_png

    _write(to_png(picture) if to.form == "png" else to_pdf([picture]), to)


def emit(answer: Answer, to: Sink) -> None:
    """Write the answer: to standard output, or whole to a file."""
    if to.form == "table":
        _table(answer, to)
    elif to.form == "png":
        from noughts.drawing.files import to_png

        _write(to_png(answer.picture(to.theme)), to)
    elif to.form == "pdf":
        from noughts.drawing.files import to_pdf

        pages = answer.pages(to.paper, to.theme) if to.paper else [answer.picture(to.theme)]
        _write(to_pdf(pages, to.paper), to)
    else:
        texts: dict[str, Callable[[], str]] = {
            "json": lambda: json.dumps(answer.record(), indent=1) + "\n",
            "svg": lambda: str(answer.picture(to.theme)),
            "text": lambda: answer.text() + "\n",
            "dot": answer.dot,
        }
        _write(texts[to.form]().encode("utf-8"), to)


def _table(answer: Answer, to: Sink) -> None:
    if to.output is None:
        answer.table()
        return
    import contextlib
    import io

    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        answer.table()
    _write(buffer.getvalue().encode("utf-8"), to)


def _write(data: bytes, to: Sink) -> None:
    if to.output is not None:
        from noughts.drawing.files import write_whole

        write_whole(Path(to.output), data)
    elif to.form in ("png", "pdf"):
        sys.stdout.buffer.write(data)
    else:
        print(data.decode("utf-8"), end="")


def board_drawings(make: Callable[[], BoardPicture]) -> dict[str, Any]:
    """Return the forms of an answer that is one board: `picture`, `pages` and `text`."""
    from noughts.drawing.board import draw_board
    from noughts.drawing.text import board_text

    def text() -> str:
        picture = make()
        return board_text(picture.shape, picture.marks, names=picture.names)

    return {
        "picture": lambda theme: draw_board(make(), theme),
        "pages": lambda _, theme: [draw_board(make(), theme)],
        "text": text,
    }


def tree_drawings(make: Callable[[], TreePicture]) -> dict[str, Any]:
    """Return the forms of an answer that is a tree: `picture`, `pages`, `text` and `dot`."""
    from noughts.drawing.cards import draw_tree
    from noughts.drawing.dot import tree_dot
    from noughts.drawing.pages import tree_pages
    from noughts.drawing.tree import tree_text

    def pages(paper: str, theme: str) -> Sequence[Svg]:
        return [draw_tree(make(), theme)] if paper == "a3" else tree_pages(make(), paper, theme)

    return {
        "picture": lambda theme: draw_tree(make(), theme),
        "pages": pages,
        "text": lambda: tree_text(make()),
        "dot": lambda: tree_dot(make()),
    }
