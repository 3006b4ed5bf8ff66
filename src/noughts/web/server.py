"""The server: the application on an address of this machine, until a signal stops it.

uvicorn does not limit the connections, nor the size and duration of a request's head; this module does.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import signal
import socket
import sys
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from noughts.analysis.policies.tablebots import BotLike, read_table_bots
from noughts.rules.arguments import integer, wrong_type
from noughts.rules.errors import FileError, InputError, shown
from noughts.web.app import LOOPBACK, Explorer

_CONNECTIONS = 256
"""Maximum number of connections of all clients; twice as many for a moment."""
_GRACE_SECONDS = 0.1
"""Seconds that a connection too many stays, so that requests that have already arrived are read first."""
_HEAD_BYTES = 32 * 1024
"""Maximum bytes of a request's head."""
_HEAD_SECONDS = 10.0
"""Seconds from the connection, or the previous reply, until the headers of a request must be complete."""
_SENTENCES = {
    b"503 Service Unavailable": b"there are too many connections: ask again in some seconds",
    b"400 Bad Request": b"this request cannot be read: ask with GET, and write what is not ASCII as %C3%A9",
    b"431 Request Header Fields Too Large": b"the headers of a request have at most 32 KiB",
}


class GuardedProtocol(HttpToolsProtocol):
    """The HTTP/1.1 protocol of uvicorn with these limits."""

    _in_head = True
    _heard = 0
    _head = 0
    _since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection; if there are too many, end one soon, after those that sent a request have been read."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._since = self.loop.time()
        self.loop.call_later(_HEAD_SECONDS, self._look)
        if len(self.connections) > 2 * _CONNECTIONS:
            self._make_room()
        elif len(self.connections) > _CONNECTIONS:
            self.loop.call_later(_GRACE_SECONDS, self._make_room)

    def _make_room(self) -> None:
        """If there are too many, end the connection that has waited longest for a request, of the client with most."""
        there = [each for each in self.connections if isinstance(each, GuardedProtocol) and each.is_open]
        if len(there) <= _CONNECTIONS:
            return
        counts = Counter(each.host for each in there)
        waiting = [each for each in there if each is not self and not each.is_answering]
        if waiting:
            max(waiting, key=lambda each: (counts[each.host], -each._since)).transport.abort()
        elif self.is_open and not self.is_answering:
            self._refuse(b"503 Service Unavailable")

    @property
    def host(self) -> str:
        """The address of the client, empty if it has none."""
        return (self.client or ("",))[0]

    @property
    def is_open(self) -> bool:
        """Whether the connection has not been ended."""
        return not self.transport.is_closing()

    @property
    def is_answering(self) -> bool:
        """Whether a request waits for its reply."""
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Receive bytes while the headers stay within their limits."""
        if self.transport.is_closing():
            return
        self._heard += len(data)
        super().data_received(data)
        if self._in_head and self._heard > _HEAD_BYTES and not self.transport.is_closing():
            self._refuse(b"431 Request Header Fields Too Large")

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be read; `msg` is uvicorn's name for it."""
        if not self.transport.is_closing():
            is_long = self._in_head and self._heard > _HEAD_BYTES
            self._refuse(b"431 Request Header Fields Too Large" if is_long else b"400 Bad Request")

    def on_message_begin(self) -> None:
        """Start counting the bytes of a head."""
        self._in_head, self._heard, self._head = True, 0, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Count the bytes of the address."""
        self._head += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count the bytes of a header, with its colon, space and end of line."""
        self._head += len(name) + len(value) + 4
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Refuse a head that is too large, even if it came all at once."""
        self._in_head = False
        if self._head > _HEAD_BYTES and self.is_open:
            self._refuse(b"431 Request Header Fields Too Large")
        if self.is_open:
            super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Note since when the connection waits for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def _look(self) -> None:
        """End the connection if no request has come in time, else check again later."""
        if self.transport.is_closing():
            return
        left = self._since + _HEAD_SECONDS - self.loop.time()
        if self.is_answering:
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


_HARMLESS = ("socket.send() raised exception", "Unknown child process pid")
"""Messages of asyncio about a reader that has disconnected and a worker that has already ended."""


class EndingServer(uvicorn.Server):
    """A server that opens its app at the start and closes it before its connections, and that also ends at SIGHUP."""

    def __init__(self, config: uvicorn.Config, app: Explorer, started: Callable[[], object]) -> None:
        super().__init__(config)
        self._app, self._started = app, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, open the app, and say so."""
        await super().startup(sockets)
        await self._app.open()
        self._started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at SIGHUP as at SIGTERM, unless the signal is ignored, as under nohup."""
        hang_up = getattr(signal, "SIGHUP", None)
        logger = logging.getLogger("asyncio")
        logger.addFilter(_is_logged)
        with super().capture_signals():
            before = signal.SIG_IGN if hang_up is None else signal.getsignal(hang_up)
            if hang_up is not None and before is not signal.SIG_IGN:
                signal.signal(hang_up, self.handle_exit)
            try:
                yield
            finally:
                if hang_up is not None and before is not signal.SIG_IGN:
                    signal.signal(hang_up, before)
                logger.removeFilter(_is_logged)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all work, then all connections; do not log readers that receive nothing."""
        await self._app.close()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def _is_logged(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_HARMLESS)


_REASONS = {
    errno.EADDRINUSE: "another program uses it: choose another, as in --port {next}, or --port 0 for any free port",
    errno.EACCES: "ports below 1024 are for the system: choose a higher one, as in --port 8000",
    errno.EADDRNOTAVAIL: "this machine does not have this address: use --host 127.0.0.1",
}


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    allow_hosts: Iterable[str] = (),
    public: str = "",
    bots: Iterable[BotLike] | Mapping[str, BotLike] = (),
    open_browser: bool = False,
    started: Callable[[str], None] = print,
) -> None:
    """Serve the explorer until SIGTERM or Ctrl-C, which end it within three seconds, worker processes included.

    Parameters
    ----------
    host, port
        The address to listen on, this machine's own by default. Port 0 takes any free one.
    allow_hosts
        Further names that requests may use; others are refused.
    public
        The address by which others reach the server, such as https://noughts.example.org: its host may be named in
        requests, and codes on sheets lead there.
    bots
        Policies to play against, or a dict of policies by name: a file has its own name without `.json`. A policy that
        is not for one board plays on 3x3.
    open_browser
        Whether to open the first page.
    started
        Receives the address when the server is ready; several, a line each, where `host` means all addresses.

    Raises
    ------
    InputError
        A host, port or bot is invalid.
    FileError
        The port is taken.
    """
    own = _own_names(_host(host))
    _require_names(allow_hosts)
    hosts = {*LOOPBACK, *own, *allow_hosts, *_public_host(public)}
    table_bots = read_table_bots(bots)
    listening = _socket(_host(host), _port(port))
    addresses = [f"http://{name}:{listening.getsockname()[1]}/" for name in own]
    app = Explorer(hosts, table_bots=table_bots, public=(public or network_address(addresses)).rstrip("/"))
    sys.set_int_max_str_digits(0)  # counts of large boards have more digits than Python prints by default
    config = uvicorn.Config(
        app,
        http=GuardedProtocol,
        ws="none",
        lifespan="off",
        access_log=False,
        log_level="error",
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )

    def say() -> None:
        started("\n".join(addresses))
        if open_browser:
            with suppress(webbrowser.Error):
                webbrowser.open(addresses[0])

    with suppress(KeyboardInterrupt):
        EndingServer(config, app, say).run(sockets=[listening])


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches a host."""
    return _bracketed(host).lower() in LOOPBACK


def _host(host: object) -> str:
    if not isinstance(host, str):
        raise wrong_type("host", host, "a name or a number such as 127.0.0.1")
    if not host.strip() or not host.isascii():
        raise InputError(
            f"{shown(host)} is not a host: use 127.0.0.1 for this machine only, 0.0.0.0 for all its addresses"
        )
    return host.strip().strip("[]")


def _port(port: object) -> int:
    found = integer("the port", port)
    if not 0 <= found <= 65535:
        raise InputError(f"a port cannot be {found}: choose 1 to 65535, or 0 for any free port")
    return found


def _require_names(names: object) -> None:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise wrong_type("allow_hosts", names, "names of hosts such as ['noughts.example.org']")
    for name in names:
        if not isinstance(name, str) or name[:1] in ("", "-") or any(sign in name for sign in "/ \t@?#"):
            raise InputError(f"{shown(name)} is not a host name: write it as noughts.example.org")


def _public_host(public: object) -> list[str]:
    """Return the host of a public address, none without one."""
    found = re.fullmatch(r"https?://([\w.-]+|\[[\da-f:]+\])(:\d+)?/?", public) if isinstance(public, str) else None
    if found is None and not (isinstance(public, str) and not public):
        raise InputError(f"{shown(public)} is not a public address: write it as https://noughts.example.org")
    return [found[1]] if found else []


def network_address(addresses: Iterable[str]) -> str:
    """Return the first address that other machines in the network can use, empty if there is none."""
    return next((each for each in addresses if re.match(r"http://(?!127\.)[\d.]+:", each)), "")


def _own_names(host: str) -> list[str]:
    """Return the names by which clients reach a server on this host; for all addresses, the machine's own names."""
    if host not in ("0.0.0.0", "::"):
        return [_bracketed(host)]
    name = socket.gethostname()
    found = ["127.0.0.1", name]
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # sends nothing; the system chooses the address that it would send from
        found.append(asking.getsockname()[0])
    with suppress(OSError, UnicodeError):
        found += [str(place[0]) for *_, place in socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)]
    return [_bracketed(each) for each in dict.fromkeys(each.lower() for each in found) if each]


def _bracketed(host: str) -> str:
    return f"[{host.strip('[]')}]" if ":" in host else host


def _socket(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises InputError, FileError."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (socket.gaierror, UnicodeError):
        raise InputError(
            f"{shown(host)} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all its addresses"
        ) from None
    found = socket.socket(family, kind)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
        found.listen(128)
    except OSError as error:
        found.close()
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        raise FileError(f"cannot serve on {host}, port {port}: {reason.format(next=port + 1)}") from None
    return found
