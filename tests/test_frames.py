"""Results as data frames: every integer exact, whatever its size, and one sentence where the package is missing."""

from __future__ import annotations

import sys
from fractions import Fraction

import polars
import pytest

import noughts

SMALL = [
    noughts.count("3x3", same="choices"),
    noughts.positions("3x3", ply=2),
    noughts.analysis.catalogue("2x3:2"),
    noughts.solve("3x3"),
    noughts.query("2x3:2", "select * from moves limit 7"),
]


@pytest.mark.parametrize("result", SMALL, ids=lambda result: type(result).__name__)
def test_both_hold_what_the_rows_hold(result) -> None:
    rows = list(result.frame_rows())
    left, right = result.to_pandas(), result.to_polars()
    assert len(left) == right.height == len(rows) > 0
    assert list(left.columns) == right.columns == list(rows[0])
    for name in rows[0]:
        cells = [row[name] for row in rows]
        if all(isinstance(cell, int) for cell in cells):
            assert list(left[name]) == right[name].to_list() == cells


def test_integers_of_more_than_63_bits_keep_their_digits() -> None:
    census = noughts.count("4x6:4")
    wanted = [row.finished for row in census.plies]
    assert wanted[-1] is not None
    assert wanted[-1] > 1 << 63
    frame = census.to_pandas()
    assert frame["finished"].dtype == object
    assert frame["finished"].sum() == census.totals.finished
    assert [int(text) for text in census.to_polars()["finished_text"]] == wanted
    assert frame["ply"].dtype == "Int64"
    assert census.to_polars().schema["ply"] == polars.Int64


@pytest.mark.parametrize("to_frame", ["to_pandas", "to_polars"])
def test_chances_are_numbers_with_their_exact_fractions(to_frame: str) -> None:
    frame = getattr(noughts.positions("3x3"), to_frame)()
    assert str(frame["random_x"].dtype) == "Float64"
    assert frame["random_x"].mean() == pytest.approx(0.5729090154580351)
    assert (frame["random_x"] > 0.5).sum() == 414
    pairs = zip(frame["random_x_numerator"], frame["random_denominator"], strict=True)
    exact = [Fraction(int(p), int(q)) for p, q in pairs]
    assert exact == [record.random_play.x_wins for record in noughts.positions("3x3")]
    assert [float(chance) for chance in exact] == list(frame["random_x"])


@pytest.mark.parametrize("module", ["pandas", "polars"])
def test_without_the_package_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    said = rf"needs the package {module}, of the extra frames: run .* -m pip install {module}"
    with pytest.raises(noughts.InputError, match=said) as caught:
        getattr(noughts.count("3x3"), f"to_{module}")()
    assert "\n" not in str(caught.value)
