"""A folder of pages: the same application is asked for each, and what it answers is written with relative links."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import chain, pairwise
from pathlib import Path

from noughts._version import __version__
from noughts.counting.api import ask as question_of
from noughts.counting.question import Question
from noughts.counting.words import command_of, is_ruled, play_words
from noughts.domain.arguments import flag, function_or_none, path_of
from noughts.domain.board import Board
from noughts.domain.errors import NoughtsError
from noughts.domain.rules import EndRule, MoveRule
from noughts.exporting.api import Written
from noughts.machine.files import require_free_folder, writing_folder
from noughts.machine.joining import working
from noughts.machine.progress import Progress, silent
from noughts.machine.workers import SERIAL, Workers
from noughts.web.answering import body_of, found_for
from noughts.web.ask import Ask
from noughts.web.assets import asset
from noughts.web.contents import FolderContents
from noughts.web.links import FolderLinks, file_of

__all__ = ["MARKER", "overview", "site", "write_site"]

MARKER = "site.json"
"""The file that shows that a folder was made by this function."""

Files = list[tuple[str, str]]
"""Names of files, and what they hold."""
_PAGES = 20
"""Pages of positions that are made together."""


def _files(ask: Ask, links: FolderLinks, contents: FolderContents) -> Files:
    """Return a page and its data as files. Raises NoughtsError."""
    found = found_for(ask)
    name = partial(file_of, understood=contents.understood)
    return [(name(ask.of(form)), body_of(found, form, links).decode()) for form in ("html", *contents.forms(ask))]


def overview(contents: FolderContents) -> dict[Ask, Files]:
    """Return the pages about the whole board: that of the board, and all that can be reached without a position.

    A page that the application refuses is left out, and those that led to it are asked for again.
    """
    pages: dict[Ask, tuple[Files, FolderLinks]] = {}
    first = contents.find(Ask("board", contents.board))
    waiting = [first] if first is not None else []
    while waiting:
        ask = waiting.pop(0)
        if ask in pages or contents.find(ask) is None:
            continue
        links = FolderLinks(ask, contents)
        try:
            pages[ask] = _files(ask, links, contents), links
        except NoughtsError:
            if ask == first:
                raise
            contents.refuse(ask)
            again = [page for page, (_, others) in pages.items() if ask in others.met]
            waiting = [*again, *waiting]
            for page in again:
                del pages[page]
        waiting += [each for each in links.met if each.page != "position"]
    return {ask: files for ask, (files, _) in pages.items()}


def _pages(contents: FolderContents, workers: Workers) -> Iterator[Files]:
    """Yield the files of each page: those about the whole board, then every position."""
    yield from overview(contents).values()
    runs = pairwise([*range(0, len(contents.asks), _PAGES), len(contents.asks)])
    yield from chain.from_iterable(workers.map(_positions, contents, runs))


def _positions(contents: FolderContents, run: tuple[int, int]) -> list[Files]:
    """Return the files of some positions, by their numbers."""
    return [_files(ask, FolderLinks(ask, contents), contents) for ask in contents.asks[slice(*run)]]


def _assets(files: Files) -> Iterator[str]:
    """Yield the names of the style sheets, icons and the like that pages ask for."""
    for name, text in files:
        if name.endswith(".html"):
            yield from re.findall(r'"(?:\.\./)*static/([^"/]+)"', text)


def write_site(
    question: Question, folder: Path, *, force: bool, done: Callable[[int, int], None], workers: Workers = SERIAL
) -> int:
    """Write the pages to a folder, which appears whole or not at all, and return how many there are."""
    require_free_folder(folder, MARKER, force=force)
    contents = FolderContents(question)
    whole, shared = len(contents.asks) + 1, set[str]()
    with writing_folder(folder, MARKER, force=force) as new:
        pages = 0
        for files in _pages(contents, workers):
            for name, text in files:
                new.put(name, text)
            shared.update(_assets(files))
            pages += 1
            done(min(pages, whole - 1), whole)
        for name in sorted(shared):
            new.put(f"static/{name}", (asset(name) or b"").decode())
        new.about.update({"board": question.board.spec, "made by": f"noughts {__version__}", "pages": pages})
        if is_ruled(question):
            new.about["rules"] = play_words(question)
    return pages


def site(
    board: Board | str,
    folder: str | os.PathLike[str],
    *,
    moves: MoveRule = "any",
    x_moves: MoveRule | None = None,
    o_moves: MoveRule | None = None,
    end: EndRule = "line",
    force: bool = False,
    progress: Progress | None = None,
    workers: Workers | int | str | None = None,
) -> Written:
    """Write the pages of a board, one for every position, to a folder: they open without server, network or scripts.

    They are those of `noughts serve`, each with its data beside it; what needs a server (play, quiz, other boards) is
    left out. Above 10,000 positions each class has one page, in its canonical orientation. The same board and version
    give the same bytes. With `moves`, `x_moves`, `o_moves` and `end`, as `catalogue` takes them, every position that
    play under these rules reaches, with its games, moves and predecessors within them; the pages that advise free play
    are left out. `workers`, a number of processes of this machine or the address of a cluster, make the pages; the
    bytes are the same.

    Cost: some 7 ms a page. Raises InputError where the folder holds something else (`force` replaces a site),
    FileError, and BudgetError for boards of more than 20,000 classes.
    """
    question = question_of(board, same="choices", moves=moves, x_moves=x_moves, o_moves=o_moves, end=end)
    on, target = question.board, path_of("the folder", folder)
    flag("force", force)
    function_or_none("progress", progress)
    say = progress or silent
    with nullcontext(SERIAL) if workers is None else working(workers) as found:
        pages = write_site(
            question, target, force=force, done=lambda n, whole: say(n, whole, "writing pages"), workers=found
        )
    say(1, 1, "")
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    rules = command_of(question).partition(" --same choices ")[2] if is_ruled(question) else ""
    return Written(on, target, "site", None, pages, size, rules)
