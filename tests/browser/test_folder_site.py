"""The folder of pages from file://: silent, closed in itself, and of use without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import noughts
from tests.browser.conftest import Witness

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Look = Callable[[Path], "Page"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sites") / "2x3 site"
    noughts.site("2x3:2", folder)
    return folder


@pytest.fixture
def look(browser: Browser, small: Path) -> Iterator[Look]:
    """Opens a page of the folder, scripts off; afterwards nothing may have been complained about."""
    context = browser.new_context(java_script_enabled=False)
    witnesses = []

    def opened(path: Path) -> Page:
        page = context.new_page()
        witnesses.append(Witness(page, small))
        page.goto(path.as_uri())
        return page

    yield opened
    context.close()
    for witness in witnesses:
        witness.has_nothing_to_say()


@pytest.mark.slow
def test_every_kind_of_page_is_silent(look: Look, small: Path) -> None:
    kinds = [
        *sorted(small.glob("*.html"))[::4],
        *(small / "tree").glob("*.html"),
        *sorted(small.glob("p/*.html"))[::60],
    ]
    assert len(kinds) > 20
    for path in kinds:
        page = look(path)
        assert page.locator("h1").count() == 1
        assert page.locator("main").evaluate("main => getComputedStyle(main).display") != "inline"
        page.close()


def test_a_game_is_played_to_its_end_by_links(look: Look, small: Path) -> None:
    page = look(small / "index.html")
    for name in ("a1", "c2", "b1"):
        page.locator(f"#cell-{name}").click()
    assert page.url.endswith("/p/XX_-__O.html")
    assert page.locator("h1").inner_text() == "Game over"
    assert page.locator(".cell.lined").count() == 2
    page.go_back()
    assert page.url.endswith("/p/X__-__O.html")


def test_the_overlays_switch_without_scripts(look: Look, small: Path) -> None:
    page = look(small / "p" / "X__-___.html")
    note = page.locator("#cell-c2 .note.in-games")
    assert not note.is_visible()
    page.locator("#show-games").check()
    assert note.is_visible()
    assert not page.locator("#cell-c2 .note.in-value").is_visible()
    page.locator("#show-none").check()
    assert not note.is_visible()


def test_what_needs_a_server_is_not_there(look: Look, small: Path) -> None:
    page = look(small / "p" / "X__-___.html")
    assert page.locator("script, form, #quiz").count() == 0
    assert page.locator("a[href^='/'], a[href^='http']").count() == 0
