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


def drawn_strokes(picture: str) -> list[str]:
    return [str(path.get("d")) for path in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}path")]


BOX = "0 0L0 -10L5.6 -10L5.6 0Z"


@pytest.mark.parametrize(
    ("text", "plain"),
    [("“quotes” — ‘one’", '"quotes" – ’one’'), ("Straße łøđ æ", "Strasse lod ae"), ("ﬁne\u00a0³", "fine 3")],
)
def test_signs_without_strokes_are_written_by_the_nearest(
    run: Callable[..., Result], tmp_path: Path, text: str, plain: str
) -> None:
    assert run("draw", "3x3", "--caption", text).out == run("draw", "3x3", "--caption", plain).out
    for ending in ("png", "pdf"):
        path = tmp_path / f"board.{ending}"
        assert run("draw", "3x3", "--caption", text, "-o", str(path)).code == 0
        assert path.stat().st_size


def test_accents_are_drawn_on_their_letters(run: Callable[..., Result]) -> None:
    bare = drawn_strokes(run("draw", "3x3", "a1", "--caption", "Große e n ı C").out)
    accented = drawn_strokes(run("draw", "3x3", "a1", "--caption", "Größe é ñ í Ç").out)
    assert bare[:-1] == accented[:-1]
    # The same letters, and a stroke or two for each accent.
    assert accented[-1].count("M") == bare[-1].count("M") + 2 + 1 + 1 + 1 + 1
    assert all(stroke in accented[-1].split("M") for stroke in bare[-1].split("M"))
    composed, apart = (run("draw", "3x3", "--title", text).out for text in ("é", "e\u0301"))
    assert drawn_strokes(composed) == drawn_strokes(apart)


def test_every_letter_of_the_latin_languages_can_be_drawn(run: Callable[..., Result]) -> None:
    letters = "".join(map(chr, [*range(33, 127), *range(0xC0, 0x180)]))
    assert run("draw", "3x3", "--caption", letters).code == 0


@pytest.mark.parametrize("option", ["--caption", "--title"])
def test_what_cannot_be_drawn_is_refused(run: Callable[..., Result], option: str) -> None:
    refused = run("draw", "3x3", option, "see 日本 and ♞")
    assert refused.code == 2
    assert f"the {option[2:]} has 日, 本, ♞, and pictures are written in Latin letters" in refused.one_sentence()


def test_text_has_the_title_and_the_caption(run: Callable[..., Result]) -> None:
    text = ["draw", "3x3", "a1 b2", "--format", "text"]
    plain = run(*text).out
    assert plain.startswith("3x3:3: X to move.\n\n")
    board = plain.partition("\n\n")[2]
    found = run(*text, "--title", "The centre", "--caption", "A reply.")
    assert found.out == f"The centre\n\nX to move.\n\n{board}\nA reply.\n"
    assert run(*text, "--title", "").out == f"X to move.\n\n{board}"


@pytest.mark.parametrize("option", ["--arrows a1-c3,b2-b3", "--size 300"])
def test_what_text_cannot_show_is_refused(run: Callable[..., Result], option: str) -> None:
    result = run("draw", "3x3", "a1 b2", *option.split(), "--format", "text")
    assert result.code == 2
    assert f"{option.split()[0]} has no place in --format text" in result.one_sentence()
