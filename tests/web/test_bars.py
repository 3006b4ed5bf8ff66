"""Bars: their lengths follow the numbers, their parts fill them, and what is there can be seen."""

from __future__ import annotations

from itertools import pairwise

import pytest

from noughts.web.bars import bar_of, longest_of


def ends(parts):
    return [(name, float(at.rstrip("%")), float(at.rstrip("%")) + float(long.rstrip("%"))) for name, at, long in parts]


@pytest.mark.parametrize("parts", [[("x", 81792), ("draw", 46080), ("o", 0)], [("x", 1), ("draw", 1), ("o", 2)]])
def test_parts_follow_each_other_and_fill_the_bar(parts):
    whole = sum(number for _, number in parts)
    made = bar_of(parts, whole)
    for scale in (made.linear, made.logarithmic):
        found = ends(scale)
        assert [name for name, _, _ in found] == [name for name, number in parts if number]
        assert found[0][1] == 0
        assert found[-1][2] == pytest.approx(100, abs=0.01)
        for (_, _, end), (_, begin, _) in pairwise(found):
            assert end == pytest.approx(begin, abs=0.01)


def test_lengths_are_in_proportion_or_as_many_as_the_digits():
    half = bar_of([("all", 500)], 1000)
    assert half.linear == (("all", "0.00%", "50.00%"),)
    assert ends(bar_of([("all", 10)], 1000).logarithmic)[0][2] == pytest.approx(50)
    assert ends(bar_of([("all", 10**60)], 10**90).linear)[0][2] > 0


def test_nothing_has_no_bar_and_something_can_be_seen():
    assert bar_of([("all", 0)], 1000).linear == bar_of([], 1000).logarithmic == ()
    assert bar_of([("all", 1)], 10**9).linear[0][2] == "0.15%"
    assert longest_of([None, 0, 7]) == 7
    assert longest_of([None, 0]) == 1
