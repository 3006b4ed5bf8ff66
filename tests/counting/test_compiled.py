from __future__ import annotations

import random
from itertools import combinations_with_replacement
from math import comb, factorial, perm
from pathlib import Path

import pytest

from noughts.counting.census import Census
from noughts.counting.layers.checkpoint import Checkpoint
from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.question import SAMENESSES, Question
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError
from noughts.domain.frozen import FrozenDict
from noughts.domain.notation import parse_position
from noughts.domain.playtable import PlayTable
from noughts.kernels.layers.advance import limbs_for
from noughts.kernels.layers.terms import LIMB_BITS
from noughts.machine.workers import Threads
from tests.counting.comparing import counted, estimated, refusal


def totals(question: Question) -> tuple[int | None, ...]:
    census = Census(question, "layered", compiled_rows(question)).check().totals
    return census.positions, census.terminal_positions, census.finished, census.x_wins, census.o_wins, census.draws


def test_four_by_four() -> None:
    """OEIS A061526 to A061529, and A317575, A317576 row 4."""
    board = Board.parse("4x4")
    games = (15038733958272, 3225291101568, 3106180802304, 8707262054400)
    assert totals(Question(board))[2:] == games
    rows = compiled_rows(Question(board, "choices"))
    classes = [1, 3, 33, 219, 1413, 5514, 20122, 50215, 112379, 179510, 245690, 245690, 193318, 110452, 41870]
    assert [row.positions for row in rows] == [*classes, 10489, 1059]
    terminal = [280, 642, 4942, 6770, 20286, 16042, 20998, 7970, 3774, 1059]
    assert [row.terminal_positions for row in rows[7:]] == terminal


def test_four_by_four_with_perfect_players() -> None:
    """OEIS A061530: every move of both players keeps the draw."""
    board = Board.parse("4x4")
    assert totals(Question(board, "labelled", "perfect", "perfect"))[2:] == (3848888994048, 0, 0, 3848888994048)


def test_one_thread_or_two() -> None:
    start = parse_position(Board.parse("4x4"), "X.../.O../..../....")
    for same in SAMENESSES:
        for end in ("line", "full"):
            question = Question(start.board, same, "win", "block", end, start=start, to_ply=9)
            assert compiled_rows(question) == compiled_rows(question, workers=Threads(2))


def columns_board(columns: int) -> Board:
    """Three rows without lines, the columns as alike as can be: few classes, and yet as many paths as ever."""
    swap, turn = list(range(3 * columns)), []
    for row in range(3):
        first = row * columns
        swap[first], swap[first + 1] = first + 1, first
        turn += [first + (column + 1) % columns for column in range(columns)]
    return Board.from_lines(3 * columns, [], symmetries=[tuple(swap), tuple(turn)])


def test_paths_beyond_one_word() -> None:
    """21 cells: 21! paths do not fit into the 63 bits of a word, and each is counted."""
    board = columns_board(7)
    assert board.group().order == factorial(7)
    assert limbs_for(factorial(21), LIMB_BITS) == 2
    rows = compiled_rows(Question(board, "symmetry"))
    labelled = compiled_rows(Question(board, "labelled"))
    assert [row.paths for row in labelled] == [perm(21, ply) for ply in range(22)]
    assert labelled[-1].draws == factorial(21) > 1 << LIMB_BITS
    assert rows[-1].draws == factorial(21) // factorial(7)
    columns = combinations_with_replacement(range(8), 7)
    assert rows[-1].positions == sum(sum(column.bit_count() for column in some) == 11 for some in columns)
    assert labelled[-1].positions == comb(21, 11)


def test_a_walk_is_taken_up_where_it_was_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("3x4:3")
    question = Question(board, "symmetry", start=parse_position(board, "X.../..../...."))
    expected = compiled_rows(question)
    folder = tmp_path / "state"
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))

    def interrupt(done: int, whole: int, what: str) -> None:
        if what.endswith("ply 7"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compiled_rows(question, progress=interrupt, resume=folder)
    (kept,) = folder.iterdir()
    later: list[str] = []
    assert compiled_rows(question, progress=lambda *now: later.append(now[2]), resume=folder) == expected
    assert later[0] == "games of ply 7"
    assert later[-1] == "done"
    assert not kept.exists()
    again: list[str] = []
    assert compiled_rows(question, progress=lambda *now: again.append(now[2]), resume=folder) == expected
    assert again == ["done"]
    other = compiled_rows(Question(board), resume=folder)
    assert other == compiled_rows(Question(board))


def test_a_damaged_state_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nonsense, a missing end, any changed bit (the header of an array too), a state kept for something else."""
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))

    def stopped(question: Question, folder: Path) -> Path:
        def interrupt(done: int, whole: int, what: str) -> None:
            if what.endswith("ply 5"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            compiled_rows(question, progress=interrupt, resume=folder)
        (kept,) = folder.iterdir()
        return kept

    question, dice = Question(Board.parse("3x3"), "choices"), random.Random(5)
    kept = stopped(question, tmp_path / "one")
    other = stopped(Question(Board.parse("3x3+misere"), "choices"), tmp_path / "other").read_bytes()
    whole = kept.read_bytes()
    flipped = [bytearray(whole) for _ in range(60)]
    places = [*range(90, 120), *(dice.randrange(len(whole)) for _ in range(30))]
    for bad, place in zip(flipped, places, strict=True):
        bad[place] ^= 1 << dice.randrange(8)
    damaged = [b"", b"nonsense", b"PK\x03\x04broken", whole[:-1], whole[: len(whole) // 2], other, *map(bytes, flipped)]
    for content in damaged:
        kept.write_bytes(content)
        with pytest.raises(CheckError, match="damaged"):
            compiled_rows(question, resume=tmp_path / "one")
    kept.write_bytes(whole)
    assert compiled_rows(question, resume=tmp_path / "one") == compiled_rows(question)


def test_one_folder_keeps_apart_what_looks_alike(tmp_path: Path) -> None:
    """Boards of as many long lines, and players of one name who play otherwise: their short texts are the same."""
    plain = Board.parse("3x3")
    turned = [tuple((cell + 1) % 9 for cell in line) for line in plain.lines]
    boards = [Board.from_lines(9, [*plain.lines, *more], name="b" * 90) for more in ([(0, 1, 3)], turned[:1])]
    every = {(x, o): plain.full & ~(x | o) for x in range(512) for o in range(512) if not x & o}
    lowest = {marks: blank & -blank for marks, blank in every.items()}
    players = [PlayTable("bot.json", plain, FrozenDict(cells)) for cells in (every, lowest)]
    asked = [Question(board) for board in boards] + [Question(plain, x_plays=player) for player in players]
    assert len({repr(question) for question in asked}) == 2
    assert len({question.identity for question in asked}) == 4
    for question in asked:
        assert compiled_rows(question, resume=tmp_path) == compiled_rows(question)


def test_a_result_kept_for_something_else_is_refused(tmp_path: Path) -> None:
    plain, misere = Question(Board.parse("3x3"), "choices"), Question(Board.parse("3x3+misere"), "choices")
    for name, question in (("plain", plain), ("misere", misere)):
        compiled_rows(question, resume=tmp_path / name)
    (one,), (other,) = ((tmp_path / name).iterdir() for name in ("plain", "misere"))
    for content in (other.read_bytes(), b"[" * 100_000):
        one.write_bytes(content)
        with pytest.raises(CheckError, match="damaged"):
            compiled_rows(plain, resume=tmp_path / "plain")


def test_estimates_grow_with_the_question() -> None:
    four, five = Board.parse("4x4"), Board.parse("5x5:4")
    assert estimated("layered", Question(five, "choices")).memory > 10**11
    plain_play, ahead = estimated("layered", Question(four)), estimated("layered", Question(four, end="decided"))
    assert plain_play.memory < ahead.memory < 10**9
    assert estimated("layered", Question(five, "choices", to_ply=4)).memory < 10**9


def test_what_is_small_is_so_under_the_group_that_plain_python_uses() -> None:
    """The lines alone have 5,760 symmetries, so few classes; a board given by its lines has none but the identity."""
    lines = [(0, 1, 2, 3), (4, 5, 6, 7, 8)]
    few, many = Board.from_lines(11, lines), Board.from_lines(13, lines)
    assert not estimated("layered", Question(few)).seconds > 60
    for board in (few, many):
        question = Question(board, to_ply=5)
        assert counted("layered", question).plies == compiled_rows(question)


def test_refusals() -> None:
    assert refusal("layered", Question(Board.parse("8x8"))) is None
    assert "64 cells" in str(refusal("layered", Question(Board.parse("8x9"))))
    empty = Board.parse("4x4:5")
    with pytest.raises(BudgetError, match="--symmetry board"):
        estimated("layered", Question(empty, "choices", symmetry="lines"))
    assert estimated("layered", Question(empty, symmetry="lines")).memory < 10**9
