"""The derivation of a census: each sum comes out, and each part of it is what its words say."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from math import factorial
from typing import Any

import pytest

import noughts
from noughts.counting.derivation import Step, derivation, sums
from noughts.rules.errors import InvalidQuestion
from tests import naive
from tests.dear import dear

# The derivation splits the wins of each ply by kind of line: against the list of all games.

BOARDS = {
    "3x3": (naive.grid(3, 3, 3), (1, 3, 3)),
    "3x3:2": (naive.grid(3, 3, 2), (1, 3, 3)),
    "2x4:2": (naive.grid(2, 4, 2), (1, 2, 4)),
    "3x2:2+misere": (naive.grid(3, 2, 2, misere=True), (1, 3, 2)),
    "2x2x2:2": (naive.grid(2, 2, 2, layers=2), (2, 2, 2)),
    "2x3:2+torus": (naive.grid(2, 3, 2, torus=True), (1, 2, 3)),
    "1x8:3": (naive.grid(1, 8, 3), (1, 1, 8)),
}
FLAT = {1: "one row or column", 2: "one diagonal"}
SOLID = {1: "one row, column or pillar", 2: "one diagonal of a slice", 3: "one diagonal through the box"}


def kind(game: naive.Game, sides: tuple[int, int, int], position: str) -> str:
    """What the marks of a won position complete, in words."""
    lines = [line for line in game.lines if len({position[cell] for cell in line} & set("XO")) == 1]
    lines = [line for line in lines if "." not in {position[cell] for cell in line}]
    if len(lines) > 1:
        return {2: "two", 3: "three", 4: "four"}.get(len(lines), str(len(lines))) + " lines at once"
    layers, rows, columns = sides
    where = naive.places(rows, columns, layers)
    places = [where[cell] for cell in lines[0]]
    axes = sum(len({place[i] for place in places}) > 1 for i in range(3))
    return (SOLID if layers > 1 else FLAT)[axes]


@pytest.mark.parametrize("spec", dear(BOARDS, "3x3"))
def test_the_wins_of_each_ply_by_kind_of_line(spec: str) -> None:
    game, sides = BOARDS[spec]
    steps = derivation(noughts.count(spec))
    listed = naive.layers(game, "any", "any", "line")
    assert len(steps) == len(listed)
    for step, layer in zip(steps, listed, strict=True):
        wanted: Counter[tuple[str, str]] = Counter()
        for path in layer:
            if path.outcome in ("X", "O"):
                wanted[path.outcome, kind(game, sides, path.positions[-1])] += 1
        assert {(won.player, won.by): won.games for won in step.won_by} == wanted
        for won in step.won_by:
            assert f"  {won.games:,} by {won.by}:" in step.lines


ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "all games": ("3x3", {}),
    "choices": ("2x3:2", {"same": "choices"}),
    "symmetry": ("3x3:2", {"same": "symmetry"}),
    "misere": ("3x2:2+misere", {}),
    "a rule": ("2x3:2", {"moves": "win"}),
    "decided": ("2x3:3", {"same": "choices", "end": "decided"}),
    "decided up to symmetry": ("1x5:3", {"same": "symmetry", "end": "decided"}),
    "a start": ("3x3", {"start": "a1 b2 c3"}),
    "no lines": ("2x2:3", {}),
    "torus": ("3x3+torus", {}),
    "two in a row": ("3x3:2", {}),
    "a box": ("2x2x3:2+misere", {}),
    "sixteen cells": ("2x8:3", {}),
    "full": ("3x3", {"end": "full"}),
    "full with lines": ("2x3:2+misere", {"end": "full"}),
    "all decided": ("3x3+misere", {"end": "decided"}),
    "stopped": ("3x3", {"to_ply": 6}),
    "misere by choices": ("3x3+misere", {"same": "choices"}),
    "one rule each": ("2x3:2", {"x_moves": "block", "same": "choices"}),
}


@pytest.mark.parametrize("name", ASKED)
def test_every_sum_comes_out_and_ends_at_what_was_counted(name: str) -> None:
    spec, options = ASKED[name]
    census = noughts.count(spec, **options)
    many = 0
    for step, row in zip(derivation(census), census.plies, strict=True):
        assert step.ply == row.ply
        assert step.heading.startswith(f"Ply {row.ply}: ")
        assert f"{row.paths:,} path" in step.heading
        left = (row.paths or 0) - (row.finished or 0)
        for line in (step.heading.partition(": ")[2], *step.lines):
            if " = " in line.strip():
                assert comes_out(line), line
                many += 1
        opened = [line for line in step.lines if line.startswith("Left open")]
        assert opened == [f"Left open: {row.paths:,} - {row.finished:,} = {left:,}."] * bool(left and row.finished)
        assert sum(f"{row.draws:,} of them are drawn" in line for line in step.lines) == bool(
            row.draws and row.draws != row.paths
        )
    for whole in sums(census):
        for line in (whole.heading, *whole.lines):
            if " = " in line:
                assert comes_out(line), line
    assert many > 2


def comes_out(line: str) -> bool:
    """Tell whether both sides of a sum in words are the same number; `n!` is a factorial."""
    left, right = line.split(" = ")
    terms = left.replace(",", "").replace(" x ", " * ").rpartition(": ")[2].rpartition("; ")[2]
    terms = re.sub(r"([0-9]+)!", lambda found: str(factorial(int(found[1]))), terms)
    first = re.search(r"[0-9,]+", right)
    assert first is not None
    return bool(eval(re.sub(r"[^0-9*/+()-]", "", terms)) == int(first[0].replace(",", "")))


def test_a_sum_that_does_not_come_out_is_noticed() -> None:
    assert comes_out("Positions: 504 / 2! = 252 (boards with 2 Xs and 1 O).")
    assert comes_out("At once: 8 x 3! x 6 x 5 = 1,440 (lines; orders)")
    assert not comes_out("Positions: 504 / 3! = 252 (boards with 2 Xs and 1 O).")
    assert not comes_out("6 lines x (15 - 5) choices of the other cells = 24 sets (5 hold another line)")


def test_a_derivation_is_of_games_that_x_starts() -> None:
    with pytest.raises(InvalidQuestion, match="a derivation shows games that X starts"):
        derivation(noughts.count("2x2:2", starts="O"))


# Each part of a derivation is what its words say: against boards and games listed one by one.


def line_at(steps: tuple[Step, ...], ply: int, start: str) -> str:
    found = [line for step in steps if step.ply == ply for line in step.lines if line.strip().startswith(start)]
    assert len(found) < 2
    return found[0] if found else ""


def common(game: naive.Game, position: str, player: str) -> frozenset[int]:
    """The cells that all lines of a player share."""
    own = [line for line in game.lines if all(position[cell] == player for cell in line)]
    return frozenset.intersection(*own)


PARTS = {
    **{name: game for name, (game, _) in BOARDS.items() if name != "2x2x2:2"},
    "3x3+torus": naive.grid(3, 3, 3, torus=True),
}


@pytest.mark.parametrize("spec", dear(PARTS, "1x8:3"))
def test_the_positions_of_each_ply_are_all_boards_less_those_where_play_had_ended(spec: str) -> None:
    game = PARTS[spec]
    steps = derivation(noughts.count(spec))
    for ply in range(3, steps[-1].ply + 1):
        mover, waiting = ("X", "O") if ply % 2 else ("O", "X")
        boards = [
            board
            for board in map("".join, product("XO.", repeat=game.cells))
            if board.count("X") == (ply + 1) // 2 and board.count("O") == ply // 2
        ]
        before = [board for board in boards if naive.has_line(game, board, waiting)]
        lined = [board for board in boards if naive.has_line(game, board, mover)]
        apart = [board for board in lined if board not in before and not common(game, board, mover)]
        ended = [board for board in lined if common(game, board, mover)]
        both = [board for board in ended if board in before]
        drawn = [board for board in boards if "." not in board and board not in before and board not in lined]
        line = line_at(steps, ply, "Positions")
        less = [len(each) for each in (before, apart) if each]
        assert f" = {len(boards) - sum(less):,} (boards with " in line
        assert [int(found.replace(",", "")) for found in re.findall(r"less ([0-9,]+) on which", line)] == less
        line = line_at(steps, ply, "Terminal")
        sets = {tuple(cell for cell, mark in enumerate(board) if mark == mover) for board in ended}
        if not sets:
            assert line == (f"Terminal: {len(drawn)} full boards without a line." if drawn else "")
            continue
        terms = line.partition(" = ")[0].removeprefix("Terminal: ").split(" ")
        assert int(terms[0].replace(",", "")) == len(sets)
        assert (f"less {len(both):,} on which {waiting} has one too" in line) == bool(both)
        assert (f"and {len(drawn):,} full board" in line) == bool(drawn)
        assert f" = {len(ended) - len(both) + len(drawn):,} (" in line


@pytest.mark.parametrize("spec", ["3x3:2", "2x4:2", "3x2:2+misere", "3x3+torus", "1x8:3"])
def test_how_sets_arise_gives_the_sets_that_are_counted(spec: str) -> None:
    """The line below the first of each kind has as many sets as that, those that could be marked last."""
    shown = 0
    for step in derivation(noughts.count(spec)):
        for line, below in zip(step.lines, step.lines[1:], strict=False):
            if " to choose " in line and re.search(" = [0-9,]+ sets?( |$)", below):
                counted = re.findall(r"([0-9,]+) x [0-9]+", line.partition(" last: ")[2])
                total = sum(int(each.replace(",", "")) for each in counted)
                assert re.search(f" = {total:,} sets?( |$)", below), (line, below)
                shown += 1
    assert shown


CHOSEN: dict[str, tuple[str, naive.Game, tuple[int, int, int], dict[str, Any]]] = {
    "choices": ("2x3:2", naive.grid(2, 3, 2), (2, 3, 1), {"same": "choices"}),
    "torus": ("2x3:3+torus", naive.grid(2, 3, 3, torus=True), (2, 3, 1), {"same": "choices"}),
    "misere": ("3x2:2+misere", naive.grid(3, 2, 2, misere=True), (3, 2, 1), {"same": "choices"}),
    "decided": ("2x3:3", naive.grid(2, 3, 3), (2, 3, 1), {"same": "choices", "end": "decided"}),
    "labelled": ("2x3:2", naive.grid(2, 3, 2), (2, 3, 1), {"moves": "block"}),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_games_are_the_ways_into_each_ending(name: str) -> None:
    spec, game, (rows, columns, layers), options = CHOSEN[name]
    same, rule, end = (
        options.get(key, usual) for key, usual in (("same", "labelled"), ("moves", "any"), ("end", "line"))
    )
    group = naive.isometries(rows, columns, layers, "torus" in spec)
    steps = derivation(noughts.count(spec, **options))
    for step, layer in zip(steps, naive.layers(game, rule, rule, end), strict=True):
        ways: dict[str, Counter[str]] = {}
        for path in {naive.same_key(path, same, group): path for path in layer}.values():
            if path.outcome:
                last = path.positions[-1]
                ways.setdefault(path.outcome, Counter())[
                    naive.position_class(last, group) if same == "choices" else last
                ] += 1
        sorted_ways = [Counter(ways[end].values()) for end in ("X", "O", "draw") if end in ways]
        shown = [" + ".join(f"{many} x {each}" for each, many in sorted(each.items())) for each in sorted_ways]
        assert [line.strip().partition(" = ")[0] for line in step.lines if "the ways to reach it" in line] == shown


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "3x3+torus", "1x4:2", "2x4:2", "2x2:3"])
def test_on_full_boards_the_wins_are_first_lines_times_orders(spec: str) -> None:
    """Against the wins of play that stops at a line, ply by ply."""
    stopped = {row.ply: {"X": row.x_wins, "O": row.o_wins} for row in noughts.count(spec).plies}
    last = derivation(noughts.count(spec, end="full"))[-1]
    cells = noughts.Board.parse(spec).cells
    for player in ("X", "O"):
        at = [i for i, line in enumerate(last.lines) if line.startswith(f"{player} wins")]
        terms = [f"{by[player]:,} x {cells - ply}!" for ply, by in stopped.items() if by[player]]
        assert [last.lines[i + 1].strip().partition(" = ")[0] for i in at] == ([" + ".join(terms)] if terms else [])


@pytest.mark.parametrize(
    ("spec", "options", "why"),
    [
        ("4x5:4", {}, "up to 16 cells"),
        ("4x5:4", {"end": "full"}, "up to 16 cells"),
        ("3x4", {"same": "choices"}, "up to about 30,000 position classes"),
        ("3x4", {"same": "symmetry"}, "up to 9 cells"),
        ("3x3", {"end": "full", "same": "choices"}, "free play from the empty board"),
        ("3x3", {}, ""),
        ("3x3", {"end": "full"}, ""),
        ("3x3", {"same": "symmetry", "moves": "win"}, ""),
        ("3x3", {"same": "choices", "end": "decided"}, ""),
        ("4x5:4", {"to_ply": 3}, ""),
        ("3x3", {"start": "a1 b2"}, ""),
    ],
)
def test_wins_that_are_not_derived_say_why(spec: str, options: dict[str, Any], why: str) -> None:
    census = noughts.count(spec, **options)
    said = [each.heading for each in sums(census) if each.heading.startswith("How the wins arise is not shown: ")]
    assert (len(said) == 1 and why in said[0]) if why else not said
    bare = [line for step in derivation(census) for line in step.lines if re.fullmatch(r"[XO] wins .*\.", line)]
    assert bool(bare) == bool(why)


# Sums over all plies: from all orders of a full board, and of each column.


@pytest.mark.parametrize("options", [{}, {"same": "choices"}, {"same": "symmetry", "end": "decided"}, {"moves": "win"}])
def test_the_columns_add_up_to_their_totals(options: dict[str, Any]) -> None:
    census = noughts.count("3x3+misere" if "moves" not in options else "3x3", **options)
    lines = sums(census)[-1].lines
    for name in ("Games", "Positions", "Terminal"):
        column = {"Games": "finished"}.get(name, name.lower())
        wanted = " + ".join(f"{count:,}" for count in census.column(column) if count)
        assert f"{name}: {wanted} = {getattr(census.totals, column):,}." in lines
