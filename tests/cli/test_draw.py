"""The verb draw, as a user calls it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Result


def said(picture: str) -> str:
    root = ElementTree.fromstring(picture)
    return str(next(element.text for element in root if element.tag.endswith("desc")))


@pytest.mark.parametrize("board", ["3x3", "3x3x3", "4x5:4+torus", "1x1"])
def test_the_verb_draws_so_many_pixels(run: Callable[..., Result], tmp_path: Path, board: str) -> None:
    file = tmp_path / "board.png"
    corner = "a1.1" if board == "3x3x3" else "a1"
    assert run("draw", board, corner, "--caption", "One mark.", "--size", "800", "-o", str(file)).code == 0
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    assert width == 800
    svg = run("draw", board, corner, "--caption", "One mark.", "--size", "800").out
    assert abs(height - float(str(ElementTree.fromstring(svg).get("height")))) < 1


def test_the_verb_writes_svg_pdf_and_text(run: Callable[..., Result], tmp_path: Path) -> None:
    svg = run("draw", "3x3", "a1", "b2", "c3", "--arrows", "a1-c3", "--title", "The trap", "--theme", "dark").out
    assert said(svg).startswith("The trap\nO to move.\n")
    assert run("draw", "3x3", "XXX/OO./...", "--format", "text").out == (
        "3x3:3: X has won with the line a1-b1-c1.\n\n  a b c\n1 X X X\n2 O O .\n3 . . .\n"
    )
    assert run("draw", "3x3", "-o", str(tmp_path / "board.pdf")).code == 0
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")
    for wrong, words in (
        (["--arrows", "a1"], "is no arrow"),
        (["--arrows", "a1-d4"], "'d4' is no cell"),
        (["--size", "5"], "give a size from 40 to 10,000"),
        (["a1", "a1"], "plays a1 twice"),
        (["a1", "a2", "b1", "b2", "c1", "c2"], "after the game was over, won by X"),
    ):
        result = run("draw", "3x3", *wrong)
        assert result.code == 2
        assert words in result.one_sentence()


@pytest.mark.parametrize("moves", ["a1 b2 c3", "1,5,9", "１ ５ ９", "A1B2C3"])
def test_the_last_of_the_moves_is_pointed_out(run: Callable[..., Result], moves: str) -> None:
    plain = run("draw", "3x3", "X../.O./..X").out
    corners_and_key = 4 + 4 + 1
    assert run("draw", "3x3", moves).out.count("<path") == plain.count("<path") + corners_and_key
    assert run("draw", "3x3", "X |   |   /   | O |   /   |   | X").out == plain
