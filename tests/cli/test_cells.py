"""Cells as numbers on request, in the output of every verb, and from Python."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import noughts
from tests.cli.conftest import Result

pytestmark = pytest.mark.usefixtures("remembered")

Run = Callable[..., Result]

VERBS = [
    ["explain", "3x3", "a1", "b2", "c3"],
    ["explain", "3x3", "a1", "a2", "b1", "b2", "c1"],
    ["explain", "3x3+torus", "a1"],
    ["openings", "3x3"],
    ["solve", "3x3", "a1", "b2", "--line"],
    ["blindfold", "3x3"],
    ["blindfold", "3x3", "--format", "text"],
    ["same", "3x3", "a1", "c3"],
    ["positions", "3x3", "--ply", "1", "--format", "json"],
    ["explain", "3x3", "a1", "b2", "--format", "json"],
    ["openings", "3x3", "--format", "json"],
    ["solve", "3x3", "--format", "json"],
    ["blindfold", "3x3", "--format", "json"],
    ["explain", "3x4", "a1", "--format", "dot"],
]
NAME = re.compile(r"(?<![\w.])[a-d][1-4](?![\w.])")


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_verb_prints_a_name_where_numbers_are_asked_for(run: Run, verb: list[str]) -> None:
    found = run(*verb, "--cells", "numbers")
    assert found.code == 0
    assert not NAME.findall(found.out)
    assert run("--cells", "numbers", *verb).out == found.out
    names = run(*verb)
    assert run(*verb, "--cells", "names").out == names.out
    assert NAME.findall(names.out) or "dot" in verb or verb[0] == "same"


def test_numbers_are_those_of_the_names_in_reading_order(run: Run) -> None:
    named = json.loads(run("explain", "3x4", "a1", "b2", "--format", "json").out)
    numbered = json.loads(run("explain", "3x4", "a1", "b2", "--format", "json", "--cells", "numbers").out)
    cells = [noughts.parse_cell("3x4", move["cell"]) for move in named["moves"]]
    assert [int(move["cell"]) - 1 for move in numbered["moves"]] == cells


def test_boards_show_the_number_of_each_blank_cell(run: Run) -> None:
    assert run("draw", "3x4", "a1", "b2", "--format", "text", "--cells", "numbers").out.endswith(
        "\n\n X  2  3  4\n 5  O  7  8\n 9 10 11 12\n"
    )
    assert "X 2 3\n4 O 6\n7 8 X\n" in run("explain", "3x3", "1", "5", "9", "--cells", "numbers").out
    solid = run("draw", "2x2x2", "--format", "text", "--cells", "numbers").out
    assert solid.endswith("1 2   5 6\n3 4   7 8\n")


def test_pictures_number_every_cell() -> None:
    board = noughts.Board.parse("3x3")
    named = noughts.draw(board)
    with noughts.cells_as("numbers"):
        numbered = noughts.draw(board)
        assert noughts.cell_name(board, "b2") == "5"
    assert noughts.draw(board) == named
    assert numbered.count("<path") == named.count("<path") + 9 - 6


def test_a_certificate_in_numbers_is_read_again(run: Run, tmp_path: object) -> None:
    file = f"{tmp_path}/strategy.txt"
    assert run("blindfold", "3x3", "--format", "text", "--cells", "numbers", "-o", file).code == 0
    assert run("blindfold", "check", file).out.startswith("Yes: the strategy never loses.")


@pytest.mark.parametrize(
    "writes", ["crib 2x3 --save", "versus 2x3 --x best --o random --save", "menace 2x3 --games 2 --seed 1 --save"]
)
def test_a_policy_in_numbers_is_the_one_in_names(run: Run, tmp_path: Path, writes: str) -> None:
    names, numbers = f"{tmp_path}/names.json", f"{tmp_path}/numbers.json"
    assert run(*writes.split(), names).code == run(*writes.split(), numbers, "--cells", "numbers").code == 0
    one, other = (Path(name).read_text(encoding="utf-8") for name in (names, numbers))
    assert NAME.search(one)
    assert not NAME.search(other)
    won, again = (run("versus", "2x3", "--x", name, "--o", "random", "--format", "json") for name in (names, numbers))
    assert won.code == 0
    assert json.loads(won.out) | {"x": ""} == json.loads(again.out) | {"x": ""}
    assert run("check", names).code == run("check", numbers).code


def test_another_word_is_refused_and_nothing_stays(run: Run) -> None:
    refused = run("explain", "3x3", "--cells", "roman")
    assert refused.code == 2
    assert "use one of names, numbers" in refused.one_sentence()
    with pytest.raises(noughts.InputError, match="choose from names, numbers"):
        noughts.cells_as("roman")  # type: ignore[arg-type]
    run("explain", "3x3", "--cells", "numbers")
    assert noughts.cell_name("3x3", 4) == "b2"


def test_the_boards_of_a_site_have_numbers_and_no_letters(run: Run, tmp_path: Path) -> None:
    for spelling, lettered in (("names", True), ("numbers", False)):
        assert run("--cells", spelling, "site", "2x2", "-o", str(tmp_path / spelling)).code == 0
        pages = [page.read_text() for page in (tmp_path / spelling / "p").glob("*.html")]
        assert pages
        assert [('<div class="letters"' in page) for page in pages] == [lettered] * len(pages)
        assert any('<span class="corner" aria-hidden="true">4</span>' in page for page in pages) != lettered


def test_no_room_is_left_for_letters_where_cells_are_numbered(run: Run, tmp_path: Path) -> None:
    heights = {}
    for spelling in ("names", "numbers"):
        run("--cells", spelling, "draw", "3x3", "-o", str(tmp_path / f"{spelling}.svg"))
        heights[spelling] = float(re.findall(r'height="([\d.]+)"', (tmp_path / f"{spelling}.svg").read_text())[0])
    assert heights["numbers"] < heights["names"]
