"""Requests to the application in this process, as a server would hand them on."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from starlette.types import ASGIApp

__all__ = ["Response", "ask"]


@dataclass(frozen=True)
class Response:
    """What came back."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> bytes:
        """The body as it was before compression."""
        return gzip.decompress(self.raw) if self.headers.get("content-encoding") == "gzip" else self.raw

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


async def ask(
    app: ASGIApp, address: str, *, method: str = "GET", headers: Mapping[str, str] | None = None, leaves: float = 60
) -> Response:
    """Ask for an address; whoever asks leaves after so many seconds."""
    path, _, query = address.partition("?")
    given = {"host": "127.0.0.1:8000", **(headers or {})}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
        "method": method, "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "state": {},
    }  # fmt: skip
    said: list[Any] = []
    asked = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        if asked:
            return asked.pop()
        await asyncio.sleep(leaves)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        said.append(message)

    await app(scope, receive, send)
    if not said:
        return Response(0, {}, b"")
    found = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    return Response(said[0]["status"], found, b"".join(each["body"] for each in said[1:]))
