"""The examples on the page of the format are certificates that hold, one for every kind of section, and no more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noughts.domain.errors import NoughtsError
from noughts.verification.proofs.judge import TITLES, judge_proof
from tests.verification.playjudge import accepts

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "proofs.md"
EXAMPLES = re.findall(r"```text\n(noughts proof 1\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.splitlines()[1])
def test_every_example_holds(text):
    judge_proof(text)
    assert "infinite" in text or accepts(text)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.splitlines()[1])
def test_no_line_of_an_example_can_be_left_out(text):
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith(("board", "from", "symmetries")) and not _is_symmetry(line):
            with pytest.raises(NoughtsError):
                judge_proof("\n".join(lines[:number] + lines[number + 1 :]))


def _is_symmetry(line: str) -> bool:
    words = line.split()
    return len(words) > 8 and set(words) == {str(number) for number in range(len(words))}


def test_every_kind_of_section_has_an_example():
    kinds = {kind for kind, _, _ in TITLES.values()}
    shown = {TITLES[line][0] for text in EXAMPLES for line in text.splitlines() if line in TITLES}
    assert shown == kinds
    assert any("\npairs " in text for text in EXAMPLES)
    assert any("- :" in text for text in EXAMPLES)
