"""Estimates of the cost of counting: they bound the truth, grow with the question, and refusals say what helps."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import pytest

from noughts.counting.bounds import least_states
from noughts.counting.engines import ask
from noughts.counting.frontier import forecast, widths
from noughts.counting.layered import engine as layered
from noughts.counting.patterns import Pattern
from noughts.counting.question import Question
from noughts.counting.streamed import layers as streaming
from noughts.machine.budget import Limits
from noughts.rules.board import Board
from noughts.rules.game import QUICK_CLASSES
from noughts.solving.retrograde import line_free_shares
from tests.counting.comparing import estimated, offered, refusal


def test_disjoint_lines_are_all_distinguished() -> None:
    """A cell of each of five lines was visited: X, O or blank. The players are exchanged in half of what is found."""
    apart = [1 << 2 * n | 1 << 2 * n + 1 for n in range(5)]
    visited = range(0, 10, 2)
    assert least_states(Pattern.of(10, apart), visited) == 3**5 // 2
    assert least_states(Pattern.of(10, apart), ()) == 1
    assert least_states(Pattern.of(10, apart), range(10)) == 1, "no line is under way"
    mine = Pattern(Pattern.of(10, apart).cells, Pattern.of(10, apart).first, ())
    assert least_states(mine, visited) == 2**5, "only one player's marks tell"
    met = Pattern.of(6, [0b001001, 0b010010, 0b100100, 0b000111])
    assert least_states(met, range(3)) == (3**3 - 2) // 2, "but for those that fill the line of the cells visited"


def test_lines_under_way_tell_as_much_as_three_things_that_each_may_be() -> None:
    """On each line X's marks are alive, or O's, or neither; the entropy of disjoint lines is the sum of theirs."""
    chance = forecast._ALIVE**2
    entropy = -sum(each * log(each) for each in (chance, chance, 1 - 2 * chance))
    for lines in (1, 3):
        pattern = Pattern.of(3 * lines, [0b111 << 3 * n for n in range(lines)])
        visited = [cell for cell in range(3 * lines) if cell % 3 < 2]
        assert forecast._information(pattern, visited) == pytest.approx(lines * entropy)


def test_streaming_is_estimated_from_the_sets_of_x_that_hold_no_line() -> None:
    """From samples: within some percent of a complete list."""
    lines = Board.parse("3x4:3").line_masks
    free = [
        sum(not any(not line & ~sum(1 << c for c in cells) for line in lines) for cells in combinations(range(12), m))
        for m in range(7)
    ]
    for order in (1, 4):
        detail = streaming.estimate(ask("3x4:3"), order, Limits()).detail
        numbers = sum(n * comb(12 - m, m) for m, n in enumerate(free)) / order
        assert int(detail.split()[1].replace(",", "")) == pytest.approx(numbers, rel=0.1)
    positions = sum(free[(ply + 1) // 2] * comb(12 - (ply + 1) // 2, ply // 2) for ply in range(13))
    usual, valued = (streaming.estimate(ask("3x4:3", moves=rule), 1, Limits()) for rule in ("any", "perfect"))
    assert valued.memory - usual.memory == pytest.approx(positions / 4, rel=0.1), "two bits for each value"
    assert valued.seconds > usual.seconds
    shares = line_free_shares(Board.parse("3x4:3"), 400)
    assert [share * comb(12, m) for m, share in enumerate(shares)] == pytest.approx(free, rel=0.2)
    assert all(share > 0 for share in line_free_shares(Board.parse("5x5:2"), 100))


def multinomials(cells: int) -> list[int]:
    """The ways to place the marks of each ply."""
    return [comb(cells, t) * comb(t, t // 2) for t in range(cells + 1)]


def test_layers_take_bytes_and_seconds_for_each_class() -> None:
    """Labelled counts may merge positions by all permutations that keep the lines: 32 of 4x4:4."""
    assert layered.estimate(ask("3x3"), QUICK_CLASSES).memory == 800 * QUICK_CLASSES, "in plain Python"
    layers = [-(-many // 32) for many in multinomials(16)]
    plain = layered.estimate(ask("4x4:4"), 10**6)
    assert plain.memory == 200_000_000 + 3 * 24 * max(layers)
    assert plain.detail == f"at most {sum(layers):,} position classes"
    full = layered.estimate(ask("4x4:4", end="full"), 10**6)
    assert full.memory == 200_000_000 + 3 * 32 * max(layers), "two numbers of paths: with a winner and without"
    ahead = layered.estimate(ask("4x4:4", moves="perfect", to_ply=6), 10**6)
    assert ahead.memory == plain.memory + 26 * sum(layers), "values are found from the end, for every question"
    assert ahead.seconds > plain.seconds > layered.estimate(ask("4x4:4", to_ply=6), 10**6).seconds


@pytest.mark.parametrize(
    ("spec", "to_ply", "words"), [("4x5:4", None, 1), ("3x7:3", None, 2), ("5x8:5", 12, 1), ("5x8:5", 13, 2)]
)
def test_paths_take_as_many_words_as_all_orders_of_the_marks_need(spec: str, to_ply: int | None, words: int) -> None:
    """Orders of 20 cells fit 63 bits, of 21 they do not."""
    assert layered._words(ask(spec, to_ply=to_ply)) == words


@pytest.mark.parametrize("engine", ["layered", "subset", "inclusion"])
def test_an_offer_fits_the_limits_just_as_its_estimate_does(engine: str) -> None:
    question = ask("4x4" if engine == "inclusion" else "4x4:3")
    cost = estimated(engine, question)
    assert offered(engine, question, Limits(cost.memory, cost.seconds)).estimate == cost
    assert offered(engine, question, Limits(cost.memory - 1)).engine == engine
    assert getattr(offered(engine, question, Limits(cost.memory - 1)), "reason", None)
    assert getattr(offered(engine, question, Limits(seconds=cost.seconds * 0.99)), "reason", None)
    assert estimated(engine, ask("4x4", to_ply=16)).memory <= estimated(engine, ask("5x5", to_ply=25)).memory


def test_subsets_are_of_the_blank_cells() -> None:
    for start, sets in ((None, 512), ("a1", 256), ("XXX/OO./...", 1)):
        assert estimated("subset", ask("3x3", start)).detail == f"tables of {sets:,} sets of cells"
    assert "up to 64 cells, but 5x13:5 has 65" in str(refusal("layered", ask("5x13:5")))


@pytest.mark.parametrize(
    ("spec", "positions"),
    [
        ("6x6:3", False),
        ("6x6:3", True),
        ("8x7:2", True),
        ("7x5:3", False),
        pytest.param("7x6:4", False, marks=pytest.mark.slow),
    ],
)
def test_the_range_of_the_model_holds_the_states_of_the_whole_board(
    spec: str, positions: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question(Board.parse(spec))
    whole = widths._explored(question, positions)
    assert whole is not None
    for explored in (20_000, 90_000, 600_000):
        monkeypatch.setattr(widths, "EXPLORED", explored)
        found = widths.forecast_by_widths(question, positions=positions)
        assert found is not None or explored < 600_000, "two narrower boards have fewer states"
        if found is not None:
            assert found.states[0] <= whole.states <= found.states[1]
            assert found.graph[0] <= whole.graph <= found.graph[1]


def test_more_workers_than_batches_do_not_help() -> None:
    found = widths.forecast_by_widths(Question(Board.parse("6x6:3")), positions=False)
    assert found is not None
    one, some, all_, more = (found.on(workers) for workers in (1, 2, found.batches, 4 * found.batches))
    assert sum(one.sent) == 0
    assert one.seconds[0] > some.seconds[0] > all_.seconds[0] == more.seconds[0] > found.exploring[0]
    assert 2 * some.seconds[1] > one.seconds[1], "one process explores the graph"
    assert more.sent[1] == 4 * all_.sent[1] == 4 * found.batches * found.graph[1]


@pytest.mark.parametrize("spec", ["5x5:3+torus", "3x3x4", "4x4", "6x7:4+gravity", "6x6:3+exact"])
def test_there_is_no_model_without_two_narrower_boards(spec: str) -> None:
    assert widths.forecast_by_widths(Question(Board.parse(spec)), positions=False) is None
