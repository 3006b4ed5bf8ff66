"""The page of sheets: its data are the command's, its pages are those that are printed, refusals lead on."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest

from noughts.domain.board import Board
from noughts.reports.sheets.api import PRINTED, printout_of
from noughts.web.asked import ask_of_command
from noughts.web.kinds import kind_named
from noughts.web.reach import is_in_reach
from tests.web.pages import get, links_in, page, refused, text_of, twin

_SRC = re.compile(r'<img src="data:image/svg\+xml;base64,([^"]*)" width="(\d+)"')


@pytest.mark.parametrize(
    "words",
    ["", "--kind count --number 2 --seed 4", "--kind poster-endings", "--kind crib", "--kind blank", "--seed x"],
)
def test_data_are_those_of_the_command(words: str) -> None:
    given = words.split()
    query = "&".join(f"{name[2:]}={text}" for name, text in zip(given[::2], given[1::2], strict=True))
    twin(f"/3x3/sheets.json?{query}", "sheet", "3x3", *given, "--format", "json")
    asked = ask_of_command(f"noughts sheet 3x3 {words}".strip())
    assert asked is not None
    assert asked.page == "sheets"


def test_every_kind_is_offered_and_reached() -> None:
    [parameter] = [each for each in kind_named("sheets").parameters if each.name == "kind"]
    assert parameter.choices == tuple(PRINTED)
    html = page("/3x3/sheets")
    offered = set(re.findall(r'<option value="([a-z-]+)"', html)) | set(re.findall(r"sheets\?kind=([a-z-]+)", html))
    assert set(PRINTED) <= offered


@pytest.mark.parametrize(
    ("query", "kind", "paper"), [("", "win", "a4"), ("kind=labels&paper=letter", "labels", "letter")]
)
def test_the_pages_shown_are_those_that_are_printed(query: str, kind: str, paper: str) -> None:
    made = list(printout_of("3x3", kind).pages(paper))
    html = page(f"/3x3/sheets?{query}")
    shown = _SRC.findall(html)
    assert [b64decode(each).decode() for each, _ in shown] == [str(each) for each in made[:4]]
    assert [int(width) for _, width in shown] == [round(each.width) for each in made[:4]]
    assert ("One page" if len(made) == 1 else f"{len(made)} pages") in text_of(html)
    assert (f"The first 4 pages are shown; all {len(made)}" in text_of(html)) == (len(made) > 4)
    assert get(f"/3x3/sheets.pdf?{query}").body[:4] == b"%PDF"


def test_other_exercises_keep_what_was_asked() -> None:
    html = page("/3x3/sheets?kind=same&number=3&seed=7&paper=letter")
    [more] = [
        to for to in links_in(html) if "seed=" in to and "seed=7" not in to and "/p/" not in to and ".pdf" not in to
    ]
    assert {"kind=same", "number=3", "paper=letter"} <= set(more.partition("?")[2].split("&"))
    assert page(more) != html
    assert "Other exercises" not in page("/3x3/sheets?kind=crib")
    assert "Other exercises" not in page("/3x3/sheets?kind=blank")


def test_what_cannot_be_had_leads_to_what_can() -> None:
    for asked, said, way in [
        ("/2x2/sheets", "no exercises of the kind win", "/2x2/sheets?kind=blank"),
        ("/3x3/sheets?kind=crib&seed=4", "gives the same sheet each time", "/3x3/sheets?kind=crib"),
    ]:
        html = refused(asked)
        assert said in html
        assert f'href="{way}"' in html
        assert get(way).status == 200
    assert "more than the 60 that a page waits for" in get("/3x3/sheets?number=61").body.decode()
    assert "more than the 12 that a page waits for" in get("/4x4/sheets?number=13").body.decode()
    assert "cannot be printed on a2" in refused("/3x3/sheets?paper=a2")


@pytest.mark.parametrize("board", ["3x3", "3x4", "3x3+torus", "3x3+misere", "2x2x2", "2x2", "1x1", "3x3:4", "9x9:5"])
def test_a_link_to_sheets_leads_somewhere(board: str) -> None:
    there = is_in_reach("sheets", Board.parse(board))
    assert (f'href="/{board}/sheets"' in page(f"/{board}")) == there
    assert (get(f"/{board}/sheets").status == 200) == there
