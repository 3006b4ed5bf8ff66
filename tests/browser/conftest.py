"""A server on loopback, a Chromium, and a witness of what pages complain about and ask for.

Run by `make test-browser`, which finds a browser and names it in NOUGHTS_BROWSER.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 90_000
"""Milliseconds to wait for what surely comes: a machine that does much besides is slow, not wrong."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    program = os.environ["NOUGHTS_BROWSER"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@contextmanager
def serving() -> Iterator[str]:
    """Start `noughts serve`, and end it; its address is without the last slash."""
    command = [sys.executable, "-u", "-m", "noughts", "serve", "--port", "0"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+", started.stdout.readline())
        assert found, "the server does not say where it is"
        yield found.group()
    finally:
        started.terminate()
        started.wait(10)
        started.stdout.close()


@pytest.fixture(scope="session")
def served() -> Iterator[str]:
    """The address of `noughts serve`, without the last slash."""
    with serving() as address:
        yield address


class Witness:
    """Remembers what a page complains about and what it asks for beyond a server or a folder."""

    def __init__(self, page: Page, home: str | Path) -> None:
        self.said: list[str] = []
        self.beyond: list[str] = []
        self.home = home
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("requestfailed", lambda request: self.failed(request.url, request.failure))
        page.on("request", lambda request: self.asked(request.url))

    def failed(self, url: str, why: str | None) -> None:
        if why != "net::ERR_ABORTED":  # the reader went on before all was there
            self.said.append(f"failed: {url}: {why}")

    def asked(self, url: str) -> None:
        parts = urlsplit(url)
        if isinstance(self.home, Path):
            inside = parts.scheme == "file" and Path(unquote(parts.path)).is_relative_to(self.home)
        else:
            inside = f"{parts.scheme}://{parts.netloc}" == self.home
        if not inside and url not in ("data:,", "about:blank"):
            self.beyond.append(url)

    def has_nothing_to_say(self) -> None:
        said, self.said = self.said, []  # one page's complaints are not the next one's
        assert said == []
        assert self.beyond == []


Open = Callable[..., "Page"]


def go(page: Page, address: str) -> int:
    """Open a page, wait for the answer where it takes long work, and return the status of what came in the end."""
    reply = page.goto(address)
    assert reply is not None
    if reply.status == 202:
        page.locator("#waiting").wait_for(state="detached")
    page.wait_for_load_state()
    last: int = page.request.get(page.url).status if reply.status == 202 else reply.status
    return last


@pytest.fixture
def visit(browser: Browser, served: str) -> Iterator[Open]:
    """Opens a page of the server in a context of its own; afterwards nothing may have been complained about."""
    contexts, witnesses = [], []

    def opened(address: str, **ways: Any) -> Page:
        context = browser.new_context(base_url=served, **ways)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        witnesses.append(Witness(page, served))
        go(page, address)
        return page

    yield opened
    for context in contexts:
        context.close()
    for witness in witnesses:
        witness.has_nothing_to_say()
