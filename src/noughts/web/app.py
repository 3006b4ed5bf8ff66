"""The application: an ASGI app that checks requests and serves cached replies, files and pages."""

from __future__ import annotations

import asyncio
import re
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from noughts.analysis.policies.tablebots import TableBot
from noughts.rules.errors import InputError, NoughtsError, shown
from noughts.web.addresses import FRAME, read_address
from noughts.web.render import asset_reply
from noughts.web.replies import Packed, ReplyCache, failure, mistake
from noughts.web.request import ADDRESS, BODY, MEDIA, RETRY, RULES, Ask, Busy, PageReply, ReaderGone, SchedulerRules
from noughts.web.scheduler import Scheduler

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names of this machine on itself."""
_OPENED_FIRST = ("/", "/3x3", "/3x3/play")
_OPENED_NEXT = re.compile(r'href="(/(?!static/|docs/)[^"?#]+)"')
"""The links of the start page that have no parameters: what they lead to is made after the server is ready."""
_PAUSE = 2.0
"""Seconds from then, and from each request of a reader, until the next of those pages is made."""
_SLOWEST = 30.0
"""Seconds until a reader must have received a piece."""


class Explorer:
    """The ASGI application: it answers requests that name one of `hosts`; `table_bots` are bots to play against.

    `public` is the address by which others reach it: codes on sheets lead there, and other sites show its pictures.
    Most requests are answered from the cache of replies, whose keys are addresses.
    """

    def __init__(
        self,
        hosts: Iterable[str] = LOOPBACK,
        rules: SchedulerRules = RULES,
        table_bots: tuple[TableBot, ...] = (),
        public: str = "",
    ) -> None:
        self._hosts = {host.lower().encode() for host in hosts}
        self._rules, self._table_bots, self._public = rules, table_bots, public
        self._cache: ReplyCache = ReplyCache(rules.cache)
        self._scheduler: Scheduler | None = None
        self._warming: asyncio.Task[None] | None = None
        self._reader_came = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. An error of this program is logged; the reply says so without the trace."""
        if scope["type"] != "http":
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        try:
            packed = self._refused(scope, headers) or self._known(scope) or await self._made(scope, headers, receive)
        except ReaderGone:
            return
        except Exception:
            traceback.print_exc(file=sys.stderr)
            ask = _unread(scope["path"])
            packed = Packed.of(mistake(ask), framed=ask.framed)
        await send_packed(packed, scope, headers, send)

    async def open(self) -> None:
        """Start a worker and make the pages that readers open first, so that readers do not wait for that."""
        self._at_work().ready()
        for each in _OPENED_FIRST:
            await self._at_work().reply(self._read(each))
        await self._at_work().made_ready()
        self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        """Make the pages that the start page leads to, one after another; work for a reader ends that."""

        async def reader_came() -> None:
            await self._reader_came.wait()

        start = await self._at_work().reply(self._read("/"))
        self._reader_came.set()
        for each in dict.fromkeys(_OPENED_NEXT.findall(start.plain_body().decode())):
            if self._reader_came.is_set():
                await asyncio.sleep(_PAUSE)
                self._reader_came.clear()
            with suppress(Busy, ReaderGone):
                await self._at_work().reply(self._read(each), reader_came, waits=True)

    async def close(self) -> None:
        """End all work; waiting and later requests receive a reply that says so."""
        if self._warming is not None:
            self._warming.cancel()
        await self._at_work().close()

    def _at_work(self) -> Scheduler:
        if self._scheduler is None:
            self._scheduler = Scheduler(self._rules, self._cache)
        return self._scheduler

    def _known(self, scope: Scope) -> Packed | None:
        query: bytes = scope["query_string"]
        key: bytes = scope["raw_path"] + b"?" + query if query else scope["raw_path"]
        return self._cache.get(key.decode("latin-1"))

    async def _made(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> Packed:
        """Return a file, or the scheduler's reply for a page; one that replaces another may prefer to wait for it."""
        path, ask = scope["path"], _unread(scope["path"])
        try:
            if path == "/docs" or path.startswith("/docs/"):
                from noughts.web.manual import manual_reply

                return Packed.of(manual_reply(path[6:], scope["query_string"].decode("latin-1")))
            file = _file(path)
            if file is not None:
                self._cache.put(path, Packed.of(file))
                return Packed.of(file)
            ask = self._read(path, scope["query_string"].decode("latin-1"))
            self._reader_came.set()
            client, waits = (scope.get("client") or ("",))[0], headers.get(b"prefer", b"").startswith(b"wait")
            return await self._at_work().reply(ask, partial(_gone, receive), client, waits=waits)
        except NoughtsError as error:
            more = {"retry-after": str(RETRY)} if isinstance(error, Busy) else {}
            return Packed.of(failure(error, ask), framed=ask.framed, more=more)

    def _read(self, path: str, query: str = "") -> Ask:
        """Return the request of an address, with what the server knows: its bots and its public address."""
        ask = read_address(path, query)
        return replace(ask, table_bots=self._table_bots if ask.page == "play" else (), public=self._public)

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> Packed | None:
        """Return the reply to a request that is refused; None for any other."""
        if scope["method"] not in ("GET", "HEAD"):
            return _refusal(scope, 405, "pages can only be read: use GET", allow="GET, HEAD")
        if sum(name == b"host" for name, _ in scope["headers"]) > 1:
            return _refusal(scope, 400, "the request names two hosts: name one")
        host = headers.get(b"host", b"").lower()
        if host not in self._hosts and _without_port(host) not in self._hosts:
            return _refusal(scope, 421 if host else 400, _misnamed(host))
        if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS:
            return _refusal(scope, 414, f"the address is longer than {ADDRESS:,} characters: shorten it")
        if b"content-length" in headers or b"transfer-encoding" in headers:
            length = headers.get(b"content-length", b"")
            if not length.isdigit() or len(length) > 9 or int(length) > BODY:
                sentence = f"the body of the request has more than {BODY:,} bytes: send the request without a body"
                return _refusal(scope, 413, sentence, connection="close")
        return None


def _file(path: str) -> PageReply | None:
    """Return a file that pages share, or the description; None for another path.

    Raises NotFound where the server does not have it.
    """
    if path == "/openapi.json":
        from noughts.web.pages.api import document

        return PageReply(200, MEDIA["json"], document().encode())
    if path.startswith("/static/"):
        return asset_reply(path.removeprefix("/static/"))
    return None


async def _gone(receive: Receive) -> None:
    """Return when the reader has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _misnamed(host: bytes) -> str:
    name = host.decode("latin-1")
    reason = f"this server does not answer to the name {shown(name)}" if host else "the request names no host"
    return f"{reason}: allow a further name with noughts serve --allow-host NAME"


def _takes_gzip(accepted: bytes) -> bool:
    """Tell whether a reader accepts gzip; `gzip;q=0` refuses it."""
    for each in accepted.split(b","):
        name, _, quality = each.replace(b" ", b"").partition(b";q=")
        if name == b"gzip":
            return quality.strip(b"0.") != b"" or not quality
    return False


def _without_port(host: bytes) -> bytes:
    name, colon, port = host.rpartition(b":")
    return name if colon and (port.isdigit() or not port) else host


def _refusal(scope: Scope, status: int, sentence: str, **headers: str) -> Packed:
    error = NoughtsError(sentence) if status in (405, 421) else InputError(sentence)
    return Packed.of(failure(error, _unread(scope["path"]), status=status), more=headers)


def _unread(path: str) -> Ask:
    """Return a request in place of an address that cannot be read; it has the form, page or data."""
    is_data = path.rpartition(".")[2] in MEDIA.keys() - {"html"}
    return Ask("start", form="json" if is_data else "html", framed=not is_data and path.startswith(f"{FRAME}/"))


async def send_packed(packed: Packed, scope: Scope, headers: dict[bytes, bytes], send: Send) -> None:
    """Send a reply, compressed if the reader accepts that, without its body for HEAD or a current ETag."""
    compressed = packed.is_compressed and _takes_gzip(headers.get(b"accept-encoding", b""))
    listed = packed.compressed_headers if compressed else packed.plain_headers
    status, pieces = packed.status, iter((b"",))
    if b"if-none-match" in headers and status == 200 and packed.matches(headers[b"if-none-match"]):
        status, listed = 304, packed.unchanged(listed)
    elif scope["method"] != "HEAD":
        pieces = packed.pieces(compressed=compressed)
    await send({"type": "http.response.start", "status": status, "headers": listed})
    piece = next(pieces, b"")
    for following in pieces:
        await _sent(send, piece, more=True)
        piece = following
    await _sent(send, piece, more=False)


async def _sent(send: Send, piece: bytes, *, more: bool) -> None:
    async with asyncio.timeout(_SLOWEST):
        await send({"type": "http.response.body", "body": piece, "more_body": more})
