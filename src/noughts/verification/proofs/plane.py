"""Judges proofs on the infinite board: pairs of places, repeated with a period, that have a pair on every line.

The lines are those of k places in a row, along rows, columns and both diagonals. Whether a line holds both places of a
pair depends on its first place by the period only, so finitely many lines are looked at.
"""

from __future__ import annotations

import re
from itertools import product

from noughts.domain.errors import InputError, shown
from noughts.verification.proofs.script import Script

__all__ = ["MOST_PERIOD", "judge_plane", "plane_k"]

MOST_PERIOD = 64
_MOST_PLACE = 10_000
_BOARD = re.compile(r"([1-9][0-9]{0,6})\+infinite")
_TITLE = re.compile(r"pairs ([1-9][0-9]{0,2}) ([1-9][0-9]{0,2})")
_LINE = re.compile(r"(-?[0-9]{1,5}) (-?[0-9]{1,5}) (-?[0-9]{1,5}) (-?[0-9]{1,5})")
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Place = tuple[int, int]


def plane_k(board: str) -> int | None:
    """Return how many in a row win on the infinite board that a certificate names; None where it names another."""
    match = _BOARD.fullmatch(board)
    return int(match[1]) if match else None


def judge_plane(script: Script, k: int) -> int:
    """Judge the section `pairs`, to the end of the certificate; return the number of pairs.

    Who answers each move on a pair by its other place gets a place of every line, so neither player can force one.
    Raises ProofFault where that is not shown, InputError for a period that is too large to go through.
    """
    title = _TITLE.fullmatch(script.next_line("head"))
    if title is None:
        script.fault("on the infinite board a section begins with the words pairs ROWS COLUMNS, which are the period")
    rows, columns = int(title[1]), int(title[2])
    if max(rows, columns) > MOST_PERIOD:
        raise InputError(f"{shown(title[0])} has a period over {MOST_PERIOD}: write a smaller one")
    steps: dict[Place, Place] = {}
    count = 0
    while script.peek() is not None:
        match = _LINE.fullmatch(script.next_line("pairs"))
        if match is None or max(abs(int(number)) for number in match.groups()) > _MOST_PLACE:
            script.fault("a pair is written row column row column")
        a, b, c, d = map(int, match.groups())
        first, second = (a % rows, b % columns), (c % rows, d % columns)
        if first == second or first in steps or second in steps:
            script.fault("this pair, repeated, meets itself or a pair above: each place belongs to one pair at most")
        steps[first], steps[second] = (c - a, d - b), (a - c, b - d)
        count += 1
    for first in product(range(rows), range(columns)):
        for step in _DIRECTIONS:
            if not _holds_a_pair(steps, (rows, columns), first, step, k):
                script.fault(f"no pair lies on the line of {k:,} from row {first[0]}, column {first[1]} by {step}")
    return count


def _holds_a_pair(steps: dict[Place, Place], period: Place, first: Place, step: Place, k: int) -> bool:
    """Tell whether a line holds both places of a pair."""
    down, right = step
    once = min(k, 2 * period[0] * period[1])  # by then every place of the line has come again
    for at in range(once):
        here = ((first[0] + at * down) % period[0], (first[1] + at * right) % period[1])
        if here in steps:
            way = steps[here]
            length = way[0] if down else way[1]
            if length > 0 and at + length < k and way == (length * down, length * right):
                return True
    return False
