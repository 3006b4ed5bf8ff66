"""The engine `layered`: its graphs, estimates, progress, saved states, and the width of its words."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from math import comb, factorial, perm
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noughts.counting.census import Census
from noughts.counting.class_sums import class_rows, graph_of, move_counts
from noughts.counting.engines import ENGINES
from noughts.counting.layered.engine import unfinished_by_value
from noughts.counting.layered.walk import Checkpoint, compiled_rows
from noughts.counting.offers import CountingOffer, Run
from noughts.counting.question import SAMENESSES, Question, keeping_group
from noughts.kernels.layers.advance import NO_CHILDREN, limbs_for, start_layer
from noughts.kernels.layers.tables import (
    LEAD_TABLE_CELLS,
    LIMB_BITS,
    O_WINS,
    X_WINS,
    RuleTerms,
    make_geometry,
    prepare_leads,
)
from noughts.machine.budget import Limits
from noughts.machine.workers import SERIAL, Threads, Workers
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from noughts.rules.play import END_RULES, MOVE_RULES
from noughts.rules.position import Position, parse_position
from noughts.solving import layers as forward
from noughts.solving.layers import expand_layer, joined, merge_chunks
from tests import naive
from tests.counting.comparing import estimated, offered, refusal
from tests.workers import Pickled

THREE = Board.parse("3x3")
AFTER_CORNER = parse_position(THREE, "a1")


def question_on(board: str | Board = THREE, same: Any = "labelled", **parts: Any) -> Question:
    return Question(Board.parse(board) if isinstance(board, str) else board, same, **parts)


@pytest.mark.parametrize(
    ("question", "layers"),
    [
        (question_on(to_ply=3), 4),
        (question_on(to_ply=3, same="choices", x_moves="block"), 4),
        (question_on(to_ply=3, o_moves="perfect"), 10),
        (question_on(to_ply=3, x_moves="quickest"), 10),
        (question_on(to_ply=3, end="decided"), 10),
        (question_on(start=AFTER_CORNER, to_ply=3), 3),
        (question_on(start=AFTER_CORNER, to_ply=3, end="decided"), 9),
    ],
)
def test_no_more_of_the_class_graph_is_built_than_is_looked_at(question: Question, layers: int) -> None:
    """Rules that look at values look to the end."""
    for whole in (False, True):
        assert len(graph_of(question, whole_group=whole).layers) == layers


def test_questions_share_a_class_graph() -> None:
    """Labelled questions use the isometries, for any symmetry group; the whole group keeps the empty board."""
    torus = Board.parse("3x3+torus")
    whole = graph_of(question_on(torus, "choices"), whole_group=True)
    for question in (
        question_on(torus),
        question_on(torus, symmetry="lines"),
        question_on(torus, "symmetry", x_moves="win"),
    ):
        assert graph_of(question) is whole
    orders = {
        (same, symmetry, whole): graph_of(
            question_on(torus, same, symmetry=symmetry, start=parse_position(torus, "a1")), whole_group=whole
        ).game.group.order
        for same in ("labelled", "symmetry")
        for symmetry in ("board", "lines")
        for whole in (True, False)
    }
    assert orders == {
        ("labelled", "board", True): 72, ("labelled", "board", False): 8,
        ("labelled", "lines", True): 72, ("labelled", "lines", False): 8,
        ("symmetry", "board", True): 72, ("symmetry", "board", False): 8,
        ("symmetry", "lines", True): 432, ("symmetry", "lines", False): 48,
    }  # fmt: skip
    assert graph_of(question_on(end="full")) is not graph_of(question_on())


def test_the_group_that_keeps_a_start_is_of_the_lines_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labelled counts use all permutations that keep the lines, if they are few enough; else the isometries."""
    torus, unlined = Board.parse("3x3+torus"), Board.parse("4x4:5")
    assert keeping_group(question_on(torus)).order == 432
    assert keeping_group(question_on(torus, start=parse_position(torus, "a1"))).order == 48
    assert keeping_group(question_on(torus, "symmetry")).order == 72
    assert keeping_group(question_on(torus, "choices", symmetry="lines")).order == 432
    assert keeping_group(question_on(unlined)).order == 8
    for limit, order in ((432, 432), (431, 72)):
        monkeypatch.setattr("noughts.counting.question.ELEMENT_LIMIT", limit)
        assert keeping_group(question_on(torus)).order == order


def placed(cells: int, last: int | None = None, before: int = 0) -> list[int]:
    """The ways to place the marks of each ply beside as many of X as of O that are there before."""
    left = cells - before
    return [comb(left, t) * comb(t, t // 2) for t in range((left if last is None else last - before) + 1)]


OTHER = {"X": 2, "draw": 1, "O": 0}


@pytest.mark.parametrize("spec", ["2x4:3", "2x3:2+misere", "1x7:3"])
def test_unfinished_classes_by_value(spec: str) -> None:
    """Against a search through all positions."""
    board = Board.parse(spec)
    assert board.shape is not None
    rows, columns, _ = board.shape
    game = naive.grid(rows, columns, board.k or 0, misere=board.misere)
    group = naive.isometries(rows, columns)

    def value(position: str) -> int:
        outcome = naive.line_outcome(game, position)
        if outcome:
            return OTHER[outcome]
        best = max if naive.mover(position) == "X" else min
        return best(value(naive.play(position, cell)) for cell in naive.blanks(position))

    layer, wanted = {"." * board.cells}, {}
    while layer := {position for position in layer if not naive.line_outcome(game, position)}:
        values = [value(position) for position in {naive.position_class(each, group) for each in layer}]
        wanted[board.cells - next(iter(layer)).count(".")] = tuple(values.count(each) for each in range(3))
        layer = {naive.play(position, cell) for position in layer for cell in naive.blanks(position)}
        layer = {naive.position_class(position, group) for position in layer}
    assert unfinished_by_value(board, Limits()) == wanted


def test_classes_by_value_are_refused_where_they_are_too_many() -> None:
    """What it takes is what counting perfect play takes, to the end."""
    cost = estimated("layered", question_on("2x4:3", "choices", x_moves="perfect", o_moves="perfect"))
    found = unfinished_by_value(Board.parse("2x4:3"), Limits(cost.memory, cost.seconds))
    assert found[0] == (0, 1, 0)
    for limits in (Limits(cost.memory - 1), Limits(seconds=cost.seconds * 0.99)):
        with pytest.raises(BudgetError, match="the classes of 2x4:3 by value exceed the budget: about"):
            unfinished_by_value(Board.parse("2x4:3"), limits)
    with pytest.raises(BudgetError, match="classes are listed on boards of up to 64 cells, but 5x13:5 has 65"):
        unfinished_by_value(Board.parse("5x13:5"), Limits())
    with pytest.raises(BudgetError, match="exceed the budget"):
        unfinished_by_value(Board.parse("8x8:5"), Limits(10**9))


def test_moves_are_counted_where_classes_are_few_enough() -> None:
    """By all positions with right marks, over the symmetries; not up to symmetry, and not played to `full`."""
    bound = sum(placed(9)) // 8
    for question in (question_on(), question_on(same="choices")):
        assert move_counts(question, bound) is not None
        assert move_counts(question, bound - 1) is None
    assert move_counts(question_on(same="symmetry")) is None
    assert move_counts(question_on(end="full")) is None
    choices = move_counts(question_on(same="choices", start=AFTER_CORNER, to_ply=3))
    assert choices == {1: {5: 1}, 2: {7: 3, 4: 2}}
    assert move_counts(question_on(start=AFTER_CORNER, to_ply=3)) == {1: {8: 1}, 2: {7: 8}}


def totals(question: Question) -> tuple[int | None, ...]:
    census = Census(question, "layered", compiled_rows(question)).check().totals
    return census.positions, census.terminal, census.finished, census.x_wins, census.o_wins, census.draws


def test_four_by_four() -> None:
    """OEIS A061526 to A061530, and A317575, A317576 row 4: every move of perfect players keeps the draw."""
    board = Board.parse("4x4")
    games = (15038733958272, 3225291101568, 3106180802304, 8707262054400)
    assert totals(Question(board))[2:] == games
    rows = compiled_rows(Question(board, "choices"))
    classes = [1, 3, 33, 219, 1413, 5514, 20122, 50215, 112379, 179510, 245690, 245690, 193318, 110452, 41870]
    assert [row.positions for row in rows] == [*classes, 10489, 1059]
    perfect = compiled_rows(Question(board, "labelled", "perfect", "perfect"))
    assert sum(row.draws or 0 for row in perfect) == sum(row.finished or 0 for row in perfect) == 3848888994048
    terminal = [280, 642, 4942, 6770, 20286, 16042, 20998, 7970, 3774, 1059]
    assert [row.terminal for row in rows[7:]] == terminal


def columns_board(columns: int) -> Board:
    """Three rows without lines, the columns as alike as can be: few classes, and yet as many paths as ever."""
    swap, turn = list(range(3 * columns)), []
    for row in range(3):
        first = row * columns
        swap[first], swap[first + 1] = first + 1, first
        turn += [first + (column + 1) % columns for column in range(columns)]
    return Board.from_lines(3 * columns, [], symmetries=[tuple(swap), tuple(turn)])


@pytest.mark.slow
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
    (saved,) = folder.iterdir()
    later: list[str] = []
    assert compiled_rows(question, progress=lambda *now: later.append(now[2]), resume=folder) == expected
    assert later[0] == "games of ply 7"
    assert later[-1] == "done"
    assert not saved.exists()
    again: list[str] = []
    assert compiled_rows(question, progress=lambda *now: again.append(now[2]), resume=folder) == expected
    assert again == ["done"]
    other = compiled_rows(Question(board), resume=folder)
    assert other == compiled_rows(Question(board))


def test_a_damaged_state_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nonsense, a missing end, a state saved for another question; single bits: tests/robust/test_damage.py."""
    monkeypatch.setattr(Checkpoint.__init__, "__defaults__", (0.0,))

    def stopped(question: Question, folder: Path) -> Path:
        def interrupt(done: int, whole: int, what: str) -> None:
            if what.endswith("ply 5"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            compiled_rows(question, progress=interrupt, resume=folder)
        (saved,) = folder.iterdir()
        return saved

    question = Question(Board.parse("3x3"), "choices")
    saved = stopped(question, tmp_path / "one")
    other = stopped(Question(Board.parse("3x3+misere"), "choices"), tmp_path / "other").read_bytes()
    whole = saved.read_bytes()
    for content in (b"", b"nonsense", b"PK\x03\x04broken", whole[:-1], whole[: len(whole) // 2], other):
        saved.write_bytes(content)
        with pytest.raises(CheckError, match="damaged"):
            compiled_rows(question, resume=tmp_path / "one")
    saved.write_bytes(whole)
    assert compiled_rows(question, resume=tmp_path / "one") == compiled_rows(question)


def test_refusals() -> None:
    assert refusal("layered", Question(Board.parse("8x8"))) is None
    assert "64 cells" in str(refusal("layered", Question(Board.parse("8x9"))))
    empty = Board.parse("4x4:5")
    with pytest.raises(BudgetError, match="--symmetry board"):
        estimated("layered", Question(empty, "choices", symmetry="lines"))
    assert estimated("layered", Question(empty, symmetry="lines")).memory < 10**9


# Boards beyond the lead table and up to the last bit of a word, against sums over the class graph in plain Python.


@pytest.mark.parametrize(("spec", "to_ply"), [("3x9:2", 3), ("9x3:3", 3), ("8x8:8", 2), ("3x3x3", 3), ("1x64:2", 2)])
def test_first_plies_of_wide_boards(spec: str, to_ply: int) -> None:
    board = Board.parse(spec)
    assert board.cells > LEAD_TABLE_CELLS
    for same in SAMENESSES:
        for end in ("line", "full"):
            question = Question(board, same, "win", "block", end, to_ply=to_ply)
            assert compiled_rows(question) == class_rows(question), question


def nearly_full(board: Board, blanks: int, rng: random.Random) -> Position:
    """A position without a line that random play has led to, with so many cells left."""
    while True:
        start = Position(board)
        while not start.is_terminal and board.cells - start.ply > blanks:
            start = start.play(rng.choice([cell for cell in range(board.cells) if start.blanks >> cell & 1]))
        if not start.is_terminal:
            return start


@pytest.mark.parametrize("spec", ["3x9:4", "7x7:6", "8x8:6", "2x4x4:4", "6x5:5+torus", "8x8:7+misere"])
def test_endgames_of_wide_boards(spec: str) -> None:
    """To the end, where values and settled outcomes are needed; cell 64 is among the blank ones or the marks."""
    board = Board.parse(spec)
    rng = random.Random(spec)
    rules = board.rules.move_rules
    for end in END_RULES:
        for same in SAMENESSES:
            start = nearly_full(board, 6, rng)
            question = Question(board, same, rng.choice(rules), rng.choice(rules), end, start=start)
            assert compiled_rows(question) == class_rows(question), question


def test_counts_in_closed_form_on_64_cells() -> None:
    rows = compiled_rows(Question(Board.parse("8x8:5"), to_ply=4))
    for row in rows:
        x, o = (row.ply + 1) // 2, row.ply // 2
        assert row.paths == perm(64, row.ply)
        assert row.positions == comb(64, x) * comb(64 - x, o)


# The layers of position classes by any workers: the same rows, and the same arrays byte by byte.

OTHERS: list[Workers] = [Threads(2), Threads(3), Threads(7), Pickled()]


def nothing(count: int) -> None:
    assert count > 0


@pytest.fixture
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut layers into many slices and many parts, as large boards are."""
    monkeypatch.setattr(forward, "_SLICE", 30)
    monkeypatch.setattr(forward, "_PART", 50)


def layers(board: Board, limbs: int, workers: Workers) -> list[bytes]:
    """The arrays of all layers of a board, each as one."""
    geometry = make_geometry(board.cells, board.line_masks, board.group().elements)
    terms = RuleTerms(board.cells, 0, 0, 0, (X_WINS, O_WINS), True, 0, 0)
    layer, found = [start_layer(0, 0, [1] + [0] * (limbs - 1))], []
    for ply in range(board.cells - 1):
        prepare_leads(geometry, (ply + 2) // 2)
        play = terms.play(ply, limbs, emit=True)
        _, chunks = expand_layer(workers, geometry, play, layer, NO_CHILDREN, nothing)
        if not any(chunk.rows[0].size for chunk in chunks):
            break
        layer = merge_chunks(workers, board.cells, limbs, chunks)
        found.append(b"|".join(array.tobytes() for array in joined(layer)))
        leads = np.concatenate([part.leads for part in layer])
        assert (leads[1:] > leads[:-1]).all()
    return found


@pytest.mark.usefixtures("many_parts")
@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x2x2", "1x9:3"])
@pytest.mark.parametrize("limbs", [1, 2])
def test_layers_are_the_same_byte_by_byte(spec: str, limbs: int) -> None:
    board = Board.parse(spec)
    expected = layers(board, limbs, SERIAL)
    assert expected
    for workers in OTHERS:
        assert layers(board, limbs, workers) == expected


@pytest.mark.usefixtures("many_parts")
def test_rows_are_the_same() -> None:
    dice = random.Random(11)
    for spec in ("3x3", "3x3+misere", "2x5:3"):
        board = Board.parse(spec)
        for end in END_RULES:
            rules = ("any", "perfect", "quickest") if board.misere else MOVE_RULES
            question = Question(board, dice.choice(SAMENESSES), dice.choice(rules), dice.choice(rules), end)
            expected = compiled_rows(question)
            for workers in OTHERS:
                assert compiled_rows(question, workers=workers) == expected, question

    workers = Pickled()
    compiled_rows(Question(Board.parse("3x4:3"), "choices", "perfect", "perfect"), workers=workers)
    assert workers.items > 100


@pytest.mark.parametrize(
    "name", ["frontier", "frontier games", "points", "points games", "transfer", "transfer points"]
)
def test_sweeps_are_the_same_by_workers_that_share_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("frontier.sweep", "transfer.sweep"):
        monkeypatch.setattr(f"noughts.counting.{module}._WORTH_WORKERS", 1)
    for question in (Question(Board.parse("4x4:3"), "symmetry"), Question(Board.parse("3x7:3"))):
        offer = offered(name, question)
        assert isinstance(offer, CountingOffer)
        expected = offer.count()
        sharing_nothing = Pickled()
        for workers in (*OTHERS[:3], sharing_nothing):
            assert offer.count(Run(workers)) == expected
        assert sharing_nothing.items > (2 if "points" in name else 50)  # few batches of points are enough


@pytest.mark.parametrize("name", [row.name for row in ENGINES])
def test_every_engine_keeps_here_what_must_share_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a cluster: only the results of an item come back, not what it writes elsewhere."""
    monkeypatch.setattr("noughts.counting.frontier.batches._WORTH_SENDING", 0)
    for question in (Question(Board.parse("3x3")), Question(Board.parse("3x3"), "choices")):
        offer = offered(name, question)
        if isinstance(offer, CountingOffer):
            assert offer.count(Run(Pickled(here=Threads(2)))) == offer.count()
