"""Tables for people and for other programs: in columns, as CSV, Markdown, LaTeX or HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeVar

Row = Sequence[str]


@dataclass(frozen=True)
class Table:
    """A table of strings: a heading for each column, rows, and which columns hold words (the others hold numbers)."""

    headings: Row
    rows: Sequence[Row]
    words: frozenset[int] = frozenset()


def grouped(count: int | None) -> str:
    """Return a count for people: digits in groups of three, a dash for None."""
    return "-" if count is None else f"{count:,}"


def many(count: int, one: str, more: str = "") -> str:
    """Return a count with its noun: `1 box`, `2,000 boxes`; the plural has an s unless it is given."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


T = TypeVar("T")


def few(course: Sequence[T], most: int = 10) -> list[T]:
    """Return the first and the last element of a course, and some between: about so many."""
    step = max(1, -(-(len(course) - 1) // most))
    return [*course[: len(course) - 1 : step], course[-1]]


def typed(*options: tuple[str, object, object]) -> str:
    """Return options as they are typed: each is given as its name, its value, and the value that needs no option."""
    return "".join(f" --{name} {value}" for name, value, usual in options if value != usual)


def without_empty(headings: Row, rows: Sequence[Row]) -> Table:
    """Return a table of words without its empty columns."""
    filled = [i for i in range(len(headings)) if any(row[i] for row in rows)]
    return narrowed(Table(headings, rows, frozenset(range(len(headings)))), filled)


DIGITS = (42, 15, 9, 6)
"""Numbers with more digits are shortened in tables for people; narrow terminals use the later limits."""

SHORTENED = "Numbers with ~ are cut short to fit; --format json gives all their digits."


def brief(number: str, digits: int) -> str:
    """Return a number of more digits as its first three and the power of ten: `~1.19e+89`; others do not change.

    The digits are cut, not rounded.
    """
    plain = number.replace(",", "")
    return f"~{plain[0]}.{plain[1:3]}e+{len(plain) - 1}" if len(plain) > digits and plain.isdigit() else number


def shortened(table: Table, digits: int) -> Table:
    """Return the table with each number of more digits made brief."""
    rows = [[cell if i in table.words else brief(cell, digits) for i, cell in enumerate(row)] for row in table.rows]
    return replace(table, rows=rows)


def plain_text(table: Table) -> str:
    """Return the table in columns, without colour or frames."""
    cells = [table.headings, *table.rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.headings))]
    lines = []
    for row in cells:
        parts = [cell.ljust(widths[i]) if i in table.words else cell.rjust(widths[i]) for i, cell in enumerate(row)]
        lines.append("  ".join(parts).rstrip())
    lines.insert(1, "  ".join("-" * wide for wide in widths))
    return "\n".join(lines)


def as_csv(table: Table) -> str:
    """Return the table as comma-separated values with a heading row; numbers without grouping."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.headings)
    for row in table.rows:
        plain = ["" if cell == "-" else cell.replace(",", "") for cell in row]
        writer.writerow([cell if i in table.words else plain[i] for i, cell in enumerate(row)])
    return buffer.getvalue().rstrip("\n")


def as_markdown(table: Table) -> str:
    """Return the table in Markdown, numbers to the right."""
    rule = ["---" if i in table.words else "---:" for i in range(len(table.headings))]
    head, *body = [  # no bar and no line break ends a cell
        ["<br>".join(cell.replace("|", r"\|").splitlines()) for cell in row] for row in (table.headings, *table.rows)
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *body])


def as_latex(table: Table) -> str:
    """Return the table as a LaTeX tabular."""
    columns = "".join("l" if i in table.words else "r" for i in range(len(table.headings)))
    body = [" & ".join(_latex(cell) for cell in row) + r" \\" for row in table.rows]
    head = " & ".join(_latex(cell) for cell in table.headings) + r" \\"
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", head, r"\hline", *body, r"\end{tabular}"])


def as_html(table: Table, caption: str = "") -> str:
    """Return the table as HTML, with a caption if one is given."""
    align = ["left" if i in table.words else "right" for i in range(len(table.headings))]

    def row(cells: Row, tag: str) -> str:
        parts = [f'<{tag} style="text-align:{align[i]}">{escape(cell)}</{tag}>' for i, cell in enumerate(cells)]
        return f"<tr>{''.join(parts)}</tr>"

    head, body = row(table.headings, "th"), "".join(row(cells, "td") for cells in table.rows)
    heading = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{heading}<thead>{head}</thead><tbody>{body}</tbody></table>"


_LATEX = {
    **{special: "\\" + special for special in "&%#_${}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
"""Characters with a meaning in LaTeX, or another look in its fonts, and their LaTeX code."""


def _latex(cell: str) -> str:
    """Return a cell as LaTeX prints it: powers as mathematics, numbers without room after their commas."""
    if re.fullmatch("[0-9,]+", cell):
        return cell.replace(",", "{,}")
    parts = re.split(r"\b([0-9A-Za-z]+)\^([0-9A-Za-z]+)\b", cell)
    text = ["".join(_LATEX.get(sign, sign) for sign in part) for part in parts[::3]]
    powers = [f"${base}^{{{power}}}$" for base, power in zip(parts[1::3], parts[2::3], strict=True)]
    return "".join(before + power for before, power in zip(text, [*powers, ""], strict=True))


def narrowed(table: Table, columns: Sequence[int]) -> Table:
    """Return the table with some of its columns."""
    rows = [[row[i] for i in columns] for row in table.rows]
    words = frozenset(n for n, i in enumerate(columns) if i in table.words)
    return Table([table.headings[i] for i in columns], rows, words)


# A report: what there is to say about a result, as plain data that any front end can lay out.


@dataclass(frozen=True)
class Paragraph:
    """Sentences to be wrapped: `indent` goes before the first line, `hang` before the others."""

    text: str
    hang: str = ""
    indent: str = ""


@dataclass(frozen=True)
class Verbatim:
    """Lines that are not wrapped: a board in characters, a list."""

    text: str


@dataclass(frozen=True)
class Pictures:
    """Small drawings of characters, each of lines of one width: side by side as far as there is room.

    `most` is the largest number in one row, None for any.
    """

    drawings: tuple[tuple[str, ...], ...]
    most: int | None = None


@dataclass(frozen=True)
class How:
    """How the answer is known."""

    text: str


@dataclass(frozen=True)
class Commands:
    """Commands to type, one a line under a heading if there is any, or all in the line of the heading."""

    commands: tuple[str, ...]
    heading: str = ""
    indent: str = "  "
    inline: bool = False


Block = Paragraph | Verbatim | Pictures | Table | How | Commands


@dataclass(frozen=True)
class Report:
    """Sections of blocks: the answer first, in words; then what supports it, how it is known, and what to try next."""

    sections: tuple[tuple[Block, ...], ...]

    @classmethod
    def of(cls, *sections: Sequence[Block | str]) -> Report:
        """Return the report of these sections, plain text as paragraphs; empty sections are omitted."""
        blocks = (tuple(Paragraph(each) if isinstance(each, str) else each for each in part) for part in sections)
        return cls(tuple(part for part in blocks if part))

    @property
    def tables(self) -> list[Table]:
        """The tables, in their order."""
        return [block for part in self.sections for block in part if isinstance(block, Table)]

    @property
    def headline(self) -> str:
        """The first sentence or sentences: the answer."""
        return next(block.text for part in self.sections for block in part if isinstance(block, Paragraph))

    @property
    def short(self) -> str:
        """The headline without what only leads on to what follows."""
        first, _, leading = self.headline.rpartition(". ")
        return f"{first}." if first and leading.endswith(":") else self.headline


def try_next(*commands: str) -> Commands:
    """Return the first two commands as next steps after an answer."""
    return Commands(commands[:2], "Try next:")


@dataclass(frozen=True)
class Look:
    """The output that an answer is laid out for (default: a pipe).

    Sentences are wrapped to `width`. `columns` is how wide a table may be, None where anything fits; `frame` draws a
    table with a frame that fits a width, None where tables have none. A text of more than `rows` lines ends with the
    answer again, None where none does. Pictures take colours by `theme`, and pages of a PDF are `paper` (a3 or a4), or
    as large as their picture. Pages of exercises have a code that leads to `link`, where there is one.
    """

    width: int = 100
    columns: int | None = None
    frame: Callable[[Table, int], str] | None = None
    theme: str = "light"
    paper: str | None = None
    rows: int | None = None
    link: str = ""


PIPE = Look()
