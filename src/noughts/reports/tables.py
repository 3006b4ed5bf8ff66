"""Tables for people and for other programs: on a terminal, in a pipe, as CSV, Markdown or LaTeX."""

from __future__ import annotations

import csv
import io
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = [
    "SHORTENED",
    "Table",
    "as_csv",
    "as_html",
    "as_latex",
    "as_markdown",
    "as_text",
    "grouped",
    "is_fancy",
    "shortened",
    "show",
    "width",
    "wrapped",
]

Row = Sequence[str]


@dataclass(frozen=True)
class Table:
    """A table of strings: a heading for each column, rows, and which columns hold words (the others hold numbers)."""

    headings: Row
    rows: Sequence[Row]
    words: frozenset[int] = frozenset()


def grouped(count: int | None) -> str:
    """Return a count for people: digits in groups of three, a dash where there is none."""
    return "-" if count is None else f"{count:,}"


DIGITS = (42, 15, 9, 6)
"""Numbers of more digits are cut short in tables for people: the most first, fewer where a terminal is narrow."""

SHORTENED = "A number such as ~1.19e+89 is cut short to fit; --format json gives all its digits."


def shortened(table: Table, digits: int) -> Table:
    """Return the table with each number of more digits as its first three and the power of ten: `~1.19e+89`.

    The digits are cut, not rounded.
    """
    rows = [[cell if i in table.words else _cut(cell, digits) for i, cell in enumerate(row)] for row in table.rows]
    return Table(table.headings, rows, table.words)


def _cut(cell: str, digits: int) -> str:
    plain = cell.replace(",", "")
    if not plain.isdigit() or len(plain) <= digits:
        return cell
    return f"~{plain[0]}.{plain[1:3]}e+{len(plain) - 1}"


def is_fancy() -> bool:
    """Tell whether standard output is a terminal that may be sent colours and frames."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Return the width to fill: the terminal's, at most 110, or 100 in a pipe."""
    return min(shutil.get_terminal_size((100, 24)).columns, 110) if sys.stdout.isatty() else 100


def wrapped(text: str, indent: str = "") -> str:
    """Return a sentence wrapped to the width, the lines after the first indented."""
    import textwrap

    return textwrap.fill(text, width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def as_text(table: Table) -> str:
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
        writer.writerow([cell if i in table.words else _plain(cell) for i, cell in enumerate(row)])
    return buffer.getvalue().rstrip("\n")


def _plain(cell: str) -> str:
    return "" if cell == "-" else cell.replace(",", "")


def as_markdown(table: Table) -> str:
    """Return the table in Markdown, numbers to the right."""
    rule = ["---" if i in table.words else "---:" for i in range(len(table.headings))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (table.headings, rule, *table.rows))


def as_latex(table: Table) -> str:
    """Return the table as a LaTeX tabular."""
    columns = "".join("l" if i in table.words else "r" for i in range(len(table.headings)))
    body = [" & ".join(_latex(cell) for cell in row) + r" \\" for row in table.rows]
    head = " & ".join(_latex(cell) for cell in table.headings) + r" \\"
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", head, r"\hline", *body, r"\end{tabular}"])


def as_html(table: Table, caption: str) -> str:
    """Return the table as HTML with a caption, for notebooks."""
    align = ["left" if i in table.words else "right" for i in range(len(table.headings))]

    def row(cells: Row, tag: str) -> str:
        parts = [f'<{tag} style="text-align:{align[i]}">{escape(cell)}</{tag}>' for i, cell in enumerate(cells)]
        return f"<tr>{''.join(parts)}</tr>"

    head, body = row(table.headings, "th"), "".join(row(cells, "td") for cells in table.rows)
    return f"<table><caption>{escape(caption)}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"


def _latex(cell: str) -> str:
    for special in "&%#_":
        cell = cell.replace(special, "\\" + special)
    return cell.replace("^", r"\textasciicircum{}").replace(",", "{,}") if cell[:1].isdigit() else cell


def show(table: Table, essential: Sequence[int] = ()) -> None:
    """Print a table for people: framed on a terminal, in plain columns elsewhere or where it would not fit.

    Very long numbers are cut short, on a terminal as far as it takes for the table to fit; where that is not enough
    only the `essential` columns are kept. What was done is said below the table.
    """
    tables = [table, _only(table, essential)] if essential else [table]
    choices = [(whole, shortened(whole, digits)) for whole in tables for digits in DIGITS]
    whole, fitting = next(((whole, cut) for whole, cut in choices if _fits(cut)), choices[0])
    _show(fitting)
    if fitting.rows != whole.rows:
        print(SHORTENED)
    if whole is not table:
        gone = ", ".join(heading for heading in table.headings if heading not in whole.headings)
        print(wrapped(f"Left out to fit: {gone}; --format json gives them."))


def _only(table: Table, columns: Sequence[int]) -> Table:
    rows = [[row[i] for i in columns] for row in table.rows]
    return Table(
        [table.headings[i] for i in columns], rows, frozenset(n for n, i in enumerate(columns) if i in table.words)
    )


def _fits(table: Table) -> bool:
    """Tell whether a table fits into the terminal; elsewhere anything fits."""
    longest = max(map(len, as_text(table).splitlines()))
    return not sys.stdout.isatty() or longest <= shutil.get_terminal_size().columns


def _show(table: Table) -> None:
    text = as_text(table)
    if not is_fancy() or max(map(len, text.splitlines())) + 2 * len(table.headings) + 2 > width():
        print(text)
        return
    from rich.box import ROUNDED
    from rich.console import Console
    from rich.table import Table as Framed

    framed = Framed(box=ROUNDED)
    for i, heading in enumerate(table.headings):
        framed.add_column(heading, justify="left" if i in table.words else "right", no_wrap=True)
    for row in table.rows:
        framed.add_row(*row)
    Console(width=width()).print(framed)
