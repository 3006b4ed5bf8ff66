"""Judges sections `partners`: order and chaos on a full board, where Chaos answers every mark in the partner cell.

The second player is Chaos. Each cell has a partner, and the pair says whether Chaos answers with the same mark or with
the other one. So every pair of a full board keeps its relation. A line of Order has one mark in all its cells. Where
longer rows do not count, the cells before and after it have the other mark. The proof holds where each such row breaks
the relation of some pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from noughts.judge.proofs.ground import Script
from noughts.rules.errors import InputError, shown

_BOARD = re.compile(r"([1-9]\d?)x([1-9]\d?):([1-9]\d?)\+order(\+exact)?", re.ASCII)
_LINE = re.compile(r"(\d{1,3}) (\d{1,3}) (same|other)", re.ASCII)
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Row = dict[int, bool]
"""Cells of a row: True for those of the line, False for those at its ends that must have the other mark."""


def judge_partners(script: Script, board: str, claim: str) -> int:
    """Judge a certificate that Chaos wins on the full board; return the number of pairs.

    Raises ProofFault where Order can complete a line, and InputError for another board or claim.
    """
    match = _BOARD.fullmatch(board)
    if match is None or claim != "O wins":
        raise InputError(
            f"{shown(board)} with 'end full' needs +order and the claim 'O wins': Chaos, the second player"
        )
    rows, columns, k = map(int, match.groups()[:3])
    script.cell_count = rows * columns
    if script.next_line("head") != "partners":
        script.fault("this line must be the title of a section: partners")
    pairs: list[tuple[int, int, bool]] = []
    free = set(range(script.cell_count))
    while script.peek() is not None:
        found = _LINE.fullmatch(script.next_line("partners"))
        if found is None:
            script.fault("write two cells and 'same' or 'other'")
        a, b = script.cell(found[1]), script.cell(found[2])
        if a == b or not {a, b} <= free:
            script.fault("a cell of this pair has a partner already")
        free -= {a, b}
        pairs.append((a, b, found[3] == "same"))
    if free:
        script.fault(f"cell {min(free)} has no partner, so Chaos has no answer there")
    for row in _rows(rows, columns, k, exact=match[4] is not None):
        if not any(a in row and b in row and (row[a] == row[b]) != same for a, b, same in pairs):
            line = ", ".join(str(cell) for cell, inside in row.items() if inside)
            script.fault(f"no pair keeps Order from the line {line}")
    return len(pairs)


def _rows(rows: int, columns: int, k: int, *, exact: bool) -> Iterator[Row]:
    """Yield each line, with the cells at its ends where a longer row does not count."""
    for row in range(rows):
        for column in range(columns):
            for down, right in _DIRECTIONS if k > 1 else _DIRECTIONS[:1]:
                places = [(row + at * down, column + at * right) for at in range(-1, k + 1)]
                on_board = [0 <= a < rows and 0 <= b < columns for a, b in places]
                if all(on_board[1:-1]):
                    ends = (0, k + 1) if exact else ()
                    inside = {places[at][0] * columns + places[at][1]: True for at in range(1, k + 1)}
                    yield inside | {places[at][0] * columns + places[at][1]: False for at in ends if on_board[at]}
