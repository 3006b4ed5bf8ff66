"""Falling marks counted by stacks and by lists of classes, against the list of all games and published numbers."""

from __future__ import annotations

import re
from dataclasses import asdict
from itertools import product
from pathlib import Path

import pytest

from noughts.counting import stacked
from noughts.counting.census import Census
from noughts.counting.conventions import ladder
from noughts.counting.engines import answer, ask, row_of
from noughts.counting.offers import Request
from noughts.counting.question import SAMENESSES, Question
from noughts.counting.saved import Checkpoint
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import SERIAL, Workers, workers_for
from noughts.rules.board import Board
from noughts.rules.errors import InvalidPosition
from tests import naive

ENGINES = ("plain", "layered", "stacked", "classes")
SMALL = ((2, 2, 2), (1, 6, 3), (6, 1, 2), (3, 3, 3), (2, 4, 2), (4, 2, 3), (3, 2, 1), (2, 3, 9))
LARGER = ((3, 4, 3), (4, 3, 3), (4, 3, 4), (2, 5, 3), (5, 2, 2))


def rows_of(census: Census) -> list[dict[str, int | None]]:
    return [asdict(row) for row in census.plies]


def board_of(rows: int, columns: int, k: int, misere: bool = False) -> Board:
    return Board.grid(rows, columns, k, gravity=True, misere=misere)


def rules_of(rows: int, columns: int, k: int, misere: bool) -> naive.Rules:
    rules, board = naive.gravity(rows, columns, k), naive.grid(rows, columns, k, misere=misere)
    return rules._replace(outcome=lambda position: naive.line_outcome(board, position))


@pytest.mark.parametrize(("sides", "misere"), [*product(SMALL, (False, True))])
def test_every_engine_counts_as_the_list_of_all_games(sides: tuple[int, int, int], misere: bool) -> None:
    board, games = board_of(*sides, misere), naive.listed(rules_of(*sides, misere))
    group = naive.mirror(*sides[:2])
    for same, engine in product(SAMENESSES, ENGINES):
        found = rows_of(answer(Question(board, same), engine=engine))
        assert found == naive.table(games, same, group, group), (same, engine)


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "misere"), [*product(LARGER, (False, True))])
def test_boards_of_up_to_twelve_cells(sides: tuple[int, int, int], misere: bool) -> None:
    test_every_engine_counts_as_the_list_of_all_games(sides, misere)


@pytest.mark.parametrize("start", ["b", "a", "d d c", "a b c", "b b"])
@pytest.mark.parametrize("same", SAMENESSES)
def test_from_a_position(start: str, same: str) -> None:
    """From positions that the mirror keeps and that it moves, on a board with a middle column and on one without."""
    for board in ("3x4:3+gravity", "2x5:3+gravity+misere"):
        for to_ply in (None, 7):
            question = ask(board, start, same=same, to_ply=to_ply)  # type: ignore[arg-type]
            found = [rows_of(answer(question, engine=engine)) for engine in ENGINES]
            assert all(each == found[0] for each in found), (board, to_ply)


@pytest.mark.parametrize(
    ("board", "positions", "games"),
    [
        ("4x4:4+gravity", 161_029, 47_982_540),
        ("4x5:4+gravity", 3_945_711, 152_505_051_772),
        ("5x4:4+gravity", 1_706_255, None),
    ],
)
def test_published_numbers(board: str, positions: int, games: int | None) -> None:
    """Positions: J. Tromp, tromp.github.io/c4/c4.html; games of 4x5: OEIS A342329."""
    totals = answer(ask(board), engine="stacked").totals
    assert totals.positions == positions
    assert games in (None, totals.finished)


def test_connect_four_to_the_tenth_ply() -> None:
    """Published: M. Boeck, Connect4-Strong-Solver, 7 x 6 Solution (2025)."""
    plies = answer(ask("connect4", to_ply=9), engine="stacked").plies
    assert [row.positions for row in plies] == [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186]
    assert [row.terminal for row in plies] == [0] * 7 + [728, 1_892, 19_412]


@pytest.mark.parametrize("same", SAMENESSES)
def test_a_larger_board_by_two_engines(same: str) -> None:
    question = ask("4x4:4+gravity", same=same)  # type: ignore[arg-type]
    assert answer(question, engine="stacked").plies == answer(question, engine="classes").plies


@pytest.mark.parametrize("workers", [SERIAL, workers_for(2)])
def test_work_in_many_parts_with_long_weights(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask("4x3:3+gravity", same="choices")
    whole = answer(question, engine="stacked").plies
    monkeypatch.setattr(stacked, "_CHUNK", 256)
    assert answer(question, engine="stacked", workers=workers).plies == whole
    monkeypatch.setattr(stacked, "_LIMB_BITS", 7)
    assert answer(question, engine="stacked", workers=workers).plies == whole


def test_resumed_after_a_ply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))
    question = ask("4x4:4+gravity")
    done: list[str] = []

    def stopping(part: int, whole: int, what: str) -> None:
        done.append(what)
        if what == "positions of ply 9":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer(question, engine="stacked", resume=tmp_path, progress=stopping)
    first, done[:] = list(done), []
    found = answer(question, engine="stacked", resume=tmp_path, progress=lambda *said: done.append(said[2]))
    assert (first[0], done[0]) == ("positions of ply 1", "positions of ply 9")
    assert found.plies == answer(question, engine="classes").plies
    done.clear()
    assert answer(question, engine="stacked", resume=tmp_path, progress=lambda *said: done.append(said[2])) == found
    assert not done, "a finished count is read from the folder"


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (ask("3x3"), "marks do not fall"),
        (ask("3x3+gravity", moves="block"), "counts free moves until a line"),
        (ask("3x3+gravity", end="decided"), "counts free moves until a line"),
        (ask("8x8:4+gravity"), r"boards with \(rows \+ 1\) x columns up to 64"),
    ],
)
def test_what_the_engine_refuses(question: Question, why: str) -> None:
    found = row_of("stacked").offers(Request(question))[0](Limits())
    assert isinstance(found, Refusal)
    assert re.search(why, found.reason)


def test_other_rules_and_ends_on_small_boards() -> None:
    """The move rules that need no fork, play to the decision and to the full board, by two engines."""
    for moves, end, same in product(("any", "win", "block", "perfect"), ("line", "decided", "full"), SAMENESSES):
        question = ask("3x3+gravity", moves=moves, end=end, same=same)  # type: ignore[arg-type]
        assert answer(question, engine="plain").plies == answer(question, engine="layered").plies, (moves, end, same)


def test_play_to_the_full_board_fills_columns_in_any_order() -> None:
    assert answer(ask("2x3:2+gravity", end="full")).totals.finished == 90  # 6! / 2!^3
    with pytest.raises(InvalidPosition, match="cannot arise in play"):
        ask("3x3+gravity", "XX./.../...", end="full")


def test_positions_from_naive_to_exact_under_gravity() -> None:
    """Quiet positions against the list: no move completes a line, of either mark, where it falls."""
    board, rules = Board.parse("3x3+gravity"), naive.gravity(3, 3, 3)
    rungs = {rung.name: rung.count for rung in ladder(board)}
    assert not {"sequences", "balanced", "not both lined"} & rungs.keys()
    quiet = set()
    for path in (path for layer in naive.listed(rules) for path in layer):
        position = path.positions[-1]
        if rules.outcome(position) is None and position.count(".") > 1:
            lined = (rules.outcome(naive.put(position, cell, mark)) for cell in rules.moves(position) for mark in "XO")
            if not any(outcome in ("X", "O") for outcome in lined):
                quiet.add(min("".join(position[cell] for cell in image) for image in naive.mirror(3, 3)))
    assert rungs["real decisions"] == len(quiet)
    fallen = [cells for cells in product(*[[*product(".XO", repeat=3)]] * 3) if all(map(_rests, cells))]
    signs = ["".join(map("".join, cells)) for cells in fallen]
    assert rungs["fallen"] == sum(text.count("X") - text.count("O") in (0, 1) for text in signs)


def _rests(column: tuple[str, ...]) -> bool:
    return "." not in "".join(column).lstrip(".")
