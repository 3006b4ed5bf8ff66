"""A report as text for people, as wide as it may be."""

from __future__ import annotations

import textwrap

from noughts.reports.narrow import fold, fold_command, fold_lines, laid_out
from noughts.reports.page import PIPE, Block, Commands, How, Look, Paragraph, Pictures, Report, Verbatim
from noughts.reports.tables import SHORTENED, Table, plain_text

__all__ = ["as_text", "wrapped"]


def as_text(report: Report, look: Look = PIPE) -> str:
    """Return a report as text, a blank line between its sections."""
    return "\n\n".join("\n".join(_block(block, look) for block in part) for part in report.sections) + "\n"


def wrapped(text: str, look: Look = PIPE, *, hang: str = "", indent: str = "") -> str:
    """Return a sentence wrapped to the width: `indent` before the first line, `hang` before the others.

    On a terminal a word that is longer than a line, such as a number of hundred digits, is broken.
    """
    said = textwrap.fill(
        text,
        look.width,
        initial_indent=indent,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return fold_lines(said, look.columns)


def _block(block: Block, look: Look) -> str:
    match block:
        case Paragraph(text, hang, indent):
            return wrapped(text, look, hang=hang, indent=indent)
        case Verbatim(text):
            return fold(text, look.columns)
        case Pictures(drawings):
            return _side_by_side(drawings, look)
        case How(text):
            return wrapped(f"How we know: {text}", look)
        case Commands():
            return _commands(block, look)
        case Table():
            return _table(block, look)


def _commands(block: Commands, look: Look) -> str:
    inline = f"{block.heading} {';  '.join(block.commands)}"
    if block.inline and (look.columns is None or len(inline) <= look.columns):
        return inline
    heading = [fold_lines(block.heading, look.columns)] if block.heading else []
    return "\n".join(heading + [fold_command(command, look.columns, block.indent) for command in block.commands])


def _side_by_side(drawings: tuple[tuple[str, ...], ...], look: Look) -> str:
    """Return drawings in rows as wide as there is room, a blank line between the rows."""
    wide = max(len(drawing[0]) for drawing in drawings)
    columns = max(1, ((look.columns or look.width) + 3) // (wide + 3))
    rows = [drawings[start : start + columns] for start in range(0, len(drawings), columns)]
    return "\n\n".join("\n".join(_beside(row, i, wide) for i in range(len(row[0]))) for row in rows)


def _beside(row: tuple[tuple[str, ...], ...], line: int, wide: int) -> str:
    return "   ".join(drawing[line].ljust(wide) for drawing in row).rstrip()


def _table(table: Table, look: Look) -> str:
    """Return a table, framed where that is asked for and fits, else in plain columns; what was cut is said below it."""
    whole, cut, text = laid_out(table, look.columns)
    framed = max(map(len, plain_text(cut).splitlines())) + 2 * len(cut.headings) + 2
    parts = [look.frame(cut, look.width) if look.frame is not None and framed <= look.width else text]
    if cut.rows != [list(row) for row in whole.rows]:
        parts.append(wrapped(SHORTENED, look))
    if whole is not table:
        gone = ", ".join(heading for heading in table.headings if heading not in whole.headings)
        parts.append(wrapped(f"Left out to fit: {gone}; --format json gives them.", look))
    return "\n".join(parts)
