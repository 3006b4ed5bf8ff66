"""Are two boards the same, and do the words say what the symmetry does?"""

from __future__ import annotations

import random
from typing import Any

import pytest

from noughts.analysis.records.comparison import GameComparison, same, same_games
from noughts.rules.board import Board
from noughts.rules.turns import images, words_for
from tests import naive


@pytest.mark.parametrize("spec", ["3x3", "3x4", "4x3", "1x5", "2x2x2", "2x3x2", "3x3+torus", "2x4+torus"])
def test_every_symmetry_has_words_of_its_own(spec: str) -> None:
    board = Board.parse(spec)
    words = [words_for(board)(element) for element in board.group().elements]
    assert len(set(words)) == len(words)
    assert not any(each.startswith("move the cells") for each in words)


def turned(rows: list[str]) -> list[str]:
    """A sheet of paper turned by a quarter, clockwise."""
    return ["".join(row[column] for row in reversed(rows)) for column in range(len(rows[0]))]


def test_words_of_a_square_say_what_a_hand_does() -> None:
    start = ["XO.", "..X", "..O"]
    text = "/".join(start)

    def words(rows: list[str]) -> tuple[str, ...]:
        return same("3x3", text, "/".join(rows)).words

    assert words(start) == ("leave it as it is",)
    assert words([row[::-1] for row in start]) == ("flip left to right",)
    assert words(start[::-1]) == ("flip top to bottom",)
    assert words(turned(start)) == ("turn by 90 degrees clockwise",)
    assert words(turned(turned(start))) == ("turn by 180 degrees",)
    assert words(turned(turned(turned(start)))) == ("turn by 90 degrees anticlockwise",)
    assert words(["".join(row) for row in zip(*start, strict=True)]) == ("flip along the diagonal from the top left",)


@pytest.mark.parametrize(
    ("spec", "group", "text"),
    [
        ("3x3", naive.isometries(3, 3), "XO./..X/..O"),
        ("3x4", naive.isometries(3, 4), "XO../..X./...O"),
        ("4x3", naive.isometries(4, 3), "XO./..X/.../O.."),
        ("2x3x2", naive.isometries(2, 3, 2), "X../..O|.../X.."),
        ("3x3", naive.isometries(3, 3), "X../.O./..."),
    ],
)
def test_images_are_those_of_the_oracle_under_their_names(
    spec: str, group: tuple[naive.Permutation, ...], text: str
) -> None:
    found, cells = images(spec, text), "".join(mark for mark in text if mark in "XO.")
    got = [str(image).replace("/", "").replace("|", "") for image in found.values()]
    assert sorted(got) == sorted(naive.image(cells, p) for p in group)
    assert next(iter(found.items())) == ("leave it as it is", same(spec, text, text).first)
    for words, image in found.items():
        assert words in same(spec, text, image).words
    assert same(spec, text, text).images == found


def test_sameness_is_that_of_the_oracle() -> None:
    board, group = Board.parse("2x3:2"), naive.isometries(2, 3)
    positions = sorted(position for position in naive.reachable(naive.grid(2, 3, 2)) if position.count(".") == 3)
    for one in positions[:12]:
        for other in positions:
            alike = naive.position_class(one, group) == naive.position_class(other, group)
            assert same(board, one, other).is_same == alike


def test_a_board_given_by_its_lines_is_compared_by_its_own_symmetries() -> None:
    board = Board.from_lines(3, [(0, 1), (1, 2)], symmetries=[(2, 1, 0)])
    assert same(board, "X..", "..X").words == ("move the cells (1 3)",)


# Are two games the same, in three senses, and where do they part: against the keys of the oracle.

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
        for sameness in ("labelled", "symmetry", "choices"):
            assert ply_of(found, sameness) == parting(one, other, sameness, group), (one, other, sameness)
        assert found.boards.is_same == (
            naive.position_class(one.positions[-1], group) == naive.position_class(other.positions[-1], group)
        )
        agreed = (found.symmetry.ply - 1) if found.symmetry else len(one.cells)
        assert set(found.symmetries) == {
            p for p in group if tuple(p[c] for c in one.cells[:agreed]) == other.cells[:agreed]
        }
        seen.add(found.same)
    assert {(), ("labelled", "symmetry", "choices"), ("symmetry", "choices")} <= seen
