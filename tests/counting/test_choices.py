"""Games are the same by choices as the classes of their boards are, not as moves alike in the position before them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noughts import count
from noughts.counting.conventions.matrix import conventions
from noughts.counting.words import convention
from noughts.domain.board import Board
from tests.naive import Game, Permutation, grid, isometries

ROOT = Path(__file__).resolve().parents[2]


def _least(board: str, group: tuple[Permutation, ...]) -> str:
    return min("".join(board[cell] for cell in image) for image in group)


def _over(game: Game, board: str) -> bool:
    return "." not in board or any(all(board[cell] == mark for cell in line) for line in game.lines for mark in "XO")


def two_readings(rows: int, columns: int, k: int, plies: int) -> tuple[int, int]:
    """Count games (partial ones cut off at the last ply) by classes of boards and by moves alike in their position."""
    game, group = grid(rows, columns, k), isometries(rows, columns)
    by_class, by_move = {"." * game.cells: 1}, {"." * game.cells: 1}
    over = [0, 0]
    for ply in range(plies):
        mark = "XO"[ply % 2]
        next_class: dict[str, int] = {}
        next_move: dict[str, int] = {}
        for board in by_class:
            keep = [image for image in group if "".join(board[cell] for cell in image) == board]
            moves = {min(image[cell] for image in keep) for cell in range(game.cells) if board[cell] == "."}
            led = [_least(board[:cell] + mark + board[cell + 1 :], group) for cell in moves]
            for child in set(led):
                next_class[child] = next_class.get(child, 0) + by_class[board]
            for child in led:
                next_move[child] = next_move.get(child, 0) + by_move[board]
        for number, reached in enumerate((next_class, next_move)):
            over[number] += sum(ways for board, ways in reached.items() if _over(game, board))
        by_class, by_move = ({b: w for b, w in r.items() if not _over(game, b)} for r in (next_class, next_move))
    return over[0] + sum(by_class.values()), over[1] + sum(by_move.values())


@pytest.mark.parametrize(
    ("sides", "plies", "expected"), [((3, 3, 3), 9, (26_830, 26_830)), ((5, 5, 4), 3, (1_754, 1_755))]
)
def test_choices_go_by_classes_of_boards(sides: tuple[int, int, int], plies: int, expected: tuple[int, int]) -> None:
    assert two_readings(*sides, plies) == expected
    rows, columns, k = sides
    found = count(f"{rows}x{columns}:{k}", same="choices", to_ply=plies)
    counted = found.totals.finished if plies == rows * columns else found.plies[plies].paths
    assert counted == expected[0]


def test_the_convention_says_what_is_counted() -> None:
    words = convention(count("3x3", same="choices").question)
    assert "after each move the board is the same under the symmetries of the board" in words
    page = (ROOT / "docs/explanation/three-questions.md").read_text(encoding="utf-8")
    assert "1,754" in page
    assert "1,755" in page


def test_the_readme_says_how_many_conventions_there_are() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    said = re.search(r"prints the whole table of (\d+)", page)
    assert said is not None
    assert int(said[1]) == len(conventions(Board.parse("3x3")))


def test_under_misere_there_are_fewer_conventions() -> None:
    assert len(conventions(Board.parse("3x3+misere"))) == 27
