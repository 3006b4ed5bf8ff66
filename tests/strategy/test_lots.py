"""Puzzles by lot: the same on every machine, what each of their moves comes to, and how much is opened to find it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts.domain.board import Board
from noughts.domain.cells import cell_name
from noughts.domain.errors import BudgetError, InputError
from noughts.domain.extent import class_bound
from noughts.domain.notation import parse_position
from noughts.domain.position import Position
from noughts.strategy.puzzles import finding
from noughts.strategy.puzzles.api import puzzles
from noughts.strategy.puzzles.finding import drawn_setting
from noughts.strategy.puzzles.lengths import LengthSolution, move_ends
from tests import naive

LOTS = 24
LATE = 7
"""Blank cells up to which the oracle goes through all play."""


def lots(spec: str, asked: str) -> Iterator[str]:
    """The puzzles that lots lead to: the position, the goal and the move, and the end of each move in plies."""
    for n in range(LOTS):
        found = drawn_setting(Board.parse(spec), f"{asked} {n}")
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


@pytest.mark.parametrize("asked", KEPT)
def test_what_is_kept(asked: str) -> None:
    """Golden: a change here changes everybody's puzzles."""
    assert told(asked) == KEPT[asked]


def games() -> dict[str, naive.Game]:
    found = {}
    for spec in {asked.split()[1] for asked in KEPT}:
        board = Board.parse(spec)
        assert board.shape is not None
        rows, columns, layers = board.shape
        found[spec] = naive.grid(rows, columns, board.k or 0, layers, board.torus, board.misere)
    return found


def test_each_move_comes_to_what_all_play_shows() -> None:
    seen = 0
    boards = games()
    for asked in KEPT:
        kind, spec, _ = asked.split(" ", 2)
        for line in KEPT[asked] if kind == "lots" else ():
            _, head, ends = line.split(": ")
            at = marks(parse_position(spec, head.split()[0]))
            if at.count(".") > LATE:
                continue
            for each in ends.split(", "):
                name, who, plies = each.split()
                after = naive.play(at, cell(spec, name))
                outcome = {1: "X", 0: "draw", -1: "O"}[naive.value(boards[spec], after)]
                assert (who, int(plies)) == (outcome, naive.remoteness(boards[spec], after)), (line, name)
                seen += 1
    assert seen > 100


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


def marks(position: Position) -> str:
    return "".join(position.mark_at(cell) or "." for cell in range(position.board.cells))


def cell(spec: str, name: str) -> int:
    board = Board.parse(spec)
    return next(each for each in range(board.cells) if cell_name(board, each) == name)
