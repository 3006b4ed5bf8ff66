"""The pictures in the documentation are what the commands beside them draw now: if not, run `make docs`."""

from __future__ import annotations

from pathlib import Path

import pytest

import noughts

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
