"""A folder of pages: what it holds, and how that is written, by the application of the server with relative links."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import reduce
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
from noughts.web.kinds import KINDS, RULE_NAMES
from noughts.web.links import Links
from noughts.web.render import asset
from noughts.web.replies import body_of, found_for
from noughts.web.request import Ask, Form, Query, query_of

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
_PARAMETERS = {
    "count": {"same", "moves", "end"},
    "positions": {"ply", "page"},
    "board": {"mark"},
    "position": {"mark"},
}
"""The parameters with which a page is in the folder; those that are missing have none."""
_LEFT_OUT = {"start", "whatis", "rules", "go", "api", "play", "game", "puzzles", "sheets", "same"}
"""Kinds of page that need a server to answer."""
_TREES = {"reduced"}
_BY_CLASS = (
    "Boards that are the same but for a turn or flip share one page, which shows one of them. "
    "A move leads to the page of its board, which may appear turned or flipped."
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
        f"{board} has about {roughly(about)} position classes; a site has at most {CLASS_LIMIT:,}: "
        "choose a smaller board, or use noughts export"
    )


class FolderContents:
    """What a folder about one board and the rules of a question holds; `asks` are its positions, ply by ply.

    `by_class`: a class has one page, and links to any of its boards lead there. Raises BudgetError above CLASS_LIMIT
    classes.
    """

    def __init__(self, question: Question) -> None:
        found = records_of(question)
        self.board, self.group = question.board, found.group
        self.rules = _rules(question)
        self.by_class = found.boards > POSITION_LIMIT
        self.note = _BY_CLASS if self.by_class else ""
        shown = (record.position for record in (found if self.by_class else found.labelled()))
        places = {position_slug(position): position for position in sorted(shown, key=lambda p: (p.ply, p.x, p.o))}
        self._slugs = frozenset(places)
        self.asks = [Ask("position", self.board, slug, self.rules) for slug in places]
        if self.board.rules.chooses_mark:  # another page has the moves of an O
            self.asks += [ask.changed(mark="O") for ask in self.asks if not places[ask.what].is_terminal]
        self._refused: set[Ask] = set()
        self._found: dict[Ask, Ask | None] = {}

    def refuse(self, ask: Ask) -> None:
        """Leave a page out: nothing leads to it."""
        self._refused.add(ask)
        self._found.clear()

    def forms(self, ask: Ask) -> tuple[Form, ...]:
        """Return the forms in which a page is in the folder, beside the page itself."""
        there = _FORMS.get(ask.page, _ONLY_DATA)
        return tuple(form for form in KINDS[ask.page].forms if form in there)

    def file(self, ask: Ask) -> str:
        """Return the file of a page, such as `p/X__-___-___.html`; the rules of the folder are in no name."""
        names = {"board": "index", "position": f"p/{ask.what}", "game": f"g/{ask.what}", "tree": f"tree/{ask.what}"}
        tail = "".join(f"-{key}-{value}" for key, value in ask.query if (key, value) not in self.rules)
        return re.sub(r"[^A-Za-z0-9_./-]", "_", names.get(ask.page, ask.page) + tail) + f".{ask.form}"

    def find(self, ask: Ask) -> Ask | None:
        """Return what the folder has for what is asked: a game leads to where it ends; None where it has nothing."""
        if ask not in self._found:
            self._found[ask] = self._find(ask)
        return self._found[ask]

    def _find(self, ask: Ask) -> Ask | None:
        if ask.board != self.board or ask.framed or (ask.form != "html" and ask.form not in self.forms(ask)):
            return None
        if ask.page == "game" and not ask.query:
            end = reduce(Position.play, read_game(self.board, ask.what), Position(self.board))
            ask = replace(ask, page="position", what=position_slug(end))
        ask = self._bound(ask)
        if not self._is_wanted(ask) or ask.of("html") in self._refused:
            return None
        return self._place(ask) if ask.page == "position" else ask

    def _is_wanted(self, ask: Ask) -> bool:
        """Tell whether a page of this kind, with these parameters, is in the folder: under rules none about others."""
        if ask.page in _LEFT_OUT or (ask.page == "tree" and ask.what not in _TREES):
            return False
        free = {name for name, value in ask.query if (name, value) not in self.rules}
        takes = {parameter.name for parameter in KINDS[ask.page].parameters}
        if self.rules and (free & set(RULE_NAMES) or "moves" not in takes):
            return False
        return free <= _PARAMETERS.get(ask.page, set())

    def _bound(self, ask: Ask) -> Ask:
        """Return what is asked with the rules that all pages of the folder share."""
        if not self.rules:
            return ask
        takes = {parameter.name for parameter in KINDS[ask.page].parameters}
        rules = {name: value for name, value in self.rules if name in takes}
        return replace(ask, query=query_of({**dict(ask.query), **rules}))

    def _place(self, ask: Ask) -> Ask | None:
        """Return the page of a position, or the page of its class where the position has no page."""
        if ask.what in self._slugs and ask.given("mark") is None:
            return ask
        try:
            position = read_position(self.board, ask.what)
        except InputError:
            return None
        ask = ask.changed(mark=None).of(ask.form) if position.is_terminal else ask
        if ask.what in self._slugs:
            return ask
        slug = position_slug(Position(self.board, *self.group.canonical(position.x, position.o)))
        return replace(ask, what=slug) if self.by_class and slug in self._slugs else None


def _rules(question: Question) -> Query:
    """Return the rules that bind play as parameters of an address, those that are as usual left out."""
    x, o = question.x_moves, question.o_moves
    rules = {"moves": x} if x == o else {"x_moves": x, "o_moves": o}
    given = {name: None if rule == "any" else rule for name, rule in rules.items()}
    return query_of({**given, "end": None if question.end == "line" else question.end})


class FolderLinks(Links):
    """Relative paths in a folder. `met` are the pages that were linked to, in the order of the first links."""

    is_live = False

    def __init__(self, here: Ask, there: FolderContents) -> None:
        super().__init__(here)
        self.there, self.note = there, there.note
        self.met: dict[Ask, None] = {}
        folder, slash, _ = there.file(here).rpartition("/")
        self._folder, self._up = folder + slash, "../" * (folder + slash).count("/")

    def _relative(self, path: str) -> str:
        beside = self._folder and path.startswith(self._folder)
        return path.removeprefix(self._folder) if beside else self._up + path

    def to(self, ask: Ask) -> str | None:
        """Return the relative path, None for what is not in the folder."""
        found = self.there.find(ask)
        if found is None:
            return None
        self.met[found.of("html")] = None
        return self._relative(self.there.file(found))

    def asset(self, name: str) -> str:
        """Return the relative path of a file that pages share."""
        return self._relative(f"static/{name}")

    def home(self) -> str:
        """Return the relative path of the page of the board."""
        return self._relative("index.html")


MARKER = "site.json"
"""The file that shows that a folder was made by this function."""

Files = list[tuple[str, str]]
"""Names of files, and what they hold."""
_PAGES = 20
"""Pages of positions that are made together."""


def _files(ask: Ask, links: FolderLinks, contents: FolderContents) -> Files:
    """Return a page and its data as files. Raises NoughtsError."""
    found, forms = found_for(ask), ("html", *contents.forms(ask))
    return [(contents.file(ask.of(form)), body_of(found, form, links).decode()) for form in forms]


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


def _positions(contents: FolderContents, run: tuple[int, int]) -> list[Files]:
    """Return the files of some positions, by their numbers."""
    return [_files(ask, FolderLinks(ask, contents), contents) for ask in contents.asks[slice(*run)]]


def write_site(
    question: Question, folder: Path, *, force: bool, done: Callable[[int, int], None], workers: Workers = SERIAL
) -> int:
    """Write the pages to a folder, which appears whole or not at all, and return how many there are."""
    require_free_folder(folder, MARKER, force=force)
    contents = FolderContents(question)
    whole, shared, pages = len(contents.asks) + 1, set[str](), 0
    runs = pairwise([*range(0, len(contents.asks), _PAGES), len(contents.asks)])
    with writing_folder(folder, MARKER, force=force) as new:
        about_all = overview(contents).values()
        for files in chain(about_all, chain.from_iterable(workers.map(_positions, contents, runs))):
            for name, text in files:
                new.put(name, text)
                shared.update(re.findall(r'"(?:\.\./)*static/([^"/]+)"', text) if name.endswith(".html") else ())
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

    They are the pages of `noughts serve` without play, quiz and other boards, each with its data beside it. Above
    10,000 positions each class has one page, in its canonical orientation. The same board and version give the same
    bytes.

    Parameters
    ----------
    board
        The board, or its name.
    folder
        Where the pages go.
    moves, x_moves, o_moves, end
        The rules of play, as `catalogue` takes them. Positions, games and moves are then those within the rules; pages
        that advise free play are left out.
    force
        Whether to replace a site that is there.
    progress
        Receives what is being done.
    workers
        Processes of this machine, or the address of a cluster.

    Returns
    -------
    Written
        How many pages, and their size.

    Raises
    ------
    InputError
        The folder holds other files.
    FileError
        A file cannot be written.
    BudgetError
        The board has more than 20,000 classes.

    Notes
    -----
    Cost: some 7 ms a page.
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
