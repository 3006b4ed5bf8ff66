"""Random walks through a frontier show that it has many states, and never that it has more than there are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from noughts.counting.api import ask
from noughts.counting.engines import row_of
from noughts.counting.frontier import forecast
from noughts.counting.frontier.order import orders_of
from noughts.counting.frontier.race import best_route
from noughts.counting.frontier.route import Route
from noughts.counting.frontier.walks import RandomWalk, walk_of
from noughts.counting.offers import Request
from noughts.counting.patterns.pattern import Pattern
from noughts.counting.points.graph import Exploration
from noughts.domain.board import Board
from noughts.machine.budget import Limits
from noughts.machine.offers import Refusal

WALKERS = 1 << 14


def pattern_of(spec: str) -> Pattern:
    board = Board.parse(spec)
    return Pattern.of_lines(board.cells, board.line_masks)


def sizes_of(pattern: Pattern) -> list[int]:
    exploration = Exploration(Route(pattern, range(pattern.size)))
    while not exploration.is_done:
        assert exploration.advance(lambda states: True)
    return exploration.sizes


def shown_on(pattern: Pattern) -> list[int]:
    return list(RandomWalk(pattern, tuple(range(pattern.size)), WALKERS).sizes())[-1]


@pytest.mark.parametrize("spec", ["4x4:3", "4x4:3+torus", "5x5:4", "5x5:5+torus", "4x6:4", "3x3x2:3", "1x12:3"])
def test_no_more_states_are_shown_than_there_are(spec: str) -> None:
    pattern = pattern_of(spec)
    shown = shown_on(pattern)
    truth = sizes_of(pattern)
    assert all(few <= many for few, many in zip(shown, truth, strict=False))
    assert any(2 * few > many > 100 for few, many in zip(shown, truth, strict=False)) or max(truth) <= 100


def test_players_with_other_lines_are_not_taken_for_each_other() -> None:
    pattern = Pattern.of(12, [0b000111, 0b111000, 0b001100, 0b111 << 8], first=0b000001)
    assert not pattern.is_symmetric
    shown = shown_on(pattern)
    assert all(few <= many for few, many in zip(shown, sizes_of(pattern), strict=False))
    assert max(shown) > 1


def test_a_walk_goes_on_from_where_it_was_left() -> None:
    pattern = pattern_of("4x4:3+torus")
    order = tuple(range(pattern.size))
    for sizes in walk_of(pattern, order, 1 << 8).sizes():
        if len(sizes) == 5:
            break
    assert list(walk_of(pattern, order, 1 << 8).sizes()) == list(RandomWalk(pattern, order, 1 << 8).sizes())


def test_what_walks_show_is_refused_before_its_states_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    advance = Exploration.advance

    def counted(self: Exploration, visit: Callable[[int], bool]) -> bool:
        found.append(self)
        return advance(self, visit)

    monkeypatch.setattr(Exploration, "advance", counted)
    question, row = ask("5x6:4+torus"), row_of("points-games")
    refused = row.offer(Request(question, row.wanted, strict=True), Limits(memory=700e6))
    assert isinstance(refused, Refusal)
    assert refused.estimate is not None
    assert refused.estimate.at_least
    assert refused.estimate.memory > 700e6
    assert max(run.visited for run in found) < 400_000, "of over a million in its widest layer alone"


def test_tables_that_walks_show_to_be_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "growth_unfolding", lambda sizes, left: 1.0)
    pattern, sides = pattern_of("5x6:4+torus"), (6, 5, 1)
    found = best_route(pattern, orders_of(pattern, sides), pattern.total, sides, Limits(memory=400e6))[1]
    assert not found.complete
    assert found.memory > 400e6
    assert found.states < 400_000 < found.widest
