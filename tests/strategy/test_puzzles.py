"""Puzzles: each has exactly one solution, by brute force; grades, themes and hints are true; the same everywhere."""

from __future__ import annotations

import re
from datetime import date

import pytest

from noughts.domain.bits import cells_of
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.solving.small import SmallSolution
from noughts.strategy.puzzles.api import puzzles
from noughts.strategy.puzzles.finding import is_listed, listed_settings
from noughts.strategy.puzzles.lengths import LengthSolution, move_ends
from noughts.strategy.puzzles.puzzle import Puzzle, grade_of
from noughts.strategy.puzzles.themes import THEMES, WHO, themes_of
from tests import naive

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
LATE = 8
"""Blank cells up to which the oracle goes through all play on large boards."""


def marks(position: Position) -> str:
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def solutions(game: naive.Game, at: str) -> tuple[str, list[int]]:
    """What brute force says: the goal, and the moves that reach it."""
    sign = 1 if naive.mover(at) == "X" else -1
    values = {cell: sign * naive.value(game, naive.play(at, cell)) for cell in naive.blanks(at)}
    winning = [cell for cell, value in values.items() if value > 0]
    return ("win", winning) if winning else ("not lose", [cell for cell, value in values.items() if value == 0])


@pytest.mark.parametrize("name", GAMES)
def test_each_has_exactly_one_solution_and_no_two_are_the_same(name):
    found = puzzles(name, 12 if is_listed(Board.parse(name)) else 3, seed="judge")
    seen = set()
    for each in found:
        at = each.position
        at.require_reachable()
        assert not at.is_terminal
        seen.add(at.board.group().canonical(at.x, at.o))
        if is_listed(at.board) or at.blanks.bit_count() <= LATE:
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
    listed = [naive.position_class(marks(each.position), group) for each in listed_settings(board)[0]]
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


def test_more_than_its_positions_no_search_opens():
    with pytest.raises(BudgetError):
        move_ends(parse_position("4x4", "a1 b2"), 100)


@pytest.mark.parametrize("name", ["3x3", "3x3+misere", "3x4", "3x3x3"])
def test_hints_are_true_and_keep_the_solution(name):
    for each in puzzles(name, 12, seed=3):
        first, second, third = each.hints
        wrong = re.match(r"Not (\S+):", second)
        assert wrong is not None
        assert wrong[1] != each.answer
        assert each.answer not in re.findall(r"[a-z]\d(?:\.\d)?", second)
        offered = re.findall(r"[a-z]\d(?:\.\d)?", third)
        assert each.answer in offered
        assert wrong[1] not in offered
        assert 2 <= len(offered) < each.position.blanks.bit_count()
        assert each.answer not in re.findall(r"[a-z]\d(?:\.\d)?", first)
        _judge_first_hint(each, first)


def _judge_first_hint(each: Puzzle, hint: str) -> None:
    """What the first hint says of the moves, by their values."""
    ends, mover = each.setting.ends, each.to_move
    lost = [cell for cell in each.setting.wrong if ends[cell][0] not in (mover, "draw")]
    slack = [cell for cell in each.setting.wrong if ends[cell][0] == "draw" and each.goal == "win"]
    _, found, rest = hint.partition("every move but one")
    if found:
        assert any(words in rest for words in ("loses", "wins", "can force a win")) == bool(lost)
        assert ("gives up the win" in rest) == bool(slack)


@pytest.mark.parametrize("name", ["3x3", "3x3+misere", "3x3+torus"])
def test_themes_are_what_they_say(name):
    board, game = Board.parse(name), GAMES[name]
    met: set[str] = set()
    for each in listed_settings(board)[0]:
        at, me = marks(each.position), each.position.to_move
        other = naive.other(me)
        mine, theirs = naive.winning_cells(game, at, me), naive.winning_cells(game, at, other)
        after = naive.play(at, each.cell)
        forked = len(naive.winning_cells(game, after, me)) >= 2
        values = {cell: naive.value(game, naive.play(after, cell)) for cell in naive.blanks(after)}
        lost = {value == (1 if me == "X" else -1) for value in values.values()}
        themes = themes_of(each)
        met.update(themes)
        worst = -1 if me == "X" else 1
        only = all(naive.value(game, naive.play(at, c)) == worst for c in naive.blanks(at) if c != each.cell)
        assert ("only move" in themes) == only
        ends = naive.line_outcome(game, after) is not None
        assert ("double trap" in themes) == (each.goal == "not lose" and not ends and lost == {True, False})
        if board.misere:
            assert not {"win at once", "fork", "forced win", "block"} & set(themes)
            continue
        assert ("win at once" in themes) == (each.cell in mine)
        assert ("block" in themes) == (theirs == [each.cell] and not mine)
        assert ("fork" in themes) == (each.goal == "win" and forked and not mine)
        assert (WHO in themes) <= (not mine and not theirs)
    assert len(met) >= (3 if board.misere else 4)


def test_depth_is_that_of_the_oracle_and_grades_go_up_from_one():
    game = GAMES["3x3"]
    for each in listed_settings(Board.parse("3x3"))[0]:
        at = marks(each.position)
        plies = {cell: naive.remoteness(game, naive.play(at, cell)) for cell in naive.blanks(at)}
        won = (plies[each.cell] + 2) // 2
        punished = max((plies[cell] + 1) // 2 for cell in each.wrong)
        depth = won if each.goal == "win" else punished
        assert depth <= grade_of(each) <= depth + 2
        assert depth >= 1


def test_the_same_seed_gives_the_same_and_more_keep_the_first():
    for name in ("3x3", "3x4"):
        few, many = puzzles(name, 3, seed="a"), puzzles(name, 5, seed="a")
        assert few == puzzles(name, 3, seed="a")
        assert {each.position for each in few} <= {each.position for each in many}
        assert [each.position for each in few] != [each.position for each in puzzles(name, 3, seed="b")]
    assert puzzles("3x3", 1, seed=7)[0].as_dict() == puzzles("3x3", 1, seed="7")[0].as_dict()


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


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_can_be_asked_for_in_any_spelling(theme):
    for given in (theme, theme.replace(" ", "-").rstrip("?").upper()):
        assert all(theme in each.themes for each in puzzles("3x3", 3, theme=given))
    if theme == WHO:
        assert "Who can force a win" in puzzles("3x3", 1, theme=theme)[0].question


def test_a_grade_can_be_asked_for():
    assert {each.grade for each in puzzles("3x3", 3, grade=4)} == {4}


@pytest.mark.parametrize(
    ("board", "more", "words"),
    [
        ("3x3:4", {}, "no line to complete"),
        ("1x1", {}, "at least 3 blank cells"),
        ("1x2", {}, "at least 3 blank cells"),
        ("2x2", {}, "no position with three or more blank cells has exactly one move that wins"),
        ("2x2x2", {}, "no position with three or more blank cells has exactly one move that wins"),
        ("3x3+misere", {"theme": "fork"}, "ask for another theme, grade or goal"),
        ("3x3+torus", {"number": 21}, "only 20 puzzles on 3x3:3.torus up to symmetry: ask for 20 or fewer"),
        ("3x3", {"number": 501}, "more than the 500"),
        ("3x3", {"theme": "forks"}, "there is no theme 'forks'"),
        ("3x3", {"daily": "tomorrow"}, "'tomorrow' is no day"),
        ("3x3", {"grade": 9}, "of grade 9: the grades there go from 1 to 4"),
        ("1x3:2", {}, "there is only 1 puzzle on 1x3:2 up to symmetry: ask for 1$"),
        ("1x3:2", {"grade": 9}, "of grade 9: all have grade 2$"),
        ("9x9:4", {}, "81 cells"),
    ],
)
def test_what_cannot_be_had_is_said_in_a_sentence(board, more, words):
    with pytest.raises((InputError, BudgetError), match=words) as caught:
        puzzles(board, **{"number": 6, **more})
    assert "\n" not in str(caught.value)


def test_the_explanation_names_the_solution_and_the_record_has_seven_fields():
    for each in puzzles("3x3", 20, seed=2):
        assert each.explanation[0].startswith(f"{each.answer} ")
        assert list(each.as_dict()) == ["board", "position", "to_move", "goal", "solution", "grade", "themes"]
        assert parse_position("3x3", str(each.as_dict()["position"])) == each.position
        assert each.cell in list(cells_of(each.position.blanks))


@pytest.mark.parametrize(("board", "asked", "there"), [("1x3:2", {}, 1), ("3x3", {"theme": "fork", "grade": 4}, 3)])
def test_without_a_number_there_are_as_many_as_there_are(board, asked, there):
    found = puzzles(board, **asked)
    assert (len(found), found.there) == (there, there)
    assert [each.answer for each in found] == [each.answer for each in puzzles(board, there, **asked)]
    assert len(puzzles("3x3")) == 6
    assert len(puzzles("3x3", daily="2026-11-22")) == 1
    assert len(puzzles("3x3", 2, daily="2026-11-22")) == 2
