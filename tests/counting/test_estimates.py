"""What counting is said to cost, held against what is there: sets, marks and states of small boards, one by one."""

from __future__ import annotations

from itertools import combinations
from math import comb, perm
from typing import Any

import numpy as np
import pytest

from noughts.counting import inclusion, subset
from noughts.counting.engines import ask, choose
from noughts.counting.frontier.forecast import RECKONING
from noughts.counting.frontier.order import entries_at, growth_unfolding, hopeless, least_states
from noughts.counting.frontier.points import Grid, Tariff, hopeless_at_points, values_bytes
from noughts.counting.layered import engine as layered
from noughts.counting.layered.walk import Meter
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import Pattern
from noughts.counting.question import keeping_group, layer_bounds, needs_values
from noughts.counting.streamed import layers as streaming
from noughts.counting.sweeps import Cost
from noughts.counting.transfer.sweep import EDGE_BYTES, STATE_BYTES, Reckoner
from noughts.kernels.frontier.values import LANES
from noughts.machine.budget import Limits, Refusal
from noughts.rules.board import Board
from noughts.rules.game import QUICK_CLASSES
from noughts.rules.play import MoveRule


def pairs(visited: int, left: int, to_ply: int) -> int:
    """Return how many numbers (p, q) of marks on `visited` cells can still end with p - q from -1 to 1."""
    marks = range(visited + 1)
    return sum(p + q <= min(visited, to_ply) and abs(p - q) <= left + 1 for p in marks for q in marks)


def pattern_of(spec: str) -> Pattern:
    board = Board.parse(spec)
    return Pattern.of_lines(board.cells, board.line_masks)


def test_the_entries_of_a_value_are_the_marks_that_can_still_be_balanced() -> None:
    for visited in range(8):
        for left in range(8 - visited):
            for to_ply in range(9):
                assert entries_at(visited, left, to_ply) == pairs(visited, left, to_ply), (visited, left, to_ply)


def test_lines_that_share_no_cell_are_told_apart_whatever_they_hold() -> None:
    """A cell of each of five lines was visited: X, O or blank. The players are exchanged in half of what is found."""
    apart = [1 << 2 * n | 1 << 2 * n + 1 for n in range(5)]
    visited = range(0, 10, 2)
    assert least_states(Pattern.of(10, apart), visited) == 3**5 // 2
    assert least_states(Pattern.of(10, apart), ()) == 1
    assert least_states(Pattern.of(10, apart), range(10)) == 1, "no line is under way"
    mine = Pattern(Pattern.of(10, apart).cells, Pattern.of(10, apart).first, ())
    assert least_states(mine, visited) == 2**5, "only one player's marks tell"


def test_complete_lines_take_their_part_of_the_fillings() -> None:
    apart = [1 << 2 * n | 1 << 2 * n + 1 for n in range(5)]
    visited = range(0, 10, 2)
    one = Pattern.of(10, [*apart, 0b10101])
    assert least_states(one, visited) == int(3**5 * (1 - 2 / 27)) // 2
    several = Pattern.of(10, [*apart, 0b101, 0b10001, 0b1000001])
    # three lines meet at cell 0: with it they would take over half of the fillings, without it they take none
    assert least_states(several, visited) == 3**4 // 2
    two = Pattern.of(10, [*apart, 0b101, 0b1010000])
    assert least_states(two, visited) == int(3**5 * (1 - 4 / 9)) // 2


def test_a_line_that_another_may_hide_is_not_counted_on() -> None:
    """Both lines lack cell 4: the one on cell 0 says all that the one on cells 0 and 1 would say."""
    assert least_states(Pattern.of(5, [0b10001, 0b11010]), range(4)) == 3 // 2
    hidden = Pattern.of(6, [0b010001, 0b100010, 0b010010])
    assert least_states(hidden, (0, 1)) == 3 // 2, "X on cell 1 hides what cell 0 lacks"
    assert least_states(Pattern.of(6, [0b010001, 0b100010]), (0, 1)) == 3**2 // 2


@pytest.mark.parametrize("spec", ["4x8:4", "5x7:5", "3x4:3"])
def test_the_bytes_of_a_sweep_are_bounded_at_its_worst_place(spec: str) -> None:
    """And half-way first, where most is to be expected: what is hopeless there is bounded nowhere else."""
    pattern = pattern_of(spec)
    size = pattern.size

    def bytes_at(step: int) -> int:
        fillings = max(comb(step, x) * comb(step - x, o) for x in range(step + 1) for o in range(step - x + 1))
        word = 4 if fillings < 2**32 else 8
        return least_states(pattern, range(step)) * pairs(step, size - step, size) * word

    worst = max(bytes_at(size * n // 32) for n in range(1, 32))
    assert hopeless(pattern, range(size), size, Limits(worst)) is None
    found = hopeless(pattern, range(size), size, Limits(worst - 1))
    assert found is not None
    assert (found.kept, found.top) == (0, worst)
    first = hopeless(pattern, range(size), size, Limits(0))
    assert first is not None
    assert (first.top, first.widest) == (bytes_at(size // 2), least_states(pattern, range(size // 2)))
    late = hopeless(pattern, range(size), size, Limits(seconds=0))
    assert late is not None
    assert 1e-10 < late.seconds / (first.top / 4) < 1e-8, "some billionths of a second for each number"


def test_what_weighs_more_takes_more_entries() -> None:
    """Cells that a symmetry takes together count by their marks."""
    turned = tuple(35 - cell for cell in range(36))
    pattern = Pattern.of(36, Board.parse("6x6:6").line_masks, symmetry=turned)
    assert set(pattern.weights) == {2}
    first = hopeless(pattern, range(18), 36, Limits(0))
    assert first is not None
    assert first.top == least_states(pattern, range(9)) * pairs(18, 18, 36) * 4


def test_growth_that_nothing_slows_is_foreseen_from_its_last_five_steps() -> None:
    threefold = [250_000 // 3**n for n in range(5, -1, -1)]
    assert growth_unfolding(threefold, 8) == pytest.approx(3**6, rel=0.02)
    assert growth_unfolding(threefold, 2) == pytest.approx(3**1.5, rel=0.02)
    assert growth_unfolding(threefold[1:], 8) == 1, "five sizes are four steps"
    assert growth_unfolding([size - 1 for size in threefold], 8) == 1, "small"
    assert growth_unfolding([*threefold, 3 * 250_000, 3 * 250_000 * 5 // 2], 8) == 1, "once slower"
    assert growth_unfolding([1, *threefold], 8) == growth_unfolding(threefold, 8)
    assert growth_unfolding([threefold[0], *threefold], 8) == growth_unfolding(threefold, 8), "slow, but long ago"


def test_a_reckoner_adds_up_what_each_step_takes() -> None:
    counts = [1, 3, 9, 20, 90, 400, 1_500, 4_000, 9_000, 7_000, 2_000, 60]
    reckoner = Reckoner((1,) * 22, 22, 4, Limits())
    for step, states in enumerate(counts):
        assert reckoner.visit(step, states)
    found = reckoner.cost()
    assert found.kept == EDGE_BYTES * sum(counts[:-1])
    values = [states * pairs(step, 22 - step, 22) * 4 for step, states in enumerate(counts)]
    assert found.top == max(*(size * 5 // 4 for size in values), STATE_BYTES * max(counts))
    assert found.widest == max(counts)
    assert reckoner.forecast() == found, "small layers are not taken to grow"
    assert not Reckoner((1,) * 22, 22, 4, Limits(1)).visit(1, 3)
    more = Reckoner((1,) * 22, 22, 4, Limits())
    assert more.cost() == Cost(0)
    for step, states in enumerate(counts[:6]):
        more.visit(step, states)
        more.visit(step, 10 * states)
    assert more.counts == [10 * states for states in counts[:6]], "what is found of a layer so far is not found twice"


def test_a_reckoner_takes_long_words_and_several_moduli_for_large_counts() -> None:
    """The 29 cells before the last have up to 2.3e12 fillings with the same marks: a number takes 8 bytes there."""
    counts = [1] * 30 + [1_000]
    reckoner = Reckoner((1,) * 60, 60, 60, Limits())
    for step, states in enumerate(counts):
        reckoner.visit(step, states)
    assert reckoner.cost().top == 1_000 * pairs(30, 30, 60) * 8 * 5 // 4
    assert reckoner.moduli == 2
    one = Reckoner((1,) * 36, 36, 6, Limits())
    assert one.moduli == 1
    seconds = [each.known.seconds + each.cost().seconds for each in (reckoner, one)]
    assert seconds[0] > seconds[1] >= 0


def test_a_large_layer_is_taken_to_grow_by_half_the_root_of_its_last_row() -> None:
    """On 36 cells in rows of six: after 9 cells 9 are left to half-way, of which a row counts; after 16 two."""

    def reckoned(step: int, states: int, before: int) -> Reckoner:
        reckoner = Reckoner((1,) * 36, 36, 6, Limits())
        for at in range(1, step):
            reckoner.visit(at, before if at <= step - 7 else 10 * before)
        reckoner.visit(step, states)
        return reckoner

    def size(step: int) -> int:
        return pairs(step, 36 - step, 36) * 4

    for step, left in ((9, 6), (15, 3), (16, 2)):
        large = reckoned(step, 400_000, 10)
        assert large.counts[step - 1] == 100
        assert large.counts[step - 7] == 10
        grown = 0.5 * 10 ** (left / 12)
        wider = max(1.0, grown) * size(step + left) / size(step)
        told, known = large.forecast(), large.cost()
        assert told.kept == known.kept
        assert (told.top + 1) / known.top == pytest.approx(wider, rel=1e-5)
        done = large.known.seconds
        assert (told.seconds - done) / (known.seconds - done) == pytest.approx(wider)
    assert reckoned(9, 399_999, 10).forecast() == reckoned(9, 399_999, 10).cost(), "not large"
    assert reckoned(17, 400_000, 10).forecast() == reckoned(17, 400_000, 10).cost(), "half-way is near"
    steep = reckoned(15, 400_000, 1)
    steep.counts[14] = 10**6
    assert (steep.forecast().top + 1) / steep.cost().top == pytest.approx(0.5 * 10**1.5 * size(18) / size(15), rel=1e-5)
    first = Reckoner((1,) * 36, 36, 6, Limits())
    for at in range(1, 7):
        first.visit(at, 10**6)
    assert first.forecast() == first.cost(), "in the first row nobody knows"


@pytest.mark.parametrize(("spec", "cells"), [("6x6:4", 36), ("5x7:4", 35)])
def test_a_graph_is_taken_to_grow_while_it_is_large_and_not_yet_half_way(spec: str, cells: int) -> None:
    pattern = pattern_of(spec)
    tariff = Tariff(pattern, Grid.of(pattern), range(cells), 1)

    def growth(step: int, states: int) -> float:
        sizes = [1] * step + [states]
        told, known = tariff.forecast(sizes, 0), tariff.cost(sizes, 0)
        assert (told.kept, told.widest) == (known.kept, known.widest)
        assert told.top == pytest.approx(known.top * (told.seconds / known.seconds), rel=1e-6, abs=1)
        return told.seconds / known.seconds

    half = cells // 2
    assert growth(half - 1, 149_999) == growth(half, 10**7) == growth(half + 3, 10**7) == 1
    early = [growth(step, 150_000) for step in (4, 8, 12)]
    assert early == sorted(early, reverse=True), "the sooner, the more is to come"
    assert 1 < early[0] <= 0.5 * 150_000
    assert growth(4, 10**9) >= growth(4, 10**6) > growth(4, 150_000)


def test_points_take_bytes_for_edges_and_for_two_layers_of_values() -> None:
    pattern = pattern_of("5x5:4")
    tariff = Tariff(pattern, Grid.of(pattern), range(25), 3)
    sizes = [1, 3, 9, 20, 11]
    one = values_bytes(sizes)
    assert one == values_bytes([11, 20]) == 31 * LANES * np.dtype(np.uint32).itemsize
    found = tariff.cost(sizes, 0)
    assert (found.kept, found.top, found.widest) == (12 * 44, one, 20)
    assert tariff.cost(sizes, 0, 3).top == 3 * one
    assert tariff.cost(sizes, found.kept + one + 5).top == one + 5, "the peak counts what is kept"
    branched = tariff.cost(sizes, 0, branches=44 * 3)
    assert branched.kept == 12 * (44 + 44 * 3)
    assert branched.seconds == pytest.approx(2 * found.seconds), "a branch is a third of a state to pass"
    assert tariff.together(sizes, 0, Limits(found.kept + 2 * one)) == 2
    assert tariff.together(sizes, 0, Limits(0)) == 1
    assert tariff.forecast(sizes, 0) == found
    few = Tariff(pattern, Grid.of(pattern), range(25), 3)
    few.batches = 2 * tariff.batches + 1
    shared = found.seconds / 44 - 6e-7
    assert 1e-8 < shared / (1 + tariff.batches) < 1e-6, "a survey and each batch pass in less than a microsecond"
    assert few.cost(sizes, 0).seconds / 44 - 6e-7 == pytest.approx(2 * shared), "as long as there are batches"


def test_a_graph_is_hopeless_where_its_least_states_are() -> None:
    pattern = pattern_of("5x7:4")
    tariff = Tariff(pattern, Grid.of(pattern), range(35), 1)
    costs = [tariff.cost([least_states(pattern, range(35 * n // 32))], 0).memory for n in range(1, 32)]
    assert hopeless_at_points(tariff, Limits(max(costs))) is None
    found = hopeless_at_points(tariff, Limits(max(costs) - 1))
    assert found is not None
    assert found.memory == max(costs)
    first = hopeless_at_points(tariff, Limits(0))
    assert first is not None
    assert first.widest == least_states(pattern, range(17))


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


@pytest.mark.parametrize("engine", ["frontier", "points"])
def test_who_waits_for_a_reckoning_is_told_how_far_it_is(engine: str) -> None:
    told: list[tuple[int, int, str]] = []
    choose(ask("4x5:3"), Limits(), engine=engine, progress=lambda *far: told.append(far))
    cells = [done for done, _, _ in told]
    assert cells[0] == 1
    assert max(cells) >= 15
    assert {(whole, what) for _, whole, what in told} == {(20, RECKONING)}


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
