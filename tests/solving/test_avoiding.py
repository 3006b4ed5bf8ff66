"""How a player avoids lines under misere, held against the values of all positions."""

import random
from collections.abc import Iterator

import pytest

from noughts.rules.board import Board
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Player, cells_of, opponent
from noughts.rules.position import Position
from noughts.solving.avoiding import mirror_of
from noughts.solving.problem import SearchBudget
from noughts.solving.retrograde import SmallSolution
from noughts.solving.search import SearchSolution
from noughts.solving.stages import Stages

BOARDS = ("3x3", "2x4:3", "3x4:3", "3x3:2", "2x2x3:2", "3x3+torus", "3x4:3+torus", "1x9:3", "2x6:2", "1x9:2")

PLAYERS: tuple[Player, Player] = ("X", "O")


def positions(board: Board, number: int) -> Iterator[Position]:
    dice = random.Random(board.cells)
    while number:
        position = Position(board)
        for _ in range(dice.randrange(board.cells)):
            if not position.is_terminal:
                position = position.play(dice.choice(list(cells_of(position.blanks))))
        if not position.is_terminal:
            number -= 1
            yield position


@pytest.mark.parametrize("spec", [*BOARDS, pytest.param("5x3:3", marks=pytest.mark.slow)])
def test_what_settles_a_misere_position_is_true(spec: str) -> None:
    board = Board.parse(f"{spec}+misere")
    values, why = SmallSolution(board), set[str]()
    for position in [Position(board), *positions(board, 60)]:
        for player in PLAYERS:
            found = Stages(board).settle(position, player)
            assert found is not None
            assert found.wins == (values.outcome(position) == player)
            why.add(found.why.removeprefix(f"{opponent(player)} "))
    assert len(why) > 1


def mirrored_play_is_safe(position: Position, player: Player) -> bool:
    """Play all moves of the opponent, and the answer of the mirror to each; tell whether the player never loses."""
    found = mirror_of(position, player)
    assert found is not None
    image, first = found
    waiting = [position if first is None else position.play(first)]
    while waiting:
        at = waiting.pop()
        for cell in cells_of(at.blanks):
            after = at.play(cell)
            if not after.is_terminal:
                after = after.play(image[cell])
            if after.outcome == opponent(player):
                return False
            if not after.is_terminal:
                waiting.append(after)
    return True


@pytest.mark.parametrize(
    ("spec", "player"),
    [("3x3", "X"), ("2x3:2", "O"), ("2x4:3", "O"), ("2x2x2:2", "O"), ("1x8:3", "O"), ("3x4:2+torus", "O")],
)
def test_mirroring_never_loses(spec: str, player: Player) -> None:
    assert mirrored_play_is_safe(Position(Board.parse(f"{spec}+misere")), player)


@pytest.mark.parametrize(
    ("spec", "player"),
    [("3x3", "O"), ("3x3:2", "X"), ("2x3:2", "X"), ("1x5:3", "X"), ("3x3+torus", "O"), ("5x5:3", "X"), ("1x1", "O")],
)
def test_no_mirror_where_it_would_not_serve(spec: str, player: Player) -> None:
    assert mirror_of(Position(Board.parse(f"{spec}+misere")), player) is None


def test_what_is_known_of_an_open_board_is_said() -> None:
    with pytest.raises(BudgetError, match="X cannot win, because O avoids lines by mirroring"):
        SearchSolution(Board.parse("8x8:3+misere"), budget=SearchBudget(position=1000)).outcome()


def test_the_first_move_of_a_mirror_is_known_to_draw() -> None:
    solution = SearchSolution(Board.parse("5x7:5+misere"), budget=SearchBudget(moves=1000, far_moves=1000))
    assert solution.outcome() == "draw"
    assert [move.outcome for move in solution.moves() if move.cell == 17] == ["draw"]


def test_boards_too_large_for_a_search_are_drawn_at_once() -> None:
    for spec in ("8x8:6", "7x7:7", "5x7:5", "8x8:8+torus", "5x5:6"):
        board = Board.parse(f"{spec}+misere")
        for player in PLAYERS:
            found = Stages(board).settle(Position(board), player, 1000)
            assert found is not None
            assert not found.wins, (spec, player)
