"""The documentation under /docs: built without a warning, fit for everybody, searched, printed, read from a folder."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import PATIENCE, Witness, serving
from tests.browser.looking import Looks, thin, unreachable_by_keys
from tests.dear import dear

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "src" / "noughts" / "web" / "manual"
PAGES = ["readme", "changelog", "contributing", "search"]
PAGES += sorted(page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md"))
WHOLE = {"index", "search", "tutorial/how-many-games", "reference/errors"}
"""Pages that axe sees whole and at both widths; in the others it passes over what is the same on all of them."""
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(19, 20, 22)"}


@pytest.fixture(scope="session")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, freshly built: by the first of the processes that share a run, the others wait for it."""
    own = tmp_path_factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (run / "manual-is-built").open("a+") as built:
        fcntl.flock(built, fcntl.LOCK_EX)
        built.seek(0)
        if not built.read():
            done = subprocess.run([ROOT / "scripts" / "docs-site"], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            built.write("built")
            built.flush()
    return SITE


@pytest.fixture(scope="module")
def shown(manual: Path) -> Iterator[str]:
    """The address of a server that was started when the site was there."""
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def still(browser: Browser, shown: str) -> Iterator[tuple[Page, Witness]]:
    context = browser.new_context(base_url=shown, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page, Witness(page, shown)
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


@pytest.mark.parametrize("name", dear(PAGES, *(name for at, name in enumerate(PAGES) if name not in WHOLE and at % 8)))
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
        seen = page.evaluate("getComputedStyle(document.body).backgroundColor")
        found += [f"{scheme} is {seen}"] * (seen != PAPER[scheme])
        is_looked_at = scheme == "light" and (width == 1280 or name in WHOLE)
        found += [f"{scheme}, {width}: {each}" for each in judged[scheme].violations(page, whole=is_looked_at)]
    assert found == []


def test_a_search_finds_pages_and_shows_where(page: Page) -> None:
    page.goto("/docs/index.html")
    page.get_by_role("searchbox").or_(page.locator("input.sidebar-search")).first.fill("Burnside")
    page.keyboard.press("Enter")
    page.locator("#search-results li").first.wait_for()
    assert page.locator("#search-results a", has_text="Symmetry and Burnside").count() >= 1
    page.locator("#search-results p.context").first.wait_for()


def test_light_and_dark_can_be_chosen_and_are_kept(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/docs/index.html")
    for _ in range(2):
        page.locator(".theme-toggle:visible").click()
    chosen = page.evaluate("document.body.dataset.theme")
    page.goto("/docs/readme.html")
    assert page.evaluate("document.body.dataset.theme") == chosen != "auto"
    page.evaluate("localStorage.clear()")


def test_a_name_in_the_text_leads_to_its_entry(page: Page) -> None:
    page.goto("/docs/reference/python.html")
    page.locator("#assessment a.name", has_text="Position").click()
    anchor = page.url.partition("#")[2]
    assert page.locator(f"[id='{anchor}'] > h2").inner_text().startswith("Position")


def test_paper_has_the_page_alone(page: Page) -> None:
    page.goto("/docs/tutorial/how-many-games.html")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in (PAPER["light"], "rgba(0, 0, 0, 0)")
    assert not page.locator(".sidebar-tree").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_explorer_leads_to_the_documentation(page: Page) -> None:
    page.goto("/3x3")
    page.get_by_role("link", name="documentation").click()
    assert page.url.endswith("/docs/index.html")


def test_the_site_is_read_from_a_folder_too(browser: Browser, manual: Path) -> None:
    page = browser.new_page()
    witness = Witness(page, manual)
    page.goto((manual / "search.html").as_uri() + "?q=fork")
    page.locator("#search-results li").first.wait_for()
    page.goto((manual / "index.html").as_uri())
    page.close()
    witness.has_nothing_to_say()


def test_nothing_is_written_into_the_pages(manual: Path) -> None:
    for path in manual.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<style|<script(?![^>]* src=)|<[^>]*\s(style|on\w+)=\"", text), path
        assert not re.search(r"<(?:link|script|img)[^>]*(?:href|src)=\"(?:https?:)?//", text), path
