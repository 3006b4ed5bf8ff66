"""The derivation of a census by ply, which a reader can check by hand: what is placed, ordered and subtracted.

For free play on small boards it follows the literature on 3x3. Choose the winner's marks and the last of them, and
order the rest. Then place the loser's marks, and subtract the games where the loser had a line before. Elsewhere each
open path of the ply before counts once for each of its moves.
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
from noughts.counting.class_sums import move_counts
from noughts.counting.plain import fixed_paths
from noughts.counting.question import Question
from noughts.rules.board import Board
from noughts.rules.errors import InvalidQuestion
from noughts.rules.marks import Mask, Player, cells_of
from noughts.rules.symmetry import coordinates

SUBSET_LIMIT = 16
"""Boards of up to this many cells are derived from all 2^N sets of the winner's marks."""


FIXED_LIMIT = 9
"""On boards of up to this many cells games up to symmetry are derived by Burnside's lemma."""


@dataclass(frozen=True)
class WonBy:
    """The games that a player wins at a ply by one kind of line (under misere the opponent completes it)."""

    player: Player
    by: str
    games: int
    gross: int
    """The games before subtracting those in which the other player had a line earlier."""

    def as_dict(self) -> dict[str, object]:
        """Return the record for JSON, with the count as a decimal string."""
        return {"player": self.player, "by": self.by, "games": str(self.games)}


@dataclass(frozen=True)
class Step:
    """The derivation of one ply: a heading, its lines, and, if derived by sets, the wins by kind of line."""

    ply: int
    heading: str
    lines: tuple[str, ...]
    won_by: tuple[WonBy, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the step for JSON."""
        won = [each.as_dict() for each in self.won_by]
        return {"ply": self.ply, "heading": self.heading, "lines": list(self.lines), "won_by": won}


def derivation(census: Census) -> tuple[Step, ...]:
    """Return the derivation of a census, one step for each row. Assumes that the census has paths.

    Cost: a walk over all sets of cells on boards of up to 16 cells; else little.
    """
    question = census.question
    if question.starts != "X":
        raise InvalidQuestion("a derivation shows games that X starts: ask with starts X and exchange the marks")
    by_sets = (
        question.same == "labelled"
        and question.is_free
        and question.end == "line"
        and question.first_ply == 0
        and question.board.cells <= SUBSET_LIMIT
    )
    last_marks = _last_marks(question.board) if by_sets else None
    moves = None if question.is_played else move_counts(question)
    by_orbits = question.same == "symmetry" and question.board.cells <= FIXED_LIMIT and not question.is_played
    fixed = fixed_paths(question) if by_orbits else None
    steps = []
    for before, row in zip((None, *census.plies), census.plies, strict=False):
        won = _won(question.board, row, last_marks) if last_marks else []
        lines = tuple(_finished(question, row, won))
        if fixed is not None:
            heading = _orbits(row, [paths[row.ply - question.first_ply] for paths in fixed])
        else:
            heading = _paths(question, before, row, moves)
        steps.append(Step(row.ply, heading, lines, tuple(each for each, _ in won)))
    return tuple(steps)


def _n(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _paths(question: Question, before: PlyCounts | None, row: PlyCounts, moves: dict[int, Counter[int]] | None) -> str:
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
    """Return the sentence of Burnside's lemma: the paths that each symmetry fixes, divided by the symmetries."""
    terms = Counter(fixed)
    parts = [
        f"{paths:,}" if many == 1 else f"{many} x {paths:,}"
        for paths, many in sorted(terms.items(), reverse=True)
        if paths
    ]
    rest = f" ({terms[0]} of the {len(fixed)} symmetries fix{'es' * (terms[0] == 1)} none)" if terms[0] else ""
    paths = row.paths or 0
    total = parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"
    return f"Ply {row.ply}: {total} / {len(fixed)} = {_of(paths, 'path')}{rest}."


def _won(board: Board, row: PlyCounts, last_marks: _LastMarks) -> list[tuple[WonBy, list[str]]]:
    """Return the wins of a ply by kind of line, each with the lines of text that derive it."""
    if not row.x_wins and not row.o_wins:
        return []
    kinds = last_marks[(row.ply + 1) // 2]
    found = [(won, lines) for won, lines in _wins(board, row.ply, "X" if row.ply % 2 else "O", kinds) if won.games]
    assert sum(won.games for won, _ in found) == (row.x_wins or 0) + (row.o_wins or 0)
    return found


def _finished(question: Question, row: PlyCounts, won: list[tuple[WonBy, list[str]]]) -> Iterator[str]:
    if row.finished is None or row.paths is None or not row.finished:
        return
    sides: tuple[tuple[Player, int | None], ...] = (("X", row.x_wins), ("O", row.o_wins))
    for player, wins in sides:
        if wins:
            lined = question.board.line_outcome(player)
            completes = f", as {lined} completes a line" if won and lined != player else ""
            which = "it" if row.paths == 1 else f"{wins:,} of them"
            yield f"{player} wins {which}{completes}{':' if won else '.'}"
            for kind, lines in won:
                yield f"  {kind.games:,} by {kind.by}:"
                yield from (f"    {line}" for line in lines)
            gross = sum(kind.gross for kind, _ in won)
            if len(won) > 1:
                yield f"  Together {f'{gross:,} - {gross - wins:,} = ' if gross != wins else ''}{wins:,}."
    left = row.paths - row.finished
    if row.draws:
        which = "It is" if row.paths == 1 else f"{'All' if row.draws == row.paths else _n(row.draws)} of them are"
        decided = question.end == "decided"
        why = "no continuation has a winner" if decided else "the board is full without a line"
        yield f"{which} drawn: {why}."
    if left:
        yield f"Left open: {row.paths:,} - {row.finished:,} = {left:,}."


@dataclass(frozen=True)
class _Kind:
    """The sets of a given number of marks that complete lines of one kind.

    `last` counts the sets by the number of cells that could have been marked last. `before` counts, by the number of
    the other player's marks, the choices of a set, its last mark and those marks where those marks hold a line.
    """

    words: str
    last: Counter[int]
    before: dict[int, int]


_LastMarks = dict[int, list[_Kind]]
"""For each number of marks the sets that complete lines, by kind of line: single lines first, then several at once."""


def _last_marks(board: Board) -> _LastMarks:
    lined, found = _sets_with_a_line(board), _LastMarks()
    for size in range(1, (board.cells + 1) // 2 + 1):
        kinds: dict[tuple[int, int], _Kind] = {}
        for cells in combinations(range(board.cells), size):
            marks = sum(1 << cell for cell in cells)
            completed = [line for line in board.line_masks if marks & line == line]
            if completed:
                many = reduce(and_, completed).bit_count()
                key = len(completed), _axes(board, completed[0]) if len(completed) == 1 else 0
                kind = kinds.setdefault(key, _Kind(_kind_words(board, *key), Counter(), {size - 1: 0, size: 0}))
                kind.last[many] += 1
                for other in kind.before:
                    held = lined[board.full & ~marks] >> other * _DIGITS & (1 << _DIGITS) - 1
                    kind.before[other] += many * held
        found[size] = [kind for _, kind in sorted(kinds.items())]
    return found


_DIGITS = 16
"""Bits for the number of subsets of one size: at most 12,870 of SUBSET_LIMIT cells."""


def _sets_with_a_line(board: Board) -> list[int]:
    """Return for each set of cells the number of its subsets of each size that hold a line, by sums over subsets."""
    found = [1 << cells.bit_count() * _DIGITS if board.has_line(cells) else 0 for cells in range(board.full + 1)]
    for cell in range(board.cells):
        bit = 1 << cell
        for cells in range(board.full + 1):
            if cells & bit:
                found[cells] += found[cells ^ bit]
    return found


def _axes(board: Board, line: Mask) -> int:
    """Return the number of axes along which a line runs: 1 for a row, 2 for a diagonal; 0 on a board without a grid."""
    if board.shape is None:
        return 0
    places = [coordinates(board.shape, cell) for cell in cells_of(line)]
    return sum(len(set(along)) > 1 for along in zip(*places, strict=True))


def _kind_words(board: Board, lines: int, axes: int) -> str:
    if lines > 1:
        return f"{('two', 'three', 'four')[lines - 2] if lines < 5 else lines} lines at once"
    if axes == 0:
        return "one line"
    if board.is_solid:
        return ("one row, column or pillar", "one diagonal of a slice", "one diagonal through the box")[axes - 1]
    return ("one row or column", "one diagonal")[axes - 1]


def _wins(board: Board, ply: int, lined: Player, kinds: list[_Kind]) -> Iterator[tuple[WonBy, list[str]]]:
    """Yield for each kind of line the games that it wins at a ply, and the lines of text that derive their number."""
    p = (ply + 1) // 2
    q = ply - p
    other: Player = "O" if lined == "X" else "X"
    orders, places = factorial(p - 1), perm(board.cells - p, q)
    for kind in kinds:
        pairs = sum(last * many for last, many in kind.last.items())
        gross, each = pairs * orders * places, orders * factorial(q)
        wins = gross - kind.before[q] * each
        parts = [f"{many:,} x {last}" for last, many in sorted(kind.last.items(), reverse=True) if last]
        lines = [
            f"{_of(pairs, 'way')} to choose {_of(p, 'cell')} of {lined} that hold {kind.words}, and the one marked "
            f"last: {' + '.join(parts) or '0'} (sets x cells that could be last)"
        ]
        if kind.last[0]:
            lines.append(f"  ({_of(kind.last[0], 'set')} with lines that share no cell cannot arise and count 0)")
        lines.append(f"x {_of(orders, 'order')} of the other {_of(p - 1, lined)}")
        lines.append(
            f"x {_of(places, 'way')} to place and order {_of(q, other)} in {_of(board.cells - p, 'other cell')}"
        )
        lines.append(f"= {gross:,}")
        if gross != wins:
            before = f"{gross - wins:,} in which {other} had a line before"
            lines += [f"- {before}: {_of(kind.before[q], 'such choice')} x {_of(each, 'order')}", f"= {wins:,}"]
        yield WonBy(board.line_outcome(lined), kind.words, wins, gross), lines
