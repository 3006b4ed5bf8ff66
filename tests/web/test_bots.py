"""Bots to play against on a page: files that the server was given, and genomes in a link."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.position import Position
from noughts.strategy.guests import Guest, read_guests
from noughts.strategy.opponents import think
from noughts.strategy.policies import policy
from noughts.web.app import application_and_end
from tests.web.asking import Response, ask

HEADERS = {"host": "localhost"}
TABLE = {".../.../...": "b2", ".../.X./...": {"a1": "1/4", "c3": "3/4"}}


def written(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def guests(tmp_path: Path) -> tuple[Guest, ...]:
    mine = written(tmp_path, "Mine.json", {"board": "3x3", "bot": TABLE, "otherwise": "perfect"})
    wide = written(tmp_path, "wide.json", {"board": "3x4", "table": {"..../..../....": "b2"}, "otherwise": "block"})
    thin = written(tmp_path, "thin.json", {"board": "3x3", "moves": {".../.../...": "b2"}})
    return read_guests([mine, wide, str(thin)])


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
        ("/3x3/play.json?x=thin&g=a1-b2", "has no moves for X../.O./...: add its class"),
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
        ("easy.json", {"board": "3x3", "moves": {}}, "cannot play as easy, which is another's name: rename it"),
        ("Human.json", {"board": "3x3", "moves": {}}, "cannot play as Human, which is another's name"),
        ("any.json", {"board": "3x3", "moves": {}}, "cannot play as any, which is another's name"),
        ("my bot.json", {"board": "3x3", "moves": {}}, "cannot be named after its file: name that with letters"),
        ("bot.txt", {"board": "3x3", "moves": {}}, "cannot be named after its file"),
        ("bot.json", {"moves": {}}, 'does not say which board it plays on: add "board"'),
        ("bot.json", [], "does not say which board it plays on"),
        ("bot.json", {"board": "big", "moves": {}}, "is for no board: "),
        ("bot.json", {"board": "3x3", "moves": {"X../.../...": "a1"}}, "plays a1 in X../.../..., which is taken"),
        ("bot.json", {"board": "3x3", "moves": {}, "otherwise": "program:true"}, "program"),
    ],
)
def test_bots_that_a_server_does_not_take(tmp_path: Path, name: str, data: Any, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        noughts.serve(port=0, bots=[written(tmp_path, name, data)])


def test_two_bots_of_one_name_and_none(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    data = {"board": "3x3", "moves": {}}
    with pytest.raises(InputError, match="cannot play as bot, which is another's name"):
        read_guests([written(tmp_path, "bot.json", data), written(tmp_path / "other", "bot.json", data)])
    with pytest.raises(InputError, match="cannot read the policy"):
        read_guests([tmp_path / "none.json"])
    with pytest.raises(InputError, match="bots cannot be a str: give names of policy files"):
        read_guests("bot.json")
