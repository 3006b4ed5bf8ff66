"""The engines that list nothing, against listing, against each other, and against published numbers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import asdict
from importlib.util import find_spec
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts.counting import inclusion
from noughts.counting.census import GAME_COLUMNS, POSITION_COLUMNS, Census
from noughts.counting.engines import answer, ask, choose, offers
from noughts.counting.frontier import tables
from noughts.counting.frontier.forecast import smallest
from noughts.counting.frontier.graph import Exploration
from noughts.counting.frontier.grid import PointCost
from noughts.counting.frontier.sweep import Route, swept
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import (
    Needed,
    Pattern,
    Tally,
    census_rows,
    filling_bound,
    kinds_of_symmetry,
    moduli_for,
    recombine,
    shared_sets,
    why_not,
)
from noughts.counting.question import Question
from noughts.known import numbers
from noughts.machine.budget import Estimate, Limits
from noughts.machine.workers import SERIAL
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError, FileError
from noughts.rules.symmetry import orbits_of
from tests import naive
from tests.counting.comparing import (
    COUNTED,
    ENDS,
    LINES,
    counted,
    differences,
    estimated,
    first_moves,
    pattern_of,
    refusal,
)
from tests.dear import dear

SWEPT = ("frontier", "points", "transfer", "transfer points")
WITHOUT_TREE = ("frontier", "points", "transfer", "transfer points", "subset", "inclusion")


@given(LINES)
@settings(max_examples=30, deadline=None)
def test_boards_given_by_any_lines_count_as_listed(given_lines: tuple[int, frozenset[frozenset[int]]]) -> None:
    cells, lines = given_lines
    game = naive.Game(cells, lines)
    expected = naive.census(game, "labelled", "any", "any", "line", (tuple(range(cells)),), None, None)
    question = Question(Board.from_lines(cells, lines))
    for engine in WITHOUT_TREE:
        if refusal(engine, question) is None:
            assert [asdict(row) for row in counted(engine, question).plies] == expected, engine


@given(LINES, st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_any_order_of_the_cells_counts_the_same(
    given_lines: tuple[int, frozenset[frozenset[int]]], random: Random
) -> None:
    cells, lines = given_lines
    pattern = Pattern.of(cells, [sum(1 << cell for cell in line) for line in lines])
    order = list(range(cells))
    counts = []
    for _ in range(2):
        route = Route(pattern, order, shared_sets(pattern.first, 1000))
        counts.append(swept(route, cells, SERIAL, None, lambda cell, states: None))
        random.shuffle(order)
    assert counts[0] == counts[1]


@pytest.mark.parametrize("spec", dear(["3x3", "2x4:3", "2x3:3+misere", "3x3+misere", "2x2x2:2"], "3x3", "3x3+misere"))
def test_positions_to_start_from_count_as_by_recursion(spec: str) -> None:
    compared = 0
    for start in first_moves(spec):
        for same, end in product(COUNTED, ENDS):
            question = Question(start.board, same, end=end, start=start)
            for engine in (*WITHOUT_TREE, "frontier games"):
                if refusal(engine, question) is None:
                    compared += 1
                    assert differences(counted(engine, question), counted("plain", question)) == []
    assert compared >= 8


SWEEP = [
    "1x1", "1x2", "1x12:3", "2x7:2", "3x5:3", "3x5:6", "4x4:3", "4x4:4+torus", "2x2x3:2", "4x4:3+misere", "2x9:4",
]  # fmt: skip


@pytest.mark.parametrize("spec", SWEEP)
def test_all_engines_without_a_tree_agree(spec: str) -> None:
    for same in COUNTED:
        question = ask(spec, same=same)
        expected = counted("subset", question)
        for engine in SWEPT:
            assert differences(counted(engine, question), expected) == [], engine
            alone = counted(f"{engine} games", question)
            assert (differences(alone, expected), alone.totals.positions) == ([], None), engine


@pytest.mark.parametrize("spec", ["4x5:4", "5x5:4", "3x11:3", "2x4x4:3", "3x7:3+misere"])
def test_the_frontier_and_its_witness_agree(spec: str) -> None:
    for same in COUNTED:
        question = ask(spec, same=same)
        assert differences(counted("transfer", question), counted("frontier", question)) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["6x6:5", "10x5:3", "12x3:3", "10x4:3", "3x3x3", "3x11:3+torus"])
def test_the_frontier_and_its_witness_agree_on_large_boards(spec: str) -> None:
    for same in COUNTED:
        question = ask(spec, same=same)
        assert differences(counted("transfer", question), counted("frontier", question)) == []


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_all_boards_of_20_cells_count_the_same(rows: int) -> None:
    for columns in range(rows, 20 // rows + 1):
        for k, torus, symmetry in product(range(1, columns + 1), ("", "+torus"), ("board", "lines")):
            question = ask(f"{rows}x{columns}:{k}{torus}", same="symmetry", symmetry=symmetry)  # type: ignore[arg-type]
            if why_not(question) is None:
                found = counted("frontier", question)
                assert differences(found, counted("subset", question)) == []
                if rows * columns <= 16:
                    assert differences(found, counted("points", question)) == []


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
    assert {len(terms) for terms in found.values()} == {7}
    for side, engine in product(range(1, 8), ("inclusion", "frontier")):
        totals = counted(engine, ask(f"{side}x{side}")).totals
        for name, column in columns.items():
            assert str(getattr(totals, column)) == found[name][side - 1], (name, side, engine)


def test_the_published_position_classes() -> None:
    wanted = {"A317575 row 4": ("4x4", "positions"), "A317575 row 5 (known part)": ("5x5", "positions"),
              "A008907": ("3x3", "positions"), "A048245": ("3x3", "terminal")}  # fmt: skip
    for entry in numbers("sequence"):
        if entry["id"] in wanted:
            spec, column = wanted.pop(entry["id"])
            terms = [int(term) for term in entry["terms"]]
            for engine in ("subset", "frontier"):
                question = ask(spec, same="symmetry", to_ply=len(terms) - 1)
                assert list(counted(engine, question).column(column)) == terms
    assert not wanted


@pytest.mark.slow
def test_inclusion_and_exclusion_agree_on_all_64_cells() -> None:
    for same in COUNTED:
        question = ask("8x8", same=same)
        assert differences(counted("transfer", question), counted("inclusion", question)) == []


@pytest.mark.parametrize("engine", ["frontier", "transfer"])
@pytest.mark.parametrize("spec", dear(["5x5:4", "6x6", "7x7"], "7x7"))
def test_threads_do_not_change_the_numbers(engine: str, spec: str) -> None:
    question = ask(spec)
    assert counted(engine, question, threads=1).plies == counted(engine, question, threads=3).plies


def test_kinds_of_symmetry_cover_the_group_and_share_their_orbit_sizes() -> None:
    for spec in ("3x4", "3x3", "2x2x2", "3x3+torus"):
        group = Board.parse(spec).group()
        kinds = kinds_of_symmetry(group)
        assert sum(count for _, count in kinds) == group.order
        sizes = sorted(sorted(o.bit_count() for o in orbits_of(g)) for g in group.elements)
        assert sizes == sorted(sorted(o.bit_count() for o in orbits_of(g)) for g, n in kinds for _ in range(n))


def test_shared_sets_count_each_family_of_lines_once() -> None:
    board, pattern = Board.parse("4x4:3"), pattern_of("4x4:3")
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


class Killed(Exception):
    """Stands for a kill."""


@pytest.mark.parametrize("engine", ["frontier", "transfer"])
def test_interrupted_work_goes_on_from_its_last_cell(tmp_path: Path, engine: str) -> None:
    question = ask("4x5:4", same="symmetry")
    whole = counted(engine, question)
    for stop in (1, 17, 23, 40):
        cells: list[int] = []

        def report(done: int, work: int, what: str, stop: int = stop, cells: list[int] = cells) -> None:
            cells.append(done)
            if done == stop:
                raise Killed

        with pytest.raises(Killed):
            counted(engine, question, progress=report, resume=tmp_path)
        assert cells[-1] == stop
        assert not list(tmp_path.glob("*.part"))
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".npz"}
    seen: list[int] = []
    again = counted(engine, question, progress=lambda done, work, what: seen.append(done), resume=tmp_path)
    assert again.plies == whole.plies
    assert min(seen) == 40
    assert not list(tmp_path.glob("*.npz"))
    finished: list[int] = []
    counted(engine, question, progress=lambda done, work, what: finished.append(done), resume=tmp_path)
    assert finished == [20 + 12 + 10 + 10 + 4], "nothing is left to do"


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"

    def another(*at: object) -> None:
        with pytest.raises(FileError, match="another run of noughts uses"):
            counted("frontier", ask("3x4:3"), resume=folder)

    found = counted("frontier", ask("3x4:3"), progress=another, resume=folder)
    assert found.plies == counted("frontier", ask("3x4:3"), resume=folder).plies


def test_damaged_files_are_named_and_not_believed(tmp_path: Path) -> None:
    question = ask("3x4:3")
    counted("frontier", question, resume=tmp_path)
    saved = sorted(tmp_path.glob("*.json"))
    assert saved
    saved[0].write_text(saved[0].read_text().replace("1", "2", 5))
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("frontier", question, resume=tmp_path)
    saved[0].unlink()
    (saved[0].with_suffix(".npz")).write_bytes(b"PK nonsense")
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("frontier", question, resume=tmp_path)
    with open(saved[0].with_suffix(".npz"), "wb") as file:
        np.savez(file, other=np.zeros(3))
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("frontier", question, resume=tmp_path)
    saved[0].with_suffix(".npz").unlink()
    left = tmp_path / f".{saved[0].stem}.npz.0123456789abcdef.noughts-part"
    left.write_bytes(b"what a kill left")
    counted("frontier", question, resume=tmp_path)
    assert not left.exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"the folder .* cannot be used"):
        counted("frontier", question, resume=tmp_path / "file" / "below")


@pytest.mark.parametrize("engine", SWEPT)
@pytest.mark.parametrize("limits", [Limits(400e6), Limits(seconds=5.0)])
def test_what_exceeds_a_budget_is_refused_soon(engine: str, limits: Limits) -> None:
    counted(engine, ask("3x5:3"))  # loads what is compiled
    started = time.process_time()
    cost = estimated(engine, ask("9x9:5" if engine in ("frontier", "points") else "8x8:5"), limits)
    assert time.process_time() - started < 2
    assert cost.at_least
    assert not limits.allow(cost)


def test_a_refusal_says_what_was_exceeded() -> None:
    with pytest.raises(BudgetError, match="by the engine transfer, over the budget of 300 MB of memory"):
        answer(ask("6x6:5"), engine="transfer", limits=Limits(300 * 10**6))
    with pytest.raises(BudgetError, match="over the budget of 200 MB of memory"):
        noughts.count("9x9:5", memory="200MB")
    cut = Estimate(10**9, 1.0, "so far", at_least=True)
    assert not Limits(10**12).allow(cut)
    assert Limits(10**9, 1.0).allow(Estimate(10**9, 1.0, "in all"))
    assert not Limits(10**9, 0.9).allow(Estimate(10**9, 1.0, "in all"))


def test_the_order_with_the_fewest_states_is_taken() -> None:
    pattern = pattern_of("7x3:3")
    rows, columns = tuple(range(21)), tuple(sorted(range(21), key=lambda cell: (cell % 3, cell // 3)))
    for orders in ([rows, columns], [columns, rows]):
        run, _ = smallest([Exploration(Route(pattern, order), PointCost(1)) for order in orders], Limits())
        assert run is not None
        assert run.route.order == rows


def test_refusals_name_their_reason() -> None:
    for engine in (*WITHOUT_TREE, "frontier games"):
        for question in (ask("3x3", moves="win"), ask("3x3", end="decided"), ask("3x3", same="symmetry", start="a1")):
            why = refusal(engine, question)
            assert why
            assert "\n" not in why
    assert refusal("frontier", ask("40x40:3"))
    assert refusal("subset", ask("4x8:4"))
    assert refusal("inclusion", ask("4x4:3"))
    for engine in ("transfer", "transfer points"):
        assert refusal(engine, ask("9x9:3"))
        assert refusal(engine, ask("1x65:3"))
        assert refusal(engine, Question(Board.from_lines(20, combinations(range(20), 4))))
    for engine in SWEPT:
        assert refusal(f"{engine} games", ask("3x3", end="full"))
        assert refusal(f"{engine} games", ask("3x3", same="choices"))
        assert refusal(engine, ask("3x3", end="full")) is None


@pytest.mark.slow
def test_kernels_give_the_same_numbers_uncompiled() -> None:
    code = (
        "from noughts.counting.engines import ask\n"
        "from tests.counting.comparing import counted\n"
        "for spec in ('3x3', '2x4:2', '1x5:1'):\n"
        "    for same in ('labelled', 'symmetry'):\n"
        "        for engine in ('frontier', 'subset', 'transfer'):\n"
        "            print(counted(engine, ask(spec, same=same)).totals.as_dict())\n"
        "print(counted('transfer', ask('1x46:47')).totals.as_dict())\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "NOUGHTS_KERNELS": kernels},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for kernels in ("", "plain", "v2")
    ]
    assert printed[0] == printed[1] == printed[2]
    assert "255168" in printed[0]


def test_rows_come_from_any_engine_that_counts_patterns() -> None:
    """Tallies and censuses are separate: a wrong tally gives a wrong census, not a crash."""

    def wrong(pattern: Pattern, won: bool) -> Tally:
        right = inclusion._tally(pattern, won, pattern.total)
        return Tally(right.open, tuple(n + (t == 5) for t, n in enumerate(right.won)) if right.won else None)

    question = ask("3x3")
    census = Census(question, "wrong", census_rows(Needed(question), wrong))
    assert [text.split(":")[0] for text in differences(census, counted("plain", question))] == [
        "ply 5, positions", "ply 5, terminal", "ply 5, terminal_x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "spec",
    dear(
        ["3x4:3", "3x3+torus", "2x2x2:2", "2x3:3+misere", "3x3+misere", "2x4:3", "2x3:2+torus"],
        *("3x4:3", "3x3+torus", "3x3+misere"),
    ),
)
def test_up_to_a_ply_they_count_what_a_whole_census_says(spec: str) -> None:
    """Lines that cannot be completed by the last ply are left out, without effect on the counts."""
    for same in ("labelled", "symmetry"):
        whole = counted("layered", ask(spec, same=same)).plies
        for to_ply in range(len(whole)):
            question = ask(spec, same=same, to_ply=to_ply)
            for engine in (*WITHOUT_TREE, "frontier games"):
                if refusal(engine, question) is None:
                    census = Census(question, "whole", whole[: to_ply + 1])
                    assert differences(counted(engine, question), census) == [], (engine, to_ply)


def test_a_line_out_of_reach_costs_nothing() -> None:
    assert estimated("frontier", ask("8x8:5"), Limits(1e9)).at_least
    assert noughts.count("8x8:5", to_ply=6).totals.finished == 0
    assert noughts.count("8x8:5", to_ply=8).engine == "inclusion"


def test_without_shared_sets_the_frontier_gives_the_games_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tables.offer(Request(ask("4x4:3")), Limits())
    assert isinstance(whole, CountingOffer)
    assert (whole.engine, whole.missing) == ("frontier", ())
    monkeypatch.setattr(tables, "SHARED_LIMIT", 5)
    alone = tables.offer(Request(ask("4x4:3")), Limits())
    assert isinstance(alone, CountingOffer)
    assert (alone.engine, alone.missing) == ("frontier", POSITION_COLUMNS)
    assert noughts.count("4x4:3").totals.positions is not None


# The witness: when it is asked, and what it shares with the frontier.


def test_witnesses_give_only_second_opinions() -> None:
    question, limits = ask("3x11:3"), Limits(10**10)
    assert choose(question, limits).engine == "frontier"
    second, _ = offers(Request(question), limits, without={"frontier"}, witness=True)
    assert second is not None
    assert second.engine == "transfer"
    none, refusals = offers(Request(question), limits, without={"frontier"})
    assert none is None
    assert not {"frontier", "transfer"} & {refusal.engine for refusal in refusals}
    games, _ = offers(Request(question, GAME_COLUMNS), limits, without={"frontier"}, witness=True)
    assert games is not None
    assert (games.engine, games.missing) == ("transfer", ())


def test_it_shares_no_counting_with_the_frontier() -> None:
    """Both may use only the code between engines and censuses, and one hash table."""
    code = (
        "import sys, noughts.counting.transfer.sweep\n"
        "from noughts.counting.offers import Request\n"
        "from noughts.counting.question import Question\n"
        "from noughts.counting.transfer import engine as transfer\n"
        "from noughts.rules.board import Board\n"
        "from noughts.machine.budget import Limits\n"
        "transfer.offer(Request(Question(Board.parse('3x4:3'), 'symmetry')), Limits()).count()\n"
        "print(*(name for name in sys.modules if name.startswith('noughts.')))\n"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "noughts.kernels.frontier.transfer" in loaded
    counting = ("frontier", "inclusion", "subset", "layered", "plain")
    others = [f"noughts.counting.{name}" for name in counting]
    others += [f"noughts.kernels.frontier.{name}" for name in ("states", "values", "subsets")]
    for name in others:
        assert find_spec(name), "the name is still right"
        assert not [module for module in loaded if module == name or module.startswith(f"{name}.")]
