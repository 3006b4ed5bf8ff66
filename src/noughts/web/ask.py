"""What is asked of the explorer, as one plain value: a kind of page, a board, what of it, parameters, and the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from noughts.domain.board import Board
from noughts.machine.budget import Limits
from noughts.machine.progress import Progress, silent
from noughts.strategy.guests import Guest
from noughts.web.limits import LONG

__all__ = ["MEDIA", "Ask", "Form", "PageReply"]

Form = Literal["html", "json", "svg", "png", "csv", "md", "tex", "txt", "pdf", "dot"]

MEDIA: dict[str, str] = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "pdf": "application/pdf",
    "dot": "text/vnd.graphviz; charset=utf-8",
}
"""The ending of an address for each form, and how its content is called."""


@dataclass(frozen=True)
class Ask:
    """One page in one form: hashable and picklable, so that it can be kept, sent to a worker, and compared.

    `what` is the last piece of the path: a position, a game, a kind of tree; `query` holds the parameters that were
    given, sorted by name, without those that have their usual value. `framed`: for a frame on somebody else's page.

    `limits` and `progress` are for whoever answers, to be handed to engines that take them; two asks that differ in
    these only are the same. `guests` are the bots that whoever runs the server has named, where they may play.
    """

    page: str
    board: Board | None = None
    what: str = ""
    query: tuple[tuple[str, str], ...] = ()
    form: Form = "html"
    framed: bool = False
    limits: Limits = field(default=LONG, compare=False, repr=False)
    progress: Progress = field(default=silent, compare=False, repr=False)
    guests: tuple[Guest, ...] = field(default=(), compare=False, repr=False)

    def given(self, name: str) -> str | None:
        """Return the text of a parameter, None where it was not given."""
        return dict(self.query).get(name)

    def of(self, form: Form) -> Ask:
        """Return the same in another form."""
        return self if form == self.form else replace(self, form=form)


@dataclass(frozen=True)
class PageReply:
    """What goes back: the status, the media type, the bytes; `exact` where the same address always gives the same.

    `location` is where to look instead, `headers` what else is to be said.
    """

    status: int
    media: str
    body: bytes
    exact: bool = True
    location: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
