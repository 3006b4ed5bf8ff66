"""What every request meets first: who may ask, how much may be said, and what is known already, without routing.

Most requests end here, so it is short: a few comparisons, one look into the replies that are kept, two messages.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from noughts.analysis.policies.playing import Guest
from noughts.rules.errors import InputError, NoughtsError, shown
from noughts.web.addresses import read_address
from noughts.web.pages.api import document
from noughts.web.render import asset, asset_media, manual_reply
from noughts.web.replies import Kept, Packed, failure, mistake
from noughts.web.request import ADDRESS, BODY, DESK, MEDIA, RETRY, Ask, Busy, DeskRules, NotFound, PageReply, ReaderGone
from noughts.web.scheduler import WorkDesk

_CHUNK = 64 * 1024
_SLOWEST = 30.0
"""Seconds in which a reader has to take a chunk."""


class Gate:
    """The outermost app: `inner` is asked only for what is not in `kept`, whose keys are addresses."""

    def __init__(self, inner: ASGIApp, hosts: Collection[str], kept: Kept[str]) -> None:
        self._inner = inner
        self._hosts = {host.encode() for host in hosts}
        self._kept = kept

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._inner(scope, receive, send)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        refused = self._refused(scope, headers)
        if refused is not None:
            await send_packed(refused, scope, headers, send)
            return
        query: bytes = scope["query_string"]
        key: bytes = scope["raw_path"] + b"?" + query if query else scope["raw_path"]
        found = self._kept.get(key.decode("latin-1"))
        if found is not None:
            await send_packed(found, scope, headers, send)
        else:
            await self._inner(scope, receive, send)

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> Packed | None:
        """Return the reply to a request that goes no further."""
        if scope["method"] not in ("GET", "HEAD"):
            return _refusal(scope, 405, "pages are only read here: ask with GET", allow="GET, HEAD")
        host = headers.get(b"host", b"").lower()
        if host not in self._hosts and _without_port(host) not in self._hosts:
            return _refusal(scope, 421 if host else 400, _misnamed(host))
        if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS:
            return _refusal(scope, 414, f"the address is longer than {ADDRESS:,} characters: ask for less at once")
        if b"content-length" in headers or b"transfer-encoding" in headers:
            length = headers.get(b"content-length", b"")
            if not length.isdigit() or len(length) > 9 or int(length) > BODY:
                sentence = f"a question has no body, and one of more than {BODY:,} bytes is not read"
                return _refusal(scope, 413, sentence, connection="close")
        return None


def _misnamed(host: bytes) -> str:
    asked = (
        f"nothing is served under the name {shown(host.decode('latin-1'))}" if host else "no name of a host is given"
    )
    return f"{asked}: start the server with noughts serve --allow-host NAME for another name than this machine's own"


def _takes_gzip(accepted: bytes) -> bool:
    """Tell whether a reader takes gzip: `gzip;q=0` says that it does not."""
    if b"gzip" not in accepted or b"=" not in accepted:
        return b"gzip" in accepted
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
    reply = failure(error, ask_in_vain(scope["path"]), status=status)
    return Packed.of(reply, more=headers)


def ask_in_vain(path: str) -> Ask:
    """Return what stands for an address that cannot be read: it says whether a page or data was asked for."""
    return Ask("start", form="json" if path.rpartition(".")[2] in MEDIA.keys() - {"html"} else "html")


async def send_packed(packed: Packed, scope: Scope, headers: dict[bytes, bytes], send: Send) -> None:
    """Send a reply: compressed where that is taken, without body where it is known already or not wanted."""
    compressed = packed.is_compressed and _takes_gzip(headers.get(b"accept-encoding", b""))
    listed = packed.compressed_headers if compressed else packed.plain_headers
    if b"if-none-match" in headers and packed.status == 200 and packed.matches(headers[b"if-none-match"]):
        await send({"type": "http.response.start", "status": 304, "headers": packed.unchanged(listed)})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": packed.status, "headers": listed})
    if scope["method"] == "HEAD":
        await send({"type": "http.response.body", "body": b""})
        return
    body = packed.body if compressed or not packed.is_compressed else packed.plain_body()
    if len(body) <= _CHUNK:
        await send({"type": "http.response.body", "body": body})
        return
    for at in range(0, len(body), _CHUNK):
        more = at + _CHUNK < len(body)
        async with asyncio.timeout(_SLOWEST):
            await send({"type": "http.response.body", "body": body[at : at + _CHUNK], "more_body": more})


# The application: an ASGI app that turns requests into asks and replies into responses.

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""The names under which this machine knows itself."""


def application(hosts: Iterable[str] = LOOPBACK, rules: DeskRules = DESK, guests: tuple[Guest, ...] = ()) -> ASGIApp:
    """Return the application, which answers under these names of host only; `guests` are bots to play against."""
    return application_and_end(hosts, rules, guests)[0]


def application_and_end(
    hosts: Iterable[str] = LOOPBACK, rules: DeskRules = DESK, guests: tuple[Guest, ...] = ()
) -> tuple[ASGIApp, Callable[[], Awaitable[None]]]:
    """Return the application, and what ends all its work: those who wait are told that the server is closing."""
    kept: Kept[str] = Kept(rules.cache)
    explorer = _Explorer(rules, kept, guests)
    return Gate(explorer.app(), [host.lower() for host in hosts], kept), explorer.close


class _Explorer:
    """The pages, and the desk where they are made, which is there while the server runs."""

    def __init__(self, rules: DeskRules, kept: Kept[str], guests: tuple[Guest, ...]) -> None:
        self._rules = rules
        self._guests = guests
        self._kept = kept
        self._desk: WorkDesk | None = None

    def app(self) -> Starlette:
        routes = [
            Route("/static/{name}", _Endpoint(self._asset)),
            Route("/openapi.json", _Endpoint(self._openapi)),
            Route("/docs", _Endpoint(self._manual)),
            Route("/docs/{name:path}", _Endpoint(self._manual)),
        ]
        found = Starlette(routes=routes, lifespan=self._lifespan)
        found.router.redirect_slashes = False
        found.router.default = _Endpoint(self._page)  # no pattern: a path may hold anything, line breaks too
        return found

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        yield
        await self.close()

    async def close(self) -> None:
        """End all work; what is asked from now on is refused."""
        await self._at_desk().close()

    def _at_desk(self) -> WorkDesk:
        if self._desk is None:
            self._desk = WorkDesk(self._rules, self._kept)
        return self._desk

    async def _page(self, scope: Scope, receive: Receive) -> Packed:
        try:
            ask = read_address(scope["path"], scope["query_string"].decode("latin-1"))
        except NoughtsError as error:
            return Packed.of(failure(error, ask_in_vain(scope["path"])))
        if ask.page == "play":
            ask = replace(ask, guests=self._guests)
        try:
            return await self._at_desk().reply(ask, partial(_gone, receive))
        except Busy as error:
            return Packed.of(failure(error, ask), more={"retry-after": str(RETRY)})

    async def _asset(self, scope: Scope, receive: Receive) -> Packed:
        name = scope["path_params"]["name"]
        body = asset(name)
        if body is None:
            return Packed.of(failure(NotFound(f"there is no file {shown(name)}"), ask_in_vain(scope["path"])))
        return self._keep(scope, PageReply(200, asset_media(name), body))

    async def _manual(self, scope: Scope, receive: Receive) -> Packed:
        try:
            return self._keep(scope, manual_reply(scope["path_params"].get("name", "")))
        except NotFound as error:
            return Packed.of(failure(error, ask_in_vain(scope["path"])))

    async def _openapi(self, scope: Scope, receive: Receive) -> Packed:
        return self._keep(scope, PageReply(200, MEDIA["json"], document().encode()))

    def _keep(self, scope: Scope, reply: PageReply) -> Packed:
        packed = Packed.of(reply)
        self._kept.put(scope["path"], packed)
        return packed


async def _gone(receive: Receive) -> None:
    """Return when whoever asked has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


class _Endpoint:
    """A route: what goes wrong unforeseen is logged, and said without its trace."""

    def __init__(self, reply: Callable[[Scope, Receive], Awaitable[Packed]]) -> None:
        self._reply = reply

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            packed = await self._reply(scope, receive)
        except ReaderGone:
            return
        except Exception:
            traceback.print_exc(file=sys.stderr)
            packed = Packed.of(mistake(ask_in_vain(scope["path"])))
        await send_packed(packed, scope, dict(scope["headers"]), send)
