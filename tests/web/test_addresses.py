"""Whatever stands in an address, the answer is a page, data, or one sentence, and never a mistake of ours."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from importlib.util import find_spec
from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from noughts.rules.errors import BudgetError, NoughtsError
from noughts.verbs.table import VERBS
from noughts.web.addresses import address, command_of, read_address
from noughts.web.app import Explorer
from noughts.web.kinds import KINDS
from noughts.web.replies import answer, found_for, safe_answer
from noughts.web.request import RULES
from tests.effort import AT_ONCE, counted_calls
from tests.web.site import Response, ask, get, page, printed

BOARDS = [
    "3x3",
    "2x2:2",
    "2x3",
    "1x1",
    "3x3+misere",
    "3x3+torus",
    "1x9:3",
    "2x2x2",
    "3x3:2",
    "3x3:3",
    "3X3",
    "0x3",
    "3x",
    "x",
]
JUNK = some.text(max_size=12) | some.sampled_from(
    ["..", "%2e%2e", "\x00", "\ud7ff", "/", "//", "9" * 50, "-1", "a1-b2-c3", "XO_-_X_-__O", "<script>", "'\"&",
     "{{7*7}}", "reduced", "é", "٣x٣", "X" * 400, "a1", "b2 a1", "-", "--", "_", ".", ".json", "True", "1e9", "½"]
)  # fmt: skip
FORMS = some.sampled_from(["", ".json", ".svg", ".html", ".exe", ".JSON", "."])
PARAMETERS = sorted({each.name for kind in KINDS.values() for each in kind.parameters})
CHOICES = sorted({choice for kind in KINDS.values() for each in kind.parameters for choice in each.choices})
QUICK_KINDS = [
    "start",
    "go",
    "api",
    "embed",
    "board",
    "position",
    "game",
    "openings",
    "endings",
    "positions",
    "play",
    "same",
]
SLOW_KINDS = ["rules", "match", "count", "tree", "patterns", "crib", "menace", "blindfold", "puzzles", "sheets"]
TINY = ["2x2:2", "1x1", "2x3:2", "1x3:2", "2x2+misere", "2x2x1"]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as made:
        yield made


@pytest.fixture(scope="module")
def app(runner: asyncio.Runner) -> Iterator[Explorer]:
    made = Explorer(rules=replace(RULES, cache=2**20))
    yield made
    runner.run(made.close())


@some.composite
def paths(draw: some.DrawFn, kinds: Sequence[str] = QUICK_KINDS, boards: Sequence[str] = BOARDS) -> str:
    """Return an address, or something like one."""
    kind = KINDS[draw(some.sampled_from(kinds))]
    board = draw(some.sampled_from(boards) | JUNK if boards is BOARDS else some.sampled_from(boards))
    what = draw(JUNK | some.lists(some.sampled_from("XO_.-"), max_size=12).map("".join))
    path = kind.path.replace("{board}", quote(board)).replace("{what}", quote(what)) + draw(FORMS)
    own = [(each.name, choice) for each in kind.parameters for choice in each.choices or ("1", "a1", "9", "X")]
    fitting = [some.sampled_from(own)] * 4 if own else []
    strange = some.tuples(some.sampled_from(PARAMETERS) | JUNK, some.sampled_from(CHOICES) | JUNK)
    query = draw(some.lists(some.one_of(*fitting, strange), max_size=3, unique_by=lambda pair: pair[0]))
    return path + "?" * bool(query) + "&".join(f"{quote(name)}={quote(value)}" for name, value in query)


def judged(found: Response, asked: str) -> None:
    """Check that a reply is one of those that there are."""
    assert found.status in (200, 202, 303, 400, 404, 414, 422), asked
    assert found.headers["x-content-type-options"] == "nosniff"
    if found.headers["content-type"] == "application/json" and found.status != 200:
        said = json.loads(found.body)
        assert list(said) == ["ok", "error"]
        assert "\n" not in said["error"]
    if found.status == 200 and found.headers["content-type"].startswith("text/html"):
        assert "<script>" not in found.text
        assert "{{" not in found.text
        assert "style=" not in found.text


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paths())
@example("/3x3/openings?from=%00")
@example("/3x3/play?x=human&o=%ff")
@example("/3x3/positions?ply=99999999999999999999")
@example("/3x3/p/")
@example("/%0A/p/")
@example("/static/%0A")
@example("/static/")
@example("/3x3/p/XXXXXXXXX")
def test_no_address_is_a_mistake(app, runner, asked):
    judged(runner.run(ask(app, asked)), asked)


@pytest.mark.slow
@settings(max_examples=4000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paths())
def test_no_address_of_thousands_is_a_mistake(app, runner, asked):
    judged(runner.run(ask(app, asked)), asked)


def test_every_kind_of_page_has_its_module():
    assert all(find_spec(f"noughts.web.pages.{kind.module}") for kind in KINDS.values())
    assert set(QUICK_KINDS) | set(SLOW_KINDS) | {"whatis"} == KINDS.keys()


@settings(max_examples=120)
@given(paths(SLOW_KINDS, TINY))
@example("/2x2/tree/policy?x=nobody")
@example("/2x2/count?to_ply=999999999")
def test_no_address_of_larger_questions_is_a_mistake(asked):
    require_answer(asked)


@pytest.mark.slow
@settings(max_examples=1000)
@given(paths(SLOW_KINDS, TINY))
def test_no_address_of_a_thousand_larger_questions_is_a_mistake(asked):
    require_answer(asked)


def require_answer(asked: str) -> None:
    """Check that an address is answered in one of the ways that there are, or no address."""
    path, _, query = asked.partition("?")
    try:
        found = read_address(unquote(path), query)
    except NoughtsError:
        return
    assert safe_answer(found).status in (200, 303, 400, 404, 422), asked


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some.text(alphabet=some.characters(codec="utf-8"), max_size=60), some.text(max_size=40))
def test_nothing_at_all_is_a_mistake(app, runner, path, query):
    asked = "/" + quote(path, safe="/%.") + "?" + quote(query, safe="=&%")
    found = runner.run(ask(app, asked))
    assert found.status in (200, 303, 400, 404), asked


@settings(max_examples=200)
@given(paths())
def test_an_address_that_is_read_has_one_spelling(asked):
    path, _, query = asked.partition("?")
    try:
        found = read_address(unquote(path), query)
    except NoughtsError:
        return
    spelt = address(found)
    path, _, query = spelt.partition("?")
    assert read_address(unquote(path), query) == found
    assert address(read_address(unquote(path), query)) == spelt
    assert spelt.isascii()
    assert not any(sign in spelt for sign in " \"'<>\\")


# Data are the command line's own: for every kind of page that a verb gives, byte by byte.

pytestmark = pytest.mark.usefixtures("remembered")

ADDRESSES = [
    "/whatis.json?n=26830",
    "/3x3.json",
    "/4x3:3.json",
    "/2x2x2.json",
    "/3x3+misere.json",
    "/3x3/p/XO_-_X_-__O.json",
    "/3x3+torus/p/X__-___-___.json",
    "/2x2x2/p/X_-__--__-_O.json",
    "/3x3/g/a1-b2-c3.json",
    "/3x3/g/a1-b1-a2-b2-a3.json",
    "/3x3/count.json",
    "/3x3/count.json?same=choices&moves=win&end=decided",
    "/3x3/count.json?to_ply=4&starts=either",
    "/3x3/count.json?from=a1+b2",
    "/3x3/count.json?x_moves=block&o_moves=win",
    "/3x4:3/count.json?same=symmetry&symmetry=lines",
    "/3x3/openings.json",
    "/3x3/openings.json?from=a1",
    "/3x4:3/openings.json",
    "/3x3/tree/reduced.json",
    "/3x3/tree/openings.json",
    "/3x3/tree/policy.json",
    "/3x3/patterns.json",
    "/3x3/endings.json",
    "/3x3/menace.json?as=O&games=9&last_boxes=1&empty=keep",
    "/3x3/crib.json?as=O&opening=b2&goal=perfect&count=all",
    "/3x3/puzzles.json?number=2&about=who-can-force&seed=4",
    "/3x3/sheets.json?kind=same&number=2&seed=4",
    "/3x3/positions.json?ply=5&trap=1",
    "/3x3/positions.json?moves=perfect",
    "/3x3/blindfold.json",
    "/3x3/same.json?first=X.O/.X./...&second=O.X/.X./...",
    "/3x3/match.json?x=perfect&o=random",
    "/3x3+torus/same.json?first=a1+b1+c1+a2&second=c1+b1+a1+a2",
]
HAVE_NO_VERB = {"play", "rules"}


def test_every_kind_with_data_is_here():
    kinds = {read_address(*(urlsplit(each)[2:4])).page for each in ADDRESSES}
    assert {kind.name for kind in KINDS.values() if "json" in kind.forms} == kinds | HAVE_NO_VERB
    assert {kind.verb for kind in KINDS.values() if kind.verb} <= VERBS.keys()


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_data_are_what_the_commands_print(address):
    path, query = urlsplit(address)[2:4]
    ask = read_address(path, query)
    reply = get(address)
    assert reply.status == 200
    for command in {command_of(ask), found_for(ask).command or command_of(ask)}:
        assert reply.body.decode() == printed(*shlex.split(command)[1:], "--format", "json")


def test_what_has_no_verb_has_no_command_and_rules_are_said_to_one_that_knows_them():
    assert command_of(read_address("/3x3/play")) == ""
    assert command_of(read_address("/")) == ""
    ruled = read_address("/3x3/p/XO_-_X_-__O", "moves=win&end=decided")
    assert command_of(ruled) == "noughts positions 3x3:3 --end decided --moves win"
    assert command_of(read_address("/3x3/p/XO_-_X_-__O", "quiz=1")) == "noughts explain 3x3:3 XO./.X./..O"
    assert command_of(read_address("/3x3/openings", "from=a1;rm")) == "noughts openings 3x3:3 --from 'a1;rm'"


@pytest.mark.parametrize("address", [each.replace(".json", "", 1) for each in ADDRESSES])
def test_the_command_under_each_page_works_as_it_is_printed(address):
    found = re.search(r'<p class="command">[^<]*<code>([^<]*)</code>', get(address).body.decode())
    assert found, "a page that a verb gives says so"
    name, *words = shlex.split(unescape(found[1]))
    assert name == "noughts"
    assert printed(*words)


# What goes wrong is said in words of addresses, and positions may be named by moves.


def said(path: str, query: str = "") -> tuple[int, str]:
    """Return the status and the sentence."""
    reply = answer(read_address(path, query))
    return reply.status, json.loads(reply.body)["error"]


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        ("/3x3/tree/reduced.json", "depth=3", "remove ?depth="),
        ("/3x3/blindfold.json", "opening_told=1", "add ?blind=O, or remove ?opening_told=1"),
        ("/3x3/blindfold.json", "opening=a1", "add ?blind=O ?opening_told=1"),
        ("/3x3/patterns.json", "by=X", "add ?force=NAME"),
        ("/5x5:4/tree/full.json", "", "ask with ?depth=, from a later position, or raise --limit (on the comm"),
    ],
)
def test_options_are_parameters(path, query, words):
    status, sentence = said(path, query)
    assert status in (400, 422)
    assert words in sentence


def test_moves_name_their_position():
    assert answer(read_address("/3x3/p/a1-c3", "quiz=1")).location == "/3x3/p/X__-___-__O?quiz=1"
    assert answer(read_address("/3x4:3/p/a1-d3.json")).location == "/3x4/p/X___-____-___O.json"
    status, sentence = said("/3x3/p/a1-a1.json")
    assert (status, sentence) == (404, "'a1-a1' plays a1 twice: each cell is taken once")
    assert said("/3x3/p/Xx-q.json")[1].startswith("'Xx-q' is not a position of 3x3:3")


@pytest.mark.parametrize("board", ["1000x1000:3", "100x100:5", "20x20x20:3"])
def test_huge_boards_are_refused_at_once(board):
    with counted_calls() as effort:
        assert said(f"/{board}.json")[0] == 422
    assert effort.calls < AT_ONCE


@pytest.mark.parametrize("path", ["g/b1-d1.png", "g/b1-d1", "g/-", "p/a1-b1.json"])
def test_positions_of_huge_boards_are_refused_as_the_command_line_does_before_a_worker_is_asked(path):
    sentence = "64x64:5 has 4,096 cells; play is analysed up to 400: choose a smaller board"
    with counted_calls() as effort, pytest.raises(BudgetError, match=sentence):
        read_address(f"/64x64:5/{path}")
    assert effort.calls < AT_ONCE


@pytest.mark.parametrize(
    "address",
    ["/?g=b2", "/3x3/play?g=a1&hint=1", "/3x3/play?x=human&o=human&g=a1-b1-a2-c1-a3", "/3x3/tree/reduced",
     "/3x3/patterns?force=Arrow", "/3x3/tree/policy", "/2x2x2/openings", "/3x3/blindfold"],
)  # fmt: skip
def test_nothing_inline(address):
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! type=\"module\" src=\"/static/)", page(address))
