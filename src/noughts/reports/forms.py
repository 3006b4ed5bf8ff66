"""The forms in which an answer can be had, each made only when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from noughts.reports.narrow import fold, fold_lines
from noughts.reports.page import Look, Report
from noughts.reports.tables import Table, as_csv, as_latex, as_markdown
from noughts.reports.text import as_text

if TYPE_CHECKING:
    from noughts.drawing.board import BoardPicture
    from noughts.drawing.svg import Svg
    from noughts.drawing.tree import TreePicture

__all__ = ["Forms", "as_json", "board_forms", "chart_forms", "report_forms", "table_forms", "tree_forms"]

Forms = dict[str, Callable[[], str | bytes | Iterable[str]]]
"""For each form what makes it: text, bytes, or text piece by piece as it becomes known."""


def as_json(record: object) -> str:
    """Return a record as JSON, one fact a line."""
    return json.dumps(record, indent=1) + "\n"


def report_forms(report: Callable[[], Report], record: Callable[[], object], look: Look) -> Forms:
    """Return the forms that every answer has: words for people, and JSON."""
    return {"table": lambda: as_text(report(), look), "json": lambda: as_json(record())}


def table_forms(make: Callable[[str], Sequence[Table]], caption: Callable[[], str] | None = None) -> Forms:
    """Return tables as CSV, Markdown and LaTeX; `make` is told which, and gives one for CSV, or more for the others.

    The caption stands above Markdown, and as a comment above LaTeX; CSV has the data only.
    """

    def form(name: str, write: Callable[[Table], str]) -> Callable[[], str]:
        def written() -> str:
            tables = make(name)
            assert len(tables) == 1 or name != "csv", "a file of comma-separated values holds one table"
            above = (
                "" if caption is None else {"markdown": f"{caption()}\n\n", "latex": f"% {caption()}\n"}.get(name, "")
            )
            return above + "\n\n".join(map(write, tables)) + "\n"

        return written

    writers = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}
    return {name: form(name, write) for name, write in writers.items()}


def chart_forms(make: Callable[[], Svg], pages: Callable[[str], Sequence[Svg]] | None = None, *, look: Look) -> Forms:
    """Return one picture as SVG, PNG and PDF; `pages` makes the pages for a paper, the picture alone unless given."""

    def pdf() -> bytes:
        from noughts.drawing.files import to_pdf

        return to_pdf(pages(look.paper) if pages is not None and look.paper else [make()], look.paper)

    def png() -> bytes:
        from noughts.drawing.files import to_png

        return to_png(make())

    return {"svg": lambda: str(make()), "png": png, "pdf": pdf}


def board_forms(make: Callable[[], BoardPicture], look: Look) -> Forms:
    """Return an answer that is one board as a picture, and in characters."""

    def picture() -> Svg:
        from noughts.drawing.board import draw_board

        return draw_board(make(), look.theme)

    def text() -> str:
        from noughts.drawing.text import board_text

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
        from noughts.drawing.pages import tree_pages

        return [picture()] if paper == "a3" else tree_pages(make(), paper, look.theme)

    def text() -> str:
        from noughts.drawing.tree import tree_text

        return fold_lines(tree_text(make()), look.columns) + "\n"

    def dot() -> str:
        from noughts.drawing.dot import tree_dot

        return tree_dot(make())

    return {**chart_forms(picture, pages, look=look), "text": text, "dot": dot}
