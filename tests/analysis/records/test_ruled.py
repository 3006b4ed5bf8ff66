"""What players bound by rules can reach: every record against the list of all their games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import noughts
from tests import naive
from tests.dear import dear


class Case(NamedTuple):
    spec: str
    game: naive.Game
    group: tuple[naive.Permutation, ...]
    x_moves: str
    o_moves: str
    end: str


PLAIN = naive.grid(3, 3, 3), naive.isometries(3, 3)
TORUS = naive.grid(3, 3, 3, torus=True), naive.isometries(3, 3, torus=True)
MISERE = naive.grid(2, 3, 2, misere=True), naive.isometries(2, 3)
CASES = [
    Case("3x3:3", *PLAIN, "block", "block", "decided"),
    Case("3x3:3", *PLAIN, "block", "block", "line"),
    Case("3x3:3", *PLAIN, "fork", "win", "decided"),
    Case("3x3:3", *PLAIN, "concede", "concede", "line"),
    Case("3x3:3", *PLAIN, "concede", "win", "line"),
    Case("3x3:3", *PLAIN, "any", "concede", "decided"),
    Case("3x3:3", *PLAIN, "perfect", "fork", "line"),
    Case("3x3:3", *PLAIN, "quickest", "any", "line"),
    Case("2x3:2+misere", *MISERE, "any", "quickest", "line"),
    Case("3x3:3+torus", *TORUS, "block", "block", "decided"),
    Case("2x3:2+misere", *MISERE, "perfect", "any", "decided"),
    Case("2x4:3", naive.grid(2, 4, 3), naive.isometries(2, 4), "any", "any", "decided"),
    Case("4x2:3", naive.grid(4, 2, 3), naive.isometries(4, 2), "any", "block", "line"),
    Case("2x2:3", naive.grid(2, 2, 3), naive.isometries(2, 2), "any", "any", "decided"),
    Case("2x3:2", naive.grid(2, 3, 2), naive.isometries(2, 3), "concede", "concede", "line"),
]


def asked(case: Case) -> noughts.analysis.Catalogue:
    rules: Any = {"x_moves": case.x_moves, "o_moves": case.o_moves, "end": case.end}
    return noughts.analysis.catalogue(case.spec, **rules)


def text(record: Any) -> str:
    return str(record).replace("/", "").replace("|", "")


class Facts(NamedTuple):
    """What the list of games says of a class."""

    paths: set[tuple[str, ...]]
    labelled: set[tuple[int, ...]]
    games: set[tuple[str, ...]]
    labelled_games: set[tuple[int, ...]]
    parents: set[str]
    children: dict[str, set[int]]
    outcomes: set[str | None]


def listed(case: Case) -> dict[str, Facts]:
    found: dict[str, Facts] = {}
    for layer in naive.layers(case.game, case.x_moves, case.o_moves, case.end):
        for path in layer:
            classes = [naive.position_class(position, case.group) for position in path.positions]
            here = found.setdefault(classes[-1], Facts(set(), set(), set(), set(), set(), {}, set()))
            here.paths.add(tuple(classes))
            here.labelled.add(path.cells)
            here.outcomes.add(path.outcome)
            if len(classes) > 1:
                here.parents.add(classes[-2])
                if path.positions[-2] == classes[-2] == min(naive.image(path.positions[-2], p) for p in case.group):
                    found[classes[-2]].children.setdefault(classes[-1], set()).add(path.cells[-1])
            if path.outcome:
                for name in classes:
                    found[name].games.add(tuple(classes))
                    found[name].labelled_games.add(path.cells)
    return found


def chance(case: Case, position: str) -> dict[str, Fraction]:
    """The outcomes of play at random among the moves that the rules allow."""
    if case.end == "decided":
        outcome = naive.sole_outcome(case.game, position, case.x_moves, case.o_moves)
    else:
        outcome = naive.ended(case.game, position, case.x_moves, case.o_moves)
    found = dict.fromkeys(("X", "draw", "O"), Fraction(0))
    if outcome:
        found[outcome] = Fraction(1)
        return found
    rule = case.x_moves if naive.mover(position) == "X" else case.o_moves
    cells = naive.moves(case.game, position, rule)
    for cell in cells:
        for name, part in chance(case, naive.play(position, cell)).items():
            found[name] += part / len(cells)
    return found


def least(position: str, case: Case) -> str:
    return naive.position_class(position, case.group)


@pytest.mark.parametrize(
    "case",
    dear(CASES, *CASES[1:6], CASES[7], *CASES[9:12], CASES[12]),
    ids=lambda case: "-".join(case[:1] + case[3:]),
)
def test_every_record_is_what_the_list_of_games_says(case: Case) -> None:
    found, truth = asked(case), listed(case)
    assert {least(text(record.position), case) for record in found} == truth.keys()
    assert len(found) == len(truth)
    for record in found:
        name = least(text(record.position), case)
        facts = truth[name]
        assert record.is_terminal == (None not in facts.outcomes)
        assert record.ways_by_choices == len(facts.paths)
        assert record.ways == len(facts.labelled)
        assert record.games_by_choices == len(facts.games)
        assert record.games == len(facts.labelled_games)
        assert {least(text(parent), case) for parent in record.predecessors} == facts.parents
        assert {least(text(move.canonical), case) for move in record.moves} == facts.children.keys()
        if record.is_terminal:
            assert facts.outcomes == {record.outcome}
        else:
            assert record.outcome == {1: "X", 0: "draw", -1: "O"}[naive.value(case.game, name)]
        chances = record.random_play
        assert {"X": chances.x_wins, "draw": chances.draw, "O": chances.o_wins} == chance(case, name)
        rule = case.x_moves if record.to_move == "X" else case.o_moves
        if not record.is_terminal:
            cells = naive.moves(case.game, text(record.position), rule)
            assert sorted(cell for move in record.moves for cell in move.cells) == sorted(cells)


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[:1] + case[3:]))
def test_the_catalogue_and_the_count_agree(case: Case) -> None:
    rules: Any = {"x_moves": case.x_moves, "o_moves": case.o_moves, "end": case.end}
    found, census = asked(case), noughts.count(case.spec, same="choices", **rules)
    assert len(found) == census.totals.positions
    assert len(found.where(won="X")) == census.totals.terminal_x
    assert len(found.where(won="O")) == census.totals.terminal_o
    assert len(found.where(drawn=True)) == census.totals.terminal_draw
    start = next(iter(found))
    assert start.games_by_choices == census.totals.finished
    assert start.games == noughts.count(case.spec, **rules).totals.finished
    assert found.boards == noughts.count(case.spec, **rules).totals.positions
