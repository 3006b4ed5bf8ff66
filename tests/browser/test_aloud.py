"""What a screen reader hears of a board: its cells by the overlay that is shown, hints, and what keys cannot do."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import Open

pytestmark = pytest.mark.browser

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
    page.keyboard.press("h")
    page.wait_for_function(SAID, arg="Complete your line at c1")


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
