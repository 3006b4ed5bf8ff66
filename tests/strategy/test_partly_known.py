"""What is said where an engine knows some values only: of a position, of its moves, of first moves and of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from noughts.domain.errors import BudgetError, InputError
from noughts.domain.notation import parse_game, parse_position
from noughts.domain.position import Position
from noughts.solving.api import solve
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.strategy import openings as module
from noughts.strategy.explain import explanation, unvalued
from noughts.strategy.mistakes import course
from noughts.strategy.openings import openings
from noughts.strategy.puzzles.api import puzzles

WHOLE = solve("3x3")
BOARD = WHOLE.board


class Partial(Solution):
    """The values of 3x3 without those of some positions, of some moves, or without plies to the end."""

    engine = "partial"

    def __init__(
        self,
        unknown: Callable[[Position], bool] = lambda _: False,
        hidden: Callable[[Position, int], bool] = lambda _, __: False,
        *,
        lengths: bool = True,
        most: int | None = None,
    ) -> None:
        super().__init__(BOARD, Position(BOARD))
        vars(self).update(unknown=unknown, hidden=hidden, lengths=lengths, most=most)

    unknown: Callable[[Position], bool]
    hidden: Callable[[Position, int], bool]
    lengths: bool
    most: int | None

    def _evaluate_open(self, position: Position) -> Evaluation:
        return WHOLE.evaluate(position)

    def evaluate(self, position: Any = None) -> Evaluation:
        if self.unknown(position):
            raise BudgetError("not found")
        found = WHOLE.evaluate(position)
        return found if self.lengths else replace(found, remoteness=None)

    def moves(self, position: Any = None) -> Any:
        return [
            MoveValue(move.cell, None, None, None, best=False)
            if self.hidden(position, move.cell)
            else replace(move, remoteness=move.remoteness if self.lengths else None)
            for move in WHOLE.moves(position)
        ]

    def at_most(self, position: Any = None) -> int | None:
        if self.most is None:
            raise BudgetError("no bound")
        return self.most


def test_a_position_whose_length_is_not_known_has_a_bound() -> None:
    won, drawn = parse_position(BOARD, "a1 b1"), parse_position(BOARD, "a1 b2")
    found = explanation(won, Partial(lengths=False, most=7))
    assert (found.outcome, found.remoteness, found.at_most, found.engine) == ("X", None, 7, "partial")
    assert explanation(won, Partial(lengths=False)).at_most is None
    assert explanation(won, Partial(most=7)).at_most is None, "the length is known"
    assert explanation(won, WHOLE).at_most is None
    assert explanation(drawn, Partial(lambda _: True, lambda _, __: True, most=7)).at_most is None
    assert found.label == "X can force a win"
    assert {move.remoteness for move in found.moves} == {None}
    assert found.best_moves == tuple(move for move in found.moves if move.outcome == "X")


def test_one_move_that_wins_tells_who_wins() -> None:
    at = parse_position(BOARD, "a1 b1")
    winning = {move.cell for move in WHOLE.moves(at) if move.outcome == "X"}
    keep = min(winning)
    found = explanation(at, Partial(lambda _: True, lambda _, cell: cell != keep))
    assert (found.outcome, found.label, found.remoteness) == ("X", "X can force a win", None)
    assert [move.cell for move in found.moves if move.outcome is not None] == [keep]
    assert [move.cell for move in found.best_moves] == [keep]
    assert found.is_trap is None
    nothing = explanation(at, Partial(lambda _: True, lambda _, cell: cell in winning))
    assert (nothing.outcome, nothing.label, nothing.best_moves) == (None, None, ())
    blind = unvalued(at)
    assert [(move.label, move.outcome, move.remoteness) for move in blind.moves] == [(None, None, None)] * 7
    assert [move.creates_fork for move in blind.moves] == [move.creates_fork for move in explanation(at, WHOLE).moves]


@pytest.mark.parametrize("known", [0, 1, 2, 3, 5])
def test_a_course_begins_where_values_are_known(known: int) -> None:
    game = parse_game(BOARD, "b1 c2 a1 a3 c1")
    whole = course(BOARD, game, WHOLE)
    found = course(BOARD, game, Partial(lambda at: at.ply < known))
    assert found.valued_from == known
    assert found.outcomes == whole.outcomes[known:]
    assert found.remoteness == whole.remoteness[known:]
    assert found.mistakes == tuple(each for each in whole.mistakes if each.number > known)
    assert [each.number for each in whole.mistakes] == [2, 3, 4]
    assert (found.finished, found.as_dict().get("valued_from", 0)) == (True, known)


def test_of_some_moves_it_is_not_known_whether_they_were_better() -> None:
    game = parse_game(BOARD, "b1 c2")
    [made] = course(BOARD, game, WHOLE).mistakes
    [known, *_] = made.better
    [part] = course(BOARD, game, Partial(hidden=lambda _, cell: cell not in (known, 5))).mistakes
    assert (part.better, part.complete, made.complete) == ((known,), False, True)
    assert part.sentence == "Move 2, O on c2, lost: a1 would have held the draw."
    [none] = course(BOARD, game, Partial(hidden=lambda _, cell: cell in made.better)).mistakes
    assert none.sentence == "Move 2, O on c2, lost: what would have been better was not found."


def test_first_moves_of_which_some_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    values = Partial(lambda at: at.ply == 0, lambda at, cell: at.ply == 0 and cell == 1)
    monkeypatch.setattr(module, "solution_for", lambda _: values)
    theory = openings("3x3")
    assert (theory.outcome, theory.remoteness, theory.engine) == (None, None, "partial")
    assert [opening.outcome for opening in theory.openings] == ["draw", None, "draw"]
    assert [opening.quality for opening in theory.openings] == [None, None, None]
    assert theory.advice[0] == "Who wins with best play was not found."
    assert theory.advice[2] == "What b1 (edge) is worth was not found."
    won = parse_position(BOARD, "a1 b1")
    values = Partial(lambda at: at == won, lambda at, cell: at == won and cell != 3)
    theory = openings("3x3", won)
    assert (theory.outcome, theory.remoteness) == ("X", None)
    assert [opening.quality for opening in theory.openings] == [
        "keeps" if opening.cell == 3 else None for opening in theory.openings
    ]


def test_numbers_of_puzzles_and_grades_are_counted_from_one() -> None:
    with pytest.raises(InputError, match="the number of puzzles cannot be 0"):
        puzzles("3x3", 0)
    with pytest.raises(InputError, match="the grade cannot be 0"):
        puzzles("3x3", 1, grade=0)
    assert [each.grade for each in puzzles("3x3", 1, grade=1)] == [1]
    with pytest.raises(InputError, match="the seed"):
        puzzles("3x3", 1, seed=True)
    with pytest.raises(InputError, match="the goal cannot be 'lose': choose from win, not lose"):
        puzzles("3x3", 1, goal="lose")


def test_all_puzzles_there_are_can_be_asked_for_at_once() -> None:
    assert len({str(each.position) for each in puzzles("3x3+torus", 20)}) == 20
    with pytest.raises(InputError, match="there are only 20 puzzles"):
        puzzles("3x3+torus", 21)
