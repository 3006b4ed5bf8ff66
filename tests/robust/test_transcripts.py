"""What every verb says of every family of boards is what it said before, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts.cli.main import VERBS
from tests.robust.transcript import FAMILIES, FOLDER, played, steps

pytestmark = pytest.mark.usefixtures("remembered")

NAMES = sorted(path.stem for path in FOLDER.iterdir())


def test_every_verb_has_a_transcript() -> None:
    assert sorted(VERBS) == NAMES, "add the commands to tests/robust/transcripts and run scripts/transcripts.py --write"


@pytest.mark.parametrize("verb", NAMES)
def test_a_transcript_asks_about_every_family_of_boards(verb: str) -> None:
    asked = steps((FOLDER / f"{verb}.txt").read_text(encoding="utf-8"))
    families = [step.family for step in asked if step.family]
    assert [family.partition(":")[0] for family in families] == list(FAMILIES)
    for at, step in enumerate(asked):
        if step.command:
            last = at + 1 == len(asked) or bool(asked[at + 1].family)
            assert step.command.split()[1] == verb or not last, "what else is asked comes before"
        else:
            alone = at + 1 == len(asked) or bool(asked[at + 1].family)
            assert alone == (": " in step.family), f"{step.family}: a command, or the reason why there is none"


@pytest.mark.parametrize("verb", NAMES)
def test_a_verb_says_what_it_said(verb: str, tmp_path: Path) -> None:
    """Where this is meant to change: scripts/transcripts.py --write, and read what changed."""
    kept = (FOLDER / f"{verb}.txt").read_text(encoding="utf-8")
    assert played(kept, tmp_path).splitlines() == kept.splitlines()
