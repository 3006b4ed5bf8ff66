"""Wins by threats: attacking positions, positions in threat sequences, bytes of proof and seconds of the processor.

    python benchmarks/attacks.py [BOARD ...]

Below each stands what plain search and alpha-beta with a table open, each within twenty million nodes. 4x4x4 takes some
ten minutes; `noughts solve 4x4x4 --engine threats --proof FILE` does it on all cores, and goes on where it
was stopped.
"""

from __future__ import annotations

import argparse
import time

from baselines import baselines

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.proving import attack_text

BOARDS = ("3x3x3", "5x6:4", "6x6:4", "6x7:4", "7x7:4", "8x8:4", "9x9:4", "10x10:4", "12x12:4", "15x15:4", "20x20:4")


def measure(spec: str) -> str:
    start = Position(Board.parse(spec))
    attacker = Attacker(start.board)
    attacker.can_force(start, "X", limit=1)  # compiles
    began = time.process_time()
    won = attacker.can_force(start, "X")
    seconds = time.process_time() - began
    tree = attacker.tree(start, "X")
    size = len(attack_text(attacker, start, "X"))
    row = f"{spec:8} {won!s:5} {attacker.opened:8,} attacking positions {seconds:7.2f} s  proof {size:8,} bytes"
    return f"{row}, at most {tree.at_most()} plies"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    given = parser.parse_args()
    for spec in given.boards:
        print(measure(spec), flush=True)
        baselines(spec)


if __name__ == "__main__":
    main()
