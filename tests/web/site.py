"""Requests to the application in this process, as a server would hand them on."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from click.testing import CliRunner

from noughts.cli.main import command
from noughts.rules.errors import InputError
from noughts.web.addresses import read_address
from noughts.web.app import Explorer
from noughts.web.replies import answer
from noughts.web.request import PageReply


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
    app: Explorer, address: str, *, method: str = "GET", headers: Mapping[str, str] | None = None, leaves: float = 60
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


# What tests of pages share: an address answered, its links, and what the command line says.


def get(address: str) -> PageReply:
    parts = urlsplit(address)
    return answer(read_address(parts.path, parts.query))


def page(address: str) -> str:
    reply = get(address)
    assert reply.status == 200, reply.body.decode()
    return reply.body.decode()


def refused(address: str) -> str:
    """Return the one sentence with which parameters are refused, whether they are read or answered."""
    parts = urlsplit(address)
    try:
        reply = answer(read_address(parts.path, parts.query))
    except InputError as error:
        return str(error)
    assert reply.status == 400
    return reply.body.decode()


def text_of(html: str) -> str:
    """Return what a reader sees, spaces joined."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def cells(html: str) -> dict[str, str]:
    """Return the links of the blank cells of a board by the names of the cells."""
    return {name: unescape(to) for to, name in re.findall(r'<a href="([^"]+)" data-swap id="cell-([^"]+)"', html)}


def links_in(html: str) -> list[str]:
    """Return the addresses that a page leads to, each once, its own parts, shared files and the manual left out."""
    found = dict.fromkeys(unescape(to) for to in re.findall(r'href="([^"]*)"', html))
    return [to for to in found if not to.startswith(("#", "/static/", "/docs/", "http"))]


def printed(*words: str) -> str:
    result = CliRunner().invoke(command, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def twin(address: str, *words: str) -> Any:
    """Check that the data of an address are what the command prints, and return them."""
    reply = get(address)
    assert reply.status == 200, reply.body.decode()
    assert reply.body.decode() == printed(*words)
    return json.loads(reply.body) if reply.media == "application/json" else reply.body


# Crawls a folder of pages as a reader would: every link followed, every page held to the same rules.
#
# Imports nothing from the package.

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}
REFERENCES = {"href", "src", "srcset", "data", "action", "poster", "xlink:href"}


class Reader(HTMLParser):
    """What a page holds: its links, its headings, and whether its elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.problems: list[str] = []
        self.lang = ""
        self.title = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value or "" for key, value in attributes if key in REFERENCES]
        if "id" in found:
            self.ids.append(found["id"] or "")
        if tag == "html":
            self.lang = found.get("lang") or ""
        hidden = found.get("aria-hidden") == "true"
        if tag == "svg" and "svg" not in self.open[:-1] and not hidden and found.get("role") not in ("img", "group"):
            self.problems.append("a picture is not marked as one")
        if tag == "svg" and found.get("class") == "b" and not found.get("aria-label") and not hidden:
            self.problems.append("a board has no label")
        if tag == "th" and self.get_text_is_heading(found):
            self.problems.append("a heading of a table does not say what it heads")
        if any(key.startswith("on") or key == "style" for key in found) or tag == "style":
            self.problems.append("a script or a style stands in the page")

    def get_text_is_heading(self, found: dict[str, str | None]) -> bool:
        return bool(found) and "scope" not in found

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()  # shapes in a picture close themselves

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "title" and "svg" not in self.open:
            self.title += data


def crawl(folder: Path) -> dict[str, Reader]:
    """Follow every link from index.html and return the pages met, by path; assert that all is well on the way."""
    waiting, pages, files = ["index.html"], dict[str, Reader](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in pages or name in files:
            continue
        path = folder / name
        assert path.is_file(), f"{name} does not exist"
        if not name.endswith(".html"):
            files.add(name)
            if name.endswith(".json"):
                json.loads(path.read_text(encoding="utf-8"))
            continue
        page = pages[name] = read(path)
        for link in page.links:
            if link == "data:,":
                continue
            assert ":" not in link, f"{name} links out: {link}"
            address, _, mark = link.partition("#")
            if mark and not address:
                assert mark in page.ids
            if address:
                target = (path.parent / address).resolve()
                assert target.is_relative_to(folder.resolve()), f"{name} links out of the folder: {link}"
                waiting.append(target.relative_to(folder.resolve()).as_posix())
    titles = Counter(page.title for page in pages.values())
    assert [title for title, times in titles.items() if times > 1] == [], "pages share a title"
    met = set(pages) | files | {"site.json"}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert met == there, f"not linked: {sorted(there - met)[:5]}"
    return pages


def read(path: Path) -> Reader:
    """Read one page and assert what every page keeps."""
    text = path.read_text(encoding="utf-8")
    page = Reader()
    page.feed(text)
    page.close()
    assert text.startswith("<!DOCTYPE html>")
    assert page.problems == [], (path, page.problems)
    assert page.open == [], path
    assert page.lang == "en"
    assert page.title
    assert page.tags.count("h1") == page.tags.count("main") == 1
    assert "script" not in page.tags, f"{path} holds a script"
    assert "http" not in text.replace("http://www.w3.org/2000/svg", ""), f"{path} links out"
    assert f"{path.stem}.json" in page.links, path
    assert len(page.ids) == len(set(page.ids))
    return page


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
