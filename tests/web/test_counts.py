"""Counts and what a number is, as pages: the numbers are those of the counting room, the data those of the command."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest

from noughts import count
from noughts.counting.conventions import ladder, matrix
from noughts.rules.board import Board
from noughts.web.addresses import ask_of_command
from tests.web.site import get, links_in, page, printed, refused, text_of, twin

pytestmark = pytest.mark.usefixtures("remembered")

QUESTIONS = [
    ("same=labelled", "--same labelled"),
    ("same=choices&moves=win&end=decided", "--same choices --moves win --end decided"),
    ("same=symmetry&x_moves=block&o_moves=any", "--same symmetry --x-moves block --o-moves any"),
    ("same=labelled&from=b2", "--same labelled --from b2"),
    ("same=choices&starts=either&to_ply=5", "--same choices --starts either --to-ply 5"),
    ("same=labelled&explain=1&check=1", "--same labelled --explain --check"),
]


@pytest.mark.parametrize(("query", "options"), QUESTIONS)
def test_data_of_a_question_are_those_of_the_command(query, options):
    for form, name in (("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex"), ("svg", "svg")):
        if "explain" in query and form != "json":
            continue
        twin(f"/3x3/count.{form}?{query}", "count", "3x3", *options.split(), "--format", name)


@pytest.mark.parametrize("board", ["3x3", "2x2", "1x3", "3x3+misere"])
def test_data_of_all_conventions_are_those_of_the_command(board):
    for form, name in (("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex")):
        twin(f"/{board}/count.{form}", "count", board, "--format", name)


def test_the_command_under_a_page_prints_what_its_data_hold():
    for address in ("/3x3/count?same=choices&moves=win", "/3x3/count?same=labelled&from=b2&explain=1", "/3x3/count"):
        command = re.search("<code>noughts (.*?)</code>", page(address))
        path, _, query = address.partition("?")
        data = get(f"{path}.json?{query}").body.decode()
        assert command is not None
        assert data == printed(*unescape(command[1]).replace("'", "").split(), "--format", "json")


def test_every_convention_is_a_cell_that_leads_to_its_question():
    html = page("/3x3/count")
    cells = dict(re.findall(r'<td><a href="([^"]*)">([0-9,]+)<', html))
    entries = matrix(Board.parse("3x3"))
    assert len(entries) == len(cells) == 54
    for entry in entries:
        to = ask_of_command(entry.command)
        assert to is not None
        assert f"{entry.finished:,} {entry.convention}" in text_of(html)
    for to, number in list(cells.items())[::9]:
        assert f"<b>{number}</b>" in page(unescape(to))


def test_the_ladder_stands_on_the_page():
    said = text_of(page("/3x3/count"))
    for rung in ladder(Board.parse("3x3")):
        assert f"{rung.name} {rung.count:,}" in said
        assert rung.meaning in said


@pytest.mark.parametrize("board", ["3x3", "3x3+misere", "3x3+torus", "2x2", "1x1", "2x2:3"])
def test_a_question_says_its_numbers_ply_by_ply(board):
    found = count(board, same="choices", end="decided")
    html = page(f"/{board}/count?same=choices&end=decided")
    for row in found.plies:
        cells = [row.finished, row.x_wins, row.draws, row.o_wins, row.paths, row.positions, row.terminal]
        assert " ".join([str(row.ply), *(f"{each:,}" for each in cells)]) in text_of(html)
    assert f"{found.totals.finished:,} game" in text_of(html)


def test_switches_show_what_is_asked():
    html = page("/3x3/count?same=choices&moves=win&end=decided")
    taken = re.findall(r'id="([^"]*)" value="[^"]*" checked', html)
    assert taken == ["moves-win", "end-decided", "same-choices"]
    assert "data-swap data-auto" in html
    assert "play stops when only one outcome is left" in html


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("moves=win&x_moves=any&o_moves=block", "?moves= cannot be used with both ?x_moves= and ?o_moves="),
        ("same=labelled&symmetry=lines", "?symmetry= cannot be used with ?same=labelled"),
        ("starts=O&explain=1", "?explain=1 derives only games that X starts"),
        ("same=choices&from=zz", "zz"),
        ("to_ply=2&from=a1+a2+a3", "comes before the first"),
        ("same=same", "same cannot be 'same'"),
        ("nothing=1", "has no parameter"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(query, words):
    assert words in unescape(refused(f"/3x3/count?{query}"))


def test_derivations_are_refused_where_the_command_refuses_them():
    assert b"How many games of tic-tac-toe are there?" in get("/3x3/count.svg").body
    assert get("/3x3/count.csv?explain=1").status == 400
    assert "count.svg" in page("/3x3/count")


def test_a_count_has_a_sentence_to_copy():
    sentence = "There are 26,830 games of tic-tac-toe, with moves to equivalent boards counted once"
    found = page("/3x3/count?same=choices")
    assert f'data-copy="{sentence}' in found
    assert f"To print: {sentence}" in text_of(found)
    assert text_of(found).index("To print:") < text_of(found).index("Which moves are allowed?")
    assert "data-copy" not in page("/3x3/count?same=choices&to_ply=4")


def test_the_derivation_is_told_where_it_is_short_and_offered_where_it_is_long():
    assert "255,168" in text_of(page("/3x3/count?same=labelled"))
    assert "9 open x" not in text_of(page("/3x3/count?same=labelled&starts=O"))
    assert "Ply 1: 1 open x 9 blank cells = 9 paths." in text_of(page("/3x3/count?same=labelled"))
    assert "explain=1" in page("/4x4/count?same=labelled")


def test_large_boards_answer_or_say_what_they_would_take():
    assert "games" in text_of(page("/8x8/count?same=labelled"))
    reply = get("/6x6:4/count.json?same=choices&moves=win&end=decided")
    assert reply.status == 422
    assert b'"ok": false' in reply.body


def test_numbers_too_long_for_a_column_are_cut_short_there_and_it_is_said():
    long, cut = page("/20x20/count"), "Numbers with ~ are cut short to fit."
    cells = [text_of(cell) for cell in re.findall(r"<td.*?</td>", long, re.DOTALL)]
    games = next(cell for cell in cells if cell.startswith("~6.40e+868"))
    assert "every order of moves counted" in games
    assert not any(re.search(r"\d[\d,]{60}", cell) for cell in cells)
    assert cut in text_of(long)
    assert cut not in text_of(page("/4x4/count"))
    assert text_of(long).strip().endswith("noughts count 20x20:20 --time 2s"), "a command that can be typed"


@pytest.mark.parametrize(
    "address", ["/3x3/count", "/3x3/count?same=choices&moves=block", "/whatis?n=255168", "/whatis"]
)
def test_links_of_counting_pages_resolve(address):
    elsewhere = ("/api", "/3x3", "/3x3/play", "/3x3/blindfold")
    for to in sorted(set(links_in(page(address))))[::3]:
        path = to.partition("?")[0]
        if to != "/" and path not in elsewhere and path.partition("/count")[0] in ("", "/3x3", "/whatis"):
            assert get(to).status == 200, to


@pytest.mark.parametrize("number", ["26830", "255168", "9!", "501/560", "31,896"])
def test_what_a_number_is_equals_the_command(number):
    twin(f"/whatis.json?n={quote(number)}", "whatis", number, "--format", "json")


def test_a_number_of_the_oeis_and_terms_are_answered_as_on_the_command_line():
    for asked_for, said in (
        ("A061526", "A061526: finished games"),
        ("1,3,12,38", "The given terms begin at number 0."),
    ):
        text = text_of(page(f"/whatis?n={asked_for}"))
        assert said in text
        assert "What is" in text
        twin(f"/whatis.json?n={asked_for}", "whatis", asked_for, "--format", "json")
    assert "Computed here, terms 8 to 10" in text_of(page("/whatis?n=a61526"))
    assert "is not in the sequences of noughts" in text_of(page("/whatis?n=1,%202,%203,%204"))
    assert get("/whatis?n=A061526&board=3x3").status == 400


@pytest.mark.parametrize(
    "address", ["/whatis?n=%3Cb%3E", "/3x3/count?from=%3Cscript%3E", "/whatis?n=5&board=%22%3E%3Ci%3E"]
)
def test_what_is_typed_is_never_markup(address):
    reply = get(address)
    assert reply.status == 400
    for markup in (b"<b>", b"<script>", b"<i>"):
        assert markup not in reply.body.replace(b'<script type="module"', b"")


def test_commands_are_links_where_a_page_answers_them():
    def query(command):
        found = ask_of_command(command)
        return None if found is None else (found.page, found.what, dict(found.query))

    assert query("noughts count 3x3:3 --same choices --moves any --end line") == ("count", "", {"same": "choices"})
    assert query("noughts count 3x3 --explain --same labelled") == ("count", "", {"same": "labelled", "explain": "1"})
    assert query("noughts tree 3x3 --kind full --depth 2") == ("tree", "full", {"depth": "2"})
    assert query("noughts explain 3x3 'X../.O./...'") == ("position", "X__-_O_-___", {})
    assert query("noughts whatis 3x4 28275") == ("whatis", "", {"n": "28275", "board": "3x4"})
    for other in ("noughts tree 3x3 -o tree.svg", "noughts verify", "noughts count 3x3 --moves win|block", "ls", ""):
        assert query(other) is None


def test_downloads_say_their_board_and_convention():
    markdown, latex = (get(f"/3x3/count.{form}?same=choices").body.decode() for form in ("md", "tex"))
    said = "3x3:3: moves to equivalent boards counted once, play stops at three in a row"
    assert markdown.startswith(said)
    assert latex.startswith(f"% {said}")
    assert "| classes |" in markdown
    assert "| positions |" in get("/3x3/count.md?same=labelled").body.decode()
    reply = get("/3x3/count.csv?same=choices")
    assert reply.headers["content-disposition"] == 'inline; filename="noughts-3x3-3-count-same-choices.csv"'
    assert reply.body.startswith(b"ply,positions,")
    assert not get("/3x3/count?same=choices").headers


def test_data_of_a_small_board_leave_out_what_the_command_leaves_out_and_no_more():
    twin("/2x4:3/count.json", "count", "2x4:3", "--format", "json")


def test_values_at_a_ply_lead_to_the_positions_of_that_ply():
    assert 'href="/3x3/positions?ply=3&amp;same=labelled"' in page("/whatis?n=138")


def test_the_page_names_a_slip_and_ends_the_derivation():
    assert "A slip: 7, printed as" in page("/3x3/count?same=choices&from=XO./.X./XO.")
    found = page("/3x3/count?same=labelled")
    assert "362,880 - 162,432 + 54,720 = 255,168 (games)." in found
    assert "A slip" not in found


def test_a_label_in_place_of_a_number_leads_to_its_boards():
    assert "is a label, not a number: try noughts positions 3x3 --label" in unescape(refused("/whatis?n=X+control"))
