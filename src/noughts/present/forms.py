"""The forms of an answer, each made only on request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from noughts.present.report import (
    Block,
    Commands,
    How,
    Look,
    Paragraph,
    Pictures,
    Report,
    Table,
    Verbatim,
    as_csv,
    as_html,
    as_latex,
    as_markdown,
)
from noughts.present.text import as_text, fold, fold_lines

if TYPE_CHECKING:
    from noughts.drawing.board import BoardPicture
    from noughts.drawing.sheets import SheetSection
    from noughts.drawing.svg import Svg
    from noughts.drawing.tree import TreePicture
    from noughts.rules.symmetry import Shape

    Boards = tuple[Shape, Sequence[SheetSection], str]
    """The shape of the boards, the sections of a sheet, and its title."""

Forms = dict[str, Callable[[], str | bytes | Iterable[str]]]
"""For each form a function that makes it: text, bytes, or text piece by piece."""


def as_json(record: object) -> str:
    """Return a record as JSON, one fact a line."""
    return json.dumps(record, indent=1) + "\n"


def report_forms(report: Callable[[], Report], record: Callable[[], object], look: Look) -> Forms:
    """Return the forms that every answer has: words for people, and JSON."""
    return {"table": lambda: as_text(report(), look), "json": lambda: as_json(record())}


def table_forms(make: Callable[[str], Sequence[Table]], caption: Callable[[], str] | None = None) -> Forms:
    """Return tables as CSV, Markdown and LaTeX; `make` receives the format; it returns one table for CSV, one or
    more for the others.

    The caption stands above Markdown, and as a comment above LaTeX; CSV has the data only.
    """

    def written(name: str, write: Callable[[Table], str], above: str, below: str) -> str:
        head = "" if caption is None or name == "csv" else f"{above}{caption()}{below}"
        return head + "\n\n".join(map(write, make(name))) + "\n"

    writers = {"csv": (as_csv, "", ""), "markdown": (as_markdown, "", "\n\n"), "latex": (as_latex, "% ", "\n")}
    return {name: partial(written, name, *how) for name, how in writers.items()}


def chart_forms(make: Callable[[], Svg], pages: Callable[[str], Sequence[Svg]] | None = None, *, look: Look) -> Forms:
    """Return one picture as SVG, PNG and PDF; `pages` makes the pages for a paper (default: the picture alone)."""

    def pdf() -> bytes:
        from noughts.drawing.svg import to_pdf

        return to_pdf(pages(look.paper) if pages is not None and look.paper else [make()], look.paper)

    def png() -> bytes:
        from noughts.drawing.svg import to_png

        return to_png(make())

    return {"svg": lambda: str(make()), "png": png, "pdf": pdf}


def sheet_forms(make: Callable[[], Boards], look: Look) -> Forms:
    """Return an answer that is a sheet of boards: one picture, or pages with whole boards."""

    def picture() -> Svg:
        from noughts.drawing.sheets import draw_sheet

        return draw_sheet(*make(), look.theme)

    def pages(paper: str) -> Sequence[Svg]:
        from noughts.drawing.sheets import sheet_pages

        return sheet_pages(*make(), paper, look.theme)

    return chart_forms(picture, pages, look=look)


def board_forms(make: Callable[[], BoardPicture], look: Look) -> Forms:
    """Return an answer that is one board as a picture, and in characters."""

    def picture() -> Svg:
        from noughts.drawing.board import draw_board

        return draw_board(make(), look.theme)

    def text() -> str:
        from noughts.drawing.board import board_text

        board = make()
        return (
            fold(board_text(board.shape, board.marks, names=board.names, numbered=board.numbered), look.columns) + "\n"
        )

    return {**chart_forms(picture, look=look), "text": text}


def tree_forms(make: Callable[[], TreePicture], look: Look) -> Forms:
    """Return an answer that is a tree as a picture (on A4 pages that hold whole boards), in characters, and as DOT."""

    def picture() -> Svg:
        from noughts.drawing.cards import draw_tree

        return draw_tree(make(), look.theme)

    def pages(paper: str) -> Sequence[Svg]:
        from noughts.drawing.cards import tree_pages

        return [picture()] if paper == "a3" else tree_pages(make(), paper, look.theme)

    def text() -> str:
        from noughts.drawing.tree import tree_text

        return fold_lines(tree_text(make()), look.columns) + "\n"

    def dot() -> str:
        from noughts.drawing.tree import tree_dot

        return tree_dot(make())

    return {**chart_forms(picture, pages, look=look), "text": text, "dot": dot}


# A report as Markdown, and as HTML for notebooks and pages.


def markdown(report: Report) -> str:
    """Return a report as Markdown, drawings and commands as blocks of code."""
    return "\n\n".join(_markdown(block) for part in report.sections for block in part) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Paragraph(text):
            return text.strip()
        case How(text):
            return f"How we know: {text}"
        case Table():
            return as_markdown(block)
        case Commands(commands, heading):
            return "\n\n".join([*([heading] if heading else []), _code("\n".join(commands))])
        case Verbatim() | Pictures():
            return _code(_drawn(block))


def _code(text: str) -> str:
    return f"```text\n{text}\n```"


def _drawn(block: Verbatim | Pictures) -> str:
    if isinstance(block, Verbatim):
        return block.text
    return "\n\n".join("\n".join(line.rstrip() for line in drawing) for drawing in block.drawings)


def html(report: Report) -> str:
    """Return a report as a piece of HTML without styles of its own but for the sides that columns keep to."""
    return "\n".join(f"<section>{''.join(map(_html, part))}</section>" for part in report.sections)


def _html(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{escape(text.strip())}</p>"
        case How(text):
            return f"<p>How we know: {escape(text)}</p>"
        case Table():
            return as_html(block)
        case Commands(commands, heading):
            listed = "".join(f"<li><code>{escape(command)}</code></li>" for command in commands)
            return (f"<p>{escape(heading)}</p>" if heading else "") + f"<ul>{listed}</ul>"
        case Verbatim() | Pictures():
            return f"<pre>{escape(_drawn(block))}</pre>"
