"""The edges of a sweep fit their arrays where all three moves lead to states that are their own twins."""

from __future__ import annotations

import numpy as np
import pytest

from noughts.counting.api import ask
from noughts.kernels.frontier.states import _forget
from tests.counting.comparing import counted


@pytest.mark.parametrize("spec", ["1x5:4", "1x7:4+torus", "2x3:3"])
def test_six_edges_a_state(spec: str) -> None:
    question = ask(spec, same="symmetry")
    assert counted("frontier", question).plies == counted("plain", question).plies


def test_what_a_stricter_line_makes_superfluous_is_dropped() -> None:
    """States that differ in such a line alone would be counted apart: as many games, from more states."""
    slots, clears = np.array([65, 3]), np.array([[0b1000, 0b1], [0, 0b100]], np.uint64)
    for alive, left in (
        ([0b1001, 0b111], [0b0001, 0b110]),  # the line in bit 65 is alive, and drops that in bit 3 before its turn
        ([0b1001, 0b101], [0b1001, 0b001]),
        ([0b0001, 0b101], [0b0001, 0b101]),
    ):
        child = np.array([7, 7, *alive], np.uint64)
        _forget(child, 1, 2, slots, clears)
        assert child.tolist() == [7, 7, *left]
