"""Up to how many classes it is answered, and that who waits is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from noughts import force, patterns, payoff, secure, versus
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.extent import class_bound
from noughts.domain.notation import parse_position
from noughts.strategy.fairness import compare_points, fairest_points
from noughts.strategy.running import running_score

LIMITED: dict[str, Callable[..., Any]] = {
    "force": force,
    "secure": secure,
    "payoff": payoff,
    "payoff of policies": lambda board, start, **more: payoff(board, start=start, x="random", o="win", **more),
    "versus": versus,
    "running_score": lambda board, start, **more: running_score(board, start, games=2, **more),
    "fairest_points": lambda board, start, **more: fairest_points(board, start, most=1, **more),
    "compare_points": compare_points,
}
LIMITED["payoff"] = lambda board, start, **more: payoff(board, start=start, **more)


@pytest.mark.parametrize("name", LIMITED)
def test_a_limit_is_the_most_classes_that_there_may_be(name: str) -> None:
    ask, many = LIMITED[name], class_bound(parse_position("3x3", "a1 b1 c3"))
    assert ask("3x3", "a1 b1 c3", limit=many) is not None
    with pytest.raises(BudgetError, match="position classes"):
        ask("3x3", "a1 b1 c3", limit=many - 1)
    with pytest.raises(InputError, match="the limit cannot be 0: give a whole number from 1"):
        ask("3x3", "a1 b1 c3", limit=0)


@pytest.mark.parametrize("ask", [force, secure, patterns, payoff])
def test_who_waits_is_told_of_the_classes(ask: Callable[..., Any]) -> None:
    seen: list[tuple[Any, ...]] = []
    more = {"start": "a1 b1 c3"} if ask is payoff else {}
    ask("3x3", *([] if more else ["a1 b1 c3"]), **more, progress=lambda *told: seen.append(told))
    assert seen
    assert all(unit == seen[0][2] for _, _, unit in seen)
    with pytest.raises(InputError, match="progress"):
        ask("3x3", progress=3)
    for name in ("X", "O"):
        if ask in (force, secure):
            assert ask("3x3", "a1 b1 c3", player=name).goal.asked == name
            with pytest.raises(InputError, match="the player cannot be 'Z': choose from X, O"):
                ask("3x3", "a1 b1 c3", player="Z")
