"""Values after one and two marks in the package: consistent, found again by a search, and read without one."""

from __future__ import annotations

from typing import Any

import pytest

from noughts import known
from noughts.analysis.explain.openings import openings
from noughts.judge.values import opening_lines
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.published import carried_openings
from noughts.solving.search import SearchSolution
from noughts.solving.stages import Stages

ROWS = {row["board"]: row["after"] for row in known.openings()}


def test_a_first_move_is_worth_what_the_best_reply_leaves() -> None:
    assert ROWS
    for after in ROWS.values():
        for values in after.values():
            kinds = [kind for kind in ("O", "draw", "X") if kind in values]
            assert "open" in values or values["value"] == kinds[0]
            assert "O" not in kinds or values["value"] == "O"


@pytest.mark.parametrize(("spec", "first"), [("5x7:4", "b2"), ("7x5:4", "b2"), ("6x7:5", "d3")])
def test_a_search_finds_the_same(spec: str, first: str) -> None:
    at = Position(Board.parse(spec)).play(first)
    carried = carried_openings(at.board)[at.board.group("board").canonical(at.x, at.o)]
    assert carried is not None
    assert SearchSolution(at.board, at).outcome() == carried.outcome


@pytest.mark.parametrize("spec", ROWS)
def test_openings_are_read_without_a_search(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the empty board, which is searched where that is quick."""
    genuine = Stages.settle

    def settle(stages: Stages, position: Position, *given: Any, **more: Any) -> Any:
        assert not position.ply
        return genuine(stages, position, *given, **more)

    monkeypatch.setattr(Stages, "settle", settle)
    theory = openings(spec)
    for opening in theory.openings:
        values = ROWS[spec][str(opening.cell)]
        assert (opening.outcome or "open") == values["value"]
        for reply in opening.replies:
            assert str(reply.cell) in values[reply.outcome or "open"].split()


@pytest.mark.slow
def test_verify_searches_them_again() -> None:
    from noughts.judge.bench import Bench
    from noughts.machine.budget import Limits

    for line in opening_lines():
        found = line.check(line.known, Bench(Limits.of("2GB", 3000)))
        assert found.status == "ok"
        assert len(found.compared) == len(line.known["after"])
