"""A request as one plain value, its reply, what goes wrong with it, and what all that may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from noughts.analysis.policies.playing import Guest
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, NoughtsError

_MIB = 2**20

ADDRESS = 2048
"""Characters of an address."""
BODY = 16 * 1024
"""Most bytes of a body; no page needs one."""

REQUEST = Limits(256 * _MIB, 2.0)
"""What a request may take before it counts as long work."""
LONG = Limits(1024 * _MIB, 60.0)
"""What long work may take: pages hand this to the engines that refuse beforehand, and a worker that takes more ends."""

SMALL_BOARD = 9
"""Cells of a board whose plain pages need no worker process."""
DRAWN_CELLS = 2_500
"""Cells up to which a board is drawn on a page, and up to which its positions and games have pages."""
LARGE_REPLY = 16 * _MIB
"""Bytes of a page or of data: what is larger is for the command line."""


RETRY = 5
"""Seconds after which it is worth asking again where all are busy."""


@dataclass(frozen=True)
class SchedulerRules:
    """How much is done at a time, how much waits, how long, and how much is kept."""

    workers: int = 2
    """Processes; all but one of them, if there are more, take the work of large boards."""
    queue: int = 8
    """Jobs that wait; a quarter of the places is for small boards only."""
    request: Limits = field(default=REQUEST)
    long: Limits = field(default=LONG)
    patience: float = 8.0
    """Seconds that work goes on after the page about its progress was last asked for."""
    refused: float = 60.0
    """Seconds that it is remembered that something takes too much."""
    idle: float = 60.0
    """Seconds that a worker process without work stays."""
    heavy: int = 128 * _MIB
    """Bytes of memory at which a worker process is replaced after its work."""
    cache: int = 48 * _MIB
    """Bytes of finished replies that are kept."""
    look: float = 0.2
    """Seconds between two looks at the workers' memory and time."""

    @property
    def large_workers(self) -> int:
        """How many processes may be at work for large boards."""
        return max(1, self.workers - 1)

    @property
    def large_queue(self) -> int:
        """How many places of the queue large boards may take."""
        return self.queue - self.queue // 4


RULES = SchedulerRules()
"""The rules of a server."""


Form = Literal["html", "json", "svg", "png", "csv", "md", "tex", "txt", "pdf", "dot"]

MEDIA: dict[Form, str] = {
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

FORMATS = {"md": "markdown", "tex": "latex", "txt": "text"}
"""What verbs call the forms whose endings are not their names."""


Query = tuple[tuple[str, str], ...]


def query_of(given: Mapping[str, object]) -> Query:
    """Return parameters in their order; those that are None, empty or False are left out.

    An underscore at the end of a name, as in `from_`, is of Python.
    """
    there = {name.rstrip("_"): str(value) for name, value in given.items() if value not in (None, "", False)}
    return tuple(sorted(there.items()))


@dataclass(frozen=True)
class Ask:
    """One page in one form: hashable and picklable, so that it can be kept, sent to a worker, and compared.

    `what` is the last piece of the path: a position, a game, a kind of tree; `query` holds the parameters that were
    given, sorted by name, without those that have their usual value. `framed`: for a frame on another page.

    `progress` is for engines that take it. `guests` are the bots that the server was given, where they may play. Two
    asks that differ in these only are the same.
    """

    page: str
    board: Board | None = None
    what: str = ""
    query: Query = ()
    form: Form = "html"
    framed: bool = False
    progress: Progress = field(default=silent, compare=False, repr=False)
    guests: tuple[Guest, ...] = field(default=(), compare=False, repr=False)

    def given(self, name: str) -> str | None:
        """Return the text of a parameter, None where it was not given."""
        return dict(self.query).get(name)

    @property
    def on(self) -> Board:
        """The board of a page that has one."""
        assert self.board is not None
        return self.board

    def changed(self, **query: object) -> Ask:
        """Return the page with other parameters; those that are None, empty or False are left out."""
        given = dict(self.query) | {name.rstrip("_"): value for name, value in query.items()}
        return replace(self, query=query_of(given), form="html")

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


class NotFound(InputError):
    """The page, board, position or game does not exist."""


class Unreachable(InputError):
    """What is asked for can be read and cannot be had on this board; `ways` are what can be, in words."""

    def __init__(self, sentence: str, ways: Sequence[tuple[str, Ask]]) -> None:
        super().__init__(sentence)
        self.ways = tuple(ways)


class Busy(NoughtsError):
    """All workers are at work and the queue is full."""


class ReaderGone(Exception):
    """The reader has left."""


def status_of(error: Exception) -> int:
    """Return the status of an error: 404, 400, 422 where it costs too much, 503 where all are busy, else 500."""
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, InputError):
        return 400
    if isinstance(error, BudgetError):
        return 422
    return 503 if isinstance(error, Busy) else 500
