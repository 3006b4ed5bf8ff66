"""Games in a browser: by keyboard alone, without scripts, in three dimensions; a quiz; a branch and its link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Open
from tests.dear import dear

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MOVES_OFF = 40
FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim()"


def over(page: Page) -> bool:
    return bool(page.locator("[data-board] .cell.blank :is(a, button)").count() == 0)


def settle(page: Page, before: str) -> None:
    page.wait_for_function(
        "url => location.href !== url && !document.querySelector('[aria-busy], #waiting')", arg=before
    )
    page.wait_for_function("() => [...document.querySelectorAll('[data-board]')].every(board => board.dataset.ready)")
    page.wait_for_function("() => document.activeElement !== document.body")


def test_a_whole_game_by_keyboard_alone(visit: Open) -> None:
    page = visit("/3x3/play?x=human&o=random&seed=3")
    page.wait_for_selector("[data-board] button[data-at]")
    for _ in range(MOVES_OFF):
        if page.evaluate("document.activeElement.matches('[data-at]')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED).startswith("a1, row 1, column 1")
    for key, place in (("ArrowRight", "b1, row 1, column 2"), ("ArrowDown", "b2, row 2, column 2")):
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED).startswith(place)
    while not over(page):
        for key in ("Home", "ArrowUp", "ArrowUp", *("ArrowRight", "ArrowRight", "ArrowDown", "Home") * 3):
            if page.evaluate("document.activeElement.matches('.blank > button[data-at]')"):
                break
            page.keyboard.press(key)
        before = page.url
        page.keyboard.press("Enter")
        settle(page, before)
        assert page.evaluate(
            "document.activeElement.closest('[data-board]') !== null || document.activeElement.id === 'main'"
        )
    assert page.locator("[data-board] .mark").count() >= 5
    said = page.locator("#say")
    page.wait_for_function("() => document.getElementById('say').textContent !== ''")
    assert said.get_attribute("aria-live") == "polite"


def test_a_whole_game_with_scripts_off(visit: Open) -> None:
    page = visit("/3x3/play?x=human&o=random&seed=3", java_script_enabled=False)
    moves = 0
    while not over(page):
        page.locator("[data-board] .cell.blank a").first.click()
        page.wait_for_load_state()  # a board is read when it is there whole
        moves += 1
        assert moves < 9
    assert moves >= 3
    assert page.get_by_role("link", name="New game").is_visible()


def test_a_quiz_hides_its_answers_until_they_are_asked_for(visit: Open) -> None:
    open_page = visit("/3x3/p/X__-_O_-___")
    assert "draw" in open_page.locator("main").inner_text().lower()
    page = visit("/3x3/p/X__-_O_-___?quiz=1")
    hidden = page.locator("[data-board]").inner_html()
    assert "wins" not in hidden
    assert "draws" not in hidden
    assert page.locator("[data-board] .asks").first.is_visible()


def test_a_puzzle_is_played_on_the_board_and_the_next_one_follows(visit: Open) -> None:
    page = visit("/3x3/puzzles")
    page.get_by_role("link", name="Try it on the board").nth(1).click()
    page.wait_for_selector("[data-board] button[data-at]")
    for cell, said in (("b1", "No: b1 loses"), ("a2", "Right: a2 wins")):
        before = page.url
        page.locator(f"#cell-{cell}").click()
        settle(page, before)
        assert said in page.locator("main").inner_text()
        if cell == "b1":
            page.get_by_role("link", name="Try again").click()
            page.wait_for_selector("[data-board] button[data-at]")
    page.get_by_role("link", name="Next puzzle").click()
    page.wait_for_selector("text=Puzzle 3")


def test_the_board_alone_fills_a_projector_and_the_page_comes_back(visit: Open) -> None:
    page = visit("/3x3/play?g=b2")
    page.get_by_role("button", name="Large board").click()
    assert not page.locator("header").is_visible()
    page.wait_for_timeout(100)
    small, whole = page.locator(".grid").bounding_box(), page.viewport_size
    assert small is not None
    assert whole is not None
    assert small["height"] > 0.55 * whole["height"]
    before = page.url
    page.locator("#cell-a1").click()
    settle(page, before)
    assert not page.locator("header").is_visible()
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("b")
    assert page.locator("header").is_visible()


def test_the_board_alone_says_whose_turn_it_is_and_who_has_won(visit: Open) -> None:
    for address, said in (("/", "You begin"), ("/?g=a1-b2-b1-c1-b3-a3", "You lose"), ("/3x3/play", "You begin")):
        page = visit(address)
        page.get_by_role("button", name="Large board").click()
        assert page.get_by_text(said).first.is_visible()


def test_a_puzzle_of_the_list_is_in_view_and_its_board_opens_it(visit: Open) -> None:
    for width, height in ((390, 664), (844, 390)):
        page = visit("/3x3/puzzles", viewport={"width": width, "height": height})
        box = page.locator(".puzzles .set").first.bounding_box()
        assert box
        assert box["y"] + box["height"] <= height
    page.locator(".puzzles .set").first.click()
    page.wait_for_selector("text=Puzzle 1 of 6")


def test_a_branch_and_its_link_reopened(visit: Open) -> None:
    page = visit("/3x3/g/a1-b2")
    page.wait_for_selector("[data-board] button[data-at]")
    before = page.url
    page.locator("#cell-c3").click()
    settle(page, before)
    first = page.url
    assert first.endswith("/3x3/g/a1-b2-c3")
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("u")
    settle(page, first)
    before = page.url
    page.locator("#cell-c1").click()
    settle(page, before)
    assert page.url.endswith("/3x3/g/a1-b2-c1?also=a1-b2-c3")
    branched = visit("/3x3/g/" + page.url.rpartition("/")[2])
    assert "row 1, column 3, X, last move" in (branched.locator("#cell-c1").get_attribute("aria-label") or "")
    assert branched.locator("main a[href*='/3x3/g/a1-b2-c3']").count() >= 1  # the line that was left
    page.go_back()
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    marks = "[data-board] .taken"
    again = visit(first.partition("127.0.0.1")[2].partition("/")[2].join(["/", ""]))
    assert again.locator(marks).count() == 3
    assert "c3, row 3, column 3, X, last move" in again.locator("#cell-c3").get_attribute("aria-label")


def test_a_board_of_three_dimensions(visit: Open) -> None:
    page = visit("/3x3x3")
    page.wait_for_selector("[data-board] button[data-at]")
    assert page.get_by_role("grid").count() == 3
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("PageDown")
    assert page.evaluate(FOCUSED).startswith("a1.2, layer 2, row 1, column 1")
    before = page.url
    page.keyboard.press("Enter")
    settle(page, before)
    assert page.locator("[data-board] .taken").count() == 1


def test_help_lists_the_keys_and_says_what_it_does(visit: Open) -> None:
    page = visit("/3x3")
    page.wait_for_selector("[data-board] button[data-at]")
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    letters = page.get_by_role("checkbox", name="Space, letters")
    letters.uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")  # off until the page is left, or they are turned on again
    assert not page.get_by_role("dialog", name="Keys").is_visible()
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED).startswith("b1, row 1, column 2")
    page.get_by_role("button", name="Keys").click()
    letters.check()
    page.keyboard.press("Escape")
    page.locator("[data-board] [data-at][tabindex='0']").focus()
    page.keyboard.press("s")
    page.wait_for_function("() => document.getElementById('say').textContent.startsWith('Empty board')")


SIZES = [(390, 664), (390, 844), (844, 390), (1280, 800)]


@pytest.mark.parametrize(("width", "height"), dear(SIZES, SIZES[1], SIZES[3]))
def test_the_whole_board_and_whose_turn_it_is_are_in_view(visit: Open, width: int, height: int) -> None:
    for address in (
        "/",
        "/?g=a1-b2-b1-c1-b3-a3",
        "/3x3/play",
        "/4x4/play?o=random",
        "/3x3/g/a1-b2",
        "/3x3/p/X__-_O_-___",
        "/3x3+misere/play",
        "/3x3x3/play",
    ):
        page = visit(address, viewport={"width": width, "height": height})
        page.locator("#waiting").wait_for(state="detached")
        said = ".turn" if address.startswith(("/?", "/")) and len(address.split("/")) == 2 else ".lead"
        for part in (page.locator("[data-at]").last, page.locator(f"main {said}").first):
            box = None
            for _ in range(5):  # the answer of the server may replace the part meanwhile
                part.wait_for()
                box = box or part.bounding_box()
            assert box, address
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, (address, box)


@pytest.mark.parametrize(("width", "height"), dear(SIZES, SIZES[1], SIZES[3]))
@pytest.mark.parametrize(
    ("address", "reason"), [("/?g=a1-b2-b1-c1-b3-a3", ".why"), ("/3x3/g/a1-b2-b1-c1-b3-a3", ".verdict")]
)
def test_the_reason_of_a_loss_is_in_view_with_the_board(
    visit: Open, width: int, height: int, address: str, reason: str
) -> None:
    page = visit(address, viewport={"width": width, "height": height})
    assert "Move 5, X on b3, lost" in page.locator(reason).inner_text()
    for box in (page.locator("[data-at]").last.bounding_box(), page.locator(reason).bounding_box()):
        assert box
        assert box["y"] + box["height"] <= height, (address, box)


def test_puzzles_are_found_on_a_telephone_without_scrolling(visit: Open) -> None:
    for address, link in (("/", "#puzzles"), ("/3x3/play", "nav.pages a:text-is('Puzzles')")):
        page = visit(address, viewport={"width": 390, "height": 664})
        box = page.locator(link).bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 664
        page.locator(link).click()
        page.wait_for_selector("text=Puzzle 1")


def test_the_same_start_is_answered_in_more_ways_than_one_and_the_link_repeats_a_game(visit: Open) -> None:
    replies, seeds = set(), set()
    for _ in range(6):
        page = visit("/?o=easy")
        page.wait_for_selector("[data-board] button[data-at]")
        before = page.url
        page.locator("#cell-b2").click()
        settle(page, before)
        seeds.add(page.url.partition("seed=")[2])
        replies.add(page.locator(".taken.last").get_attribute("id"))
    assert len(seeds) == 6
    assert len(replies) > 1
    again = visit("/" + page.url.rpartition("/")[2])
    assert again.locator(".taken.last").get_attribute("id") == page.locator(".taken.last").get_attribute("id")


def test_back_leaves_a_game_at_once_however_many_moves_were_stepped_through(visit: Open) -> None:
    page = visit("/3x3")
    page.goto(page.url.removesuffix("/3x3") + "/3x3/g/a1-b2-c3?also=a1-b1")
    for key, ends in (("ArrowLeft", "/3x3/g/a1-b2?"), ("ArrowLeft", "/3x3/g/a1?"), ("ArrowRight", "/3x3/g/a1-b2?")):
        before = page.url
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        page.wait_for_function("url => location.href !== url && !document.querySelector('[aria-busy]')", arg=before)
        assert ends in page.url
    page.reload()
    assert page.get_by_role("link", name="b1", exact=True).is_visible()  # the line that was left survives
    page.go_back()
    page.wait_for_url("**/3x3")


def test_a_move_is_seen_before_it_is_played(visit: Open) -> None:
    page = visit("/3x3/p/XO_-_X_-__O", reduced_motion="no-preference")
    page.wait_for_selector("[data-board] button[data-at]")
    page.locator("#cell-a2").hover()
    assert page.locator("#cell-a2 .ghost .mark.x").count() == 1
    assert not page.locator("#cell-a2 .note.in-value").is_visible()
    page.mouse.move(0, 0)
    page.get_by_role("link", name="c2", exact=True).focus()
    assert page.locator("#cell-c2 .ghost .mark.x").count() == 1
    assert page.locator(".ghost").count() == 1
    page.locator("#show-play").check()
    assert page.locator(".plays").is_visible()
    page.locator("#show-none").check()
    assert not page.locator(".evaluation").is_visible()


def test_lines_light_up_across_layers_and_edges(visit: Open) -> None:
    for address, cell, lines in (("/3x3x3/play", "b2.2", 13), ("/3x3+torus/play", "b2", 4)):
        page = visit(address)
        page.wait_for_selector("[data-board] button[data-at]")
        page.locator(f"[id='cell-{cell}']").hover()
        assert page.locator(".through.lit").count() == lines
    copy = page.locator("[data-copy]").first
    before = page.url
    copy.click()
    settle(page, before)
    assert page.locator("#cell-c3 .mark.x, #cell-c3.taken").count() >= 1


@pytest.mark.parametrize(("motion", "name"), [("reduce", "none"), ("no-preference", "stroke")])
def test_marks_are_drawn_as_strokes_unless_the_reader_wants_no_motion(visit: Open, motion: str, name: str) -> None:
    page = visit("/3x3/g/a1", reduced_motion=motion)
    found = page.evaluate("getComputedStyle(document.querySelector('.last .mark path')).animationName")
    assert found == name
    seconds = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.last .mark path')).animationDuration)"
    )
    assert seconds < 0.2


def test_a_position_is_set_up_by_hand_and_looks_different_meanwhile(visit: Open) -> None:
    page = visit("/3x3/p/X__-___-___")
    page.get_by_role("button", name="Set up").click()
    assert page.locator("[data-board].editing").is_visible()
    assert not page.locator(".note.in-value").first.is_visible()
    page.locator("#cell-b2").click()
    page.get_by_role("button", name="O", exact=True).click()
    page.locator("#cell-c3").focus()
    page.keyboard.press("Enter")
    before = page.url
    page.get_by_role("button", name="Done").click()
    settle(page, before)
    assert page.url.endswith("/3x3/p/X__-_X_-__O")


def test_a_child_plays_the_easiest_by_touch_and_is_told_what_to_try_next(visit: Open) -> None:
    page = visit("/3x3/play", viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator("#level-random").tap()
    page.wait_for_function("() => location.search.includes('o=random') && !document.querySelector('[aria-busy]')")
    page.locator("#values").tap()
    page.wait_for_function("() => location.search.includes('values') && !document.querySelector('[aria-busy]')")
    while not over(page):
        before, best = page.url, page.locator(".cell.best button")
        (best if best.count() else page.locator(".cell.blank button")).first.tap()
        settle(page, before)
    assert page.locator(".result").inner_text()
    assert page.locator(".next").is_visible()
    assert page.locator("ol.moves a").count() >= 5
