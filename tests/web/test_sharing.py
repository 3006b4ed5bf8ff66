"""What is shared: pages in frames, pictures for other sites, codes on sheets, and the gallery of the start page."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import date
from html import unescape

import pytest
import segno

import noughts
from noughts.drawing.paper import code_block
from noughts.drawing.svg import Canvas
from noughts.rules.board import Board
from noughts.rules.marks import Outcome
from noughts.rules.values import begun
from noughts.web.addresses import read_address
from noughts.web.app import Explorer
from noughts.web.pages.printables import _code_of as _sheet_code_of
from noughts.web.pages.puzzles import _code_of
from noughts.web.pages.rules import tiles
from noughts.web.replies import safe_answer
from tests.dear import dear
from tests.web.site import Response, ask
from tests.web.site import page as page_of

PUBLIC = "https://noughts.example.org"


def asked(*addresses: str, public: str = "") -> list[Response]:
    """Return what a server gives for addresses."""

    async def work() -> list[Response]:
        app = Explorer(public=public)
        found = [await ask(app, each) for each in addresses]
        await app.close()
        return found

    return asyncio.run(work())


def test_a_page_for_a_frame_has_two_addresses():
    before, after = asked("/embed/3x3/p/XO_-_X_-__O?quiz=1", "/3x3/p/XO_-_X_-__O?embed=1&quiz=1")
    assert before.status == 200
    assert before.body == after.body
    assert before.headers == after.headers
    assert "frame-ancestors *" in after.headers["content-security-policy"]


def test_a_frame_takes_a_list_of_moves_and_leads_to_the_same_outside():
    [reply] = asked("/3x3/p/a1-b2-c3?embed=1")
    assert (reply.status, reply.headers["location"]) == (303, "/embed/3x3/p/X__-_O_-__X")
    page = asked("/embed/3x3/g/a1-b2-c3")[0].text
    assert '<a href="/3x3/g/a1-b2-c3" target="_blank"' in page
    assert all(to.startswith("/embed/") for to in re.findall(r'href="(/3x3[^"]*)"[^>]*data-swap', page))


@pytest.mark.parametrize("address", ["/embed/3x3/p/XXXXXXXXX", "/embed/3x3/nothing"])
def test_an_error_in_a_frame_is_shown_there(address):
    [reply] = asked(address)
    assert reply.status == 404
    assert "frame-ancestors *" in reply.headers["content-security-policy"]


def test_a_file_of_ones_own_may_show_a_frame_too():
    [reply] = asked("/embed/3x3/g/a1-b2-c3")
    assert reply.headers["content-security-policy"].endswith("frame-ancestors * file:")


def test_an_error_is_not_offered_to_share():
    for address in ("/3x3/nothing", "/go?board=3y3"):
        assert 'id="share-link"' not in asked(address)[0].text
    assert 'id="share-link"' in asked("/3x3/g/a1")[0].text


def test_in_a_frame_the_moves_follow_the_board():
    framed, whole = (asked(f"{frame}/3x3/g/a1-b2-c3-c1")[0].text for frame in ("/embed", ""))
    assert framed.count('class="moves"') == whole.count('class="moves"') == 1
    assert framed.index('class="moves"') < framed.index('class="tug-of-war"')
    assert whole.index('class="moves"') > whole.index('class="tug-of-war"')


def test_the_page_of_examples_shows_frames_that_exist():
    page = page_of("/embed")
    frames = [unescape(each) for each in re.findall(r'<iframe src="([^"]+)"', page)]
    assert len(frames) == 3
    assert all(reply.status == 200 for reply in asked(*frames))
    assert all(each in unescape(page.partition("<pre")[2]) for each in frames[:1])


def test_a_public_address_is_in_links_for_other_sites():
    [reply] = asked("/3x3/p/XO_-_X_-__O", public=PUBLIC)
    assert f'property="og:image" content="{PUBLIC}/3x3/p/XO_-_X_-__O.png"' in reply.text
    assert f'value="{PUBLIC}/3x3/p/XO_-_X_-__O"' in reply.text
    assert "og:" not in asked("/3x3/p/XO_-_X_-__O")[0].text


@pytest.mark.parametrize("address", ["/", "/3x3", "/3x3/p/XO_-_X_-__O", "/whatis", "/3x3/nothing"])
def test_a_page_describes_itself(address):
    assert re.search(r'<meta name="description" content="[^"]{30,}">', asked(address)[0].text)


def test_the_code_on_a_sheet_leads_to_its_puzzles():
    ask = read_address("/3x3/sheets.svg", "kind=block&seed=3")
    leads = "/3x3/puzzles?about=block&number=6&seed=3&try=1"
    assert PUBLIC + leads in unescape(safe_answer(replace(ask, public=PUBLIC)).body.decode())
    assert safe_answer(read_address(*leads.split("?"))).status == 200


def test_the_code_is_the_one_of_its_address():
    canvas, link = Canvas(), f"{PUBLIC}/3x3/puzzles?seed=5&try=1"
    block = code_block(link)
    block.draw(canvas, 0, 0)
    rows = [list(row) for row in segno.make_qr(link, error="m").matrix]
    side = block.height / len(rows)
    found = {
        (round(float(y) / side), round(float(x) / side)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h", canvas.parts[0])
    }
    assert found == {(y, x) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}


@pytest.mark.parametrize("day", ["today", "2026-11-22"])
def test_the_code_on_printed_puzzles_leads_to_the_first(day):
    ask = replace(read_address("/3x4:3/puzzles", f"daily={day}&number=2"), public=PUBLIC)
    found = _code_of(ask)
    dated = date.today().isoformat() if day == "today" else day
    assert found == f"{PUBLIC}/3x4/puzzles?daily={dated}&number=2&try=1"
    assert _code_of(replace(ask, public="")) == ""


@pytest.mark.parametrize(
    ("kind", "leads"),
    [
        ("win", "/3x3/puzzles?goal=win&number=6&seed=3&try=1"),
        ("who-wins", "/3x3/p/___-___-___"),
        ("same", "/3x3/same"),
        ("poster-endings", "/3x3/endings"),
    ],
)
def test_the_code_on_other_sheets_leads_to_where_they_are_explored(kind, leads):
    ask = read_address("/3x3/sheets.svg", f"kind={kind}" + "&seed=3" * (not kind.startswith("poster")))
    coded, plain = (safe_answer(replace(ask, public=public)).body for public in (PUBLIC, ""))
    assert len(coded) > len(plain) + 3000  # the squares of the code
    assert _sheet_code_of(replace(ask, public=PUBLIC), kind) == PUBLIC + leads
    assert safe_answer(read_address(*leads.split("?"))).status == 200


@pytest.mark.parametrize("spec", dear(tiles(), "3x3x3", "4x4:4+order"))
def test_the_gallery_says_what_is_computed(spec):
    board, tile = Board.parse(spec), tiles()[spec]
    won: dict[str, Outcome] = {"5x5:4": "draw", "6x7:4+gravity": "X"}
    outcome = won.get(spec) or noughts.solve(board).answer(line=False).outcome
    assert tile.value == ("Draw" if outcome == "draw" else f"{begun(board.rules.name_of(outcome))} wins")
    assert (tile.games == "") == (spec in ("6x7:4+gravity", "4x4:4+order"))  # these take longer than a page may
    if tile.games and board.cells < 25:
        assert tile.games == f"{noughts.count(board, same='labelled').totals.finished:,}"
