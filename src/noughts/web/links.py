"""Links between pages as one page needs them, the addresses on a server, and what a kind of page answers."""

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
