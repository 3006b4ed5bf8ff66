"""How fast boards are solved: `python benchmarks/solving.py [tables] [search] [openspiel] [full]`.

Without a word all but `full`.

tables      4x4:4 (first run ever, and warm) and 4x5:4, each in a process of its own
search      single positions: nodes and nodes a second, and plain alpha-beta with a table on 5x5:4 in the same run
openspiel   the minimax solver of OpenSpiel on 4x4:3, and ours (needs `pip install open_spiel`)
full        all of 5x5:4 and 5x5:5, values only: minutes and 2 GB each, checked by `position_totals.py`

Every answer is asserted. Seconds are wall and CPU; memory is the peak of the process.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from noughts.known import numbers
from noughts.rules.board import Board

PROBE = """
import json, resource, sys, time
begin, cpu = time.perf_counter(), time.process_time()
from noughts.rules.board import Board
from noughts.machine.workers import Threads
from noughts.solving.index import PerfectIndex
from noughts.solving.tables import count_values, solve_in_memory
board, repeats = Board.parse(sys.argv[1]), int(sys.argv[4])
keep, packed = sys.argv[2] == "keep", sys.argv[3] == "packed"
walls, cpus = [], []
for _ in range(repeats):
    index = PerfectIndex(board)
    how = solve_in_memory if keep else count_values
    found = how(index, packed=packed, workers=Threads(2))
    if keep:
        found.outcome()
    walls.append(time.perf_counter() - begin)
    cpus.append(time.process_time() - cpu)
    begin, cpu = time.perf_counter(), time.process_time()
plies = found.plies() if keep else found
rows = [[r.ply, r.symmetry.x_wins, r.symmetry.draws, r.symmetry.o_wins] for r in plies]
labelled = [r.labelled.total for r in plies]
entries = sum(shape.entries for shape in index.shapes(packed))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = {"walls": walls, "cpus": cpus, "rows": rows, "labelled": labelled, "entries": entries}
print(json.dumps({**found, "peak_mb": peak // 1024}))
"""


def probe(board: str, *, keep: bool, packed: bool, repeats: int) -> dict[str, Any]:
    """Solve a board in a process of its own."""
    arguments = [board, "keep" if keep else "count", "packed" if packed else "bytes", str(repeats)]
    done = subprocess.run([sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def known(name: str) -> list[int]:
    """Return the terms of a published sequence."""
    return [int(term) for entry in numbers("sequence") if entry.get("id") == name for term in entry["terms"]]


def tables() -> None:
    """4x4:4 and 4x5:4 with remoteness, all layers in memory."""
    warm = probe("4x4", keep=True, packed=False, repeats=6)
    assert [row[1] for row in warm["rows"]] == known("A317573 row 4")
    assert [row[3] for row in warm["rows"]] == known("A317574 row 4")
    print(f"4x4:4, in a fresh process: {warm['walls'][0]:.2f} s wall, {warm['cpus'][0]:.2f} s CPU")
    repeats = warm["walls"][1:]
    print(f"4x4:4, again, five times: least {min(repeats):.3f} s, median {statistics.median(repeats):.3f} s wall")
    wide = probe("4x5:4", keep=True, packed=False, repeats=1)
    assert wide["rows"][6] == [6, 53570, wide["rows"][6][2], 569]
    print_pass("4x5:4 with remoteness, all layers kept", wide)


def print_pass(what: str, found: dict[str, Any]) -> None:
    wall, cpu, entries = found["walls"][-1], found["cpus"][-1], found["entries"]
    print(
        f"{what}: {entries:,} entries, {wall:.1f} s wall, {cpu:.1f} s CPU, "
        f"{1e9 * cpu / entries:.1f} ns of CPU an entry, {entries / wall / 1e6:.0f} million "
        f"entries a second, peak {found['peak_mb']:,} MB"
    )


def full() -> None:
    """All of 5x5:4 and 5x5:5, two bits a position; the positions of each ply are counted a second way."""
    from position_totals import totals

    for spec in ("5x5:4", "5x5:5"):
        found = probe(spec, keep=False, packed=True, repeats=1)
        print_pass(f"{spec}, values only, two layers kept", found)
        print("| ply | X wins | draws | O wins |\n| ---: | ---: | ---: | ---: |")
        for row in found["rows"]:
            print("| " + " | ".join(f"{number:,}" for number in row) + " |")
        assert found["rows"][0] == [0, 0, 1, 0]
        board = Board.parse(spec)
        assert found["labelled"] == totals(board.cells, [list(line) for line in board.lines])
        print(f"{spec}: the positions of every ply are as many as a subset-sum transform counts")


def search() -> None:
    """Values of large boards, each from an empty table, and the baseline."""
    from noughts.rules.position import Position
    from noughts.solving.search import SearchSolution
    from noughts.solving.transposition import Searcher

    SearchSolution(Board.parse("2x2:2")).outcome()
    ours = 0
    for spec, outcome in (
        ("5x5:4", "draw"),
        ("5x6:4", "X"),
        ("6x6:5", "draw"),
        ("4x7:4", "draw"),
        ("5x7:4", "X"),
        ("4x8:4", "draw"),
    ):
        solution = SearchSolution(Board.parse(spec))
        wall, cpu = time.perf_counter(), time.process_time()
        assert solution.outcome() == outcome, spec
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        rate = solution.nodes / cpu / 1e6
        print(f"{spec}: {outcome}, {solution.nodes:,} nodes, {wall:.2f} s wall, {cpu:.2f} s CPU, {rate:.2f} M nodes/s")
        if spec == "5x5:4":
            ours = solution.nodes
    board = Board.parse("4x9:4")
    searcher = Searcher(board)
    cpu = time.process_time()
    searcher.can_force(Position(board), "X", limit=10_000_000)
    rate = searcher.nodes / (time.process_time() - cpu) / 1e6
    print(f"4x9:4, its first ten million nodes: {rate:.2f} M nodes a CPU second")
    from plain_alpha_beta import solve

    board = Board.parse("5x5:4")
    lines = [list(line) for line in board.lines]
    assert solve(3, 3, [list(line) for line in Board.parse("3x3").lines], 10**6)[0] == 0
    cpu = time.process_time()
    value, nodes = solve(5, 5, lines, 400_000_000)
    cpu = time.process_time() - cpu
    told = "draw" if value == 0 else "given up"
    assert value in (0, None)
    print(
        f"5x5:4 by plain alpha-beta with a table: {told} after {nodes:,} nodes and {cpu:.0f} s CPU: "
        f"{'at least ' if value is None else ''}{nodes / ours:,.0f} times our {ours:,}"
    )
    assert nodes > 40 * ours


def openspiel() -> None:
    """The solver that comes with OpenSpiel, and ours, on every position of 3x4:3 and of 4x4:3."""
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    for rows, columns in ((3, 4), (4, 4)):
        spec, name = f"{rows}x{columns}:3", f"mnk(m={columns},n={rows},k=3)"
        begin = time.process_time()
        solver = MinimaxSolver(name)
        table = solver.solve()
        theirs = time.process_time() - begin
        probe(spec, keep=True, packed=False, repeats=1)
        ours = probe(spec, keep=True, packed=False, repeats=6)
        start = next(iter(sorted(table, key=lambda state: state.count("."), reverse=True)))
        assert table[start].value == 1
        assert ours["rows"][0] == [0, 1, 0, 0]
        fresh, warm = ours["cpus"][0], statistics.median(ours["cpus"][1:])
        print(
            f"{spec}: OpenSpiel's MinimaxSolver {theirs:.1f} s CPU for {len(table):,} open positions; ours "
            f"{fresh:.2f} s in a fresh process, {warm:.3f} s warm: "
            f"{theirs / fresh:,.0f} and {theirs / warm:,.0f} times as fast",
            flush=True,
        )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    for name in sys.argv[1:] or ["tables", "search", "openspiel"]:
        {"tables": tables, "search": search, "openspiel": openspiel, "full": full}[name]()
