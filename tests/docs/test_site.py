"""Facts to print, the file for citing, and the addresses of the explorer that the documentation names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import noughts
from noughts.web.addresses import read_address
from noughts.web.replies import answer
from tests.docs.test_sessions import script

ROOT = Path(__file__).parent.parent.parent
facts = script("facts_page")


def test_a_claim_of_a_fact_is_checked() -> None:
    fact = facts.Fact("{n} games", "*", "us", "count 2x2 --same labelled", {"n": "totals.finished"})
    assert facts.lines(fact)[0] == "24 games"
    wrong = facts.Fact("{n} games, all drawn", "*", "us", fact.command, fact.values, {"totals.x_wins": "0"})
    with pytest.raises(ValueError, match=r"totals\.x_wins is not 0"):
        facts.lines(wrong)


def test_the_file_for_citing_names_this_version() -> None:
    said = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"\nversion: {noughts.__version__}\n" in said
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"^## \[{noughts.__version__}\] - (\S+)$", changes, re.MULTILINE)
    assert released is not None
    assert f"\ndate-released: {released[1]}\n" in said
    assert f"\nlicense: {project['license']}\n" in said
    assert f"name: {project['authors'][0]['name']}\n" in said


# Every address of the explorer that the documentation names has a page, and what it says of the quizzes is so.

pytestmark = pytest.mark.usefixtures("remembered")

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
PAGES = ("explorer.md", "teachers.md", "hosting.md")


def addresses() -> list[str]:
    found = set[str]()
    for page in PAGES:
        text = (HOW_TO / page).read_text(encoding="utf-8")
        found |= set(re.findall(r"`(/(?:3x3|4x5|embed|whatis)[^`]*)`", text))
        found |= set(re.findall(r'(?:127\.0\.0\.1:8000|example\.org)(/[^"\s`]+)', text))
    return sorted(found - {"/embed", "/openapi.json"})


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_an_address_in_the_documentation_has_a_page(every: int) -> None:
    found = addresses()
    assert "/3x3/p/XO_-_X_-__O" in found
    assert len(found) > 20
    for address in found[::every]:
        path, _, query = address.removeprefix("/embed").partition("?")
        reply = answer(read_address(path, query))
        assert reply.status == 200, (address, reply.body)


def test_what_the_quizzes_of_teachers_ask_has_the_answers_they_say() -> None:
    solved = {text: noughts.explain("3x3", text) for text in ("X../.../...", "X../.O./..X", "XO./.../...")}
    assert sum(move.outcome == "draw" for move in solved["X../.../..."].moves) == 1  # the centre, up to symmetry
    losing = {noughts.rules.cell_name("3x3", move.cell) for move in solved["X../.O./..X"].moves if move.outcome == "X"}
    assert losing == {"c1", "a3"}
    assert any(move.outcome == "X" for move in solved["XO./.../..."].moves)
