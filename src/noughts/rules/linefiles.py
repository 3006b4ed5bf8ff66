"""A board as a file of its lines: one winning line a row, as numbers of cells from 1."""

from __future__ import annotations

import re

from noughts.rules.arguments import plain
from noughts.rules.board import Board
from noughts.rules.errors import InvalidBoard, shown


def board_of_lines(text: str, name: str) -> Board:
    """Return the board that the text of a file describes; `name` is the name of the file.

    A row holds the cells of a winning line, numbered from 1, with spaces or commas between them. Other rows are
    `cells 9` for the number of cells (default: the largest number of a cell), `misere` for a board where a completed
    line loses, and `symmetry 2 3 1` for the images of the cells 1, 2, 3 under a symmetry. A `#` begins a comment.
    Raises InvalidBoard with the number of the row.

    >>> board_of_lines("1 2 3\\n3 4 5  # they cross", "bow.lines").cells
    5
    """
    lines: list[list[int]] = []
    symmetries: list[list[int]] = []
    cells, misere = 0, False
    for number, row in enumerate(plain(text).splitlines(), 1):
        words = re.split(r"[\s,;]+", row.partition("#")[0].strip().lower())
        if words == ["misere"]:
            misere = True
        elif words[0] == "cells" and len(words) == 2:
            (cells,) = _numbers(name, number, words[1:])
        elif words[0] == "symmetry":
            symmetries.append([cell - 1 for cell in _numbers(name, number, words[1:])])
        elif words != [""]:
            lines.append([cell - 1 for cell in _numbers(name, number, words)])
    most = max((cell for line in lines for cell in line), default=-1) + 1
    if not lines and not cells:
        raise InvalidBoard(f"{shown(name)} has no lines: write one a row, as in 1 2 3")
    return Board.from_lines(cells or most, lines, [tuple(each) for each in symmetries], misere=misere, name=name)


def _numbers(name: str, number: int, words: list[str]) -> list[int]:
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 7 and int(word) > 0 for word in words):
        raise InvalidBoard(
            f"row {number} of {shown(name)} is {shown(' '.join(words))}: write cells as numbers from 1, or cells 9, "
            "misere, symmetry 2 3 1"
        )
    return [int(word) for word in words]
