"""Certificates: written, read back, judged; and every way in which one can be broken."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from noughts.blindfold.certificate import from_json, loads, to_text
from noughts.blindfold.game import Answer, BlindRules, Plan, Strategy
from noughts.blindfold.judge import judge, judge_proof
from noughts.blindfold.proof import prove
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board
from noughts.rules.errors import InputError

RULES = [
    BlindRules(),
    BlindRules(told="all"),
    BlindRules(told="last-move"),
    BlindRules(told="nothing", collision="lose-turn"),
    BlindRules("O", opening_told=True),
    BlindRules("O", opening_told=True, told="all"),
    BlindRules("O", opening_told=True, told="nothing"),
    BlindRules("O", collision="lose-turn"),
]


def strategy_for(rules: BlindRules, board: str = "2x3") -> Strategy:
    strategy = solve_blindfold(board, rules, "win-often").strategy
    assert strategy is not None
    return strategy


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("board", ["2x3", "2x3:2+misere", "1x2x3:2"])
def test_both_forms_are_read_back(rules, board):
    strategy = strategy_for(rules, board)
    assert loads(json.dumps(strategy.as_dict())) == strategy
    assert loads(to_text(strategy)) == strategy
    assert judge(strategy).unreached == 0


@pytest.mark.parametrize(
    "board",
    [
        Board.from_lines(6, [(0, 1, 3), (0, 2, 5), (3, 4, 5)]),
        Board.from_lines(5, [(0, 1), (1, 2, 3)], misere=True),
        Board.from_lines(4, [(0, 1), (2, 3)], [(2, 3, 0, 1)]),
    ],
    ids=str,
)
def test_a_board_given_by_its_lines_is_read_back(board):
    strategy = solve_blindfold(board, goal="win-often").strategy
    assert strategy is not None
    for read_back in (loads(json.dumps(strategy.as_dict())), loads(to_text(strategy))):
        assert read_back == strategy
        assert read_back.board == board
    with pytest.raises(InputError, match="row 2"):
        loads(to_text(strategy).replace(";", ";x;", 1))
    assert judge_proof(json.loads(json.dumps(prove(board, BlindRules())))).holds


@cache
def solved() -> Strategy:
    strategy = solve_blindfold("3x3").strategy
    assert strategy is not None
    return strategy


@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    return solved().as_dict()


def places(place: dict[str, Any] | None) -> list[dict[str, Any]]:
    """All places of a plan, first calls first."""
    if place is None:
        return []
    return [place, *places(place["free"]), *places(place["taken"])]


def broken(good: dict[str, Any], change: str) -> object:
    document = deepcopy(good)
    every = places(document["plan"])
    branching = next(place for place in every if place["taken"] is not None)
    {
        "unknown cell": lambda: every[1].update(call="z9"),
        "cell 0": lambda: every[1].update(call="0"),
        "no branch": lambda: branching.pop("taken"),
        "branch cut": lambda: branching.update(taken=None),
        "own cell again": lambda: every[1].update(call=every[0]["call"]),
        "bumped cell again": lambda: branching["taken"].update(call=branching["call"]),
        "number for a cell": lambda: every[1].update(call=5),
        "list for a place": lambda: every[0].update(free=[]),
        "unknown entry": lambda: every[0].update(note="hello"),
        "no plan": lambda: document.update(plan=None),
        "plan missing": lambda: document.pop("plan"),
        "unknown goal": lambda: document.update(goal="to win"),
        "both blind": lambda: document.update(blind="both"),
        "unknown board": lambda: document.update(board="3y3"),
        "smaller board": lambda: document.update(board="2x2"),
        "larger board": lambda: document.update(board="4x4:3"),
        "other version": lambda: document.update(version=2),
        "truth as a word": lambda: document.update(opening_told="no"),
        "other feedback": lambda: document.update(told="all"),
        "silence": lambda: document.update(told="nothing"),
    }[change]()
    return document


@pytest.mark.parametrize(
    "change",
    [
        "unknown cell", "cell 0", "no branch", "branch cut", "own cell again", "bumped cell again", "number for a cell",
        "list for a place", "unknown entry", "no plan", "plan missing", "unknown goal", "both blind", "unknown board",
        "smaller board", "larger board", "other version", "truth as a word", "other feedback", "silence",
    ],
)  # fmt: skip
def test_broken_certificates_are_refused(good, change):
    with pytest.raises(InputError) as caught:
        judge(from_json(broken(good, change)))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", '"plan"', "{}", "null", "[" * 100_000, '{"a":' * 100_000, '{"format": 1, "format": 2}',
        '{"strategy": null}', '{"version": 1' + "0" * 5_000 + "}", "noughts", "noughts-blindfold-strategy 1\nboard 3x3",
    ],
)  # fmt: skip
def test_texts_that_are_no_certificates(text):
    with pytest.raises(InputError) as caught:
        loads(text)
    assert "\n" not in str(caught.value)


def test_a_losing_strategy_is_shown_its_game(good):
    """After the centre a corner is not safe: with every continuation the judge finds a loss."""
    board = Board.parse("3x3")

    def reading_order(free: set[int], own: frozenset[int]) -> Plan:
        cell = min(free)
        rest = free - {cell}
        branches: dict[Answer, Plan] = {}
        if rest and len(own) < 4:
            branches[Answer("free")] = reading_order(rest, own | {cell})
        if rest:
            branches[Answer("taken")] = reading_order(rest, own)
        return Plan(cell, branches)

    plan = Plan(4, {Answer("free"): reading_order(set(range(9)) - {4}, frozenset({4}))})
    verdict = judge(Strategy(board, BlindRules(), "never-lose", {Answer("start"): plan}))
    assert verdict.losses > 0
    assert verdict.broken_outcome == "loss"
    marks: dict[str, set[int]] = {"X": set(), "O": set()}
    assert verdict.broken is not None
    for who, cell, placed, _ in verdict.broken:
        if placed:
            assert cell not in marks["X"] | marks["O"]
            marks[who].add(cell)
        else:
            assert cell in marks["O"]
    assert any(set(line) <= marks["O"] for line in board.lines)
    assert verdict.unreached > 0
