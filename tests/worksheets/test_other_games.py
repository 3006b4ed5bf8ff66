"""Worksheets and themes of puzzles where marks do not name the players: the oracle's answers, in words of the game."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import noughts
from noughts.analysis.puzzles.finding import listed_puzzles
from noughts.present.report import PIPE
from noughts.present.text import as_text
from noughts.rules.board import Board
from noughts.rules.cells import parse_move
from noughts.rules.errors import InputError, InvalidQuestion
from noughts.rules.position import Position
from noughts.verbs import worksheet
from tests import naive
from tests.analysis.test_unowned_marks import OWNED

GRID = naive.grid(3, 3, 3)


def lined(at: str, mark: str) -> bool:
    return naive.has_line(GRID, at, mark)


RULES = {
    "3x3+wild": naive.wild(9, lined),
    "3x3+wild+misere": naive.wild(9, lined, misere=True),
    "3x3+order": naive.wild(9, lined, order="X"),
    "3x3+chaos": naive.wild(9, lined, order="O"),
    "3x3+notakto": naive.notakto(GRID),
}
GROUP = naive.isometries(3, 3)
KINDS = ("same", "count", "possible", "who-wins", "tree")
SIGN = {"X": 1, "draw": 0, "O": -1}


def marks(position: Position) -> str:
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def value(spec: str, at: str) -> int:
    return naive.ends(RULES[spec], at)[0]


def lines(at: str) -> int:
    return sum(all(at[cell] == mark for cell in line) for line in GRID.lines for mark in "XO")


def completing(spec: str, at: str) -> list[int]:
    rules = RULES[spec]
    moves = [] if rules.outcome(at) else rules.moves(at)
    return [move for move in moves if lines(rules.play(at, move)) > lines(at)]


@pytest.mark.parametrize("spec", RULES)
def test_themes_are_what_the_lines_of_the_oracle_say(spec: str) -> None:
    """A fork and a block are those of Order and of Chaos; in wild a line is anybody's, in Notakto it loses."""
    rules, seeker = RULES[spec], {"3x3+order": "X", "3x3+chaos": "O"}.get(spec)
    met = Counter[str]()
    for puzzle in listed_puzzles(Board.parse(spec)):
        at, move = marks(puzzle.position), int(puzzle.cell)
        after, mover, now = rules.play(at, move), rules.mover(at), completing(spec, at)
        wins = puzzle.goal == "win"
        worth = {each: value(spec, rules.play(at, each)) * SIGN[mover] for each in rules.moves(at)}
        replies = (
            set() if rules.outcome(after) else {value(spec, rules.play(after, each)) for each in rules.moves(after)}
        )
        expected = {
            "win at once": rules.outcome(after) == mover and move in now,
            "fork": wins and not now and mover == seeker and len({m % 9 for m in completing(spec, after)}) > 1,
            "block": seeker == naive.other(mover) and {m % 9 for m in now} == {move % 9},
            "only move": all(end == -1 for each, end in worth.items() if each != move),
            "double trap": not wins and len(replies) > 1,
            "who can force?": not now and puzzle.depth > 1,
        }
        assert set(puzzle.themes) == {theme for theme, holds in expected.items() if holds}, at
        said = " ".join([puzzle.question, *puzzle.hints, *puzzle.explanation])
        assert not OWNED.search(said), said
        met.update(puzzle.themes)
    assert bool(met["block"]) == (seeker is not None)
    assert bool(met["win at once"]) == (spec in ("3x3+wild", "3x3+chaos"))


@pytest.mark.parametrize("spec", RULES)
@pytest.mark.parametrize("kind", KINDS)
def test_sheets_are_in_the_words_of_the_game(spec: str, kind: str) -> None:
    many = 2 if kind == "tree" else 3
    made = noughts.sheet(spec, kind, many, seed="words")
    text = as_text(worksheet.report(made), PIPE)
    assert not OWNED.search(text), text
    assert len({naive.position_class(marks(each.boards[0]), GROUP) for each in made.exercises}) == many
    if spec in ("3x3+order", "3x3+notakto"):
        assert "neither" not in text
        assert "draw" not in text.replace("Draw", "")


@pytest.mark.parametrize("spec", RULES)
def test_who_wins_and_by_which_moves(spec: str) -> None:
    rules, board = RULES[spec], Board.parse(spec)
    for each in noughts.sheet(spec, "who-wins", seed="judge").exercises:
        at = marks(each.boards[0])
        keeps = [move for move in rules.moves(at) if value(spec, rules.play(at, move)) == value(spec, at)]
        assert SIGN[str(each.facts["outcome"])] == value(spec, at)
        assert sorted(int(parse_move(board, name)) for name in each.facts["moves"]) == sorted(keeps)
        mover = board.rules.name_of("X" if rules.mover(at) == "X" else "O")
        assert each.question.removesuffix(" to move.").lower() == mover.lower()


@pytest.mark.parametrize("spec", RULES)
def test_the_endings_are_as_many_as_the_listed_games(spec: str) -> None:
    rules = RULES[spec]

    @cache
    def ends(at: str) -> Counter[str]:
        outcome = rules.outcome(at)
        after = [] if outcome else [ends(rules.play(at, move)) for move in rules.moves(at)]
        return Counter([outcome]) if outcome else sum(after, Counter[str]())

    for each in noughts.sheet(spec, "count", 3, seed="judge").exercises:
        found = ends(marks(each.boards[0]))
        expected = {"games": found.total(), "x_wins": found["X"], "o_wins": found["O"], "draws": found["draw"]}
        assert each.facts == {name: str(many) for name, many in expected.items()}
        assert each.answer.startswith(f"{found.total()} game")


@pytest.mark.parametrize("spec", RULES)
def test_possible_boards_are_led_to_and_others_are_not(spec: str) -> None:
    rules, board, said = RULES[spec], Board.parse(spec), set()
    reached = layer = {"." * 9}
    while layer:
        layer = {rules.play(at, move) for at in layer if not rules.outcome(at) for move in rules.moves(at)}
        reached = reached | layer
    for each in noughts.sheet(spec, "possible", 6, seed=2).exercises:
        at, way = marks(each.boards[0]), "." * 9
        assert each.facts["possible"] == (at in reached)
        for name in each.facts["game"]:
            assert not rules.outcome(way)
            way = rules.play(way, int(parse_move(board, name)))
        assert not each.facts["possible"] or way == at
        said.add(each.facts["possible"])
    assert said == {True, False}


@pytest.mark.parametrize("spec", RULES)
def test_trees_have_every_move_and_every_value(spec: str) -> None:
    rules = RULES[spec]
    for each in noughts.sheet(spec, "tree", 2, seed="judge").exercises:
        knots = [(marks(knot.position), knot.parent, knot.outcome) for knot in each.tree]
        for number, (at, _, outcome) in enumerate(knots):
            assert SIGN[outcome] == value(spec, at)
            below = [after for after, parent, _ in knots if parent == number]
            assert below == ([] if rules.outcome(at) else [rules.play(at, move) for move in rules.moves(at)])


@pytest.mark.parametrize("kind", ["forced-win", "blindfold", "block", "fork"])
def test_kinds_that_make_no_sense_are_refused_in_a_sentence(kind: str) -> None:
    with pytest.raises(InvalidQuestion, match=rf"^a worksheet of the kind {kind} cannot be used with \+wild: "):
        noughts.sheet("3x3+wild", kind)
    if kind in ("block", "fork"):
        with pytest.raises(InputError, match="no exercises of the kind fork were found on 3x3:3\\+order"):
            noughts.sheet("3x3+order", "fork")
