"""Certificates written by brute force, for the judge to accept: whole trees of positions and of families, no search.

Lines come from `tests.naive`, values from plain minimax; nothing is shared with the judge or with the engines.
"""

from __future__ import annotations

from functools import cache

Lines = tuple[int, ...]


def wins_of(lines: Lines, cells: int, own: int, other: int) -> list[str] | None:
    """Return the section of a win of the side to move, None where it has none; every reply has a line of its own."""

    @cache
    def value(me: int, you: int) -> int:
        """The value for who is to move."""
        if any(line & ~you == 0 for line in lines):
            return -1
        if me | you == (1 << cells) - 1:
            return 0
        return max(-value(you, me | 1 << c) for c in range(cells) if not (me | you) >> c & 1)

    if value(own, other) != 1:
        return None
    said: list[str] = []
    settled: set[tuple[int, int]] = set()

    def write(me: int, you: int) -> None:
        if (me, you) in settled:
            return
        blanks = [c for c in range(cells) if not (me | you) >> c & 1]
        move = next(c for c in blanks if value(you, me | 1 << c) == -1)
        said.append(str(move))
        if not any(line & ~(me | 1 << move) == 0 for line in lines):
            for reply in blanks:
                if reply != move:
                    write(me | 1 << move, you | 1 << reply)
        settled.add((me, you))

    write(own, other)
    return said
