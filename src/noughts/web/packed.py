"""A reply ready for the wire: compressed, with its headers and its tag; and the cache of such replies."""

from __future__ import annotations

import gzip
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, TypeVar

from noughts.web.ask import PageReply

__all__ = ["Kept", "Packed"]

K = TypeVar("K")

Headers = tuple[tuple[bytes, bytes], ...]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)
_COMPRESSED = ("text/", "application/json", "image/svg+xml", "application/x-tex")
_WORTH = 600
"""Bytes below which compression saves nothing."""
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
        """Return a reply made ready. `framed` pages may stand in anybody's; `more` are headers to add."""
        worth = len(reply.body) >= _WORTH and reply.media.startswith(_COMPRESSED)
        body = gzip.compress(reply.body, 6, mtime=0) if worth else reply.body
        tag = b'"' + sha256(reply.body).hexdigest()[:24].encode()
        common = _headers(reply, framed, more or {})
        plain = (*common, (b"content-length", str(len(reply.body)).encode()), (b"etag", tag + b'"'))
        small = (
            *common,
            (b"content-length", str(len(body)).encode()),
            (b"etag", tag + b'-z"'),
            (b"content-encoding", b"gzip"),
        )
        return cls(reply.status, body, worth, tag, plain, small if worth else plain, reply.exact)

    @property
    def size(self) -> int:
        """The bytes that it takes to keep this, about."""
        return len(self.body) + 1500

    def plain_body(self) -> bytes:
        """Return the body without compression."""
        return zlib.decompress(self.body, wbits=31) if self.is_compressed else self.body

    def matches(self, tags: bytes) -> bool:
        """Tell whether these tags of an If-None-Match are of this reply, in either encoding."""
        return tags.strip() == b"*" or any(each.strip().removeprefix(b"W/") in self._tags for each in tags.split(b","))

    @property
    def _tags(self) -> tuple[bytes, bytes]:
        return self.tag + b'"', self.tag + b'-z"'

    def unchanged(self, listed: Headers) -> Headers:
        """Return the headers that go with a reply that is known already."""
        return tuple(header for header in listed if header[0] not in _OF_THE_BODY)


def _headers(reply: PageReply, framed: bool, more: Mapping[str, str]) -> Headers:
    is_page = reply.media.startswith("text/html")
    style = "'self' 'unsafe-inline'" if reply.media == "image/svg+xml" else "'self'"
    seconds = _PAGE_SECONDS if is_page or reply.media.startswith(("text/css", "text/javascript")) else _DATA_SECONDS
    found = {
        "content-type": reply.media,
        "cache-control": f"public, max-age={seconds}" if reply.exact and reply.status == 200 else "no-store",
        "vary": "accept-encoding",
        "content-security-policy": _POLICY.format(style=style, ancestors="*" if framed else "'none'"),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin" if is_page and not framed else "cross-origin",
        **reply.headers,
        **more,
    }
    if not is_page:
        found["access-control-allow-origin"] = "*"
    if reply.location is not None:
        found["location"] = reply.location
    return tuple((name.encode(), value.encode("latin-1")) for name, value in found.items())


class Kept(Generic[K]):
    """Replies by what was asked, the least recently used first to go where they take more than `room` bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.size = 0
        self._replies: OrderedDict[K, Packed] = OrderedDict()

    def __len__(self) -> int:
        return len(self._replies)

    def get(self, key: K) -> Packed | None:
        """Return the reply, None where it is not kept."""
        found = self._replies.get(key)
        if found is not None:
            self._replies.move_to_end(key)
        return found

    def put(self, key: K, packed: Packed) -> None:
        """Keep a reply; one that would take an eighth of the room is not kept."""
        if packed.size > self.room // 8:
            return
        before = self._replies.pop(key, None)
        self.size += packed.size - (before.size if before else 0)
        self._replies[key] = packed
        while self.size > self.room:
            _, gone = self._replies.popitem(last=False)
            self.size -= gone.size
