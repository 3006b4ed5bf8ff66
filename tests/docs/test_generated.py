"""What is generated in the documentation is what generating it gives: if not, run `scripts/docs`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import noughts
import noughts.training
from noughts.known import numbers
from noughts.verbs.table import VERBS
from tests.docs.test_sessions import script

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    "name",
    [
        "number_page",
        "facts_page",
        "python_page",
        "verbs_page",
        "data_page",
        "values_page",
        "games_page",
        "discoveries_page",
    ],
)
def test_a_page_is_current(name: str) -> None:
    made = script(name)
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_what_is_to_be_submitted_is_current() -> None:
    made = script("discoveries_page")
    kept = {path.name: path.read_text(encoding="utf-8") for path in made.FILES.iterdir()}
    assert kept == made.files(), "run `scripts/docs`"


@pytest.mark.parametrize("name", ["three_questions", "frontier_picture", "learning_picture"])
def test_a_picture_is_current(name: str) -> None:
    made = script(name)
    assert made.PICTURE.read_text(encoding="utf-8") == str(made.draw()), "run `scripts/docs`"


def test_the_page_of_training_is_current_and_has_every_name() -> None:
    made = script("python_page")
    said = made.TRAINING.read_text(encoding="utf-8")
    assert said == made.training_page(), "run `scripts/docs`"
    assert re.findall(r"^## `(\w+)`$", said, re.MULTILINE) == noughts.training.__all__ == dir(noughts.training)
    assert all(f"{name}(" in said for name in dir(noughts.training)), "a call of each"


@pytest.mark.slow
def test_the_page_of_claims_is_current() -> None:
    test_a_page_is_current("claims_page")


def test_every_claim_of_the_five_writings_is_there_and_some_are_current() -> None:
    claims = script("claims_page")
    page = claims.PAGE.read_text(encoding="utf-8")
    assert all(
        f"**{number}.** {claim.says}" in page
        for _, _, listed in claims.writings()
        for number, claim in enumerate(listed, 1)
    )
    for _, _, listed in claims.writings():
        for number in range(1, len(listed) + 1, 4):
            assert "\n".join(claims.lines(number, listed[number - 1])) in page, "run `scripts/docs`"
    assert [len(listed) for _, _, listed in claims.writings()] == [33, 15, 17, 13, 28]
    assert all(claim.steps for _, _, listed in claims.writings() for claim in listed)


HELD = {
    "same 3x3 X../.../... .../.../..X": ["Yes, they ...", "~X . . . . ."],
    ">>> print('Yes,')\n>>> print('they are', 'the same')": ["Yes,", "the same"],
    "/3x3/p/X__-___-___": ["O to move ...", "~Before"],
}


@pytest.mark.parametrize("step", HELD)
def test_a_claim_that_does_not_hold_is_noticed(step: str) -> None:
    claims = script("claims_page")
    assert claims.carrying(step, HELD[step])[0] == HELD[step][0].replace(claims.CUT, "…")
    with pytest.raises(ValueError, match="'nowhere' does not stand in what it prints"):
        claims.carrying(step, [*HELD[step], "nowhere"])


def numbers_in(text: str) -> set[str]:
    """Return the numbers with grouping commas: those are the claims."""
    return set(re.findall(r"\d{1,3}(?:,\d{3})+", text))


def test_every_number_in_the_readme_can_be_found_with_its_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "reference" / "numbers.md").read_text(encoding="utf-8")
    assert numbers_in(readme) <= numbers_in(page)


def test_british_spelling() -> None:
    american = r"\b(color|colors|center|centered|neighbor|behavior|stabilizer|canonicalize|analyze|license)\b"
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert re.findall(american, prose, flags=re.IGNORECASE) == [], page


# The glossary has the word of every verb, and no word twice.

GLOSSARY = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")


def test_every_verb_has_its_word() -> None:
    words = set(re.findall("[a-z]+", GLOSSARY.lower()))
    assert sorted(set(VERBS) - words) == []


# The page of slips has each slip of the data, and what it says of moves and calls is so.

PAGE = Path(__file__).parent.parent.parent / "docs" / "explanation" / "slips.md"


def test_the_page_has_every_slip_that_is_known() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for entry in numbers("slip"):
        assert f"{int(entry['value']):,}" in text


def test_moves_a_side_and_calls() -> None:
    """Five moves of X and four of O fill the board; a blind X can make nine calls, and no strategy more."""
    last = [record.position for record in noughts.positions("3x3", ply=9)]
    assert {(position.x.bit_count(), position.o.bit_count()) for position in last} == {(5, 4)}
    strategy = noughts.solve_blindfold("3x3").strategy
    assert strategy is not None

    def depth(branches: Mapping[Any, Any]) -> int:
        return max((1 + depth(plan.branches) for plan in branches.values()), default=0)

    assert depth(strategy.branches) == 9
