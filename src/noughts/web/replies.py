"""A request becomes a reply, for the server, its workers and the pages in a folder; and the cache of replies."""

from __future__ import annotations

import gzip
import json
import re
import sys
import traceback
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import import_module

from noughts.analysis.policies.policy import no_programs
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, NoughtsError
from noughts.web.addresses import command_of, framed_as, spoken
from noughts.web.kinds import KINDS, RULE_NAMES
from noughts.web.links import Links, PageAnswer, ServerLinks
from noughts.web.render import is_in_reach, render
from noughts.web.request import FORMATS, MEDIA, Ask, Form, NotFound, PageReply, Unreachable, status_of

Headers = tuple[tuple[bytes, bytes], ...]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)
_COMPRESSED = ("text/", "application/json", "image/svg+xml", "application/x-tex")
_WORTH = 600
"""Replies below this number of bytes are not compressed."""
_PIECE = 64 * 1024
"""Bytes that are sent at a time."""
_OF_THE_BODY = (b"content-type", b"content-length", b"content-encoding")
_PAGE_SECONDS = 60
_DATA_SECONDS = 86_400


@dataclass(frozen=True)
class Packed:
    """A reply with its headers. `body` is compressed where `is_compressed`; `tag` is of the plain bytes."""

    status: int
    body: bytes
    is_compressed: bool
    tag: bytes
    plain_headers: Headers
    compressed_headers: Headers
    exact: bool

    @classmethod
    def of(cls, reply: PageReply, *, framed: bool = False, more: Mapping[str, str] | None = None) -> Packed:
        """Return a reply ready to send. Any site and any file may show `framed` pages; `more` are further headers."""
        is_compressed = len(reply.body) >= _WORTH and reply.media.startswith(_COMPRESSED)
        body = gzip.compress(reply.body, 6, mtime=0) if is_compressed else reply.body
        tag = b'"' + sha256(reply.body).hexdigest()[:24].encode()

        def headers(end: bytes, sent: bytes, *others: tuple[bytes, bytes]) -> Headers:
            return (*common, (b"content-length", str(len(sent)).encode()), (b"etag", tag + end), *others)

        common = _headers(reply, framed, more or {})
        plain = headers(b'"', reply.body)
        small = headers(b'-z"', body, (b"content-encoding", b"gzip")) if is_compressed else plain
        return cls(reply.status, body, is_compressed, tag, plain, small, reply.exact)

    @property
    def size(self) -> int:
        """About how many bytes this takes in the cache."""
        return len(self.body) + 1500

    def plain_body(self) -> bytes:
        """Return the body without compression."""
        return b"".join(self.pieces())

    def pieces(self, *, compressed: bool = False) -> Iterator[bytes]:
        """Yield the body piece by piece, so that a large one is never whole in memory without its compression."""
        if compressed or not self.is_compressed:
            yield from (self.body[at : at + _PIECE] for at in range(0, len(self.body), _PIECE))
            return
        reader, rest = zlib.decompressobj(wbits=31), self.body
        while rest:
            yield reader.decompress(rest, _PIECE)
            rest = reader.unconsumed_tail
        if end := reader.flush():
            yield end

    def matches(self, tags: bytes) -> bool:
        """Tell whether an If-None-Match header names this reply, in either encoding."""
        own = (self.tag + b'"', self.tag + b'-z"')
        return tags.strip() == b"*" or any(each.strip().removeprefix(b"W/") in own for each in tags.split(b","))

    def unchanged(self, listed: Headers) -> Headers:
        """Return the headers of the reply 304, for a reader who has the body."""
        return tuple(header for header in listed if header[0] not in _OF_THE_BODY)


def _headers(reply: PageReply, framed: bool, more: Mapping[str, str]) -> Headers:
    exact, others = reply.exact and reply.status == 200, (*reply.headers.items(), *more.items())
    return _common(reply.media, exact, framed, (*others, *([("location", reply.location)] if reply.location else [])))


@lru_cache(maxsize=256)
def _common(media: str, exact: bool, framed: bool, others: tuple[tuple[str, str], ...]) -> Headers:
    """Return the headers that say nothing about the body; replies in the cache share them."""
    is_page = media.startswith("text/html")
    style = "'self' 'unsafe-inline'" if media == "image/svg+xml" else "'self'"
    seconds = _PAGE_SECONDS if is_page or media.startswith(("text/css", "text/javascript")) else _DATA_SECONDS
    found = {
        "content-type": media,
        "cache-control": f"public, max-age={seconds}" if exact else "no-store",
        "vary": "accept-encoding",
        "content-security-policy": _POLICY.format(style=style, ancestors="* file:" if framed else "'none'"),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin" if is_page and not framed else "cross-origin",
        **dict(others),
    }
    if not is_page:
        found["access-control-allow-origin"] = "*"
    return tuple((name.encode(), value.encode("latin-1")) for name, value in found.items())


class ReplyCache:
    """Replies by address; beyond `room` bytes the least recently used are removed."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.size = 0
        self._replies: OrderedDict[str, Packed] = OrderedDict()

    def get(self, key: str) -> Packed | None:
        """Return the reply, None if the cache does not have it."""
        found = self._replies.get(key)
        if found is not None:
            self._replies.move_to_end(key)
        return found

    def put(self, key: str, packed: Packed) -> None:
        """Store a reply, unless it takes more than an eighth of the room."""
        if packed.size > self.room // 8:
            return
        before = self._replies.pop(key, None)
        self.size += packed.size - (before.size if before else 0)
        self._replies[key] = packed
        while self.size > self.room:
            _, gone = self._replies.popitem(last=False)
            self.size -= gone.size


_DOWNLOADED = ("csv", "md", "tex", "pdf")
"""Forms that a browser saves as files."""
_BY_RULES = {"board", "position"}
"""Kinds of page that change into another kind when rules restrict play."""
_HEADINGS = {
    400: "Invalid request",
    404: "This page does not exist",
    405: "Pages can only be read here",
    413: "The request is too large",
    414: "The address is too long",
    421: "This server has another name",
    422: "Too much work for a page",
    503: "The server is busy",
}


def found_for(ask: Ask) -> PageAnswer:
    """Return the answer for the requested kind of page. Raises NoughtsError."""
    kind = KINDS[ask.page]
    by_rules = ask.page in _BY_RULES and any(name in RULE_NAMES for name, _ in ask.query)
    module = import_module(f"noughts.web.pages.{'position' if by_rules else kind.module}")
    found: PageAnswer = getattr(module, f"answer_{'ruled' if by_rules else kind.name}")(ask)
    return found


def answer(ask: Ask, links: Links | None = None) -> PageReply:
    """Return the requested page or data; an error is a page or data, too.

    No address makes the server run a program.
    """
    links = links or ServerLinks(ask)
    with no_programs():
        try:
            found = found_for(ask)
            if found.location is not None:
                return PageReply(303, MEDIA["html"], b"", found.exact, framed_as(ask, found.location))
            body = body_of(found, ask.form, links)
            return PageReply(200, MEDIA[ask.form], body, found.exact, headers=_named(ask))
        except NoughtsError as error:
            return failure(error, ask, links)


def _named(ask: Ask) -> dict[str, str]:
    """Return the file name for downloaded data: `noughts-3x3-count-same-choices.csv`."""
    if ask.form not in _DOWNLOADED:
        return {}
    words = [ask.board.spec if ask.board else "", ask.page, ask.what, *(f"{name}-{text}" for name, text in ask.query)]
    name = re.sub(r"[^A-Za-z0-9_+.]+", "-", "-".join(["noughts", *filter(None, words)]))[:120].strip("-.")
    return {"content-disposition": f'inline; filename="{name}.{ask.form}"'}


def body_of(found: PageAnswer, form: Form, links: Links) -> bytes:
    """Return an answer as a page, or in one of its forms. Raises NoughtsError."""
    if form == "html":
        there = [each for each in KINDS[links.here.page].forms if FORMATS.get(each, each) in found.forms]
        command = command_of(links.here) if found.command is None else found.command
        return render(found.template, found.title, found.context(links), links, command, there).encode()
    name = FORMATS.get(form, form)
    if name not in found.forms:
        raise NotFound(
            f"this page is not available as .{form}: available are {', '.join(f'.{each}' for each in found.forms)}"
        )
    made = found.forms[name]()
    if isinstance(made, bytes):
        return made
    return (made if isinstance(made, str) else "".join(made)).encode()


def safe_answer(ask: Ask) -> PageReply:
    """Return the page or the data; on an error of this program, a page that says so, with the trace to stderr."""
    try:
        return answer(ask)
    except MemoryError:
        return failure(BudgetError("not enough memory: choose a smaller board"), ask)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return mistake(ask)


def packed_answer(ask: Ask) -> Packed:
    """Return the requested page or data, ready to send."""
    return Packed.of(safe_answer(ask), framed=ask.framed)


def mistake(ask: Ask) -> PageReply:
    """Return the reply about an error of this program."""
    sentence = "noughts has a bug here: please report it with the trace in the server's log"
    return failure(NoughtsError(sentence), ask, status=500)


_INSTEAD = {
    "tree": "The tree of the first moves",
    "openings": "Openings, with the value of each",
    "puzzles": "Puzzles",
    "play": "Play",
    "count": "How many games?",
}
"""Pages that answer for large boards too, in the order in which a page offers them."""


def _within_reach(board: Board, page: str, links: Links) -> list[tuple[str, str | None]]:
    """Return pages of a board that a page which is too costly there offers instead."""
    kinds = [kind for kind in _INSTEAD if is_in_reach(kind, board) and (kind == "tree" or kind != page)]
    first = {"tree": Ask("tree", board, "full", (("depth", "2"),))}
    ways = [(_INSTEAD[kind], links.to(first.get(kind, Ask(kind, board)))) for kind in kinds]
    return [(words, to) for words, to in ways if to]


def failure(error: NoughtsError, ask: Ask, links: Links | None = None, status: int | None = None) -> PageReply:
    """Return an error in one sentence: as a page for a requested page, else as JSON."""
    status = status or status_of(error)
    sentence = spoken(str(error), ask)
    exact = status in (400, 404)
    if ask.form != "html":
        return PageReply(status, MEDIA["json"], (json.dumps({"ok": False, "error": sentence}) + "\n").encode(), exact)
    links = links or ServerLinks(ask)
    heading, ways, named = _HEADINGS.get(status, "Something went wrong"), [], "noughts " in sentence
    if isinstance(error, Unreachable):
        heading = "This board does not have that"
        ways = [(words, links.to(way)) for words, way in error.ways]
    elif status == 422 and ask.board is not None:
        ways = _within_reach(ask.board, ask.page, links)
    context = {"status": status, "sentence": sentence, "ways": ways}
    lists = ask.page in ("endings", "positions")  # the command refuses these boards too: it counts what is not listed
    command = command_of(Ask("count", ask.board) if lists else ask) if status == 422 and not named else ""
    return PageReply(status, MEDIA["html"], render("failure.html", heading, context, links, command).encode(), exact)
