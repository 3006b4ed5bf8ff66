"""How fast positions are counted without listing: `python benchmarks/without_listing.py [reach] [second] [diagrams]`.

reach       each board in a process of its own: wall and CPU seconds, peak memory
second      the same with --check: both engines in one process, and that they agree on every column
diagrams    the open positions by decision diagrams (needs `pip install dd`), and by the engine frontier in the same run

Without a word all; with `--markdown` as tables for the documentation. Answers are asserted: against published numbers,
those of another engine in the same run, or those written here: see GAMES.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

from noughts.counting.engines import answer as census_of
from noughts.counting.engines import ask
from noughts.known import numbers
from noughts.rules.board import Board

GAMES = {
    "5x5:4": "3332811236754516255990144",
    "6x6:5": "159544647982120929190291887105135691526400",
    "6x6:4": "10200797656265917387983013630469200656000",
    "7x6:4": "10804923900736954185837687629304008160146363210496",
    "8x6:4": "26112351748328664011231790432333070099993796284949648921088",
    "3x3x3": "760646899172630630189808",
    "5x6:4": "24203167611239775171145021460352",
    "12x3:3": "1437655582658224905072037089226627680",
    "10x4:3": "32936007209755080348233134578437994196848",
    "10x5:3": "543847425535314084884619997738736902588997802237670416",
}
"""What the engines gave when this was written; the numbers guard against changes.

Two independent engines agree on all of them but 8x6:4: subset and frontier up to 30 cells, transfer and frontier
beyond, and by values at points on 7x6:4.
"""

REACH = [
    ("5x5:3 --same symmetry", 5), ("5x5:4 --same symmetry", 5), ("5x5:5 --same symmetry", 5),
    ("6x6:6 --same symmetry --engine frontier", 20), ("7x7:7 --same symmetry --engine frontier", 20),
    ("8x8:8 --same labelled --engine frontier", 20), ("8x8:8 --same symmetry --engine frontier", 60),
    ("6x6:5 --same labelled", 30), ("6x6:4 --same labelled --engine frontier --columns games", 180),
    ("7x6:4 --same labelled --engine frontier --columns games", 180),
    ("8x6:4 --same labelled --engine frontier --columns games", 300),
    ("4x5:4 --same choices --engine streamed", 120), ("4x5:4 --same choices --engine layered", 240),
    ("5x6:4 --same symmetry --engine frontier", 90), ("5x6:4 --same symmetry --engine subset", 240),
    ("3x3x3 --same symmetry", 60), ("12x3:3 --same labelled", 30), ("10x4:3 --same labelled", 30),
    ("10x5:3 --same labelled", 30), ("1x1..12x12 --column finished", 30),
]  # fmt: skip
"""Each count with the seconds that it may take."""

SECOND = [
    ("12x3:3 --same labelled", 120), ("10x4:3 --same labelled", 120), ("10x5:3 --same labelled", 120),
    ("6x6:5 --same labelled", 120), ("6x6:5 --same symmetry", 120), ("6x6:4 --same labelled", 300),
    ("6x6:4 --same symmetry", 300), ("3x3x3 --same symmetry", 300),
]  # fmt: skip
"""Each count that two engines are to do with the seconds that both may take."""


def run(words: str) -> tuple[dict[str, Any], float, float, float]:
    """Return the answer of one count, wall and CPU seconds, and peak gigabytes."""
    command = [sys.executable, "-m", "noughts", "count", *words.split(), "--format", "json"]
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    assert status == 0, words
    return json.loads(text), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


def check(words: str, answer: dict[str, Any]) -> None:
    """Assert what is known of an answer."""
    published = {e["id"]: e["terms"] for e in numbers("sequence")}["A061526"]
    if ".." in words:
        terms = [term["value"] for term in answer["terms"]]
        assert terms[:7] == published
        return
    board, totals = words.split()[0], answer["totals"]
    if "labelled" in words and board in GAMES:
        assert totals["finished"] == GAMES[board], (words, totals)
    side = Board.parse(board)
    if side.shape and side.shape[0] == side.shape[1] == side.k and "labelled" in words and side.k <= 7:
        assert totals["finished"] == published[side.k - 1]


def reach(markdown: bool) -> None:
    """Print a row for each board of the reach, and assert that the two engines agree where both ran."""
    kept: dict[str, object] = {}
    print("| count | wall s | CPU s | GB | at most s |" if markdown else "count: wall s, CPU s, GB, at most s")
    print("|---|---:|---:|---:|---:|" if markdown else "-")
    for words, limit in REACH:
        answer, wall, cpu, gigabytes = run(words)
        check(words, answer)
        question = words.partition(" --engine")[0]
        if question in kept:
            assert kept[question] == answer["totals"], question
        kept[question] = answer.get("totals")
        row = [f"`{words}`", f"{wall:.1f}", f"{cpu:.1f}", f"{gigabytes:.2f}", str(limit)]
        print("| " + " | ".join(row) + " |" if markdown else ": ".join([row[0], ", ".join(row[1:])]), flush=True)


def second(markdown: bool) -> None:
    """Print a row for each count by two engines; what they do not agree on ends the command with an error."""
    print("| count | engines | wall s | CPU s | GB | at most s |" if markdown else "count: engines, wall s, CPU s, GB")
    print("|---|---|---:|---:|---:|---:|" if markdown else "-")
    for words, limit in SECOND:
        answer, wall, cpu, gigabytes = run(f"{words} --check")
        check(words, answer)
        assert len(answer["checked_columns"]) == 10, words
        engines = f"{answer['engine']}, {answer['checked_by']}"
        row = [f"`{words} --check`", engines, f"{wall:.1f}", f"{cpu:.1f}", f"{gigabytes:.2f}", str(limit)]
        print("| " + " | ".join(row) + " |" if markdown else ": ".join([row[0], ", ".join(row[1:])]), flush=True)


def diagram_count(spec: str) -> int:
    """Return the balanced positions without a line, by one decision diagram with two variables a cell."""
    from dd import cudd

    board = Board.parse(spec)
    manager = cudd.BDD(memory_estimate=4 * 2**30)
    manager.configure(reordering=False)
    names = [f"{mark}{cell}" for cell in range(board.cells) for mark in "xo"]
    manager.declare(*names)
    # The balance first: from the last cell back, for each difference X - O so far, whether it can end at 0 or 1.
    span = range(-board.cells - 1, board.cells + 2)
    after = {d: manager.true if d in (0, 1) else manager.false for d in span}
    for cell in reversed(range(board.cells)):
        x, o = manager.var(f"x{cell}"), manager.var(f"o{cell}")
        none = manager.false
        after = {
            d: (x & ~o & after.get(d + 1, none)) | (o & ~x & after.get(d - 1, none)) | (~x & ~o & after[d])
            for d in span
        }
    found = after[0]
    for line in board.lines:
        for mark in "xo":
            full = manager.true
            for cell in line:
                full &= manager.var(f"{mark}{cell}")
            found &= ~full
    number: float = manager.count(found, nvars=len(names))
    return round(number)


def diagrams(markdown: bool) -> None:
    """Print both times for the same number, board by board, as far as diagrams go."""
    print("| board | diagrams s | frontier s | ratio |" if markdown else "board: diagrams s, frontier s, ratio")
    print("|---|---:|---:|---:|" if markdown else "-")
    census_of(ask("3x4:3"), engine="frontier")
    for spec in ("4x4:4", "4x5:4", "5x5:5", "5x5:4"):
        begin = time.process_time()
        theirs = diagram_count(spec)
        middle = time.process_time()
        census = census_of(ask(spec), engine="frontier")
        ours = time.process_time() - middle
        rows = census.plies
        still_open = sum((r.positions or 0) - (r.terminal_x or 0) - (r.terminal_o or 0) for r in rows)
        assert still_open == theirs < 2**53, (spec, still_open, theirs)
        row = [spec, f"{middle - begin:.2f}", f"{ours:.2f}", f"{(middle - begin) / ours:.0f}"]
        print("| " + " | ".join(row) + " |" if markdown else ": ".join([row[0], ", ".join(row[1:])]), flush=True)
    plies = [census_of(ask("4x5:4"), engine=name).plies for name in ("subset", "frontier")]
    assert plies[0] == plies[1]


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if not word.startswith("-")] or ["reach", "second", "diagrams"]
    for word in chosen:
        {"reach": reach, "second": second, "diagrams": diagrams}[word]("--markdown" in sys.argv)
        print()
