"""The server: the application on an address of this machine, until it is told to stop."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable
from contextlib import suppress

import uvicorn

from noughts.domain.arguments import integer, wrong_type
from noughts.domain.errors import FileError, InputError, shown
from noughts.strategy.guests import read_guests
from noughts.web.app import LOOPBACK, application_and_end
from noughts.web.ending import EndingServer
from noughts.web.protocol import GuardedProtocol

__all__ = ["is_loopback", "serve"]

_GRACE = 1
"""Seconds that replies under way have to be finished when the server stops."""
_BACKLOG = 128
"""Connections that the system holds until the server takes them."""
_KEEP_ALIVE = 5
"""Seconds that a connection without a request stays."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    allow_hosts: Iterable[str] = (),
    bots: Iterable[str | os.PathLike[str]] = (),
    open_browser: bool = False,
    started: Callable[[str], None] = print,
) -> None:
    """Serve the explorer until SIGTERM or Ctrl-C, which end it within three seconds, worker processes included.

    `started` is called with the address when the server listens, with several, a line each, where `host` stands for all
    addresses of this machine, whose name and addresses are answered to then. Port 0 takes any that is free. Only
    requests that name this machine, `host` or one of `allow_hosts` are answered; `host` says on which address, this
    machine's own unless given. `bots` are policy files that say their board: whoever plays may choose them, under the
    names of the files without `.json`. Raises InputError for a host or a port that cannot be and a bot that is none,
    FileError for a port that is taken.
    """
    own = _own_names(_host(host))
    names = {*LOOPBACK, *own, *_names(allow_hosts)}
    guests = read_guests(bots)
    listening = _socket(_host(host), _port(port))
    addresses = [f"http://{name}:{listening.getsockname()[1]}/" for name in own]
    sys.set_int_max_str_digits(0)  # counts of large boards have more digits than Python prints unasked
    app, end = application_and_end(names, guests=guests)
    config = uvicorn.Config(
        app,
        http=GuardedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_GRACE,
    )
    started("\n".join(addresses))
    if open_browser:
        with suppress(webbrowser.Error):
            webbrowser.open(addresses[0])
    with suppress(KeyboardInterrupt):
        EndingServer(config, end).run(sockets=[listening])


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches a host."""
    return _bracketed(host).lower() in LOOPBACK


def _host(host: object) -> str:
    if not isinstance(host, str):
        raise wrong_type("host", host, "a name or a number such as 127.0.0.1")
    if not host.strip() or not host.isascii():
        raise InputError(f"{shown(host)} is no host: 127.0.0.1 is this machine, 0.0.0.0 all of its addresses")
    return host.strip().strip("[]")


def _port(port: object) -> int:
    found = integer("the port", port)
    if not 0 <= found <= 65535:
        raise InputError(f"there is no port {found}: take one from 1 to 65535, or 0 for any that is free")
    return found


def _names(names: object) -> list[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise wrong_type("allow_hosts", names, "names of hosts such as ['noughts.example.org']")
    return [_name(each) for each in names]


def _name(name: object) -> str:
    if not isinstance(name, str) or not name or any(sign in name for sign in "/ \t@?#"):
        raise InputError(f"{shown(name)} is no name of a host: write it as noughts.example.org")
    return name


def _own_names(host: str) -> list[str]:
    """Return the names under which a server on this host is reached; for all addresses this machine's own ones."""
    if host not in ("0.0.0.0", "::"):
        return [_bracketed(host)]
    name = socket.gethostname()
    found = ["127.0.0.1", name, *_addresses(name, socket.AF_INET)]
    return [_bracketed(each) for each in dict.fromkeys(each.lower() for each in found) if each]


def _addresses(name: str, family: socket.AddressFamily) -> list[str]:
    found: list[str] = []
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # sends nothing; the system chooses the address that it would send from
        found.append(asking.getsockname()[0])
    with suppress(OSError, UnicodeError):
        found += [str(place[0]) for *_, place in socket.getaddrinfo(name, None, family, socket.SOCK_STREAM)]
    return found


def _bracketed(host: str) -> str:
    return f"[{host.strip('[]')}]" if ":" in host else host


def _socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens, so that whoever is told the address can ask. Raises InputError, FileError."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (socket.gaierror, UnicodeError):
        raise InputError(
            f"{shown(host)} is no address of this machine: 127.0.0.1 is its own, 0.0.0.0 all of them"
        ) from None
    found = socket.socket(family, kind)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
        found.listen(_BACKLOG)
    except OSError as error:
        found.close()
        raise FileError(f"cannot serve on {host}, port {port}: {_reason(error, port)}") from None
    return found


def _reason(error: OSError, port: int) -> str:
    import errno

    if error.errno == errno.EADDRINUSE:
        return f"another program is there; take another port, as in --port {port + 1}, or --port 0 for any that is free"
    if error.errno == errno.EACCES:
        return "ports below 1024 are for the system; take a higher one, as in --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address; --host 127.0.0.1 is its own"
    return error.strerror or str(error)
