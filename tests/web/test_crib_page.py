"""The page of the smallest table: what it says and its data are those of the command, and it leads to what can be."""

from __future__ import annotations

import pytest

from noughts.domain.board import Board
from noughts.web.reach import is_in_reach
from tests.web.pages import get, page, refused, text_of, twin


@pytest.mark.parametrize(
    "options", ["", "--as O --opening b2", "--as both --goal perfect", "--opening a1 --count all", "--from a1"]
)
def test_data_are_those_of_the_command(options: str) -> None:
    words = options.split()
    query = "&".join(f"{name[2:]}={text}" for name, text in zip(words[::2], words[1::2], strict=True))
    for form in ("json", "svg"):
        twin(f"/3x3/crib.{form}?{query}", "crib", "3x3:3", *words, "--format", form)


def test_the_page_has_every_board_with_its_dot():
    html = page("/3x3/crib?as=O&goal=never-lose")
    assert "O never loses with 71 boards to know, the fewest possible." in text_of(html)
    assert html.count('<circle class="c"') == 71
    assert 'aria-label="X../.../...: play b2"' in html
    assert 'href="/3x3/p/X..-...-..."' in html or 'href="/3x3/p/X__-___-___"' in html
    assert "noughts crib 3x3:3 --as O" in text_of(html)
    assert get("/3x3/crib.pdf").body.startswith(b"%PDF")
    assert 'href="/3x3/crib"' in page("/3x3")


def test_only_what_can_be_reached_is_linked():
    here = page("/3x3/crib")
    assert 'href="/3x3/crib?goal=perfect"' in here
    assert "goal=win" not in here
    misere = page("/3x3+misere/crib")
    assert "opening=b2" in misere
    assert "opening=a1" not in misere
    torus = page("/3x3+torus/crib")
    assert "goal=win" in torus
    assert "as=O" not in torus
    assert "Who completes a line loses." in text_of(misere)


def test_what_cannot_be_had_is_said():
    assert "X cannot be sure to win on 3x3:3" in refused("/3x3/crib?goal=win")
    assert "the opening a1 loses" in refused("/3x3+misere/crib?opening=a1")
    assert "too many for a smallest table" in get("/4x4/crib").body.decode()
    assert not is_in_reach("crib", Board.parse("4x4"))
