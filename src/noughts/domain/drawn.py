"""Boards as people draw them: `X | O |  ` for a row, bars between the cells, perhaps rules between the rows.

Source of the notation: B. Shourd, 2012, and many a programming exercise.
"""

from __future__ import annotations

import re

__all__ = ["drawn_marks", "with_plain_bars"]

_RULE = re.compile(r"[-=+|\s]*")
_PLAIN = str.maketrans("│┃─━┼╋", "||--++")


def with_plain_bars(text: str) -> str:
    """Return a text with the bars, dashes and crossings of the keyboard in place of box-drawing characters."""
    return text.translate(_PLAIN)


def drawn_marks(columns: int, text: str) -> str | None:
    """Return the cells of a drawn board in reading order, a blank one as a space; None where it is no such drawing.

    Rows end at a line break, `/` or `,`. Lines like `---+---+---` and empty ones stand between rows, and bars may stand
    at both ends of a row too. On a board of one column no bars are needed, so that nothing is a drawing.
    """
    if columns < 2:
        return None
    lines = [line for line in re.split(r"\r?\n|[/,]", text) if not _is_rule(line)]
    rows = [_cells(columns, line) for line in lines]
    return None if None in rows else "".join(row for row in rows if row is not None)


def _is_rule(line: str) -> bool:
    """Whether a line only keeps rows apart: dashes and crossings, or nothing; `-|-|-` is a row of blanks."""
    if not _RULE.fullmatch(line):
        return False
    return "|" not in line or "--" in line or "=" in line or "+" in line


def _cells(columns: int, line: str) -> str | None:
    """Return the marks between the bars of a row; None where the bars do not keep so many cells apart."""
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) == columns + 2 and not cells[0] and not cells[-1]:
        cells = cells[1:-1]
    elif len(cells) == columns + 1 and bool(cells[0]) != bool(cells[-1]):
        cells = cells[1:] if not cells[0] else cells[:-1]
    if len(cells) != columns or any(len(cell) > 1 for cell in cells):
        return None
    return "".join(cell or " " for cell in cells)
