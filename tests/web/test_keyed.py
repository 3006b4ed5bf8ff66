"""What keys say where they do nothing, and what is read aloud after a move."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.web.pages import page


def data(address: str, name: str) -> str | None:
    found = re.findall(rf' data-{name}="([^"]*)"', page(address))
    return unescape(found[0]) if found else None


@pytest.mark.parametrize("address", ["/", "/3x3/play", "/3x3/play?blind=X", "/3x3"])
def test_nothing_is_said_of_turning_where_it_is_not_offered(address):
    assert data(address, "turn-to") is None
    assert data(address, "no-turn") is None


def test_a_board_that_every_turn_leaves_as_it_is_says_so():
    assert data("/3x3/p/___-___-___", "turn-to") is None
    assert data("/3x3/p/___-___-___", "no-turn") == "Turned or flipped, this board is the same."


@pytest.mark.parametrize("address", ["/3x3/p/X__-_O_-__X?quiz=1", "/3x3/g/a1-b2-c3?quiz=1"])
def test_a_quiz_says_that_its_answers_are_hidden(address):
    for key in ("best", "hint"):
        assert data(address, f"{key}-to") is None
        assert data(address, f"no-{key}") == "The answers are hidden here."
    assert data(address, "hint") is None
    assert data(address.removesuffix("?quiz=1"), "best-to") is not None


def test_the_start_page_says_where_its_hints_are():
    assert "Hints and more" in (data("/", "no-hint") or "")
    assert ">Hints and more</a>" in page("/")
    over = "/?g=a1-a2-b1-b2-c1"
    assert data(over, "no-hint") == "The game is over."
    assert ">Hints and more</a>" not in page(over)


def test_a_hint_is_read_aloud():
    said = data("/3x3/play?o=human&g=a1-a2-b1-b2&hint=1", "live")
    assert said == "Play c1. Complete your line at c1: you win at once."
    assert data("/3x3/play?o=human&g=a1-a2-b1-b2&hint=1", "best-to") is not None


def test_between_two_people_the_move_is_read_aloud():
    assert data("/3x3/play?o=human", "live") == "X begins."
    assert data("/3x3/play?o=human&g=a1-a2", "live") == "O played a2. X is to move."
    assert (data("/3x3/play?o=human&g=a1-a2-b1-b2-c1", "live") or "").startswith("X played c1. X has won")


def test_against_an_opponent_its_last_move_is_read_aloud_too():
    said = data("/3x3/play?o=perfect&g=a1", "live") or ""
    assert re.fullmatch(r"O plays [abc][123]\. Your move: you play X\.", said)
    lost = data("/3x3/play?o=perfect&g=b1-a3-c2", "live") or ""
    assert lost.startswith("O plays ")
