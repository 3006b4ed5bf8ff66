"""Blindfold play: time each part and assert the answer.

python benchmarks/blindfold.py            everything but the largest boards
python benchmarks/blindfold.py --large    also the tables of 4x4

Times are CPU seconds, the least of three runs (one for what takes long).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from time import process_time

from noughts.blindfold.beliefs import MergedGame
from noughts.blindfold.game import BlindRules, Goal
from noughts.blindfold.pure import Analysis
from noughts.blindfold.session import solve_blindfold
from noughts.rules.board import Board

BOARD = Board.parse("3x3")


def timed(name: str, work: Callable[[], object], expected: object, runs: int = 3) -> float:
    least = float("inf")
    for _ in range(runs):
        start = process_time()
        found = work()
        least = min(least, process_time() - start)
        assert found == expected, (name, found, expected)
    print(f"{least:9.3f} s   {name}: {found}")
    return least


def never_lose(spec: str, goal: Goal = "never-lose") -> bool:
    return Analysis(MergedGame(Board.parse(spec), BlindRules()), goal).is_possible()


def states() -> tuple[int, int, int]:
    analysis = Analysis(MergedGame(BOARD, BlindRules()))
    return len(analysis.reachable()), len(analysis.reachable(good_only=True)), analysis.histories()


def value(rules: BlindRules, opening: int | None = None) -> Fraction | None:
    return solve_blindfold("3x3", rules, opening=opening, parts=["value"]).value


def main() -> None:
    timed("3x3, can a blind X never lose", lambda: never_lose("3x3"), True)
    timed("3x3, information sets, safe ones, histories", states, (6138, 1716, 3_683_314))
    timed("4x4:3, can a blind X never lose", lambda: never_lose("4x4:3"), True)
    timed("4x4:3, can a blind X always win", lambda: never_lose("4x4:3", "always-win"), True)
    timed("4x4:4, can a blind X never lose", lambda: never_lose("4x4:4"), False)
    told = BlindRules("O", opening_told=True)
    timed("3x3, value for a blind O told of the centre", lambda: value(told, 4), Fraction(-4, 5), 1)
    timed("3x3, value for a blind O who is not told", lambda: value(BlindRules("O")), Fraction(-4, 5), 1)
    exact = Fraction(-1189953110709, 1751271608300)
    timed("3x3, value for a blind X who loses turns", lambda: value(BlindRules(collision="lose-turn")), exact, 1)
    if "--large" in sys.argv:
        sets = {"all": 5_690_927, "safe": 16_711, "all_classes": 713_757, "safe_classes": 2_117}
        parts = ["information_sets", "smallest_strategy"]
        timed("4x4:3, tables", lambda: solve_blindfold("4x4:3", parts=parts).information_sets, sets, 1)
        sets = {"all": 16_475_953, "safe": 0, "all_classes": 2_064_366, "safe_classes": 0}
        timed("4x4:4, tables", lambda: solve_blindfold("4x4:4", parts=parts).information_sets, sets, 1)


if __name__ == "__main__":
    main()
