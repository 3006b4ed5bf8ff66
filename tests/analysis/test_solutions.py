"""The three ways to a value agree, and what a search does not find is absent, not guessed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import noughts
from noughts.analysis import solutions
from noughts.analysis.explain import facts
from noughts.analysis.explain.explanation import explanation, unvalued
from noughts.analysis.solutions import SEARCH, solution_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidPosition
from noughts.rules.position import Position, parse_position
from noughts.solving.api import solve
from noughts.solving.index import PerfectIndex
from noughts.solving.problem import SearchBudget
from noughts.solving.retrograde import SmallSolution
from noughts.solving.search import SearchSolution
from noughts.solving.solution import Evaluation, MoveValue, Solution
from noughts.solving.tables import solve_in_memory
from tests.analysis.oracle import oracle


def some_positions(board: Board, plies: int, count: int) -> list[Position]:
    dice, found = random.Random(7), list[Position]()
    while len(found) < count:
        position = Position(board)
        for _ in range(plies):
            blanks = [cell for cell in range(board.cells) if position.blanks >> cell & 1]
            position = position.play(dice.choice(blanks))
            if position.is_terminal:
                break
        else:
            found.append(position)
    return found


@pytest.mark.parametrize("spec", ["3x4:3", "4x3:3", "2x5:3", "3x3+torus", "3x3+misere"])
def test_graph_tables_and_search_agree(spec):
    board = Board.parse(spec)
    graph, search = SmallSolution(board), SearchSolution(board, budget=SEARCH)
    tables = solve_in_memory(PerfectIndex(board), packed=False)
    for at in some_positions(board, 3, 6) + some_positions(board, 2, 6):
        assert graph.outcome(at) == tables.outcome(at) == search.outcome(at)
        assert graph.remoteness(at) == tables.remoteness(at)
        assert search.remoteness(at) in (None, graph.remoteness(at))
        assert graph.is_decided(at) == tables.is_decided(at) == search.is_decided(at)
        after = [{move.cell: move.outcome for move in found.moves(at)} for found in (graph, tables, search)]
        assert after[0] == after[1] == after[2]


def test_a_later_start_knows_the_positions_symmetric_to_those_it_reaches():
    board = Board.parse("3x3")
    start = noughts.rules.parse_position(board, "X../.O./...")
    late, whole = SmallSolution(board, start), SmallSolution(board)
    for cell in range(1, 4):
        at = start.play(cell)
        turned = Position(board, *board.group().canonical(at.x, at.o))
        assert late.evaluate(turned).outcome == whole.outcome(turned)
        assert late.remoteness(turned) == whole.remoteness(turned)
        assert late.is_decided(turned) == whole.is_decided(turned)
    with pytest.raises(InvalidPosition, match="does not reach"):
        late.outcome("b2")


def test_explanations_of_4x4_from_tables():
    """A fork-and-force board: the oracle values the ends of its games."""
    board = oracle(4, 4, 3)
    for at in some_positions(Board.parse("4x4:3"), 8, 4):
        s = str(at).replace("/", "")
        found = noughts.explain("4x4:3", at)
        assert (found.outcome, found.remoteness, found.label) == (board.value(s), board.remoteness(s), board.label(s))
        assert [m.outcome for m in found.moves] == [board.value(board.put(s, m.cell)) for m in found.moves]
    assert noughts.explain("4x4:3").label == "X can force a win"


def test_what_is_not_found_is_none(monkeypatch):
    little = SearchBudget(position=2, moves=2)
    monkeypatch.setattr(solutions.solution_for, "__defaults__", (little,))
    board = Board.parse("6x6:5")
    with pytest.raises(BudgetError, match=r"is not settled after [1-9] positions: ask noughts solve"):
        solution_for(Position(board)).outcome()
    facts = noughts.explain(board)
    record: Any = facts.as_dict()
    assert (record["outcome"], record["label"], record["remoteness"]) == (None, None, None)
    assert {move["outcome"] for move in record["moves"]} == {None}
    assert facts.sentences == ("Neither player threatens to complete a line; who wins was not found.",)
    theory = noughts.openings(board)
    assert theory.advice[0] == "Who wins with best play was not found."
    assert noughts.draw(theory).startswith("<svg")
    assert noughts.draw(facts).startswith("<svg")


@pytest.mark.parametrize(
    ("board", "moves", "said"),
    [
        ("6x6:4+misere", None, "X cannot win, because O avoids lines by mirroring."),
        ("7x7:5+misere", None, "O cannot win, because X avoids lines by mirroring."),
        ("6x6:4+misere", "a1", "Who wins was not found."),
    ],
)
def test_who_cannot_win_is_said_where_a_mirror_shows_it(board: str, moves: str | None, said: str) -> None:
    solution = SearchSolution(Board.parse(board), budget=SearchBudget(position=2, moves=2))
    assert noughts.explain(board, moves, solution=solution).sentences[-1] == said


# What is said where an engine knows some values only: of a position, of its moves, of first moves and of a game.

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


@pytest.mark.parametrize(
    ("spec", "game"),
    [("3x3", "a1 b2 c3"), ("3x3", "a1 b1 a3"), ("4x4:3", "b2 a4 b3"), ("3x3+torus", "a1 b2"), ("1x4:2", "b1")],
)
def test_which_moves_create_a_fork_is_found_once_for_all_moves(
    spec: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = parse_position(spec, game)
    alone = [facts.is_fork(at.play(cell)) for cell in at.moves()]
    monkeypatch.setattr(facts, "is_fork", None)  # goes through all lines for one move, which is slow on large boards
    assert [move.creates_fork for move in unvalued(at).moves] == alone
    assert [move.creates_fork for move in explanation(at, solve(at.board)).moves] == alone
