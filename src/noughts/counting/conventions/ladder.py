"""The ladder of position counts: from all fillings of the cells down to the decisions that matter, each in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb

from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.conventions.bots import bots
from noughts.counting.layers.quiet import quiet_classes, quiet_estimate
from noughts.counting.question import Question, Sameness
from noughts.counting.sets.linefree import line_free_sets
from noughts.counting.words import command_of
from noughts.domain.board import Board
from noughts.domain.digits import decimal_digits
from noughts.domain.errors import BudgetError
from noughts.domain.sizes import require_size

__all__ = ["Rung", "ladder"]


@dataclass(frozen=True)
class Rung:
    """One count of positions: a short name, its meaning in words, and the count.

    Where there is none, the reason, and the command that would compute it where there is one. `bots` is the number of
    bots that differ at these positions, where they are decisions on a board whose classes are quickly listed.
    """

    name: str
    meaning: str
    count: int | None
    reason: str | None = None
    command: str | None = None
    bots: int | None = None

    def as_dict(self) -> dict[str, str | None]:
        """Return the rung as a record; the count is a decimal string."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "count": None if self.count is None else str(self.count),
            **({"reason": self.reason} if self.reason else {}),
            **({"command": self.command} if self.command else {}),
            **({"bots": decimal_digits(self.bots)} if self.bots is not None else {}),
        }


def _fillings(board: Board) -> int:
    return int(3**board.cells)


def _sequences(board: Board) -> int:
    total, ways = 0, 1
    for length in range(board.cells):
        ways *= board.cells - length
        total += ways
    return total


def _balanced(board: Board) -> int:
    cells = board.cells
    return sum(comb(cells, t) * comb(t, t // 2) for t in range(cells + 1))


def _not_both(board: Board, labelled: Census) -> int:
    """Return the balanced boards in which not both have a line: no line of X, plus none of O, less none of either."""
    cells, free = board.cells, line_free_sets(board)
    total = 0
    for row in labelled.plies:
        open_boards = _known(row.positions) - _known(row.terminal_x) - _known(row.terminal_o)
        p, q = (row.ply + 1) // 2, row.ply // 2
        total += free[p] * comb(cells - p, q) + free[q] * comb(cells - q, p) - open_boards
    for t in range(len(labelled.plies), cells + 1):
        p, q = (t + 1) // 2, t // 2
        total += free[p] * comb(cells - p, q) + free[q] * comb(cells - q, p)
    return total


def _known(count: int | None) -> int:
    if count is None:
        raise BudgetError("the count that fits the budget gives the games only")
    return count


def _unfinished(classes: Census) -> int:
    """Return the unfinished classes with more than one blank cell."""
    last = classes.question.board.cells - 2
    return sum(_known(row.positions) - _known(row.terminal_positions) for row in classes.plies if row.ply <= last)


def _matchbox(classes: Census) -> int:
    last = classes.question.board.cells - 2
    return sum(
        _known(row.positions) - _known(row.terminal_positions)
        for row in classes.plies
        if row.ply <= last and row.ply % 2 == 0
    )


def _quiet(board: Board, answers: Answers) -> int:
    """Return the unfinished classes with more than one blank in which neither side threatens to complete a line."""
    if board.misere:
        raise BudgetError("under misere a completed line loses, so there is no win to take or to block")
    if board.cells > 64:
        raise BudgetError("found by listing the classes, on boards of up to 64 cells")
    cost = quiet_estimate(board)
    answers.afford("found by listing the classes", cost.memory, cost.seconds)
    return quiet_classes(board)


def ladder(board: Board, answers: Answers | None = None) -> tuple[Rung, ...]:
    """Return the counts of positions from naive to exact. Rungs that do not fit the budget have a reason instead.

    `answers` is the budget (three quarters of the free memory, 10 s for each count). Classes are under the isometries
    of the board. Raises BudgetError on boards of more than COUNTED_CELLS cells. Source of the first and the last rungs:
    B. Shourd, 2012.
    """
    require_size(board)
    budget = answers if answers is not None else Answers()
    try:
        choices = bots(board)
    except BudgetError:
        choices = {}
    return tuple(
        replace(rung, bots=choices.get(rung.name)) if rung.count is not None else rung
        for rung in (_rung(board, budget, *step) for step in _steps(board, budget))
    )


_Step = tuple[str, str, Sameness | None, Callable[[], int]]
"""Name, meaning, the sameness of the census it is read from, and the function that finds the count."""


def _rung(
    board: Board, answers: Answers, name: str, meaning: str, same: Sameness | None, find: Callable[[], int]
) -> Rung:
    question = Question(board, same) if same is not None else None
    if question is not None:
        try:
            answers.census(question)
        except BudgetError:
            cost = answers.cost(question)
            if cost is None:
                return Rung(name, meaning, None, "no engine can")
            return Rung(name, meaning, None, cost.words, command_of(question))
    try:
        return Rung(name, meaning, find())
    except BudgetError as error:
        return Rung(name, meaning, None, str(error))


def _steps(board: Board, answers: Answers) -> list[_Step]:
    def census(same: Sameness) -> Census:
        return answers.census(Question(board, same))

    def total(same: Sameness, column: str) -> Callable[[], int]:
        return lambda: _known(getattr(census(same).totals, column))

    line, other = board.line_outcome("X"), board.line_outcome("O")
    return [
        ("fillings", "ways to fill the cells with X, O or blank: 3^N", None, lambda: _fillings(board)),
        ("sequences", "move sequences of length 1 to N that ignore wins", None, lambda: _sequences(board)),
        ("balanced", "boards with as many X as O or one more, wins ignored", None, lambda: _balanced(board)),
        (
            "not both lined",
            "balanced boards in which not both players have a line; some cannot arise in play",
            "labelled",
            lambda: _not_both(board, census("labelled")),
        ),
        (
            "reachable",
            "boards that can arise in play, empty and finished included",
            "labelled",
            total("labelled", "positions"),
        ),
        ("terminal", "reachable boards in which the game is over", "labelled", total("labelled", "terminal_positions")),
        ("classes", "reachable boards up to the symmetries of the board", "symmetry", total("symmetry", "positions")),
        (
            "decisions",
            "unfinished classes with more than one blank cell",
            "symmetry",
            lambda: _unfinished(census("symmetry")),
        ),
        (
            "real decisions",
            "unfinished classes with more than one blank cell, no win to take and no win to block",
            None,
            lambda: _quiet(board, answers),
        ),
        (
            "matchboxes",
            "unfinished classes with more than one blank cell and X to move, as in MENACE",
            "symmetry",
            lambda: _matchbox(census("symmetry")),
        ),
        ("endings", "terminal classes", "symmetry", total("symmetry", "terminal_positions")),
        (
            "endings, X wins",
            f"terminal classes won by X: {line} has a line",
            "symmetry",
            total("symmetry", "terminal_x"),
        ),
        (
            "endings, O wins",
            f"terminal classes won by O: {other} has a line",
            "symmetry",
            total("symmetry", "terminal_o"),
        ),
        (
            "endings, draws",
            "terminal classes that are drawn: full, without a line",
            "symmetry",
            total("symmetry", "terminal_draw"),
        ),
    ]
