"""Every answer in the key of a worksheet is what brute force says, on boards of every kind."""

from __future__ import annotations

from typing import Any

import pytest

import noughts
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, parse_cell
from noughts.rules.errors import InputError
from noughts.rules.position import Position
from noughts.worksheets.sheet import THEMED
from tests import naive

pytestmark = pytest.mark.usefixtures("remembered")

GAMES: dict[str, tuple[tuple[Any, ...], naive.Game]] = {
    "3x3": ((3, 3), naive.grid(3, 3, 3)),
    "3x3+misere": ((3, 3), naive.grid(3, 3, 3, misere=True)),
    "3x3+torus": ((3, 3, 1, True), naive.grid(3, 3, 3, torus=True)),
    "3x4": ((3, 4), naive.grid(3, 4, 3)),
    "4x4": ((4, 4), naive.grid(4, 4, 4)),
    "1x5:3": ((1, 5), naive.grid(1, 5, 3)),
    "2x2": ((2, 2), naive.grid(2, 2, 2)),
    "3x3:4": ((3, 3), naive.grid(3, 3, 4)),
    "3x3x3": ((3, 3, 3), naive.grid(3, 3, 3, layers=3)),
}
DRAWN = ("same", "count", "possible", "who-wins", "tree")
OUTCOME = {1: "X", 0: "draw", -1: "O"}


def marks(position: Position) -> str:
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def played(board: str, cells: list[str]) -> list[str]:
    """Return the boards of a game, the empty one first."""
    on, found = Board.parse(board), ["." * Board.parse(board).cells]
    for cell in cells:
        found.append(naive.play(found[-1], parse_cell(on, cell)))
    return found


def sheets(kind: str, board: str) -> noughts.worksheets.Worksheet:
    return noughts.sheet(board, kind, seed="judge")


@pytest.mark.parametrize("board", ["3x3", "3x3+misere", "3x3+torus", "3x4", "3x3x3", "1x5:3"])
def test_the_winning_move_wins_and_no_other_does(board):
    game = GAMES[board][1]
    for each in sheets("win", board).exercises:
        at = marks(each.boards[0])
        if at.count(".") > 9:
            continue
        sign = 1 if naive.mover(at) == "X" else -1
        wins = [cell for cell in naive.blanks(at) if sign * naive.value(game, naive.play(at, cell)) > 0]
        assert [parse_cell(Board.parse(board), str(each.facts["cell"]))] == wins
        assert each.question.startswith(naive.mover(at))
        assert each.solved is not None
        assert marks(each.solved) == naive.play(at, wins[0])


@pytest.mark.parametrize("board", ["3x3", "3x3+misere", "3x3+torus", "3x4", "3x3x3", "1x5:3"])
@pytest.mark.parametrize("kind", ["win", "flash-cards"])
def test_the_key_names_the_threats_of_a_fork_and_of_nothing_else(kind, board):
    game, on, forks = GAMES[board][1], Board.parse(board), 0
    for each in noughts.sheet(board, kind, seed="judge").exercises:
        assert each.solved is not None
        after = marks(each.solved)
        mover = naive.mover(marks(each.boards[0]))
        over = naive.line_outcome(game, after) is not None
        cells = [] if over else naive.winning_cells(game, after, mover)
        twice = [] if len(cells) < 2 or on.misere else [cell_name(on, cell) for cell in cells]
        assert list(each.facts["threats"]) == twice
        assert each.answer.endswith(f", by the threats at {' and '.join(twice)}." if len(twice) == 2 else ".")
        assert ("threats" in each.answer) == bool(twice)
        forks += bool(twice)
    assert forks or board != "3x3"


@pytest.mark.parametrize("board", ["3x3", "3x4", "3x3+torus"])
@pytest.mark.parametrize("kind", sorted(THEMED))
def test_an_exercise_on_a_theme_has_one_right_move_and_what_the_theme_says(kind, board):
    game, on = GAMES[board][1], Board.parse(board)
    if board == "3x3+torus" and kind in ("double-trap", "forced-win", "who-can-force"):
        with pytest.raises(InputError, match=f"no exercises of the kind {kind} were found"):
            noughts.sheet(board, kind)
        return
    for each in noughts.sheet(board, kind, seed="judge").exercises:
        at, place = marks(each.boards[0]), parse_cell(on, str(each.facts["cell"]))
        mover = naive.mover(at)
        sign = 1 if mover == "X" else -1
        worth = {cell: sign * naive.value(game, naive.play(at, cell)) for cell in naive.blanks(at)}
        others = [value for cell, value in worth.items() if cell != place]
        assert worth[place] > max(others)
        mine, theirs = (naive.winning_cells(game, at, player) for player in (mover, naive.other(mover)))
        after = naive.play(at, place)
        holds = {
            "win-at-once": naive.line_outcome(game, after) == mover,
            "block": (mine, theirs) == ([], [place]),
            "fork": not mine and len(naive.winning_cells(game, after, mover)) > 1,
            "forced-win": not mine and worth[place] == 1 and len(naive.winning_cells(game, after, mover)) == 1,
            "only-move": set(others) == {-1},
            "double-trap": worth[place] == 0 and set(others) == {-1},
            "who-can-force": not mine and not theirs,
        }
        assert holds[kind], at
        stopped = [line for line in game.lines if place in line and sum(at[c] == naive.other(mover) for c in line) == 2]
        named = ["-".join(cell_name(on, cell) for cell in sorted(line)) for line in stopped]
        assert (" stops the line" in each.answer) == (kind == "block")
        assert kind != "block" or all(name in each.answer for name in named)


@pytest.mark.parametrize("board", GAMES)
def test_who_wins_and_by_which_moves(board):
    game = GAMES[board][1]
    for each in sheets("who-wins", board).exercises:
        at = marks(each.boards[0])
        assert naive.line_outcome(game, at) is None
        worth = naive.value(game, at)
        keeps = [cell for cell in naive.blanks(at) if naive.value(game, naive.play(at, cell)) == worth]
        assert each.facts["outcome"] == OUTCOME[worth]
        assert [parse_cell(Board.parse(board), cell) for cell in each.facts["moves"]] == keeps
        lost = OUTCOME[worth] == naive.other(naive.mover(at))
        assert ("after any move" in each.answer) == lost
        assert each.answer.startswith({1: "X wins", -1: "O wins", 0: "Neither player wins"}[worth])


@pytest.mark.parametrize("board", GAMES)
def test_the_endings_are_as_many_as_the_listed_games(board):
    game = GAMES[board][1]

    def ends(at: str) -> list[str]:
        outcome = naive.line_outcome(game, at)
        return [outcome] if outcome else [end for cell in naive.blanks(at) for end in ends(naive.play(at, cell))]

    for each in sheets("count", board).exercises:
        found = ends(marks(each.boards[0]))
        counts = {"x_wins": found.count("X"), "o_wins": found.count("O"), "draws": found.count("draw")}
        assert each.facts == {"games": str(len(found)), **{key: str(value) for key, value in counts.items()}}
        assert each.answer == (
            f"{len(found)} game{'s' * (len(found) != 1)}: X wins {counts['x_wins']}, O wins {counts['o_wins']}, "
            f"draws {counts['draws']}."
        )


@pytest.mark.parametrize("board", GAMES)
def test_boards_are_the_same_when_some_image_is(board):
    sides, _ = GAMES[board]
    group = naive.isometries(*sides)
    said = set()
    for each in noughts.sheet(board, "same", seed=2).exercises:
        first, second = (naive.position_class(marks(at), group) for at in each.boards)
        assert each.facts["same"] == (first == second)
        assert each.answer.startswith("The same: " if first == second else "Different")
        assert marks(each.boards[0]) != marks(each.boards[1])
        assert sorted(marks(each.boards[0])) == sorted(marks(each.boards[1]))
        said.add(first == second)
    assert said == {True, False}


def can_arise(game: naive.Game, at: str) -> bool:
    """Tell whether some last mark was made on a board without lines, by the player whose turn it was."""
    x, o = at.count("X"), at.count("O")
    if x not in (o, o + 1):
        return False
    last = "X" if x == o + 1 else "O"
    lined = [at, *(at[:cell] + "." + at[cell + 1 :] for cell, mark in enumerate(at) if mark == last)]
    return any(not (naive.has_line(game, before, "X") or naive.has_line(game, before, "O")) for before in lined)


@pytest.mark.parametrize("board", GAMES)
def test_possible_boards_are_led_to_and_impossible_ones_are_not(board):
    game = GAMES[board][1]
    for each in noughts.sheet(board, "possible", 6, seed=1).exercises:
        at = marks(each.boards[0])
        assert each.facts["possible"] == can_arise(game, at)
        if game.cells <= 9:
            assert each.facts["possible"] == (at in naive.reachable(game))
        if each.facts["possible"]:
            way = played(board, list(each.facts["game"]))
            assert way[-1] == at
            assert all(naive.line_outcome(game, before) is None for before in way[:-1])
        else:
            assert each.answer.startswith("Impossible: ")


@pytest.mark.parametrize("board", [board for board in GAMES if board != "2x2"])
def test_trees_have_every_move_and_every_value(board):
    game = GAMES[board][1]
    for each in sheets("tree", board).exercises:
        knots = [(marks(knot.position), knot.parent, knot.outcome) for knot in each.tree]
        assert [knot.is_given for knot in each.tree] == [True] + [False] * (len(knots) - 1)
        for number, (at, _, outcome) in enumerate(knots):
            assert outcome == OUTCOME[naive.value(game, at)]
            below = [after for after, parent, _ in knots if parent == number]
            over = naive.line_outcome(game, at)
            assert below == ([] if over else [naive.play(at, cell) for cell in naive.blanks(at)])


def followed(plan: dict[str, Any], order: list[str]) -> tuple[list[str], str]:
    """Play a strategy as its certificate has it against an order of cells, with nothing of the package."""
    game, names = naive.grid(3, 3, 3), [f"{column}{row}" for row in "123" for column in "abc"]
    at, calls = "." * 9, []
    while True:
        calls.append(plan["call"])
        cell = names.index(plan["call"])
        if at[cell] == "O":
            plan = plan["taken"]
            continue
        at = naive.put(at, cell, "X")
        for mark in "O.":
            if naive.line_outcome(game, at):
                return calls, str(naive.line_outcome(game, at))
            if mark == "O":
                at = naive.put(at, next(names.index(each) for each in order if at[names.index(each)] == "."), "O")
        plan = plan["free"]


def test_blindfold_games_are_those_of_the_strategy():
    strategy = noughts.solve_blindfold("3x3").strategy
    assert strategy is not None
    sheet = sheets("blindfold", "3x3")
    assert sheet.rules[0].startswith("Call ")
    for each in sheet.exercises:
        calls, outcome = followed(strategy.as_dict()["plan"], list(each.facts["order"]))
        assert (list(each.facts["calls"]), each.facts["outcome"]) == (calls, outcome)
        assert outcome != "O"
        assert each.answer.endswith({"X": "X wins.", "draw": "A draw."}[outcome])


@pytest.mark.parametrize("board", ["3x3", "3x3+torus", "3x4"])
@pytest.mark.parametrize("kind", DRAWN)
def test_no_two_are_the_same_and_the_easiest_come_first(kind, board):
    group = naive.isometries(*GAMES[board][0])
    found = noughts.sheet(board, kind, 10, seed="apart")
    assert len({naive.position_class(marks(each.boards[0]), group) for each in found.exercises}) == 10
    efforts = [each.effort for each in found.exercises]
    assert efforts == sorted(efforts)
