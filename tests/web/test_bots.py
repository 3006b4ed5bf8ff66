"""Bots to play against on a page: files that the server was given, and genomes in a link."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import InputError
from noughts.domain.position import Player, Position, opponent
from noughts.strategy.guests import Guest, read_guests
from noughts.strategy.lacking import lacking
from noughts.strategy.opponents import think
from noughts.strategy.policies import policy
from noughts.strategy.tablepolicy import FilePolicy
from noughts.web.app import application_and_end
from tests.web.asking import Response, ask

HEADERS = {"host": "localhost"}
BOARD = Board.parse("2x3")
TABLE = {".../.../...": "b2", ".../.X./...": {"a1": "1/4", "c3": "3/4"}}
CORNER = {"../..": "a1", "XO/..": "b2", "X./O.": "b2", "X./.O": "b1"}
"""All that X needs on 2x2 who begins at a1."""


def written(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def guests(tmp_path: Path) -> tuple[Guest, ...]:
    mine = written(tmp_path, "Mine.json", {"board": "3x3", "bot": TABLE, "otherwise": "perfect"})
    wide = written(tmp_path, "wide.json", {"board": "3x4", "table": {"..../..../....": "b2"}, "otherwise": "block"})
    corner = written(tmp_path, "corner.json", {"board": "2x2", "by": "position", "moves": CORNER})
    return read_guests([mine, wide, str(corner)])


def get(address: str, guests: tuple[Guest, ...] = ()) -> Response:
    async def asked() -> Response:
        app, end = application_and_end(guests=guests)
        try:
            return await ask(app, address, headers=HEADERS)
        finally:
            await end()

    return asyncio.run(asked())


def test_a_bot_of_the_server_plays_its_table(guests: tuple[Guest, ...]) -> None:
    found = get("/3x3/play.json?x=Mine&o=human", guests).json()
    assert (found["x"], found["reply"]) == ("Mine", "b2")
    replies = {get(f"/3x3/play.json?o=Mine&g=b2&seed={seed}", guests).json()["reply"] for seed in range(30)}
    assert replies <= {"a1", "a3", "c1", "c3"}
    page = unescape(get("/3x3/play?o=Mine", guests).text)
    assert re.search(r'<option value="Mine" selected>Mine</option>', page)
    assert "Plays by its table of 2 position classes, and elsewhere as perfect." in page
    assert '<option value="wide"' not in page
    assert '<option value="Mine">' in unescape(get("/3x3/play", guests).text)


def test_a_bot_of_one_side_is_offered_that_side(guests: tuple[Guest, ...]) -> None:
    page = unescape(get("/2x2/play?x=corner&o=human", guests).text)
    assert '<option value="corner" selected>corner</option>' in page
    assert page.count('<option value="corner"') == 1
    assert "Plays X, and only X, by its table of 4 position classes." in page
    assert 'id="swap"' not in page
    assert 'id="swap"' in get("/2x2/play?x=win&o=human", guests).text


@pytest.mark.parametrize("side", ["X", "O"])
def test_a_table_lacks_what_it_comes_to_and_no_more(side: Player) -> None:
    """A table of every position that its own play leads to, and the same without any one of its entries."""
    entries = met(side)
    whole = table(entries)
    assert lacking(whole, BOARD, side) is None
    assert lacking(whole, BOARD, opponent(side)) is not None
    for text in entries:
        rest = table({other: cell for other, cell in entries.items() if other != text})
        assert str(lacking(rest, BOARD, side)) == text
        assert lacking(replace(rest, otherwise=whole), BOARD, side) is None
        assert str(lacking(replace(rest, otherwise=rest), BOARD, side)) == text


def table(entries: dict[str, str]) -> FilePolicy:
    found = policy(BOARD, {"by": "position", "moves": entries})
    assert isinstance(found, FilePolicy)
    return found


def met(side: Player) -> dict[str, str]:
    """Return the moves of somebody who always plays the first blank cell, in all games from the empty board."""
    found: dict[str, str] = {}
    todo = [Position(BOARD)]
    while todo:
        at = todo.pop()
        cells = list(at.moves())
        if at.to_move == side:
            if len(cells) > 1:
                found[str(at)] = cell_name(BOARD, cells[0])
            cells = cells[:1]
        todo += [child for child in map(at.play, cells) if not child.is_terminal]
    return found


def test_a_bot_of_the_server_plays_in_a_worker(guests: tuple[Guest, ...]) -> None:
    assert pickle.loads(pickle.dumps(guests)) == guests
    assert get("/3x4/play.json?x=wide&o=human", guests).json()["reply"] == "b2"


def test_a_table_comes_before_what_is_known_where_not_all_positions_are_valued() -> None:
    board = Board.parse("4x4")
    rule = policy(board, {"..../..../..../....": {"a1": "1/3", "d4": "2/3"}, "otherwise": "perfect"})
    shares, known = think(rule, Position(board), None)
    assert (shares, known) == ({0: Fraction(1, 3), 15: Fraction(2, 3)}, None)
    shares, known = think(rule, Position(board, 1, 2), None)
    assert known is not None
    assert sum(shares.values()) == 1


def test_a_genome_plays_in_a_link() -> None:
    rule = policy(Board.parse("3x3"), "genome:all:XO:1f")
    opened = get("/3x3/play.json?x=genome:all:XO:1f&o=human").json()
    at = noughts.parse_position("3x3", opened["position"])
    assert opened["reply"] is not None
    assert rule.moves(noughts.parse_position("3x3", ".../.../..."), None) == at.x
    page = get("/3x3/play?o=genome%3Aall%3AXO%3A1f&g=a1").text
    assert '<option value="genome:all:XO:1f" selected>A genome</option>' in page
    assert "Plays by its genes, genome:all:XO:1f." in page
    links = re.findall(r'href="(/3x3/play[^"]*g=[^"]*)"', page)
    assert links
    assert all("genome%3Aall%3AXO%3A1f" in link for link in links if "o=human" not in link)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/3x3/play.json?o=Mine2", "'Mine2' is no o: there are human, easy"),
        ("/3x3/play.json?o=wide", "'wide' is no o: there are human, easy"),
        ("/3x3/play.json?x=mine.json", "'mine.json' is no x: there are"),
        ("/3x3/play.json?x=/etc/passwd.json", "'/etc/passwd.json' is no x: there are"),
        ("/3x3/play.json?x=program:true", "'program:true' is no x: there are"),
        ("/3x3/play.json?x=genome:all:XO:!", "cannot read the genome"),
        ("/3x3/play.json?x=genome:all:XO:" + "z" * 200, "is none of 3x3"),
        ("/2x2/play.json?x=corner&g=b2-a1", "has no moves for O./.X: add it, or a rule"),
        ("/2x2/play.json?o=corner", "'corner' cannot play O, as it has no moves for X./..: it plays X only; choose"),
        ("/3x3/play.json?o=genome:real:X:1f", "cannot play O, as it has no moves for X../.../...: it plays X only"),
        ("/3x3/count.json?x_moves=mine.json", "'mine.json' is no x_moves: there are any, win"),
        ("/3x3/count.json?x_moves=Mine", "'Mine' is no x_moves: there are any, win"),
        ("/3x3/tree/policy.json?x=mine.json", "'mine.json' is no x: there are"),
    ],
)
def test_who_cannot_play_is_refused_in_one_sentence(guests: tuple[Guest, ...], address: str, said: str) -> None:
    """No file that an address names is read, and no program run."""
    reply = get(address, guests)
    assert reply.status == 400
    assert said in reply.json()["error"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (
            "easy.json",
            {"board": "3x3", "moves": {}, "otherwise": "win"},
            "cannot play as easy, which is another's name: rename it",
        ),
        (
            "Human.json",
            {"board": "3x3", "moves": {}, "otherwise": "win"},
            "cannot play as Human, which is another's name",
        ),
        ("any.json", {"board": "3x3", "moves": {}}, "cannot play as any, which is another's name"),
        (
            "my bot.json",
            {"board": "3x3", "moves": {}, "otherwise": "win"},
            "cannot be named after its file: name that with letters",
        ),
        ("bot.txt", {"board": "3x3", "moves": {}}, "cannot be named after its file"),
        ("bot.json", {"moves": {}}, 'does not say which board it plays on: add "board"'),
        ("bot.json", [], "does not say which board it plays on"),
        ("bot.json", {"board": "big", "moves": {}}, "is for no board: "),
        ("bot.json", {"board": "3x3", "moves": {"X../.../...": "a1"}}, "plays a1 in X../.../..., which is taken"),
        (
            "bot.json",
            {"board": "3x3", "moves": TABLE},
            "no moves as X for O../.X./... and as O for X../.../..., which",
        ),
        ("bot.json", {"board": "3x3", "moves": {}, "otherwise": "program:true"}, "program"),
    ],
)
def test_bots_that_a_server_does_not_take(tmp_path: Path, name: str, data: Any, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        noughts.serve(port=0, bots=[written(tmp_path, name, data)])


def test_two_bots_of_one_name_and_none(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    data = {"board": "3x3", "moves": {}, "otherwise": "win"}
    with pytest.raises(InputError, match="cannot play as bot, which is another's name"):
        read_guests([written(tmp_path, "bot.json", data), written(tmp_path / "other", "bot.json", data)])
    with pytest.raises(InputError, match="cannot read the policy"):
        read_guests([tmp_path / "none.json"])
    with pytest.raises(InputError, match="bots cannot be a str: give names of policy files"):
        read_guests("bot.json")
