"""The compiled engine: first run, large boards, and two baselines in the same run. Every result is asserted.

    python benchmarks/layered.py            first run, 4x4:4, 3x6:3, plain C (needs gcc), OpenSpiel (needs open_spiel)
    python benchmarks/layered.py --large    4x5:4 as well: 168.7 million classes, some 3 GB

An *expansion* is one move made from one unfinished class. CPU seconds are those of all threads together.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from noughts.counting.census import Census
from noughts.counting.layered.walk import compiled_rows
from noughts.counting.question import Question
from noughts.machine.workers import workers_for
from noughts.rules.board import Board

HERE = Path(__file__).parent

EXPECTED = {  # classes, games by choices; 4x4 as in OEIS A317575, the rest as the C program counts them
    "4x4:4": (1217977, 1810265101760),
    "3x6:3": (11632111, 48280595073929),
    "4x5:4": (168720724, 278734488762314912),
}


def first_run() -> None:
    """The command as somebody runs it for the first time."""
    command = [sys.executable, "-m", "noughts", "count", "4x4:4", "--same", "choices", "--format", "csv"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "1307544756704" in out
    print(f"4x4:4 by choices, the whole command: {wall:.2f} s, {cpu(after) - cpu(before):.2f} CPU s")


def cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


def board_run(spec: str, repeats: int, threads: int) -> float:
    """Count a board by choices; print the figures and return CPU nanoseconds an expansion (the best of all runs)."""
    board = Board.parse(spec)
    question = Question(board, "choices")
    walls, cpus = [], []
    for _ in range(repeats):
        start, begun = time.perf_counter(), time.process_time()
        rows = compiled_rows(question, workers=workers_for(threads))
        walls.append(time.perf_counter() - start)
        cpus.append(time.process_time() - begun)
        census = Census(question, "layered", rows)
        assert (census.totals.positions, census.totals.finished) == EXPECTED[spec]
    expansions = sum(((row.positions or 0) - (row.terminal or 0)) * (board.cells - row.ply) for row in rows)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{spec} by choices, {EXPECTED[spec][0]:,} classes, {threads} thread(s): {min(walls):.2f} s best, "
        f"{median(walls):.2f} s median, {min(cpus):.2f} CPU s, {1e9 * min(cpus) / expansions:.1f} ns an expansion, "
        f"{peak:.2f} GB peak"
    )
    return 1e9 * min(cpus) / expansions


def in_c(spec: str, ours: float) -> None:
    """The same design in plain C, compiled here, one thread."""
    board = Board.parse(spec)
    group = board.group().elements
    numbers = " ".join(map(str, [*board.line_masks, *(cell for element in group for cell in element)]))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "layered"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, HERE / "layered.c"], check=True)
        command = [str(program), "choices", str(board.cells), str(len(board.lines)), str(len(group))]
        times = []
        for _ in range(5):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = subprocess.run(command, input=numbers, check=True, capture_output=True, text=True)
            times.append(cpu(resource.getrusage(resource.RUSAGE_CHILDREN)) - cpu(before))
    table = [[int(number) for number in line.split()] for line in run.stdout.splitlines()]
    assert (sum(row[1] for row in table), sum(row[4] for row in table)) == EXPECTED[spec]
    theirs = 1e9 * min(times) / int(run.stderr.split()[0])
    print(f"{spec} in plain C: {min(times):.2f} CPU s, {theirs:.1f} ns an expansion; ours takes {ours / theirs:.2f} x")


def in_open_spiel(ours: float) -> None:
    """OpenSpiel's mnk driven from Python on the same work: the classes of 4x4:4 up to ply 5, with paths by choices.

    OpenSpiel makes the moves, ends the games and prints the positions; Python finds the least image of each child
    among the eight and adds up. For the record also the bare moves, without classes: every sequence of four of them.
    """
    import pyspiel

    turns = [bytes(element) for element in Board.parse("4x4").group().elements]

    def cells_of(state: pyspiel.State) -> str:
        return str(state).replace("\n", "")

    def least(cells: str) -> str:
        return min("".join([cells[cell] for cell in turn]) for turn in turns)

    def next_layer(layer: dict[str, tuple[pyspiel.State, int]]) -> dict[str, tuple[pyspiel.State, int]]:
        following: dict[str, tuple[pyspiel.State, int]] = {}
        for state, paths in layer.values():
            children = {least(cells_of(child)): child for child in map(state.child, state.legal_actions())}
            for key, child in children.items():
                kept = following.setdefault(key, (child, 0))
                following[key] = (kept[0], kept[1] + paths)
        return following

    root = pyspiel.load_game("mnk(m=4,n=4,k=4)").new_initial_state()
    layer, expansions, start = {"": (root, 1)}, 0, time.process_time()
    for ply in range(5):
        expansions += len(layer) * (16 - ply)
        layer = next_layer(layer)
    theirs = 1e9 * (time.process_time() - start) / expansions
    rows = compiled_rows(Question(Board.parse("4x4"), "choices", to_ply=5))
    assert (len(layer), sum(paths for _, paths in layer.values())) == (rows[5].positions, rows[5].paths)
    print(f"4x4:4 by choices with OpenSpiel: {theirs:.0f} ns an expansion; we are {theirs / ours:.0f} times as fast")

    def walk(state: pyspiel.State, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(walk(state.child(action), depth - 1) for action in state.legal_actions())

    start = time.process_time()
    assert walk(root, 4) == 16 * 15 * 14 * 13
    bare = 1e9 * (time.process_time() - start) / (16 + 16 * 15 + 16 * 15 * 14 + 16 * 15 * 14 * 13)
    print(
        f"bare moves in OpenSpiel: {bare:.0f} ns each, without finding classes; {bare / ours:.0f} x our expansion with"
    )


def main() -> None:
    """Run all benchmarks."""
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
    first_run()
    board_run("4x4:4", 1, 1)
    small = board_run("4x4:4", 5, 1)
    wide = board_run("3x6:3", 3, 1)
    board_run("3x6:3", 3, 2)
    in_c("4x4:4", small)
    in_c("3x6:3", wide)
    in_open_spiel(small)
    if "--large" in sys.argv:
        board_run("4x5:4", 1, 2)


if __name__ == "__main__":
    main()
