"""Every kind of page of the server: nothing is complained about, nothing asked for elsewhere, axe finds nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from noughts.web.addresses import read_address
from noughts.web.scheduler import waiting_page
from tests.browser.conftest import PATIENCE, Open, Witness, go
from tests.browser.looking import Looks, violations
from tests.dear import dear

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/?o=easy&g=b2&moves=win&same=choices",
    "/whatis",
    "/whatis?n=26830",
    "/api",
    "/embed",
    "/3x3",
    "/4x5:4",
    "/1x5:3",
    "/3x3x3",
    "/3x3+torus",
    "/3x3+misere",
    "/3x3?moves=block&end=decided",
    "/3x3/p/XO_-_X_-__O",
    "/3x3/p/XO_-_X_-__O?quiz=1",
    "/3x3/p/XO_-_X_-___?moves=block",
    "/3x3/p/XXX-OO_-___",
    "/3x3/p/XOX-XOO-OXX",
    "/3x3+torus/p/XO_-_X_-___",
    "/3x3x3/p/X__-___-___--___-_O_-___--___-___-___",
    "/1x5:3/p/X_O__",
    "/embed/3x3/p/XO_-_X_-__O",
    "/3x3/g/a1-c3-c1-b1",
    "/3x3/g/a1-c3-c1-b1-a3-a2-b2",
    "/3x3/count",
    "/3x3/count?same=choices&moves=win&end=decided",
    "/3x3/openings",
    "/3x3/tree/reduced",
    "/3x3/tree/full?depth=2",
    "/3x3/tree/openings",
    "/3x3/tree/forced-wins",
    "/3x3/tree/policy?x=perfect&o=random&depth=3",
    "/3x3/patterns",
    "/3x3/patterns?force=Arrow",
    "/3x3/endings",
    "/3x3/positions",
    "/3x3/positions?ply=5&trap=1",
    "/3x3/blindfold",
    "/3x3/blindfold?walk=free-free",
    "/3x3/crib",
    "/3x3/puzzles",
    "/3x3/puzzles?seed=2&number=2",
    "/3x3/puzzles?try=2&move=b1",
    "/3x3/match?x=best&o=block",
    "/3x3/sheets",
    "/3x3/sheets?kind=poster-tree&paper=a4",
    "/3x3/menace",
    "/3x3/menace?as=O&games=50&empty=keep",
    "/3x3/play",
    "/3x3/play?x=human&o=perfect&g=a1",
    "/3x3/play?o=easy&g=a1&hint=1",
    "/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3",
    "/3x3/play?x=easy&o=hard",
    "/rules",
    "/3x3+wild/play?g=Xb2&mark=O",
    "/3x3+notakto*2/play?o=human&g=a1.1-b1.1-c1.1",
    "/1x3:3+order/play?o=human&g=Xa1-Ob1-Xc1",
    "/3x3/play?blind=X&g=b2-a1",
    "/3x3/play?blind=X&told=nothing&g=b2-a1",
    "/3x3/play?blind=X&g=b2-a1&show=1",
]


def kind(address: str) -> tuple[object, ...]:
    """Return what a page is beside its board: how many dimensions, which page, and whether somebody is blind."""
    path, _, query = address[1:].partition("?")
    board, *page = path.removeprefix("embed/").split("/")
    return board if "3" not in board else board.count("x"), page[: 2 if "tree" in page else 1], "blind" in query


FIRST = [each for at, each in enumerate(PAGES) if kind(each) not in map(kind, PAGES[:at])][::2]
"""The first page of every second kind: continuous integration looks at these, `make slow` at all."""
REFUSED = ["/9x9/openings", "/3x3/p/XXX-___-___", "/nowhere", "/3x3/count?same=nothing"]
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}


def unfit(page: Page, judged: dict[str, Looks]) -> list[str]:
    """What is wrong with the open page: what axe finds, light and dark, and how far it sticks out of a phone."""
    found = []
    page.set_viewport_size({"width": 1280, "height": 900})
    for scheme, paper in PAPER.items():
        page.emulate_media(color_scheme=scheme)
        seen = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        found += [f"{scheme} is {seen}"] * (seen != paper)
        found += [f"{scheme}, {each}" for each in judged[scheme].violations(page, whole=scheme == "light")]
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{wide} wide on {width}"] * (wide > width)
    over = "all => all.filter(each => getComputedStyle(each).position === 'absolute').length"
    found += ["words over others"] * bool(page.locator("main .wrong").evaluate_all(over))
    headings = page.locator("h1").count()
    return found + [f"{headings} headings"] * (headings != 1)


@pytest.fixture(scope="module")
def judged() -> dict[str, Looks]:
    """What axe has judged, by scheme."""
    return {scheme: Looks() for scheme in PAPER}


@pytest.fixture(scope="module")
def still(browser: Browser, served: str) -> Iterator[tuple[Page, Witness]]:
    """One page for all addresses, in which nothing moves, and its witness."""
    context = browser.new_context(base_url=served, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page, Witness(page, served)
    context.close()


@pytest.fixture
def page(still: tuple[Page, Witness]) -> Iterator[Page]:
    """That page, which may not complain."""
    page, witness = still
    yield page
    page.goto("about:blank")
    witness.has_nothing_to_say()


@pytest.mark.parametrize("address", dear(PAGES, *(each for each in PAGES if each not in FIRST)))
def test_a_page_is_fit_for_everybody(page: Page, judged: dict[str, Looks], address: str) -> None:
    assert go(page, address) == 200
    assert unfit(page, judged) == []


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_refused_is_said_in_a_page(still: tuple[Page, Witness], judged: dict[str, Looks], address: str) -> None:
    page, witness = still
    assert go(page, address) in (400, 404, 422)
    assert page.locator("main p").first.inner_text()
    assert unfit(page, judged) == []
    assert all("Failed to load resource" in each for each in witness.said)  # this browser says so of every refusal
    witness.said.clear()


def test_a_page_that_waits_is_fit_for_everybody(page: Page, judged: dict[str, Looks]) -> None:
    body = waiting_page(read_address("/4x5:4"), (30, 40, "solving"), 3.0, None, "about 12 s left").body
    page.route("**/4x5:4?waits", lambda route: route.fulfill(status=202, content_type="text/html", body=body))
    page.goto("/4x5:4?waits")
    assert page.locator(".lead").inner_text().startswith("4x5:4 is known to be a draw")
    assert page.locator("#waiting strong").inner_text().startswith("Computing what each first move does")
    assert page.get_by_role("link", name="Stop").get_attribute("href") == "/"
    assert page.get_by_role("progressbar").get_attribute("value") == "30"
    assert page.get_by_role("button", name="Copy link").is_visible()
    assert not page.get_by_role("button", name="Copy text").is_visible()  # it is not whole yet
    assert unfit(page, judged) == []
    page.goto("about:blank")
    page.unroute("**/4x5:4?waits")


def test_axe_sees_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content('<html lang="en"><title>a</title><main><h1>a</h1><img src="data:,"></main>')
    assert [each.partition(":")[0] for each in violations(page)] == ["image-alt"]
    page.close()


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


@pytest.mark.parametrize(
    "address", ["/3x3", "/3x3/p/X__-___-___", "/3x3+torus/p/X__-_O_-___", "/4x4:3/p/X___-____-____-____"]
)
def test_a_board_prints_on_one_page(visit: Open, address: str) -> None:
    printed = visit(address).pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1


# What a screen reader hears of a board: its cells by the overlay that is shown, hints, and what keys cannot do.

SAID = "words => document.getElementById('say').textContent.includes(words)"


def test_cells_are_named_by_the_overlay_that_is_shown(visit: Open) -> None:
    page = visit("/3x3/p/X__-_O_-__X")
    page.wait_for_selector("[data-board] button[data-at]")

    def named(words: str) -> int:
        return int(page.get_by_role("button", name=re.compile(f"^c1, row 1, column 3, blank ?{words}$")).count())

    assert named(": X wins in 2 moves") == 1
    for overlay, words in (("plies", ": 4 plies"), ("none", ""), ("alike", ": kind B")):
        page.locator(f"#show-{overlay}").check()
        assert named(words) == 1, overlay
    page.locator("#show-tactics").check()
    page.locator("#show-none").check()
    assert named(", X makes a fork here") == 1


def test_a_hint_is_said_by_key(visit: Open) -> None:
    page = visit("/3x3/play?x=human&o=human&g=a1-a2-b1-b2")
    page.wait_for_selector("[data-board] button[data-at]")
    page.locator("#cell-c1").focus()
    page.keyboard.press("f")
    page.wait_for_function(SAID, arg="The board cannot be turned here.")
    for step in ("Look at the corners.", "X can complete a line.", "Complete your line at c1"):
        page.keyboard.press("h")
        page.wait_for_function(SAID, arg=step)


def test_the_list_of_keys_has_those_that_do_something_here(visit: Open) -> None:
    keys = {}
    for address in ("/3x3/p/X__-_O_-__X", "/3x3/p/X__-_O_-__X?quiz=1", "/2x2x2", "/"):
        page = visit(address)
        page.wait_for_selector("[data-board] button[data-at]")
        page.locator("[data-board] [data-at][tabindex='0']").focus()
        page.keyboard.press("?")
        keys[address] = set(page.locator("dialog.keys kbd").all_inner_texts())
    plain, quiz, solid, start = keys.values()
    assert {"Space", "h", "f"} <= plain
    assert not {"Space", "h"} & quiz
    assert "Page up, Page down" in solid - plain
    assert not {"f", "h", "Space"} & start


# The three switches of the start page: what they show is what the address says, before a move, after it, reopened.


def figure(page: Page) -> str:
    """Return the number of games that is seen."""
    return "".join(each.inner_text() for each in page.locator(".answer .figure a").all() if each.is_visible())


def test_the_address_says_what_the_switches_show(visit: Open) -> None:
    page = visit("/")
    assert figure(page) == "255,168"
    page.locator("#moves-win").check()
    page.locator("#end-decided").check()
    assert figure(page) == "41,536"
    assert page.url.endswith("/?end=decided&moves=win")
    page.locator("#cell-b2").click()
    page.wait_for_url("**g=b2**")
    assert figure(page) == "41,536"
    page.locator("#same-choices").check()
    page.locator("#moves-any").check()
    assert figure(page) == "23,129"
    page.reload()
    assert figure(page) == "23,129"
    page.locator("#undo").click()
    page.wait_for_url(re.compile(r"/\?end=decided&same=choices(&seed=\d+)?$"))
    page.go_back()
    page.wait_for_url("**g=b2**")
    assert figure(page) == "23,129"
