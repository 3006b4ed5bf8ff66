"""The derivation of a census by ply, to be followed and checked by hand: what is placed, ordered and subtracted.

For free play on small boards it goes as the literature does for 3x3: choose the marks of the winner and the one made
last, order the rest, place the loser's marks, take away those where the loser had a line before. Elsewhere the paths of
a ply are the open paths before, each times its moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import factorial, perm
from operator import and_

from noughts.counting.census import Census, PlyCounts
from noughts.counting.layers.classsums import move_counts
from noughts.counting.plain import fixed_paths
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.domain.position import Player

__all__ = ["Step", "derivation"]

SUBSET_LIMIT = 16
"""Boards of up to this many cells are derived from the sets of the winner's marks, all 2^N of which are looked at."""


FIXED_LIMIT = 9
"""Boards of up to this many cells have their games up to symmetry derived by Burnside's lemma."""


@dataclass(frozen=True)
class Step:
    """The derivation of one ply: a heading, and the lines under it."""

    ply: int
    heading: str
    lines: tuple[str, ...]


def derivation(census: Census) -> tuple[Step, ...]:
    """Return the derivation of a census, a step for each row. Assumes that the census gives its paths.

    Cost: a walk over all sets of cells where the board has up to 16; else little.
    """
    question = census.question
    by_sets = (
        question.same == "labelled"
        and question.is_free
        and question.end == "line"
        and question.first_ply == 0
        and question.board.cells <= SUBSET_LIMIT
    )
    last_marks = _last_marks(question.board) if by_sets else None
    moves = move_counts(question)
    fixed = fixed_paths(question) if question.same == "symmetry" and question.board.cells <= FIXED_LIMIT else None
    steps = []
    for before, row in zip((None, *census.plies), census.plies, strict=False):
        lines = tuple(_finished(question, row, last_marks))
        if fixed is not None:
            heading = _orbits(row, [paths[row.ply - question.first_ply] for paths in fixed])
        else:
            heading = _paths(question, before, row, moves)
        steps.append(Step(row.ply, heading, lines))
    return tuple(steps)


def _n(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _paths(question: Question, before: PlyCounts | None, row: PlyCounts, moves: dict[int, Counter[int]] | None) -> str:
    """Return the sentence that says where the paths of a ply come from."""
    if row.paths is None:
        return f"Ply {row.ply}: {_n(row.positions)} position classes."
    if before is None or before.paths is None or before.finished is None:
        return f"Ply {row.ply}: {_of(row.paths, 'path')}, the start."
    still_open = before.paths - before.finished
    if question.same == "labelled" and question.is_free:
        blanks = question.board.cells - before.ply
        return f"Ply {row.ply}: {still_open:,} open x {_of(blanks, 'blank cell')} = {_of(row.paths, 'path')}."
    if moves is not None and before.ply in moves:
        noun = "distinct choice" if question.same == "choices" else "move"
        parts = [f"{many:,} x {_of(each, noun)}" for each, many in sorted(moves[before.ply].items())]
        return f"Ply {row.ply}: {still_open:,} open; {' + '.join(parts)} = {_of(row.paths, 'path')}."
    return f"Ply {row.ply}: {still_open:,} open before, {_of(row.paths, 'path')} now."


def _orbits(row: PlyCounts, fixed: list[int]) -> str:
    """Return the sentence of Burnside's lemma: the paths that each symmetry fixes, over the number of symmetries."""
    terms = Counter(fixed)
    parts = [
        f"{paths:,}" if many == 1 else f"{many} x {paths:,}"
        for paths, many in sorted(terms.items(), reverse=True)
        if paths
    ]
    rest = f" ({terms[0]} of the {len(fixed)} symmetries fix none)" if terms[0] else ""
    paths = row.paths or 0
    total = parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
    return f"Ply {row.ply}: {total} / {len(fixed)} = {_of(paths, 'path')}{rest}."


def _finished(question: Question, row: PlyCounts, last_marks: _LastMarks | None) -> Iterator[str]:
    """Yield the lines about the games that end at a ply."""
    if row.finished is None or row.paths is None or not row.finished:
        return
    sides: tuple[tuple[Player, int | None], ...] = (("X", row.x_wins), ("O", row.o_wins))
    for player, wins in sides:
        if wins:
            if last_marks is not None:
                lined = question.board.line_outcome(player)
                yield from _wins(question.board, row.ply, player, lined, wins, last_marks)
            else:
                yield f"{player} wins {wins:,} of them."
    left = row.paths - row.finished
    if row.draws:
        whole = row.draws == row.paths
        yield f"{'All' if whole else _n(row.draws)} of them are drawn{_why_drawn(question)}."
    if left:
        yield f"Left open: {row.paths:,} - {row.finished:,} = {left:,}."


def _why_drawn(question: Question) -> str:
    if question.end == "decided":
        return ": no continuation has a winner"
    return ": the board is full and nobody has a line"


_LastMarks = dict[int, Counter[int]]
"""For each number of marks: how many sets with a line have so many cells that could have been marked last."""


def _last_marks(board: Board) -> _LastMarks:
    found: _LastMarks = {}
    for size in range(1, (board.cells + 1) // 2 + 1):
        counts: Counter[int] = Counter()
        for cells in combinations(range(board.cells), size):
            marks = sum(1 << cell for cell in cells)
            completed = [line for line in board.line_masks if marks & line == line]
            if completed:
                counts[reduce(and_, completed).bit_count()] += 1
        found[size] = counts
    return found


def _wins(board: Board, ply: int, winner: str, lined: Player, wins: int, last_marks: _LastMarks) -> Iterator[str]:
    """Yield the count of the games won at a ply: sets, the mark made last, orders, the other's marks, less overlaps."""
    p = (ply + 1) // 2
    q = ply - p
    other = "O" if lined == "X" else "X"
    sets = last_marks[p]
    pairs = sum(last * many for last, many in sets.items())
    parts = [f"{many:,} x {last}" for last, many in sorted(sets.items(), reverse=True) if last]
    orders, places = factorial(p - 1), perm(board.cells - p, q)
    gross = pairs * orders * places
    yield f"{winner} wins {wins:,} of them{', for ' + lined + ' completes a line' if winner != lined else ''}:"
    yield (
        f"  {_of(pairs, 'way')} to choose {_of(p, 'cell')} of {lined} that hold a line, and the one marked last: "
        f"{' + '.join(parts)} (sets x cells that could be last)"
    )
    if sets[0]:
        yield f"    ({_of(sets[0], 'set')} with lines that share no cell cannot arise and count 0)"
    yield f"  x {_of(orders, 'order')} of the other {_of(p - 1, lined)}"
    yield f"  x {_of(places, 'way')} to place and order {_of(q, other)} in {_of(board.cells - p, 'other cell')}"
    yield f"  = {gross:,}"
    if gross != wins:
        each = orders * factorial(q)
        before = f"{gross - wins:,} in which {other} had a line before"
        yield f"  - {before}: {(gross - wins) // each:,} such choices x {each:,} orders"
        yield f"  = {wins:,}"
