"""What a board gives to the index: all that is quick to compute of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import product

from noughts.counting.census import Census
from noughts.counting.conventions.answers import Answers
from noughts.counting.engines import answer
from noughts.counting.question import SAMENESSES, Question
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.position import Position
from noughts.domain.rules import END_RULES, EndRule, MoveRule, move_rules
from noughts.machine.budget import Limits
from noughts.meanings.censuses import census_readings, ladder_readings
from noughts.meanings.graph import graph_readings
from noughts.meanings.meaning import Meaning
from noughts.meanings.play import opening_cells, tree_readings, value_readings

__all__ = ["FIRST", "LARGER", "SMALL", "large_readings", "readings_of", "small_readings"]

FIRST = "3x3"
"""The board whose numbers are asked for most."""

SMALL = ("2x2", "2x3", "2x4", "2x2x2", "3x3+torus", "3x3+misere", "1x3", "1x4", "1x5")
"""Other boards on which all conventions are quick to compute, the most asked for first."""

LARGER = ("3x4", "4x4", "4x4:3", "3x5:3", "3x6:3", "4x5:4", "5x5", "5x5:4", "6x6")
"""Boards on which free play is counted, where nothing else has given a number."""

LISTED_CELLS = 9
"""Cells up to which a board is put under every convention, its positions listed."""

VALUED_CELLS = 16
"""Cells up to which every position of a board is solved."""

EACH_SECONDS, ASKED_SECONDS = 2.5, 5.0
"""What one count of a larger board may take, by the estimate of its engine; and where that board is asked about."""


def readings_of(board: Board) -> list[Callable[[], Iterator[Meaning]]]:
    """Return what yields the readings of a board, in turn, as far as one is needed: all conventions if they are quick
    to list; else free play until a line, then the other ends.
    """
    if board.cells <= LISTED_CELLS:
        return [partial(small_readings, board, whole=True), partial(_more_readings, board)]
    return [partial(large_readings, board, ASKED_SECONDS, ends) for ends in (("line",), ("full", "decided"))]


def small_readings(board: Board, *, whole: bool = False) -> Iterator[Meaning]:
    """Yield the readings of a board under every convention.

    `whole`: the openings as well, and the positions with their moves and values.
    """
    yield from ladder_readings(board)
    rules = move_rules(board)
    pairs = [(rule, rule) for rule in rules]
    yield from census_readings(_counted(board, pairs))
    if board.group().order != board.group("lines").order:
        found = (Question(board, same, symmetry="lines") for same in SAMENESSES if same != "labelled")
        with suppress(BudgetError):  # a group too large to list: any permutation of cells, say
            yield from census_readings(map(_census, found))
    if whole:
        either = (Question(board, same, end=end, starts="either") for end, same in product(END_RULES, SAMENESSES))
        yield from census_readings(map(_census, either), plies=False)
        yield from _openings(board)
        yield from value_readings(board)
        if not board.misere:
            yield from tree_readings(board)
        if board.shape is not None and board.shape[2] == 1:
            yield from graph_readings(board)


def _more_readings(board: Board) -> Iterator[Meaning]:
    """Yield what takes more words: X and O by different rules."""
    rules = move_rules(board)
    mixed = [pair for pair in product(rules, rules) if pair[0] != pair[1]]
    yield from census_readings(_counted(board, mixed), plies=False)


def _census(question: Question) -> Census:
    return answer(question, engine="layered")


def _counted(board: Board, pairs: list[tuple[MoveRule, MoveRule]]) -> Iterator[Census]:
    for (x_rule, o_rule), end, same in product(pairs, END_RULES, SAMENESSES):
        yield _census(Question(board, same, x_rule, o_rule, end))


def _openings(board: Board) -> Iterator[Meaning]:
    for cell in opening_cells(board):
        start = Position(board).play(cell)
        if not start.is_terminal:
            questions = (Question(board, same, start=start) for same in SAMENESSES)
            yield from census_readings(map(_census, questions), plies=False)


def large_readings(
    board: Board, seconds: float = EACH_SECONDS, ends: tuple[EndRule, ...] = ("line",)
) -> Iterator[Meaning]:
    """Yield the readings of free play on a board, as many as each fit the time; and the values of its positions."""
    answers = Answers(Limits.of(None, seconds))
    yield from ladder_readings(board, answers)
    for end, same in product(ends, SAMENESSES):
        try:
            census = answers.census(Question(board, same, end=end))
        except BudgetError:
            continue
        yield from census_readings([census])
    if board.cells <= VALUED_CELLS and "line" in ends:
        yield from value_readings(board)
