"""Positions of marks that fall: the engine `stacked`, which counts the games too, beside a plain search in C.

`python benchmarks/falling.py [BOARD ...]` prints seconds of each and their ratio; both must give the same positions.

Measured on two virtual cores, shared with other work: the search takes 54 s on 5x5, and one core of `stacked` 7.5 s.
The ratio is 2.1 on 4x5, 2.6 on 5x4 and 7.2 on 5x5. The search counts positions alone.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from noughts.counting.engines import answer, ask
from noughts.machine.workers import SERIAL, workers_for
from noughts.rules.board import Board

BOARDS = ("4x5:4+gravity", "5x4:4+gravity", "5x5:4+gravity")


def main(boards: list[str]) -> None:
    """Compile the baseline, and time both on each board."""
    with TemporaryDirectory() as folder:
        program = Path(folder, "falling")
        subprocess.run(["cc", "-O3", "-o", program, Path(__file__).with_suffix(".c")], check=True)
        answer(ask("3x3+gravity"), engine="stacked")  # loads the kernels
        print("board          positions     C, one core  stacked, one core  stacked, all cores  C / one core")
        for board in boards:
            rows, columns, _ = Board.parse(board).shape or (0, 0, 0)
            begun = time.perf_counter()
            found = int(subprocess.run([program, str(rows), str(columns)], check=True, capture_output=True).stdout)
            seconds = [time.perf_counter() - begun]
            for workers in (SERIAL, workers_for()):
                begun = time.perf_counter()
                assert answer(ask(board), engine="stacked", workers=workers).totals.positions == found
                seconds.append(time.perf_counter() - begun)
            c, one, every = seconds
            print(f"{board:14} {found:12,} {c:12.2f} s {one:16.2f} s {every:17.2f} s {c / one:13.1f}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(BOARDS))
