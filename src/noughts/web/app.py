"""The application: an ASGI app that turns requests into asks and replies into responses."""

from __future__ import annotations

import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from noughts.domain.errors import NoughtsError, shown
from noughts.strategy.guests import Guest
from noughts.web.addresses import read_address
from noughts.web.answering import failure, mistake
from noughts.web.ask import MEDIA, PageReply
from noughts.web.assets import asset, asset_media
from noughts.web.desk import WorkDesk
from noughts.web.errors import Busy, NotFound, ReaderGone
from noughts.web.front import Gate, ask_in_vain, send_packed
from noughts.web.limits import DESK, RETRY, DeskRules
from noughts.web.manual import manual_reply
from noughts.web.openapi import document
from noughts.web.packed import Kept, Packed

__all__ = ["LOOPBACK", "application", "application_and_end"]

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
