"""The page of the smallest table: what it says and its data are those of the command, and it leads to what can be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import noughts
from noughts.domain.board import Board
from noughts.web.reach import is_in_reach
from tests.web.pages import get, links_in, page, refused, text_of, twin


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
    large = get("/4x4/crib").body.decode()
    assert "too many for a smallest table" in large
    assert "ask from a later position on the command line" in large  # which refuses the empty board too
    assert not is_in_reach("crib", Board.parse("4x4"))


@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("/2x2+misere/crib", "2x2:2+misere: O always wins"),
        ("/2x2/crib?as=O", "2x2:2: X always wins"),
        ("/1x1/crib?as=O", "1x1:1: X never loses"),
        ("/3x3/crib?goal=win", "3x3:3: O plays perfectly"),
        ("/3x3+misere/crib?opening=a1", "3x3:3+misere after the opening b2: X never loses"),
        ("/3x3/crib?as=both&goal=win&opening=b1", "3x3:3 after the opening b1: X never loses"),
    ],
)
def test_what_can_be_had_instead_is_linked(address, way):
    reply = get(address)
    html = reply.body.decode()
    assert reply.status == 400
    assert "That cannot be had on this board" in html
    assert "cannot be read" not in html
    assert way in text_of(html)
    ways = [to for to in links_in(html[html.index("instead:") :]) if "/crib" in to]
    assert ways
    for to in ways:
        assert get(to).status == 200, to


def test_what_cannot_be_read_is_said_to_be_so():
    html = get("/3x3/crib?opening=d1").body.decode()
    assert "That cannot be read" in html
    assert "instead" not in html


def test_the_card_is_had_on_either_paper():
    html = page("/2x2/crib?goal=win")
    assert 'href="/2x2/crib.pdf?goal=win"' in html
    assert 'href="/2x2/crib.pdf?goal=win&amp;paper=a4"' in html
    small, large = (_paper(get(f"/2x2/crib.pdf{query}").body) for query in ("", "?paper=a4"))
    assert (small, large) == ((105, 148), (210, 297))


def _paper(pdf: bytes) -> tuple[int, int]:
    """Return the width and height of the first page, in millimetres."""
    found = re.search(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert found is not None
    width, height = (round(float(side) / 72 * 25.4) for side in found.groups())
    return width, height


def test_three_boards_stand_side_by_side_on_a_telephone():
    css = get_style("positions.css")
    found = re.search(r"\.crib \.boards \{ grid-template-columns: repeat\(auto-fill, minmax\(([0-9.]+)rem", css)
    assert found is not None
    assert 3 * 16 * float(found[1]) + 2 * 16 <= 320
    assert '<div class="crib">' in page("/2x2/crib?goal=win")
    assert '<div class="crib joined">' in page("/3x3+torus/crib?goal=win")


def get_style(name: str) -> str:
    return (Path(noughts.__file__).parent / "web" / "static" / name).read_text()
