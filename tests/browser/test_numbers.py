"""Trees that are moved, zoomed, folded and walked; switches that change the number without loading the page anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Open

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def focused(page: Page) -> str | None:
    found: str | None = page.evaluate("document.activeElement.closest('.node')?.dataset.node ?? null")
    return found


def shown(page: Page) -> int:
    return int(page.locator(".live-tree .node:not(.away)").count())


def wide(page: Page) -> float:
    return float(page.locator("svg.live-tree").get_attribute("width") or 0)


def test_a_tree_is_walked_and_folded_by_keys(visit: Open) -> None:
    page = visit("/3x3/tree/reduced")
    page.wait_for_selector(".tree-view.ready")
    page.locator(".live-tree a[tabindex='0']").focus()
    assert focused(page) == "0"
    page.keyboard.press("ArrowDown")
    child = focused(page)
    assert page.locator(f".node[data-node='{child}']").get_attribute("data-above") == "0"
    page.keyboard.press("ArrowRight")
    sibling = focused(page)
    assert sibling != child
    assert page.locator(f".node[data-node='{sibling}']").get_attribute("data-above") == "0"
    assert page.locator(".live-tree .way.lit").count() == 1
    all_of_them = shown(page)
    page.keyboard.press("Space")
    assert shown(page) < all_of_them
    page.keyboard.press("Space")
    assert shown(page) == all_of_them
    page.keyboard.press("ArrowUp")
    assert focused(page) == "0"
    assert page.locator(".live-tree a[tabindex='0']").count() == 1
    page.keyboard.press("ArrowDown")
    target = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{target}")


def test_a_tree_is_zoomed_moved_and_folded_by_mouse(visit: Open) -> None:
    page = visit("/3x3/tree/reduced", viewport={"width": 1000, "height": 800})
    page.wait_for_selector(".tree-view.ready")
    before = wide(page)
    page.get_by_role("button", name="Larger").click()
    assert wide(page) > before
    page.get_by_role("button", name="Whole").click()
    assert wide(page) <= 1000
    page.get_by_role("button", name="Larger").click()
    page.get_by_role("button", name="Larger").click()
    view = page.locator(".tree-view")
    box = view.bounding_box()
    assert box is not None
    left = view.evaluate("view => view.scrollLeft")
    page.mouse.move(box["x"] + 500, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 100, steps=4)
    page.mouse.up()
    assert view.evaluate("view => view.scrollLeft") > left
    assert page.url.endswith("/3x3/tree/reduced")  # a drag that ends on a board is no click
    everything = shown(page)
    page.get_by_role("button", name="Fold all").click()
    assert shown(page) == 4
    page.get_by_role("button", name="Unfold").click()
    assert shown(page) == everything
    page.locator(".node[data-node='1'] > .fold").click()
    assert shown(page) < everything


def test_a_switch_changes_the_number_in_place(visit: Open) -> None:
    page = visit("/3x3/count?same=labelled")
    page.evaluate("window.kept = true")
    page.locator("#moves-win").check()
    page.get_by_text("55,648", exact=True).first.wait_for()
    assert page.evaluate("window.kept") is True
    page.locator("#same-choices").check()
    page.get_by_text("5,938", exact=True).first.wait_for()
    assert "same=choices" in page.url
    assert page.evaluate("document.activeElement.id") == "same-choices"
    page.go_back()
    page.get_by_text("55,648", exact=True).first.wait_for()
    page.locator("#scale-logarithmic").check()
    assert page.locator(".plies svg.logarithmic").first.is_visible()
    assert not page.locator(".plies svg.linear").first.is_visible()


def test_without_scripts_the_switches_are_a_form(visit: Open) -> None:
    page = visit("/3x3/count?same=labelled", java_script_enabled=False)
    page.locator("#end-full").check()
    page.get_by_role("button", name="Go").last.click()
    page.get_by_text("362,880", exact=True).first.wait_for()


def test_filters_of_positions_are_live(visit: Open) -> None:
    page = visit("/3x3/positions?ply=5")
    page.locator("#f-trap").check()
    page.get_by_text("93 of 765 position classes").first.wait_for()
    assert "trap=1" in page.url


def test_a_sentence_and_a_link_are_copied(visit: Open) -> None:
    page = visit("/3x3/count?same=choices")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy with a link").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = str(page.evaluate("navigator.clipboard.readText()"))
    assert copied.startswith("There are 26,830 games of tic-tac-toe")
    assert copied.endswith(page.url)
    page.locator("#same-symmetry").check()
    page.get_by_text("31,896", exact=True).first.wait_for()
    assert page.locator("#to-print button").is_visible()
    page.goto(page.url.split("/3x3")[0])
    page.locator("#same-choices").check(force=True)
    page.get_by_role("button", name="Copy a link to this answer").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert "same=choices" in str(page.evaluate("navigator.clipboard.readText()"))
