"""Every count on our own pages is one that `noughts whatis` knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from noughts.analysis.meanings.known import published_readings
from noughts.analysis.meanings.meaning import Meaning
from noughts.analysis.meanings.readings import FIRST, LARGER, SMALL, large_readings, readings_of, small_readings
from noughts.analysis.meanings.sources import blind_readings
from noughts.known import boards, load
from noughts.rules.board import Board
from noughts.solving.saving.plan import plan_saving
from tests.docs.test_sessions import script

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(page for folder in ("reference", "explanation", "tutorial") for page in (DOCS / folder).glob("*.md"))

_YEARS = {
    "a-puzzle-in-the-dark.md": {2018},
    "138-endings.md": {2022},
    "blindfold.md": {2003},
    "claims.md": {2002, 2012, 2018, 2022},
    "counting-without-listing.md": {1937, 2007},
    "how-many-games.md": {2002},
    "crib.md": {2024},
    "facts.md": {2002, 2012, 2018, 2022},
    "cribs.md": {2024},
    "slips.md": {2002, 2012, 2018, 2022},
    "proofs.md": {1973, 2007},
    "solving.md": {1973, 2007},
    "from-19683-to-96.md": {2012},
    "seven-tables.md": {2002},
    "three-questions.md": {2002},
}
_LIMITS = {
    "errors.md": {4_096, 1_000_000_000},  # cells
    "json.md": {400_000},  # steps of a search
    "python.md": {
        1_000,
        8_000,
        10_000,
        50_000,
        120_000,
        4_000_000,
    },  # generations, a port, rows, nodes, classes, questions
    "proofs.md": {2_000},  # symmetries
    "protocol.md": {4_096, 10_000, 1_048_576},  # bytes of a line, lines, bytes of an answer
    "verbs.md": {
        500,
        1_000,
        8_000,
        10_000,
        50_000,
        120_000,
        4_000_000,
    },  # bots, generations, a port, rows, nodes, classes, questions
}
_WORK = {
    "claims.md": {209, 4_625, 500_000},  # a chapter, schemes of points, "over" so many
    "facts.md": {4_045_893},  # a question's address
    "from-19683-to-96.md": {289, 500},  # genes, bots of a generation
    "python-training.md": {4_096, 100_000},  # games at once in an example, and games that are learned from
    "kernels.md": {1_066_576_975},  # moves made
}
_OTHER_READINGS = {
    "crib.md": {128},  # boards that play against a table meets
    "cribs.md": {120},  # entries of a smallest table, made in its session
    "every-trap.md": {269},  # traps of misere, listed in its session
    "seven-tables.md": {5_528},  # games of 3x3:2
    "three-questions.md": {1_754, 1_755},  # counted in tests/counting/test_engines.py
}
NO_COUNTS = {
    page: set().union(*(numbers.get(page, ()) for numbers in (_YEARS, _LIMITS, _WORK, _OTHER_READINGS)))
    for page in {*_YEARS, *_LIMITS, *_WORK, *_OTHER_READINGS}
}
"""For each page its numbers that count no games or positions (years, sizes, work done) or are counted elsewhere."""


def numbers_in(text: str) -> set[int]:
    """Return the whole numbers of three digits and more, those in names and in fractions left out."""
    found = re.finditer(r"(?<![\w.,/:^-])(\d{1,3}(?:,\d{3})+|\d{3,})(?![\w/]|[.,]\d)", text)
    return {int(match[1].replace(",", "")) for match in found}


def measured() -> set[int]:
    """Return the work done and the sizes in the table of values of boards, and the years and pages of its sources."""
    at_once = [row["bytes"] for row in boards() if is_proved_at_once(row)]
    forks = [row["bytes"] for row in boards() if is_won_by_a_fork(row)]
    listed = [row for row in boards() if not (is_proved_at_once(row) or is_won_by_a_fork(row))]
    rows = [f"{row.get('positions', 0):,} {row.get('bytes', 0):,} {row.get('remark', '')}" for row in listed]
    rows += [f"{min(each):,} {max(each):,}" for each in (at_once, forks)]
    rows += [*load("boards.toml")["sources"].values()]
    return numbers_in("\n".join(rows)) | {256} | tried()  # lines of one period


def tried() -> set[int]:
    """Return the numbers in what the page says of open boards on a torus and under misere."""
    return numbers_in("\n".join(script("values_page").tried()))


def is_proved_at_once(row: dict[str, Any]) -> bool:
    """Return whether blocking proves the draw of a board up to 8x8 without a search; the page gives their extremes."""
    return is_small(row) and row.get("positions") == 0 and row["engine"] == "blocking"


def is_won_by_a_fork(row: dict[str, Any]) -> bool:
    """Return whether a board up to 8x8 is won as folklore has it; the page gives the extremes of these proofs."""
    return is_small(row) and (row["value"], row.get("source")) == ("X", "folk")


def is_small(row: dict[str, Any]) -> bool:
    """Return whether a board is flat, of up to 8x8 and no torus."""
    flat = row["board"].partition(":")[0]
    return "+" not in row["board"] and flat.count("x") == 1 and max(map(int, flat.split("x"))) <= 8


def listed() -> set[int]:
    """Return the games in the tables of boards."""
    rows: list[dict[str, str]] = load("games.toml")["board"]
    return numbers_in("\n".join(f"{int(row['games']):,}" for row in rows if "games" in row))


def discovered() -> set[int]:
    """Return the numbers of a page that is made of carried data only."""
    return numbers_in(script("discoveries_page").page()) - known()


def planned() -> set[int]:
    """Return the entries of a table of 5x6."""
    return {plan_saving(Board.parse("5x6:4"), packed=True).entries}


@cache
def known() -> set[int]:
    """Return every number of the index."""
    first = Board.parse(FIRST)
    sources: list[Iterator[Meaning]] = [
        *(make() for make in readings_of(first)),
        *(small_readings(Board.parse(spec)) for spec in SMALL),
        *(large_readings(Board.parse(spec)) for spec in LARGER),
        blind_readings(first),
        published_readings(),
    ]
    return {int(reading.value) for reading in chain(*sources) if reading.value == int(reading.value)}


@pytest.mark.slow
def test_every_count_of_a_page_is_known() -> None:
    """And what is excepted is on the page."""
    index = known()
    tables = {"values.md": measured, "games-by-board.md": listed, "saving.md": planned, "discoveries.md": discovered}
    for page in PAGES:
        other = tables[page.name]() if page.name in tables else NO_COUNTS.get(page.name, set())
        numbers = numbers_in(page.read_text(encoding="utf-8"))
        assert (page.name, numbers - index - other, other - numbers) == (page.name, set(), set())
