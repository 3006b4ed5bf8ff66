"""Wins by threats: attacking positions, positions in threat sequences, bytes of proof and seconds of the processor.

    python benchmarks/attacks.py [BOARD ...]

Below each stands what plain search and alpha-beta with a table open, each within twenty million nodes. 4x9:4 is won by
threats and plain search in turns, as `noughts solve 4x9:4 --engine search` does it; its positions are those of both.
4x4x4 is not among them: its proof takes 370 s, reply by reply (`noughts solve 4x4x4 --engine threats --proof FILE`).
"""

from __future__ import annotations

import argparse
import time

from baselines import baselines

from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.attack.attacker import Attacker
from noughts.solving.proving import attack_text, proof_by
from noughts.solving.search import SearchSolution

BOARDS = (
    *("3x3x3", "5x6:4", "5x7:4", "6x6:4", "6x7:4", "7x7:4", "7x8:4", "8x8:4", "9x9:4", "10x10:4"),
    *("12x12:4", "15x15:4", "20x20:4", "4x9:4"),
)
SEARCHED = ("4x9:4",)
"""Won by threats only where plain search says what becomes of positions with few blanks."""
MOST = {"4x9:4": 14_000_000, **dict.fromkeys(("5x6:4", "6x6:4", "7x7:4", "8x8:4", "9x9:4"), 180), "10x10:4": 210}
MOST_BYTES = {"4x9:4": 20_000}


def measure(spec: str) -> str:
    """Win a board by threats alone, and write the proof."""
    start = Position(Board.parse(spec))
    attacker = Attacker(start.board)
    attacker.can_force(start, "X", limit=1)  # compiles
    began = time.process_time()
    won = attacker.can_force(start, "X")
    seconds = time.process_time() - began
    tree = attacker.tree(start, "X")
    size = len(attack_text(attacker, start, "X"))
    row = f"{spec:8} {won!s:5} {attacker.opened:8,} attacking positions {seconds:7.2f} s  proof {size:8,} bytes"
    assert attacker.opened <= MOST.get(spec, attacker.opened)
    return f"{row}, at most {tree.at_most()} plies"


def searched(spec: str) -> str:
    """Win a board by threats and plain search in turns, and write the proof."""
    SearchSolution(Board.parse("5x6:4")).outcome()  # compiles
    solution = SearchSolution(Board.parse(spec))
    began = time.process_time()
    won = solution.outcome() == "X"
    seconds = time.process_time() - began
    nodes, attacking = solution.nodes, solution.stages.attacker.opened
    size = proof_by(solution, solution.start).size
    row = f"{spec:8} {won!s:5} {nodes:8,} positions, {attacking:,} of them attacking {seconds:7.2f} s"
    assert nodes <= MOST[spec]
    assert size <= MOST_BYTES[spec]
    return f"{row}  proof {size:8,} bytes, at most {solution.at_most()} plies"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    given = parser.parse_args()
    for spec in given.boards:
        print(searched(spec) if spec in SEARCHED else measure(spec), flush=True)
        baselines(spec)


if __name__ == "__main__":
    main()
