"""The site in a browser: pages render, nothing is complained about, nothing beyond the folder is asked for.

Run by `make test-browser`, which finds a browser and names it in NOUGHTS_BROWSER.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

from noughts.exporting.site.build import write_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

MODES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 640}},
    "without JavaScript": {"java_script_enabled": False},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("browser") / "site"
    write_site("3x3", found)
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    program = os.environ["NOUGHTS_BROWSER"]
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=arguments)
        yield launched
        launched.close()


def sample(folder: Path) -> list[str]:
    """The pages about the whole board, every ply, and one class in fifty."""
    classes = sorted(path.relative_to(folder).as_posix() for path in (folder / "class").glob("*.html"))
    plies = sorted(path.relative_to(folder).as_posix() for path in (folder / "ply").glob("*.html"))
    return ["index.html", "openings.html", "endings.html", "tree.html", *plies, *classes[::50]]


class Witness:
    """Remembers what a page complains about and what it asks for."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.said: list[str] = []
        self.beyond: list[str] = []
        self.folder = folder
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("requestfailed", lambda request: self.said.append(f"failed: {request.url}"))
        page.on("request", lambda request: self.asked(request.url))

    def asked(self, url: str) -> None:
        parts = urlsplit(url)
        inside = parts.scheme == "file" and Path(unquote(parts.path)).is_relative_to(self.folder)
        if not inside and url != "data:,":
            self.beyond.append(url)


@pytest.mark.parametrize("mode", MODES)
def test_pages_render_without_complaint(browser: Browser, folder: Path, mode: str) -> None:
    context = browser.new_context(**MODES[mode])
    page = context.new_page()
    witness = Witness(page, folder)
    for name in sample(folder):
        page.goto((folder / name).as_uri())
        heading = page.locator("h1")
        assert heading.is_visible()
        if name != "index.html":
            box = page.locator("svg").first.bounding_box()
            assert box is not None
            assert box["width"] > 20
            assert box["height"] > 20
        if mode == "narrow":
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, name
        if mode != "without JavaScript":
            background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            assert background == ("rgb(20, 23, 26)" if mode == "dark" else "rgb(255, 255, 255)")
    assert witness.said == []
    assert witness.beyond == []
    context.close()


def test_a_reader_gets_through_by_keyboard(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Start from the empty board"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Enter")
    page.wait_for_url("**/class/*.html")
    assert page.locator("h1").inner_text() == "X to move: either can force a draw"
    page.get_by_role("link", name="b2 draws (best)", exact=True).press("Enter")
    page.wait_for_url("**/class/___-_X_-___.html")
    assert "O to move" in page.locator("h1").inner_text()
    page.close()


def test_boards_are_named_for_those_who_do_not_see_them(browser: Browser, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "class" / "X__-_O_-___.html").as_uri())
    assert page.get_by_role("img", name="X on a1; O on b2", exact=True).count() >= 1
    assert page.get_by_role("navigation").count() == 1
    assert page.get_by_role("main").count() == 1
    page.close()


def test_print_is_black_on_white_without_navigation(browser: Browser, folder: Path) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto((folder / "endings.html").as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()


def test_the_witness_sees_a_request_beyond_the_folder(browser: Browser, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text('<link rel="stylesheet" href="../beyond.css"><script>console.log(1)</script>')
    page = browser.new_page()
    witness = Witness(page, tmp_path)
    page.goto((tmp_path / "page.html").as_uri())
    assert len(witness.beyond) == 1
    assert len(witness.said) >= 2
    page.close()
