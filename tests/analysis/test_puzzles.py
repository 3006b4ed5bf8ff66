"""Puzzles: each has exactly one solution, by brute force; grades, themes and hints are true; the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from noughts.analysis.puzzles import finding
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
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError, InputError
from noughts.rules.game import class_bound
from noughts.rules.position import Position, parse_position
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


def test_more_than_its_positions_no_search_opens():
    with pytest.raises(BudgetError):
        move_ends(parse_position("4x4", "a1 b2"), 100)


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
        ("3x3", {"number": 501}, "more than the limit of 500"),
        ("3x3", {"theme": "forks"}, "unknown theme 'forks'"),
        ("3x3", {"daily": "tomorrow"}, "'tomorrow' is not a day"),
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


@pytest.mark.parametrize(("board", "asked", "there"), [("1x3:2", {}, 1), ("3x3", {"theme": "fork", "grade": 4}, 3)])
def test_without_a_number_there_are_as_many_as_there_are(board, asked, there):
    found = puzzles(board, **asked)
    assert (len(found), found.there) == (there, there)
    assert [each.answer for each in found] == [each.answer for each in puzzles(board, there, **asked)]
    assert len(puzzles("3x3")) == 6
    assert len(puzzles("3x3", daily="2026-11-22")) == 1
    assert len(puzzles("3x3", 2, daily="2026-11-22")) == 2


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


def test_a_puzzle_says_what_it_asks_and_what_was_asked_for() -> None:
    [plain, *_] = [each for each in settings("3x3") if each.goal == "not lose"]
    who = replace(plain, asked=WHO)
    assert plain.question == f"{plain.to_move} to move: only one move does not lose. Which?"
    assert who.question == f"{plain.to_move} to move. Who can force a win: X, O or neither? Find the only right move."
    assert who.explanation[0] == f"Neither player can force a win. {plain.explanation[0]}"


# Puzzles by lot: the same on every machine, what each of their moves comes to, and how much is opened to find it.

LOTS = 24
"""Blank cells up to which the oracle goes through all play."""


def lots(spec: str, asked: str) -> Iterator[str]:
    """The puzzles that lots lead to: the position, the goal and the move, and the end of each move in plies."""
    for n in range(LOTS):
        found = drawn_puzzle(Board.parse(spec), f"{asked} {n}")
        if found is not None:
            ends = [f"{cell_name(found.board, cell)} {who} {plies}" for cell, (who, plies) in found.ends.items()]
            trap = ", a trap" * found.traps
            head = f"{n}: {found.position} {found.goal} {cell_name(found.board, found.cell)}{trap}"
            yield f"{head}: {', '.join(ends)}"


def sets(spec: str, asked: str) -> Iterator[str]:
    """A set of puzzles: each position, its answer, its grade and its themes; or why there are none."""
    options: dict[str, Any] = dict(each.split("=") for each in asked.split(", "))
    options |= {name: int(options[name]) for name in ("number", "grade") if name in options}
    try:
        for each in puzzles(spec, **options):
            yield f"{each.position} {each.answer}, grade {each.grade}: {', '.join(each.themes)}"
    except InputError as error:
        yield str(error)


def opened(spec: str, asked: str) -> Iterator[str]:
    """The least number of positions that have to be opened to value a position, and all of its moves."""
    at = parse_position(spec, asked)

    def least(*asks: object) -> int:
        low, high = 0, 20_000
        while high - low > 1:
            middle = (low + high) // 2
            try:
                _ = LengthSolution(at, middle).evaluate(at) if asks else move_ends(at, middle)
                high = middle
            except BudgetError:
                low = middle
        return high

    yield f"{least(at)} for the position, {least()} for its moves"


KINDS = {"lots": lots, "sets": sets, "opened": opened}
KEPT: dict[str, list[str]] = {}
for _line in (Path(__file__).parent / "lots.txt").read_text(encoding="utf-8").splitlines():
    if _line.startswith(" "):
        KEPT[list(KEPT)[-1]].append(_line.strip())
    else:
        KEPT[_line] = []


def told(asked: str) -> list[str]:
    """What comes of a line that does not begin with a blank."""
    kind, spec, rest = asked.split(" ", 2)
    return list(KINDS[kind](spec, rest))


@pytest.mark.parametrize("asked", sample(KEPT, 4))
def test_what_is_kept(asked: str) -> None:
    """Golden: a change here changes everybody's puzzles."""
    assert told(asked) == KEPT[asked]


def test_progress_is_told_of_puzzles_that_are_drawn() -> None:
    seen: list[tuple[int, int | None, str]] = []
    puzzles("4x4:3", 2, seed=9, progress=lambda done, whole, unit: seen.append((done, whole, unit)))
    assert seen == [(0, 2, "puzzles"), (1, 2, "puzzles"), (2, 2, "puzzles")]


def test_a_board_is_listed_up_to_a_number_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("3x3")
    many = class_bound(Position(board))
    for most, listed in ((many, True), (many - 1, False)):
        monkeypatch.setattr(finding, "LISTED", most)
        assert finding.is_listed(board) == listed


def cell(spec: str, name: str) -> int:
    board = Board.parse(spec)
    return next(each for each in range(board.cells) if cell_name(board, each) == name)
