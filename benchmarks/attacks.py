"""Wins by threats: attacking positions, positions in threat sequences, bytes of proof and seconds of the processor.

    python benchmarks/attacks.py [BOARD ...]
    python benchmarks/attacks.py --replies FILE [--seconds N] 4x4x4

Below each stands what plain search and alpha-beta with a table open, each within twenty million nodes.

With --replies the first move is a1 and the replies are proved one by one, class by class. What is won is kept in FILE,
so that a run which was stopped goes on.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from baselines import baselines

from noughts.domain.board import Board
from noughts.domain.position import Position
from noughts.solving.attack.arena import AttackBoard
from noughts.solving.attack.attacker import Attacker
from noughts.solving.attack.search import AttackSearch
from noughts.solving.proving import attack_text

BOARDS = ("3x3x3", "5x6:4", "6x6:4", "6x7:4", "7x7:4", "8x8:4", "9x9:4", "10x10:4", "12x12:4", "15x15:4", "20x20:4")
TURN = 60


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


def prove_replies(spec: str, kept: Path, most: float) -> None:
    arena = AttackBoard(Board.parse(spec), slots=1 << 22)
    search = AttackSearch(arena)
    if kept.exists():
        rows = [row.split() for row in kept.read_text(encoding="ascii").splitlines()]
        search.learn((bytes(map(int, picture)), int(cell)) for picture, cell in rows)
    classes: dict[bytes, int] = {}
    for reply in range(1, arena.board.cells):
        position = Position(arena.board, 1, 1 << reply)
        classes.setdefault(arena.picture(arena.owners(position, "X"))[1], reply)
    for picture, reply in sorted(classes.items(), key=lambda item: -item[1]):
        began, before, won = time.process_time(), search.opened, None
        while won is None and time.process_time() - began < most:
            won = search.wins(picture, deadline=time.monotonic() + TURN)
            rows = [["".join(map(str, state)), str(cell)] for state, cell in search.won()]
            fresh = kept.with_suffix(".new")
            fresh.write_text("".join(" ".join(row) + "\n" for row in rows), encoding="ascii")
            fresh.replace(kept)
        seconds = time.process_time() - began
        print(f"a1, reply {reply}: {won}, {search.opened - before:,} attacking positions, {seconds:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--seconds", type=float, default=1e9)
    given = parser.parse_args()
    for spec in given.boards:
        if given.replies:
            prove_replies(spec, given.replies, given.seconds)
        else:
            print(measure(spec), flush=True)
            baselines(spec)


if __name__ == "__main__":
    main()
