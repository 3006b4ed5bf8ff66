"""The site of a board, written as a folder that appears whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from noughts._version import __version__
from noughts.counting.question import Question
from noughts.counting.words import command_of, is_ruled, play_words
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.exporting.site.classes import class_page, ply_page, ply_path
from noughts.exporting.site.html import Page, slug
from noughts.exporting.site.overview import endings_page, index_page, openings_page, tree_page
from noughts.exporting.site.style import style_sheet
from noughts.machine.files import require_free_folder, writing_folder
from noughts.records.api import catalogue
from noughts.records.bounds import grouped, position_bound, require_listable
from noughts.records.catalogue import Catalogue
from noughts.records.record import Record

__all__ = ["CLASS_LIMIT", "MARKER", "site_pages", "write_site"]

CLASS_LIMIT = 20_000
"""Classes, and so pages, up to which a site is made."""
MARKER = "site.json"
"""The file that shows that a folder was made by this function."""

Done = Callable[[int, int], None]


def _catalogue(question: Question) -> Catalogue:
    board, rules = question.board, (question.x_moves, question.o_moves)
    require_listable(board)
    about = position_bound(board) // board.group().order
    if about <= 3 * CLASS_LIMIT:
        found = catalogue(board, x_moves=rules[0], o_moves=rules[1], end=question.end)
        if len(found) <= CLASS_LIMIT:
            return found
        about = len(found)
    raise BudgetError(
        f"{board} has about {grouped(about)} position classes, and a site has up to {CLASS_LIMIT:,} pages of classes: "
        "ask about a smaller board, or take its data with noughts export"
    )


def _overview(found: Catalogue) -> list[Page]:
    """Return the pages about the whole board but for the index: under rules of play the endings alone."""
    if is_ruled(found.question):
        return [endings_page(found)]
    return [page for page in (openings_page(found), endings_page(found), tree_page(found)) if page is not None]


def site_pages(question: Question) -> Iterator[tuple[Page, list[tuple[str, str]]]]:
    """Yield the pages of the site, each with the links of its navigation; the index last.

    Cost: about 3 ms a class. Raises BudgetError above CLASS_LIMIT classes.
    """
    found = _catalogue(question)
    plies: dict[int, list[Record]] = {}
    for record in found:
        plies.setdefault(record.ply, []).append(record)
    overview = _overview(found)
    common = [(f"{page.path}.html", page.title) for page in overview]
    for page in overview:
        yield page, common
    for ply, records in plies.items():
        beside = [(f"{ply_path(near)}.html", f"Ply {near}") for near in (ply - 1, ply + 1) if near in plies]
        yield ply_page(found, ply, records), common + beside
        for i, record in enumerate(records):
            near = [
                (records[j].position, word) for j, word in ((i - 1, "Previous"), (i + 1, "Next")) if _in(records, j)
            ]
            links = [(f"{ply_path(ply)}.html", f"Ply {ply}")]
            links += [(f"class/{slug(position)}.html", f"{word} class") for position, word in near]
            yield class_page(found, record), common + links
    index = index_page(found, overview)
    yield index, common


def _in(records: list[Record], number: int) -> bool:
    return 0 <= number < len(records)


def write_site(board: Board | str | Question, folder: Path, *, force: bool = False, done: Done | None = None) -> int:
    """Write the site of a board, or of a question's rules of play, to a folder and return the number of pages.

    Each page has its data beside it as JSON. The same board and version give the same bytes. `done` is told pages
    written and pages in all. Raises InputError where the folder is not empty (with `force` a site is replaced, unless
    it holds what this function did not write), FileError, and BudgetError as `site_pages` does.
    """
    question = board if isinstance(board, Question) else Question(Board.parse(board), "choices")
    on = question.board
    require_free_folder(folder, MARKER, force=force)
    name = on.spec + (f" ({command_of(question).partition(' --same choices ')[2]})" if is_ruled(question) else "")
    whole = len(_catalogue(question)) + on.cells + 5
    with writing_folder(folder, MARKER, force=force) as new:
        new.put("style.css", style_sheet())
        pages = 0
        for page, links in site_pages(question):
            new.put(f"{page.path}.html", page.html(name, links))
            new.put(f"{page.path}.json", json.dumps(page.data, ensure_ascii=False, separators=(",", ":")) + "\n")
            pages += 1
            if done is not None:
                done(min(pages, whole - 1), whole)
        new.about.update({"board": on.spec, "made by": f"noughts {__version__}", "pages": pages})
        if is_ruled(question):
            new.about["rules"] = play_words(question)
    return pages
