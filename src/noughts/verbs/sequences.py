"""Sequences over boards: `1x1..12x12` gives one term for each board, as a table or as a draft for the OEIS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from noughts._version import __version__
from noughts.analysis.meanings.known import KnownSequence, known_sequences
from noughts.analysis.policies.counted import count
from noughts.counting.census import COLUMNS, Census
from noughts.counting.question import CountedThings, command_of, shared_convention
from noughts.present.forms import Forms, as_json
from noughts.present.report import Look, Report, Table, as_csv, as_latex, as_markdown
from noughts.present.text import as_text
from noughts.rules.arguments import one_of, wrong_type
from noughts.rules.board import Board, Specification, format_specification, parse_specification
from noughts.rules.errors import BudgetError, InputError, shown
from noughts.rules.values import Result

_DATA_LIMIT = 260
"""Most characters in a Data line of the OEIS."""
_EXAMPLE = "write it as 1x1..12x12, 3x3:3..3x10:3 or 3x1..3x9"


def draft_text(
    name: str, terms: Sequence[int], first: int, command: str, engines: Sequence[str], *, finite: bool = False
) -> str:
    """Return a draft entry for the OEIS.

    Parameters
    ----------
    name
        What the sequence counts.
    terms
        The terms, from number `first`.
    command
        The command that prints the b-file.
    engines
        The engine of each term.
    finite
        Whether the sequence has no further terms.
    """
    lines = oeis_lines(terms, first, name)
    is_whole = lines[1].count(",") + 1 == len(terms)
    known = next((each for each in known_sequences() if each.published and _is_the_same(each, terms, first)), None)
    kind = "nonn,fini" + ",full" * is_whole if finite else "nonn" + ",more" * is_whole
    lines += [
        f"Links: Table of n, a(n) for n = {first}..{first + len(terms) - 1} (the b-file is what the program prints)",
        'Links: <a href="/index/Th#TTT">Index entries for sequences related to tic-tac-toe</a>',
        f"Program: (Shell) {command} # noughts {__version__}",
    ]
    if known is not None:
        end = known.offset + len(known.published) - 1
        lines.append(f"Crossrefs: {known.id} has the terms from {known.offset} to {end}: {known.what}")
    lines += [f"Keywords: {kind}", f"Extensions: {_extensions(first, engines, known)}"]
    return "\n".join(lines) + "\n"


def _is_the_same(known: KnownSequence, terms: Sequence[int], first: int) -> bool:
    """Tell whether all common terms of two sequences agree, at least two of them above 1."""
    start = first - known.offset
    both = list(zip(known.published[max(start, 0) :], terms[max(-start, 0) :], strict=False))
    return sum(a > 1 for a, _ in both) > 1 and all(a == b for a, b in both)


def _extensions(first: int, engines: Sequence[str], known: KnownSequence | None) -> str:
    """Return the note on new terms, as far as the package knows the published ones."""
    if known is None:
        nothing = "none, because no sequence in noughts has these terms"
        return f"{nothing}; look the terms up at oeis.org before submitting them as new"
    new, last = max(known.offset + len(known.published), first), first + len(engines) - 1
    if known.finite or last < new:
        return f"none, because {known.id} has all these terms"
    by = list(dict.fromkeys(engines[new - first :]))
    named = f"a({new})" if new == last else f"a({new})-a({last})"
    return f"{named} from _Your Name_, by the engine{'s' * (len(by) > 1)} {' and '.join(by)} of noughts {__version__}"


def oeis_lines(terms: Sequence[int], first: int, name: str) -> list[str]:
    """Return the name, the Data line of at most 260 characters, and the offset of a submission to the OEIS.

    The second number of the offset is the place, from 1, of the first term above 1 in size; 1 if there is none.
    """
    data = str(terms[0])
    if len(data) > _DATA_LIMIT:
        raise InputError(f"the first term has {len(data)} digits, and a Data line at most {_DATA_LIMIT}: use bfile")
    for term in terms[1:]:
        if len(f"{data}, {term}") > _DATA_LIMIT:
            break
        data = f"{data}, {term}"
    place = next((i for i, term in enumerate(terms, 1) if abs(term) > 1), 1)
    return [f"Name: {name}", f"Data: {data}", f"Offset: {first},{place}"]


@dataclass(frozen=True)
class BoardRange:
    """A range of boards; `first` is the number n of the first board, its first side that grows."""

    boards: tuple[Board, ...]
    first: int


def parse_range(text: str) -> BoardRange:
    """Return the boards of a range, in which the sides that differ grow together by one. Raises InputError.

    A line length that differs between the ends grows too. Without line lengths each board has that of its shortest
    side.
    """
    if not isinstance(text, str):
        raise wrong_type("a range of boards", text, "text such as 1x1..12x12")
    ends = text.split("..")
    if len(ends) != 2 or not all(ends):
        raise InputError(f"{shown(text)} is not a range of boards: {_EXAMPLE}")
    low, high = (parse_specification(end) for end in ends)
    says_k = ":" in ends[0]
    if says_k != (":" in ends[1]):
        both = "..".join(f"{end.split(':')[0]}:{low.k if says_k else high.k}" for end in ends)
        raise InputError(f"{shown(text)} has a line length at one end only: give it at both, as in {both}")
    if len(low.sides) != len(high.sides) or (low.torus, low.rules) != (high.torus, high.rules):
        raise InputError(f"{shown(text)} mixes two kinds of board: {_EXAMPLE}")
    spans = [b - a for a, b in zip(low.sides, high.sides, strict=True)]
    length, k_span = max(spans), high.k - low.k if says_k else 0
    if any(span not in (0, length) for span in (*spans, k_span)) or min(spans) < 0:
        raise InputError(f"{shown(text)} has sides that do not grow together: {_EXAMPLE}")
    boards = []
    for n in range(length + 1):
        sides = tuple(a + n if span else a for a, span in zip(low.sides, spans, strict=True))
        k = (low.k + n if k_span else low.k) if says_k else min(sides)
        boards.append(Board.parse(format_specification(Specification(sides, k, low.torus, low.rules))))
    growing = next((a for a, span in zip(low.sides, spans, strict=True) if span), low.sides[0])
    return BoardRange(tuple(boards), growing)


@dataclass(frozen=True, repr=False)
class Terms(Result):
    """The totals of one column for the boards of a range, as far as they have been counted."""

    column: str
    boards: BoardRange
    found: tuple[Census, ...]

    keys = "column convention terms=records"

    @property
    def terms(self) -> tuple[int, ...]:
        """The totals."""
        return tuple(_term(census, self.column) for census in self.found)

    @property
    def words(self) -> str:
        """The column and the boards, in words."""
        first, last = (self.found[end].question.board.spec for end in (0, -1))
        on = first if len(self.found) == 1 else f"the boards {first} to {last}"
        return f"{self.column.replace('_', ' ')} on {on}"

    @property
    def convention(self) -> str:
        """The convention of all terms, in words."""
        return shared_convention([census.question for census in self.found], of=_counted_things(self.column))

    @property
    def rows(self) -> list[tuple[int, str, int, str]]:
        """The number, name, term and engine of each board."""
        numbered = zip(self.found, self.terms, strict=True)
        return [
            (n, census.question.board.spec, term, census.engine)
            for n, (census, term) in enumerate(numbered, self.boards.first)
        ]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rows as records, with terms as decimal strings."""
        return [{"n": n, "board": board, "value": str(term), "engine": engine} for n, board, term, engine in self.rows]


def sequence(boards: str, *, column: str = "finished", **question: Any) -> Terms:
    """Return one total for each board of a range.

    Parameters
    ----------
    boards
        The range, such as `1x1..5x5` or `3x1..3x9`.
    column
        A column of a census.
    **question
        The arguments of `count`.

    Raises
    ------
    InputError
        For an invalid range; also every error of `count`.

    Examples
    --------
    >>> sequence("1x1..3x3", same="choices").terms
    (1, 3, 26830)
    """
    one_of("the column", column, COLUMNS)
    on = parse_range(boards)
    return Terms(column, on, tuple(count(board, **question) for board in on.boards))


def forms(text: str, column: str, answer: Callable[[Board], Census], look: Look) -> Forms:
    """Return one total for each board of a range, in every form; each term is counted when it is needed.

    Writing raises InputError for an invalid range. It raises BudgetError for a term over the budget, after the terms
    before it have been written.
    """
    terms = Terms(column, parse_range(text), ())

    def made(write: Callable[[Terms], str], room: int | None = None) -> Callable[[], Iterator[str]]:
        return lambda: _counted(terms, answer, write, room)

    def table(write: Callable[[Table], str]) -> Callable[[], Iterator[str]]:
        return made(lambda terms: write(_table(terms)) + "\n")

    numbered = list(enumerate(terms.boards.boards, terms.boards.first))
    return {
        "table": made(lambda terms: as_text(report(terms), look)),
        "json": made(lambda terms: as_json(terms.as_dict())),
        "csv": table(as_csv),
        "markdown": table(as_markdown),
        "latex": table(as_latex),
        "bfile": lambda: (f"{n} {_term(answer(board), column)}\n" for n, board in numbered),
        "oeis": made(draft_of, _DATA_LIMIT),
    }


def _counted(
    terms: Terms, answer: Callable[[Board], Census], write: Callable[[Terms], str], room: int | None
) -> Iterator[str]:
    """Count boards up to `room` characters of terms and yield the text, also before an error."""
    length = 0
    try:
        for board in terms.boards.boards:
            if room is not None and length > room:
                break  # the line is full
            census = answer(board)
            length += len(str(_term(census, terms.column))) + 2 * bool(terms.found)
            terms = replace(terms, found=(*terms.found, census))
    except BaseException:  # the terms counted so far are written
        if terms.found:
            yield write(terms)
        raise
    yield write(terms)


def _counted_things(column: str) -> CountedThings:
    return "positions" if column.startswith(("positions", "terminal")) else "games"


def _term(census: Census, column: str) -> int:
    term: int | None = getattr(census.totals, column)
    if term is None:
        raise BudgetError(
            f"the column {column} of {census.question.board} is over the budget: shorten the range, or raise "
            "--memory or --time"
        )
    return term


def _table(terms: Terms) -> Table:
    rows = [[str(n), board, f"{term:,}", engine] for n, board, term, engine in terms.rows]
    return Table(["n", "board", terms.column, "engine"], rows, frozenset({1, 3}))


def report(terms: Terms) -> Report:
    """Return the report of the terms."""
    return Report.of([f"{terms.words} ({terms.convention})."], [_table(terms)])


def draft_of(terms: Terms) -> str:
    """Return a draft entry for the OEIS with the terms of a range."""
    question = terms.found[0].question
    clause = shared_convention(
        [found.question for found in terms.found], of=_counted_things(terms.column), starter=True
    )
    name = f"{sequence_name(terms.column, question.same)} on {_general(terms.boards)}: {clause}"
    low, high = (terms.found[end].question.board.spec for end in (0, -1))
    boards = low if len(terms.found) == 1 else f"{low}..{high}"
    command = command_of(question).replace(f" {question.board.spec} ", f" {boards} ", 1)
    bfile = f"{command} --column {terms.column} --format bfile"
    return draft_text(name, terms.terms, terms.boards.first, bfile, [census.engine for census in terms.found])


def sequence_name(column: str, same: str) -> str:
    """Return the first words of the name of a sequence, such as `Number of games that X wins`."""
    positions = "positions" if same == "labelled" else "position classes"
    names = {
        "positions": positions,
        "terminal": f"{positions} in which the game is over",
        "terminal_x": f"{positions} in which X has won",
        "terminal_o": f"{positions} in which O has won",
        "terminal_draw": f"{positions} in which the game is drawn",
        "paths": "games, finished or open,",
        "finished": "games that end",
        "x_wins": "games that X wins",
        "o_wins": "games that O wins",
        "draws": "games that are drawn",
    }
    return f"Number of {names[column]}"


def _general(boards: BoardRange) -> str:
    """Return the boards of a range with n for a growing side: `an n X n board with n in a row`."""
    spellings = [board.specification for board in boards.boards if board.specification is not None]
    first, last = spellings[0], spellings[-1]

    def term(at_first: int, at_last: int) -> str:
        more = at_first - boards.first
        if at_first == at_last:
            return str(at_first)
        return f"(n + {more})" if more > 0 else f"(n - {-more})" if more else "n"

    on = _with_article(" X ".join(map(term, first.sides, last.sides)), torus=first.torus)
    growth = {each.k - first.k - n for n, each in enumerate(spellings)}
    if growth == {0} or len({each.k for each in spellings}) == 1:
        return f"{on} with {term(first.k, last.k)} in a row"
    return f"{on} with as many in a row as its shortest side has cells"


def board_in_words(board: Board) -> str:
    """Return a board in the words of the OEIS, `a 3 X 3 board with 3 in a row`, or the name of a board from a file.

    The words omit whether a line wins or loses.
    """
    spec = board.specification
    if spec is None:
        return str(board)
    return f"{_with_article(' X '.join(map(str, spec.sides)), torus=spec.torus)} with {spec.k} in a row"


def _with_article(sides: str, *, torus: bool) -> str:
    article = "an" if re.match("[n8]|1[18]( |$)", sides) else "a"
    return f"{article} {sides} {'torus' if torus else 'board'}"
