"""Counts and what a number is, as pages: the numbers are those of the counting room, the data those of the command."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest

from noughts import count
from noughts.counting.conventions import matrix
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


@pytest.mark.parametrize("board", ["3x3", "3x3+misere", "3x3+torus", "2x2", "1x1", "2x2:3"])
def test_a_question_says_its_numbers_ply_by_ply(board):
    found = count(board, same="choices", end="decided")
    html = page(f"/{board}/count?same=choices&end=decided")
    for row in found.plies:
        cells = [row.finished, row.x_wins, row.draws, row.o_wins, row.paths, row.positions, row.terminal]
        assert " ".join([str(row.ply), *(f"{each:,}" for each in cells)]) in text_of(html)
    assert f"{found.totals.finished:,} game" in text_of(html)


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
