"""Sequences over boards: `1x1..12x12` is one term for each board, as a table or as the OEIS wants it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.counting.census import Census
from noughts.counting.question import Question
from noughts.counting.words import command_of, shared_convention
from noughts.domain.arguments import wrong_type
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError, shown
from noughts.domain.frozen import short
from noughts.domain.specification import Specification, format_specification, parse_specification
from noughts.reports.counts.drafts import Draft, draft_text
from noughts.reports.forms import Forms, as_json
from noughts.reports.page import Look, Report
from noughts.reports.tables import Table, as_csv, as_latex, as_markdown
from noughts.reports.text import as_text

__all__ = ["BoardRange", "Terms", "asked", "board_in_words", "forms", "parse_range", "sequence_name"]

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
    if not isinstance(text, str):
        raise wrong_type("a range of boards", text, "text such as 1x1..12x12")
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


def forms(text: str, column: str, answer: Callable[[Board], Census], look: Look) -> Forms:
    """Return one total for each board of a range, in every form; each board is counted when its term is asked for.

    Making one raises InputError for a range that makes no sense, BudgetError for a term that cannot be had, after
    giving what was counted before.
    """
    boards = parse_range(text)

    def made(write: Callable[[Terms], str], room: int | None = None) -> Callable[[], Iterator[str]]:
        return lambda: _counted(column, boards, answer, write, room)

    def table(write: Callable[[Table], str]) -> Callable[[], Iterator[str]]:
        return made(lambda terms: write(_table(terms)) + "\n")

    return {
        "table": made(lambda terms: as_text(_report(terms), look)),
        "json": made(lambda terms: as_json(terms.as_dict())),
        "csv": table(as_csv),
        "markdown": table(as_markdown),
        "latex": table(as_latex),
        "bfile": lambda: (
            f"{n} {_term(answer(board), column)}\n" for n, board in enumerate(boards.boards, boards.first)
        ),
        "oeis": made(_oeis, _DATA_LIMIT),
    }


@dataclass(frozen=True, repr=False)
class Terms:
    """The totals of one column, one for each board of a range, as far as they have been counted."""

    column: str
    boards: BoardRange
    found: tuple[Census, ...]

    def __repr__(self) -> str:
        return f"<Terms: {short(self.column)} on {len(self.found)} of {len(self.boards.boards)} boards>"

    @property
    def terms(self) -> tuple[int, ...]:
        """The totals."""
        return tuple(_term(census, self.column) for census in self.found)

    @property
    def words(self) -> str:
        """What is counted on which boards."""
        return f"{self.column.replace('_', ' ')} on {_boards(self.found)}"

    @property
    def convention(self) -> str:
        """The convention of all the terms, in words: what holds on each of their boards."""
        return shared_convention([census.question for census in self.found])

    def as_dict(self) -> dict[str, Any]:
        """Return the terms as a record: counts as decimal strings."""
        return {
            "column": self.column,
            "convention": self.convention,
            "terms": [
                {"n": n, "board": census.question.board.spec, "value": str(term), "engine": census.engine}
                for n, (census, term) in enumerate(zip(self.found, self.terms, strict=True), self.boards.first)
            ],
        }


def _counted(
    column: str, boards: BoardRange, answer: Callable[[Board], Census], write: Callable[[Terms], str], room: int | None
) -> Iterator[str]:
    """Count the boards, as many as fill `room` characters, and give the text; also where a term cannot be had."""
    found: list[Census] = []
    length = 0
    try:
        for board in boards.boards:
            if room is not None and length > room:
                break  # the line is full
            census = answer(board)
            length += len(str(_term(census, column))) + 2 * bool(found)
            found.append(census)
    except BaseException:  # what was counted is not thrown away
        if found:
            yield write(Terms(column, boards, tuple(found)))
        raise
    yield write(Terms(column, boards, tuple(found)))


def _boards(found: Sequence[Census]) -> str:
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


def _table(terms: Terms) -> Table:
    rows = [
        [str(n), census.question.board.spec, f"{term:,}", census.engine]
        for n, (census, term) in enumerate(zip(terms.found, terms.terms, strict=True), terms.boards.first)
    ]
    return Table(["n", "board", terms.column, "engine"], rows, frozenset({1, 3}))


def _report(terms: Terms) -> Report:
    return Report.of([f"{terms.words} ({terms.convention})."], [_table(terms)])


def _oeis(terms: Terms) -> str:
    name = f"{sequence_name(terms.column, terms.found[0].question.same)} on {_general(terms.boards)}"
    question = terms.found[0].question
    low, high = (terms.found[end].question.board.spec for end in (0, -1))
    boards = low if len(terms.found) == 1 else f"{low}..{high}"
    command = asked(question).replace(f" {question.board.spec} ", f" {boards} ", 1)
    draft = Draft(
        f"{name}: {terms.convention}",
        terms.terms,
        terms.boards.first,
        f"{command} --column {terms.column} --format bfile",
        [census.engine for census in terms.found],
    )
    return draft_text(draft)


def asked(question: Question) -> str:
    """Return the command that asks a question, with its start and its last ply."""
    command = command_of(question)
    if question.start is not None:
        command += f" --from '{question.start}'"
    if question.to_ply is not None:
        command += f" --to-ply {question.to_ply}"
    return command


def sequence_name(column: str, same: str) -> str:
    """Return what a column counts, as the name of a sequence begins: `Number of games that X wins`."""
    positions = "positions" if same == "labelled" else "position classes"
    return "Number of " + {
        "positions": positions,
        "terminal_positions": f"{positions} in which the game is over",
        "terminal_x": f"{positions} in which X has won",
        "terminal_o": f"{positions} in which O has won",
        "terminal_draw": f"{positions} in which the game is drawn",
        "paths": "games, finished or open,",
        "finished": "games that end",
        "x_wins": "games that X wins",
        "o_wins": "games that O wins",
        "draws": "games that are drawn",
    }.get(column, column.replace("_", " "))


def _general(boards: BoardRange) -> str:
    """Return the boards of a range with n for the side that grows: `an n X n board with n in a row`."""
    spellings = [board.specification for board in boards.boards if board.specification is not None]
    first, last = spellings[0], spellings[-1]

    def term(at_first: int, at_last: int) -> str:
        more = at_first - boards.first
        return (
            str(at_first) if at_first == at_last else f"(n + {more})" if more > 0 else f"(n - {-more})" if more else "n"
        )

    sides = " X ".join(term(a, b) for a, b in zip(first.sides, last.sides, strict=True))
    on = _with_article(sides, torus=first.torus)
    growth = {each.k - first.k - n for n, each in enumerate(spellings)}
    if growth == {0} or len({each.k for each in spellings}) == 1:
        return f"{on} with {term(first.k, last.k)} in a row"
    return f"{on} with as many in a row as its shortest side has cells"


def board_in_words(board: Board) -> str:
    """Return a board as the name of a sequence says it: `a 3 X 3 board with 3 in a row`; its own name where it has one.

    Whether a line wins or loses is not said.
    """
    said = board.specification
    if said is None:
        return str(board)
    return f"{_with_article(' X '.join(map(str, said.sides)), torus=said.torus)} with {said.k} in a row"


def _with_article(sides: str, *, torus: bool) -> str:
    article = "an" if re.match("[n8]|1[18]( |$)", sides) else "a"
    return f"{article} {sides} {'torus' if torus else 'board'}"
