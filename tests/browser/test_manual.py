"""The documentation under /docs: fit for everybody, searched, printed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import PATIENCE, Witness
from tests.browser.looking import Looks, thin, unreachable_by_keys
from tests.dear import dear

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["readme", "changelog", "contributing", "security", "search"]
PAGES += sorted(page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md"))
WHOLE = {"index", "search", "tutorial/how-many-games", "reference/errors"}
"""Pages that axe sees whole and at both widths; in the others it passes over what is the same on all of them."""
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}


@pytest.fixture(scope="module")
def still(browser: Browser, served: str) -> Iterator[tuple[Page, Witness]]:
    context = browser.new_context(base_url=served, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page, Witness(page, served)
    context.close()


@pytest.fixture
def page(still: tuple[Page, Witness]) -> Iterator[Page]:
    """One page for all addresses, which may not complain nor ask for anything beyond the server."""
    page, witness = still
    yield page
    page.emulate_media(media="screen")
    page.goto("about:blank")
    witness.said = [each for each in witness.said if not each.startswith("Changed to ")]  # which the theme says itself
    witness.has_nothing_to_say()


@pytest.fixture(scope="module")
def judged() -> dict[str, Looks]:
    """What axe has judged, by scheme."""
    return {scheme: Looks() for scheme in PAPER}


@pytest.mark.parametrize("name", dear(PAGES, *(name for at, name in enumerate(PAGES) if name not in WHOLE and at % 16)))
def test_a_page_is_fit_for_everybody(page: Page, judged: dict[str, Looks], name: str) -> None:
    reply = page.goto(f"/docs/{name}.html")
    assert reply is not None
    assert reply.status == 200
    found = []
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{wide} wide on {width}"] * (wide > width)
        found += unreachable_by_keys(page)
    assert page.locator("h1").count() == 1
    if name not in WHOLE:
        thin(page)
    for width, scheme in product((360, 1280), PAPER):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        seen = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        found += [f"{scheme} is {seen}"] * (seen != PAPER[scheme])
        is_looked_at = scheme == "light" and (width == 1280 or name in WHOLE)
        found += [f"{scheme}, {width}: {each}" for each in judged[scheme].violations(page, whole=is_looked_at)]
    assert found == []


def test_a_search_finds_pages_and_shows_where(page: Page) -> None:
    page.goto("/docs/index.html")
    page.get_by_role("combobox", name="Search").fill("Burnside")
    page.keyboard.press("Enter")
    page.locator(".found").get_by_role("link", name="Symmetry and Burnside's lemma").first.wait_for()
    assert page.locator(".found li").count() > 3


def test_a_name_in_the_text_leads_to_its_entry(page: Page) -> None:
    page.goto("/docs/reference/python.html")
    name = page.locator("article a.name").first
    said = name.inner_text().partition("(")[0].partition(".")[0]
    name.click()
    anchor = page.url.partition("#")[2]
    assert page.locator(f"h2[id='{anchor}']").inner_text() == said


def test_paper_has_the_page_alone(page: Page) -> None:
    page.goto("/docs/tutorial/how-many-games.html")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in (PAPER["light"], "rgba(0, 0, 0, 0)")
    assert not page.locator(".manual nav").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
