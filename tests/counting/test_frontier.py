"""The engines that list nothing, against listing, against each other, and against published numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.counting import inclusion
from noughts.counting.census import POSITION_COLUMNS, Census
from noughts.counting.engines import ask, row_of
from noughts.counting.frontier import engine as frontier
from noughts.counting.frontier import forecast
from noughts.counting.frontier.forecast import DryRun, RandomWalk, best_route, walk_of
from noughts.counting.frontier.graph import Exploration
from noughts.counting.frontier.order import _unlike, entries_at, growth_unfolding, hopeless, least_states, orders_of
from noughts.counting.frontier.sweep import Route, layout_of
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import (
    Needed,
    Pattern,
    census_rows,
    filling_bound,
    kinds_of_symmetry,
    moduli_for,
    orbits_of,
    recombine,
    shared_sets,
    why_not,
)
from noughts.counting.question import Question
from noughts.known import numbers
from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import SERIAL
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError, FileError
from tests import naive
from tests.counting.comparing import COUNTED, ENDS, LINES, counted, differences, estimated, first_moves, refusal


@given(LINES)
@settings(max_examples=60)
def test_boards_given_by_any_lines_count_as_listed(given_lines: tuple[int, frozenset[frozenset[int]]]) -> None:
    cells, lines = given_lines
    game = naive.Game(cells, lines)
    expected = naive.census(game, "labelled", "any", "any", "line", (tuple(range(cells)),), None, None)
    question = Question(Board.from_lines(cells, lines))
    for engine in ("frontier", "subset", "inclusion"):
        if refusal(engine, question) is None:
            assert [asdict(row) for row in counted(engine, question).plies] == expected, engine


@given(LINES, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_any_order_of_the_cells_counts_the_same(
    given_lines: tuple[int, frozenset[frozenset[int]]], random: Random
) -> None:
    from noughts.counting.frontier.sweep import Route, swept

    cells, lines = given_lines
    pattern = Pattern.of_lines(cells, (sum(1 << cell for cell in line) for line in lines))
    order = list(range(cells))
    counts = []
    for _ in range(2):
        route = Route(pattern, order, shared_sets(pattern.first, 1000))
        counts.append(swept(route, cells, SERIAL, None, lambda cell, states: None))
        random.shuffle(order)
    assert counts[0] == counts[1]


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x4:3", "3x3+torus", "3x3+misere", "2x2x2:2", "3x3:2", "1x7:3"])
def test_positions_to_start_from_count_as_by_recursion(spec: str) -> None:
    compared = 0
    for start in first_moves(spec):
        for same, end in product(COUNTED, ENDS):
            question = Question(start.board, same, end=end, start=start)
            for engine in ("frontier", "subset", "inclusion", "games"):
                if refusal(engine, question) is None:
                    compared += 1
                    assert differences(counted(engine, question), counted("plain", question)) == []
    assert compared >= 4


SWEEP = [
    "1x12:3", "2x7:2", "2x8:3", "3x5:3", "3x5:4", "4x4:2", "4x4:3", "4x4:4", "4x4:5", "3x4:3+torus", "4x4:4+torus",
    "2x2x3:2", "2x2x4:3", "4x4:3+misere", "3x6:5", "2x9:4",
]  # fmt: skip


@pytest.mark.parametrize("spec", SWEEP)
def test_sums_over_subsets_equal_the_frontier(spec: str) -> None:
    for same in ("labelled", "symmetry"):
        question = ask(spec, same=same)
        assert differences(counted("frontier", question), counted("subset", question)) == []


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_sums_over_subsets_equal_the_frontier_on_all_boards_of_20_cells(rows: int) -> None:
    for columns in range(rows, 20 // rows + 1):
        for k in range(1, columns + 1):
            for torus in ("", "+torus"):
                for symmetry in ("board", "lines"):
                    question = ask(f"{rows}x{columns}:{k}{torus}", same="symmetry", symmetry=symmetry)
                    if why_not(question) is None:
                        assert differences(counted("frontier", question), counted("subset", question)) == []


@pytest.mark.parametrize("side", [2, 3, 4, 5, 6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_inclusion_and_exclusion_equals_the_frontier(side: int) -> None:
    """From 7x7 on the numbers outgrow one machine word, so the residues are put to the test as well."""
    question = ask(f"{side}x{side}")
    assert differences(counted("inclusion", question), counted("frontier", question)) == []
    assert differences(counted("inclusion", ask(f"{side}x{side}", same="symmetry")), counted("frontier",
        ask(f"{side}x{side}", same="symmetry"))) == []  # fmt: skip


def test_the_published_games_on_square_boards() -> None:
    columns = {"A061526": "finished", "A061527": "x_wins", "A061528": "o_wins", "A061529": "draws"}
    found = {entry["id"]: entry["terms"] for entry in numbers("sequence") if entry["id"] in columns}
    for name, column in columns.items():
        assert len(found[name]) == 7
        for side, term in enumerate(found[name], 1):
            for engine in ("inclusion", "frontier"):
                census = counted(engine, ask(f"{side}x{side}"))
                assert str(getattr(census.totals, column)) == term, (name, side, engine)


def test_the_published_position_classes() -> None:
    wanted = {"A317575 row 4": ("4x4", "positions"), "A317575 row 5 (known part)": ("5x5", "positions"),
              "A008907": ("3x3", "positions"), "A048245": ("3x3", "terminal_positions")}  # fmt: skip
    for entry in numbers("sequence"):
        if entry["id"] in wanted:
            spec, column = wanted.pop(entry["id"])
            terms = [int(term) for term in entry["terms"]]
            for engine in ("subset", "frontier"):
                question = ask(spec, same="symmetry", to_ply=len(terms) - 1)
                assert list(counted(engine, question).column(column)) == terms
    assert not wanted


@pytest.mark.parametrize("spec", ["5x5:4", "6x6:6"])
def test_threads_do_not_change_the_numbers(spec: str) -> None:
    question = ask(spec)
    assert counted("frontier", question, threads=1).plies == counted("frontier", question, threads=3).plies


def test_games_alone_equal_the_games_of_the_frontier() -> None:
    question = ask("4x5:4", same="symmetry")
    alone = counted("games", question)
    assert alone.totals.positions is None
    assert differences(alone, counted("frontier", question)) == []


def test_kinds_of_symmetry_cover_the_group_and_share_their_orbit_sizes() -> None:
    for spec in ("3x4", "3x3", "2x2x2", "3x3+torus"):
        group = Board.parse(spec).group()
        kinds = kinds_of_symmetry(group)
        assert sum(count for _, count in kinds) == group.order
        sizes = sorted(sorted(o.bit_count() for o in orbits_of(g)) for g in group.elements)
        assert sizes == sorted(sorted(o.bit_count() for o in orbits_of(g)) for g, n in kinds for _ in range(n))


def test_shared_sets_count_each_family_of_lines_once() -> None:
    board = Board.parse("4x4:3")
    pattern = Pattern.of_lines(board.cells, board.line_masks)
    weights = shared_sets(pattern.first, 1000)
    assert weights is not None
    for lines in (board.line_masks[:1], board.line_masks[:2], board.line_masks[3:9:3]):
        shared = board.full
        for line in lines:
            shared &= line
        inside = sum(weight for cells, weight in weights.items() if cells & shared == cells)
        assert inside == (1 if shared else 0)
    assert shared_sets(pattern.first, 5) is None


def test_residues_give_back_the_number_and_the_bound_holds() -> None:
    for number in (0, 1, 2**64 - 1, 2**64, 3**100):
        moduli = moduli_for(number)
        assert recombine([number % m for m in moduli], moduli) == number
        assert all(pow(2, m - 1, m) == 1 for m in moduli[1:])
    assert len(moduli_for(2**64 - 1)) == 1 < len(moduli_for(2**64))
    assert filling_bound([1] * 6) == 90
    assert filling_bound([2, 1]) == 9


def test_a_census_crosses_the_word_exactly_where_one_word_is_too_few() -> None:
    """On a board without lines every filling is open; 44 cells have more than 2^64 of one kind."""
    for cells in (40, 41, 44, 45, 81):
        census = counted("frontier", ask(f"1x{cells}:{cells + 1}"))
        assert census.plies == counted("inclusion", ask(f"1x{cells}:{cells + 1}")).plies


class Killed(Exception):
    """Stands for a kill."""


def test_interrupted_work_goes_on_from_its_last_cell(tmp_path: Path) -> None:
    question = ask("4x5:4", same="symmetry")
    whole = counted("frontier", question)
    for stop in (1, 17, 23, 40):
        cells: list[int] = []

        def report(done: int, work: int, what: str, stop: int = stop, cells: list[int] = cells) -> None:
            cells.append(done)
            if done == stop:
                raise Killed

        with pytest.raises(Killed):
            counted("frontier", question, progress=report, resume=tmp_path)
        assert cells[-1] == stop
        assert not list(tmp_path.glob("*.part"))
    seen: list[int] = []
    again = counted("frontier", question, progress=lambda done, work, what: seen.append(done), resume=tmp_path)
    assert again.plies == whole.plies
    assert min(seen) == 40
    finished: list[int] = []
    counted("frontier", question, progress=lambda done, work, what: finished.append(done), resume=tmp_path)
    assert finished == [20 + 12 + 10 + 10 + 4], "nothing is left to do"


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"

    def another(*at: object) -> None:
        with pytest.raises(FileError, match="another run of noughts is at work in"):
            counted("frontier", ask("3x4:3"), resume=folder)

    found = counted("frontier", ask("3x4:3"), progress=another, resume=folder)
    assert found.plies == counted("frontier", ask("3x4:3"), resume=folder).plies


def test_damaged_files_are_named_and_not_believed(tmp_path: Path) -> None:
    question = ask("3x4:3")
    counted("frontier", question, resume=tmp_path)
    kept = sorted(tmp_path.glob("*.json"))
    assert kept
    kept[0].write_text(kept[0].read_text().replace("1", "2", 5))
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("frontier", question, resume=tmp_path)
    kept[0].unlink()
    (kept[0].with_suffix(".npz")).write_bytes(b"PK nonsense")
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("frontier", question, resume=tmp_path)
    with open(kept[0].with_suffix(".npz"), "wb") as file:
        np.savez(file, other=np.zeros(3))
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("frontier", question, resume=tmp_path)
    kept[0].with_suffix(".npz").unlink()
    left = tmp_path / f".{kept[0].stem}.npz.0123456789abcdef.noughts-part"
    left.write_bytes(b"what a kill left")
    counted("frontier", question, resume=tmp_path)
    assert not left.exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="no folder that can be used"):
        counted("frontier", question, resume=tmp_path / "file" / "below")


def test_estimates_stop_at_the_budget() -> None:
    question = ask("9x9:5")
    cost = estimated("frontier", question, Limits(200e6))
    assert cost.at_least
    assert cost.memory > 200e6
    with pytest.raises(BudgetError, match="over the budget of 200 MB of memory"):
        noughts.count("9x9:5", memory="200MB")


def test_what_unfolds_on_and_on_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, advance = [], DryRun.advance

    def recorded(self: DryRun) -> None:
        runs.append(self)
        advance(self)

    monkeypatch.setattr(DryRun, "advance", recorded)
    cost = estimated("frontier", ask("6x6:4+torus"), Limits(14e9))
    assert cost.at_least
    assert cost.memory > 14e9
    assert 10**5 < max(run.visited for run in runs) < 10**6, "after a second, not half a minute"
    assert growth_unfolding([3**n for n in range(15)], 4) == pytest.approx(27)
    assert growth_unfolding([3**n for n in range(15)], 1) == 1, "half-way is near"
    assert growth_unfolding([3**n for n in range(15)] + [7 * 10**6], 4) == 1, "something slows it down"
    assert growth_unfolding([3**n for n in range(9)], 4) == 1, "it is small"


def test_the_same_pattern_has_the_same_plan() -> None:
    board = Board.parse("3x3x3")
    pattern = Pattern.of_lines(18, board.line_masks[:0])
    assert best_route(pattern, orders_of(pattern, (3, 3, 2)), 18, (3, 3, 2), Limits())[0].order == tuple(range(18))
    small = Pattern.of_lines(27, board.line_masks[::4])
    orders = [best_route(small, orders_of(small, (3, 3, 3)), 27, (3, 3, 3), Limits())[0].order for _ in range(2)]
    assert orders[0] == orders[1]


def test_orders_that_a_symmetry_exchanges_race_once() -> None:
    cube = Pattern.of_lines(27, Board.parse("3x3x3").line_masks)
    sides = [(i % 3, i // 3 % 3, i // 9) for i in range(27)]
    along = []
    for axes in ((2, 1, 0), (2, 0, 1), (0, 1, 2)):
        keys = [[side[axis] for axis in axes] for side in sides]
        along.append(tuple(sorted(range(27), key=keys.__getitem__)))
    assert _unlike(cube, along) == along[:1]
    oblong = Pattern.of_lines(12, Board.parse("3x4:3").line_masks)
    by_columns = tuple(sorted(range(12), key=lambda i: (i % 4, i // 4)))
    assert _unlike(oblong, [tuple(range(12)), by_columns, by_columns[::-1]]) == [tuple(range(12)), by_columns]


def test_what_they_refuse_is_said() -> None:
    for engine in ("frontier", "subset", "inclusion", "games"):
        for question in (ask("3x3", moves="win"), ask("3x3", end="decided"), ask("3x3", same="symmetry", start="a1")):
            why = refusal(engine, question)
            assert why
            assert "\n" not in why
    assert refusal("frontier", ask("40x40:3"))
    assert refusal("subset", ask("4x8:4"))
    assert refusal("inclusion", ask("4x4:3"))


def test_kernels_give_the_same_numbers_uncompiled() -> None:
    code = (
        "from noughts.counting.engines import ask\n"
        "from tests.counting.comparing import counted\n"
        "for spec in ('3x3', '2x4:2', '1x5:1'):\n"
        "    for same in ('labelled', 'symmetry'):\n"
        "        for engine in ('frontier', 'subset'):\n"
        "            print(counted(engine, ask(spec, same=same)).totals.as_dict())\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert printed[0] == printed[1]
    assert "255168" in printed[0]


def test_rows_come_from_any_engine_that_counts_patterns() -> None:
    """The two rooms between an engine and a census are told apart: a wrong tally gives a wrong census, not a crash."""
    from noughts.counting.patterns import Tally

    def wrong(pattern: Pattern, won: bool) -> Tally:
        right = inclusion._tally(pattern, won, pattern.total)
        return Tally(right.open, tuple(n + (t == 5) for t, n in enumerate(right.won)) if right.won else None)

    question = ask("3x3")
    census = Census(question, "wrong", census_rows(Needed(question), wrong))
    assert [text.split(":")[0] for text in differences(census, counted("plain", question))] == [
        "ply 5, positions", "ply 5, terminal_positions", "ply 5, terminal_x",
    ]  # fmt: skip


@pytest.mark.parametrize("spec", ["3x4:3", "2x5:3", "3x3+torus", "2x2x2:2", "3x3+misere"])
def test_up_to_a_ply_they_count_what_a_whole_census_says(spec: str) -> None:
    """Lines that nobody can complete by then are left out, which must not show."""
    for same in ("labelled", "symmetry"):
        whole = counted("layered", ask(spec, same=same)).plies
        for to_ply in range(len(whole)):
            question = ask(spec, same=same, to_ply=to_ply)
            for engine in ("frontier", "subset", "inclusion", "games"):
                if refusal(engine, question) is None:
                    census = Census(question, "whole", whole[: to_ply + 1])
                    assert differences(counted(engine, question), census) == [], (engine, to_ply)


def test_a_line_out_of_reach_costs_nothing() -> None:
    assert estimated("frontier", ask("8x8:5"), Limits(1e9)).at_least
    assert noughts.count("8x8:5", to_ply=6).totals.finished == 0
    assert noughts.count("8x8:5", to_ply=8).engine == "inclusion"


def test_a_forecast_that_was_cut_short_never_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = Estimate(10**9, 1.0, "so far", at_least=True)
    assert not cut.fits(10**12)
    assert Estimate(10**9, 1.0, "in all").fits(10**9, 1.0)
    assert not Estimate(10**9, 1.0, "in all").fits(10**9, 0.9)
    monkeypatch.setattr("noughts.counting.frontier.forecast._QUICK", 100)
    monkeypatch.setattr("noughts.counting.frontier.forecast._LARGEST", 500)
    with pytest.raises(BudgetError, match=r"needs more than .*, over the budget of 100 GB of memory, as far as can"):
        noughts.count("4x6:3", to_ply=23, engine="frontier", memory="100GB")
    assert noughts.count("4x6:3", to_ply=23, memory="100GB").engine == "subset"


def test_on_long_boards_the_forecast_knows_the_rest_from_one_row() -> None:
    pattern, sides = Pattern.of_lines(60, Board.parse("20x3:3").line_masks), (3, 20, 1)
    route, forecast = best_route(pattern, orders_of(pattern, sides), 60, sides, Limits())
    run = DryRun(route, 60, ())
    while not run.is_done:
        run.advance()
    whole = run.forecast()
    assert forecast.complete
    assert whole.widest == forecast.widest
    assert whole.memory <= forecast.memory <= 2 * whole.memory
    assert whole.states <= forecast.states <= 1.2 * whole.states


def test_a_race_of_orders_that_itself_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says at least so many seconds; what is reckoned is the same on every machine."""
    pattern, sides = Pattern.of_lines(16, Board.parse("4x4:3").line_masks), (4, 4, 1)
    orders = orders_of(pattern, sides)
    monkeypatch.setattr("noughts.counting.frontier.forecast._EDGE_SECONDS", 1e-3)
    monkeypatch.setattr(DryRun, "exceeds", lambda run, limits: False)
    whole = best_route(pattern, orders, 16, sides, Limits())[1]
    assert whole.complete
    cut = best_route(pattern, orders, 16, sides, Limits(seconds=0.5))[1]
    assert not cut.complete
    assert cut.states < whole.states
    assert cut.seconds > 0.5


def test_without_shared_sets_the_frontier_gives_the_games_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request(ask("4x4:3"))
    whole = frontier.offer_frontier(request, Limits())
    assert isinstance(whole, CountingOffer)
    assert (whole.engine, whole.missing) == ("frontier", ())
    monkeypatch.setattr(frontier, "SHARED_LIMIT", 5)
    alone = frontier.offer_frontier(Request(ask("4x4:3")), Limits())
    assert isinstance(alone, CountingOffer)
    assert (alone.engine, alone.missing) == ("games", POSITION_COLUMNS)
    assert noughts.count("4x4:3").totals.positions is not None


@given(LINES, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=60, deadline=None)
def test_no_sweep_has_fewer_states_than_the_bound(
    given_lines: tuple[int, frozenset[frozenset[int]]], random: Random, started: bool
) -> None:
    cells, lines = given_lines
    masks = sorted(sum(1 << cell for cell in line) for line in lines if len(line) > 1)
    pattern = Pattern.of(cells, masks, first=int(started and 1 not in masks))
    order = random.sample(range(pattern.size), pattern.size)
    run = DryRun(Route(pattern, order), pattern.size, ())
    for step in range(pattern.size + 1):
        assert least_states(pattern, order[:step]) <= len(run.states)
        assert entries_at(step, pattern.size - step, 5) == layout_of(step, pattern.size - step, 5).entries
        if step < pattern.size:
            run.advance()


@pytest.mark.parametrize("spec", ["4x5:4", "3x3x3", "5x5:3", "4x4:3+torus", "2x4x4:3", "3x9:3"])
def test_the_bound_tells_something_but_not_too_much(spec: str) -> None:
    board = Board.parse(spec)
    pattern = Pattern.of_lines(board.cells, board.line_masks)
    order = list(range(board.cells))
    run = DryRun(Route(pattern, order), board.cells, ())
    told = 0
    for step in range(board.cells // 2):
        told = max(told, least_states(pattern, order[:step]))
        assert least_states(pattern, order[:step]) <= len(run.states)
        run.advance()
    assert told > 10
    assert hopeless(pattern, order, board.cells, Limits(10**9)) is None
    cost = hopeless(pattern, order, board.cells, Limits(1000))
    assert cost is not None
    assert cost.top <= run.bill.memory


def test_patterns_and_routes_are_made_once_for_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five kinds of symmetry, and three sets of cells that some fix; two sweeps where a sweep has two parts."""
    from noughts.counting.frontier import forecast
    from noughts.counting.frontier import forecast as race

    made: list[tuple[object, ...]] = []
    reckoned: list[object] = []
    whole = Pattern.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[Pattern], /, cells: int, lines: object, **options: object) -> Pattern:
        made.append((cells, *sorted(options.items())))
        pattern: Pattern = whole(cls, cells, lines, **options)
        return pattern

    class Watched(DryRun):
        def __init__(self, route: Route, to_ply: int, sides: tuple[int, ...]) -> None:
            reckoned.append((route.pattern, route.has_won, route.order))
            super().__init__(route, to_ply, sides)

    monkeypatch.setattr(Pattern, "of", classmethod(of))
    monkeypatch.setattr(race, "DryRun", Watched)
    monkeypatch.setattr(forecast, "DryRun", Watched)
    census = noughts.count("5x5:4", same="symmetry")
    assert census.engine == "frontier"
    assert len(made) == len(set(made)) == 8
    assert len(reckoned) == len(set(reckoned))
    made.clear()
    reckoned.clear()
    assert noughts.count("4x4:3", same="labelled", engine="frontier").totals.positions is not None
    assert len(made) == 1
    assert len(reckoned) == len(set(reckoned))


# Random walks through a frontier show that it has many states, and never that it has more than there are.

WALKERS = 1 << 14


def pattern_of(spec: str) -> Pattern:
    board = Board.parse(spec)
    return Pattern.of_lines(board.cells, board.line_masks)


def sizes_of(pattern: Pattern) -> list[int]:
    exploration = Exploration(Route(pattern, range(pattern.size)))
    while not exploration.is_done:
        assert exploration.advance(lambda states: True)
    return exploration.sizes


def shown_on(pattern: Pattern) -> list[int]:
    return list(RandomWalk(pattern, tuple(range(pattern.size)), WALKERS).sizes())[-1]


@pytest.mark.parametrize("spec", ["4x4:3", "4x4:3+torus", "5x5:4", "5x5:5+torus", "4x6:4", "3x3x2:3", "1x12:3"])
def test_no_more_states_are_shown_than_there_are(spec: str) -> None:
    pattern = pattern_of(spec)
    shown = shown_on(pattern)
    truth = sizes_of(pattern)
    assert all(few <= many for few, many in zip(shown, truth, strict=False))
    assert any(2 * few > many > 100 for few, many in zip(shown, truth, strict=False)) or max(truth) <= 100


def test_players_with_other_lines_are_not_taken_for_each_other() -> None:
    pattern = Pattern.of(12, [0b000111, 0b111000, 0b001100, 0b111 << 8], first=0b000001)
    assert not pattern.is_symmetric
    shown = shown_on(pattern)
    assert all(few <= many for few, many in zip(shown, sizes_of(pattern), strict=False))
    assert max(shown) > 1


def test_a_walk_goes_on_from_where_it_was_left() -> None:
    pattern = pattern_of("4x4:3+torus")
    order = tuple(range(pattern.size))
    for sizes in walk_of(pattern, order, 1 << 8).sizes():
        if len(sizes) == 5:
            break
    assert list(walk_of(pattern, order, 1 << 8).sizes()) == list(RandomWalk(pattern, order, 1 << 8).sizes())


def test_what_walks_show_is_refused_before_its_states_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    advance = Exploration.advance

    def counted(self: Exploration, visit: Callable[[int], bool]) -> bool:
        found.append(self)
        return advance(self, visit)

    monkeypatch.setattr(Exploration, "advance", counted)
    question, row = ask("5x6:4+torus"), row_of("points-games")
    refused = row.offer(Request(question, row.wanted, strict=True), Limits(memory=700e6))
    assert isinstance(refused, Refusal)
    assert refused.estimate is not None
    assert refused.estimate.at_least
    assert refused.estimate.memory > 700e6
    assert max(run.visited for run in found) < 400_000, "of over a million in its widest layer alone"


def test_tables_that_walks_show_to_be_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "growth_unfolding", lambda sizes, left: 1.0)
    pattern, sides = pattern_of("5x6:4+torus"), (6, 5, 1)
    found = best_route(pattern, orders_of(pattern, sides), pattern.total, sides, Limits(memory=400e6))[1]
    assert not found.complete
    assert found.memory > 400e6
    assert found.states < 400_000 < found.widest
