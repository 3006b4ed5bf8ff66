"""The page that compares two boards or two games: the answer, the turn or flip, the moves, and the images as boards."""

from __future__ import annotations

import re
from html import unescape
from itertools import product

import pytest

from noughts import same
from noughts.analysis.records.comparison import same_games
from tests import naive
from tests.web.site import get, page, text_of


def test_two_games_with_the_image_of_each_move() -> None:
    html = page("/3x3/same?first=a1+b1+c1+a2&second=c1+b1+a1+a2")
    words = text_of(html)
    assert words.count("They are the same game on 3x3:3 by choices, but not by labels or by symmetry.") == 1
    assert "It takes a2 to c2, but O plays a2 in the second game" in words
    assert "4 O a2 c2 a2 differs" in words
    assert re.findall(r"<b>([^<]*)</b>([^<]*)<", html) == [
        ("first game", ""),
        ("its image", "flip left to right"),
        ("second game", ""),
    ]
    assert "noughts same 3x3:3 'a1 b1 c1 a2' 'c1 b1 a1 a2'" in words


@pytest.mark.parametrize(("spec", "shape"), [("3x3", (3, 3)), ("3x4", (3, 4)), ("3x3+misere", (3, 3))])
def test_the_images_are_all_turned_and_flipped_boards(spec: str, shape: tuple[int, int]) -> None:
    rows, columns = shape
    marks = "XO" + "." * (columns - 2) + "X" + "." * (rows * columns - columns - 1)
    first = "/".join(marks[i : i + columns] for i in range(0, len(marks), columns))
    html = page(f"/{spec}/same?first={first}&second={first}")
    assert f"Yes, they are the same on {spec}" in text_of(html).replace(":3", "")
    images = {"".join(marks[i] for i in each) for each in naive.isometries(rows, columns)}
    links = re.findall(rf'href="/{re.escape(spec)}/p/([XO_-]*)"', html)
    assert {link.replace("-", "").replace("_", ".") for link in links} == images
    assert len(links) == len(images) + 2


def test_boards_that_differ_and_boards_that_play_does_not_reach() -> None:
    html = page("/3x3/same?first=XXX/XXX/XXX&second=OOO/.../...")
    assert "No, they differ on 3x3:3" in text_of(html)
    assert "its image" not in text_of(html)
    assert "/3x3/p/" not in html
    assert "No, they are different games" in text_of(page("/3x3/same?first=a1&second=b1"))


def test_without_two_boards_the_page_asks_for_them() -> None:
    html = page("/3x3/same?first=a1")
    assert 'name="first" value="a1"' in html
    examples = re.findall(r'href="(/3x3/same\?[^"]*)"', html)
    assert all("same" in text_of(page(unescape(each))) for each in examples)
    assert len(examples) == 2
    reply = get("/3x3/same.json?first=a1")
    assert (reply.status, "the second board is missing" in reply.body.decode()) == (400, True)
    assert get("/3x3/same?first=z9&second=a1").status == 400
    assert get("/9x9/same?first=a1&second=b1").status == 422


def test_the_answer_is_that_of_python() -> None:
    for first, second in product(("a1 b2", "c3 b2", "a1 c1", "b1"), repeat=2):
        words = text_of(page(f"/3x3/same?first={first.replace(' ', '+')}&second={second.replace(' ', '+')}"))
        games, boards = same_games("3x3", first, second), same("3x3", first, second)
        assert ("Yes, they are the same game" in words) == (len(games.same) == 3)
        assert ("No, they are different games" in words) == (not games.same)
        assert ("The boards they lead to differ" in words) == (not boards.is_same)
