"""Positions of play to the full board: each, its lines and its numbers, by all games of the oracle."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest

import noughts
from noughts.analysis.records.full import FullRecord
from tests import naive


def records(found: Any) -> list[FullRecord]:
    return cast("list[FullRecord]", list(found))


def flat(record: FullRecord) -> str:
    return str(record.position).replace("/", "")


@pytest.mark.parametrize(
    ("spec", "game", "group", "rule"),
    [
        ("2x3:2", naive.grid(2, 3, 2), naive.isometries(2, 3), "any"),
        ("2x3:2", naive.grid(2, 3, 2), naive.isometries(2, 3), "block"),
        ("1x7:3+misere", naive.grid(1, 7, 3, misere=True), naive.isometries(1, 7), "any"),
        ("1x7:3", naive.grid(1, 7, 3), naive.isometries(1, 7), "any"),
        ("7x1:3", naive.grid(7, 1, 3), naive.isometries(7, 1), "win"),
    ],
)
def test_every_position_with_its_numbers(
    spec: str, game: naive.Game, group: tuple[naive.Permutation, ...], rule: Any
) -> None:
    layers = naive.layers(game, rule, rule, "full")
    ways = Counter(path.positions[-1] for layer in layers for path in layer)
    through = Counter(position for path in layers[-1] for position in path.positions)
    boards = records(noughts.positions(spec, same="labelled", moves=rule, end="full"))
    assert {flat(r): (r.ways, r.games) for r in boards} == {at: (ways[at], through[at]) for at in ways}
    choices = [{naive.same_key(path, "choices", group): None for path in layer} for layer in layers]
    by_choices = Counter(key[-1] for layer in choices for key in layer)
    games = Counter(each for key in choices[-1] for each in key)
    classes = noughts.positions(spec, moves=rule, end="full")
    assert classes.start_games == len(choices[-1])
    found = {naive.position_class(flat(r), group): (r.ways_by_choices, r.games_by_choices) for r in records(classes)}
    assert found == {key: (number, games[key]) for key, number in by_choices.items()}
    assert len(found) == len(classes) == classes.all
    endings: dict[str, set[str]] = {}
    for path in layers[-1]:
        endings.setdefault(path.positions[-1], set()).add(path.first_line or "draw")
    for record in records(classes):
        lined = [player for player in "XO" if naive.has_line(game, flat(record), player)]
        assert record.lined == ("both" if len(lined) == 2 else [*lined, "neither"][0])
        assert record.is_terminal == ("." not in flat(record))
        if record.outcome is not None:
            assert endings[flat(record)] == {record.outcome}
        elif record.is_terminal:
            assert record.lined == "both"
