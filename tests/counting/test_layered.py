"""The engine `layered`: its graphs, estimates, progress, saved states, and the width of its words."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from math import comb, factorial, perm
from pathlib import Path
from typing import Any

import pytest

from noughts.counting.census import Census
from noughts.counting.class_sums import class_rows, move_counts
from noughts.counting.layered.engine import unfinished_by_value
from noughts.counting.layered.walk import compiled_rows
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.saved import Checkpoint
from noughts.kernels.layers.advance import limbs_for
from noughts.kernels.layers.tables import (
    LEAD_TABLE_CELLS,
    LIMB_BITS,
)
from noughts.machine.budget import Limits
from noughts.machine.workers import Threads, Workers
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.play import END_RULES, MOVE_RULES
from noughts.rules.position import Position, parse_position
from noughts.solving import layers as forward
from tests import naive
from tests.counting.comparing import estimated, refusal
from tests.workers import Pickled

THREE = Board.parse("3x3")
AFTER_CORNER = parse_position(THREE, "a1")


def question_on(board: str | Board = THREE, same: Any = "labelled", **parts: Any) -> Question:
    return Question(Board.parse(board) if isinstance(board, str) else board, same, **parts)


def placed(cells: int, last: int | None = None, before: int = 0) -> list[int]:
    """The ways to place the marks of each ply beside as many of X as of O that are there before."""
    left = cells - before
    return [comb(left, t) * comb(t, t // 2) for t in range((left if last is None else last - before) + 1)]


OTHER = {"X": 2, "draw": 1, "O": 0}


@pytest.mark.parametrize("spec", ["2x4:3", "2x3:2+misere", "1x7:3"])
def test_unfinished_classes_by_value(spec: str) -> None:
    """Against a search through all positions."""
    board = Board.parse(spec)
    assert board.shape is not None
    rows, columns, _ = board.shape
    game = naive.grid(rows, columns, board.k or 0, misere=board.misere)
    group = naive.isometries(rows, columns)

    def value(position: str) -> int:
        outcome = naive.line_outcome(game, position)
        if outcome:
            return OTHER[outcome]
        best = max if naive.mover(position) == "X" else min
        return best(value(naive.play(position, cell)) for cell in naive.blanks(position))

    layer, wanted = {"." * board.cells}, {}
    while layer := {position for position in layer if not naive.line_outcome(game, position)}:
        values = [value(position) for position in {naive.position_class(each, group) for each in layer}]
        wanted[board.cells - next(iter(layer)).count(".")] = tuple(values.count(each) for each in range(3))
        layer = {naive.play(position, cell) for position in layer for cell in naive.blanks(position)}
        layer = {naive.position_class(position, group) for position in layer}
    assert unfinished_by_value(board, Limits()) == wanted


def test_moves_are_counted_where_classes_are_few_enough() -> None:
    """By all positions with right marks, over the symmetries; not up to symmetry, and not played to `full`."""
    bound = sum(placed(9)) // 8
    for question in (question_on(), question_on(same="choices")):
        assert move_counts(question, bound) is not None
        assert move_counts(question, bound - 1) is None
    assert move_counts(question_on(same="symmetry")) is None
    assert move_counts(question_on(end="full")) is None
    choices = move_counts(question_on(same="choices", start=AFTER_CORNER, to_ply=3))
    assert choices == {1: {5: 1}, 2: {7: 3, 4: 2}}
    assert move_counts(question_on(start=AFTER_CORNER, to_ply=3)) == {1: {8: 1}, 2: {7: 8}}


def totals(question: Question) -> tuple[int | None, ...]:
    census = Census(question, "layered", compiled_rows(question)).check().totals
    return census.positions, census.terminal, census.finished, census.x_wins, census.o_wins, census.draws


def test_four_by_four() -> None:
    """OEIS A061526 to A061530, and A317575, A317576 row 4: every move of perfect players keeps the draw."""
    board = Board.parse("4x4")
    games = (15038733958272, 3225291101568, 3106180802304, 8707262054400)
    assert totals(Question(board))[2:] == games
    rows = compiled_rows(Question(board, "choices"))
    classes = [1, 3, 33, 219, 1413, 5514, 20122, 50215, 112379, 179510, 245690, 245690, 193318, 110452, 41870]
    assert [row.positions for row in rows] == [*classes, 10489, 1059]
    perfect = compiled_rows(Question(board, "labelled", "perfect", "perfect"))
    assert sum(row.draws or 0 for row in perfect) == sum(row.finished or 0 for row in perfect) == 3848888994048
    terminal = [280, 642, 4942, 6770, 20286, 16042, 20998, 7970, 3774, 1059]
    assert [row.terminal for row in rows[7:]] == terminal


def columns_board(columns: int) -> Board:
    """Three rows without lines, the columns as alike as can be: few classes, and yet as many paths as ever."""
    swap, turn = list(range(3 * columns)), []
    for row in range(3):
        first = row * columns
        swap[first], swap[first + 1] = first + 1, first
        turn += [first + (column + 1) % columns for column in range(columns)]
    return Board.from_lines(3 * columns, [], symmetries=[tuple(swap), tuple(turn)])


@pytest.mark.slow
def test_paths_beyond_one_word() -> None:
    """21 cells: 21! paths do not fit into the 63 bits of a word, and each is counted."""
    board = columns_board(7)
    assert board.group().order == factorial(7)
    assert limbs_for(factorial(21), LIMB_BITS) == 2
    rows = compiled_rows(Question(board, "symmetry"))
    labelled = compiled_rows(Question(board, "labelled"))
    assert [row.paths for row in labelled] == [perm(21, ply) for ply in range(22)]
    assert labelled[-1].draws == factorial(21) > 1 << LIMB_BITS
    assert rows[-1].draws == factorial(21) // factorial(7)
    columns = combinations_with_replacement(range(8), 7)
    assert rows[-1].positions == sum(sum(column.bit_count() for column in some) == 11 for some in columns)
    assert labelled[-1].positions == comb(21, 11)


def test_a_walk_is_taken_up_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("3x4:3")
    question = Question(board, "symmetry", start=parse_position(board, "X.../..../...."))
    expected = compiled_rows(question)
    folder = tmp_path / "state"
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))

    def interrupt(done: int, whole: int, what: str) -> None:
        if what.endswith("ply 7"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compiled_rows(question, progress=interrupt, resume=folder)
    (saved,) = folder.iterdir()
    later: list[str] = []
    assert compiled_rows(question, progress=lambda *now: later.append(now[2]), resume=folder) == expected
    assert later[0] == "games of ply 7"
    assert later[-1] == "done"
    assert not saved.exists()
    again: list[str] = []
    assert compiled_rows(question, progress=lambda *now: again.append(now[2]), resume=folder) == expected
    assert again == ["done"]
    other = compiled_rows(Question(board), resume=folder)
    assert other == compiled_rows(Question(board))


def test_refusals() -> None:
    assert refusal("layered", Question(Board.parse("8x8"))) is None
    assert "64 cells" in str(refusal("layered", Question(Board.parse("8x9"))))
    empty = Board.parse("4x4:5")
    with pytest.raises(BudgetError, match="--symmetry board"):
        estimated("layered", Question(empty, "choices", symmetry="lines"))
    assert estimated("layered", Question(empty, symmetry="lines")).memory < 10**9


# Boards beyond the lead table and up to the last bit of a word, against sums over the class graph in plain Python.


@pytest.mark.parametrize(("spec", "to_ply"), [("3x9:2", 3), ("9x3:3", 3), ("8x8:8", 2), ("3x3x3", 3), ("1x64:2", 2)])
def test_first_plies_of_wide_boards(spec: str, to_ply: int) -> None:
    board = Board.parse(spec)
    assert board.cells > LEAD_TABLE_CELLS
    for same in SAMENESSES:
        for end in ("line", "full"):
            question = Question(board, same, "win", "block", end, to_ply=to_ply)
            assert compiled_rows(question) == class_rows(question), question


def nearly_full(board: Board, blanks: int, rng: random.Random) -> Position:
    """A position without a line that random play has led to, with so many cells left."""
    while True:
        start = Position(board)
        while not start.is_terminal and board.cells - start.ply > blanks:
            start = start.play(rng.choice([cell for cell in range(board.cells) if start.blanks >> cell & 1]))
        if not start.is_terminal:
            return start


@pytest.mark.parametrize("spec", ["3x9:4", "7x7:6", "8x8:6", "2x4x4:4", "6x5:5+torus", "8x8:7+misere"])
def test_endgames_of_wide_boards(spec: str) -> None:
    """To the end, where values and settled outcomes are needed; cell 64 is among the blank ones or the marks."""
    board = Board.parse(spec)
    rng = random.Random(spec)
    rules = board.rules.move_rules
    for end in END_RULES:
        for same in SAMENESSES:
            start = nearly_full(board, 6, rng)
            question = Question(board, same, rng.choice(rules), rng.choice(rules), end, start=start)
            assert compiled_rows(question) == class_rows(question), question


# The layers of position classes by any workers: the same rows, and the same arrays byte by byte.

OTHERS: list[Workers] = [Threads(2), Threads(3), Threads(7), Pickled()]


@pytest.fixture
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many slices and many parts, as large boards are."""
    monkeypatch.setattr(forward, "_SLICE", 30)
    monkeypatch.setattr(forward, "_PART", 50)


@pytest.mark.usefixtures("many_parts")
def test_rows_are_the_same() -> None:
    dice = random.Random(11)
    for spec in ("3x3", "3x3+misere", "2x5:3"):
        board = Board.parse(spec)
        for end in END_RULES:
            rules = ("any", "perfect", "quickest") if board.misere else MOVE_RULES
            question = Question(board, dice.choice(SAMENESSES), dice.choice(rules), dice.choice(rules), end)
            expected = compiled_rows(question)
            for workers in OTHERS:
                assert compiled_rows(question, workers=workers) == expected, question

    workers = Pickled()
    compiled_rows(Question(Board.parse("3x4:3"), "choices", "perfect", "perfect"), workers=workers)
    assert workers.items > 100
