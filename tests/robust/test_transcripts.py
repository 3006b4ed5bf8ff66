"""What every verb says of every family of boards is what it said before, reads well, and suggests what works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from noughts.cli.main import main
from noughts.verbs.table import VERBS
from tests.dear import dear, sample
from tests.robust.transcript import FAMILIES, FOLDER, played, steps

pytestmark = pytest.mark.usefixtures("remembered")

KEPT = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.iterdir())}
AWKWARD = {
    "a number of one with a plural": r"\b(?<![,./-])1 (nodes|moves|places|boards|replies|edges|games|plies|points)\b",
    "one thing that `are`": r"\bkeep this are\b|moves are [a-z]\d[,.]? ?$|moves are [a-z]\d\.(?!\d)",
    "a probability that is no chance": r"probability [01](?![/\d])|, O with [01](?![/\d])|and [01] are draws",
    "the empty board spelt out": r"from \.+(/\.+)*(?=[\s:])",
    "none of them said as a number": r"\b0 of them\b",
    "a length in plies": r"wins.* in \d+ pl(y|ies)|plies left|\d more\)",
    "a first one that `are`": r"[Ff]irst 1 (of|are)",
    "two dots": r"(?<![./XO|\"])\.\.(?![./XO|\\])",
}


def test_every_verb_has_a_transcript_that_asks_about_every_family_of_boards() -> None:
    assert sorted(VERBS) == [*KEPT], (
        "add the commands to tests/robust/transcripts and run scripts/transcripts.py --write"
    )
    for verb, text in KEPT.items():
        asked = steps(text)
        assert [step.family.partition(":")[0] for step in asked if step.family] == list(FAMILIES), verb
        for at, step in enumerate(asked):
            last = at + 1 == len(asked) or bool(asked[at + 1].family)
            if step.command:
                assert step.command.split()[1] == verb or not last, "what else is asked comes before"
            else:
                assert last == (": " in step.family), f"{step.family}: a command, or the reason why there is none"


@pytest.mark.parametrize("verb", sample(KEPT, 4))
def test_a_verb_says_what_it_said(verb: str, tmp_path: Path) -> None:
    """Where this is meant to change: scripts/transcripts.py --write, and read what changed."""
    assert played(KEPT[verb], tmp_path).splitlines() == KEPT[verb].splitlines()


def test_sentences_read_well() -> None:
    said = [f"{verb}: {line[2:]}" for verb, text in KEPT.items() for line in text.splitlines() if line.startswith(">")]
    found = [(what, line) for what, awkward in AWKWARD.items() for line in said if re.search(awkward, line)]
    assert found == []


def suggestions(verb: str) -> set[str]:
    """The commands under `Try next:`, each up to a `&&`; none is the one that was asked."""
    found = set()
    for asked in re.split(r"^\$ ", KEPT[verb], flags=re.MULTILINE):
        here = re.findall(r"^>   (noughts .*)$", asked.partition("Try next:\n")[2], re.MULTILINE)
        assert asked.split("\n")[0] not in here
        found |= {command.partition(" && ")[0] for command in here}
    return {command for command in found if " play " not in command}


@pytest.mark.parametrize("verb", dear(KEPT, *(KEPT.keys() - {"explain", "openings", "tree"})))
def test_suggestions_work(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in sorted(suggestions(verb)):
        with pytest.raises(SystemExit) as ended:
            main(shlex.split(command)[1:])
        assert ended.value.code in (0, None), command
