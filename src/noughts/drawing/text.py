"""Boards as text, for terminals and for the description inside each picture."""

from __future__ import annotations

from noughts.domain.cells import are_numbered, column_name
from noughts.domain.geometry import Shape

__all__ = ["board_text", "layer_rows", "position_text"]


def layer_rows(shape: Shape, marks: str) -> list[list[str]]:
    """The rows of each layer, `marks` being one of X, O or . for each cell in reading order.

    Raises ValueError where there are not as many marks as cells.
    """
    rows, columns, layers = shape
    if len(marks) != rows * columns * layers:
        raise ValueError(f"{len(marks)} marks for {rows * columns * layers} cells")
    lines = [marks[start : start + columns] for start in range(0, len(marks), columns)]
    return [lines[layer * rows : (layer + 1) * rows] for layer in range(layers)]


def position_text(shape: Shape, marks: str) -> str:
    """The position on one line: rows joined by /, layers by |."""
    return "|".join("/".join(rows) for rows in layer_rows(shape, marks))


def board_text(shape: Shape, marks: str, names: bool = False, numbered: bool = False) -> str:
    """The board as rows of signs, layers side by side; with `names` the columns and rows are lettered and numbered.

    Where cells are spelt as numbers, or the board is `numbered`, the number of each blank one stands in it instead.
    """
    rows, columns, layers = shape
    if names and (numbered or are_numbered()):
        return _numbered(shape, marks)
    spaced = [[" ".join(row) for row in layer] for layer in layer_rows(shape, marks)]
    lines = ["   ".join(layer[row] for layer in spaced) for row in range(rows)]
    if not names:
        return "\n".join(lines)
    margin = len(str(rows)) + 1
    # Letters beyond z take two signs; the header is then left out rather than shifted.
    head = (
        [" " * margin + "   ".join([" ".join(column_name(c) for c in range(columns))] * layers)]
        if columns <= 26
        else []
    )
    return "\n".join(head + [f"{row + 1:<{margin}}{line}" for row, line in enumerate(lines)])


def _numbered(shape: Shape, marks: str) -> str:
    rows, columns, layers = shape
    wide = len(str(len(marks)))
    signs = [(str(cell + 1) if mark == "." else mark).rjust(wide) for cell, mark in enumerate(marks)]
    starts = [[(layer * rows + row) * columns for layer in range(layers)] for row in range(rows)]
    return "\n".join("   ".join(" ".join(signs[start : start + columns]) for start in row) for row in starts)
