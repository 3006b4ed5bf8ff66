"""The glossary has the word of every verb, and no word twice."""

from __future__ import annotations

import re
from pathlib import Path

from noughts.cli.main import VERBS

GLOSSARY = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")


def test_every_verb_has_its_word() -> None:
    words = set(re.findall("[a-z]+", GLOSSARY.lower()))
    assert sorted(set(VERBS) - words) == []


def test_no_word_stands_there_twice() -> None:
    rows = re.findall(r"^\| (\*\*.*?) \|", GLOSSARY, re.MULTILINE)
    words = [word for row in rows for word in re.findall(r"\*\*(.+?)\*\*", row)]
    assert len(words) > 70
    assert sorted(words) == sorted(set(words))
