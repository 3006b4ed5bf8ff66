"""The engines that list nothing, against listing, against each other, and against published numbers."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import asdict
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.counting.census import GAME_COLUMNS, Census
from noughts.counting.engines import ask, choose, offers, row_of, why_no_count
from noughts.counting.frontier.sweep import Route, swept
from noughts.counting.offers import Request
from noughts.counting.patterns import (
    Pattern,
    filling_bound,
    moduli_for,
    recombine,
    shared_sets,
)
from noughts.counting.question import Question
from noughts.machine.budget import Limits, Refusal
from noughts.machine.checkpoints import Checkpoints
from noughts.machine.workers import SERIAL
from noughts.rules.board import Board
from tests import naive
from tests.counting.comparing import (
    COUNTED,
    ENDS,
    LINES,
    counted,
    differences,
    estimated,
    first_moves,
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
        counts.append(swept(route, cells, SERIAL, Checkpoints(None), lambda cell, states: None))
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
            if why_no_count(question) is None:
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


@pytest.mark.parametrize("engine", ["frontier", "transfer"])
@pytest.mark.parametrize("spec", dear(["5x5:4", "6x6", "7x7"], "7x7"))
def test_threads_do_not_change_the_numbers(engine: str, spec: str) -> None:
    question = ask(spec)
    assert counted(engine, question, threads=1).plies == counted(engine, question, threads=3).plies


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


@pytest.mark.parametrize("engine", SWEPT)
@pytest.mark.parametrize("limits", [Limits(400e6), Limits(seconds=5.0)])
def test_what_exceeds_a_budget_is_refused_soon(engine: str, limits: Limits) -> None:
    counted(engine, ask("3x5:3"))  # loads what is compiled
    started = time.process_time()
    cost = estimated(engine, ask("9x9:5" if engine in ("frontier", "points") else "8x8:5"), limits)
    assert time.process_time() - started < 2
    assert cost.at_least
    assert not limits.allow(cost)


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


@pytest.mark.parametrize("engine", ["frontier", "transfer"])
@pytest.mark.parametrize("asked", [{"same": "choices"}, {"end": "full"}])
def test_games_alone_are_counted_to_a_line_and_not_by_choices(engine: str, asked: dict[str, Any]) -> None:
    refused = row_of(engine).offers(Request(ask("3x4:3", **asked), GAME_COLUMNS))[0](Limits())
    assert isinstance(refused, Refusal)
    assert "counts only games that end at a line" in refused.reason
