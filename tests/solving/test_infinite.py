"""The infinite board: pairings held against every line of a period, attacks against the room that they need."""

from __future__ import annotations

import pickle
from itertools import product

import pytest

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.infinite import InfiniteValue, solve_infinite


def stops_every_line(pairs: list[tuple[tuple[int, int], tuple[int, int]]], period: int, k: int) -> bool:
    """Tell by laying out the pairs on a piece of the plane, and walking every line of one period."""
    partner: dict[tuple[int, int], tuple[int, int]] = {}
    for (a, b), (c, d) in pairs:
        for down, right in product(range(-4 * period, 5 * period, period), repeat=2):
            one, other = (a + down, b + right), (c + down, d + right)
            if one == other or one in partner or other in partner:
                return False
            partner[one], partner[other] = other, one
    for row, column in product(range(period), repeat=2):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = {(row + i * down, column + i * right) for i in range(k)}
            if not any(partner.get(place) in line for place in line):
                return False
    return True


@pytest.mark.parametrize("k", [9, 10, 13, 1_000_000])
def test_nine_and_more_are_drawn_by_pairs(k: int) -> None:
    value = solve_infinite(f"{k}+infinite")
    assert (value.outcome, value.known, value.period, value.at_most) == ("draw", "proved", 8, None)
    assert len(value.pairs) == 32
    assert stops_every_line(list(value.pairs), 8, min(k, 9))
    assert not stops_every_line(list(value.pairs[1:]), 8, 9)
    assert not stops_every_line(list(value.pairs), 8, 8)
    assert "Pollak and C. E. Shannon" in str(value.source)


@pytest.mark.parametrize(("k", "plies"), [(1, 1), (2, 3), (3, 5), (4, 11)])
def test_up_to_four_x_wins(k: int, plies: int) -> None:
    value = solve_infinite(f"{k}+infinite")
    assert (value.outcome, value.known, value.pairs) == ("X", "proved", ())
    assert value.at_most is not None
    assert 2 * k - 1 <= value.at_most <= plies
    with pytest.raises(BudgetError, match=r"from 9\+infinite on"):
        value.proof_lines()


@pytest.mark.parametrize(
    ("k", "outcome", "known"), [(5, None, "open"), (6, None, "open"), (7, None, "open"), (8, "draw", "published")]
)
def test_what_is_not_proved_is_not_said_to_be(k: int, outcome: str | None, known: str) -> None:
    value = solve_infinite(f"{k}+infinite")
    assert (value.outcome, value.known) == (outcome, known)
    assert (value.source is None) == (known == "open")
    assert value.as_dict()["value"] == outcome


def test_it_is_a_value() -> None:
    value = solve_infinite()
    assert isinstance(value, InfiniteValue)
    assert value == solve_infinite("infinite:9") == pickle.loads(pickle.dumps(value))
    assert repr(value) == "<InfiniteValue of 9+infinite: draw>"
    assert value.as_dict()["board"] == "9+infinite"


@pytest.mark.parametrize("spec", ["5x5:3", "7x7:3", "9x9:4", "11x11:4"])
def test_how_much_room_an_attack_takes(spec: str) -> None:
    """What is written of the tree stays, turned anyhow, in the cells given; without some of them the answer is None."""
    board = Board.parse(spec)
    attacker, start = Attacker(board), Position(board)
    assert attacker.can_force(start, "X")
    tree = attacker.tree(start, "X")
    written = {int(word) for line in tree.text() for word in line.replace(":", " ").replace("/", " ").split()}
    orbits = {frozenset(element[cell] for element in board.group().elements) for cell in written}
    inner = frozenset().union(*orbits)
    assert tree.leaves(range(board.cells)) == 0
    least = tree.leaves(inner)
    assert least is not None
    assert (least > 0) == (board.k == 4), "the first of four in a row leaves all replies open"
    for orbit in orbits:
        assert tree.leaves(inner - orbit) is None
