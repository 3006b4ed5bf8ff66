"""The engine that counts by the marks that still matter, against listing and against every other engine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import asdict, replace
from importlib.util import find_spec
from itertools import combinations, product
from math import inf
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts.counting.census import GAME_COLUMNS
from noughts.counting.engines import ENGINES, answer, ask, choose, offers
from noughts.counting.offers import CountingOffer, Request
from noughts.counting.patterns import Pattern, PatternLine
from noughts.counting.question import Question
from noughts.counting.sweeps import Cost, Found
from noughts.counting.transfer import engine as transfer
from noughts.counting.transfer import sweep as transfer_graph
from noughts.counting.transfer.sweep import (
    PRIME,
    Reckoner,
    band_of,
    build,
    largest_counts,
    moduli_of,
    number_behind,
    swept,
)
from noughts.machine.budget import Limits, Refusal
from noughts.machine.workers import SERIAL
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError
from tests import naive
from tests.counting.comparing import COUNTED, ENDS, LINES, counted, differences, estimated, first_moves, refusal


@given(LINES)
@settings(max_examples=80)
def test_boards_given_by_any_lines_count_as_listed(given_lines: tuple[int, frozenset[frozenset[int]]]) -> None:
    cells, lines = given_lines
    expected = naive.census(
        naive.Game(cells, lines), "labelled", "any", "any", "line", (tuple(range(cells)),), None, None
    )
    question = Question(Board.from_lines(cells, lines))
    assert [asdict(row) for row in counted("transfer", question).plies] == expected


def decisively_won(fillings: tuple[int, ...], pattern: Pattern) -> int | None:
    """Return 0 where nobody has a line in a filling (0 blank, 1 or 2), 1 where the first player won, else None."""
    taken = [sum(1 << i for i, mark in enumerate(fillings) if mark == player) for player in (1, 2)]
    if any(line.trigger & ~taken[1] == 0 for line in pattern.second):
        return None
    cores = [line.core for line in pattern.first if line.trigger & ~taken[0] == 0]
    shared = -1
    for core in cores:
        shared &= core
    return (1 if cores else 0) if shared else None


def tried(pattern: Pattern, to_ply: int) -> Found:
    """Return what a sweep finds, by trying all fillings."""
    found = Found({}, {})
    for p in range(to_ply + 1):
        for q in range(max(0, p - 1), min(p + 1, to_ply - p) + 1):
            found.open[p, q] = found.won[p, q] = 0
    for filling in product(range(3), repeat=pattern.size):
        p, q = (sum(w for w, mark in zip(pattern.weights, filling, strict=True) if mark == player) for player in (1, 2))
        kind = decisively_won(filling, pattern)
        if kind is not None and (p, q) in found.open:
            found[kind][p, q] += 1
    return found


PATTERNS = st.integers(1, 6).flatmap(
    lambda size: st.builds(
        lambda weights, first, second: Pattern(
            tuple((1 << weight) - 1 << 3 * cell for cell, weight in enumerate(weights)),
            tuple(PatternLine(trigger, trigger & core) for trigger, core in sorted(first)),
            tuple(PatternLine(trigger, trigger) for trigger in sorted(second)),
        ),
        st.lists(st.integers(1, 3), min_size=size, max_size=size),
        st.frozensets(st.tuples(st.integers(1, (1 << size) - 1), st.integers(0, (1 << size) - 1)), max_size=8),
        st.frozensets(st.integers(1, (1 << size) - 1), max_size=4),
    )
)


@given(PATTERNS, st.randoms(use_true_random=False), st.integers(0, 12))
@settings(max_examples=120, deadline=None)
def test_any_pattern_in_any_order_counts_as_tried(pattern: Pattern, random: Random, to_ply: int) -> None:
    """Weights, cores smaller than their lines, lines of one player only, and any order of the cells."""
    order = list(range(pattern.size))
    random.shuffle(order)
    graph = build(pattern, order, True)
    assert graph is not None
    to_ply = min(to_ply, pattern.total)
    assert swept(graph, to_ply, SERIAL, None, "", lambda cells, states: None) == tried(pattern, to_ply)
    games = build(pattern, order, False)
    assert games is not None
    assert swept(games, to_ply, SERIAL, None, "", lambda cells, states: None).open == tried(pattern, to_ply).open


SMALL = [
    "1x1", "1x1:2", "1x2", "1x5:2", "1x9:9", "1x8:3", "2x2:2", "2x3:2", "3x2:2", "2x5:3", "3x3", "3x3:2", "3x3:4",
    "3x4:3", "3x3+torus", "2x4:3+torus", "1x7:3+torus", "3x3+misere", "2x4:2+misere", "2x2x2:2", "2x2x3:2",
]  # fmt: skip


@pytest.mark.parametrize("spec", SMALL)
def test_small_boards_count_as_listed(spec: str) -> None:
    cells = Board.parse(spec).cells
    listed = "plain" if cells < 10 else "layered"
    for same, end, to_ply in product(COUNTED, ENDS, (None, 0, 4)):
        for symmetry in ("board", "lines") if same == "symmetry" and cells < 12 else ("board",):
            question = ask(spec, same=same, end=end, to_ply=to_ply, symmetry=symmetry)
            if refusal("transfer", question) is not None:
                continue
            expected = counted(listed, question)
            found = counted("transfer", question).check()
            assert differences(found, expected) == []
            assert None not in (found.totals.positions, found.totals.paths)
            if end == "line":
                alone = counted("transfer-games", question).check()
                assert differences(alone, expected) == []
                assert alone.totals.positions is None
                assert alone.totals.paths is not None


@pytest.mark.parametrize("spec", ["3x3", "3x4:3", "2x4:3", "3x3+torus", "3x3+misere", "2x2x2:2", "3x3:2", "1x7:3"])
def test_positions_to_start_from_count_as_by_recursion(spec: str) -> None:
    compared = 0
    for start in first_moves(spec):
        for same, end in product(COUNTED, ENDS):
            question = Question(start.board, same, end=end, start=start)
            if refusal("transfer", question) is None:
                compared += 1
                assert differences(counted("transfer", question), counted("plain", question)) == []
    assert compared >= 2


@pytest.mark.parametrize(
    "spec",
    ["1x12:3", "2x7:2", "3x5:3", "4x4:2", "4x4:3", "4x4", "3x4:3+torus", "2x2x4:3", "4x4:3+misere", "2x9:4", "3x6:5"],
)
def test_sums_over_subsets_agree(spec: str) -> None:
    for same in ("labelled", "symmetry"):
        question = ask(spec, same=same)
        assert differences(counted("transfer", question), counted("subset", question)) == []


@pytest.mark.parametrize("spec", ["4x5:4", "5x5:4", "3x11:3", "2x3x4:3", "2x4x4:3", "3x7:3+misere"])
def test_the_frontier_agrees(spec: str) -> None:
    for same in ("labelled", "symmetry"):
        question = ask(spec, same=same)
        assert differences(counted("transfer", question), counted("frontier", question)) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["6x6:5", "10x5:3", "12x3:3", "10x4:3", "3x3x3", "3x11:3+torus"])
def test_the_frontier_agrees_on_large_boards(spec: str) -> None:
    for same in ("labelled", "symmetry"):
        question = ask(spec, same=same)
        assert differences(counted("transfer", question), counted("frontier", question)) == []


@pytest.mark.parametrize("side", [5, 6, 7])
def test_inclusion_and_exclusion_agree(side: int) -> None:
    """On 7x7 the counts outgrow one word."""
    question = ask(f"{side}x{side}")
    assert differences(counted("transfer", question), counted("inclusion", question)) == []


@pytest.mark.slow
def test_inclusion_and_exclusion_agree_on_all_64_cells() -> None:
    for same in ("labelled", "symmetry"):
        question = ask("8x8", same=same)
        assert differences(counted("transfer", question), counted("inclusion", question)) == []


def test_a_line_may_have_all_64_cells() -> None:
    for cells in (63, 64):
        question = ask(f"1x{cells}:{cells}")
        assert counted("transfer", question).plies == counted("inclusion", question).plies
    assert refusal("transfer", ask("1x65:3"))


def test_words_of_two_lengths_and_remainders_meet_without_a_seam() -> None:
    """On a board without lines every filling is open: 23 cells fill a short word, 44 a long one."""
    for cells in (22, 23, 24, 43, 44, 45, 64):
        question = ask(f"1x{cells}:{cells + 1}")
        assert counted("transfer", question).plies == counted("inclusion", question).plies


def test_moduli_tell_apart_all_counts() -> None:
    assert all(pow(base, PRIME - 1, PRIME) == 1 for base in (2, 3, 5, 7, 11))
    assert PRIME.bit_length() == 63
    assert 3**transfer.CELL_LIMIT < PRIME << 64
    assert largest_counts((1,) * 6)[-1] == 90
    assert largest_counts((2, 1)) == (1, 1, 1)
    assert [len(moduli_of((1,) * cells)) for cells in (44, 45)] == [1, 2]
    assert len(moduli_of((1,) * 64)) == 2
    for number in (0, 1, 2**64 - 1, 2**64, 3**64):
        moduli = (1 << 64, PRIME)
        assert number_behind([number % m for m in moduli], moduli) == number


def test_bands_hold_what_can_still_be_balanced() -> None:
    weights = (1, 2, 1, 3)
    for step, to_ply in product(range(5), (2, 4, 7)):
        left, visited = sum(weights[step:]), sum(weights[:step])
        spans = band_of(weights, step, to_ply).spans
        pairs = {(p, q) for p, (begin, end) in enumerate(spans) for q in range(begin, end)}
        assert pairs == {
            (p, q)
            for p, q in product(range(visited + 1), repeat=2)
            if p + q <= min(visited, to_ply) and abs(p - q) <= left + 1
        }
        assert band_of(weights, step, to_ply).entries == len(pairs)


@pytest.mark.parametrize("spec", ["5x5:4", "7x7"])
def test_threads_do_not_change_the_numbers(spec: str) -> None:
    question = ask(spec)
    assert counted("transfer", question, threads=1).plies == counted("transfer", question, threads=3).plies


def test_states_found_in_small_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of states grows as they are found."""
    question = ask("4x5:4")
    at_once = counted("transfer", question)
    monkeypatch.setattr(transfer_graph, "_CHUNK", 7)
    board = question.board
    graph = transfer_graph.build(Pattern.of_lines(board.cells, board.line_masks), range(board.cells), True)
    assert graph is not None
    assert max(graph.states) < 12_000
    assert counted("transfer", question).plies == at_once.plies


@pytest.mark.parametrize("specs", [("2x4x4:3", "4x2x4:3", "4x4x2:3"), ("3x7:3", "7x3:3"), ("2x7:3", "7x2:3")])
def test_a_board_turned_is_visited_in_the_same_good_order(specs: tuple[str, ...]) -> None:
    widest = set()
    for spec in specs:
        board = Board.parse(spec)
        pattern = Pattern.of_lines(board.cells, board.line_masks)
        order = transfer_graph.order_of(pattern, board.shape)
        assert sorted(order) == list(range(board.cells))
        graph = transfer_graph.build(pattern, order, True)
        assert graph is not None
        widest.add(max(graph.states))
    assert len(widest) == 1
    assert max(widest) < 6000


class Killed(Exception):
    """Stands for a kill."""


def test_interrupted_work_goes_on_from_its_last_cell(tmp_path: Path) -> None:
    question = ask("4x5:4", same="symmetry")
    whole = counted("transfer", question)
    for stop in (1, 10, 20, 23, 30):
        cells: list[int] = []

        def report(done: int, work: int, what: str, stop: int = stop, cells: list[int] = cells) -> None:
            cells.append(done)
            if done == stop:
                raise Killed

        with pytest.raises(Killed):
            counted("transfer", question, progress=report, resume=tmp_path)
        assert cells[-1] == stop
        assert len(cells) < 15
        assert not list(tmp_path.glob("*.part"))
    kept = sorted(path.suffix for path in tmp_path.iterdir())
    assert set(kept) == {".json", ".npz"}
    again = counted("transfer", question, resume=tmp_path)
    assert again.plies == whole.plies
    assert not list(tmp_path.glob("*.npz"))
    steps: list[int] = []
    assert counted("transfer", question, progress=lambda *at: steps.append(at[0]), resume=tmp_path).plies == whole.plies
    assert steps == [20 + 12 + 10 + 10 + 4], "nothing is left to do"
    first = sorted(tmp_path.glob("*.json"))[0]
    first.write_text(first.read_text().replace("1", "2", 5))
    with pytest.raises(CheckError, match="is damaged: delete it"):
        counted("transfer", question, resume=tmp_path)


def test_over_a_budget_it_stops_reckoning_soon() -> None:
    started = time.process_time()
    for engine in ("transfer", "transfer-games"):
        cost = estimated(engine, ask("7x7:5"), Limits(2e9))
        assert cost.at_least
        assert cost.memory > 2e9
        assert estimated(engine, ask("7x7:5"), Limits(seconds=2.0)).seconds > 2
    assert time.process_time() - started < 6
    with pytest.raises(BudgetError, match="by the engine transfer, over the budget of 300 MB of memory"):
        answer(ask("6x6:5"), engine="transfer", limits=Limits(300 * 10**6))


def test_the_estimate_is_made_from_the_very_states() -> None:
    question = ask("5x5:4")
    cost = estimated("transfer", question)
    assert not cost.at_least
    assert "43,867 sets of marks" in cost.detail
    assert 150e6 < cost.memory < 250e6
    assert estimated("transfer-games", question).memory < cost.memory


def test_witnesses_are_asked_second_and_never_first() -> None:
    question, limits = ask("6x6:5"), Limits(10**10)
    assert choose(question, limits).engine == "frontier"
    second, _ = offers(Request(question), limits, without={"frontier"}, witness=True)
    assert second is not None
    assert second.engine == "transfer"
    nobody, refusals = offers(Request(question), limits, without={"frontier"})
    assert nobody is None
    assert not {"frontier", "games", "transfer", "transfer-games"} & {refusal.engine for refusal in refusals}
    games, _ = offers(Request(question, GAME_COLUMNS), limits, without={"frontier"}, witness=True)
    assert games is not None
    assert (games.engine, games.missing) == ("transfer-games", ())


def test_an_ordinary_choice_does_not_reckon_with_witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(request: Request, limits: Limits) -> CountingOffer | Refusal:
        raise AssertionError

    rows = tuple(replace(row, load=lambda: fail) if row.witness or row.named else row for row in ENGINES)
    monkeypatch.setattr("noughts.counting.engines.ENGINES", rows)
    assert choose(ask("4x5:4"), Limits.of()).engine in ("layered", "subset", "frontier")
    assert choose(ask("5x5:4", same="symmetry"), Limits(10**10, 60)).engine in ("subset", "frontier")
    with pytest.raises(BudgetError):
        choose(ask("9x9:5"), Limits(10**9))


def test_what_it_refuses_is_said() -> None:
    for engine in ("transfer", "transfer-games"):
        for question in (ask("3x3", moves="win"), ask("3x3", end="decided"), ask("3x3", same="symmetry", start="a1")):
            why = refusal(engine, question)
            assert why
            assert "\n" not in why
        assert refusal(engine, ask("9x9:3"))
        assert refusal(engine, Question(Board.from_lines(20, combinations(range(20), 4))))
    assert refusal("transfer-games", ask("3x3", end="full"))
    assert refusal("transfer", ask("3x3", end="full")) is None
    assert refusal("transfer-games", ask("3x3", same="choices"))


def test_it_shares_no_counting_with_the_frontier() -> None:
    """What both may use is the seam between engines and censuses, and one hash table."""
    code = (
        "import sys, noughts.counting.transfer.sweep, noughts.counting.transfer.sweep\n"
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
    counting = ("frontier", "sets", "layers", "plain", "patterns.residues")
    others = [f"noughts.counting.{name}" for name in counting]
    others += [f"noughts.kernels.frontier.{name}" for name in ("states", "values", "subsets")]
    for name in others:
        assert find_spec(name), "the name is still right"
        assert not [module for module in loaded if module == name or module.startswith(f"{name}.")]


def test_sweeps_give_the_same_numbers_uncompiled() -> None:
    code = (
        "from noughts.counting.engines import ask\n"
        "from tests.counting.comparing import counted\n"
        "for spec in ('3x3', '2x4:2', '1x46:47', '1x5:1'):\n"
        "    for same in ('labelled', 'symmetry'):\n"
        "        print(counted('transfer', ask(spec, same=same)).totals.as_dict())\n"
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


SIX_BY_SIX = (
    1, 3, 9, 27, 80, 238, 708, 2124, 4528, 9912, 16626, 36602, 79113, 207219, 342193, 488035, 583475, 898699, 1666277,
    3337775, 3218318, 2823310, 1797671, 1276072, 795074, 944890, 886394, 538127, 191700, 73795, 26203, 22726, 13884,
    8324, 1074, 75, 2,
)  # fmt: skip
"""The states of 6x6:4 after each cell, as the engine finds them."""


@pytest.mark.parametrize(("memory", "seconds"), [(0.5e9, inf), (inf, 1.0)])
def test_what_a_sweep_grows_to_is_foreseen_but_not_more(memory: float, seconds: float) -> None:
    """Measured: 4.0 GB and 32 seconds. What exceeds a budget at the 17th or 16th cell is given up at the 15th."""

    def visits(memory: float, seconds: float) -> tuple[int, Cost]:
        reckoner = Reckoner((1,) * 36, 36, 6, Limits(memory, seconds))
        for step, states in enumerate(SIX_BY_SIX):
            if not reckoner.visit(step, states):
                return step, reckoner.forecast()
        return 36, reckoner.cost()

    step, cost = visits(inf, inf)
    assert step == 36
    assert 3.5e9 < cost.memory < 4.5e9
    assert 25 < cost.seconds < 40
    assert visits(1.01 * cost.memory, 1.01 * cost.seconds) == (36, cost)
    early, least = visits(memory, seconds)
    assert early == 15
    assert least.memory > memory or least.seconds > seconds
