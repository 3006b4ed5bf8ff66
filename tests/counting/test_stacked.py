"""Falling marks counted by stacks and by lists of classes, against the list of all games and published numbers."""

from __future__ import annotations

import re
from dataclasses import asdict
from itertools import product
from pathlib import Path

import pytest

from noughts import count
from noughts.counting import classes, stacked
from noughts.counting.census import Census
from noughts.counting.conventions import ladder
from noughts.counting.derivation import derivation, sums
from noughts.counting.engines import answer, ask
from noughts.counting.offers import Request, Run
from noughts.counting.question import SAMENESSES, Question
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import SERIAL, Workers, workers_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, InvalidPosition, InvalidQuestion
from noughts.verbs.count import how_we_know
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


def test_two_by_two_by_hand() -> None:
    """On 2x2 X makes two in a row with the third mark wherever it falls: beside, above or across the first one.

    Two first moves, two replies. After `a a` X can only play b, across; after `a b` X plays a, above, or b, across.
    So there are 6 games, all won with the third mark, on 4 positions: `a a b`, `a b a` and their mirror images differ.
    """
    census = answer(ask("2x2+gravity"), engine="stacked")
    assert [row.paths for row in census.plies] == [1, 2, 4, 6]
    assert (census.totals.finished, census.totals.x_wins) == (6, 6)
    assert [row.positions for row in census.plies] == [1, 2, 4, 6]
    assert answer(ask("2x2+gravity", same="symmetry"), engine="stacked").totals.finished == 3


@pytest.mark.parametrize("start", ["b", "a", "d d c", "a b c", "b b"])
@pytest.mark.parametrize("same", SAMENESSES)
def test_from_a_position(start: str, same: str) -> None:
    """From positions that the mirror keeps and that it moves, on a board with a middle column and on one without."""
    for board in ("3x4:3+gravity", "2x5:3+gravity+misere"):
        for to_ply in (None, 7):
            question = ask(board, start, same=same, to_ply=to_ply)  # type: ignore[arg-type]
            found = [rows_of(answer(question, engine=engine)) for engine in ENGINES]
            assert all(each == found[0] for each in found), (board, to_ply)


def test_a_finished_start_and_a_last_ply_at_once() -> None:
    for question in (ask("2x3:2+gravity", "a b a"), ask("3x3+gravity", to_ply=0)):
        assert len({answer(question, engine=engine).plies for engine in ENGINES}) == 1


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
    monkeypatch.setattr(stacked, "_EVERY", 0.0)
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
    ("board", "positions"),
    [("4x6:4+gravity", 94_910_577), ("5x5:4+gravity", 69_763_700), ("6x7:4+gravity", 4_531_985_219_092)],
)
def test_an_estimate_is_near_the_published_number(board: str, positions: int) -> None:
    expected = sum(stacked.expected_layers(ask(board).position(), Board.parse(board).cells))
    assert positions / 2 < expected < 2 * positions


def test_connect_four_is_refused_with_its_cost() -> None:
    found = stacked.offer(Request(ask("connect4")), Limits())
    assert not isinstance(found, Refusal)
    assert found.estimate.memory > 10**12
    with pytest.raises(BudgetError, match="engine stacked, over the budget"):
        answer(ask("connect4"))


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
    found = stacked.offer(Request(question), Limits())
    assert isinstance(found, Refusal)
    assert re.search(why, found.reason)


def test_the_second_opinion_takes_boards_of_a_word() -> None:
    for spec in ("connect4", "7x8:4+gravity", "2x21:3+gravity"):
        question = ask(spec, to_ply=5)
        assert answer(question, engine="classes").plies == answer(question, engine="stacked").plies
    found = classes.offer(Request(ask("8x8:4+gravity")), Limits())
    assert isinstance(found, Refusal)
    assert "boards of up to 64 bits" in found.reason
    with pytest.raises(InvalidQuestion, match="'listed' is no longer an engine: name the engine classes"):
        answer(ask("connect4"), engine="listed")


def test_other_rules_and_ends_on_small_boards() -> None:
    """The move rules that need no fork, play to the decision and to the full board, by two engines."""
    for moves, end, same in product(("any", "win", "block", "perfect"), ("line", "decided", "full"), SAMENESSES):
        question = ask("3x3+gravity", moves=moves, end=end, same=same)  # type: ignore[arg-type]
        assert answer(question, engine="plain").plies == answer(question, engine="layered").plies, (moves, end, same)


def test_play_to_the_full_board_fills_columns_in_any_order() -> None:
    assert answer(ask("2x3:2+gravity", end="full")).totals.finished == 90  # 6! / 2!^3
    with pytest.raises(InvalidPosition, match="cannot arise in play"):
        ask("3x3+gravity", "XX./.../...", end="full")


def test_who_starts_under_gravity() -> None:
    x, o = (answer(ask("3x3+gravity", starts=who)).totals for who in ("X", "O"))
    assert (x.x_wins, x.o_wins, x.positions) == (o.o_wins, o.x_wins, o.positions)
    with pytest.raises(InvalidQuestion, match="the order of marks matters, so either player cannot start"):
        ask("3x3+gravity", starts="either")


def test_a_run_reports_progress_in_order() -> None:
    said: list[tuple[int, int]] = []
    found = stacked.offer(Request(ask("4x4:4+gravity")), Limits())
    assert not isinstance(found, Refusal)
    found.count(Run(progress=lambda done, whole, what: said.append((done, whole))))
    assert said == [*sorted(said[:-1]), (1, 1)]


def test_the_words_about_falling_marks_are_true() -> None:
    """Nothing says that marks go to any blank cell; a win or a block that a mark cannot reach is none."""
    for end, same in product(("line", "decided", "full"), SAMENESSES):
        found = count("2x3:2+gravity", same=same, end=end)  # type: ignore[arg-type]
        text = "\n".join(line for part in (*derivation(found), *sums(found)) for line in (part.heading, *part.lines))
        assert "blank cells" not in text
        assert "orders of" not in text
        assert "every way to fill" not in how_we_know(found, None)
    steps = derivation(count("2x3:2+gravity"))
    assert [step.heading for step in steps[1:4]] == [
        "Ply 1: 1 open; 1 x 3 moves = 3 paths.",
        "Ply 2: 3 open; 3 x 3 moves = 9 paths.",
        "Ply 3: 9 open; 3 x 2 moves + 6 x 3 moves = 24 paths.",
    ]


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


def test_a_refusal_gives_the_reasons_of_engines_for_such_rules_alone() -> None:
    with pytest.raises(BudgetError, match="stacked counts free moves") as caught:
        answer(ask("5x5:4+gravity", moves="block"))
    assert "on any blank cell" not in str(caught.value)
