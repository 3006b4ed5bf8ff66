"""`noughts whatis`: a number, its conventions, its neighbours."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize(
    ("number", "command"),
    [
        ("26830", "noughts count 3x3:3 --same choices --moves any --end line"),
        ("31,896", "noughts count 3x3:3 --same symmetry --moves any --end line"),
        ("9!", "noughts count 3x3:3 --same labelled --moves any --end full"),
        ("1145", "noughts count 3x3:3 --same choices --moves block --end decided"),
        ("204336", "noughts count 3x3:3+torus --same labelled --moves any --end line"),
    ],
)
def test_first_reading(run, number, command):
    record = json.loads(run("whatis", number, "--format", "json").out)
    assert record["matches"][0]["command"] == command
    assert record["nearest"] == []


@pytest.mark.parametrize("spelling", ["255168", "255,168", "255_168", "255 168", "2 * 127584", "  255168 "])
def test_spellings(run, spelling):
    assert "255,168 is: 3x3:3: finished games" in run("whatis", spelling).out


def test_the_misprint_matches_nothing(run):
    result = run("whatis", "5812")
    assert result.out.startswith("5,812 matches nothing")
    assert "5,890 is" in result.out
    assert "5,478 is" in result.out
    record = json.loads(run("whatis", "5812", "--format", "json").out)
    assert [near["value"] for near in record["nearest"]] == ["5890", "5478"]


def test_published_terms_are_recognised(run):
    assert "A061526" in run("whatis", "15,038,733,958,272").out


def test_few_readings_unless_all_are_asked_for(run):
    few, everything = run("whatis", "16").out, run("whatis", "16", "--all").out
    assert "more readings: noughts whatis 16 --all" in few
    assert len(everything) > len(few)


@pytest.mark.parametrize("text", ["", "x", "1.5", "-3", "1e9", "9" * 300, "10000!", "٣"])
def test_errors(run, text):
    result = run("whatis", "--", text)
    assert result.code == 2
    assert "is no whole number" in result.one_sentence()
