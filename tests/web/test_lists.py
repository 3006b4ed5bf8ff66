"""Lists of positions and of endings as pages: what they show is what the records hold, the data are the command's."""

from __future__ import annotations

import html as escaping
import json
import re
from base64 import b64decode
from datetime import date
from fractions import Fraction
from html import unescape
from pathlib import Path

import pytest

import noughts
from noughts.analysis.puzzles.puzzle import ENOUGH_BLANKS, LEAST_BLANKS
from noughts.analysis.records.api import positions
from noughts.counting.engines import ask as question_of
from noughts.rules.board import Board
from noughts.rules.errors import NoughtsError
from noughts.verbs.sheet import PRINTED, printout_of
from noughts.web.addresses import ask_of_command, position_slug
from noughts.web.folder import FolderContents, overview
from noughts.web.kinds import kind_named
from noughts.web.render import is_in_reach
from noughts.web.request import Ask
from tests.web.site import get, links_in, page, refused, text_of, twin

CONDITIONS = [
    ("", ""),
    ("ply=5&trap=1", "--ply 5 --trap"),
    ("same=labelled&won=O&ply=6", "--same labelled --won O --ply 6"),
    ("won=any", "--won any"),
    ("label=X+can+force+a+win&to_move=O", "--label|X can force a win|--to-move|O"),
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


def test_what_is_said_under_a_board_is_its_record():
    html = text_of(page("/3x3/positions?ply=4&sort=most-games"))
    best = max(positions("3x3", ply=4), key=lambda record: record.games)
    assert f"{best.games:,} games {best.label}" in html
    grouped = text_of(page("/3x3/positions?ply=4"))
    labels = [record.label for record in positions("3x3", ply=4)]
    for label in set(labels):
        assert f"{label[0].upper()}{label[1:]} ({labels.count(label)})" in grouped
    assert "Game over: X has won (21)" in text_of(page("/3x3/positions?ply=5"))


def test_filters_keep_what_was_asked():
    html = page("/3x3/positions?trap=1&ply=5&sort=soonest")
    assert re.findall(r'id="f-([a-z_]*)" value="1" checked', html) == ["trap"]
    assert "<option selected>5</option>" in html
    assert '<option value="soonest" selected>' in html
    assert "sort=soonest" in dict.fromkeys(re.findall(r'href="([^"]*ply=4[^"]*)"', html)).__iter__().__next__()


def test_filters_without_meaning_are_not_offered_and_refused():
    html = page("/3x3+misere/positions?ply=3")
    assert "f-fork" not in html
    assert 'id="f-trap"' in html
    assert get("/3x3+misere/positions?fork=1").status == 400
    assert "There is none." in page("/3x3/positions?terminal=1&unfinished=1")
    assert "there are" in refused("/3x3/positions?label=nobody")
    assert "its plies are 0 to 9" in refused("/3x3/positions?ply=10")


def test_endings_are_shown_by_outcome_and_ply():
    html = page("/3x3/endings")
    found = positions("3x3", terminal=True)
    assert "3x3:3: 138 endings, boards alike counted once: 91 won by X, 44 won by O and 3 drawn." in html
    assert sorted(boards_on(html)) == sorted(position_slug(record.position) for record in found)
    for outcome, heading in (("X", "X has won"), ("O", "O has won"), ("draw", "Drawn")):
        part = [record for record in found if record.outcome == outcome]
        assert f"{heading} ({len(part)})" in html
        for ply in {record.ply for record in part}:
            assert f"Ply {ply} ({sum(record.ply == ply for record in part)})" in html
    for name in ("Island", "Scorpion", "Arrow"):
        assert name in html


def test_endings_within_rules_are_decided_where_nobody_has_a_line():
    html = page("/3x3/endings?moves=block&end=decided")
    assert "Decided for X (" in html
    assert "X has won (" not in html
    assert "Drawn patterns to force" not in html
    assert all("moves=block" in to for to in links_in(html) if "/p/" in to)
    assert get("/3x3/endings?end=full").status == 400


@pytest.mark.parametrize("board", ["1x1", "1x3", "2x2:3", "3x3+misere", "2x2x2", "2x3+torus"])
def test_other_boards_answer(board):
    assert "ending" in text_of(page(f"/{board}/endings"))
    assert "position class" in text_of(page(f"/{board}/positions"))


def test_links_of_lists_resolve():
    for address in ("/3x3/positions?ply=2&moves=win", "/3x3/positions?page=2"):
        found = [to for to in links_in(page(address)) if "/positions" in to or "/p/" in to]
        assert len(found) > 10
        for to in found[:40]:
            assert get(to).status == 200, to


def test_larger_boards_are_refused_with_the_command():
    reply = get("/5x5/positions")
    assert reply.status == 422
    assert "noughts positions 5x5:5" in unescape(reply.body.decode())


# The page of puzzles: its data are the command's, hints open one by one, nothing gives the answer away before.


@pytest.mark.parametrize(
    "words",
    ["", "--number 3 --seed 5", "--number 2 --about fork --seed x", "--daily 2026-11-22", "--number 2 --grade 4"],
)
def test_data_are_those_of_the_command_in_puzzles_page(words: str) -> None:
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


# The page of sheets: its data are the command's, its pages are those that are printed, refusals lead on.

_SRC = re.compile(r'<img src="data:image/svg\+xml;base64,([^"]*)" width="(\d+)"')


@pytest.mark.parametrize(
    "words",
    ["", "--kind count --number 2 --seed 4", "--kind poster-endings", "--kind crib", "--kind blank", "--seed x"],
)
def test_data_are_those_of_the_command_in_sheets_page(words: str) -> None:
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


# The page of the smallest table: what it says and its data are those of the command, and it leads to what can be.


@pytest.mark.parametrize(
    "options", ["", "--as O --opening b2", "--as both --goal perfect", "--opening a1 --count all", "--from a1"]
)
def test_data_are_those_of_the_command_in_crib_page(options: str) -> None:
    words = options.split()
    query = "&".join(f"{name[2:]}={text}" for name, text in zip(words[::2], words[1::2], strict=True))
    for form in ("json", "svg"):
        twin(f"/3x3/crib.{form}?{query}", "crib", "3x3:3", *words, "--format", form)


def test_the_page_has_every_board_with_its_dot():
    html = page("/3x3/crib?as=O&goal=never-lose")
    assert "O never loses with 71 boards to know, the fewest possible." in text_of(html)
    assert html.count('<circle class="c"') == 71
    assert 'aria-label="X../.../...: play b2"' in html
    assert 'href="/3x3/p/X..-...-..."' in html or 'href="/3x3/p/X__-___-___"' in html
    assert "noughts crib 3x3:3 --as O" in text_of(html)
    assert get("/3x3/crib.pdf").body.startswith(b"%PDF")
    assert 'href="/3x3/crib"' in page("/3x3")


def test_only_what_can_be_reached_is_linked():
    here = page("/3x3/crib")
    assert 'href="/3x3/crib?goal=perfect"' in here
    assert "goal=win" not in here
    misere = page("/3x3+misere/crib")
    assert "opening=b2" in misere
    assert "opening=a1" not in misere
    torus = page("/3x3+torus/crib")
    assert "goal=win" in torus
    assert "as=O" not in torus
    assert "Who completes a line loses." in text_of(misere)


def test_what_cannot_be_had_is_said():
    assert "X cannot be sure to win on 3x3:3" in refused("/3x3/crib?goal=win")
    assert "the opening a1 loses" in refused("/3x3+misere/crib?opening=a1")
    large = get("/4x4/crib").body.decode()
    assert "too many for a smallest table" in large
    assert "ask from a later position on the command line" in large  # which refuses the empty board too
    assert not is_in_reach("crib", Board.parse("4x4"))


@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("/2x2+misere/crib", "2x2:2+misere: O always wins"),
        ("/2x2/crib?as=O", "2x2:2: X always wins"),
        ("/1x1/crib?as=O", "1x1:1: X never loses"),
        ("/3x3/crib?goal=win", "3x3:3: O plays perfectly"),
        ("/3x3+misere/crib?opening=a1", "3x3:3+misere after the opening b2: X never loses"),
        ("/3x3/crib?as=both&goal=win&opening=b1", "3x3:3 after the opening b1: X never loses"),
    ],
)
def test_what_can_be_had_instead_is_linked(address, way):
    reply = get(address)
    html = reply.body.decode()
    assert reply.status == 400
    assert "That cannot be had on this board" in html
    assert "cannot be read" not in html
    assert way in text_of(html)
    ways = [to for to in links_in(html[html.index("instead:") :]) if "/crib" in to]
    assert ways
    for to in ways:
        assert get(to).status == 200, to


def test_what_cannot_be_read_is_said_to_be_so():
    html = get("/3x3/crib?opening=d1").body.decode()
    assert "That cannot be read" in html
    assert "instead" not in html


def test_the_card_is_had_on_either_paper():
    html = page("/2x2/crib?goal=win")
    assert 'href="/2x2/crib.pdf?goal=win"' in html
    assert 'href="/2x2/crib.pdf?goal=win&amp;paper=a4"' in html
    small, large = (_paper(get(f"/2x2/crib.pdf{query}").body) for query in ("", "?paper=a4"))
    assert (small, large) == ((105, 148), (210, 297))


def _paper(pdf: bytes) -> tuple[int, int]:
    """Return the width and height of the first page, in millimetres."""
    found = re.search(rb"/MediaBox ?\[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert found is not None
    width, height = (round(float(side) / 72 * 25.4) for side in found.groups())
    return width, height


def test_three_boards_stand_side_by_side_on_a_telephone():
    css = get_style("positions.css")
    found = re.search(r"\.crib \.boards \{ grid-template-columns: repeat\(auto-fill, minmax\(([0-9.]+)rem", css)
    assert found is not None
    assert 3 * 16 * float(found[1]) + 2 * 16 <= 320
    assert '<div class="crib">' in page("/2x2/crib?goal=win")
    assert '<div class="crib joined">' in page("/3x3+torus/crib?goal=win")


def get_style(name: str) -> str:
    return (Path(noughts.__file__).parent / "web" / "static" / name).read_text()


# The page of matchboxes: what it says is what the command says, its data play the same games, and it works without
# scripts.


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--as O --games 20 --seed 4 --against perfect --empty refill",
        "--beads 8,4 --reward 2,0,-2 --symmetric each --games 9",
    ],
)
def test_data_are_those_of_the_command_in_menace_page(options: str) -> None:
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
