"""Are two boards the same, and do the words say what the symmetry does?"""

from __future__ import annotations

import pytest

from noughts.domain.board import Board
from noughts.domain.errors import InputError
from noughts.domain.position import Position
from noughts.records.comparison import same, symmetry_words
from tests import naive


@pytest.mark.parametrize("spec", ["3x3", "3x4", "4x3", "1x5", "2x2x2", "2x3x2", "3x3+torus", "2x4+torus"])
def test_every_symmetry_has_words_of_its_own(spec: str) -> None:
    board = Board.parse(spec)
    words = [symmetry_words(board, element) for element in board.group().elements]
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


def test_shifts_of_a_torus() -> None:
    assert same("3x3+torus", "XO./.../...", "..X/..O/...").is_same
    assert "shift by 1 to the right" in same("3x3+torus", "XO./.../...", ".XO/.../...").words
    assert not same("3x3", "XO./.../...", ".XO/.../...").is_same


def test_sameness_is_that_of_the_oracle() -> None:
    board, group = Board.parse("2x3:2"), naive.isometries(2, 3)
    positions = sorted(position for position in naive.reachable(naive.grid(2, 3, 2)) if position.count(".") == 3)
    for one in positions[:12]:
        for other in positions:
            alike = naive.position_class(one, group) == naive.position_class(other, group)
            assert same(board, one, other).is_same == alike


def test_a_board_given_by_its_lines_is_compared_by_its_own_symmetries() -> None:
    board = Board.from_lines(3, [(0, 1), (1, 2)], symmetries=[(2, 1, 0)])
    found = same(board, "X..", "..X")
    assert found.words == ("move the cells (1 3)",)
    assert found.as_dict()["same"] is True


def test_positions_of_another_board_are_refused() -> None:
    with pytest.raises(InputError, match="give both for one board"):
        same("3x3", "X../.../...", Position(Board.parse("3x4"), 1, 0))
