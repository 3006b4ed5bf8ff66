"""docs/reference/facts.md: each number in one sentence, with its convention, source and command, computed on the spot.

python scripts/facts_page.py             print the page
python scripts/facts_page.py --write     write it
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "scripts"))

from number_page import answer, grouped

import noughts

PAGE = ROOT / "docs" / "reference" / "facts.md"
FACTS = ROOT / "scripts" / "facts.toml"

HEAD = """\
# Facts to print

Each number in one sentence that you can print as it is, with what it counts, its source, and its command.
`scripts/facts_page.py` makes this page by running the commands. There are more [numbers](numbers.md), and
`noughts whatis NUMBER` explains others.
"""

CITE = """\
## How to cite

As software: *The noughts authors, noughts {version}: exact analysis of tic-tac-toe and its relatives*, with the command
that computed the number. `CITATION.cff` has the same for reference managers.

In a text: "255,168 games, every order of moves counted, play stops at three in a row (noughts {version})". Cite the
source named above, too.
"""


@dataclass(frozen=True)
class Fact:
    """One sentence with numbers in it: `values` are read from what the command prints, in which `holds` has to hold."""

    sentence: str
    convention: str
    source: str
    command: str
    values: Mapping[str, str]
    holds: Mapping[str, str] = field(default_factory=dict)


def facts() -> list[tuple[str, list[Fact]]]:
    """Return the facts under their headings, as the file lists them."""
    listed = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    return [(group["heading"], [Fact(**each) for each in group["fact"]]) for group in listed["group"]]


def read(record: Any, path: str) -> object:
    """Return what a record holds at a path such as `totals.finished` or `positions[name=reachable].count`."""
    for step in path.split("."):
        name, bracket, wanted = step.partition("[")
        record = record[name]
        if bracket:
            key, _, value = wanted.removesuffix("]").partition("=")
            record = next(each for each in record if str(each[key]) == value)
    return record


def spoken(value: object) -> str:
    """Return a value as a sentence has it: counts in groups of three digits, fractions as they are."""
    text = str(value)
    return grouped(text) if text.lstrip("-").isdigit() else text


def lines(fact: Fact) -> list[str]:
    """Return the lines of the page about one fact."""
    record = answer(fact.command)
    for path, wanted in fact.holds.items():
        if str(read(record, path)) != wanted:
            raise ValueError(f"{fact.command}: {path} is not {wanted}, as the sentence has it: {fact.sentence}")
    found = {name: spoken(read(record, path)) for name, path in fact.values.items()}
    convention = spoken(read(record, "convention")) if fact.convention == "*" else fact.convention
    return [
        fact.sentence.format(**found),
        "",
        f"- Counted: {convention}.",
        f"- Source: {fact.source}. Command: `noughts {fact.command}`.",
        "",
    ]


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for heading, group in facts():
        parts.append("\n".join([f"## {heading}", "", *(line for fact in group for line in lines(fact))]))
    return "\n".join([*parts, CITE.format(version=noughts.__version__)])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page())
