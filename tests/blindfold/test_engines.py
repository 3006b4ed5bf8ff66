"""The merged engine, full histories, tables and the oracle give the same answers under all rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from noughts.blindfold.beliefs import CallTree, ListGame, MergedGame
from noughts.blindfold.game import COLLISION, FEEDBACK, Blind, BlindRules, Goal
from noughts.blindfold.pure import Analysis, Chances, ListChances
from noughts.rules.board import Board
from tests.blindfold import naive
from tests.blindfold.histories import Histories
from tests.dear import sample

WHO: tuple[tuple[Blind, bool], ...] = (("X", False), ("O", False), ("O", True))
RULES = [BlindRules(b, t, c, s) for (b, t), c, s in product(WHO, COLLISION, FEEDBACK)]
BOARDS = {
    "1x1:1": Board.grid(1, 1, 1),
    "1x4:2": Board.grid(1, 4, 2),
    "2x2:2": Board.grid(2, 2),
    "1x5:1": Board.grid(1, 5, 1),
    "2x2:3": Board.grid(2, 2, 3),
    "2x2:2+misere": Board.grid(2, 2, misere=True),
    "5 cells": Board.from_lines(5, [(0, 1), (1, 2, 3), (0, 4), (2, 4)]),
    "5 cells+misere": Board.from_lines(5, [(0, 1, 2), (2, 3), (0, 4)], misere=True),
}


def analysis_of(board: Board, rules: BlindRules, goal: Goal) -> Analysis[Any]:
    game: CallTree[Any] = ListGame(board, rules) if rules.told == "nothing" else MergedGame(board, rules)
    return Analysis(game, goal)


def naive_rules(board: Board, rules: BlindRules, goal: str) -> naive.Rules:
    lines = tuple(frozenset(line) for line in board.lines)
    return naive.Rules(
        board.cells, lines, board.misere, rules.blind, rules.opening_told, rules.loses_turn, rules.told, goal
    )


def chance_of(analysis: Analysis[Any], guarantee: Analysis[Any] | None) -> Fraction:
    game = analysis.game
    if isinstance(game, ListGame):
        found = ListChances(game, guarantee)
        share = Fraction(1, game.board.cells) if game.rules.opening_told else Fraction(1)
        total = sum((share * found.best(state, found.start)[0] for _, state in game.start().branches), Fraction())
        lost = sum(len(line) == 1 for line in game.board.lines) if game.rules.blind == "O" and game.board.misere else 0
        return total + Fraction(lost, game.board.cells)
    assert isinstance(game, MergedGame)
    return start_chance(Chances(game, guarantee))


def start_chance(chances: Chances) -> Fraction:
    """Return the largest chance to win, averaged over X's openings where O learns the opening."""
    game = chances.game
    going = sum((chances.chance(state) for _, state in game.start().branches), Fraction())
    if game.rules.blind == "X":
        return going
    cells, single = game.board.cells, sum(len(line) == 1 for line in game.board.lines)
    ended = single if game.board.misere else 0
    return (going * (1 if game.rules.opening_told else cells - single) + ended) / cells


@pytest.mark.parametrize("goal", ["never-lose", "always-win"])
@pytest.mark.parametrize("name", BOARDS)
def test_merged_states_against_the_oracle(name, goal):
    board = BOARDS[name]
    for rules in RULES:
        given = naive_rules(board, rules, goal)
        found = [naive.explore(worlds, told, given) for told, worlds in naive.starts(given)]
        ours = analysis_of(board, rules, goal)
        states = [state for _, state in ours.root.branches]
        assert len(states) == len(found)
        for state, theirs in zip(states, found, strict=True):
            assert tuple(call.cell for call in ours.good_calls(state)) == theirs.good, rules
            assert (ours.smallest(state) if theirs.good else 0) == theirs.smallest, rules
            assert ours.plans(state) == theirs.plans, rules
        assert ours.histories() == sum(theirs.histories for theirs in found), rules
        if rules.told == "collision":
            sets = frozenset().union(*(theirs.sets for theirs in found))
            assert len(ours.reachable()) == len(sets), rules
        ended = Fraction()
        if rules.blind == "O" and board.misere:
            ended = Fraction(sum(len(line) == 1 for line in board.lines), board.cells)
        assert chance_of(ours, None) == sum(theirs.chance for theirs in found) + ended, rules
        if ours.is_possible():
            assert chance_of(ours, ours) == sum(theirs.good_chance for theirs in found) + ended, rules


@pytest.mark.parametrize("name", sample(["2x3:2", "2x3:3", "2x3:2+misere"], 3))
@pytest.mark.parametrize("goal", ["never-lose", "always-win"])
def test_merged_states_against_histories(name, goal):
    for rules in RULES:
        compare_with_histories(Board.parse(name), rules, goal)


QUICK = (BlindRules("X", collision="retry"),)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, id=str(rules), marks=[] if rules in QUICK else [pytest.mark.slow])
        for rules in RULES
        if rules.told == "collision"
    ],
)
def test_merged_states_against_histories_on_3x3(rules):
    compare_with_histories(Board.parse("3x3"), rules, "never-lose")


@pytest.mark.slow
@pytest.mark.parametrize("rules", [r for r in RULES if r.told in ("last-move", "all")], ids=str)
def test_rules_that_name_cells_against_histories_on_3x3(rules):
    compare_with_histories(Board.parse("3x3"), rules, "never-lose")


def compare_with_histories(board: Board, rules: BlindRules, goal: Goal) -> None:
    ours, theirs = analysis_of(board, rules, goal), Histories(board, rules, goal)
    starts = theirs.starts()
    for (_, state), (_, _, node) in zip(ours.root.branches, starts, strict=True):
        assert tuple(call.cell for call in ours.good_calls(state)) == theirs.good(node)
        for call in ours.good_calls(state):
            assert 1 + ours.smallest_after(call) == theirs.size(node, call.cell)
        assert ours.plans(state) == theirs.plans(node)
    assert ours.histories() == sum(theirs.histories(node) for _, _, node in starts)
    if not (board.misere and rules.blind == "O"):
        assert chance_of(ours, None) == sum(w * theirs.chance(node, good_only=False) for _, w, node in starts)
    if rules.told != "nothing":
        for good_only in (False, True):
            assert len(ours.reachable(good_only=good_only)) == len(theirs.reachable(good_only=good_only))


def test_beliefs_hold_no_configuration_that_has_won():
    board = Board.parse("2x4:3")
    for _, belief in Histories(board, BlindRules()).reachable(good_only=False):
        assert not any(board.has_line(other) or board.has_line(own) for (own, other, _), _ in belief)


@pytest.mark.parametrize("name", sample(["2x3:2", "2x4:3", "1x4:1", "2x4:3+torus"], 2))
def test_tables_against_merged_states(name):
    compare_with_tables(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["3x3", "3x3+misere", "2x5:3"])
def test_tables_against_more_merged_states(name):
    compare_with_tables(name)


def compare_with_tables(name: str) -> None:
    from noughts.blindfold.tables import TableAnalysis, TableChances, Tables

    board = Board.parse(name)
    for rules in (r for r in RULES if r.told == "collision"):
        tables = Tables(board, rules)
        for goal in ("never-lose", "always-win"):
            fast, slow = TableAnalysis(tables, goal), analysis_of(board, rules, goal)
            assert fast.is_possible() == slow.is_possible()
            for _, state in slow.root.branches:
                calls = [(call.cell, slow.smallest_after(call)) for call in slow.good_calls(state)]
                assert calls == [(call.cell, fast.smallest_after(call)) for call in fast.good_calls(state)]
            for good_only in (False, True):
                assert fast.sets(good_only=good_only) == slow.sets(good_only=good_only)
            if board.misere:
                continue
            for guarantee in (False, True) if slow.is_possible() else (False,):
                chances = TableChances(fast, good_only=guarantee)
                assert start_chance(chances) == chance_of(slow, slow if guarantee else None)
