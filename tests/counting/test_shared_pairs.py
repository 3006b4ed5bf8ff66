"""The second count of positions in scripts/won_again.py, held against the engines on boards that they count at once."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from noughts import count
from noughts.rules.board import Board

SCRIPTS = Path(__file__).parents[2] / "scripts"
pytestmark = pytest.mark.slow  # numba compiles the script each time


@pytest.mark.parametrize(
    "spec", ["2x2:2", "3x3:2", "3x3", "1x9:3", "2x7:3", "3x8:5", "2x13:6", "4x6:2", "7x3:4", "5x5:3", "5x5:4"]
)
def test_shared_cells_less_their_pairs_count_every_won_position_once(
    monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    won_again = importlib.import_module("won_again")
    assert won_again.positions_of(Board.parse(spec)) == sum(row.positions or 0 for row in count(spec).plies)
