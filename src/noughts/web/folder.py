"""What a folder of pages holds: which of all pages, in which forms, and in what orientation a board stands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from pathlib import Path

from noughts._version import __version__
from noughts.analysis.records.api import catalogue
from noughts.analysis.records.catalogue import Catalogue, about_classes, require_listable
from noughts.counting.engines import ask as question_of
from noughts.counting.question import Question, command_of, is_ruled, play_words
from noughts.exporting.api import Written
from noughts.machine.cluster import working
from noughts.machine.files import require_free_folder, writing_folder
from noughts.machine.workers import SERIAL, Progress, Workers, silent
from noughts.rules.arguments import flag, function_or_none, path_of
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, NoughtsError
from noughts.rules.play import EndRule, MoveRule
from noughts.rules.position import Position
from noughts.rules.values import roughly
from noughts.web.addresses import position_slug, read_game, read_position
from noughts.web.kinds import RULE_NAMES, kind_named
from noughts.web.links import FolderLinks, PagePlace, file_of
from noughts.web.render import asset
from noughts.web.replies import body_of, found_for
from noughts.web.request import Ask, Form

CLASS_LIMIT = 20_000
"""Classes, and so pages, up to which a folder is made."""
POSITION_LIMIT = 10_000
"""Positions up to which each has a page as it stands; beyond, each class has one, in its canonical orientation."""

_FORMS: dict[str, frozenset[Form]] = {
    "count": frozenset({"json", "csv", "md"}),
    "tree": frozenset({"json", "svg"}),
    "openings": frozenset({"json", "svg"}),
    "patterns": frozenset({"json", "svg"}),
    "crib": frozenset({"json", "svg"}),
}
_ONLY_DATA: frozenset[Form] = frozenset({"json"})
_PARAMETERS = {"count": {"same", "moves", "end"}, "positions": {"ply", "page"}}
"""The parameters with which a page is in the folder; those that are missing have none."""
_LEFT_OUT = {"start", "whatis", "go", "api", "play", "game", "puzzles", "sheets"}
"""Kinds of page that need a server to answer."""
_TREES = {"reduced"}
_BY_CLASS = (
    "There is one page for each class of boards that are alike up to a turn or flip, and it shows one of them: a move "
    "leads to the page of its class, where the board may stand turned or flipped."
)


def records_of(question: Question) -> Catalogue:
    """Return the record of every class that play reaches. Raises BudgetError above CLASS_LIMIT classes."""
    board, rules = question.board, (question.x_moves, question.o_moves)
    require_listable(board)
    about = about_classes(board)
    if about <= 3 * CLASS_LIMIT:
        found = catalogue(board, x_moves=rules[0], o_moves=rules[1], end=question.end)
        if len(found) <= CLASS_LIMIT:
            return found
        about = len(found)
    raise BudgetError(
        f"{board} has about {roughly(about)} position classes, and a site has up to {CLASS_LIMIT:,} pages of classes: "
        "ask about a smaller board, or take its data with noughts export"
    )


class FolderContents:
    """What a folder about one board and the rules of a question holds; `asks` are its positions, ply by ply.

    `by_class`: a class has one page, and links to any of its boards lead there. Raises BudgetError above CLASS_LIMIT
    classes.
    """

    def __init__(self, question: Question) -> None:
        found = records_of(question)
        self.board, self.group = question.board, found.group
        self.understood = _understood(question)
        self.by_class = found.boards > POSITION_LIMIT
        self.note = _BY_CLASS if self.by_class else ""
        shown = (record.position for record in (found if self.by_class else found.labelled()))
        places = {position_slug(position): position for position in sorted(shown, key=lambda p: (p.ply, p.x, p.o))}
        self._slugs = frozenset(places)
        self.asks = [Ask("position", self.board, slug, self.understood) for slug in places]
        self._refused: set[Ask] = set()
        self._places: dict[Ask, PagePlace | None] = {}
        self._pages: dict[tuple[int, int], PagePlace | None] = {}

    def refuse(self, ask: Ask) -> None:
        """Leave a page out: nothing leads to it."""
        self._refused.add(ask)
        self._places.clear()
        self._pages.clear()

    def forms(self, ask: Ask) -> tuple[Form, ...]:
        """Return the forms in which a page is in the folder, beside the page itself."""
        there = _FORMS.get(ask.page, _ONLY_DATA)
        return tuple(form for form in kind_named(ask.page).forms if form in there)

    def place(self, ask: Ask) -> PagePlace | None:
        """Return where the folder has what is asked, None where it has nothing."""
        try:
            return self._places[ask]
        except KeyError:
            found = self.find(ask)
            place = None if found is None else PagePlace(found.of("html"), file_of(found, self.understood))
            self._places[ask] = place
            return place

    def place_of(self, position: Position) -> PagePlace | None:
        """Return where the folder has the page of a position, None where it has none."""
        key = position.x, position.o
        if key not in self._pages:
            self._pages[key] = self.place(Ask("position", self.board, position_slug(position)))
        return self._pages[key]

    def find(self, ask: Ask) -> Ask | None:
        """Return what the folder has for what is asked: a game leads to where it ends; None where it has nothing."""
        if ask.board != self.board or ask.framed or (ask.form != "html" and ask.form not in self.forms(ask)):
            return None
        ask = self._bound(ask)
        if ask.page == "game" and not ask.query:
            ask = self._bound(replace(ask, page="position", what=position_slug(self._end_of(ask.what))))
        if not self._is_wanted(ask) or ask.of("html") in self._refused:
            return None
        return self._place(ask) if ask.page == "position" else ask

    def _is_wanted(self, ask: Ask) -> bool:
        """Tell whether a page of this kind, with these parameters, is in the folder: under rules none about others."""
        kind = kind_named(ask.page)
        if ask.page in _LEFT_OUT or (ask.page == "tree" and ask.what not in _TREES):
            return False
        free = {name for name, value in ask.query if (name, value) not in self.understood}
        if self.understood and (free & set(RULE_NAMES) or not any(p.name == "moves" for p in kind.parameters)):
            return False
        return free <= _PARAMETERS.get(ask.page, set())

    def _bound(self, ask: Ask) -> Ask:
        """Return what is asked with the rules that all pages of the folder share."""
        if not self.understood:
            return ask
        takes = {parameter.name for parameter in kind_named(ask.page).parameters}
        rules = {name: value for name, value in self.understood if name in takes}
        return replace(ask, query=tuple(sorted({**dict(ask.query), **rules}.items())))

    def _end_of(self, moves: str) -> Position:
        position = Position(self.board)
        for cell in read_game(self.board, moves):
            position = position.play(cell)
        return position

    def _place(self, ask: Ask) -> Ask | None:
        """Return the page of a position, or that of its class where there is no other."""
        if ask.what in self._slugs:
            return ask
        try:
            position = read_position(self.board, ask.what)
        except InputError:
            return None
        slug = position_slug(Position(self.board, *self.group.canonical(position.x, position.o)))
        return replace(ask, what=slug) if self.by_class and slug in self._slugs else None


def _understood(question: Question) -> tuple[tuple[str, str], ...]:
    """Return the rules that bind play as parameters of an address, those that are as usual left out."""
    x, o = question.x_moves, question.o_moves
    rules = {"moves": x} if x == o else {"x_moves": x, "o_moves": o}
    given = {**{name: rule for name, rule in rules.items() if rule != "any"}, "end": question.end}
    return tuple(sorted((name, value) for name, value in given.items() if (name, value) != ("end", "line")))


# A folder of pages: the same application is asked for each, and what it answers is written with relative links.

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
