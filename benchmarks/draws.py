"""Draws by blocking alone: `python benchmarks/draws.py [BOARD ...]`.

For each board, from empty tables: the positions of the weak game that are opened, CPU seconds, the length of the proof
and the seconds to write it; then what plain search and alpha-beta with a table open, each within twenty million nodes.
Positions do not depend on the machine. 7x8:5, which is asked for by name, is drawn as well: 411,698 positions, 239 s of
CPU, and a proof of 14,727,017 bytes that takes another 160 s to write and that noughts check accepts: 285,589 positions
and 566,439 replies, 271 s of CPU. 7x7:5 and 6x8:5 are held to at most 20,000 positions, 7x7:5 to 200,000 bytes.
"""

from __future__ import annotations

import sys
import time

from baselines import baselines

from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.weak.stopper import Stopper, Stopping

BOARDS = ("6x6:5", "8x8:6", "6x7:5", "5x8:5", "6x8:5", "7x7:5")
MOST = {"7x7:5": 20_000, "6x8:5": 20_000, "6x6:5": 37, "8x8:6": 65, "6x7:5": 525, "5x8:5": 250, "7x8:5": 450_000}
MOST_BYTES = {"7x7:5": 200_000}


def weak(spec: str) -> None:
    """Solve a board by blocking alone and write the proof."""
    board = Board.parse(spec)
    start, stopper = Position(board), Stopper(board)
    begin = time.process_time()
    held = stopper.stops(start, "X")
    solved = time.process_time() - begin
    assert isinstance(held, Stopping), f"blocking alone does not stop X on {spec}"
    section = list(stopper.section(start, "X"))
    written = time.process_time() - begin - solved
    size = sum(len(line) + 1 for line in section)
    print(
        f"{spec}: draw, {stopper.opened:,} positions, {solved:.2f} s CPU; "
        f"proof of {len(section):,} lines, {size:,} bytes, {written:.2f} s CPU",
        flush=True,
    )
    assert stopper.opened <= MOST.get(spec, stopper.opened)
    assert size <= MOST_BYTES.get(spec, size)


if __name__ == "__main__":
    Stopper(Board.parse("3x3")).stops(Position(Board.parse("3x3")), "X")  # compile
    for board in sys.argv[1:] or BOARDS:
        weak(board)
        baselines(board)
