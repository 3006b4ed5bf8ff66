"""The start page: a game that begins at once, three switches with counted numbers, and links that lead somewhere."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from itertools import product
from typing import Any

import pytest

import noughts
from noughts.web.addresses import read_address
from noughts.web.app import Explorer
from noughts.web.pages.play import QUESTIONS
from noughts.web.replies import Packed, safe_answer
from noughts.web.request import Ask
from tests.web.site import cells
from tests.web.site import page as page_of

WAYS = list(product(*([value for value, _ in each.answers] for each in QUESTIONS)))

COUNTED = {
    "labelled": "Every order of moves counted, ",
    "symmetry": "Symmetric games counted once, ",
    "choices": "Moves to equivalent boards counted once, ",
}
"""How the convention on the page begins, for each answer to the third question."""


def test_every_answer_to_the_three_questions_is_on_the_page_as_counted():
    page = page_of("/")
    found = re.findall(
        r'<div class="answer moves-(\w+) end-(\w+) same-(\w+)( chosen)?">\s*<p class="figure">'
        r'<a href="([^"]+)">([\d,]+)</a> <span>(games?)</span></p>\s*<p class="meaning">([^<]+)</p>',
        page,
    )
    assert [tuple(each[:3]) for each in found] == WAYS
    assert [each[3] for each in found].count(" chosen") == 1
    for moves, end, same, _, to, number, noun, words in found:
        given: dict[str, Any] = {"moves": moves, "end": end, "same": same}
        games = noughts.count("3x3", **given).totals.finished
        assert number == f"{games:,}"
        assert noun == ("game" if games == 1 else "games")
        assert words.startswith(COUNTED[same])
        asked = read_address(*unescape(to).split("?"))
        assert (asked.page, str(asked.board)) == ("count", "3x3:3")
        assert {
            name: asked.given(name) or {"moves": "any", "end": "line", "same": "labelled"}[name] for name in given
        } == given


@pytest.mark.parametrize("way", WAYS[::7])
def test_a_link_to_an_answer_has_it_chosen(way):
    given = dict(zip(("moves", "end", "same"), way, strict=True))
    page = page_of("/?" + "&".join(f"{name}={value}" for name, value in given.items()))
    for name, value in given.items():
        assert re.search(rf'name="{name}" value="{value}" id="{name}-{value}" checked', page)
    assert page.count(" checked") == 3
    assert f'class="answer moves-{way[0]} end-{way[1]} same-{way[2]} chosen"' in page


def test_what_the_start_page_leads_to_is_made_after_the_server_is_ready(monkeypatch):
    app, made = Explorer(), list[Ask]()

    async def reply(asked: Ask, *gone: object, waits: bool = False) -> Packed:
        made.append(asked)
        return Packed.of(safe_answer(read_address("/")))

    monkeypatch.setattr("noughts.web.app._PAUSE", 0)
    monkeypatch.setattr(app._at_work(), "reply", reply)
    asyncio.run(app._warm())
    assert {read_address(each) for each in ("/3x3/puzzles", "/3x3x3", "/6x7:4+gravity/play", "/rules")} <= {*made}
    assert len(made) < 40


DRAWN = "b2-a1-c3-a3-a2-c2-b1-b3-c1"


@pytest.mark.parametrize("query", ["", "o=perfect", "o=easy&same=choices&seed=3", "o=random"])
def test_a_whole_game_on_the_start_page_by_links_alone(query):
    address = f"/?{query}"
    page = page_of(address)
    assert len(cells(page)) == 9
    for _ in range(5):
        links = cells(page)
        if not links:
            break
        address = links[sorted(links)[0]]
        page = page_of(address)
    assert not cells(page)
    assert ("same=choices" in query) == ("same=choices" in address)
    assert re.search(r'<p class="turn" data-result>(You win!|You lose.|The game is drawn)', page)
    assert '<p class="why">' in page
    whole = re.search(r'href="([^"]+)" id="whole"', page)
    assert whole
    assert "The moves" in page_of(unescape(whole[1]))


def test_after_a_game_the_person_reads_the_result_then_the_lesson_then_one_button():
    won, lost, drawn = (page_of(f"/?g={game}") for game in ("b2-a1-b1-c1-b3", "a1-b2-b1-c1-b3-a3", DRAWN))
    assert "data-result>You win! X has won with the line b1-b2-b3." in won
    assert '<p class="why">Move 4, O on c1, lost it' in won
    assert "Try again" not in won
    assert "data-result>You lose. O has won" in lost
    assert '<p class="why">Move 5, X on b3, lost. After b3, O completes the line c1-b2-a3.' in lost
    again = re.search(r'<a class="button primary" href="([^"]+)" data-swap id="again">Try again from there', lost)
    assert again
    assert unescape(again[1]) == "/?g=a1-b2-b1-c1"
    assert "made a mistake: every move kept the draw" in drawn
    for page in (won, lost, drawn):
        assert page.partition("what-number")[0].count("button primary") == 1
        assert page.index("data-result") < page.index('class="why"') < page.index("button primary")
        assert 'id="undo"' not in page


def test_all_links_are_addresses():
    for to in re.findall(r'href="(/[^"]*)"', page_of("/")):
        if not to.startswith(("/static/", "/docs/")):
            path, _, query = unescape(to).partition("?")
            read_address(path, query)
