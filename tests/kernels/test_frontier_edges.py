"""The edges of a sweep fit their arrays where all three moves lead to states that are their own twins."""

from __future__ import annotations

import pytest

from noughts.counting.api import ask
from tests.counting.comparing import counted


@pytest.mark.parametrize("spec", ["1x5:4", "1x7:4+torus", "2x3:3"])
def test_six_edges_a_state(spec: str) -> None:
    question = ask(spec, same="symmetry")
    assert counted("frontier", question).plies == counted("plain", question).plies
