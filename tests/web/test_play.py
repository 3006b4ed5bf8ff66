"""Play by links alone: replies, undo, hints, what is said afterwards, who is refused; and the record of a game."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.notation import parse_position
from noughts.strategy.playing import play_on
from noughts.strategy.replying import reply_values_at
from noughts.web.addresses import read_address
from noughts.web.answering import answer

LINES = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1")


def get(address: str) -> str:
    path, _, query = address.partition("?")
    reply = answer(read_address(path, query))
    assert reply.status == 200, reply.body.decode()
    return reply.body.decode()


def record(address: str) -> dict[str, Any]:
    path, _, query = address.partition("?")
    reply = answer(read_address(f"{path}.json", query))
    assert reply.status == 200
    found: dict[str, Any] = json.loads(reply.body)
    return found


def cells(page: str) -> dict[str, str]:
    """Return the links of the blank cells by the names of the cells."""
    return {name: unescape(to) for to, name in re.findall(r'<a href="([^"]+)" data-swap id="cell-([^"]+)"', page)}


def button(page: str, name: str) -> str | None:
    found = re.search(rf'href="([^"]+)" data-swap id="{name}"', page)
    return unescape(found[1]) if found else None


def told(page: str) -> str:
    found = re.search(r'<p class="lead told">([^<]*)</p>', page)
    assert found
    return unescape(found[1])


def naive_winner(moves: list[str]) -> str | None:
    for player, own in (("X", moves[::2]), ("O", moves[1::2])):
        if any(set(line.split()) <= set(own) for line in LINES):
            return player
    return None


@pytest.mark.parametrize("opponent", ["easy", "medium", "hard", "perfect", "trap:block", "random", "win", "fork"])
@pytest.mark.parametrize("seat", ["x", "o"])
@pytest.mark.parametrize("seed", ["0", "1"])
def test_a_whole_game_by_links_alone(opponent, seat, seed):
    other = "o" if seat == "x" else "x"
    address = f"/3x3/play?{seat}=human&{other}={opponent}&seed={seed}"
    while True:
        page, state = get(address), record(address)
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
        assert told(page).startswith("You win" if winner.lower() == seat else "You lose")
    assert f'href="/3x3/g/{"-".join(state["moves"])}"' in page
    assert 'id="new"' in page
    if opponent == "perfect":
        assert state["outcome"] != seat.upper()


def test_undo_takes_back_the_reply_and_ones_own_move():
    page = get("/3x3/play?g=a1-b2-c3")
    assert len(record("/3x3/play?g=a1-b2-c3")["moves"]) == 4
    back = button(page, "undo")
    assert back == "/3x3/play?g=a1-b2"
    assert record(back)["moves"] == ["a1", "b2"]
    assert button(get(back), "undo") == "/3x3/play"
    assert button(get("/3x3/play"), "undo") is None
    assert button(get("/3x3/play?x=perfect&o=human"), "undo") is None


def test_new_games_have_other_seeds_and_sides_can_be_swapped():
    page = get("/3x3/play?o=easy&g=a1&seed=7")
    assert button(page, "new") == "/3x3/play?o=easy&seed=8"
    swapped = button(page, "swap")
    assert swapped == "/3x3/play?o=human&seed=8&x=easy"
    assert len(record(swapped)["moves"]) == 1


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
    without, asked = get("/3x3/play?x=human&o=human&g=a1"), get("/3x3/play?x=human&o=human&g=a1&hint=1")
    assert "Hint.</b>" not in without
    assert "best" not in re.findall(r'class="(cell blank[^"]*)"', without)[0]
    assert "<b>Hint.</b> Play b2. Only b2 keeps the draw." in asked
    assert cells(asked)["b2"] == "/3x3/play?g=a1-b2&o=human"


def test_a_hint_under_misere_is_of_misere():
    page = get("/3x3+misere/play?x=human&o=human&g=a1-b1-c1&hint=1".replace("a1-b1-c1", "b2-a1"))
    hint = re.search(r"<b>Hint.</b> Play ([a-c][1-3])", page)
    assert hint
    board = Board.parse("3x3+misere")
    at = parse_position(board, "b2 a1")
    best = {"abc"[c % 3] + str(c // 3 + 1) for c in reply_values_at(at).best_moves(at)}
    assert hint[1] in best


def test_afterwards_it_says_which_move_gave_it_away_and_what_was_better():
    page = get("/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3")
    assert "Move 2, O on b1, lost it: only b2 would have held the draw." in page
    assert "After b1, X plays" in page
    assert 'href="/3x3/p/X__-___-___"' in page
    drawn = get("/3x3/play?x=human&o=human&g=b2-a1-c3-a3-a2-c2-b1-b3-c1")
    assert "Nobody made a mistake" in drawn
    assert 'mistake"' not in drawn


def test_two_opponents_play_on_link_by_link():
    address, n = "/3x3/play?x=random&o=random", 0
    while (following := button(get(address), "next")) is not None:
        assert not cells(get(address))
        address, n = following, n + 1
    state = record(address)
    assert state["over"]
    assert len(state["moves"]) == n


def test_two_people_are_not_called_you():
    page = get("/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3")
    assert told(page) == "X has won with the line a1-a2-a3."
    misere = get("/3x3+misere/play?x=human&o=human&g=a1-b1-a2-c1-a3")
    assert told(misere).startswith("O has won: X has completed the line a1-a2-a3")


@pytest.mark.parametrize("spec", ["3x3+misere", "3x3+torus", "2x2:3", "1x1", "3x3x3", "4x4:3"])
def test_other_boards_can_be_played_on(spec):
    address = f"/{spec}/play?o=easy"
    links = cells(get(address))
    assert len(links) == Board.parse(spec).cells
    after = record(next(iter(links.values())))
    assert len(after["moves"]) == min(2, Board.parse(spec).cells)


def aside(page: str) -> str:
    found = re.search(r'<p id="known">([^<]*)</p>', page)
    assert found
    return unescape(found[1])


def test_where_no_search_goes_an_opponent_plays_by_what_the_marks_say():
    page = get("/15x15:5/play?g=h8")
    assert aside(page) == "15x15:5 is too large for a search, and what can be forced was not found where O was to move."
    assert "Here it plays a move known to keep what can be forced, else one that is not known to be worse" in page
    four = "g=h8-a1-h9-a15-h10-c1-h11"
    assert record(f"/15x15:5/play?{four}")["reply"] in ("h7", "h12")
    hint = get("/15x15:5/play?g=h8&x=human&o=human&hint=1")
    assert "What to play here was not found" in hint


def test_where_a_search_finds_not_who_wins_it_is_said_and_the_reply_is_always_the_same():
    page, state = get("/7x7:5/play?g=d4"), record("/7x7:5/play?g=d4")
    assert len(state["moves"]) == 2
    assert re.fullmatch(r"Who wins was not found within [0-9,]+ positions where O was to move\.", aside(page))
    get("/7x7:5/play?g=a1")
    assert get("/7x7:5/play?g=d4") == page
    assert record("/7x7:5/play?g=d4") == state
    assert 'id="known"' not in get("/7x7:5/play")
    assert 'id="known"' not in get("/3x3/play?g=a1")


def test_what_a_search_finds_is_said():
    page = get("/6x6:4/play?g=c3")
    assert aside(page) == "A search found that X could force a win against all moves where O was to move."


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


def test_opponents_that_take_lines_are_refused_under_misere():
    reply = answer(read_address("/3x3+misere/play", "o=fork"))
    assert reply.status == 400
    page = get("/3x3+misere/play?o=easy")
    assert 'value="fork"' not in page
    assert 'value="perfect"' in page


def test_nothing_inline():
    for address in ("/3x3/play?g=a1&hint=1", "/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3"):
        page = get(address)
        assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! type=\"module\" src)", page)
