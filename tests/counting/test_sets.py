"""Sums over sets of cells and of lines: lines at the ends of the tables, slices, laws, and what small costs hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from itertools import accumulate, combinations
from math import comb
from operator import and_
from pathlib import Path
from typing import Any

import pytest

from noughts.counting import inclusion, subset
from noughts.counting.census import COLUMNS, GAME_COLUMNS, POSITION_COLUMNS
from noughts.counting.inclusion import _sets_of_lines, is_square, square_free_sets, square_lines, square_terms
from noughts.counting.layered.engine import estimate, quiet_estimate
from noughts.counting.layered.walk import Checkpoint, State
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import Needed, Pattern, Tally
from noughts.counting.question import Question
from noughts.counting.subset import _check_games, _SubsetTables
from noughts.kernels.layers.advance import start_layer
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import SERIAL, workers_for
from noughts.rules.board import Board
from noughts.rules.errors import CheckError
from noughts.rules.position import Position, parse_position
from tests.counting.comparing import counted, differences, estimated, offered, refusal


@pytest.mark.parametrize("cells", [15, 16, 17])
def test_lines_of_one_cell_at_the_ends_count_as_by_sets_of_lines(cells: int) -> None:
    """From 16 cells on a table holds the sets without the last cell, then those with it."""
    for lines in ([(cells - 1,)], [(0,), (cells - 1, 1)], [(cells - 2, cells - 1), (cells - 2, 0)], []):
        question = Question(Board.from_lines(cells, lines))
        assert differences(counted("subset", question), counted("inclusion", question)) == []


def test_from_sixteen_cells_on_a_table_is_half_as_long() -> None:
    for cells, halves in ((15, 1), (16, 2), (17, 2)):
        tables = _SubsetTables(Pattern.of_lines(cells, []), SERIAL)
        assert (tables.halves, len(tables.values)) == (halves, (1 << cells) // halves)
        assert len(tables.low) == 1 << 15
        assert tables.high.tolist() == [mask.bit_count() for mask in range(1 << cells - 15)]


@pytest.mark.parametrize(
    ("name", "question", "steps"),
    [
        ("subset", Question(Board.parse("3x3")), [512] * 5),
        ("subset", Question(Board.parse("3x3"), to_ply=5), [512] * 3),
        ("subset", Question(Board.parse("1x2:1"), "symmetry"), [4, 4, 2, 2, 1]),
        ("inclusion", Question(Board.parse("3x3")), [1] * 10),
        ("inclusion", Question(Board.parse("3x3"), to_ply=5), [1] * 6),
        ("inclusion", Question(Board.parse("2x2"), start=parse_position(Board.parse("2x2"), "a1")), [1] * 4),
    ],
)
def test_work_is_told_set_by_set(name: str, question: Question, steps: list[int]) -> None:
    """After each number of marks, as much as there are sets; never all before the end."""
    told: list[tuple[int, int, str]] = []
    counted(name, question, progress=lambda *now: told.append(now))
    if name == "subset":
        assert told.pop() == (1, 1, "")
    done = list(accumulate(steps))
    what = {"subset": "sums over subsets", "inclusion": "sums over sets of lines"}[name]
    wholes = [max(done[-1], each + (name == "subset")) for each in done]
    assert told == [(each, whole, what) for each, whole in zip(done, wholes, strict=True)]


def test_small_tables_are_not_cut() -> None:
    for cells, parts in ((13, 1), (14, 8), (15, 8)):
        pattern = Pattern.of_lines(cells, [0b111])
        assert _SubsetTables(pattern, workers_for(2)).parts == parts
        assert _SubsetTables(pattern, SERIAL).parts == (4 if parts > 1 else 1)


def test_games_that_do_not_add_up_are_noticed() -> None:
    """On two cells of which either wins: two paths arrive, and both end."""
    pattern = Pattern.of_lines(2, [1, 2])
    tally = Tally((1, 0, 0), (0, 2, 0))
    _check_games(pattern, tally, [0, 2, 0])
    with pytest.raises(CheckError, match="at 1 marks 2 paths arrive, but 0 go on and 1 end"):
        _check_games(pattern, tally, [0, 1, 0])
    with pytest.raises(CheckError, match="at 0 marks 1 paths arrive, but 2 go on and 0 end"):
        _check_games(pattern, replace(tally, open=(2, 0, 0)), [0, 2, 0])


def test_games_are_added_up_where_cells_weigh_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to symmetry there are patterns whose cells weigh more: of these games are not counted so."""
    checked: list[Pattern] = []
    monkeypatch.setattr(subset, "_check_games", lambda pattern, tally, decisive: checked.append(pattern))
    counted("subset", Question(Board.parse("3x3"), "symmetry"))
    assert len({pattern.cells for pattern in checked}) > 1
    assert {max(pattern.weights) for pattern in checked} == {1}
    question = Question(Board.parse("3x3"), "symmetry")
    assert len(checked) == sum(set(pattern.weights) <= {1} for pattern in Needed(question).patterns())


def test_sums_over_subsets_leave_out_games_by_choices() -> None:
    """Where that is of use: positions alone, or both where a part will do."""
    asked = Question(Board.parse("3x3"), "choices")
    found = offered("subset", asked)
    assert isinstance(found, CountingOffer)
    assert found.missing == GAME_COLUMNS
    last = found.count().plies[9]
    assert (last.positions, last.terminal_draw, last.paths) == (15, 3, None)
    for wanted, limits in ((COLUMNS, Limits(whole=True)), (GAME_COLUMNS, Limits()), (("draws",), Limits())):
        refused = subset.offer(Request(asked, wanted), limits)
        assert isinstance(refused, Refusal)
        assert refused.reason == "the engine subset gives no games by choices"
    positions = subset.offer(Request(asked, POSITION_COLUMNS), Limits(whole=True))
    assert isinstance(positions, CountingOffer)
    assert positions.missing == ()
    ruled = subset.offer(Request(replace(asked, x_moves="win")), Limits(whole=True))
    assert isinstance(ruled, Refusal)
    assert "choices" not in ruled.reason


def test_few_lines_are_seven() -> None:
    def fan(lines: int) -> Question:
        return Question(Board.from_lines(9, [(0, cell + 1) for cell in range(lines)]))

    assert refusal("inclusion", fan(7)) is None
    assert "takes square boards with n in a row or up to 7 lines" in str(refusal("inclusion", fan(8)))
    three = Board.parse("3x3")
    assert refusal("inclusion", Question(three, "symmetry")) is None
    assert "no position classes" in str(refusal("inclusion", Question(three, "choices")))


@pytest.mark.parametrize(
    ("spec", "asked", "few"),
    [
        ("1x9:3", {}, True),  # seven lines
        ("2x8:5", {}, False),  # eight
        ("1x11:3", {}, False),  # nine
        ("3x3", {}, True),  # two for each side and two more
        ("5x5:4", {}, False),
        ("5x5:4", {"to_ply": 24}, True),  # up to a ply long lines may be out of reach
        ("5x5:4", {"to_ply": 25}, False),
        ("3x4:3", {}, False),
        ("3x4:3", {"start": "a1"}, True),
        ("1x20:10", {}, False),  # eleven lines of half the cells
        ("1x21:11", {}, True),  # eleven of more than either player marks
    ],
)
def test_the_number_of_lines_tells_before_patterns_are_made(
    spec: str, asked: dict[str, Any], few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Question] = []

    def needed(request: Request) -> Needed:
        made.append(request.question)
        return Needed(request.question)

    monkeypatch.setattr(Request, "needed", property(needed))
    board = Board.parse(spec)
    given: dict[str, Any] = asked | ({"start": parse_position(board, asked["start"])} if "start" in asked else {})
    question = Question(board, **given)
    inclusion.offer(Request(question), Limits())
    assert bool(made) == few


def test_only_a_board_as_it_is_goes_by_kinds_of_line() -> None:
    """Not one whose cells weigh more, nor one whose players have other lines."""
    three = Pattern.of_lines(9, Board.parse("3x3").line_masks)
    assert inclusion._is_square(three)
    assert not inclusion._is_square(replace(three, cells=tuple(3 << 2 * cell for cell in range(9))))
    assert not inclusion._is_square(replace(three, second=three.second[1:]))
    assert not inclusion._is_square(replace(three, first=three.first[1:]))
    assert not inclusion._is_square(Pattern.of_lines(9, Board.parse("3x3:2").line_masks))


def test_lines_given_by_their_cells_are_looked_at() -> None:
    """However many are given: of those that hold another only the shorter counts."""
    lines = [(0, 1), *((0, 1, cell) for cell in range(2, 11))]
    board = Board.from_lines(11, lines)
    found, other = (counted(name, Question(board)) for name in ("inclusion", "subset"))
    assert differences(found, other) == []


def all_but_one(lines: int, others: int) -> Question:
    """X has the last cell, which every line goes through, with all but one of the first: O can have none of them."""
    board = Board.from_lines(
        lines + others + 1, [tuple({*range(lines), lines + others} - {out}) for out in range(lines)]
    )
    return Question(board, start=Position(board, 1 << lines + others))


def test_lines_of_one_player_may_share_more_sets_than_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sets of lines but that of all share a set of cells of their own: 2^14 - 2 of fourteen, beyond the limit."""
    assert "takes square boards with n in a row or up to 7 lines" in str(refusal("inclusion", all_but_one(14, 16)))
    question = all_but_one(5, 5)
    for limit, taken in ((30, True), (29, False)):
        monkeypatch.setattr(inclusion, "SHARED_LIMIT", limit)
        assert (refusal("inclusion", question) is None) == taken
        if taken:
            assert differences(counted("inclusion", question), counted("subset", question)) == []


@pytest.mark.parametrize(
    ("question", "largest", "steps", "memory"),
    [
        (Question(Board.parse("3x3")), 512, 512 * 15 * 6, 512 * 5),
        (Question(Board.parse("4x4"), to_ply=5), 1 << 16, (1 << 16) * 22 * 4, (1 << 16) * 5),
        (Question(Board.parse("4x4"), end="full"), 1 << 16, (1 << 16) * 22 * 10, (1 << 16) * 5),
        # after one mark the players have other lines, and two tables
        (Question(Board.parse("3x3"), start=parse_position(Board.parse("3x3"), "b2")), 256, 256 * 14 * 2 * 6, 256 * 6),
        # on two cells with either a line: the identity; the exchange leaves one cell of weight two, and games of none
        (Question(Board.parse("1x2:1"), "symmetry"), 4, 4 * 8 * 3 + 2 * 7 * 3 + 6 * 2, 4 * 5),
    ],
)  # fmt: skip
def test_what_sums_over_subsets_take(question: Question, largest: int, steps: int, memory: int) -> None:
    """A byte for each set and player and four for the sum; a tenth of a nanosecond for each cell of each."""
    cost = estimated("subset", question)
    assert cost.memory == memory + 130_000_000
    assert cost.seconds == pytest.approx(0.8 + steps * 1e-10, rel=1e-12)
    assert cost.detail == f"tables of {largest:,} sets of cells"


def test_what_sums_over_lines_take() -> None:
    for spec, cells, power in (("3x3", 9, 7), ("1x9:5", 9, 5), ("20x20", 400, 7)):
        cost = estimated("inclusion", Question(Board.parse(spec)))
        assert cost.memory == 20_000_000 + 400 * cells**2
        assert cost.seconds == pytest.approx(0.01 + 6e-12 * cells**4 + 4e-7 * cells**2 + 3e-5 * 4**power)


def test_offers_of_sums_just_fit() -> None:
    question = Question(Board.parse("3x3"))
    for name, refused in (("subset", "its tables are too large"), ("inclusion", "it takes too much")):
        cost = estimated(name, question)
        assert not isinstance(offered(name, question, Limits(cost.memory, cost.seconds)), Refusal)
        found = offered(name, question, Limits(cost.memory - 1))
        assert isinstance(found, Refusal)
        assert (found.reason, found.estimate) == (refused, cost)
        assert isinstance(offered(name, question, Limits(seconds=cost.seconds * 0.99)), Refusal)


def test_boards_too_large_for_sums() -> None:
    """31 blank cells, not cells, for sums over subsets."""
    board = Board.parse("1x32:32")
    assert refusal("subset", Question(board)) == "the engine subset takes up to 31 blank cells, 1x32:32 has 32"
    assert refusal("subset", Question(board, start=parse_position(board, "a1"))) is None
    assert refusal("inclusion", Question(Board.parse("50x50"))) is None
    assert "2,500" in str(refusal("inclusion", Question(Board.parse("41x61:61"))))


def fillings(cells: int, marks: int = 0) -> list[int]:
    """The ways to place the marks of each ply beside some that are there already, as many of X as of O."""
    return [comb(cells - marks, t) * comb(t, t // 2) for t in range(cells - marks + 1)]


def test_what_plain_python_lists_is_bounded_under_the_group_it_uses() -> None:
    """Labelled questions share the classes under the isometries; a start leaves the symmetries that keep its marks."""
    torus = Board.parse("3x3+torus")
    start = parse_position(Board.parse("3x3"), "b1 b2")
    for question, ways, order in (
        (Question(torus), fillings(9), 72),
        (Question(torus, symmetry="lines"), fillings(9), 72),
        (Question(torus, "symmetry", symmetry="lines"), fillings(9), 432),
        (Question(torus, "choices"), fillings(9), 72),
        (Question(start.board, start=start), fillings(9, 2), 2),
        (Question(start.board, "symmetry", start=start, to_ply=4), fillings(9, 2)[:3], 2),
        (Question(start.board, start=start, to_ply=4, end="decided"), fillings(9, 2), 2),
    ):
        assert estimated("layered", question).detail == (
            f"at most {sum(-(-many // order) for many in ways):,} position classes"
        )


def test_quiet_classes_take_what_all_classes_take() -> None:
    for spec in ("3x3", "4x4"):
        question = Question(Board.parse(spec), "choices")
        bound = sum(-(-many // 8) for many in fillings(question.board.cells))
        assert quiet_estimate(question.board) == estimate(question, bound)


def test_a_state_is_kept_once_enough_time_has_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("noughts.counting.layered.walk.time.monotonic", lambda: now[0])
    question = Question(Board.parse("3x3"))
    rows = counted("layered", question).plies
    kept = Checkpoint(tmp_path, question, 0)
    under_way = State(rows[:3], [start_layer(1, 2, [72])], 1 << 70)
    for at, there in ((100.0, False), (104.9, False), (105.0, True)):
        now[0] = at
        kept.save(under_way)
        found = Checkpoint(tmp_path, question, 0).load()
        assert (found is not None) == there
    assert found is not None
    assert (found.rows, found.open_paths) == (rows[:3], 1 << 70)
    assert found.layer is not None
    assert [array.tolist() for array in found.layer[0]] == [array.tolist() for array in under_way.layer[0]]  # type: ignore[index]
    now[0] = 109.9
    kept.save(State(rows[:4], under_way.layer, 5))
    found = Checkpoint(tmp_path, question, 0).load()
    assert found is not None
    assert len(found.rows) == 3, "not five seconds later"
    assert Checkpoint(tmp_path, question, 1).load() is None, "another walk"
    kept.save(State(rows, None, 7))
    assert Checkpoint(tmp_path, question, 0).load() == State(rows, None, 0)
    nowhere = Checkpoint(None, question, 0)
    nowhere.save(under_way)
    assert nowhere.load() is None


# Inclusion and exclusion on square boards, its parts against sets and positions that are listed one by one.


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_the_lines_are_those_of_the_board(side: int) -> None:
    lines = square_lines(side)
    assert sorted(lines) == sorted(Board.parse(f"{side}x{side}").line_masks)
    assert is_square(side * side, lines)
    assert is_square(side * side, lines[::-1])
    assert not is_square(side * side, lines[1:])
    assert not is_square(side * side, [*lines[1:], (1 << side) - 1 << 1])
    assert not is_square(side * side + 1, lines)


def test_a_cell_and_other_boards_are_no_square() -> None:
    assert not is_square(1, [1, 1, 1, 1])
    assert not is_square(0, [0, 0])
    assert not is_square(12, Board.parse("3x4:3").line_masks)
    assert not is_square(16, Board.parse("4x4:3").line_masks)


@pytest.mark.parametrize("side", [2, 3, 4])
def test_sets_without_a_line_are_those_that_listing_finds(side: int) -> None:
    lines = square_lines(side)
    free = [0] * (side * side + 1)
    for cells in range(1 << side * side):
        free[cells.bit_count()] += not any(line & ~cells == 0 for line in lines)
    assert list(square_free_sets(side)) == free


@pytest.mark.parametrize(("side", "at_most"), [(2, 4), (3, 9), (4, 8)])
def test_terms_count_open_and_won_positions(side: int, at_most: int) -> None:
    """Won are those in which the first player has lines with a cell in common, and the other has none."""
    cells, lines = side * side, square_lines(side)
    still_open, won = square_terms(side)

    def total(terms: dict[tuple[int, int], int], p: int, q: int) -> int:
        return sum(
            sign * comb(cells - x - o, p - x) * comb(cells - p - o, q - o)
            for (x, o), sign in terms.items()
            if x <= p and o <= q
        )

    held = {each: [line for line in lines if line & ~each == 0] for each in range(1 << cells) if each.bit_count() < 6}
    for t in range(at_most + 1):
        p, q = (t + 1) // 2, t // 2
        free = [sum(1 << c for c in chosen) for chosen in combinations(range(cells), q)]
        free = [o for o in free if not held[o]]
        counted = [0, 0]
        for chosen in combinations(range(cells), p):
            x = sum(1 << c for c in chosen)
            shared = (1 << cells) - 1
            for line in held[x]:
                shared &= line
            if not held[x] or shared:
                counted[bool(held[x])] += sum(not x & o for o in free)
        assert (total(still_open, p, q), total(won, p, q)) == tuple(counted), (p, q)


def test_larger_boards_have_the_sets_of_any_board() -> None:
    """By the first sizes: below 5 marks no set holds a line of 5x5, with five there are twelve, and all cells do."""
    free = square_free_sets(5)
    assert free[:5] == tuple(comb(25, size) for size in range(5))
    assert free[5] == comb(25, 5) - 12
    assert free[6] == comb(25, 6) - 12 * 20
    assert free[-1] == 0
    lines = square_lines(5)
    blanks = (sum(1 << cell for cell in chosen) for chosen in combinations(range(25), 5))
    assert free[20] == sum(all(line & blank for line in lines) for blank in blanks)


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_every_set_of_lines_is_of_a_kind_and_every_kind_has_some(side: int) -> None:
    kinds = list(_sets_of_lines(side))
    assert all(ways > 0 for _, _, _, ways in kinds)
    assert sum(ways for _, _, _, ways in kinds) == 2 ** (2 * side + 2)
    assert sum(ways for lines, _, _, ways in kinds if lines == 2) == comb(2 * side + 2, 2)


@pytest.mark.parametrize(("side", "most_others"), [(2, 4), (3, 9), (4, 0)])
def test_terms_hold_for_any_numbers_of_marks(side: int, most_others: int) -> None:
    """Not in play only: with many marks of one player, where many lines cross, each term counts."""
    cells, lines = side * side, square_lines(side)
    full = (1 << cells) - 1
    shared = [reduce(and_, (line for line in lines if line & ~each == 0), full) for each in range(full + 1)]
    free = [all(line & ~each for line in lines) for each in range(full + 1)]
    opened, won = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for x in range(full + 1):
        o = rest = full & ~x if most_others else 0
        while True:
            if free[o]:
                opened[x.bit_count(), o.bit_count()] += free[x]
                won[x.bit_count(), o.bit_count()] += not free[x] and shared[x] != 0
            if not o:
                break
            o = (o - 1) & rest
    for p in range(cells + 1):
        for q in range(min(cells - p, most_others) + 1):
            for terms, listed in zip(square_terms(side), (opened, won), strict=True):
                counted = sum(
                    sign * comb(cells - x - o, p - x) * comb(cells - p - o, q - o)
                    for (x, o), sign in terms.items()
                    if x <= p and o <= q
                )
                assert counted == listed[p, q], (p, q)
