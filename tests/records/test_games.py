"""Are two games the same, in three senses, and where do they part: against the keys of the oracle."""

from __future__ import annotations

import random
from typing import Any

import pytest

from noughts.domain.errors import InputError
from noughts.records.games import GameComparison, same_games
from tests import naive

GAMES = {
    "3x3:3": (naive.grid(3, 3, 3), naive.isometries(3, 3)),
    "2x3:2": (naive.grid(2, 3, 2), naive.isometries(2, 3)),
    "2x3:3+torus+misere": (naive.grid(2, 3, 3, torus=True, misere=True), naive.isometries(2, 3, torus=True)),
    "2x2x2:2": (naive.grid(2, 2, 2, layers=2), naive.isometries(2, 2, layers=2)),
}


def random_game(game: naive.Game, rng: random.Random, turn: Any = None, follow: tuple[int, ...] = ()) -> naive.Path:
    """A game of random length, whose first moves follow another as far as that is drawn, turned."""
    position, cells, positions = "." * game.cells, list[int](), ["." * game.cells]
    until = rng.randint(0, len(follow)) if follow else 0
    for ply in range(rng.randint(1, game.cells)):
        if naive.line_outcome(game, position):
            break
        cell = turn[follow[ply]] if ply < until else rng.choice(naive.blanks(position))
        position = naive.play(position, cell)
        cells.append(cell)
        positions.append(position)
    return naive.Path(tuple(cells), tuple(positions), None, None)


def prefix(path: naive.Path, ply: int) -> naive.Path:
    return naive.Path(path.cells[:ply], path.positions[: ply + 1], None, None)


def parting(one: naive.Path, other: naive.Path, same: str, group: tuple[naive.Permutation, ...]) -> int | None:
    """The first move at which the keys of what has been played differ, or one of the two has no such move."""
    for ply in range(1, 1 + max(len(one.cells), len(other.cells))):
        if ply > min(len(one.cells), len(other.cells)):
            return ply
        if naive.same_key(prefix(one, ply), same, group) != naive.same_key(prefix(other, ply), same, group):
            return ply
    return None


def ply_of(found: GameComparison, same: str) -> int | None:
    part = getattr(found, same)
    return None if part is None else part.ply


@pytest.mark.parametrize("spec", GAMES)
def test_games_part_where_the_oracle_says(spec: str) -> None:
    game, group = GAMES[spec]
    rng, seen = random.Random(spec), set()
    for _ in range(300):
        one = random_game(game, rng)
        other = random_game(game, rng, rng.choice(group), one.cells)
        found = same_games(spec, one.cells, other.cells)
        for same in ("labelled", "symmetry", "choices"):
            assert ply_of(found, same) == parting(one, other, same, group), (one, other, same)
        assert found.boards.is_same == (
            naive.position_class(one.positions[-1], group) == naive.position_class(other.positions[-1], group)
        )
        agreed = (found.symmetry.ply - 1) if found.symmetry else len(one.cells)
        assert set(found.symmetries) == {
            p for p in group if tuple(p[c] for c in one.cells[:agreed]) == other.cells[:agreed]
        }
        seen.add(found.same)
    assert {(), ("labelled", "symmetry", "choices"), ("symmetry", "choices")} <= seen


def test_the_same_choices_need_no_common_symmetry() -> None:
    found = same_games("3x3", "b2 a1 c3 a3 b3 b1", "b2 a1 c3 a3 b3 b1")
    assert found.same == ("labelled", "symmetry", "choices")
    pairs = [("a1 c3 b2 a2", "a1 c3 b2 b1"), ("b2 a1 c3 b1", "b2 c3 a1 b3"), ("a1 b2 c3 b1", "a1 b2 c3 b3")]
    assert [same_games("3x3", *pair).same for pair in pairs] == [
        ("symmetry", "choices"),
        ("symmetry", "choices"),
        ("choices",),
    ]
    assert same_games("3x3", "a1 b2 c3 b1", "a1 b2 c3 b3").as_dict()["games"] == {
        "first": ["a1", "b2", "c3", "b1"],
        "second": ["a1", "b2", "c3", "b3"],
        "same": ["choices"],
        "part": {
            "labelled": {"ply": 4, "moves": ["b1", "b3"], "positions": ["XO./.O./..X", "X../.O./.OX"]},
            "symmetry": {"ply": 4, "moves": ["b1", "b3"], "positions": ["XO./.O./..X", "X../.O./.OX"]},
            "choices": None,
        },
        "symmetries": ["leave it as it is", "flip along the diagonal from the top left"],
    }


def test_one_game_that_goes_on_is_another() -> None:
    found = same_games("3x3", ["a1", "b2"], "9 5 1")
    assert found.same == ()
    assert found.labelled is not None
    assert found.labelled.ply == 1
    assert found.choices is not None
    assert (found.choices.ply, found.choices.names) == (3, ("no move", "a1"))
    assert repr(found.choices) == "<Parting at move 3: no move and a1>"


def test_games_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        same_games("3x3", "a1 a1", "a1")
    with pytest.raises(InputError, match="after the game was over"):
        same_games("3x3", "a1", "a1 b1 a2 b2 a3 b3")
    wrong: Any
    for wrong in (3, None, b"a1"):
        with pytest.raises(InputError, match="a game cannot be"):
            same_games("3x3", "a1", wrong)
