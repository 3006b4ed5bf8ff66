"""The pictures in the documentation are what the commands beside them draw now: if not, run `make docs`."""

from __future__ import annotations

from pathlib import Path

import pytest

import noughts
from noughts.cli.main import main

PICTURES = Path(__file__).parent.parent.parent / "docs" / "pictures"


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("edge-opening.svg", lambda: noughts.tree("3x3", opening="b1")),
        ("trap.svg", lambda: noughts.explain("3x3", "a1 b2 c3")),
    ],
)
def test_picture_is_current(name, make):
    assert (PICTURES / name).read_text(encoding="utf-8") == noughts.draw(make(), "auto")


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("two-marks.svg", ["positions", "3x3", "--ply", "2"]),
        ("real-decisions.svg", ["positions", "3x3", "--real-decision", "--ply", "3"]),
        ("endings-six.svg", ["positions", "3x3", "--terminal", "--ply", "6"]),
        ("blindfold-strategy.svg", ["blindfold", "3x3"]),
    ],
)
def test_picture_of_a_verb_is_current(name, question, tmp_path):
    drawn = tmp_path / name
    with pytest.raises(SystemExit) as ended:
        main([*question, "--theme", "auto", "-o", str(drawn)])
    assert ended.value.code in (0, None)
    assert (PICTURES / name).read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8")
