"""The page of puzzles: its data are the command's, hints open one by one, nothing gives the answer away before."""

from __future__ import annotations

import html as escaping
import re
from datetime import date

import pytest

import noughts
from noughts.domain.board import Board
from noughts.domain.errors import NoughtsError
from noughts.strategy.puzzles.setting import ENOUGH_BLANKS, LEAST_BLANKS
from noughts.web.asked import ask_of_command
from noughts.web.reach import is_in_reach
from tests.web.pages import get, page, refused, text_of, twin


@pytest.mark.parametrize(
    "words",
    ["", "--number 3 --seed 5", "--number 2 --about fork --seed x", "--daily 2026-11-22", "--number 2 --grade 4"],
)
def test_data_are_those_of_the_command(words: str) -> None:
    given = words.split()
    query = "&".join(f"{name[2:]}={text}" for name, text in zip(given[::2], given[1::2], strict=True))
    twin(f"/3x3/puzzles.json?{query}", "puzzle", "3x3", *given, "--format", "json")
    asked = ask_of_command(f"noughts puzzle 3x3 {words}".strip())
    assert asked is not None
    assert asked.page == "puzzles"


def test_hints_open_one_by_one_and_the_answer_is_closed():
    found = noughts.puzzles("3x3", 3, seed=5)
    html = page("/3x3/puzzles?number=3&seed=5")
    assert " open" not in re.sub(r">[^<]*<", "><", html.partition('class="puzzles"')[2].partition("</ol>")[0])
    for part, each in zip(html.split("<h2>Puzzle")[1:], found, strict=True):
        before, _, rest = part.partition("<details")
        assert escaping.escape(each.question) in before
        assert each.answer not in text_of(before)
        places = [rest.index(escaping.escape(hint)) for hint in each.hints]
        assert places == sorted(places)
        nested = rest[: places[2]]
        assert nested.count("<summary>") - nested.count("</details>") == 3
        answer = rest.partition('class="answer"')[2]
        for sentence in each.explanation:
            assert escaping.escape(sentence) in answer
        assert f'href="/3x3/p/{str(each.position).replace("/", "-").replace(".", "_")}"' in answer
        assert "quiz=1" in before


def test_the_puzzle_of_a_day_and_of_today():
    [daily] = noughts.puzzles("3x3", 1, daily="2026-11-22")
    assert escaping.escape(daily.question) in page("/3x3/puzzles?daily=2026-11-22")
    reply = get("/3x3/puzzles?daily=today")
    assert reply.status == 200
    assert not reply.exact
    assert f"The puzzle of {date.today().isoformat()}" in reply.body.decode()


@pytest.mark.parametrize("board", ["3x3+misere", "3x3+torus", "3x4", "4x4:3", "3x3x3"])
def test_boards_of_all_kinds_have_puzzles(board):
    said = text_of(page(f"/{board}/puzzles?number=2"))
    assert "Puzzle 2" in said
    assert "How we know" in said


def test_what_cannot_be_had_is_said_and_not_linked():
    assert "more than the 60 that a page waits for" in get("/3x3/puzzles?number=61").body.decode()
    assert "more than the 12 that a page waits for" in get("/4x4/puzzles?number=13").body.decode()
    assert "no day" in refused("/3x3/puzzles?daily=soon")
    for board in ("2x2", "1x1", "3x3:4", "9x9:5", "2x2x2"):
        assert not is_in_reach("puzzles", Board.parse(board))
        said = text_of(get(f"/{board}/puzzles").body.decode())
        with pytest.raises(NoughtsError) as refusal:
            noughts.puzzles(board, 1)
        assert str(refusal.value) in said, "the page gives the one reason that the command gives"
        assert ("Too much for a page" in said) == (board == "9x9:5")
        assert ("Puzzles on 3x3" in said) == (board != "9x9:5")
        assert f'href="/{board}/puzzles"' not in page(f"/{board}")
    assert 'href="/3x3/puzzles"' in page("/3x3")


@pytest.mark.parametrize(
    ("board", "names"),
    [
        ("3x3", "a b c 1 2 3"),
        ("3x4+torus", "a b c d 1 2 3"),
        ("3x3x3", "a b c a b c a b c 1 2 3 layer 1 layer 2 layer 3"),
    ],
)
def test_the_cells_of_its_boards_have_names_as_hints_speak_of_them(board, names):
    html = page(f"/{board}/puzzles?number=1")
    pictures = re.findall(r'<svg class="b".*?</svg>', html.partition('class="puzzles"')[2], re.DOTALL)
    assert len(pictures) == 2
    for picture in pictures:
        assert " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture)) == names
        assert picture.count("stroke-dasharray") == board.endswith("torus")


def test_the_page_says_how_many_blank_cells_a_puzzle_has():
    said = text_of(page("/3x3/puzzles?number=1"))
    assert said.count(ENOUGH_BLANKS) == 2
    assert LEAST_BLANKS == 3


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/1x3:2/puzzles", "1 puzzle on 1x3:2, the only one up to symmetry"),
        ("/1x4:2/puzzles", "1 puzzle on 1x4:2, the only one up to symmetry"),
        ("/3x3/puzzles?about=fork&grade=4", "of grade 4, all that there are up to symmetry"),
    ],
)
def test_where_there_are_few_puzzles_all_of_them_are_shown(address: str, said: str) -> None:
    assert said in text_of(page(address))
