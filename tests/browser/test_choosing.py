"""Games in a browser whose marks one chooses, and several boards of Notakto: by keys, by touch, without scripts."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import Open
from tests.browser.test_playing import FOCUSED, SIZES, over, settle
from tests.dear import dear

pytestmark = pytest.mark.browser

CHOSEN = ".marks [aria-current]"
RESULT = "main .result"


def test_the_mark_is_chosen_by_keys(visit: Open) -> None:
    page = visit("/3x3+wild/play?o=human")
    page.wait_for_selector("[data-board] button[data-at]")
    assert page.locator(CHOSEN).get_attribute("aria-label") == "X"
    page.locator("#cell-b2").focus()
    before = page.url
    page.keyboard.press("o")
    settle(page, before)
    page.wait_for_function("() => document.getElementById('say').textContent.startsWith('O is chosen.')")
    assert page.locator(CHOSEN).get_attribute("aria-label") == "O"
    assert page.evaluate(FOCUSED) == "b2, row 2, column 2, blank, place an O here"
    before = page.url
    page.keyboard.press("Enter")
    settle(page, before)
    assert page.locator("#cell-b2").get_attribute("aria-label") == "b2, row 2, column 2, O, last move"
    assert page.locator(CHOSEN).get_attribute("aria-label") == "O"  # until another is chosen
    for key, cell in (("x", "a1"), ("o", "b1"), ("o", "b3")):
        before = page.url
        page.locator("[data-board] [data-at][tabindex='0']").focus()
        if page.locator(CHOSEN).get_attribute("aria-label") != key.upper():
            page.keyboard.press(key)
            settle(page, before)
        before = page.url
        page.locator(f"#cell-{cell}").click()
        settle(page, before)
    assert page.locator(RESULT).inner_text() == "The second player has won with the line b1-b2-b3."
    assert page.locator(".marks").count() == 0
    page.keyboard.press("x")
    page.wait_for_function("() => document.getElementById('say').textContent === 'The mark cannot be chosen here.'")


def test_a_game_of_order_and_chaos_by_touch(visit: Open) -> None:
    page = visit("/1x3:3+order/play?o=human", viewport={"width": 390, "height": 664}, has_touch=True)
    page.wait_for_selector("[data-board] button[data-at]")
    assert page.locator(RESULT).inner_text() == "Order begins."
    for mark, cell in (("x", "a1"), ("o", "b1"), ("o", "c1")):
        if page.locator(f"#mark-{mark}").get_attribute("aria-current") is None:
            before = page.url
            page.locator(f"#mark-{mark}").tap()
            settle(page, before)
        for chip in page.locator(".marks .chip").all():
            box = chip.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44, "a finger needs that much"
        before = page.url
        page.locator(f"#cell-{cell}").tap()
        settle(page, before)
    assert page.locator(RESULT).inner_text() == "Chaos has won: the board is full without a line."


@pytest.mark.parametrize("address", ["/3x3+wild/p/X__-_O_-___", "/3x3+wild/g/Xa1-Ob2", "/3x3+wild"])
def test_values_follow_the_chosen_mark(visit: Open, address: str) -> None:
    """On a position, a game and a board: o shows the values of an O, a cell plays it, and the mark stays chosen."""
    page = visit(address)
    page.wait_for_selector("[data-board] button[data-at]")
    cell = page.locator("#cell-c3")
    values = [cell.locator(".note.in-value").text_content()]
    cell.focus()
    before = page.url
    page.keyboard.press("o")
    settle(page, before)
    assert page.locator(CHOSEN).get_attribute("aria-label") == "O"
    assert page.evaluate(FOCUSED).startswith("c3, row 3, column 3, blank, place an O here")
    values.append(cell.locator(".note.in-value").text_content())
    assert (values[0] != values[1]) == (address != "/3x3+wild"), "X and O differ on c3 but for the empty board"
    before = page.url
    page.keyboard.press("Enter")
    settle(page, before)
    assert "O" in (page.locator("#cell-c3").get_attribute("aria-label") or "")
    if address != "/3x3+wild":
        assert page.locator(CHOSEN).get_attribute("aria-label") == "O"


def test_wild_with_scripts_off(visit: Open) -> None:
    page = visit("/3x3+wild/play?o=random&seed=3", java_script_enabled=False)
    moves = 0
    while not over(page):
        other = page.locator(".marks .chip:not([aria-current])")
        other.click()
        page.wait_for_load_state()
        page.locator("[data-board] .cell.blank a").first.click()
        page.wait_for_load_state()
        moves += 1
        assert moves < 9
    assert re.search("(You (win|lose)|The game is drawn)", page.locator(RESULT).inner_text())
    assert page.locator("[data-board] .mark.o").count() > 0


def test_a_board_with_a_line_is_closed(visit: Open) -> None:
    page = visit("/3x3+notakto*2/play?o=human&g=a1.1-b1.1")
    page.wait_for_selector("[data-board] button[data-at]")
    assert page.locator(".layer.closed").count() == 0
    before = page.url
    page.locator("[id='cell-c1.1']").click()
    settle(page, before)
    assert page.locator(".layer.closed").count() == 1
    assert page.get_by_role("grid", name="board 1, closed").count() == 1
    assert page.locator(".layer.closed .blank button").count() == 0
    assert page.locator("[id='cell-a2.1']").inner_text().strip() == "a2.1, board 1, row 2, column 1, blank, closed"
    assert page.locator(".layer:not(.closed) button").count() == 9
    assert page.locator(RESULT).inner_text() == (
        "The second player is to move. The player who completes the last line loses."
    )
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("s")
    page.wait_for_function(
        "() => document.getElementById('say').textContent.includes('board 1 has a line and takes no more marks')"
    )


@pytest.mark.parametrize(("width", "height"), dear(SIZES, SIZES[1], SIZES[3]))
def test_the_boards_the_marks_and_whose_turn_it_is_are_in_view(visit: Open, width: int, height: int) -> None:
    for address in (
        "/3x3+wild/play?g=Xa1",
        "/4x4:4+order/play?g=Xa1-Ob2-Xc3-Od4&o=random",
        "/3x3+notakto/play?g=a1",
        "/3x3+notakto*2/play?o=random&g=a1.1",
    ):
        page = visit(address, viewport={"width": width, "height": height})
        marks = page.locator(".marks .chip").all()
        assert len(marks) == (0 if "notakto" in address else 2)
        for place in (page.locator("[data-at]").last, page.locator(RESULT), *marks):
            box = place.bounding_box()
            assert box
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, (address, box)
            assert box["x"] + box["width"] <= width, (address, box)


def test_a_board_of_the_gallery_begins_a_game(visit: Open) -> None:
    page = visit("/rules")
    page.wait_for_selector("[data-board] button[data-at]")
    for cell, reply in (
        ("3x3:3+wild-b2", "The second player plays"),
        ("2x3:3+notakto*2-a1.2", "The second player plays"),
    ):
        before = page.url
        page.locator(f"[id='cell-{cell}']").click()
        settle(page, before)
        assert page.locator(RESULT).inner_text().startswith(reply)
        page.go_back()
        page.wait_for_function("() => document.querySelectorAll('[data-board]').length > 2")
        page.wait_for_function("() => [...document.querySelectorAll('[data-board]')].every(each => each.dataset.ready)")
    page.locator("[id='cell-3x3:3+order-b2']").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(FOCUSED).startswith("a2, row 2, column 1, blank, place an X here")
