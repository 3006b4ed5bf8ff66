"""A board turned step by step: through all its images and back, positions and games alike."""

from __future__ import annotations

import pytest

from noughts.domain.board import Board
from noughts.domain.symmetry import Group, is_identity
from noughts.domain.turning import next_turn

Parts = list[list[int]]


def images(group: Group, parts: Parts) -> set[tuple[tuple[int, ...], ...]]:
    return {tuple(tuple(sorted(g[cell] for cell in part)) for part in parts) for g in group.elements}


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("3x3", [[0, 5], [7]]),
        ("3x3", [[0], [5], [7]]),
        ("3x3", [[1], [4]]),
        ("2x3", [[1], []]),
        ("3x3+torus", [[0, 1], [5]]),
        ("2x2x2", [[0, 3], [5]]),
    ],
)
def test_turning_goes_through_all_images_in_one_order_and_back(spec: str, parts: Parts) -> None:
    group = Board.parse(spec).group()
    wanted = images(group, parts)
    here = tuple(tuple(sorted(part)) for part in parts)
    trail = [here]
    while len(trail) <= len(wanted):
        turn = next_turn(group, trail[-1])
        assert turn in group.elements
        here = tuple(tuple(sorted(turn[cell] for cell in part)) for part in here)
        trail.append(here)
    assert trail[-1] == trail[0]
    assert set(trail) == wanted
    first = trail.index(min(wanted))
    assert trail[first + 1] == next(  # from the least on, in the order of the symmetries that lead there
        image
        for g in group.elements
        if (image := tuple(tuple(sorted(g[cell] for cell in part)) for part in trail[first])) != trail[first]
    )


@pytest.mark.parametrize(("spec", "parts"), [("3x3", [[4], []]), ("3x3", [[], []]), ("2x2", [[0, 1, 2, 3], []])])
def test_what_has_but_one_image_is_not_turned(spec: str, parts: Parts) -> None:
    assert next_turn(Board.parse(spec).group(), parts) is None


def test_a_turn_moves_what_it_turns() -> None:
    turn = next_turn(Board.parse("3x3").group(), [[0], []])
    assert turn is not None
    assert not is_identity(turn)
