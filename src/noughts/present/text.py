"""Tables, drawings, lines and commands, laid out again so that they fit the width of a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from noughts.present.report import (
    DIGITS,
    PIPE,
    SHORTENED,
    Block,
    Commands,
    How,
    Look,
    Paragraph,
    Pictures,
    Report,
    Table,
    Verbatim,
    narrowed,
    plain_text,
    shortened,
)

if TYPE_CHECKING:
    from noughts.rules.position import Position

_AFTER_COMMA = re.compile("(?<=,)(?=[A-Za-z])")
"""Where a scheme of points such as X=3-0,O=0-5 may be broken, and a number such as 1,234 may not."""
_GAP = 2
"""Blanks between two columns of a table, and at least between two parts of a drawing."""


def fold(text: str, columns: int | None) -> str:
    """Return lines unchanged if they fit; else with drawings one below another and long lines wrapped."""
    lines = text.split("\n")
    if columns is None or max(map(len, lines)) <= columns:
        return text
    is_drawn = all(len(word) <= 2 for line in lines for word in line.split())
    pieces = _pieces(lines, _GAP) or (_pieces(lines, 1) if is_drawn else None)
    if pieces is None or max(len(line) for piece in pieces for line in piece) > columns:
        return fold_lines(text, columns)
    return "\n\n".join("\n".join(part) for part in _in_rows(pieces, columns))


def fold_lines(text: str, columns: int | None) -> str:
    """Return each line wrapped to so many columns; what follows is set in two further than its beginning."""
    if columns is None:
        return text
    lines: list[str] = []
    for line in text.split("\n"):
        before = " " * min(len(line) - len(line.lstrip()), columns // 2)
        if len(line) <= columns:
            lines.append(line)
        else:
            wrapper = textwrap.TextWrapper(
                columns, initial_indent=before, subsequent_indent=f"{before}  ", break_on_hyphens=False
            )
            lines += wrapper.wrap(line.strip())
    return "\n".join(lines)


def _pieces(lines: Sequence[str], gap: int) -> list[list[str]] | None:
    """Return the parts of a drawing that blank columns separate; None if it has only one."""
    wide = max(map(len, lines))
    padded = [line.ljust(wide) for line in lines]
    used = "".join("#" if any(line[i] != " " for line in padded) else " " for i in range(wide))
    parts = [match.span() for match in re.finditer(rf"#+(?: {{1,{gap - 1}}}#+)*" if gap > 1 else "#+", used)]
    if len(parts) < 2:
        return None
    begins = [0, *(start for start, _ in parts[1:]), wide]
    return [[line[begin:end].rstrip() for line in padded] for begin, end in pairwise(begins)]


def _in_rows(pieces: Sequence[Sequence[str]], columns: int) -> list[list[str]]:
    """Return the parts side by side as far as they fit, in rows."""
    rows: list[list[str]] = []
    for piece in pieces:
        wide = max(map(len, piece))
        if rows and max(map(len, rows[-1])) + _GAP + wide <= columns:
            side = max(map(len, rows[-1])) + _GAP
            rows[-1] = [f"{line.ljust(side)}{more}".rstrip() for line, more in zip(rows[-1], piece, strict=True)]
        else:
            rows.append(list(piece))
    return rows


def fold_command(command: str, columns: int | None, indent: str = "") -> str:
    """Return a command in lines that fit; each but the last ends with a sign that a shell continues.

    Inside quotes a line simply ends: moves and SQL may hold line breaks.
    """
    if columns is None or len(indent + command) <= columns:
        return indent + command
    lines, line, quoted = [], indent, False
    for word in re.findall(r"\S+\s*", command):
        mark = 0 if quoted else len(" \\")
        bare = word.rstrip()
        if line.strip() and len(line) + len(bare) + mark > columns:
            lines.append(line.rstrip() + ("" if quoted else " \\"))
            line = indent + "  "
        line += word
        quoted ^= bool(bare.count("'") % 2)
    return "\n".join([*lines, line.rstrip()])


def laid_out(table: Table, columns: int | None) -> tuple[Table, str]:
    """Return a table with its numbers as they are shown, and its text in so many columns.

    A wide table of numbers is split; very long numbers are cut short, as far as it takes. Where that is not enough, the
    words of cells and headings are wrapped, and at last the cells of a row stand one below another.
    """
    for digits in DIGITS:
        cut = shortened(table, digits)
        if parts := _split(cut, columns):
            return cut, "\n\n".join(map(plain_text, parts))
    assert columns is not None
    for digits in DIGITS:
        cut = shortened(table, digits)
        if widths := _widths(cut, columns):
            return cut, _wrapped(cut, widths)
    return table, _stacked(table, columns)


def _wrapped(table: Table, widths: Sequence[int]) -> str:
    """Return a table with the words of its cells and headings wrapped; headings end at the rule below them."""
    lines = []
    for number, row in enumerate([table.headings, *table.rows]):
        cells = [_wrap(cell, wide) or [""] for cell, wide in zip(row, widths, strict=True)]
        tall = max(map(len, cells))
        padded = [[""] * (tall - len(cell)) + cell if number == 0 else cell for cell in cells]
        for parts in zip_longest(*padded, fillvalue=""):
            sides = [
                part.ljust(wide) if i in table.words else part.rjust(wide)
                for i, (part, wide) in enumerate(zip(parts, widths, strict=True))
            ]
            lines.append("  ".join(sides).rstrip())
        if number == 0:
            lines.append("  ".join("-" * wide for wide in widths))
    return "\n".join(lines)


def _widths(table: Table, columns: int) -> list[int] | None:
    """Return the widths of the columns within the room; None if the longest words do not fit."""
    room = columns - _GAP * (len(table.headings) - 1)
    widest, least = [], []
    for i, heading in enumerate(table.headings):
        cells = [row[i] for row in table.rows]
        words = [word for cell in cells for word in _AFTER_COMMA.sub(" ", cell).split()] if i in table.words else cells
        least.append(max([1, *map(len, [*heading.split(), *words])]))
        widest.append(max([1, *map(len, [heading, *cells])]))
    if sum(least) > room:
        return None
    while sum(widest) > room:
        most = max((i for i in range(len(widest)) if widest[i] > least[i]), key=widest.__getitem__)
        widest[most] -= 1
    return widest


def _wrap(text: str, columns: int, hang: str = "") -> list[str]:
    """Break lines at spaces and, as in a scheme of points, after commas before letters."""
    wrapper = textwrap.TextWrapper(columns, subsequent_indent=hang, break_on_hyphens=False)
    wrapper.wordsep_simple_re = re.compile(f"{wrapper.wordsep_simple_re.pattern}|{_AFTER_COMMA.pattern}")
    return wrapper.wrap(text)


def _stacked(table: Table, columns: int) -> str:
    """Return each row as lines with a heading and its cell; an empty cell has no line."""
    rows = []
    for row in table.rows:
        pairs = [(heading, cell) for heading, cell in zip(table.headings, row, strict=True) if cell]
        lines = [f"{heading}: {cell}" if heading else cell for heading, cell in pairs]
        rows.append("\n".join(line for each in lines for line in _wrap(each, columns, "  ")))
    return "\n\n".join(rows)


# A report as text for people, as wide as it may be.


def as_text(report: Report, look: Look = PIPE) -> str:
    """Return a report as text, a blank line between its sections; the answer again where a screen cannot hold it."""
    text = "\n\n".join("\n".join(_block(block, look) for block in part) for part in report.sections) + "\n"
    if look.rows is None or text.count("\n") < look.rows:
        return text
    return f"{text}\n{wrapped(f'In short: {report.short}', look)}\n"


def wrapped(text: str, look: Look = PIPE, *, hang: str = "", indent: str = "") -> str:
    """Return a sentence wrapped to the width: `indent` before the first line, `hang` before the others.

    On a terminal a word that is longer than a line, such as a number of hundred digits, is broken.
    """
    filled = textwrap.fill(
        text, look.width, initial_indent=indent, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False
    )
    return filled if look.columns is None else fold_lines(filled, look.columns)


def _block(block: Block, look: Look) -> str:
    match block:
        case Paragraph(text, hang, indent):
            return wrapped(text, look, hang=hang, indent=indent)
        case Verbatim(text):
            return fold(text, look.columns)
        case Pictures(drawings, most):
            return _side_by_side(drawings, look, most)
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
    lines = [block.heading] * bool(block.heading) + [block.indent + command for command in block.commands]
    if look.columns is None or max(map(len, lines)) <= look.columns:
        return "\n".join(lines)
    heading = [fold_lines(block.heading, look.columns)] if block.heading else []
    return "\n".join(heading + [fold_command(command, look.columns, block.indent) for command in block.commands])


def _side_by_side(drawings: tuple[tuple[str, ...], ...], look: Look, most: int | None) -> str:
    """Return drawings in rows as wide as there is room, a blank line between the rows."""
    wide = max(len(drawing[0]) for drawing in drawings)
    columns = max(1, min(((look.columns or look.width) + 3) // (wide + 3), most or len(drawings)))
    rows = [drawings[start : start + columns] for start in range(0, len(drawings), columns)]
    padded = [[[line.ljust(wide) for line in drawing] for drawing in row] for row in rows]
    return "\n\n".join("\n".join("   ".join(line).rstrip() for line in zip(*row, strict=True)) for row in padded)


def _table(table: Table, look: Look) -> str:
    """Return a table, framed on request if it fits, else in plain columns; a note below it describes what was cut."""
    cut, text = laid_out(table, look.columns)
    framed = max(map(len, plain_text(cut).splitlines())) + 2 * len(cut.headings) + 2
    shown = look.frame(cut, look.width) if look.frame is not None and framed <= look.width else text
    return shown if cut.rows == [list(row) for row in table.rows] else f"{shown}\n{wrapped(SHORTENED, look)}"


def _split(table: Table, columns: int | None) -> list[Table]:
    """Return the table if it fits, or two or three tables that show all columns of a table of numbers; else nothing.

    Every part repeats the leading columns of words, or the first column.
    """
    wide = [
        max(map(len, [heading, *cells])) + _GAP for heading, *cells in zip(table.headings, *table.rows, strict=True)
    ]
    if columns is None or sum(wide) - _GAP <= columns:
        return [table]
    if 2 * len(table.words) >= len(wide):
        return []
    first = next((i for i in range(len(wide)) if i not in table.words), 0) or 1
    keys, parts = list(range(first)), [list[int]()]
    for i in range(first, len(wide)):
        if parts[-1] and sum(wide[each] for each in (*keys, *parts[-1], i)) - _GAP > columns:
            parts.append([])
        parts[-1].append(i)
    fits = all(sum(wide[each] for each in (*keys, *part)) - _GAP <= columns for part in parts)
    return [narrowed(table, [*keys, *part]) for part in parts] if fits and len(parts) < 4 else []


def drawn(position: Position) -> str:
    """Return a position as a drawing of characters, with the names of rows and columns, or the numbers of cells.

    Of several boards those that take no more marks have dashes for blank cells.
    """
    from noughts.drawing.board import board_text

    board = position.board
    closed, size = board.rules.closed(board, position.x, position.o), board.cells // board.rules.boards
    marks = "".join(position.mark_at(cell) or ".-"[cell // size in closed] for cell in range(board.cells))
    return board_text(board.shape or (1, board.cells, 1), marks, names=True, numbered=board.shape is None)


LAYOUTS = ("dots", "dashes", "lines")
"""How boards stand in text: `X . O`, or `X-O`, or `X |   | O` with lines like `---+---+---` between the rows."""


def rows_of(position: Position, layout: str = "dots") -> list[str]:
    """Return the marks of a position row by row in one of LAYOUTS, layers side by side."""
    layers = [layer.split("/") for layer in str(position).split("|")]
    if layout == "dots":
        return ["   ".join(" ".join(layer[row]) for layer in layers) for row in range(len(layers[0]))]
    if layout == "dashes":
        return ["   ".join(layer[row] for layer in layers).replace(".", "-") for row in range(len(layers[0]))]
    rule = "   ".join("+".join("---" for _ in layer[0]) for layer in layers)
    rows = [
        "   ".join("|".join(f" {mark} " for mark in layer[row]) for layer in layers) for row in range(len(layers[0]))
    ]
    return [line.replace(".", " ") for row in rows for line in (rule, row)][1:]


# What is to be said of exact numbers where a program of somebody else played.


def programs_note(*names: str) -> str:
    """Return sentences about external programs among these policies, after a blank; empty without programs."""
    if not any(name.startswith("program:") for name in names):
        return ""
    return (
        " A program received each position once, by its marks in reading order. It received some again by other moves, "
        "and played the same there. If it uses the order of moves elsewhere, it may play differently in games."
    )
