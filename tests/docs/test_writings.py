"""Every number that stands in the five writings is known, at once; those of the derivations are listed again here."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial
from pathlib import Path
from time import monotonic

import pytest

from noughts import whatis
from noughts.analysis.meanings.known import published_readings
from noughts.analysis.meanings.meaning import computed
from noughts.known import writings
from tests.dear import dear

LISTED = tomllib.loads(Path(__file__).with_name("writings.toml").read_text(encoding="utf-8"))
NUMBERS = sorted({number for parts in LISTED.values() for numbers in parts.values() for number in numbers})
ROWS = [(part["source"], row) for part in writings() for row in part["rows"]]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@pytest.mark.parametrize("every", dear([31, 1], 1))
def test_every_number_of_a_writing_is_known_without_a_search(every: int) -> None:
    assert set(LISTED) == {"mathrec", "riddler", "shourd", "pendolino", "clojure"}
    for number in [*NUMBERS][::every]:
        found = whatis(number, carried=True)
        assert found.matches, number
        assert (found.boards, found.cut) == ((), True), number
    for number in ("162433", "7/13", "103681"):
        assert not any(str(each.value) == number for each in published_readings())


@pytest.mark.parametrize(("source", "row"), ROWS, ids=[f"{row['n']}-{i}" for i, (_, row) in enumerate(ROWS)])
def test_a_number_of_a_derivation_follows_from_known_numbers(source: str, row: dict[str, str]) -> None:
    """Its formula gives it, and each number of three digits or more in the formula is known too."""
    if "by" not in row:
        exact = row.get("near", row["n"])
        readings = [each for each in whatis(exact, board="3x3").matches if not each.published]
        assert readings
        assert source.startswith("Tic-Tac-Toe Analysis")
        return
    assert str(computed(row["by"])) == row["n"]
    for word in row["by"].split():
        if word.isdigit() and int(word) >= 100:
            assert whatis(word, carried=True).cut, word


def held(cells: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the lines that a set of cells holds."""
    own = set(cells)
    return [line for line in LINES if own.issuperset(line)]


def test_the_sums_of_the_derivations_by_listing_all_orders() -> None:
    """Sequences in which a player's line is completed at a ply, all of them and those after a line of the other."""
    has = {cells: bool(held(cells)) for many in range(6) for cells in map(frozenset, combinations(range(9), many))}
    gross, late = Counter[int](), Counter[int]()
    for ply in (6, 7, 8):
        for order in permutations(range(9), ply):
            own, other = frozenset(order[(ply - 1) % 2 :: 2]), frozenset(order[ply % 2 :: 2])
            if has[own] and not has[own - {order[-1]}]:
                gross[ply] += 1
                late[ply] += has[other]
    assert {str(each) for each in (*gross.values(), *late.values())} <= {row["n"] for _, row in ROWS}
    assert [computed("8 * 3! * 3 * 6 * 5 * 4 * 3 * 2"), gross[8] - late[8]] == [gross[8], 72576]
    removed = sum((gross[ply] - late[ply]) * factorial(9 - ply) for ply in (6, 7)) + 1440 * factorial(4)
    [reading] = whatis(removed, carried=True).matches
    assert reading.convention == "mathrec.org, January 2002"


def test_choices_of_cells_in_the_derivations() -> None:
    fives = [held(cells) for cells in combinations(range(9), 5)]
    others = [held(set(range(9)) - set(cells)) for cells in combinations(range(9), 5)]
    diagonals = LINES[6:]
    one = [(lines[0] in diagonals, bool(other)) for lines, other in zip(fives, others, strict=True) if len(lines) == 1]
    assert Counter(one) == {(True, False): 16, (False, False): 24, (False, True): 36}
    assert sum(len(lines) == 2 for lines in fives) == 22
    assert sum(not lines and not other for lines, other in zip(fives, others, strict=True)) == 16


def test_the_part_of_losing_replies() -> None:
    part = [each for each in whatis("7/12", carried=True).matches if each.value == Fraction(7, 12)]
    assert [each.command for each in part] == ["noughts openings 3x3"]
    assert {each.value for each in whatis("58%", carried=True).matches} >= {Fraction(7, 12)}
    assert whatis("58%", carried=True).matches[0].value == Fraction(7, 12)
    assert not any(each.value == Fraction(7, 12) for each in whatis("59%", quick=True).matches)


def test_a_slip_names_the_writing_in_which_it_stands() -> None:
    for number, writing in (("311040", "Riddler"), ("5812", "Shourd"), ("7", "mathrec.org"), ("9", "Riddler")):
        [slip] = [each for each in whatis(number, carried=True).matches if each.slip]
        assert writing in slip.convention
    assert "103,680" in next(each.what for each in whatis("311040", carried=True).matches)


def test_a_carried_number_needs_no_engine() -> None:
    code = "import sys; from noughts import whatis; whatis('162432', carried=True); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "noughts.analysis.meanings.readings" not in done.stdout.split()
    assert "noughts.analysis.meanings.known" in done.stdout.split()


def test_a_search_ends_soon_after_its_time() -> None:
    started = monotonic()
    found = whatis(162433, time=0.3)
    assert (found.stopped, found.cut, found.matches) == (True, True, ())
    assert monotonic() - started < 3
    assert set(found.boards) <= {"3x3:3", "2x2"}
