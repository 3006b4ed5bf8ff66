"""Sharing and keeping in a browser: links, pictures, texts, frames on other sites, the puzzles of a reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Open

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_a_page_is_copied_as_a_link_a_picture_and_a_text(visit: Open) -> None:
    page = visit("/3x3/p/XO_-_X_-__O", permissions=CLIPBOARD)

    def copied(name: str) -> str:
        page.get_by_role("button", name=name).click()
        page.locator(".share .done").wait_for()
        found: str = page.evaluate(
            "async () => { const [item] = await navigator.clipboard.read();"
            " return item.types.includes('image/png') ? 'image/png' : navigator.clipboard.readText(); }"
        )
        page.locator(".share .done").wait_for(state="detached")
        return found

    assert copied("Copy link") == page.url
    assert copied("Copy picture") == "image/png"
    text = copied("Copy text")
    assert "X O ·\n· X ·\n· · O" in text
    assert text.startswith("X to move")
    assert text.endswith(page.url)


@pytest.mark.parametrize(
    ("address", "drawn"),
    [
        ("/3x3/g/a2-a3-b1-c3", "· X ·\nX · ·\nO · O"),
        ("/3x3x3/g/a1.1-b2.2", "X · ·\n· · ·\n· · ·\n\n· · ·\n· O ·\n· · ·\n\n· · ·\n· · ·\n· · ·"),
    ],
)
def test_the_text_of_a_game_has_its_marks(visit: Open, address: str, drawn: str) -> None:
    page = visit(address, permissions=CLIPBOARD)
    page.locator("[data-board] .taken").first.wait_for()
    page.get_by_role("button", name="Copy text").click()
    page.locator(".share .done").wait_for()
    assert f"\n\n{drawn}\n\n" in page.evaluate("navigator.clipboard.readText()")


def test_the_code_of_a_frame_shows_this_page(visit: Open) -> None:
    page = visit("/3x3/g/a1-b2", permissions=CLIPBOARD)
    page.get_by_text("Show it in a page of your own").click()
    page.locator("#share-frame").focus()
    code = page.locator("#share-frame").input_value()
    origin = page.url.removesuffix("/3x3/g/a1-b2")
    assert f'src="{origin}/embed/3x3/g/a1-b2"' in code
    page.get_by_role("button", name="Copy the code").click()
    page.locator(".share .done").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == code
    page.set_content(f"<html lang='en'><title>a site</title>{code}</html>")
    frame = page.frame_locator("iframe")
    assert frame.locator("[data-board] .taken").count() == 2
    assert frame.get_by_role("link", name="from noughts").get_attribute("href") == "/3x3/g/a1-b2"


def test_a_board_that_cannot_be_read_is_refused_beside_the_box(browser: Browser, served: str) -> None:
    page = browser.new_page(base_url=served)  # a witness of its own: this browser complains about every refusal
    page.goto("/3x3")
    page.locator("#board-asked").fill("3y3")
    page.get_by_role("button", name="Go").click()
    page.locator(".wrong:not(:empty)").wait_for()
    assert "3y3" in page.locator(".wrong").inner_text()
    assert page.url.endswith("/3x3")
    page.locator("#board-asked").fill("4x4:3")
    page.get_by_role("button", name="Go").click()
    page.wait_for_url("**/4x4:3")
    page.close()


def test_missed_puzzles_are_asked_again_and_all_can_be_taken_along_and_erased(visit: Open, tmp_path: Path) -> None:
    page = visit("/3x3/puzzles?daily=today&try=1")
    page.clock.install()
    answer = page.request.get("/3x3/puzzles.json?daily=today").json()["puzzles"][0]["solution"][0]
    wrong = next(
        each for each in page.locator("button[data-to]").all() if f"-{answer}" not in (each.get_attribute("id") or "")
    )
    wrong.click()
    page.locator("[data-key][data-right='']").wait_for()
    kept = page.locator("[data-kept]")
    assert "1 missed, to try again later" in kept.inner_text()
    stored = json.loads(page.evaluate("localStorage.getItem('noughts-puzzles')"))
    [missed] = stored["missed"].values()
    assert "daily=2" in missed["to"]
    page.clock.fast_forward("49:00:00")
    page.goto("/3x3/puzzles")
    page.locator("#missed").click()
    assert page.locator("h1").inner_text().startswith("Puzzle 1")
    page.goto("/3x3/puzzles")
    with page.expect_download() as download:
        page.locator("#kept-export").click()
    exported = Path(download.value.path()).read_text()
    assert json.loads(exported)["missed"] == stored["missed"]
    page.locator("#kept-erase").click()
    assert not kept.is_visible()
    assert page.evaluate("localStorage.length") == 0
    elsewhere = exported.replace('"to": "/', '"to": "//elsewhere/')
    for text, words in ((elsewhere, "not exported here"), ("[]", "not exported here"), (exported, "Imported")):
        page.locator("#kept-file").set_input_files(
            {"name": "noughts-puzzles.json", "mimeType": "application/json", "buffer": text.encode()}
        )
        page.locator("#kept-import", has_text=words).wait_for()
    assert "1 missed" in kept.inner_text()
    assert json.loads(page.evaluate("localStorage.getItem('noughts-puzzles')")) == json.loads(exported)
