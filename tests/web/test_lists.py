"""Lists of positions and of endings as pages: what they show is what the records hold, the data are the command's."""

from __future__ import annotations

import html as escaping
import re
from base64 import b64decode
from html import unescape

import pytest

import noughts
from noughts.analysis.records.api import positions
from noughts.rules.board import Board
from noughts.rules.errors import NoughtsError
from noughts.verbs.request import VerbAnswer
from noughts.verbs.sheet import printout_of
from noughts.web.addresses import ask_of_command, position_slug
from noughts.web.kinds import answered
from noughts.web.pages import printables
from noughts.web.render import is_in_reach
from noughts.web.request import Ask
from tests.web.site import get, links_in, page, refused, text_of, twin

CONDITIONS = [
    ("", ""),
    ("ply=5&trap=1", "--ply 5 --trap"),
    ("same=labelled&won=O&ply=6", "--same labelled --won O --ply 6"),
    ("won=any", "--won any"),
    ("label=X+can+force+a+win&to_move=O", "--label|X can force a win|--to-move|O"),
    ("label=X+control&to_move=O", "--label|X CONTROL|--to-move|O"),
    ("label=force-tie", "--label|force tie"),
    ("real_decision=1&limit=3", "--real-decision --limit 3"),
    ("moves=block&end=decided&ply=3", "--moves block --end decided --ply 3"),
    ("x_moves=win&terminal=1", "--x-moves win --terminal"),
    ("drawn=1&symmetric=1&page=1&sort=most-boards", "--drawn --symmetric"),
]


def options(text):
    return text.split("|") if "|" in text else text.split()


@pytest.mark.parametrize(("query", "typed"), CONDITIONS)
def test_data_are_those_of_the_command_in_positions_page(query, typed):
    for form, name in (("json", "json"), ("csv", "csv"), ("md", "markdown")):
        twin(f"/3x3/positions.{form}?{query}", "positions", "3x3", *options(typed), "--format", name)


@pytest.mark.parametrize("board", ["3x3", "2x3:2", "3x3+misere", "1x1", "2x2:3"])
def test_data_of_endings_are_those_of_the_command(board):
    for form, name in (("json", "json"), ("csv", "csv"), ("svg", "svg")):
        twin(f"/{board}/endings.{form}", "positions", board, "--terminal", "--format", name)


@pytest.mark.parametrize(
    ("place", "verb", "forms", "options"),
    [
        ("3x3/puzzles", "puzzle", "json", ""),
        ("3x3/puzzles", "puzzle", "json", "--number 3 --seed 5"),
        ("3x3/puzzles", "puzzle", "json", "--number 2 --about fork --seed x"),
        ("3x3/puzzles", "puzzle", "json", "--daily 2026-11-22"),
        ("3x3/puzzles", "puzzle", "json", "--number 2 --grade 4"),
        ("3x3/sheets", "sheet", "json", "--seed 0"),
        ("3x3/sheets", "sheet", "json", "--kind count --number 2 --seed 4"),
        ("3x3/sheets", "sheet", "json", "--kind poster-endings"),
        ("3x3/sheets", "sheet", "json", "--kind crib"),
        ("3x3/sheets", "sheet", "json", "--kind blank"),
        ("3x3/sheets", "sheet", "json", "--seed x"),
        ("3x3/crib", "crib", "json svg", ""),
        ("3x3/crib", "crib", "json svg", "--as O --opening b2"),
        ("3x3/crib", "crib", "json svg", "--as both --goal perfect"),
        ("3x3/crib", "crib", "json svg", "--opening a1 --count all"),
        ("3x3/crib", "crib", "json svg", "--from a1"),
        ("2x3:2/menace", "menace", "json csv", ""),
        ("2x3:2/menace", "menace", "json csv", "--as O --games 20 --seed 4 --against perfect --empty refill"),
        ("2x3:2/menace", "menace", "json csv", "--beads 8,4 --reward 2,0,-2 --symmetric each --games 9"),
    ],
)
def test_data_are_those_of_the_command_which_leads_to_the_page(place, verb, forms, options):
    words = options.split()
    query = "&".join(f"{name[2:]}={text}" for name, text in zip(words[::2], words[1::2], strict=True))
    board, _, kind = place.partition("/")
    for form in forms.split():
        twin(f"/{place}.{form}?{query}", verb, board, *words, "--format", form)
    asked = ask_of_command(f"noughts {verb} {board} {options}".strip())
    assert asked is not None
    assert asked.page == kind


def boards_on(html):
    return [unescape(to).split("?")[0].rpartition("/")[2] for to in re.findall(r'<li><a href="(/[^"]*/p/[^"]*)"', html)]


def test_a_list_shows_each_position_once_with_its_link():
    found = positions("3x3", ply=5, trap=True)
    html = page("/3x3/positions?ply=5&trap=1")
    assert found.heading in text_of(html)
    assert sorted(boards_on(html)) == sorted(position_slug(record.position) for record in found)
    assert len(found) == 93


def test_pages_of_a_list_hold_all_of_it_in_order():
    found = positions("3x3")
    shown = []
    for number in range(1, 8):
        shown += boards_on(page(f"/3x3/positions?page={number}"))
    assert shown == [position_slug(record.position) for record in found]
    assert get("/3x3/positions?page=8").status == 404
    assert get("/3x3/positions?page=0").status == 404


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("most-games", lambda record: -record.games),
        ("most-boards", lambda record: -record.orbit),
        ("x-likely", lambda record: -record.random_play.x_wins),
        ("o-likely", lambda record: -record.random_play.o_wins),
        ("soonest", lambda record: (record.outcome == "draw", record.remoteness * (record.outcome != "draw"))),
    ],
)
def test_lists_are_sorted(sort, key):
    html = page(f"/3x3/positions?ply=4&sort={sort}")
    assert boards_on(html) == [position_slug(r.position) for r in sorted(positions("3x3", ply=4), key=key)]


def test_links_of_lists_resolve():
    for address in ("/3x3/positions?ply=2&moves=win", "/3x3/positions?page=2"):
        found = [to for to in links_in(page(address)) if "/positions" in to or "/p/" in to]
        assert len(found) > 10
        for to in found[:40]:
            assert get(to).status == 200, to


# The page of puzzles: its data are the command's, hints open one by one, nothing gives the answer away before.


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
        assert "try=" in before


@pytest.mark.parametrize("board", ["3x3", "3x3+misere", "3x4:3"])
def test_a_puzzle_tried_on_the_board_says_right_or_why_not_and_leads_on(board):
    found = noughts.puzzles(board, 2, seed=3)
    for number, each in enumerate(found, 1):
        tried = f"/{board}/puzzles?number=2&seed=3&try={number}"
        html = page(tried)
        assert each.question in text_of(html)
        assert re.search(
            rf'href="/[^"]*try={number}[^"]*move={each.answer}"|href="/[^"]*move={each.answer}[^"]*try={number}"', html
        )
        assert "Right" not in text_of(html)
        for move in each.position.moves():
            after = text_of(page(f"{tried}&move={move}"))
            is_right = move == each.cell
            assert (f"Right: {move}" in after) == is_right
            assert (f"No: {move}" in after) != is_right
            assert ("Try again" in after) != is_right
            assert each.question in after
            position = each.position.play(move)
            outcome = position.outcome or noughts.explain(board, position).outcome
            assert (outcome == (each.to_move if each.goal == "win" else "draw")) == is_right
    assert f"try={len(found)}" in page(f"/{board}/puzzles?number=2&seed=3&try=1")
    assert "seed=3&" not in page(tried).partition(">Next puzzle")[0].rpartition("href=")[2]


def test_a_puzzle_that_does_not_exist_and_a_move_that_cannot_be_made_are_refused():
    assert "puzzle 7 does not exist: choose 1 to 6" in text_of(get("/3x3/puzzles?try=7").body.decode())
    [each] = noughts.puzzles("3x3", 1, seed=3)
    taken = next(cell for cell in ("a1", "b2", "c3", "a2", "b1") if cell not in map(str, each.position.moves()))
    reply = get(f"/3x3/puzzles?number=1&seed=3&try=1&move={taken}")
    assert reply.status == 400
    assert "choose a blank cell" in text_of(reply.body.decode())


def test_what_cannot_be_had_is_said_and_not_linked():
    assert "more than the 60 that a page allows" in get("/3x3/puzzles?number=61").body.decode()
    assert "more than the 12 that a page allows" in get("/4x4/puzzles?number=13").body.decode()
    assert "not a day" in refused("/3x3/puzzles?daily=soon")
    for board in ("2x2", "1x1", "3x3:4", "9x9:5", "2x2x2"):
        assert not is_in_reach("puzzles", Board.parse(board))
        said = text_of(get(f"/{board}/puzzles").body.decode())
        with pytest.raises(NoughtsError) as refusal:
            noughts.puzzles(board, 1)
        assert str(refusal.value) in said, "the page gives the one reason that the command gives"
        assert ("Too much work for a page" in said) == (board == "9x9:5")
        assert ("Puzzles on 3x3" in said) == (board != "9x9:5")
        assert f'href="/{board}/puzzles"' not in page(f"/{board}")
    assert 'href="/3x3/puzzles"' in page("/3x3")


# The page of sheets: its data are the command's, its pages are those that are printed, refusals lead on.

_SRC = re.compile(r'<img src="data:image/svg\+xml;base64,([^"]*)" width="(\d+)"')


@pytest.mark.parametrize(
    ("query", "kind", "paper"), [("seed=0", "win", "a4"), ("kind=labels&paper=letter", "labels", "letter")]
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


# The page of the smallest table: what it says and its data are those of the command, and it leads to what can be.


# The page of matchboxes: what it says is what the command says, its data play the same games, and it works without
# scripts.


def test_a_page_spends_little_time_on_a_proof_that_hardly_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    def spent(address: str) -> str:
        limits: list[str] = []

        def quickly(ask: Ask, time: str) -> VerbAnswer:
            limits.append(time)
            return answered(ask, time="1s")

        with monkeypatch.context() as patch:
            patch.setattr(printables, "answered", quickly)
            assert get(address).status == 200
        return limits[0]

    assert spent("/3x3/crib.json") == "20s"
    assert spent("/1x9:3/crib.json?as=O") == "6s"
