"""Crawls a folder of pages as a reader would: every link followed, every page held to the same rules.

Imports nothing from the package.
"""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

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
