"""What a board costs without threats and without blocking: plain search, and alpha-beta with a table and nothing else.

    python benchmarks/baselines.py BOARD ...

Nodes, which do not depend on the machine, within a limit, and seconds of the processor. Flat boards of up to 62 cells.
"""

from __future__ import annotations

import sys
import time

from plain_alpha_beta import solve

from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.transposition import Searcher

SEARCH_LIMIT = 20_000_000
"""Nodes of the search that looks at the lines of both players."""
PLAIN_LIMIT = 20_000_000
"""Nodes of alpha-beta: the same order of moves everywhere, a table, and nothing else."""
CELLS = 62


def baselines(spec: str) -> None:
    """Print what plain search and alpha-beta open for the value of an empty board, or that they were given up."""
    board = Board.parse(spec)
    if board.cells > CELLS:
        print(f"  plain search and alpha-beta: not on {board.cells} cells", flush=True)
        return
    searcher = Searcher(board)
    begin = time.process_time()
    wins = searcher.can_force(Position(board), "X", limit=SEARCH_LIMIT)
    told = {None: "not settled", True: "a win", False: "no win"}[wins]
    print(f"  plain search: {told} after {searcher.nodes:,} nodes, {time.process_time() - begin:.1f} s CPU", flush=True)
    shape = board.shape
    if shape is None or shape[2] != 1 or board.torus:
        return
    begin = time.process_time()
    value, nodes = solve(shape[0], shape[1], [list(line) for line in board.lines], PLAIN_LIMIT)
    told = "not settled" if value is None else "a win" if value > 0 else "no win"
    print(
        f"  alpha-beta with a table: {told} after {nodes:,} nodes, {time.process_time() - begin:.1f} s CPU", flush=True
    )
    assert wins is None or value is None or wins == (value > 0)


if __name__ == "__main__":
    for board in sys.argv[1:]:
        print(board)
        baselines(board)
