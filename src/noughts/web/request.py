"""A request as one plain value, its reply, its errors, and the limits of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from noughts.analysis.policies.tablebots import TableBot
from noughts.machine.budget import Limits
from noughts.machine.workers import Progress, silent
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InputError, NoughtsError

_MIB = 2**20

ADDRESS = 2048
"""Characters of an address."""
BODY = 16 * 1024
"""Most bytes of a body; no page needs one."""

REQUEST = Limits(96 * _MIB, 2.0)
"""Limits of what a page adds to its answer."""
LONG = Limits(104 * _MIB, 60.0)
"""Limits of long work: engines refuse beforehand what exceeds them; a worker that exceeds them is ended."""

SMALL_BOARD = 9
"""Cells of a board whose plain pages need no worker process."""
DRAWN_CELLS = 2_500
"""Cells up to which a board is drawn on a page, and up to which its positions and games have pages."""
LARGE_REPLY = 16 * _MIB
"""Maximum bytes of a page or of data; the command line has no such limit."""


RETRY = 5
"""Seconds after which to ask a busy server again."""


@dataclass(frozen=True)
class SchedulerRules:
    """Numbers of waiting jobs, time limits, and the size of the cache."""

    queue: int = 8
    """Maximum number of jobs that wait for each of the three workers."""
    slice: float = 0.4
    """Seconds of processor time after which work may use only the worker for long work."""
    request: float = 2.0
    """Seconds after which a page replies with its progress."""
    first: float = 0.2
    """Seconds after which a page about a board is shown with what the package carries, while the rest is computed."""
    long: Limits = field(default=LONG)
    patience: float = 8.0
    """Seconds that work continues after the last request for its progress."""
    refused: float = 60.0
    """Seconds that a refusal of too costly work is remembered."""
    idle: float = 60.0
    """Seconds after which an idle worker process ends."""
    lean: int = 32 * _MIB
    """Bytes of memory beyond which work may use only the worker for long work."""
    heavy: int = 24 * _MIB
    """Bytes of memory at which a worker process is replaced after its work."""
    cache: int = 40 * _MIB
    """Bytes of finished replies in the cache."""
    look: float = 0.1
    """Seconds between two checks of the workers' memory and time."""


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
"""The ending of an address and the media type, for each form."""

FORMATS = {"md": "markdown", "tex": "latex", "txt": "text"}
"""The names that verbs use for forms whose endings differ from their names."""


Query = tuple[tuple[str, str], ...]


def query_of(given: Mapping[str, object]) -> Query:
    """Return parameters in their order; those that are None, empty or False are removed.

    An underscore at the end of a name, as in `from_`, is removed.
    """
    there = {name.rstrip("_"): str(value) for name, value in given.items() if value not in (None, "", False)}
    return tuple(sorted(there.items()))


@dataclass(frozen=True)
class Ask:
    """One page in one form: hashable and picklable, so that it can be kept, sent to a worker, and compared.

    `what` is the last piece of the path: a position, a game, a kind of tree; `query` holds the parameters that were
    given, sorted by name, without those that have their default. `framed`: for a frame on another page.

    `progress` is for engines that report it. `table_bots` are the bots of the server, where they may play, and
    `public` is its public address, without the last slash. They are ignored when two requests are compared.
    """

    page: str
    board: Board | None = None
    what: str = ""
    query: Query = ()
    form: Form = "html"
    framed: bool = False
    progress: Progress = field(default=silent, compare=False, repr=False)
    table_bots: tuple[TableBot, ...] = field(default=(), compare=False, repr=False)
    public: str = field(default="", compare=False, repr=False)

    def given(self, name: str) -> str | None:
        """Return the text of a parameter, None where it was not given."""
        return dict(self.query).get(name)

    @property
    def on(self) -> Board:
        """The board of a page that has one."""
        assert self.board is not None
        return self.board

    def changed(self, **query: object) -> Ask:
        """Return the page with other parameters; those that are None, empty or False are removed."""
        given = dict(self.query) | {name.rstrip("_"): value for name, value in query.items()}
        return replace(self, query=query_of(given), form="html")

    def of(self, form: Form) -> Ask:
        """Return the request in another form."""
        return self if form == self.form else replace(self, form=form)


@dataclass(frozen=True)
class PageReply:
    """A reply: status, media type, bytes. `exact`: the same address always gives the same reply.

    `location` is the address to go to instead, `headers` are further headers.
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
    """The request is valid, but this board does not have the answer; `ways` are links to what it has."""

    def __init__(self, sentence: str, ways: Sequence[tuple[str, Ask]]) -> None:
        super().__init__(sentence)
        self.ways = tuple(ways)


class Busy(NoughtsError):
    """All workers are busy and the queue is full."""


class ReaderGone(Exception):
    """The reader has disconnected."""


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error: 404, 400, 422 for too much work, 503 for a busy server, else 500."""
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, InputError):
        return 400
    if isinstance(error, BudgetError):
        return 422
    return 503 if isinstance(error, Busy) else 500
