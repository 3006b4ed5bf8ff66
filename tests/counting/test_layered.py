"""The engine `layered`: what it builds, says that it takes, tells of how far it is, and how wide its words are."""

from __future__ import annotations

from math import comb, perm
from typing import Any

import pytest

from noughts.counting.layers import walk
from noughts.counting.layers.bounds import keeping_group, layer_bounds, needs_values
from noughts.counting.layers.classsums import graph_of, move_counts
from noughts.counting.layers.compiled import compiled_rows
from noughts.counting.layers.meter import Meter
from noughts.counting.layers.valued import unfinished_by_value
from noughts.counting.offers import CountingOffer, Request, Run
from noughts.counting.question import Question
from noughts.domain.board import Board
from noughts.domain.errors import BudgetError
from noughts.domain.notation import parse_position
from noughts.kernels.layers.advance import limbs_for
from noughts.machine.budget import Limits
from tests import naive
from tests.counting.comparing import counted, estimated, offered

THREE = Board.parse("3x3")
AFTER_CORNER = parse_position(THREE, "a1")


def asked(board: str | Board = THREE, same: Any = "labelled", **parts: Any) -> Question:
    return Question(Board.parse(board) if isinstance(board, str) else board, same, **parts)


@pytest.mark.parametrize(
    ("question", "layers"),
    [
        (asked(to_ply=3), 4),
        (asked(to_ply=3, same="choices", x_moves="block"), 4),
        (asked(to_ply=3, o_moves="perfect"), 10),
        (asked(to_ply=3, x_moves="quickest"), 10),
        (asked(to_ply=3, end="decided"), 10),
        (asked(start=AFTER_CORNER, to_ply=3), 3),
        (asked(start=AFTER_CORNER, to_ply=3, end="decided"), 9),
    ],
)
def test_no_more_of_the_class_graph_is_built_than_is_looked_at(question: Question, layers: int) -> None:
    """Rules that look at values look to the end."""
    for whole in (False, True):
        assert len(graph_of(question, whole_group=whole).layers) == layers


def test_questions_share_a_class_graph() -> None:
    """Labelled ones go by the isometries, whatever the symmetries; from the empty board all of a group keeps it."""
    torus = Board.parse("3x3+torus")
    whole = graph_of(asked(torus, "choices"), whole_group=True)
    for question in (asked(torus), asked(torus, symmetry="lines"), asked(torus, "symmetry", x_moves="win")):
        assert graph_of(question) is whole
    orders = {
        (same, symmetry, whole): graph_of(
            asked(torus, same, symmetry=symmetry, start=parse_position(torus, "a1")), whole_group=whole
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
    assert graph_of(asked(end="full")) is not graph_of(asked())


def test_the_group_that_keeps_a_start_is_of_the_lines_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labelled counts take all that keep the lines, of few enough; else the isometries."""
    torus, unlined = Board.parse("3x3+torus"), Board.parse("4x4:5")
    assert keeping_group(asked(torus)).order == 432
    assert keeping_group(asked(torus, start=parse_position(torus, "a1"))).order == 48
    assert keeping_group(asked(torus, "symmetry")).order == 72
    assert keeping_group(asked(torus, "choices", symmetry="lines")).order == 432
    assert keeping_group(asked(unlined)).order == 8
    for limit, order in ((432, 432), (431, 72)):
        monkeypatch.setattr("noughts.counting.layers.bounds.ELEMENT_LIMIT", limit)
        assert keeping_group(asked(torus)).order == order


def placed(cells: int, last: int | None = None, before: int = 0) -> list[int]:
    """The ways to place the marks of each ply beside as many of X as of O that are there before."""
    left = cells - before
    return [comb(left, t) * comb(t, t // 2) for t in range((left if last is None else last - before) + 1)]


def classes(order: int, ways: list[int]) -> list[int]:
    return [-(-many // order) for many in ways]


BASE, CLASS, IMAGE = 200_000_000, 2e-7, 1e-9


@pytest.mark.parametrize(
    ("question", "layers", "words", "ahead", "images"),
    [
        (asked("4x4", "choices"), classes(8, placed(16)), 1, 1, 0),
        (asked("4x4", "choices", symmetry="lines"), classes(32, placed(16)), 1, 1, 0),
        (asked("4x4", "choices", end="full"), classes(8, placed(16)), 2, 1, 0),
        (asked("4x4", "choices", end="decided"), classes(8, placed(16)), 1, 2, 0),
        (asked("4x4", "choices", o_moves="quickest", to_ply=3), classes(8, placed(16)), 1, 2, 0),
        (asked("4x5:4"), classes(4, placed(20)), 1, 1, 0),
        (asked("5x5:4", "symmetry"), classes(8, placed(25)), 2, 1, 0),
        (asked("5x5:4", "symmetry", end="full", to_ply=12), classes(8, placed(25, 12)), 2, 1, 0),
        (asked("2x13:3", "symmetry", to_ply=9), classes(4, placed(26, 9)), 1, 1, 0),
        (asked("3x9:3", to_ply=9), classes(4, placed(27, 9)), 1, 1, 4 * 4),
        (asked("3x3x3", "choices", to_ply=9), classes(48, placed(27, 9)), 1, 1, 48 * 4),
        (asked("4x9:3", "symmetry", to_ply=13), classes(4, placed(36, 13)), 2, 1, 4 * 5),
    ],
)  # fmt: skip
def test_what_compiled_layers_take(question: Question, layers: list[int], words: int, ahead: int, images: int) -> None:
    """24 bytes for each class and 8 more a word, thrice; 26 for each where all are kept; images beyond 26 cells."""
    cost = estimated("layered", question)
    assert cost.memory == BASE + 3 * (16 + 8 * words) * max(layers) + (26 * sum(layers) if ahead == 2 else 0)
    assert cost.seconds == pytest.approx(1 + sum(layers) * (CLASS * ahead + IMAGE * images))
    assert cost.detail == f"at most {sum(layers):,} position classes"


def test_what_plain_python_takes_and_where_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """800 bytes and 60 microseconds a class, as far as few enough are listed."""
    found = classes(8, placed(9))
    cost = estimated("layered", asked())
    assert cost.memory == 800 * sum(found)
    assert cost.seconds == pytest.approx(6e-5 * sum(found))
    question = asked("3x4:3", "symmetry", start=parse_position(Board.parse("3x4:3"), "b2 b3"))
    ways = sum(placed(12, before=2))
    for limit, compiled in ((ways, False), (ways - 1, True)):
        monkeypatch.setattr("noughts.counting.layers.engine.QUICK_CLASSES", limit)
        cost = estimated("layered", question)
        assert (cost.memory > BASE) == compiled
        offer = offered("layered", question)
        assert isinstance(offer, CountingOffer)
        with monkeypatch.context() as patch:
            patch.setattr("noughts.counting.layers.compiled.compiled_rows", lambda *a, **k: "compiled")
            patch.setattr("noughts.counting.layers.classsums.class_rows", lambda *a, **k: "plain")
            assert offer.rows(Run()) == ("compiled" if compiled else "plain")  # type: ignore[comparison-overlap]


def test_offers_that_just_fit() -> None:
    request = Request(asked())
    cost = estimated("layered", request.question)
    assert isinstance(offered("layered", request.question, Limits(cost.memory, cost.seconds)), CountingOffer)
    for limits in (Limits(cost.memory - 1), Limits(seconds=cost.seconds * 0.99)):
        assert not isinstance(offered("layered", request.question, limits), CountingOffer)


@pytest.mark.parametrize(
    ("question", "passes"),
    [
        (asked(same="choices"), 1),
        (asked(), 1),
        (asked(same="symmetry"), 1),
        (asked(same="symmetry", start=parse_position(THREE, "b2")), 1),
        (asked(same="symmetry", start=AFTER_CORNER), 2),
        (asked(same="choices", start=AFTER_CORNER), 1),
        (asked(start=AFTER_CORNER), 1),
        (asked(end="decided"), 3),
        (asked(same="symmetry", start=AFTER_CORNER, x_moves="perfect", to_ply=5), 6),
    ],
)
def test_work_is_told_by_the_bounds_on_layers_as_often_as_they_are_walked(question: Question, passes: int) -> None:
    """Two walks where games and positions go by different groups; thrice where values are looked for before."""
    told: list[tuple[int, int, str]] = []
    rows = compiled_rows(question, progress=lambda *now: told.append(now))
    assert rows == counted("layered", question).plies
    whole = passes * sum(layer_bounds(question, to_end=needs_values(question)))
    assert {each[1] for each in told} == {whole}
    done = [each[0] for each in told]
    assert done == sorted(done)
    assert told[-1] == (whole, whole, "done")
    assert all(each < whole for each in done[:-1])
    plies = [each[2] for each in told if each[2].startswith("games")]
    wanted = [f"games of ply {row.ply}" for row in rows[:-1]] * (passes // (3 if needs_values(question) else 1))
    assert list(dict.fromkeys(plies)) == list(dict.fromkeys(wanted))
    assert plies.count(wanted[0]) >= wanted.count(wanted[0])


def test_a_meter_moves_by_shares_of_the_bounds() -> None:
    told: list[tuple[int, int, str]] = []
    meter = Meter(lambda *now: told.append(now), 3, [10, 30, 60], 2)
    for what, ply, size, counts in (("games", 3, 5, (1, 4)), ("values", 5, 3, (1, 1, 1)), ("games", 4, 7, (7,))):
        tick = meter.begin(what, ply, size)
        for count in counts:
            tick(count)
    meter.begin("games", 5, 1)(1)
    meter.begin("games", 4, 1)(1)
    meter.begin("games", 3, 1)(1)
    meter.finish()
    assert told == [
        (2, 200, "games of ply 3"),
        (10, 200, "games of ply 3"),
        (30, 200, "values of ply 5"),
        (50, 200, "values of ply 5"),
        (70, 200, "values of ply 5"),
        (100, 200, "games of ply 4"),
        (160, 200, "games of ply 5"),
        (190, 200, "games of ply 4"),
        (199, 200, "games of ply 3"),
        (200, 200, "done"),
    ]
    silent = Meter(None, 0, [1], 1)
    silent.begin("games", 0, 1)(1)
    silent.finish()


def alike(cells: int) -> Board:
    """A board without lines whose cells may change places at will: one class a ply, which every path leads to."""
    return Board.from_lines(cells, [], symmetries=[(1, 0, *range(2, cells)), (*range(1, cells), 0)])


@pytest.mark.parametrize("bits", [1, 2, 3, 5, 8, 13, 63])
def test_words_of_any_width_hold_the_weights(bits: int) -> None:
    """Under all permutations a class has all paths for its weight: the bound is met, and no word is too many."""
    rows = compiled_rows(asked(alike(6), "symmetry"), limb_bits=bits)
    assert [row.paths for row in rows] == [1] * 7
    rows = compiled_rows(asked(alike(6)), limb_bits=bits)
    assert [row.paths for row in rows] == [perm(6, ply) for ply in range(7)]
    for question in (asked(start=AFTER_CORNER), asked("2x4:3", end="full")):
        assert compiled_rows(question, limb_bits=bits) == counted("layered", question).plies


def test_words_are_as_many_as_the_paths_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the start on: the open paths so far, times the moves that each may go on with."""
    seen: list[int] = []

    def noted(total: int, bits: int) -> int:
        seen.append(total)
        return limbs_for(total, bits)

    monkeypatch.setattr(walk, "limbs_for", noted)
    rows = compiled_rows(asked())
    still_open = [(row.paths or 0) - (row.finished or 0) for row in rows]
    assert seen == [still_open[ply] * (9 - ply) for ply in range(9)]
    seen.clear()
    compiled_rows(asked(same="choices", start=AFTER_CORNER, to_ply=3))
    assert seen == [8, 5 * 7]


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
    cost = estimated("layered", asked("2x4:3", "choices", x_moves="perfect", o_moves="perfect"))
    found = unfinished_by_value(Board.parse("2x4:3"), Limits(cost.memory, cost.seconds))
    assert found[0] == (0, 1, 0)
    for limits in (Limits(cost.memory - 1), Limits(seconds=cost.seconds * 0.99)):
        with pytest.raises(BudgetError, match="the classes of 2x4:3 by value are beyond the budget: about"):
            unfinished_by_value(Board.parse("2x4:3"), limits)
    with pytest.raises(BudgetError, match="classes are listed on boards of up to 64 cells, 5x13:5 has 65"):
        unfinished_by_value(Board.parse("5x13:5"), Limits())
    with pytest.raises(BudgetError, match="beyond the budget"):
        unfinished_by_value(Board.parse("8x8:5"), Limits(10**9))


def test_moves_are_counted_where_classes_are_few_enough() -> None:
    """By all positions with right marks, over the symmetries; not up to symmetry, and not played to `full`."""
    bound = sum(placed(9)) // 8
    for question in (asked(), asked(same="choices")):
        assert move_counts(question, bound) is not None
        assert move_counts(question, bound - 1) is None
    assert move_counts(asked(same="symmetry")) is None
    assert move_counts(asked(end="full")) is None
    choices = move_counts(asked(same="choices", start=AFTER_CORNER, to_ply=3))
    assert choices == {1: {5: 1}, 2: {7: 3, 4: 2}}
    assert move_counts(asked(start=AFTER_CORNER, to_ply=3)) == {1: {8: 1}, 2: {7: 8}}
