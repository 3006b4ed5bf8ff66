"""Puzzles: each has exactly one solution, by brute force; grades, themes and hints are true; the same everywhere."""

from __future__ import annotations

from datetime import date

import pytest

from noughts.analysis.puzzles.finding import (
    LengthSolution,
    drawn_puzzle,
    is_listed,
    listed_puzzles,
    move_ends,
    puzzles,
)
from noughts.analysis.puzzles.puzzle import THEMES, WHO, Puzzle
from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.retrograde import SmallSolution
from tests import naive
from tests.analysis.oracle import Oracle, oracle
from tests.dear import sample

GAMES = {
    "3x3": naive.grid(3, 3, 3),
    "3x3+misere": naive.grid(3, 3, 3, misere=True),
    "3x3+torus": naive.grid(3, 3, 3, torus=True),
    "3x3+torus+misere": naive.grid(3, 3, 3, torus=True, misere=True),
    "3x4": naive.grid(3, 4, 3),
    "3x4+misere": naive.grid(3, 4, 3, misere=True),
    "4x4": naive.grid(4, 4, 4),
    "4x4+torus": naive.grid(4, 4, 4, torus=True),
    "4x4+misere": naive.grid(4, 4, 4, misere=True),
    "4x4:3": naive.grid(4, 4, 3),
    "3x3x3": naive.grid(3, 3, 3, layers=3),
    "4x4x4": naive.grid(4, 4, 4, layers=4),
}
LATE_PUZZLES = 8
"""Blank cells up to which the oracle goes through all play on large boards."""


def marks(position: Position) -> str:
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def solutions(game: naive.Game, at: str) -> tuple[str, list[int]]:
    """What brute force says: the goal, and the moves that reach it."""
    sign = 1 if naive.mover(at) == "X" else -1
    values = {cell: sign * naive.value(game, naive.play(at, cell)) for cell in naive.blanks(at)}
    winning = [cell for cell, value in values.items() if value > 0]
    return ("win", winning) if winning else ("not lose", [cell for cell, value in values.items() if value == 0])


@pytest.mark.parametrize("name", sample(GAMES, 3))
def test_each_has_exactly_one_solution_and_no_two_are_the_same(name):
    found = puzzles(name, 12 if is_listed(Board.parse(name)) else 3, seed="judge")
    seen = set()
    for each in found:
        at = each.position
        at.require_reachable()
        assert not at.is_terminal
        seen.add(at.board.group().canonical(at.x, at.o))
        if is_listed(at.board) or at.blanks.bit_count() <= LATE_PUZZLES:
            assert solutions(GAMES[name], marks(at)) == (each.goal, [each.cell])
    assert len(seen) == len(found)


@pytest.mark.parametrize("name", ["3x3", "3x3+misere", "3x3+torus", "3x3+torus+misere", "2x3:3", "2x2x2", "1x6:3"])
def test_all_puzzles_of_a_small_board_are_listed(name):
    board = Board.parse(name)
    assert board.shape is not None
    rows, columns, layers = board.shape
    game = naive.grid(rows, columns, board.k or 0, layers, board.torus, board.misere)
    group = naive.isometries(rows, columns, layers, board.torus)
    wanted = set()
    for at in naive.reachable(game):
        if naive.line_outcome(game, at) is None and at.count(".") >= 3 and len(solutions(game, at)[1]) == 1:
            wanted.add(naive.position_class(at, group))
    listed = [naive.position_class(marks(each.position), group) for each in listed_puzzles(board)]
    assert sorted(listed) == sorted(wanted)


@pytest.mark.parametrize("name", ["3x3", "3x3+misere", "3x4", "2x3:2", "1x5:2", "1x7:3", "3x3:1"])
def test_lengths_are_those_of_the_tables(name):
    board = Board.parse(name)
    table = SmallSolution(board)
    still_open = [node.state for node in table.graph.nodes if node.outcome is None]
    for state in still_open[:: max(1, len(still_open) // 25)]:
        at = Position(board, state.x, state.o)
        assert dict(move_ends(at, 10**6)) == {move.cell: (move.outcome, move.remoteness) for move in table.moves(at)}
        searched = LengthSolution(at, 10**6).evaluate(at)
        assert (searched.outcome, searched.remoteness) == (table.outcome(at), table.remoteness(at))


def test_the_same_on_every_machine():
    """Golden: a change here changes everybody's puzzles, those of each day as well."""
    found = [each for name in ("3x3", "4x4:3", "3x3x3") for each in puzzles(name, 2, seed=1)]
    assert [(str(each.position), each.answer, each.grade, list(each.themes)) for each in found] == GOLDEN


GOLDEN = [
    ("X.X/X../.OO", "a3", 1, ["win at once", "only move"]),
    ("..O/.../.X.", "c3", 4, ["forced win", "who can force?"]),
    ("OXOX/OXXO/XOO./X...", "d3", 1, ["win at once", "only move"]),
    ("..O./OXX./.OO./XOXX", "d2", 1, ["win at once", "only move"]),
    (".../..X/.X.|.../O../...|XO./OO./XXO", "b3.2", 1, ["win at once", "only move"]),
    ("X../O.X/XO.|.../O../.O.|.../.../OXX", "b2.2", 1, ["win at once", "only move"]),
]


def test_a_day_has_a_puzzle_and_none_comes_again_before_all_have_been():
    [there] = {puzzles("3x3+torus", 1, daily=date(2026, 1, 1)).there}
    days = [date.fromordinal(date(2026, 1, 1).toordinal() + n) for n in range(there or 0)]
    found = [puzzles("3x3+torus", 1, daily=day)[0].position for day in days]
    group = Board.parse("3x3+torus").group()
    assert len({group.canonical(at.x, at.o) for at in found}) == there
    assert puzzles("3x3", 1, daily="2026-11-22") == puzzles("3x3", 1, daily=date(2026, 11, 22))
    assert puzzles("3x3", 1, daily="2026-11-22").date == "2026-11-22"


# Grades, lures, themes and hints of the puzzles of small boards, worked out on strings as they are defined.

SHAPES = {
    "3x3": (3, 3, 3),
    "3x3+misere": (3, 3, 3, True),
    "3x3+torus": (3, 3, 3, False, True),
    "2x3:3": (2, 3, 3),
    "1x6:3": (1, 6, 3),
}
LATER = {"3x4:3": (3, 4, 3), "3x4:3+misere": (3, 4, 3, True)}


def settings(spec: str) -> list[Puzzle]:
    if spec in SHAPES:
        return list(listed_puzzles(Board.parse(spec)))
    drawn = [drawn_puzzle(Board.parse(spec), f"{n}") for n in range(14)]
    return [each for each in drawn if each is not None and each.position.blanks.bit_count() < 8]


def looks(board: Oracle, s: str, cell: int) -> tuple[int, ...]:
    """How a move looks: does it complete a line, block one, make a threat; and on how many open lines is it?"""
    me, other = board.mover(s), board.other(board.mover(s))
    lines = [[s[c] for c in line if c != cell] for line in board.lines if cell in line]
    through = [line for line in lines if other not in line]
    completes, blocks = ([set(line) == {player} for line in lines] for player in (me, other))
    after = board.put(s, cell)
    near = [
        c
        for c in board.blanks(after)
        if any(c in line and all(after[d] == me for d in line if d != c) for line in board.lines)
    ]
    before = [c for c in near if any(c in line and all(s[d] == me for d in line if d != c) for line in board.lines)]
    if board.misere:
        return -any(completes), -len(near), -len(through)
    return any(completes), any(blocks), len(near) > len(before), len(through)


@pytest.mark.parametrize("spec", [*SHAPES, *LATER])
def test_all_that_is_said_of_a_puzzle(spec: str) -> None:
    board = oracle(*{**SHAPES, **LATER}[spec])
    found = settings(spec)
    assert found
    for each in found:
        s = str(each.position).replace("/", "")
        me, other = board.mover(s), board.other(board.mover(s))
        after = {cell: board.put(s, cell) for cell in board.blanks(s)}
        assert dict(each.ends) == {cell: (board.value(t), board.remoteness(t)) for cell, t in after.items()}
        winning = [cell for cell, t in after.items() if board.value(t) == me]
        [answer] = winning or [cell for cell, t in after.items() if board.value(t) == "draw"]
        wrong = [cell for cell in after if cell != answer]
        assert (each.cell, each.goal, list(each.wrong)) == (answer, "win" if winning else "not lose", wrong)
        # How deep: moves of the side that makes the last one.
        asked = [board.remoteness(after[answer]) + 1] if winning else [board.remoteness(after[cell]) for cell in wrong]
        depth = max(1, (max(asked) + 1) // 2)
        assert each.depth == depth
        # How well hidden.
        seen = {cell: looks(board, s, cell) for cell in after}
        assert {cell: tuple(map(int, each.glance(cell))) for cell in after} == {
            cell: tuple(map(int, look)) for cell, look in seen.items()
        }
        tempting = sorted(wrong, key=lambda cell: (tuple(-part for part in seen[cell]), cell))
        lures = [cell for cell in tempting if seen[cell] >= seen[answer]]
        assert list(each.lures) == lures
        hidden = 0 if not lures else 1 if len(lures) < len(wrong) / 2 else 2
        assert each.grade == depth + hidden
        # What it is about.
        mine, theirs = board.threats(s, me), board.threats(s, other)
        lost = [cell for cell in wrong if board.value(after[cell]) == other]
        replies = (
            set()
            if board.over(after[answer])
            else {board.value(board.put(after[answer], c)) for c in board.blanks(after[answer])}
        )
        about = {
            "only move": len(lost) == len(wrong),
            "double trap": not winning and len(replies) > 1,
            WHO: not mine and not theirs and depth > 1,
        }
        if not board.misere:
            about["win at once"] = answer in mine
            about["fork"] = bool(winning) and not mine and answer in board.forks(s, me)
            about["forced win"] = (
                bool(winning)
                and not mine
                and not about["fork"]
                and any(board.name(answer) == sequence[0] for sequence in board.forced_wins(s))
            )
            about["block"] = theirs == [answer] and not mine
        assert each.themes == tuple(theme for theme in THEMES if about.get(theme))
        _judge_hints(board, s, each, about, answer, tempting, lost)


def _judge_hints(
    board: Oracle, s: str, each: Puzzle, about: dict[str, bool], answer: int, tempting: list[int], lost: list[int]
) -> None:
    me, other = board.mover(s), board.other(board.mover(s))
    kind, ruled_out, choice = each.hints
    if board.misere:
        slack = [cell for cell in each.wrong if cell not in lost]
        words = [word for word, cells in (("gives up the win", slack), ("loses", lost)) if cells]
        assert kind == f"The player who completes a line loses, and every move but one {' or '.join(words)}."
    elif about["win at once"]:
        assert kind == f"{me} can complete a line."
    elif about["fork"]:
        assert kind == f"One move makes two threats at once, and {other} can block only one."
    elif about["block"]:
        assert kind == f"{other} threatens to complete a line."
    elif each.goal == "win":
        threat = "a threat and" if board.threats(board.put(s, answer), me) else "no threat, but"
        assert kind == f"The move makes {threat} wins later."
    elif about[WHO]:
        assert kind == f"Neither player has a threat yet. After every move but one, {other} can force a win."
    else:
        assert kind == f"After every move but one, {other} wins."
    first = tempting[0]
    t = board.put(s, first)
    moves = (board.remoteness(t) + 2) // 2
    did = f"loses in {moves} move{'s' * (moves != 1)}" if first in lost else "gives up the win"
    assert ruled_out.startswith(f"Not {board.name(first)}: it {did}.")
    assert board.name(answer) not in ruled_out
    left = sorted([answer, *tempting[1:3]])
    names = [board.name(cell) for cell in left]
    assert choice == f"It is {', '.join(names[:-1])}{' or ' * (len(names) > 1)}{names[-1]}."
