"""Every address of the explorer that the documentation names has a page, and what it says of the quizzes is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import noughts
from noughts.web.addresses import read_address
from noughts.web.answering import answer

pytestmark = pytest.mark.usefixtures("remembered")

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
PAGES = ("explorer.md", "teachers.md", "hosting.md")


def addresses() -> list[str]:
    found = set[str]()
    for page in PAGES:
        text = (HOW_TO / page).read_text(encoding="utf-8")
        found |= set(re.findall(r"`(/(?:3x3|4x5|embed|whatis)[^`]*)`", text))
        found |= set(re.findall(r'(?:127\.0\.0\.1:8000|example\.org)(/[^"\s`]+)', text))
    return sorted(found - {"/embed", "/openapi.json"})


@pytest.mark.parametrize("address", addresses())
def test_an_address_in_the_documentation_has_a_page(address: str) -> None:
    path, _, query = address.removeprefix("/embed").partition("?")
    reply = answer(read_address(path, query))
    assert reply.status == 200, reply.body


def test_addresses_are_found() -> None:
    assert len(addresses()) > 20
    assert "/3x3/p/XO_-_X_-__O" in addresses()


def test_what_the_quizzes_of_teachers_ask_has_the_answers_they_say() -> None:
    solved = {text: noughts.explain("3x3", text) for text in ("X../.../...", "X../.O./..X", "XO./.../...")}
    assert sum(move.outcome == "draw" for move in solved["X../.../..."].moves) == 1  # the centre, up to symmetry
    losing = {noughts.cell_name("3x3", move.cell) for move in solved["X../.O./..X"].moves if move.outcome == "X"}
    assert losing == {"c1", "a3"}
    assert any(move.outcome == "X" for move in solved["XO./.../..."].moves)
