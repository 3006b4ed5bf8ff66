"""The three switches of the start page: what they show is what the address says, before a move, after it, reopened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Open

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


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
    page.wait_for_url("**/?end=decided&same=choices")
    page.go_back()
    page.wait_for_url("**g=b2**")
    assert figure(page) == "23,129"
