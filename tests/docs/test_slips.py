"""The page of slips has each slip of the data, and what it says of moves and calls is so."""

from __future__ import annotations

from pathlib import Path

import noughts
from noughts.known import numbers

PAGE = Path(__file__).parent.parent.parent / "docs" / "explanation" / "slips.md"


def test_the_page_has_every_slip_that_is_known() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for entry in numbers("slip"):
        assert f"{int(entry['value']):,}" in text


def test_moves_a_side_and_calls() -> None:
    """Five moves of X and four of O fill the board; a blind X can make nine calls, and no strategy more."""
    last = [record.position for record in noughts.positions("3x3", ply=9)]
    assert {(position.x.bit_count(), position.o.bit_count()) for position in last} == {(5, 4)}
    strategy = noughts.solve_blindfold("3x3").strategy
    assert strategy is not None
    assert max(plan.depth() for plan in strategy.branches.values()) == 9
