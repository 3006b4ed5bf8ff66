"""Links between pages: addresses on a server, or relative paths in a folder, where only what is written has a link."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from noughts.present.forms import Forms
from noughts.rules.board import Board
from noughts.rules.marks import Cell
from noughts.rules.position import Position
from noughts.web.addresses import address, game_slug, position_slug
from noughts.web.request import Ask, Form


class Links(ABC):
    """Where things are, as seen from one page. A link is None where the thing is not there."""

    def __init__(self, here: Ask) -> None:
        self.here = here

    is_live = True
    """Whether a server answers: then forms can be sent and other boards asked about."""
    note = ""
    """What a reader should know of where links lead."""

    @abstractmethod
    def to(self, ask: Ask) -> str | None:
        """Return the link to what is asked for."""

    @abstractmethod
    def asset(self, name: str) -> str:
        """Return the link to a style sheet, a script, an icon."""

    @abstractmethod
    def home(self) -> str:
        """Return the link to where everything begins."""

    def page(self, page: str, what: str = "", /, form: Form = "html", **query: object) -> str | None:
        """Return the link to a page of this board; parameters that are None or empty are left out."""
        given = {name.rstrip("_"): str(value) for name, value in query.items() if value not in (None, "", False)}
        return self.to(Ask(page, self.here.board, what, tuple(sorted(given.items())), form))

    def position(self, position: Position, **query: object) -> str | None:
        """Return the link to a position."""
        return self.page("position", position_slug(position), **query)  # type: ignore[arg-type]

    def game(self, cells: Iterable[Cell], **query: object) -> str | None:
        """Return the link to a game; that of a game without moves is a dash."""
        assert self.here.board is not None
        return self.page("game", game_slug(self.here.board, cells) or "-", **query)  # type: ignore[arg-type]

    def board(self, board: Board | str) -> str | None:
        """Return the link to another board."""
        return self.to(Ask("board", Board.parse(board)))

    def twin(self, form: Form) -> str | None:
        """Return the link to this page in another form."""
        return self.to(replace(self.here, form=form))


class ServerLinks(Links):
    """Addresses from the root of a server. Pages in a frame lead to pages in a frame."""

    def to(self, ask: Ask) -> str | None:
        """Return the address."""
        return address(replace(ask, framed=self.here.framed and ask.form == "html"))

    def unframed(self) -> str:
        """Return the address of this page outside a frame."""
        return address(replace(self.here, framed=False))

    def asset(self, name: str) -> str:
        """Return the address of a file that the server has."""
        return f"/static/{name}"

    def home(self) -> str:
        """Return the address of the start page."""
        return "/"


def file_of(ask: Ask, understood: Collection[tuple[str, str]] = ()) -> str:
    """Return the file of a page of the one board that a folder is about, such as `p/X__-___-___.html`.

    `understood` are the parameters that all pages of the folder share, which no name says.
    """
    names = {"board": "index", "position": f"p/{ask.what}", "game": f"g/{ask.what}", "tree": f"tree/{ask.what}"}
    name = names.get(ask.page, ask.page)
    tail = "".join(f"-{key}-{value}" for key, value in ask.query if (key, value) not in understood)
    return re.sub(r"[^A-Za-z0-9_./-]", "_", name + tail) + f".{ask.form}"


class PagePlace(NamedTuple):
    """Where something is in a folder: the page that it belongs to, and its file."""

    page: Ask
    file: str


class Contents(Protocol):
    """What a folder holds."""

    @property
    def understood(self) -> tuple[tuple[str, str], ...]:
        """The parameters that all pages of the folder share: the rules that bind play."""

    @property
    def note(self) -> str:
        """What a reader should know of where links lead."""

    def place(self, ask: Ask) -> PagePlace | None:
        """Return where the folder has what is asked, None where it has nothing."""

    def place_of(self, position: Position) -> PagePlace | None:
        """Return where the folder has the page of a position of its board, None where it has none."""


class FolderLinks(Links):
    """Relative paths in a folder. `met` are the pages that were linked to, in the order of the first links."""

    is_live = False

    def __init__(self, here: Ask, there: Contents) -> None:
        super().__init__(here)
        self.there, self.note = there, there.note
        self.met: dict[Ask, None] = {}
        folder, slash, _ = file_of(here, there.understood).rpartition("/")
        self._folder, self._up = folder + slash, "../" * (folder + slash).count("/")

    def _relative(self, path: str) -> str:
        beside = self._folder and path.startswith(self._folder)
        return path.removeprefix(self._folder) if beside else self._up + path

    def to(self, ask: Ask) -> str | None:
        """Return the relative path, None for what is not in the folder."""
        return self._there(self.there.place(ask))

    def position(self, position: Position, **query: object) -> str | None:
        """Return the relative path of the page of a position; found at once where it has no parameters of its own."""
        if position.board is not self.here.board or any(query.values()):
            return super().position(position, **query)
        return self._there(self.there.place_of(position))

    def _there(self, place: PagePlace | None) -> str | None:
        if place is None:
            return None
        self.met[place.page] = None
        return self._relative(place.file)

    def asset(self, name: str) -> str:
        """Return the relative path of a file that pages share."""
        return self._relative(f"static/{name}")

    def home(self) -> str:
        """Return the relative path of the page of the board."""
        return self._relative("index.html")


# What a kind of page answers: the page for people, and its forms for programs, made only when asked for.


@dataclass(frozen=True)
class PageAnswer:
    """What a kind of page answers: a `template` with what `context` gives it, and `forms` as on the command line.

    `command` is what gives the same on the command line, where it is not the command of the address. `context` and
    `forms` are made only when they are asked for. `exact` where the same address always gives the same bytes.
    `location` is where the page is to be found instead, if anywhere.
    """

    template: str = ""
    title: str = ""
    context: Callable[[Links], Mapping[str, Any]] = lambda links: {}
    forms: Forms = field(default_factory=dict)
    command: str | None = None
    exact: bool = True
    location: str | None = None
