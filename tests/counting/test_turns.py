"""Games by who starts: what is asked of the engine beneath, and what the answers take together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from noughts.counting import starts
from noughts.counting.census import POSITION_COLUMNS, PlyCounts
from noughts.counting.layers.bounds import layer_bounds
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.counting.starts import offer_by_turns
from noughts.domain.board import Board
from noughts.machine.budget import Estimate, Limits
from noughts.machine.offers import Refusal


class Beneath:
    """An engine that notes what it is asked and what it is run with, and counts nothing."""

    def __init__(self, *costs: tuple[int, float]) -> None:
        self.costs = list(costs)
        self.asked: list[Question] = []
        self.resumed: list[Path | None] = []

    def __call__(self, request: Request, limits: Limits) -> CountingOffer | Refusal:
        self.asked.append(request.question)
        memory, seconds = self.costs[len(self.asked) - 1]

        def rows(run: Run) -> tuple[PlyCounts, ...]:
            self.resumed.append(run.resume)
            return ()

        return CountingOffer(request.question, "beneath", Estimate(memory, seconds, "so much"), rows)


def asked(**parts: Any) -> Request:
    return Request(Question(Board.parse("2x3:3"), **parts))


def test_two_runs_take_the_memory_of_one_and_the_time_of_both() -> None:
    engine = Beneath((100, 2.0), (300, 5.0))
    request = asked(starts="either", x_moves="win")
    found = offer_by_turns(engine, request, Limits(300, 7.0))
    assert isinstance(found, CountingOffer)
    assert [(each.starts, each.x_moves, each.o_moves) for each in engine.asked] == [
        ("X", "win", "any"),
        ("X", "any", "win"),
    ]
    assert (found.engine, found.question, found.missing) == ("beneath", request.question, ())
    assert (found.estimate.memory, found.estimate.seconds) == (300, 7.0)
    list(found.rows(Run(resume=Path("kept"))))
    assert engine.resumed == [Path("kept"), None], "one folder keeps one run"
    for limits in (Limits(299, 7.0), Limits(300, 6.9)):
        refused = offer_by_turns(Beneath((100, 2.0), (300, 5.0)), request, limits)
        assert isinstance(refused, Refusal)
        assert refused.estimate == found.estimate


def test_the_same_rules_are_asked_about_once() -> None:
    for parts in ({"starts": "either", "x_moves": "win", "o_moves": "win"}, {"starts": "O", "o_moves": "win"}):
        engine = Beneath((100, 2.0))
        found = offer_by_turns(engine, asked(**parts), Limits())
        assert isinstance(found, CountingOffer)
        assert found.estimate.seconds == 2.0
        assert [each.x_moves for each in engine.asked] == ["win"]


def test_positions_are_left_out_where_they_are_too_many_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many classes as free play to the end may reach, whatever ply is asked for; free moves need no list."""
    for parts in ({"x_moves": "win"}, {"end": "decided"}, {"x_moves": "win", "to_ply": 2}, {"o_moves": "block"}):
        question = Question(Board.parse("2x3:3"), "symmetry", starts="either", **parts)
        bound = sum(layer_bounds(question, to_end=True, order=question.group.order))
        for most, missing in ((bound, ()), (bound - 1, POSITION_COLUMNS)):
            monkeypatch.setattr(starts, "LISTED_CLASSES", most)
            found = offer_by_turns(Beneath((1, 1.0), (1, 1.0)), Request(question), Limits())
            assert isinstance(found, CountingOffer)
            assert found.missing == missing
    monkeypatch.setattr(starts, "LISTED_CLASSES", 0)
    for parts in ({"starts": "either"}, {"starts": "O", "x_moves": "win"}, {"starts": "either", "end": "full"}):
        found = offer_by_turns(Beneath((1, 1.0), (1, 1.0)), asked(**parts), Limits())
        assert isinstance(found, CountingOffer)
        assert found.missing == ()
