"""The games that policies allow, against playing them all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from random import Random
from typing import Any

import pytest

import noughts
from noughts.analysis.policies.counted import ask, count
from noughts.analysis.policies.reading import policy
from noughts.analysis.solutions import solution_for
from noughts.counting.engines import ENGINES, answer, second_opinion
from noughts.counting.question import SAMENESSES, Question
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.marks import cells_of
from noughts.rules.position import Position, parse_position
from tests import naive
from tests.dear import sample

Cells = Callable[[str], list[int]]
BOARDS = {
    "3x3": (naive.grid(3, 3, 3), naive.isometries(3, 3)),
    "3x3+misere": (naive.grid(3, 3, 3, misere=True), naive.isometries(3, 3)),
    "2x4:3": (naive.grid(2, 4, 3), naive.isometries(2, 4)),
    "2x2:2": (naive.grid(2, 2, 2), naive.isometries(2, 2)),
}
CENTRE = {".../.../...": "b2", "X../.../...": {"b1": "1/3", "c3": "2/3"}, "otherwise": "block"}


def played(spec: str, given: Any) -> Cells:
    """The moves of a policy, position by position."""
    board = Board.parse(spec)
    rule = policy(board, given)
    solution = solution_for(Position(board)) if rule.needs_values else None
    rows = re.compile(f".{{{board.shape[1]}}}")  # type: ignore[index]

    @cache
    def cells(s: str) -> list[int]:
        return list(cells_of(rule.moves(parse_position(board, "/".join(rows.findall(s))), solution)))

    return cells


def at_random(at: Position) -> list[int]:
    """One or two random cells for each position, without regard to symmetry."""
    rng = Random(f"{at.x} {at.o}")
    return sorted(rng.sample(at.moves(), min(len(at.moves()), rng.choice((1, 1, 2)))))


def first(at: Position) -> int:
    return at.moves()[0]


def rows(found: list[list[naive.Path]], same: str, spec: str, split: bool) -> list[dict[str, int | None]]:
    return naive.table(found, same, BOARDS[spec][1], BOARDS[spec][1], split=split)


PAIRS = [
    ("3x3", CENTRE, "any"),
    ("3x3", "any", {"moves": {}, "otherwise": first}),
    ("3x3", at_random, "block"),
    ("3x3", at_random, at_random),
    ("3x3", "perfect", first),
    ("3x3", "trap:block", "perfect"),
    ("3x3+misere", at_random, "any"),
    ("3x3+misere", "perfect", first),
    ("2x4:3", "any", at_random),
    ("2x2:2", first, "any"),
]


@pytest.mark.parametrize("end", ["line", "full"])
@pytest.mark.parametrize(("spec", "x", "o"), sample(PAIRS, 3))
def test_games_of_policies_by_playing_them_out(spec: str, x: Any, o: Any, end: Any) -> None:
    game = BOARDS[spec][0]
    if end == "full" and "any" in (x, o) and spec != "2x2:2":
        x, o = first, at_random  # played on after a line, a side that makes any move leaves too many games to list
    found = naive.layers(game, played(spec, x), played(spec, o), end)
    for same in SAMENESSES:
        census = count(spec, same=same, x_moves=x, o_moves=o, end=end)
        assert [asdict(row) for row in census.plies] == rows(found, same, spec, end != "full")


@pytest.mark.parametrize(("spec", "x", "o"), PAIRS)
def test_games_that_end_as_they_are_decided(spec: str, x: Any, o: Any) -> None:
    """Symmetric games that are decided differently count separately."""
    game, group = BOARDS[spec]
    found = naive.layers(game, played(spec, x), played(spec, o), "decided")
    for same in SAMENESSES:
        census = count(spec, same=same, x_moves=x, o_moves=o, end="decided")
        for row, layer in zip(census.plies, found, strict=True):
            # A game that is decided and one alike that is not are two, and so are all that follow them.
            keys = {(naive.same_key(path, same, group), path.outcome) for path in layer}
            assert row.paths == len(keys)
            assert row.finished == sum(outcome is not None for _, outcome in keys)
            assert row.x_wins == sum(outcome == "X" for _, outcome in keys)


def test_policies_as_rules_say_the_same_as_the_rules() -> None:
    """A function that plays by a rule allows the games of the rule, under every sameness and end."""
    for spec, rule in (("2x4:3", "block"), ("3x3", "quickest")):
        cells = played(spec, rule)

        def policy(at: Position, cells: Cells = cells) -> list[int]:
            return cells(str(at).replace("/", ""))

        for same in SAMENESSES:
            for end in ("line", "decided"):
                by_rule = noughts.count(spec, same=same, moves=rule, end=end)
                by_policy = noughts.count(spec, same=same, moves=policy, end=end)
                assert [asdict(row) for row in by_policy.plies] == [asdict(row) for row in by_rule.plies]


def test_two_engines_agree_on_labelled_games_and_the_others_refuse() -> None:
    question = ask("3x3", x_moves=CENTRE)
    assert second_opinion(answer(question), Limits.of()).engine in {"plain", "played"}
    for engine in ("plain", "played"):
        assert answer(question, engine=engine).plies == answer(question).plies
    for row in ENGINES:
        if not row.by_table:
            with pytest.raises(
                noughts.BudgetError, match="counts games under rules, but a table of moves binds a player"
            ):
                answer(question, engine=row.name)
    with pytest.raises(noughts.BudgetError, match="counts players with a table of moves in labelled games only"):
        answer(replace(question, same="symmetry"), engine="plain")
    with pytest.raises(noughts.BudgetError, match="counts only games of players with a table of moves"):
        answer(Question(Board.parse("3x3")), engine="played")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"x_moves": first, "starts": "O"}, "first plays games that X starts: remove who starts (O)"),
        ({"x_moves": {"X../.../...": "b2"}}, "plays O only, not X in .../.../...: let it play O"),
        ({"x_moves": {"X../O../...": "b2"}}, "has no moves for .../.../...: add its class"),
        ({"x_moves": "nobody.json"}, "cannot read the policy 'nobody.json'"),
        ({"x_moves": lambda at: 0 if at.ply else 9}, "3x3:3 has no cell 9"),
        ({"o_moves": 3}, "a policy cannot be an int"),
        ({"o_moves": "nope"}, "moves of O is 'nope', but it must be one of any, win"),
    ],
)
def test_questions_about_policies_that_are_refused(parts: Any, message: str) -> None:
    with pytest.raises(noughts.InputError, match=re.escape(message)):
        count("3x3", **parts)
