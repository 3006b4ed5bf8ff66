"""Sequences over boards: `1x1..12x12` is one term for each board, printed as a table or as the OEIS wants it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from noughts.counting.census import COLUMNS, Census
from noughts.counting.words import convention
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.specification import Specification, format_specification, parse_specification
from noughts.reports.tables import Table, as_csv, as_latex, as_markdown, show, wrapped

__all__ = ["BoardRange", "oeis_lines", "parse_range", "print_sequence"]

FORMS = ("table", "json", "csv", "markdown", "latex", "bfile", "oeis")

_DATA_LIMIT = 260
_EXAMPLE = "write it as 1x1..12x12, 3x3:3..3x10:3 or 3x1..3x9"


@dataclass(frozen=True)
class BoardRange:
    """A row of boards, and the number n that each stands for: the first of the sides that grow."""

    boards: tuple[Board, ...]
    first: int


def parse_range(text: str) -> BoardRange:
    """Return the boards from one to another, the sides that differ growing together by one. Raises InputError.

    The length of a line grows too if it is given at both ends and differs; where it is given at neither it is the
    shortest side of each board.
    """
    ends = text.split("..")
    if len(ends) != 2 or not all(ends):
        raise InputError(f"{shown(text)} is no range of boards: {_EXAMPLE}")
    low, high = (parse_specification(end) for end in ends)
    if (":" in ends[0]) != (":" in ends[1]):
        k = (high if ":" in ends[1] else low).k
        both = "..".join(f"{end.split(':')[0]}:{k}" for end in ends)
        raise InputError(f"{shown(text)} gives the length of a line at one end only: give it at both, as in {both}")
    if len(low.sides) != len(high.sides) or (low.torus, low.misere) != (high.torus, high.misere):
        raise InputError(f"{shown(text)} goes from one kind of board to another: {_EXAMPLE}")
    spans = [b - a for a, b in zip(low.sides, high.sides, strict=True)]
    length = max(spans)
    k_span = high.k - low.k if ":" in ends[0] else 0
    if any(span not in (0, length) for span in (*spans, k_span)) or min(spans) < 0:
        raise InputError(f"{shown(text)} has sides that do not grow together: {_EXAMPLE}")
    boards = []
    for n in range(length + 1):
        sides = tuple(a + n if span else a for a, span in zip(low.sides, spans, strict=True))
        k = (low.k + n if k_span else low.k) if ":" in ends[0] else min(sides)
        boards.append(Board.parse(format_specification(Specification(sides, k, low.torus, low.misere))))
    growing = next((a for a, span in zip(low.sides, spans, strict=True) if span), low.sides[0])
    return BoardRange(tuple(boards), growing)


def print_sequence(text: str, form: str, column: str, answer: Callable[[Board], Census]) -> None:
    """Print one total for each board of a range. Raises InputError, and BudgetError for a term that cannot be had."""
    if form not in FORMS:
        raise InputError(f"--format {shown(form)} has no place for a range of boards: use one of {', '.join(FORMS)}")
    if column not in COLUMNS:
        raise InputError(f"--column {shown(column)} is not known: use one of {', '.join(COLUMNS)}")
    boards = parse_range(text)
    if form == "bfile":
        for n, board in enumerate(boards.boards, boards.first):
            print(n, _term(answer(board), column), flush=True)
        return
    found: list[Census] = []
    terms: list[int] = []
    try:
        for board in boards.boards:
            if form == "oeis" and len(", ".join(map(str, terms))) > _DATA_LIMIT:
                break  # the line is full
            census = answer(board)
            terms.append(_term(census, column))
            found.append(census)
    finally:  # what was counted is not thrown away where a term cannot be had
        if found:
            _print_found(form, column, boards, found, terms)


def _print_found(form: str, column: str, boards: BoardRange, found: list[Census], terms: list[int]) -> None:
    if form == "oeis":
        what = f"{column.replace('_', ' ')} on {_boards(found)}: {convention(found[0].question)}"
        for line in oeis_lines(terms, boards.first, what):
            print(line)
    elif form == "json":
        print(json.dumps(_record(column, boards, found, terms), indent=1))
    else:
        _print_table(form, column, boards, found, terms)


def _boards(found: list[Census]) -> str:
    """Return the boards in words: from the first to the last."""
    first, last = found[0].question.board.spec, found[-1].question.board.spec
    return first if len(found) == 1 else f"the boards {first} to {last}"


def _term(census: Census, column: str) -> int:
    term: int | None = getattr(census.totals, column)
    if term is None:
        raise BudgetError(
            f"no engine that fits gives the column {column} for {census.question.board}: shorten the range, or raise "
            "--memory or --time"
        )
    return term


def _record(column: str, boards: BoardRange, found: list[Census], terms: list[int]) -> dict[str, Any]:
    return {
        "column": column,
        "convention": convention(found[0].question),
        "terms": [
            {"n": n, "board": census.question.board.spec, "value": str(term), "engine": census.engine}
            for n, (census, term) in enumerate(zip(found, terms, strict=True), boards.first)
        ],
    }


def _print_table(form: str, column: str, boards: BoardRange, found: list[Census], terms: list[int]) -> None:
    rows = [
        [str(n), census.question.board.spec, f"{term:,}", census.engine]
        for n, (census, term) in enumerate(zip(found, terms, strict=True), boards.first)
    ]
    table = Table(["n", "board", column, "engine"], rows, frozenset({1, 3}))
    writers = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}
    if form in writers:
        print(writers[form](table))
        return
    print(wrapped(f"{column.replace('_', ' ')} on {_boards(found)} ({convention(found[0].question)})."))
    print()
    show(table)


def oeis_lines(terms: list[int], first: int, name: str) -> list[str]:
    """Return the name, the Data line of at most 260 characters, and the offset, as a submission to the OEIS has them.

    The second number of the offset is the place of the first term that is neither -1, 0 nor 1, from 1; 1 without any.
    """
    data = str(terms[0])
    for term in terms[1:]:
        longer = f"{data}, {term}"
        if len(longer) > _DATA_LIMIT:
            break
        data = longer
    if len(data) > _DATA_LIMIT:
        raise InputError(f"the first term has {len(data)} digits, and a Data line at most {_DATA_LIMIT}: use bfile")
    place = next((i for i, term in enumerate(terms, 1) if abs(term) > 1), 1)
    return [f"Name: {name}", f"Data: {data}", f"Offset: {first},{place}"]
