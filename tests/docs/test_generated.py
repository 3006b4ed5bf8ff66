"""What is generated in the documentation is what generating it gives: if not, run `scripts/docs`."""

from __future__ import annotations

import re
from pathlib import Path

import noughts.training
from tests.docs.test_sessions import script

ROOT = Path(__file__).parent.parent.parent


def test_the_page_of_numbers_is_current() -> None:
    made = script("number_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_the_page_of_facts_is_current() -> None:
    made = script("facts_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_the_page_of_the_python_interface_is_current() -> None:
    made = script("python_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_the_page_of_training_is_current_and_has_every_name() -> None:
    made = script("python_page")
    said = made.TRAINING.read_text(encoding="utf-8")
    assert said == made.training_page(), "run `scripts/docs`"
    assert re.findall(r"^## `(\w+)`$", said, re.MULTILINE) == noughts.training.__all__ == dir(noughts.training)
    assert all(f"{name}(" in said for name in dir(noughts.training)), "a call of each"


def test_the_page_of_verbs_is_current() -> None:
    made = script("verbs_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_the_datasheet_is_current() -> None:
    made = script("data_page")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run `scripts/docs`"


def test_the_picture_of_the_three_questions_is_current() -> None:
    made = script("three_questions")
    assert made.PICTURE.read_text(encoding="utf-8") == str(made.draw()), "run `scripts/docs`"


def test_the_picture_of_a_frontier_is_current() -> None:
    made = script("frontier_picture")
    assert made.PICTURE.read_text(encoding="utf-8") == str(made.draw()), "run `scripts/docs`"


def test_the_picture_of_what_is_learned_is_current() -> None:
    made = script("learning_picture")
    assert made.PICTURE.read_text(encoding="utf-8") == str(made.draw()), "run `scripts/docs`"


def test_the_words_beside_the_picture_name_its_numbers() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    words = readme[readme.index("![A tree") : readme.index("](docs/three-questions.svg)")]
    assert [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\d", words)] == list(
        script("three_questions").numbers().values()
    )


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
