"""The chances of moves, read exactly: what may be given, what becomes of it, and what is refused in one sentence."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.strategy.weights import Moment, evenly, read_weights

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
AT = Moment("the policy", "X........", Board.parse("3x3"), 0b111111110)
SOLID = Moment("the policy", "........", Board.parse("2x2x2:2"), 0b11111111)


@pytest.mark.parametrize(
    ("given", "weights"),
    [
        ("b1", {1: Fraction(1)}),
        (8, {8: Fraction(1)}),
        (np.int64(8), {8: Fraction(1)}),
        (np.array(8), {8: Fraction(1)}),
        (["b1", "c1"], {1: HALF, 2: HALF}),
        ([3, 2, "b1"], {1: THIRD, 2: THIRD, 3: THIRD}),
        (np.array([3, 2]), {2: HALF, 3: HALF}),
        (range(1, 9), {cell: Fraction(1, 8) for cell in range(1, 9)}),
        ({"b1": 1}, {1: Fraction(1)}),
        ({"c1": "1/3", "b1": "2/3"}, {1: 2 * THIRD, 2: THIRD}),
        ({1: "0.25", 2: " .75 "}, {1: HALF / 2, 2: 3 * HALF / 2}),
        ({1: Decimal("0.5"), 2: Fraction(1, 2), 3: 0, 4: 0.0}, {1: HALF, 2: HALF}),
        ({1: 0.5, 2: 0.5}, {1: HALF, 2: HALF}),
        ({1: np.float64(0.5), 2: np.int64(0), 3: "1/2"}, {1: HALF, 3: HALF}),
        ({0: 0, 1: 1}, {1: Fraction(1)}),
        ([0, 0.5, 0, 0, 0.5, 0, 0, 0, 0], {1: HALF, 4: HALF}),
        ([[0, 0.5, 0], [0, 0.5, 0], [0, 0, 0]], {1: HALF, 4: HALF}),
        (np.eye(3)[::-1] * [[1], [0], [0]], {2: Fraction(1)}),
    ],
)
def test_what_may_be_given(given: object, weights: dict[int, Fraction]) -> None:
    found = read_weights(given, AT)
    assert dict(found) == weights
    assert list(found) == sorted(found), "in reading order"
    assert sum(found.values()) == 1


def test_an_array_of_a_box_has_its_layers_first() -> None:
    given = [[[0, 0], [0, 0.5]], [[0.5, 0], [0, 0]]]
    assert dict(read_weights(given, SOLID)) == {3: HALF, 4: HALF}
    with pytest.raises(InputError, match="does not fit 2x2x2:2"):
        read_weights([[0, 0, 0, 0.5], [0.5, 0, 0, 0]], SOLID)


def test_floats_may_be_off_by_a_millionth_and_are_then_divided_by_their_sum() -> None:
    thirds = read_weights({1: 1 / 3, 2: 1 / 3, 3: 1 / 3}, AT)
    assert dict(thirds) == {1: THIRD, 2: THIRD, 3: THIRD}
    off = Fraction(1, 10**6)
    found = read_weights({1: float(HALF), 2: HALF + off}, AT)
    assert dict(found) == {1: HALF / (1 + off), 2: (HALF + off) / (1 + off)}
    assert sum(read_weights({1: 0.5, 2: HALF - off}, AT).values()) == 1
    for error in (off + Fraction(1, 10**12), -off - Fraction(1, 10**12)):
        with pytest.raises(InputError, match="sum to"):
            read_weights({1: 0.5, 2: HALF + error}, AT)
    with pytest.raises(InputError, match="sum to 1000001/1000000: give chances that sum to 1"):
        read_weights({1: HALF, 2: HALF + off}, AT)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (True, "the moves of the policy"),
        (None, "the moves of the policy"),
        (b"b1", "the moves of the policy"),
        (1.5, "the moves of the policy"),
        ([], "plays nothing"),
        ({}, "plays nothing"),
        ("a1", "plays a1 in X........, which is taken"),
        (["a1", "b1"], "which is taken"),
        ({"a1": 1}, "which is taken"),
        ("d1", "does not play on the board"),
        (9, "does not play on the board"),
        (["b1", 1], "give each cell once, for each is as likely as the others"),
        ({"b1": "1/2", 1: "1/2"}, "give each cell once, for its chance is the whole chance"),
        ({1: -1, 2: 2}, "plays b1 in X........ with the chance -1: give chances from 0 to 1"),
        ({1: 0}, "sum to 0"),
        ({1: "1/2"}, "sum to 1/2"),
        ({1: "1/0"}, "which is no number"),
        ({1: "one"}, "which is no number"),
        ({1: "1e0"}, "which is no number"),
        ({1: True}, "which is no number"),
        ({1: None}, "which is no number"),
        ({1: float("nan")}, "which is no number"),
        ({1: float("inf")}, "which is no number"),
        ({1: "0" * 1000 + "1"}, "which is no number"),
        ([0.5, 0.5], "does not fit 3x3"),
        ([[0.5, 0.5], [0, 0], [0]], "does not fit 3x3"),
        ([[[[[0.5]]]]], "nested too deeply"),
        ([[[[0.5]]]], "does not fit 3x3"),
    ],
)
def test_what_is_refused(given: object, words: str) -> None:
    with pytest.raises(InputError) as told:
        read_weights(given, AT)
    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_several_that_are_taken_and_long_sums() -> None:
    both = AT._replace(blanks=0b111111100)
    with pytest.raises(InputError, match=r"plays a1, b1 in .*, which are taken"):
        read_weights([0, 1, 2], both)
    with pytest.raises(InputError, match=r"sum to about 0\.333333333"):
        read_weights({1: "0." + "3" * 30}, AT)
    assert dict(read_weights({1: "0" * 999 + "1"}, AT)) == {1: Fraction(1)}
    assert dict(evenly(0b1011)) == {0: THIRD, 1: THIRD, 3: THIRD}
