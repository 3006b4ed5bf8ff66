"""Reviews: what each move was worth, by the oracle, on boards of all kinds; the same words through all doors."""

from __future__ import annotations

import random

import pytest

from noughts.analysis.explain.explanation import advice, explain
from noughts.analysis.explain.review import review
from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import InputError
from tests import naive

GAMES = {
    "3x3": naive.grid(3, 3, 3),
    "3x3+misere": naive.grid(3, 3, 3, misere=True),
    "3x3+torus": naive.grid(3, 3, 3, torus=True),
    "2x3:3": naive.grid(2, 3, 3),
    "2x2x2": naive.grid(2, 2, 2, layers=2),
    "1x2": naive.grid(1, 2, 1),
    "3x3:4": naive.grid(3, 3, 4),
}
WORTH = {1: "X", 0: "draw", -1: "O"}


def games(name: str, number: int) -> list[list[int]]:
    """Some games by lot, half of them broken off."""
    game, dice, found = GAMES[name], random.Random(5), []
    for n in range(number):
        at, cells = "." * game.cells, list[int]()
        while naive.line_outcome(game, at) is None and not (n % 2 and cells and dice.random() < 0.2):
            cells.append(dice.choice(naive.blanks(at)))
            at = naive.play(at, cells[-1])
        found.append(cells)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_each_move_is_worth_what_the_oracle_says(name):
    board, game = Board.parse(name), GAMES[name]
    for cells in games(name, 6):
        found = review(name, " ".join(cell_name(board, cell) for cell in cells))
        at = "." * game.cells
        for move, cell in zip(found.moves, cells, strict=True):
            after = naive.play(at, cell)
            due, worth = naive.value(game, at), naive.value(game, after)
            assert (move.player, move.cell, move.number) == (naive.mover(at), cell, game.cells - at.count(".") + 1)
            assert (move.due, move.outcome) == (WORTH[due], WORTH[worth])
            assert move.remoteness == naive.remoteness(game, after)
            better = [c for c in naive.blanks(at) if naive.value(game, naive.play(at, c)) == due]
            assert move.is_mistake == (due != worth)
            if move.is_mistake:
                assert list(move.better) == better
                assert move.as_dict()["better"] == [cell_name(board, c) for c in better]
                lesson = next(each for each in found.lessons if each.number == move.number)
                assert lesson.why == advice(explain(board, move.before), move.cell)
            at = after
        assert str(found.position).replace("/", "").replace("|", "") == at
        over = naive.line_outcome(game, at)
        assert found.as_dict()["outcome"] == over
        assert ("is to move" in found.outlook) == (over is None)
        assert len(found.lessons) == sum(move.is_mistake for move in found.moves)


def test_explain_and_review_say_the_same_of_a_game():
    for cells in games("3x3", 4)[::2]:
        text = " ".join(cell_name("3x3", cell) for cell in cells)
        assert review("3x3", text).sentences == explain("3x3", text).sentences[1:]


def test_of_the_moves_that_lose_the_one_that_was_made_is_explained():
    told = {}
    for reply in ("b1", "c1", "b3", "c3"):
        lesson = review("3x3", f"a1 {reply}").lessons[0]
        told[reply] = lesson.why[-1]
        assert lesson.why[:-1] == explain("3x3", "a1").sentences[:-1]
    assert told == {
        "b1": "After b1, X plays a2 and forces a fork.",
        "c1": "After c1, X plays a2 and forces a fork.",
        "b3": "After b3, X plays c1 and forces a fork.",
        "c3": "After c3, X plays c1 and forces a fork.",
    }
    assert review("3x3", "a1 b3 b1 c1 c2").lessons[-1].why[-1].startswith("After c2, O ")


def test_a_game_that_goes_on_and_a_board_that_nobody_values():
    assert review("3x3", "a1 b1").sentences == ("Move 2, O on b1, lost: only b2 would have held the draw.",)
    assert review("3x3", "a1 b1").outlook == "X is to move: X can force a win in 3 moves."
    assert review("3x3", "b2 a1").sentences == ("Neither player has made a mistake so far.",)


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("", "none are given"),
        ("X.O/.../...", "has none: write them in order"),
        ("a1 a1", "twice"),
        ("a1 d9", "d9"),
        ("a1 a2 b1 b2 c1 c2", "after the game was over"),
    ],
)
def test_what_is_no_game_is_said_in_a_sentence(moves, words):
    with pytest.raises(InputError, match=words) as caught:
        review("3x3", moves)
    assert "\n" not in str(caught.value)
