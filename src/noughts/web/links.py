"""Links between pages, the addresses on a server, and the answer of a kind of page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from noughts.present.forms import Forms
from noughts.rules.board import Board
from noughts.rules.marks import Cell
from noughts.rules.position import Position
from noughts.web.addresses import address, game_slug, position_slug
from noughts.web.request import Ask, Form, query_of


class Links(ABC):
    """The links from one page. A link is None if its target does not exist."""

    def __init__(self, here: Ask) -> None:
        self.here = here

    is_live = True
    """Whether a server answers, so that pages can have forms and links to other boards."""
    note = ""
    """A note about the targets of links."""

    @abstractmethod
    def to(self, ask: Ask) -> str | None:
        """Return the link to the page of a request."""

    @abstractmethod
    def asset(self, name: str) -> str:
        """Return the link to a style sheet, a script, an icon."""

    @abstractmethod
    def home(self) -> str:
        """Return the link to the first page."""

    def page(self, page: str, what: str = "", /, form: Form = "html", **query: object) -> str | None:
        """Return the link to a page of this board; parameters that are None or empty are omitted."""
        return self.to(Ask(page, self.here.board, what, query_of(query), form))

    def position(self, position: Position, **query: object) -> str | None:
        """Return the link to a position."""
        return self.page("position", position_slug(position), **query)  # type: ignore[arg-type]

    def game(self, cells: Iterable[Cell], **query: object) -> str | None:
        """Return the link to a game; that of a game without moves is a dash."""
        return self.page("game", game_slug(self.here.on, cells) or "-", **query)  # type: ignore[arg-type]

    def board(self, board: Board | str) -> str | None:
        """Return the link to another board."""
        return self.to(Ask("board", Board.parse(board)))

    def twin(self, form: Form) -> str | None:
        """Return the link to this page in another form."""
        return self.to(replace(self.here, form=form))


class ServerLinks(Links):
    """Addresses from the root of a server. Pages in a frame link to pages in a frame."""

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


@dataclass(frozen=True)
class PageAnswer:
    """The answer of a kind of page: a `template`, its `context`, and `forms` as on the command line.

    `command` gives the same on the command line, if it differs from the command of the address. `context` and
    `forms` are made only on request. `exact`: the same address always gives the same bytes. `location` is the
    address to go to instead, if any.
    """

    template: str = ""
    title: str = ""
    context: Callable[[Links], Mapping[str, Any]] = lambda links: {}
    forms: Forms = field(default_factory=dict)
    command: str | None = None
    exact: bool = True
    location: str | None = None
