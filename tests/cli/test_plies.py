"""`solve --by-ply` in every form: the numbers of all, recounted from the rules alone."""

from __future__ import annotations

import csv
import io
from collections import Counter
from functools import cache

import pytest

from tests.cli.conftest import Result


def recounted(rows: int, columns: int, k: int, misere: bool) -> dict[int, Counter[str]]:
    """Return the reachable positions of each ply by outcome under best play, from the rules, without the package."""
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    lines = []
    for r, c in cells:
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(r + i * dr, c + i * dc) for i in range(k)]
            if all(0 <= y < rows and 0 <= x < columns for y, x in line):
                lines.append(frozenset(y * columns + x for y, x in line))
    found: dict[int, Counter[str]] = {}

    @cache
    def value(x: frozenset[int], o: frozenset[int]) -> str:
        ply = len(x) + len(o)
        mover = "XO"[ply % 2]
        if any(line <= marks for line in lines for marks in (x, o)):
            last = "XO"[(ply - 1) % 2]
            outcome = last if not misere else mover
        elif ply == len(cells):
            outcome = "draw"
        else:
            free = set(range(len(cells))) - x - o
            after = {value(x | {c}, o) if mover == "X" else value(x, o | {c}) for c in free}
            outcome = next(each for each in (mover, "draw", "XO".replace(mover, "")) if each in after)
        found.setdefault(ply, Counter())[outcome] += 1
        return outcome

    value(frozenset(), frozenset())
    return found


@pytest.mark.parametrize(
    ("spec", "game"), [("3x3", (3, 3, 3, False)), ("2x4:3", (2, 4, 3, False)), ("3x3+misere", (3, 3, 3, True))]
)
def test_csv_bfile_and_oeis_hold_the_recounted_numbers(run, spec, game):
    wanted = recounted(*game)
    result: Result = run("solve", spec, "--by-ply", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [int(row["ply"]) for row in rows] == sorted(wanted)
    for row in rows:
        split = wanted[int(row["ply"])]
        told = [int(row[name]) for name in ("x_wins", "draws", "o_wins", "positions")]
        assert told == [split["X"], split["draw"], split["O"], split.total()]
    for column, outcome in (("x_wins", "X"), ("draws", "draw"), ("o_wins", "O")):
        terms = [wanted[ply][outcome] for ply in sorted(wanted)]
        lines = run("solve", spec, "--by-ply", "--format", "bfile", "--column", column).out.splitlines()
        assert lines == [f"{ply} {term}" for ply, term in enumerate(terms)]
        oeis = run("solve", spec, "--by-ply", "--format", "oeis", "--column", column).out.splitlines()
        assert oeis[1] == f"Data: {', '.join(map(str, terms))}"


def test_a_chart_says_what_it_counts(run):
    chart = run("solve", "3x4:3", "--by-ply", "--same", "symmetry", "--format", "svg").out
    assert chart.startswith("<svg")
    assert "3x4:3: position classes by ply and outcome" in chart


@pytest.mark.parametrize(
    "words", [["--format", "csv"], ["a1", "--format", "bfile"], ["--column", "x_wins"], ["-o", "answer.svg"]]
)
def test_what_is_about_all_positions_needs_by_ply(run, words):
    result = run("solve", "3x3", *words)
    assert result.code == 2
    assert "add --by-ply" in result.one_sentence()
