"""Whatever stands in an address, the answer is a page, data, or one sentence, and never a mistake of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some
from starlette.types import ASGIApp

from noughts.domain.errors import NoughtsError
from noughts.web.addresses import address, read_address
from noughts.web.answering import safe_answer
from noughts.web.app import application
from noughts.web.kinds import KINDS
from noughts.web.limits import DESK
from tests.web.asking import Response, ask

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
QUICK_KINDS = ["start", "go", "api", "board", "position", "game", "openings", "endings", "positions", "play"]
SLOW_KINDS = ["count", "tree", "patterns", "crib", "menace", "blindfold", "puzzles", "sheets"]
TINY = ["2x2:2", "1x1", "2x3:2", "1x3:2", "2x2+misere", "2x2x1"]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as made:
        yield made


@pytest.fixture(scope="module")
def app() -> ASGIApp:
    return application(rules=replace(DESK, cache=2**20))


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
    assert found.status in (200, 303, 400, 404, 414, 422), asked
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
