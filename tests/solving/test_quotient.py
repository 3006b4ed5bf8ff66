"""The misere quotient of Notakto, against all continuations of the boards, and against what is published about 3x3."""

from __future__ import annotations

import random
from functools import cache

import pytest

import noughts
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidQuestion
from noughts.rules.position import Position
from noughts.solving.quotient import misere_quotient
from tests import naive

PAPER = {"a^2=1", "b^3=b", "b^2c=c", "c^3=ac^2", "b^2d=d", "cd=ad", "d^2=c^2"}
"""The presentation by T. Plambeck and G. Whitehead; an empty board is c, and a, b^2, bc and c^2 are lost."""


def wins(rows: int, columns: int, k: int, boards: tuple[int, ...]) -> bool:
    """Tell whether the player to move wins, by all continuations: who finds every board with a line has won."""
    lines = [sum(1 << cell for cell in line) for line in naive.grid(rows, columns, k).lines]
    images = naive.isometries(rows, columns)

    @cache
    def least(x: int) -> int:
        """The least image of a board; any board with a line is as good as another."""
        if any(x & line == line for line in lines):
            return -1
        return min(sum(1 << image[cell] for cell in range(rows * columns) if x >> cell & 1) for image in images)

    @cache
    def won(live: tuple[int, ...]) -> bool:
        after = (
            tuple(sorted(each for each in (*live[:at], least(x | 1 << cell), *live[at + 1 :]) if each >= 0))
            for at, x in enumerate(live)
            for cell in range(rows * columns)
            if not x >> cell & 1
        )
        return not live or not all(won(each) for each in after)

    return won(tuple(sorted(each for each in map(least, boards) if each >= 0)))


def test_the_published_quotient_of_3x3_is_computed() -> None:
    quotient = misere_quotient("3x3+notakto*3")
    assert (quotient.size, set(quotient.relations)) == (18, PAPER)
    assert {quotient.names[element] for element in quotient.lost} == {"a", "b^2", "bc", "c^2"}
    assert quotient.names[quotient.element(0)] == "c"


@pytest.mark.parametrize(
    "spec", ["3x3+notakto", "2x3:2+notakto", "3x4:3+notakto", "1x6:3+notakto", "3x3:2+torus+notakto"]
)
def test_the_product_is_that_of_a_commutative_monoid(spec: str) -> None:
    quotient = misere_quotient(spec)
    elements, product = range(quotient.size), quotient.product
    assert all(product(a, 0) == a and product(a, b) == product(b, a) for a in elements for b in elements)
    dice = random.Random(1)
    for a, b, c in (dice.choices(elements, k=3) for _ in range(300)):
        assert product(product(a, b), c) == product(a, product(b, c)) == product(a, b, c)
    assert 0 not in quotient.lost  # who finds no live board has won
    for a in elements:  # different elements differ beside some other
        for b in range(a):
            assert any((product(a, c) in quotient.lost) != (product(b, c) in quotient.lost) for c in elements)


@pytest.mark.parametrize(
    ("rows", "columns", "k", "many"),
    [(3, 3, 3, 1), (3, 3, 3, 2), (3, 3, 3, 3), (2, 3, 2, 4), (3, 4, 3, 2), (1, 6, 3, 3)],
)
def test_who_wins_as_all_continuations_say(rows: int, columns: int, k: int, many: int) -> None:
    """Random positions after a third of the marks."""
    board = Board.parse(f"{rows}x{columns}:{k}+notakto*{many}")
    solution, dice, size = noughts.solve(board, engine="quotient"), random.Random(many), rows * columns
    for _ in range(60):
        at = Position(board)
        for _ in range(dice.randrange(size * many // 3, size * many)):
            at = at if at.is_terminal else at.play(dice.choice(at.moves()))
        parts = tuple(at.x >> number * size & (1 << size) - 1 for number in range(many))
        assert (solution.value(at) == "win") == wins(rows, columns, k, parts), at
        for move in solution.moves(at):
            assert (move.value == "win") == (solution.value(at.play(move.cell)) == "loss")


@pytest.mark.parametrize("boards", [4, 5, 44, 99, 100])
def test_the_first_player_wins_3x3_on_an_odd_number_of_boards(boards: int) -> None:
    """Published for any number; three boards and fewer have an engine that gives the moves to the end too."""
    solution = noughts.solve(f"3x3+notakto*{boards}")
    assert (solution.engine, solution.value()) == ("quotient", "win" if boards % 2 else "loss")
    assert noughts.solve("3x3+notakto*3").engine == "retrograde"
    assert noughts.solve("2x3:2+torus+notakto*9").engine == "quotient"  # few classes, but a group too large to list


def test_what_it_cannot_value_is_refused_in_words() -> None:
    for spec in ("3x3", "3x3+wild", "2x2:3+notakto"):
        with pytest.raises(InvalidQuestion, match="has no misere quotient here"):
            misere_quotient(spec)
    for spec, why in (
        ("3x3", "takes Notakto"),
        ("3x3+wild", "takes Notakto"),
        ("2x2:3+notakto", "boards with lines"),
        ("2x2:3+notakto*10", "boards with lines"),
        ("4x4+notakto*3", "boards of up to 12 cells each, and 4x4:4.notakto has 16"),
    ):
        with pytest.raises(BudgetError, match=why):
            noughts.solve(spec, engine="quotient")
    with pytest.raises(BudgetError, match="in how many plies"):
        noughts.solve("3x3+notakto", engine="quotient", remoteness=True)
    with pytest.raises(BudgetError, match="over 200,000 sums"):
        noughts.solve("1x12:3+notakto*9").value()
