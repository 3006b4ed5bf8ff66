"""The form of the tic-tac-toe endgame data set of the UCI repository, for any board.

Each finished board is a row: one field a cell, in reading order, x, o or b for a blank, then `positive` where X has
won and `negative` otherwise. Boards that X won come first, then those that O won, then the drawn ones; each part is
sorted with x before o before b. On 3x3: 958 rows, 626 positive. (D. W. Aha, "Tic-Tac-Toe Endgame", UCI Machine
Learning Repository, 1991, https://doi.org/10.24432/C5688J.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO

from noughts.exporting.columns import POSITIONS
from noughts.exporting.rows import Source

__all__ = ["uci_rows", "write_uci"]

_TO_UCI = str.maketrans({"X": "x", "O": "o", ".": "b", "/": None, "|": None})
_ORDER = str.maketrans("xob", "012")
_PARTS = ("X", "O", "draw")


def uci_rows(source: Source) -> list[str]:
    """Return the rows, without line ends. All finished boards are held in memory."""
    names = POSITIONS.names
    position, terminal, outcome = (names.index(name) for name in ("position", "terminal", "outcome"))
    found: dict[object, list[str]] = {part: [] for part in _PARTS}
    for chunk in source.chunks(POSITIONS):
        for text, over, who in zip(chunk[position], chunk[terminal], chunk[outcome], strict=True):
            if over:
                found[who].append(str(text).translate(_TO_UCI))
    return list(_written(found))


def _written(found: dict[object, list[str]]) -> Iterator[str]:
    for part in _PARTS:
        for marks in sorted(found[part], key=lambda marks: marks.translate(_ORDER)):
            yield ",".join(marks) + (",positive" if part == "X" else ",negative")


def write_uci(source: Source, file: IO[str], done: Callable[[int], None] | None = None) -> int:
    """Write the finished boards and return their number."""
    rows = uci_rows(source)
    file.writelines(row + "\n" for row in rows)
    if done is not None:
        done(len(rows))
    return len(rows)
