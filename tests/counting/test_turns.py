"""Games by who starts: what is asked of the engine beneath, and what the answers take together."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

from noughts.counting import starts
from noughts.counting.census import POSITION_COLUMNS, PlyCounts
from noughts.counting.layers.bounds import layer_bounds
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.counting.starts import _together, offer_by_turns
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


def row(ply: int, *counts: int | None) -> PlyCounts:
    return PlyCounts(ply, *counts)


EVEN, OTHER = row(2, 40, 30, 12, 8, 10, 400, 90, 50, 25, 15), row(2, 41, 31, 7, 14, 10, 500, 91, 27, 49, 15)
"""Two beginners' rows: 20 positions go on or are drawn in the first, 20 in the other, and they are the same."""


def together(one: list[PlyCounts], other: list[PlyCounts], **parts: Any) -> list[tuple[int | None, ...]]:
    question = Question(Board.parse("2x3:3"), starts="either", **parts)
    return [astuple(each) for each in _together(question, tuple(one), tuple(other))]


def test_what_nobody_has_won_counts_once_on_even_plies() -> None:
    games = (900, 181, 77, 74, 30)
    assert together([EVEN], [OTHER]) == [(2, 81 - 20, 61 - 10, 19, 22, 10, *games)]
    odd = [replace(each, ply=3) for each in (EVEN, OTHER)]
    assert together(odd[:1], odd[1:]) == [(3, 81, 61, 19, 22, 20, *games)]
    over = replace(EVEN, terminal_positions=0, terminal_x=0, terminal_o=0, terminal_draw=0)
    assert together([over], [over])[0][:6] == (2, 40, 0, 0, 0, 0), "all of them, by both"


def test_a_row_that_one_beginner_lacks_is_the_other_s() -> None:
    odd = replace(EVEN, ply=3)
    assert together([EVEN, odd], [OTHER])[1] == astuple(odd)
    assert together([EVEN], [OTHER, odd])[1] == astuple(odd)


def test_positions_that_are_not_known_stay_so() -> None:
    unknown = replace(EVEN, positions=None)
    for one, other in ((unknown, OTHER), (EVEN, replace(OTHER, positions=None)), (unknown, unknown)):
        found = together([one], [other])[0]
        assert found == (2, *[None] * 5, 900 if one.paths != other.paths else 800, *found[7:])
    assert together([replace(EVEN, ply=1, draws=None)], [replace(OTHER, ply=1)])[0][-2:] == (74, None)
    assert together([replace(EVEN, ply=1)], [replace(OTHER, ply=1, x_wins=None)])[0][-3:] == (None, 74, 30)
    full = [replace(each, terminal_x=None, terminal_o=None, terminal_draw=None) for each in (EVEN, EVEN)]
    assert together(full[:1], full[1:], end="full")[0][:6] == (2, 40, 30, None, None, None)


def test_positions_that_would_have_to_be_listed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starts, "LISTED_CLASSES", 0)
    asked: list[dict[str, Any]] = [{"x_moves": "win"}, {"end": "decided"}]
    for parts in asked:
        for ply in (2, 3):
            rows = ([replace(EVEN, ply=ply)], [replace(OTHER, ply=ply)])
            assert together(*rows, **parts) == [(ply, *[None] * 5, 900, 181, 77, 74, 30)]
