"""Play by links alone: replies, undo, hints, what is said afterwards, who is refused; and the record of a game."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.analysis.policies.hinting import hint_steps
from noughts.analysis.policies.playing import play_on, reply_values_at
from noughts.analysis.policies.reading import policy
from noughts.analysis.policies.tablebots import TableBot, read_table_bots
from noughts.known import load
from noughts.rules.board import Board
from noughts.rules.errors import InputError
from noughts.rules.marks import Player
from noughts.rules.position import parse_position
from noughts.web.addresses import read_address
from noughts.web.app import Explorer
from noughts.web.pages.characters import characters
from noughts.web.replies import answer
from tests.dear import dear
from tests.web.site import Response, ask, cells, text_of
from tests.web.site import page as page_of

LINES = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1")


def record(address: str) -> dict[str, Any]:
    path, _, query = address.partition("?")
    found: dict[str, Any] = json.loads(page_of(f"{path}.json?{query}"))
    return found


def button(page: str, name: str) -> str | None:
    found = re.search(rf'href="([^"]+)" data-swap id="{name}"', page)
    return unescape(found[1]) if found else None


def told(page: str) -> str:
    found = re.search(r'<p class="lead result"[^>]*>([^<]*)</p>', page)
    assert found
    return unescape(found[1])


def naive_winner(moves: list[str]) -> str | None:
    for player, own in (("X", moves[::2]), ("O", moves[1::2])):
        if any(set(line.split()) <= set(own) for line in LINES):
            return player
    return None


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("/3x3+misere/play", "The player who completes a line loses."),
        ("/3x3+misere/play?g=a1-b2", "The player who completes a line loses."),
        ("/3x3+notakto*2/play", "The player who completes the last line loses."),
        ("/3x3/play", ""),
        ("/3x3+wild/play", ""),
    ],
)
def test_whose_turn_it_is_comes_with_the_rule_where_a_line_loses(address, rule):
    said = told(page_of(address))
    assert said.endswith(rule)
    assert ("loses" in said) == bool(rule)


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard", "perfect", "trap:block", "random", "win", "fork"])
@pytest.mark.parametrize("seat", ["x", "o"])
@pytest.mark.parametrize("seed", ["0", "1"])
def test_a_whole_game_by_links_alone(opponent, seat, seed):
    other = "o" if seat == "x" else "x"
    address = f"/3x3/play?{seat}=human&{other}={opponent}&seed={seed}"
    while True:
        page, state = page_of(address), record(address)
        links = cells(page)
        if state["over"]:
            break
        assert state["to_move"].lower() == seat
        assert sorted(links) == sorted(state["legal"])
        address = links[sorted(links)[-1]]
    assert not links
    winner = naive_winner(state["moves"])
    assert state["outcome"] == (winner or "draw")
    if winner is None:
        assert told(page).startswith("The game is drawn")
    else:
        assert told(page).startswith("You win!" if winner.lower() == seat else "You lose.")
    assert f'href="/3x3/g/{"-".join(state["moves"])}"' in page
    assert 'id="new"' in page
    if opponent == "perfect":
        assert state["outcome"] != seat.upper()


def test_a_game_ends_where_the_opponent_concedes():
    page = page_of("/3x3/play?o=concede&g=a1-b1-c3-a2-a3")
    assert told(page) == "You win! O concedes: X can complete a line at b2 and b3."
    assert not cells(page)
    assert button(page, "hint") is None
    assert button(page, "undo") == "/3x3/play?g=a1-b1-c3-a2&o=concede"
    assert 'id="new"' in page
    assert record("/3x3/play?o=concede&g=a1-b1-c3-a2-a3")["outcome"] == "X"
    assert record("/3x3/play?o=concede&g=a1-b1-c3")["conceded"] is None
    assert "O concedes" in page_of("/?o=concede&g=a1-b1-c3-a2-a3")


def test_undo_takes_back_the_reply_and_ones_own_move():
    page = page_of("/3x3/play?g=a1-b2-c3")
    assert len(record("/3x3/play?g=a1-b2-c3")["moves"]) == 4
    back = button(page, "undo")
    assert back == "/3x3/play?g=a1-b2"
    assert record(back)["moves"] == ["a1", "b2"]
    assert button(page_of(back), "undo") == "/3x3/play"
    assert button(page_of("/3x3/play"), "undo") is None
    assert button(page_of("/3x3/play?x=perfect&o=human"), "undo") is None


def test_replies_are_those_of_the_seed():
    board = Board.parse("3x3")
    replies = set()
    for seed in range(12):
        address = f"/3x3/play?o=random&g=a1&seed={seed}"
        game = play_on(board, "human", "random", (0,), str(seed), reply_values_at)
        assert record(address) == record(address) == game.as_dict()
        replies.add(record(address)["reply"])
    assert len(replies) > 3


def test_a_hint_only_on_request_with_what_to_play_and_why():
    without, asked = page_of("/3x3/play?x=human&o=human&g=a1"), page_of("/3x3/play?x=human&o=human&g=a1&hint=3")
    assert "<b>Hint</b>" not in without
    assert "best" not in re.findall(r'class="(cell blank[^"]*)"', without)[0]
    assert "Play b2. Only b2 keeps the draw." in asked
    assert cells(asked)["b2"] == "/3x3/play?g=a1-b2&o=human"


def test_afterwards_it_says_which_move_gave_it_away_and_what_was_better():
    page = page_of("/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3")
    assert "Move 2, O on b1, lost it: only b2 would have held the draw." in page
    assert "After b1, X plays" in page
    assert 'href="/3x3/p/X__-___-___"' in page
    drawn = page_of("/3x3/play?x=human&o=human&g=b2-a1-c3-a3-a2-c2-b1-b3-c1")
    assert "Neither player made a mistake" in drawn
    assert 'mistake"' not in drawn


def aside(page: str) -> str:
    found = re.search(r'<p id="known">([^<]*)</p>', page)
    assert found
    return unescape(found[1])


def test_where_a_search_finds_not_who_wins_it_is_said_and_the_reply_is_always_the_same():
    page, state = page_of("/7x7:5/play?g=d4"), record("/7x7:5/play?g=d4")
    assert len(state["moves"]) == 2
    assert re.fullmatch(r"Who wins was not found within [0-9,]+ positions where O was to move\.", aside(page))
    page_of("/7x7:5/play?g=a1")
    assert page_of("/7x7:5/play?g=d4") == page
    assert record("/7x7:5/play?g=d4") == state
    assert 'id="known"' not in page_of("/7x7:5/play")
    assert 'id="known"' not in page_of("/3x3/play?g=a1")


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("g=a1-a1", 400, "a1"),
        ("g=a1-b1-a2-c1-a3-b2", 400, "over"),
        ("o=fork", 200, ""),
        ("g=z9", 400, "z9"),
    ],
)
def test_games_that_cannot_be_are_refused(query, status, words):
    reply = answer(read_address("/3x3/play", query))
    assert reply.status == status
    assert words in reply.body.decode()


# Bots to play against on a page: files that the server was given, and genomes in a link.

HEADERS = {"host": "localhost"}
TABLE = {".../.../...": "b2", ".../.X./...": {"a1": "1/4", "c3": "3/4"}}
WINS = {"board": "3x3", "moves": {}, "otherwise": "win"}
CORNER = {"../..": "a1", "XO/..": "b2", "X./O.": "b2", "X./.O": "b1"}
"""All that X needs on 2x2 who begins at a1."""


def written(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def table_bots(tmp_path: Path) -> tuple[TableBot, ...]:
    mine = written(tmp_path, "Mine.json", {"board": "3x3", "bot": TABLE, "otherwise": "perfect"})
    wide = written(tmp_path, "wide.json", {"board": "3x4", "table": {"..../..../....": "b2"}, "otherwise": "block"})
    corner = written(tmp_path, "corner.json", {"board": "2x2", "by": "position", "moves": CORNER})
    return read_table_bots([mine, wide, str(corner)])


def get_bots(address: str, table_bots: tuple[TableBot, ...] = ()) -> Response:
    async def asked() -> Response:
        app = Explorer(table_bots=table_bots)
        try:
            return await ask(app, address, headers=HEADERS)
        finally:
            await app.close()

    return asyncio.run(asked())


def test_a_bot_of_the_server_plays_its_table(table_bots: tuple[TableBot, ...]) -> None:
    found = get_bots("/3x3/play.json?x=Mine&o=human", table_bots).json()
    assert (found["x"], found["reply"]) == ("Mine", "b2")
    replies = {get_bots(f"/3x3/play.json?o=Mine&g=b2&seed={seed}", table_bots).json()["reply"] for seed in range(30)}
    assert replies <= {"a1", "a3", "c1", "c3"}
    page = unescape(get_bots("/3x3/play?o=Mine", table_bots).text)
    assert re.search(r'<option value="Mine" selected>Mine</option>', page)
    assert "Plays by its table of 2 position classes, and elsewhere as perfect." in page
    assert '<option value="wide"' not in page
    assert '<option value="Mine">' in unescape(get_bots("/3x3/play", table_bots).text)


@pytest.mark.slow
def test_the_server_takes_what_other_verbs_take(tmp_path: Path) -> None:
    def corners(position: noughts.Position) -> str:
        return next(
            cell for cell in ("c3", "a1", "c1", "a3", "b2", "b1", "a2", "c2", "b3") if position.mark_at(cell) is None
        )

    first = Path(__file__).parents[2] / "examples" / "bots" / "centre_first.py"
    mine = written(tmp_path, "Mine.json", {"board": "3x3", "bot": TABLE, "otherwise": "perfect"})
    learned = noughts.training.learn("3x3", games=500)
    given = {"learned": learned.policy, "corners": corners, "card": noughts.crib("3x3"), "file": str(mine)}
    given["program"] = f"program:{sys.executable} {first}"
    found = {each.name: each for each in read_table_bots(given)}
    assert list(found) == list(given)
    assert found["card"].sides == ("X",)
    for name, opened in (("corners", "c3"), ("program", "b2"), ("card", "b2"), ("file", "b2")):
        reply = get_bots(f"/3x3/play.json?x={name}&o=human", tuple(found.values())).json()["reply"]
        assert reply == opened, name
    assert [each.name for each in read_table_bots([corners, f"also={mine}", mine])] == ["corners", "also", "Mine"]
    with pytest.raises(InputError, match="cannot be named 'my bot': name it with letters"):
        read_table_bots({"my bot": corners})
    with pytest.raises(InputError, match="unknown policy 'winn'"):
        read_table_bots(["mine=winn"])


def test_a_bot_of_the_server_plays_in_a_worker(table_bots: tuple[TableBot, ...]) -> None:
    assert pickle.loads(pickle.dumps(table_bots)) == table_bots
    assert get_bots("/3x4/play.json?x=wide&o=human", table_bots).json()["reply"] == "b2"


def test_a_genome_plays_in_a_link() -> None:
    rule = policy(Board.parse("3x3"), "genome:all:XO:1f")
    opened = get_bots("/3x3/play.json?x=genome:all:XO:1f&o=human").json()
    at = noughts.rules.parse_position("3x3", opened["position"])
    assert opened["reply"] is not None
    assert rule.moves(noughts.rules.parse_position("3x3", ".../.../..."), None) == at.x
    page = get_bots("/3x3/play?o=genome%3Aall%3AXO%3A1f&g=a1").text
    assert '<option value="genome:all:XO:1f" selected>A genome</option>' in page
    assert "Plays by its genes, genome:all:XO:1f." in page
    links = re.findall(r'href="(/3x3/play[^"]*g=[^"]*)"', page)
    assert links
    assert all("genome%3Aall%3AXO%3A1f" in link for link in links if "o=human" not in link)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/3x3/play.json?o=Mine2", "o cannot be 'Mine2': choose human, easy"),
        ("/3x3/play.json?o=wide", "o cannot be 'wide': choose human, easy"),
        ("/3x3/play.json?x=mine.json", "x cannot be 'mine.json': choose"),
        ("/3x3/play.json?x=/etc/passwd.json", "x cannot be '/etc/passwd.json': choose"),
        ("/3x3/play.json?x=program:true", "x cannot be 'program:true': choose"),
        ("/3x3/play.json?x=genome:all:XO:!", "cannot read the genome"),
        ("/3x3/play.json?x=genome:all:XO:" + "z" * 200, "3x3:3 does not have the genome"),
        ("/2x2/play.json?x=corner&g=b2-a1", "has no moves for O./.X: add it, or a rule"),
        ("/2x2/play.json?o=corner", "'corner' cannot play O, as it has no moves for X./..: it plays X only; choose"),
        ("/3x3/play.json?o=genome:real:X:1f", "cannot play O, as it has no moves for X../.../...: it plays X only"),
        ("/3x3/count.json?x_moves=mine.json", "x_moves cannot be 'mine.json': choose any, win"),
        ("/3x3/count.json?x_moves=Mine", "x_moves cannot be 'Mine': choose any, win"),
        ("/3x3/tree/policy.json?x=mine.json", "x cannot be 'mine.json': choose"),
    ],
)
def test_who_cannot_play_is_refused_in_one_sentence(table_bots: tuple[TableBot, ...], address: str, said: str) -> None:
    """No file that an address names is read, and no program run."""
    reply = get_bots(address, table_bots)
    assert reply.status == 400
    assert said in reply.json()["error"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("easy.json", WINS, "cannot play as easy, but that name is taken: rename it"),
        ("Human.json", WINS, "cannot play as Human, but that name is taken"),
        ("any.json", {"board": "3x3", "moves": {}}, "cannot play as any, but that name is taken"),
        ("my bot.json", WINS, "cannot be named after its file: name that with letters"),
        ("bot.txt", {"board": "3x3", "moves": {}}, "cannot be named after its file"),
        ("bot.json", {"moves": {}}, 'does not say which board it plays on: add "board"'),
        ("bot.json", [], "does not say which board it plays on"),
        ("bot.json", {"board": "big", "moves": {}}, "does not name a board: "),
        ("bot.json", {"board": "3x3", "moves": {"X../.../...": "a1"}}, "plays a1 in X../.../..., which is taken"),
        (
            "bot.json",
            {"board": "3x3", "moves": TABLE},
            "no moves as X for O../.X./... and as O for X../.../...: add the moves",
        ),
        ("bot.json", {"board": "3x3", "moves": {}, "otherwise": "program:true"}, "program"),
    ],
)
def test_bots_that_a_server_does_not_take(tmp_path: Path, name: str, data: Any, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        noughts.serve(port=0, bots=[written(tmp_path, name, data)])


# Hints in steps, values on the cells, four characters, and what comes after a game.


def test_a_hint_has_three_steps_and_only_the_last_names_the_move() -> None:
    steps = [page_of(f"/3x3/play?o=human&g=a1-b2-c3-a3&hint={step}") for step in (1, 2, 3)]
    said = [text_of(re.findall(r'<div class="panel hint" id="hinted">(.*?)</div>', html)[0]) for html in steps]
    assert said[0] == "Hint Look at the corners."
    assert said[1] == f"{said[0]} O threatens to complete a line. X can force a win in 2 moves."
    assert said[2].startswith(f"{said[1]} Play c1")
    assert [' look"' in html for html in steps] == [True, True, False]
    assert button(steps[0], "hint") == "/3x3/play?g=a1-b2-c3-a3&hint=2&o=human"
    assert button(steps[2], "hint") is None


@pytest.mark.parametrize(
    ("spec", "moves", "said"),
    [
        ("3x3+misere", "b2", "Look anywhere"),
        ("3x3+gravity", "a3", "Look at the corners."),
        ("3x3+wild", "Xa1", "Look at the edges."),
        ("3x3+notakto", "a1", "Look at the corners."),
        ("3x3+notakto*2", "a1.1", "Look at board 2."),
        ("3x4", "a1 b2 c3", "Look at row 2."),
        ("2x2x2", "", "Look anywhere: every move is as good as any other here."),
    ],
)
def test_a_hint_looks_where_the_best_move_is(spec: str, moves: str, said: str) -> None:
    at = parse_position(Board.parse(spec), moves) if moves else noughts.Position(Board.parse(spec))
    hint = hint_steps(at)
    assert hint.steps[0].startswith(said)
    assert not hint.region or hint.best[0] % at.board.cells in hint.region
    assert str(noughts.rules.cells.Move(at.board, hint.best[0])) in hint.steps[-1]


def test_values_stand_on_the_cells_when_asked_for_and_stay_for_the_next_move() -> None:
    assert "in-value" not in page_of("/3x3/play?g=a1-b1")
    html = page_of("/3x3/play?g=a1-b1&o=human&values=1")
    assert html.count('class="note in-value') == 7
    assert 'class="evaluation noprint"' in html
    assert cells(html)["b2"] == "/3x3/play?g=a1-b1-b2&o=human&values=1"
    assert button(html, "values") == "/3x3/play?g=a1-b1&o=human"


def test_a_click_on_ones_last_mark_takes_it_back() -> None:
    html = page_of("/3x3/play?g=a1-b2-c3-b1")
    back = re.findall(r'<a class="back" href="([^"]+)" data-swap id="cell-([^"]+)"', html)
    assert back == [("/3x3/play?g=a1-b2", "b1"), ("/3x3/play?g=a1-b2", "c3")]
    assert button(html, "undo") == "/3x3/play?g=a1-b2"


BEATEN = {tuple(key.split()): chances for key, chances in load("characters.toml")["beaten"].items()}
CHANCES = [*BEATEN]


@pytest.mark.parametrize(("spec", "side"), dear(CHANCES, CHANCES[1], CHANCES[4], *CHANCES[-2:]))
def test_the_chance_to_beat_a_character_is_that_of_the_best_response(spec: str, side: Player) -> None:
    for each in characters(Board.parse(spec), side)[: len(BEATEN[spec, side]) if spec == "4x4:4" else 4]:
        name = each.opponent.name
        found = noughts.match(spec, x="best", o=name) if side == "X" else noughts.match(spec, x=name, o="best")
        assert each.chance == (found.x_wins if side == "X" else found.o_wins), name


def test_four_characters_say_what_they_do_on_every_board() -> None:
    for spec in ("3x3", "3x3+misere", "3x3+wild", "4x4:4+order", "3x3x3", "6x7:4+gravity"):
        found = re.findall(r'id="level-([^"]+)"', page_of(f"/{spec}/play"))
        assert len(found) == 4, spec
    html = text_of(page_of("/3x3/play"))
    assert "Random Plays anywhere and sees nothing. The best play against it wins 99.5 % of games" in html
    assert "Cannot be beaten." in html


@pytest.mark.parametrize(
    ("address", "said", "link"),
    [
        ("/3x3/play?g=a1-b2-b1-c1-b3-a3", "Take move 5 back, and play a3.", "/3x3/play?g=a1-b2-b1-c1"),
        ("/3x3/play?o=random&g=a1-b1-b2-a2-c3", "Block is harder.", "/3x3/play?o=block&seed=1"),
        ("/3x3/play?o=perfect&g=b2-a1-c3-a3-a2-c2-b1-b3-c1", "The best play draws too.", "/3x3/play?seed=1"),
        ("/3x3+torus/play?x=perfect&o=human&g=a1-b2-b1-a3-c1", "You made no mistake: X wins", "/3x3+torus/play?o="),
    ],
)
def test_the_result_says_what_to_try_next(address: str, said: str, link: str) -> None:
    html = page_of(address)
    assert said in text_of(html)
    assert (button(html, "try") or "").startswith(link)


def test_moves_in_the_list_are_links_to_the_game_at_that_move() -> None:
    html = page_of("/3x3/play?g=a1-b2-c3")
    found = re.findall(r'<a href="([^"]+)" data-shows="([^"]+)">([a-c][1-3])</a>', html)
    assert found[0] == ("/3x3/g/a1?line=a1-b2-c3-" + found[3][2], "X........", "a1")
    assert "wins" not in re.findall(r'<ol class="moves.*?</ol>', html, re.DOTALL)[0]
    over = page_of("/3x3/play?g=a1-b2-b1-c1-b3-a3")
    assert "loses (O wins in 1 move)" in text_of(re.findall(r'<ol class="moves.*?</ol>', over, re.DOTALL)[0])
    assert '<svg class="tug"' in over


def test_values_that_were_not_found_are_said_to_be_missing():
    said = "What each move does was not found"
    assert said in page_of("/4x4+order/play?g=Xa1-Ob2&values=1")
    assert said not in page_of("/3x3+wild/play?g=Xa1-Ob2&values=1")
    assert said not in page_of("/4x4+order/play?g=Xa1-Ob2")
