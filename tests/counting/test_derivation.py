"""The derivation splits the wins of each ply by kind of line: against the list of all games."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import noughts
from noughts.counting.derivation import _last_marks, derivation
from noughts.domain.board import Board
from noughts.domain.errors import InvalidQuestion
from tests import naive
from tests.dear import dear

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


def test_the_hand_count() -> None:
    by_ply = {step.ply: {won.by: won.games for won in step.won_by} for step in derivation(noughts.count("3x3"))}
    assert by_ply[7] == {"one row or column": 34992, "one diagonal": 12960}
    assert sorted(by_ply[9].values()) == [12672, 27648, 41472]
    assert by_ply[9]["two lines at once"] == 12672
    assert sum(sum(kinds.values()) for kinds in by_ply.values()) == 255168 - 46080


def test_a_board_given_by_its_lines() -> None:
    board = Board.from_lines(5, [(0, 1), (1, 2)], name="two lines")
    census = noughts.count(board)
    assert {won.by for step in derivation(census) for won in step.won_by} == {"one line", "two lines at once"}


def test_sixteen_cells_add_up() -> None:
    census = noughts.count("4x4:3")
    for step, row in zip(derivation(census), census.plies, strict=True):
        assert sum(won.games for won in step.won_by) == (row.x_wins or 0) + (row.o_wins or 0)


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
}


@pytest.mark.parametrize("name", ASKED)
def test_every_sum_comes_out_and_ends_at_what_was_counted(name: str) -> None:
    spec, asked = ASKED[name]
    census = noughts.count(spec, **asked)
    sums = 0
    for step, row in zip(derivation(census), census.plies, strict=True):
        assert step.ply == row.ply
        assert step.heading.startswith(f"Ply {row.ply}: ")
        assert f"{row.paths:,} path" in step.heading
        left = (row.paths or 0) - (row.finished or 0)
        for line in (step.heading.partition(": ")[2], *step.lines):
            if " = " in line.strip():
                assert comes_out(line), line
                sums += 1
        opened = [line for line in step.lines if line.startswith("Left open")]
        assert opened == [f"Left open: {row.paths:,} - {row.finished:,} = {left:,}."] * bool(left and row.finished)
        assert sum(f"{row.draws:,} of them are drawn" in line for line in step.lines) == bool(
            row.draws and row.draws != row.paths
        )
    assert sums > 2


def comes_out(line: str) -> bool:
    """Tell whether both sides of a sum in words are the same number."""
    left, right = line.split(" = ")
    terms = left.replace(" x ", " * ").rpartition(": ")[2].rpartition("; ")[2]
    return bool(eval(re.sub(r"[^0-9*/+()-]", "", terms)) == int(re.sub(r"[^0-9]", "", right.partition(" (")[0])))


def test_one_path_is_it():
    for start, said in (("XXX/OO./...", "X wins it."), ("XOX/XOO/OX.", "It is drawn: the board is full")):
        steps = derivation(noughts.count("3x3", start))
        assert steps[-1].lines[0].startswith(said), steps[-1]


def told(name: str, ply: int) -> list[str]:
    spec, asked = ASKED[name]
    step = next(step for step in derivation(noughts.count(spec, **asked)) if step.ply == ply)
    return [step.heading, *step.lines]


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("all games", ["Ply 0: 1 path, the start.", "Ply 1: 1 open x 9 blank cells = 9 paths."]),
        ("choices", ["Ply 0: 1 path, the start.", "Ply 1: 1 open; 1 x 2 distinct choices = 2 paths."]),
        ("symmetry", ["Ply 0: 8 x 1 / 8 = 1 path.", "Ply 1: (9 + 4 x 3 + 3 x 1) / 8 = 3 paths."]),
        ("a rule", ["Ply 0: 1 path, the start.", "Ply 1: 1 open; 1 x 6 moves = 6 paths."]),
        ("a start", ["Ply 3: 1 path, the start.", "Ply 4: 1 open x 6 blank cells = 6 paths."]),
    ],
)
def test_how_a_derivation_begins(name: str, headings: list[str]) -> None:
    spec, asked = ASKED[name]
    steps = derivation(noughts.count(spec, **asked))
    assert [step.heading for step in steps[:2]] == headings


def test_the_sentences_about_a_ply() -> None:
    """Written by hand from the sets: on 3x3:2 up to symmetry, under misere, and where nobody has a line."""
    assert told("symmetry", 2)[0] == "Ply 2: (72 + 4 x 6) / 8 = 12 paths (3 of the 8 symmetries fix none)."
    assert told("choices", 5) == [
        "Ply 5: 4 open; 2 x 1 distinct choice + 2 x 2 distinct choices = 6 paths.",
        "X wins 6 of them.",
    ]
    assert told("decided", 5)[1:] == ["X wins 17 of them.", "17 of them are drawn: no continuation has a winner."]
    assert told("no lines", 4)[1:] == ["All of them are drawn: the board is full and nobody has a line."]
    assert told("a start", 9)[2] == "72 of them are drawn: the board is full and nobody has a line."
    assert told("misere", 5) == [
        "Ply 5: 16 open x 2 blank cells = 32 paths.",
        "O wins 32 of them, for X completes a line:",
        "  32 by two lines at once:",
        "    8 ways to choose 3 cells of X that hold two lines at once, and the one marked last: 8 x 1 "
        "(sets x cells that could be last)",
        "    x 2 orders of the other 2 Xs",
        "    x 6 ways to place and order 2 Os in 3 other cells",
        "    = 96",
        "    - 64 in which O had a line before: 16 such choices x 4 orders",
        "    = 32",
    ]
    assert told("misere", 3)[-2:] == ["  Together 88.", "Left open: 120 - 88 = 32."]
    assert told("misere", 4)[-2:] == ["  Together 264 - 184 = 80.", "Left open: 96 - 80 = 16."]


def test_sets_whose_lines_share_no_cell_are_told() -> None:
    """Of the lines ab, cd and ae two have no cell in common in two ways: no mark completes both."""
    board = Board.from_lines(7, [(0, 1), (2, 3), (0, 4)], name="apart")
    lines = [line for step in derivation(noughts.count(board)) for line in step.lines]
    assert lines.count("      (2 sets with lines that share no cell cannot arise and count 0)") == 1
    assert lines.count("    - 4 in which O had a line before: 1 such choice x 4 orders") == 1


def test_sets_are_told_by_how_many_of_their_cells_could_be_last() -> None:
    """Of five cells abcd and any of five others hold two lines that share two cells, abcef two that share one."""
    board = Board.from_lines(9, [(0, 1, 2), (1, 2, 3), (0, 4, 5)], name="two and one")
    last = derivation(noughts.count(board))[9]
    assert (
        "    11 ways to choose 5 cells of X that hold two lines at once, and the one marked last: 5 x 2 + 1 x 1 "
        "(sets x cells that could be last)"
    ) in last.lines


def test_a_derivation_is_of_games_that_x_starts() -> None:
    with pytest.raises(InvalidQuestion, match="of games that X starts"):
        derivation(noughts.count("2x2:2", starts="O"))


def test_boards_of_seventeen_cells_are_not_split_by_kind_of_line() -> None:
    """Fifteen lines of three marks, the last any of them, the others in 2 orders, two Os on 14 cells."""
    steps = derivation(noughts.count("1x17:3", to_ply=5))
    assert steps[5].lines[0] == f"X wins {15 * 3 * 2 * 14 * 13:,} of them."
    assert not any(step.won_by for step in steps)


def test_sets_are_looked_at_of_as_many_marks_as_a_player_makes() -> None:
    """One more of the first player's where the cells are odd."""
    for spec, most in (("3x3", 5), ("2x4:3", 4), ("1x5:3", 3)):
        found = _last_marks(Board.parse(spec))
        assert list(found) == list(range(1, most + 1))
        assert all(not found[size] for size in range(1, 3))
        assert all(list(kind.before) == [size - 1, size] for size, kinds in found.items() for kind in kinds)
