"""Every kind of page of the server: nothing is complained about, nothing asked for elsewhere, axe finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Open, Witness, go

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/whatis?n=26830",
    "/api",
    "/3x3",
    "/4x5:4",
    "/3x3x3",
    "/3x3+torus",
    "/3x3+misere",
    "/3x3?moves=block&end=decided",
    "/3x3/p/XO_-_X_-__O",
    "/3x3/p/XO_-_X_-__O?quiz=1",
    "/3x3/p/XO_-_X_-___?moves=block",
    "/3x3/p/XXX-OO_-___",
    "/3x3/p/XOX-XOO-OXX",
    "/3x3x3/p/X__-___-___--___-_O_-___--___-___-___",
    "/3x3/g/a1-c3-c1-b1",
    "/3x3/g/a1-c3-c1-b1-a3-a2-b2",
    "/3x3/count",
    "/3x3/count?same=choices&moves=win&end=decided",
    "/3x3/openings",
    "/3x3/tree/reduced",
    "/3x3/patterns",
    "/3x3/endings",
    "/3x3/positions",
    "/3x3/positions?ply=5&trap=1",
    "/3x3/blindfold",
    "/3x3/play",
    "/3x3/play?x=human&o=perfect&g=a1",
    "/?o=easy&g=b2&moves=win&same=choices",
    "/3x3/play?o=easy&g=a1&hint=1",
    "/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3",
    "/3x3/play?x=easy&o=hard",
    "/3x3/play?blind=X&g=b2-a1",
    "/3x3/play?blind=X&told=nothing&g=b2-a1",
    "/3x3/play?blind=X&g=b2-a1&show=1",
    "/3x3/blindfold?walk=free-free",
]
REFUSED = ["/9x9/openings", "/3x3/p/XXX-___-___", "/nowhere", "/3x3/count?same=nothing"]


def violations(page: Page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found: Any = Axe().run(page).response
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing(visit: Open, address: str, scheme: str) -> None:
    page = visit(address, color_scheme=scheme)
    assert page.locator("h1").count() == 1
    assert violations(page) == []
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert background == ("rgb(20, 23, 26)" if scheme == "dark" else "rgb(255, 255, 255)")


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_refused_is_said_in_a_page(browser: Browser, served: str, address: str) -> None:
    page = browser.new_page()
    reply = page.goto(served + address)
    assert reply is not None
    assert reply.status in (400, 404, 422)
    assert page.locator("main p").first.inner_text()
    assert violations(page) == []
    page.close()


def test_axe_sees_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content('<html lang="en"><title>a</title><main><h1>a</h1><img src="data:,"></main>')
    assert [each.partition(":")[0] for each in violations(page)] == ["image-alt"]
    page.close()


@pytest.mark.parametrize("width", [320, 360])
def test_no_page_is_wider_than_a_phone(browser: Browser, served: str, width: int) -> None:
    context = browser.new_context(base_url=served, viewport={"width": width, "height": 740})
    page = context.new_page()
    witness = Witness(page, served)
    wide = {}
    for address in PAGES:
        go(page, address)
        found = page.evaluate("document.documentElement.scrollWidth")
        if found > width:
            wide[address] = found
    assert wide == {}
    witness.has_nothing_to_say()
    context.close()


def test_a_witness_sees_a_request_beyond_the_server(browser: Browser, served: str) -> None:
    page = browser.new_page()
    witness = Witness(page, "http://127.0.0.1:1")
    page.goto(served)
    assert witness.beyond
    page.evaluate("console.log('seen')")
    assert witness.said == ["seen"]
    page.close()


def test_print_has_the_content_alone(visit: Open) -> None:
    page = visit("/3x3/endings", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").first.is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
