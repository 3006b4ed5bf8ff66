"""What counting is said to cost, held against what is there: sets, marks and states of small boards, one by one."""

from __future__ import annotations

from itertools import combinations
from math import comb, perm
from typing import Any

import pytest

from noughts.counting import inclusion, subset
from noughts.counting.bounds import least_states
from noughts.counting.engines import ask
from noughts.counting.layered import engine as layered
from noughts.counting.layered.walk import Meter
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import Pattern
from noughts.counting.question import keeping_group, layer_bounds, needs_values
from noughts.counting.streamed import layers as streaming
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.game import QUICK_CLASSES
from noughts.rules.play import MoveRule


def test_lines_that_share_no_cell_are_told_apart_whatever_they_hold() -> None:
    """A cell of each of five lines was visited: X, O or blank. The players are exchanged in half of what is found."""
    apart = [1 << 2 * n | 1 << 2 * n + 1 for n in range(5)]
    visited = range(0, 10, 2)
    assert least_states(Pattern.of(10, apart), visited) == 3**5 // 2
    assert least_states(Pattern.of(10, apart), ()) == 1
    assert least_states(Pattern.of(10, apart), range(10)) == 1, "no line is under way"
    mine = Pattern(Pattern.of(10, apart).cells, Pattern.of(10, apart).first, ())
    assert least_states(mine, visited) == 2**5, "only one player's marks tell"


def test_a_line_that_another_may_hide_is_not_counted_on() -> None:
    """Both lines lack cell 4: the one on cell 0 says all that the one on cells 0 and 1 would say."""
    assert least_states(Pattern.of(5, [0b10001, 0b11010]), range(4)) == 3 // 2
    hidden = Pattern.of(6, [0b010001, 0b100010, 0b010010])
    assert least_states(hidden, (0, 1)) == 3 // 2, "X on cell 1 hides what cell 0 lacks"
    assert least_states(Pattern.of(6, [0b010001, 0b100010]), (0, 1)) == 3**2 // 2


SPEC = "3x4:3"
LINES = Board.parse(SPEC).line_masks
FREE = [
    sum(not any(line & ~sum(1 << c for c in cells) == 0 for line in LINES) for cells in combinations(range(12), marks))
    for marks in range(7)
]
"""The sets of so many marks of X that hold no line, one by one."""


def test_the_sets_without_a_line_are_told_from_samples() -> None:
    shares = streaming._shares(ask(SPEC))
    assert len(shares) == 7
    assert shares[0] == shares[1] == 1, "one mark makes no line"
    for marks, share in enumerate(shares):
        assert share == pytest.approx(FREE[marks] / comb(12, marks), abs=0.05)
    assert all(share > 0 for share in streaming._shares(ask("5x5:2")))
    assert len(streaming._shares(ask("3x3:3"))) == 6


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "_shares", lambda question: [n / comb(12, m) for m, n in enumerate(FREE)])


def bytes_of(marks: int) -> int:
    """Return the bytes of a number of paths to a position with so many marks of each: four up to eight marks."""
    return 4 if marks < 9 else 5


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize("to_ply", [12, 11, 6, 1])
def test_streaming_is_reckoned_from_the_sets_of_x(to_ply: int) -> None:
    """At least what listing says, and at most one block a layer more."""
    work = streaming._work(ask(SPEC, to_ply=to_ply), 1)

    def layers(more: int) -> list[int]:
        return [(FREE[m] + more) * comb(12 - m, m) for m in range(to_ply // 2 + 1)]

    def added(more: int) -> int:
        odd = sum((FREE[m] + more) * comb(12 - m, m - 1) * m for m in range(1, (to_ply + 1) // 2 + 1))
        return odd + sum(size * m for m, size in enumerate(layers(more)))

    def neighbours(more: int) -> int:
        sizes = [size * bytes_of(m) for m, size in enumerate(layers(more))]
        return max(a + b for a, b in zip(sizes, [*sizes[1:], sizes[-1]], strict=True))

    assert sum(layers(0)) <= work.numbers <= sum(layers(1))
    assert 4 * sum(layers(0)) <= work.whole <= 4 * sum(layers(1))
    assert neighbours(0) <= work.pair <= neighbours(1)
    assert added(0) <= work.additions <= added(1)
    plies = (to_ply + 1) // 2 + 1
    assert sum(FREE[:plies]) <= work.sets <= sum(FREE[:plies]) + plies


@pytest.mark.usefixtures("exact")
def test_symmetry_divides_the_sets_and_a_rule_takes_the_values_of_all_positions() -> None:
    whole, part = (streaming._work(ask(SPEC, x_moves="perfect"), order) for order in (1, 4))
    assert sum(FREE) // 4 <= part.sets <= sum(FREE) // 4 + 7
    assert part.numbers == pytest.approx(whole.numbers / 4, rel=0.02)
    positions = [[(FREE[(t + 1) // 2] + n) * comb(12 - (t + 1) // 2, t // 2) for t in range(13)] for n in (0, 1)]
    assert sum(positions[0]) <= whole.positions <= sum(positions[1])


@pytest.mark.usefixtures("exact")
def test_what_streaming_takes_comes_from_its_work() -> None:
    free, ruled, valued, timed = (ask(SPEC, o_moves=rule) for rule in ("any", "block", "perfect", "quickest"))
    work = streaming._work(free, 4)
    disk, memory = Limits(disk=1e9), Limits()
    assert streaming.estimate(free, 4, disk).disk == work.pair
    assert streaming.estimate(free, 4, memory).disk == 0
    held = streaming.estimate(free, 4, memory).memory - streaming.estimate(free, 4, disk).memory
    assert held == work.pair, "what is not on disk is in memory"
    tables = streaming.estimate(free, 4, disk).memory - streaming.BASE_BYTES
    assert tables == 4 * work.whole + 40 * comb(12, 6) + 16 * work.sets
    assert streaming.estimate(valued, 4, disk).memory - streaming.BASE_BYTES - tables == work.positions // 4
    assert streaming.estimate(timed, 4, disk).memory - streaming.BASE_BYTES - tables == work.positions // 4 * 4
    seconds = [streaming.estimate(each, 4, disk).seconds for each in (free, ruled, valued)]
    sets = streaming.START_SECONDS + work.sets * 4 * streaming.SECONDS_A_SET
    assert seconds[1] - sets == pytest.approx(streaming.RULED * (seconds[0] - sets))
    assert seconds[0] - sets == pytest.approx(work.additions * streaming.SECONDS_AN_ADDITION)
    assert seconds[2] - seconds[1] == pytest.approx(work.positions * streaming.SECONDS_A_VALUE)
    assert streaming.estimate(timed, 4, disk).seconds == seconds[2]
    assert streaming.estimate(ask(SPEC, x_moves="block"), 4, disk).seconds == seconds[1]


@pytest.mark.usefixtures("exact")
def test_how_play_ends_takes_two_bits_more_for_every_position() -> None:
    """And time for each, whatever the rules, beside that of the values."""
    disk = Limits(disk=1e9)
    rules: tuple[MoveRule, ...] = ("any", "win", "quickest")
    for rule in rules:
        line, decided = ask(SPEC, x_moves=rule), ask(SPEC, x_moves=rule, end="decided")
        before, after = (streaming.estimate(each, 4, disk) for each in (line, decided))
        positions = streaming._work(line, 4).positions
        assert after.memory - before.memory == positions // 4
        assert after.seconds - before.seconds == pytest.approx(positions * streaming.SECONDS_AN_END)
        assert after.disk == before.disk


def test_streaming_is_refused_at_once_where_there_is_no_time_to_load_it() -> None:
    short = streaming.estimate(ask("5x5:4"), 8, Limits(seconds=1.9))
    assert short.at_least
    assert not Limits(seconds=1.9).allow(short)
    assert not streaming.estimate(ask("3x3:3"), 8, Limits(seconds=2)).at_least


def test_only_what_does_not_fit_is_told_of_a_folder() -> None:
    small, large = ask("3x4:3"), ask("5x5:4")
    assert "--resume" not in streaming.estimate(small, 4, Limits(1000)).detail, "a folder would not save much"
    assert "--resume" in streaming.estimate(large, 8, Limits(8e9)).detail
    assert "--resume" not in streaming.estimate(large, 8, Limits(1e15)).detail


def test_a_meter_moves_by_the_bounds_of_the_layers_and_ends_at_the_end() -> None:
    seen: list[tuple[int, int, str]] = []
    meter = Meter(lambda *at: seen.append(at), 3, [10, 30], 2)
    first = meter.begin("positions", 3, 4)
    first(1)
    first(3)
    second = meter.begin("positions", 4, 5)
    second(5)
    meter.begin("games", 3, 1)(1)
    last = meter.begin("games", 4, 3)
    last(3)
    meter.finish()
    assert [at[:2] for at in seen] == [(2, 80), (10, 80), (40, 80), (50, 80), (79, 80), (80, 80)]
    assert [at[2] for at in seen[1:3]] == ["positions of ply 3", "positions of ply 4"]
    silent = Meter(None, 0, [1], 1)
    silent.begin("positions", 0, 1)(1)
    silent.finish()


def multinomials(cells: int) -> list[int]:
    """The ways to place the marks of each ply."""
    return [comb(cells, t) * comb(t, t // 2) for t in range(cells + 1)]


def test_a_small_board_is_listed_in_plain_python() -> None:
    cost = layered.estimate(ask("3x3"), 1_000)
    assert (cost.memory, cost.at_least, cost.detail) == (800_000, False, "at most 1,000 position classes")
    assert cost.seconds == pytest.approx(0.06)
    assert layered.estimate(ask("3x3"), QUICK_CLASSES).memory == 800 * QUICK_CLASSES
    assert layered.estimate(ask("3x3"), QUICK_CLASSES + 1).memory > 200_000_000, "compiled"


@pytest.mark.parametrize(("spec", "order"), [("4x4:4", 32), ("4x5:4", 4)])
def test_layers_take_bytes_and_seconds_for_each_class(spec: str, order: int) -> None:
    """Labelled counts may merge positions by all permutations that keep the lines: 32 of 4x4:4."""
    cells = Board.parse(spec).cells
    layers = [-(-many // order) for many in multinomials(cells)]
    plain = layered.estimate(ask(spec), 10**6)
    assert plain.memory == 200_000_000 + 3 * 24 * max(layers)
    assert plain.detail == f"at most {sum(layers):,} position classes"
    full = layered.estimate(ask(spec, end="full"), 10**6)
    assert full.memory == 200_000_000 + 3 * 32 * max(layers), "two numbers of paths: with a winner and without"
    ahead = layered.estimate(ask(spec, moves="perfect", to_ply=6), 10**6)
    assert ahead.memory == plain.memory + 26 * sum(layers), "values are found from the end, whatever is asked for"
    seconds = [cost.seconds - layered._LOADING for cost in (plain, ahead)]
    assert seconds[1] == pytest.approx(2 * seconds[0])
    assert 1e-8 < seconds[0] / sum(layers) < 1e-5
    short = layered.estimate(ask(spec, to_ply=6), 10**6)
    assert short.detail == f"at most {sum(layers[:7]):,} position classes"


@pytest.mark.parametrize(
    ("spec", "asked", "words"),
    [
        ("4x5:4", {}, 1),
        ("3x7:3", {}, 2),
        ("5x8:5", {}, 3),
        ("5x8:5", {"to_ply": 12}, 1),
        ("5x8:5", {"to_ply": 13}, 2),
        ("3x7:3", {"start": "a1"}, 1),
        ("1x1:1", {}, 1),
    ],
)
def test_paths_take_as_many_words_as_all_orders_of_the_marks_need(spec: str, asked: dict[str, Any], words: int) -> None:
    """Orders of 20 cells fit 63 bits, of 21 they do not: a start with one mark on 21 cells leaves 20."""
    question = ask(spec, **asked)
    most = perm(question.board.cells - question.first_ply, question.last_ply - question.first_ply)
    assert 2 ** (63 * (words - 1)) <= most < 2 ** (63 * words)
    assert layered._words(question) == words


def test_beyond_the_table_of_leads_every_symmetry_is_tried() -> None:
    """27 cells are four bytes, and 26 cells look their images up."""

    def each(spec: str) -> float:
        cost = layered.estimate(ask(spec, same="choices"), 10**6)
        return (cost.seconds - layered._LOADING) / int(cost.detail.split()[2].replace(",", ""))

    assert each("2x13:3") == each("1x20:3") < each("1x27:3")
    per_image = (each("1x27:3") - each("1x20:3")) / (2 * 4)
    assert each("3x9:3") - each("1x20:3") == pytest.approx(4 * 4 * per_image)
    assert each("5x8:5") - each("1x20:3") == pytest.approx(4 * 5 * per_image)


def test_the_group_of_a_count_keeps_the_marks_of_its_start() -> None:
    assert keeping_group(ask("4x4:4")).order == 32
    assert keeping_group(ask("4x4:4", same="symmetry")).order == 8
    assert keeping_group(ask("3x3", same="symmetry", start="a1")).order == 2
    assert keeping_group(ask("3x3", same="choices", start="b2")).order == 8
    assert keeping_group(ask("3x3", same="choices", start="a1 b1")).order == 1
    assert layer_bounds(ask("3x3", to_ply=2), to_end=False) == [1, 2, 9]
    assert layer_bounds(ask("3x3", to_ply=2), to_end=False, order=1) == multinomials(9)[:3]
    assert layer_bounds(ask("3x3", to_ply=2), to_end=True, order=1) == multinomials(9)
    assert [needs_values(ask("3x3", moves=rule)) for rule in ("any", "fork", "perfect", "quickest")] == [0, 0, 1, 1]
    assert needs_values(ask("3x3", end="decided"))
    assert needs_values(ask("3x3", x_moves="perfect"))
    assert not needs_values(ask("3x3", end="full"))


def test_layers_are_refused_where_they_do_not_fit_a_word_or_the_limits() -> None:
    large = layered.offer(Request(ask("5x13:5")), Limits())
    assert isinstance(large, Refusal)
    assert "up to 64 cells, 5x13:5 has 65" in large.reason
    assert isinstance(layered.offer(Request(ask("8x8:5")), Limits()), CountingOffer)
    cost = layered.estimate(ask("4x4:3"), 10**6)
    assert isinstance(layered.offer(Request(ask("4x4:3")), Limits(cost.memory)), CountingOffer)
    refused = layered.offer(Request(ask("4x4:3")), Limits(cost.memory - 1))
    assert isinstance(refused, Refusal)
    assert refused.estimate == cost


def cost_of(engine: Any, board: Board | str, **asked: Any) -> tuple[int, float]:
    """The bytes and the seconds that an engine offers to take."""
    found = engine.offer(Request(ask(board, **asked)), Limits())
    assert isinstance(found, CountingOffer)
    return found.estimate.memory, found.estimate.seconds


@pytest.mark.parametrize(
    ("asked", "sets"), [({}, 512), ({"same": "symmetry"}, 512), ({"start": "a1"}, 256), ({"start": "XXX/OO./..."}, 1)]
)
def test_subsets_are_of_the_blank_cells(asked: dict[str, Any], sets: int) -> None:
    found = subset.offer(Request(ask("3x3", **asked)), Limits())
    assert isinstance(found, CountingOffer)
    assert found.estimate.detail == f"tables of {sets:,} sets of cells"


def test_a_transform_for_each_number_of_marks_takes_a_pass_for_each_cell() -> None:
    """A set has four bytes and one for each player whose lines are others; a player has half of the marks, and none."""
    base = 130_000_000
    assert cost_of(subset, "3x3")[0] - base == 2**9 * (4 + 1)
    assert cost_of(subset, "3x3", start="a1")[0] - base == 2**8 * (4 + 2)
    seconds = {spec: cost_of(subset, spec)[1] - subset.START_SECONDS for spec in ("4x4", "4x5:4")}
    assert seconds["4x5:4"] / seconds["4x4"] == pytest.approx(2**4 * 26 / 22 * (10 + 2) / (8 + 2))
    assert 1e-11 < seconds["4x4"] / (2**16 * 22 * (8 + 2)) < 1e-9, "a pass over a set takes part of a nanosecond"
    two = cost_of(subset, "4x4", start="a1")[1] - subset.START_SECONDS
    assert two / seconds["4x4"] == pytest.approx(2 * 2**15 * 21 * (7 + 2) / (2**16 * 22 * (8 + 2)))
    short = cost_of(subset, "4x4", to_ply=6)[1] - subset.START_SECONDS
    assert short / seconds["4x4"] == pytest.approx((3 + 2) / (8 + 2))


def test_sums_over_sets_of_lines_take_what_lines_and_cells_ask_for() -> None:
    """Every set of up to seven lines in four ways, numbers for every pair of cells, and as many terms for each."""
    cells = 25
    cost = {many: cost_of(inclusion, Board.from_lines(cells, [(0, n + 1) for n in range(many)])) for many in (1, 3, 7)}
    assert len({memory for memory, _ in cost.values()}) == 1
    seconds = {many: each for many, (_, each) in cost.items()}
    assert (seconds[7] - seconds[1]) / (seconds[3] - seconds[1]) == pytest.approx((4**7 - 4) / (4**3 - 4))
    (small, quick), (large, slow), (huge, long) = (cost_of(inclusion, f"{n}x{n}") for n in (10, 20, 40))
    assert [each - 20_000_000 for each in (small, large, huge)] == [400 * n**4 for n in (10, 20, 40)]
    assert 4**3 < (long - slow) / (slow - quick) < 4**4, "between the square of the cells and its square"
    assert 1e-6 < (seconds[7] - seconds[1]) / (4**7 - 4) < 1e-4
    assert 1e-8 < slow / 400**2 < 1e-5
