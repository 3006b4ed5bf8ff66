"""The page that compares two boards or two games: the answer, the turn or flip, the moves, and the images as boards."""

from __future__ import annotations

import re

import pytest

from tests import naive
from tests.web.site import page, text_of


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
