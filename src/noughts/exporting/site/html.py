"""The frame of a page and the parts that pages share: links, boards in a row, tables, facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from noughts._version import __version__
from noughts.domain.bits import cells_of
from noughts.domain.cells import cell_name
from noughts.domain.position import Position
from noughts.drawing.figures import lines_of, marks_of, shape_of
from noughts.drawing.thumbnail import thumbnail

__all__ = ["Page", "board_list", "board_svg", "facts", "rows_table", "said", "slug", "spoken"]


def slug(position: Position) -> str:
    """Return the name of a class in file names: rows joined by -, layers by --, _ for a blank."""
    return str(position).replace("|", "--").replace("/", "-").replace(".", "_")


def spoken(position: Position) -> str:
    """Return where the marks stand, to be read aloud: `X on a1, c1; O on b2`."""
    if not position.ply:
        return "empty board"
    parts = []
    for player in ("X", "O"):
        cells = [cell_name(position.board, cell) for cell in cells_of(position.marks(player))]
        if cells:
            parts.append(f"{player} on {', '.join(cells)}")
    return "; ".join(parts)


def said(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 class`, `2,000 classes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


@dataclass(frozen=True)
class Page:
    """A page: its path in the site without ending, its title, what stands in `main`, and its data.

    `detail` follows the title in the title bar, so that no two pages have the same.
    """

    path: str
    title: str
    body: str
    data: object
    detail: str = ""

    @property
    def root(self) -> str:
        """The way from the page to the folder of the site."""
        return "../" * self.path.count("/")

    def html(self, board: str, links: Sequence[tuple[str, str]] = ()) -> str:
        """Return the whole page. `links` are further links of the navigation: address from the root, and words."""
        root, name = self.root, self.path.rpartition("/")[2]
        entries = [("index.html", "Index"), *links]
        navigation = "".join(f'<li><a href="{root}{escape(to)}">{escape(words)}</a></li>' for to, words in entries)
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
            f"<title>{escape(self.title + self.detail)} - {escape(board)}</title>\n"
            f'<link rel="stylesheet" href="{root}style.css">\n'
            f'<link rel="alternate" type="application/json" href="{name}.json">\n</head>\n<body>\n'
            '<a class="skip" href="#main">Skip to the content</a>\n'
            f'<nav aria-label="Site"><ul>{navigation}</ul></nav>\n'
            f'<main id="main">\n<h1>{escape(self.title)}</h1>\n{self.body}\n</main>\n'
            f"<footer><p>{escape(board)}, by noughts {escape(__version__)}. "
            f'<a href="{name}.json">This page as JSON</a></p></footer>\n</body>\n</html>\n'
        )


def board_svg(position: Position, last: Sequence[int] = ()) -> str:
    """Return a position as a small picture with its completed lines."""
    shape, marks = shape_of(position.board), marks_of(position)
    return thumbnail(shape, marks, spoken(position), lines=lines_of(position), last=last)


def board_list(entries: Iterable[tuple[str, str | None, str]], ordered: bool = False) -> str:
    """Return boards in a row: each a picture, the address it leads to or None, and HTML to stand under it."""
    items = []
    for picture, address, under in entries:
        inside = f"{picture}{under}"
        items.append(f'<li><a href="{escape(address)}">{inside}</a></li>' if address else f"<li>{inside}</li>")
    tag = "ol" if ordered else "ul"
    return f'<{tag} class="boards">{"".join(items)}</{tag}>'


def rows_table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """Return a table; the first `words` columns hold words, and the first cell of a row is its heading.

    Cells are HTML.
    """

    def cell(tag: str, i: int, text: str, extra: str = "") -> str:
        kind = ' class="w"' if i < words else ""
        return f"<{tag}{extra}{kind}>{text}</{tag}>"

    head = "".join(cell("th", i, escape(text), ' scope="col"') for i, text in enumerate(headings))
    body = "".join(
        "<tr>"
        + "".join(cell("td" if i else "th", i, text, "" if i else ' scope="row"') for i, text in enumerate(row))
        + "</tr>\n"
        for row in rows
    )
    named = escape(caption)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{named}">\n<table><caption>{named}</caption>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def facts(entries: Iterable[tuple[str, str]]) -> str:
    """Return a list of facts: a word and HTML for each."""
    return "<dl>" + "".join(f"<dt>{escape(word)}</dt><dd>{text}</dd>" for word, text in entries) + "</dl>"
