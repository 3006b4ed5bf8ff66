"""Grades, lures, themes and hints of the puzzles of small boards, worked out on strings as they are defined."""

from __future__ import annotations

from functools import cache

import pytest

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.api import solve
from noughts.solving.solution import Solution
from noughts.strategy.explain import explain
from noughts.strategy.puzzles.finding import drawn_setting, listed_settings
from noughts.strategy.puzzles.grading import depth_of, glance, hidden_by, lures_of
from noughts.strategy.puzzles.hints import hints_of
from noughts.strategy.puzzles.lengths import LengthSolution
from noughts.strategy.puzzles.puzzle import Puzzle, grade_of
from noughts.strategy.puzzles.setting import Setting, setting_of
from noughts.strategy.puzzles.themes import THEMES, WHO, themes_of
from tests.strategy.oracle import Oracle, oracle

SHAPES = {
    "3x3": (3, 3, 3),
    "3x3+misere": (3, 3, 3, True),
    "3x3+torus": (3, 3, 3, False, True),
    "2x3:3": (2, 3, 3),
    "1x6:3": (1, 6, 3),
}
LATER = {"3x4:3": (3, 4, 3), "3x4:3+misere": (3, 4, 3, True)}


@cache
def solved(spec: str) -> Solution:
    return solve(spec)


def settings(spec: str) -> list[Setting]:
    if spec in SHAPES:
        return list(listed_settings(Board.parse(spec))[0])
    drawn = [drawn_setting(Board.parse(spec), f"{n}") for n in range(14)]
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
        assert depth_of(each) == depth
        # How well hidden.
        seen = {cell: looks(board, s, cell) for cell in after}
        assert {cell: tuple(map(int, glance(each.position, cell))) for cell in after} == {
            cell: tuple(map(int, look)) for cell, look in seen.items()
        }
        tempting = sorted(wrong, key=lambda cell: (tuple(-part for part in seen[cell]), cell))
        lures = [cell for cell in tempting if seen[cell] >= seen[answer]]
        assert list(lures_of(each)) == lures
        hidden = 0 if not lures else 1 if len(lures) < len(wrong) / 2 else 2
        assert grade_of(each) == depth + hidden
        assert hidden_by(len(lures), len(wrong)) == hidden
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
        assert themes_of(each) == tuple(theme for theme in THEMES if about.get(theme))
        _judge_hints(board, s, each, about, answer, tempting, lost)


def _judge_hints(
    board: Oracle, s: str, each: Setting, about: dict[str, bool], answer: int, tempting: list[int], lost: list[int]
) -> None:
    me, other = board.mover(s), board.other(board.mover(s))
    whole = each.board.cells <= 9
    values = solved(each.board.spec) if whole else LengthSolution(each.position, 10**6)
    facts = explain(each.board, each.position, solution=values)
    kind, ruled_out, choice = hints_of(each, facts)
    if board.misere:
        slack = [cell for cell in each.wrong if cell not in lost]
        words = [word for word, cells in (("gives up the win", slack), ("loses", lost)) if cells]
        assert kind == f"Whoever completes a line loses, and every move but one {' or '.join(words)}."
    elif about["win at once"]:
        assert kind == f"{me} has a line that lacks one mark only."
    elif about["fork"]:
        assert kind == f"One move makes two threats at once, and {other} can block only one."
    elif about["block"]:
        assert kind == f"{other} threatens to complete a line."
    elif each.goal == "win":
        threat = "a" if board.threats(board.put(s, answer), me) else "no"
        assert kind == f"The move makes {threat} threat, and wins by what follows."
    elif about[WHO]:
        assert kind == f"Nobody has a threat yet, but after every move but one {other} can force a win."
    else:
        assert kind == f"After every move but one {other} wins."
    first = tempting[0]
    t = board.put(s, first)
    moves = (board.remoteness(t) + 2) // 2
    did = f"loses in {moves} move{'s' * (moves != 1)}" if first in lost else "gives up the win"
    assert ruled_out.startswith(f"Not {board.name(first)}: it {did}.")
    assert board.name(answer) not in ruled_out
    left = sorted([answer, *tempting[1:3]])
    names = [board.name(cell) for cell in left]
    assert choice == f"It is {', '.join(names[:-1])}{' or ' * (len(names) > 1)}{names[-1]}."


@pytest.mark.parametrize("spec", ["3x3", "3x3+misere", "2x3:3"])
def test_a_position_is_a_puzzle_where_one_move_alone_does_it(spec: str) -> None:
    board = oracle(*SHAPES[spec])
    for s in board.reachable():
        if board.over(s) or s.count(".") > 6:
            continue
        ends = {cell: (board.value(t), board.remoteness(t)) for cell in board.blanks(s) if (t := board.put(s, cell))}
        at = Position(Board.parse(spec), *(sum(1 << n for n, mark in enumerate(s) if mark == side) for side in "XO"))
        won = [cell for cell, (who, _) in ends.items() if who == board.mover(s)]
        kept = won or [cell for cell, (who, _) in ends.items() if who == "draw"]
        found = setting_of(at, ends)  # type: ignore[arg-type]
        assert (found is not None) == (len(kept) == 1 and len(ends) >= 3)
        if found is not None:
            assert (found.cell, found.goal) == (kept[0], "win" if won else "not lose")


def test_a_puzzle_says_what_it_asks_and_what_was_asked_for() -> None:
    [setting, *_] = [each for each in settings("3x3") if each.goal == "not lose"]
    facts = explain("3x3", setting.position)
    plain, who = Puzzle(setting, facts), Puzzle(setting, facts, WHO)
    assert plain.question == f"{plain.to_move} to move: one move alone does not lose. Which?"
    assert who.question == f"{plain.to_move} to move. Who can force a win: X, O, or nobody? Find the one right move."
    assert who.explanation[0] == f"Nobody can force a win. {plain.explanation[0]}"
    assert (plain.depth, plain.grade, plain.lures) == (depth_of(setting), grade_of(setting), lures_of(setting))
