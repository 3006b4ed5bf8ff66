"""Connections that keep nobody waiting: bounds on how many, on the head of a request, and on how long it may take.

uvicorn has none of these: a client that sends half a request would stay for ever.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["GuardedProtocol"]

_CONNECTIONS = 256
"""Connections at a time, whoever asks."""
_HEAD_BYTES = 32 * 1024
"""Bytes of a request before its headers are complete."""
_HEAD_SECONDS = 10.0
"""Seconds from the connection, or from the reply before, until the headers of a request are complete."""
_SENTENCES = {
    b"503 Service Unavailable": b"there are too many connections: ask again in some seconds",
    b"400 Bad Request": b"this is no request that can be read: ask with GET, and write what is not ASCII as %C3%A9",
    b"431 Request Header Fields Too Large": b"the headers of a request have at most 32 KiB",
}


class GuardedProtocol(HttpToolsProtocol):
    """HTTP/1.1 as uvicorn speaks it, within these bounds."""

    _in_head = True
    _heard = 0
    _since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection, or refuse it where there are too many."""
        super().connection_made(transport)  # type: ignore[arg-type]
        if len(self.connections) > _CONNECTIONS:
            self._refuse(b"503 Service Unavailable")
            return
        self._since = self.loop.time()
        self.loop.call_later(_HEAD_SECONDS, self._look)

    def data_received(self, data: bytes) -> None:
        """Take what is sent, as long as headers stay within their bounds."""
        if self.transport.is_closing():
            return
        self._heard += len(data)
        super().data_received(data)
        if self._in_head and self._heard > _HEAD_BYTES and not self.transport.is_closing():
            self._refuse(b"431 Request Header Fields Too Large")

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, for which `msg` is uvicorn's word."""
        if not self.transport.is_closing():
            is_long = self._in_head and self._heard > _HEAD_BYTES
            self._refuse(b"431 Request Header Fields Too Large" if is_long else b"400 Bad Request")

    def on_message_begin(self) -> None:
        """Begin to count the bytes of a head."""
        self._in_head, self._heard = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Count no more."""
        self._in_head = False
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Take note of when the next request may be waited for."""
        self._since = self.loop.time()
        super().on_response_complete()

    def _look(self) -> None:
        """End the connection where no request has come within its time, else look again."""
        if self.transport.is_closing():
            return
        left = self._since + _HEAD_SECONDS - self.loop.time()
        if self.cycle is not None and not self.cycle.response_complete:
            left = _HEAD_SECONDS
        elif left <= 0:
            self.transport.abort()
            return
        self.loop.call_later(left, self._look)

    def _refuse(self, status: bytes) -> None:
        body = b'{"ok": false, "error": "' + _SENTENCES[status] + b'"}\n'
        later = b"retry-after: 5\r\n" if status.startswith(b"503") else b""
        kind = b"content-type: application/json\r\nx-content-type-options: nosniff\r\nconnection: close\r\n"
        length = b"content-length: " + str(len(body)).encode()
        self.transport.write(b"HTTP/1.1 " + status + b"\r\n" + later + kind + length + b"\r\n\r\n" + body)
        self.transport.close()
