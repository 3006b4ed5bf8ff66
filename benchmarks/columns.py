"""Time of random positions of Connect Four: by the engine `columns`, and by the plain solver `columns.c`.

    python benchmarks/columns.py [POSITIONS]

Both solve the same positions one after another in one process, and must find the same scores. Times are of the
processor. Where OpenSpiel is installed, its alpha-beta search finds who wins late positions, as often as noughts does.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from noughts.rules.board import Board
from noughts.rules.position import Position
from noughts.solving.columns import ColumnSearcher

SOURCE = Path(__file__).with_suffix(".c")
BOARD = Board.parse("connect4")
MARKS, LATE = (30, 20, 16, 12), 30


def drawn(marks: int, dice: random.Random) -> tuple[str, Position]:
    """Return a random position in which the game goes on, and the columns played, from 1."""
    while True:
        at, columns = Position(BOARD), ""
        while at.ply < marks and not at.is_terminal:
            move = dice.choice(at.moves())
            at, columns = at.play(move), columns + str(move % 7 + 1)
        if not at.is_terminal:
            return columns, at


def by_noughts(positions: list[Position]) -> tuple[list[int], float]:
    """Return the scores and the seconds."""
    searcher, began = ColumnSearcher(BOARD), time.process_time()
    scores = [searcher.score(at) for at in positions]
    return [score for score in scores if score is not None], time.process_time() - began


def by_c(program: Path, columns: list[str]) -> tuple[list[int], float]:
    """Return the scores and the seconds of the solver in C."""
    done = subprocess.run([program], input="\n".join(columns) + "\n", capture_output=True, text=True, check=True)
    *scores, last = done.stdout.split("\n")[:-1]
    return [int(score) for score in scores], float(last.split()[0])


def by_openspiel(columns: list[str]) -> tuple[list[int], float]:
    """Return who wins, 1 for the side to move, and the seconds. Raises ImportError."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game, signs, began = pyspiel.load_game("connect_four"), [], time.process_time()
    for played in columns:
        state = game.new_initial_state()
        for column in played:
            state.apply_action(int(column) - 1)
        signs.append(round(alpha_beta_search(game, state, maximizing_player_id=state.current_player())[0]))
    return signs, time.process_time() - began


def late() -> None:
    """Print a row for positions with LATE marks, with OpenSpiel's search, if it is installed."""
    dice = random.Random(LATE)
    games = [drawn(LATE, dice) for _ in range(20)]
    scores, seconds = by_noughts([at for _, at in games])
    try:
        signs, spent = by_openspiel([columns for columns, _ in games])
    except ImportError:
        return
    if signs != [(score > 0) - (score < 0) for score in scores]:
        sys.exit(f"OpenSpiel finds other winners of positions with {LATE} marks")
    print(f"OpenSpiel, {LATE} marks: {spent / 20 * 1e6:,.0f} us each, noughts {seconds / 20 * 1e6:,.0f} us")


def main() -> None:
    """Print a row for each number of marks."""
    many, compiler = int(sys.argv[1]) if len(sys.argv) > 1 else 100, shutil.which("cc")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "columns"
        if compiler:
            subprocess.run([compiler, "-O3", "-march=native", SOURCE, "-o", program], check=True)
        print("marks  positions  noughts, each  plain C, each  ratio")
        for marks in MARKS:
            dice = random.Random(marks)
            games = [drawn(marks, dice) for _ in range(many)]
            scores, seconds = by_noughts([at for _, at in games])
            row = f"{marks:>5}  {many:>9}  {seconds / many * 1e6:>10,.0f} us"
            if compiler:
                others, spent = by_c(program, [columns for columns, _ in games])
                if scores != others:
                    sys.exit(f"the scores of positions with {marks} marks differ")
                row += f"  {spent / many * 1e6:>10,.0f} us  {seconds / max(spent, 1e-9):>5.1f}"
            print(row, flush=True)
    late()


if __name__ == "__main__":
    main()
