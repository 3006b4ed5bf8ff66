"""What every request meets first: who may ask, how much may be said, and what is known already, without routing.

Most requests end here, so it is short: a few comparisons, one look into the replies that are kept, two messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from noughts.domain.errors import InputError, NoughtsError, shown
from noughts.web.answering import failure
from noughts.web.ask import MEDIA, Ask
from noughts.web.limits import ADDRESS, BODY
from noughts.web.packed import Kept, Packed

__all__ = ["Gate", "ask_in_vain", "send_packed"]

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
