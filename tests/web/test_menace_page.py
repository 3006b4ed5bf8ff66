"""The page of matchboxes: what it says is what the command says, its data play the same games, and it works without
scripts."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import noughts
from noughts.counting.api import ask as question_of
from noughts.domain.board import Board
from noughts.web.ask import Ask
from noughts.web.contents import FolderContents
from noughts.web.folder import overview
from noughts.web.reach import is_in_reach
from tests.web.pages import get, page, refused, text_of, twin


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--as O --games 20 --seed 4 --against perfect --empty refill",
        "--beads 8,4 --reward 2,0,-2 --symmetric each --games 9",
    ],
)
def test_data_are_those_of_the_command(options: str) -> None:
    words = options.split()
    query = "&".join(f"{name[2:]}={text}" for name, text in zip(words[::2], words[1::2], strict=True))
    for form in ("json", "csv"):
        twin(f"/2x3:2/menace.{form}?{query}", "menace", "2x3:2", *words, "--format", form)


def test_the_page_says_what_the_command_says():
    said = text_of(page("/3x3/menace?games=100&seed=1"))
    made = noughts.menace("3x3", games=100, seed=1)
    last = made.lessons[0].last
    assert "304 boxes and 1,720 beads" in said
    assert f"In those games it won {last.wins}, drew {last.draws} and lost {last.losses}." in said
    assert "D. Michie wrote of 287 boxes in 1961" in said
    assert "Stick the 304 labels on 304 boxes" in said
    assert "noughts menace 3x3:3 --games 100 --seed 1" in said
    assert "<svg" in page("/3x3/menace?games=100&seed=1")


def test_labels_are_linked_and_drawn():
    html = page("/3x3/menace")
    assert 'href="/3x3/menace.pdf?labels=1"' in html
    assert get("/3x3/menace.pdf?labels=1").body.startswith(b"%PDF")
    assert get("/3x3/menace.svg?labels=1").body.decode().count("<g><title>") == 304


def test_a_board_without_a_choice_has_no_boxes():
    said = text_of(page("/1x1/menace"))
    assert "no boxes, for X never has a choice there" in said
    assert "labels" not in said


def test_what_a_page_does_not_do_is_refused_in_a_sentence():
    assert "2,001 games are more than the 2,000 that a page waits for" in get("/3x3/menace?games=2001").body.decode()
    assert "too many boxes for a page" in get("/4x4/menace").body.decode()
    assert "a curve is drawn over games: add games=200" in refused("/3x3/menace.svg")
    assert "is no list of numbers" in refused("/3x3/menace?reward=a")
    assert not is_in_reach("menace", Board.parse("3x4"))
    assert 'href="/3x3/menace"' in page("/3x3")


def test_the_data_hold_what_another_program_needs_to_play():
    record = json.loads(get("/3x3/menace.json?against=perfect").body)
    assert record["geometry"]["symmetries"][0] == list(range(9))
    assert len(record["geometry"]["lines"]) == 8
    assert len(record["opponent"]) == 289
    assert all(sum(map(Fraction, moves.values())) == 1 for moves in record["opponent"].values())
    assert record["opponent"]["X../.../..."] == {"b2": "1"}
    assert json.loads(get("/3x3/menace.json?against=menace").body)["opponent"] is None


def test_a_folder_has_the_page_without_scripts():
    contents = FolderContents(question_of("2x3:2", same="choices"))
    files = dict(file for each in overview(contents).values() for file in each)
    html = files["menace.html"]
    assert "MENACE as X: 11 boxes and" in html
    assert "<script" not in html
    assert "<form" not in html
    assert "menace.json" in files
    assert contents.find(Ask("menace", contents.board)) is not None


def test_a_machine_that_resigns_is_told_what_helps_on_the_page():
    html = page("/3x3/menace?games=300&seed=1&against=perfect")
    said = text_of(html)
    assert "Its first box is empty: it resigns every game." in said
    assert "Let empty boxes be refilled, or begin with more beads, and teach it anew:" in said
    assert "--empty refill" not in said
    assert '<option value="16">16 of each</option>' in html
    assert '<option value="5,3" selected>5,3</option>' in page("/3x3/menace?beads=5,3")
    other = text_of(page("/3x3/menace?games=300&seed=1&against=perfect&empty=refill"))
    assert "resigns every game" not in other
    assert "begin with more beads" not in other


def test_the_page_says_how_many_beads_to_prepare_and_what_scripts_are_for():
    html = page("/2x3:2/menace")
    assert "R, red: <b>a1</b>, 7 to begin with" in html
    assert "up to 90 more for 10 games" in text_of(html)
    assert "<noscript><p" in html
