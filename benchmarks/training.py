"""How fast games are played for training: `python benchmarks/training.py [--seconds N]`.

`GamesAtOnce` with moves drawn by lot for both sides, observations and masks made after every move and games begun anew;
`BoardVectorEnv` the same for one player against a policy; `BoardEnv` one game at a time. A step is one move of the
player who learns (in `GamesAtOnce` of either side). Wall and CPU seconds: on a busy machine they differ. The answer is
asserted: games end as often as `versus` says, within five standard deviations. Then the time that Q-learning takes from
nothing to never losing, looks included.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import noughts
from noughts.training import BoardEnv, BoardVectorEnv, GamesAtOnce
from noughts.training.learning import learn

Step = Callable[[], tuple[int, int, int]]
"""Plays; returns the steps made, the games that ended and how many of them X won."""


def at_once(board: str, games: int) -> Step:
    played, random = GamesAtOnce(board, games), np.random.default_rng(1)

    def step() -> tuple[int, int, int]:
        played.play(played.random_actions(random))
        seen, masks = played.observations, played.masks
        assert seen.shape == masks.shape == (games, played.board.cells)
        ended, won = int(played.over.sum()), int((played.outcome == 1).sum())
        played.restart(played.over)
        return games, ended, won

    return step


def vector(board: str, games: int, opponent: str) -> Step:
    env, random = BoardVectorEnv(games, board, opponent), np.random.default_rng(1)
    env.reset(seed=2)

    def step() -> tuple[int, int, int]:
        _, rewards, over, _, _ = env.step(env.games.random_actions(random))
        return games, int(over.sum()), int((rewards == 1).sum())

    return step


def single(board: str, opponent: str) -> Step:
    env, random = BoardEnv(board, opponent), np.random.default_rng(1)
    _, info = env.reset(seed=2)

    def step() -> tuple[int, int, int]:
        nonlocal info
        _, reward, over, _, info = env.step(random.choice(np.flatnonzero(info["action_mask"])))
        if over:
            _, info = env.reset()
        return 1, int(over), int(reward == 1)

    return step


def measure(name: str, step: Step, seconds: float, x_wins: float) -> None:
    """Print the steps a second, after a warm-up, so that short games do not come first."""
    for _ in range(30):
        step()
    totals: Any = np.zeros(3, dtype=np.int64)
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds:
        totals += step()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    steps, ended, won = totals
    spread = (ended * x_wins * (1 - x_wins)) ** 0.5
    assert abs(won - ended * x_wins) <= 5 * spread + 1, (name, won / max(ended, 1), x_wins)
    print(f"{name:52}  {steps / wall:12,.0f} a second, {steps / cpu:12,.0f} a second of CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    chance = {opponent: float(noughts.match("3x3", o=opponent).x_wins) for opponent in ("random", "perfect")}
    for games in (256, 4096, 16384):
        measure(f"GamesAtOnce 3x3, {games:,} games", at_once("3x3", games), seconds, chance["random"])
    solid = float(noughts.match("2x2x2").x_wins)
    measure("GamesAtOnce 2x2x2, 4,096 games", at_once("2x2x2", 4096), seconds, solid)
    for opponent in ("random", "perfect"):
        step = vector("3x3", 4096, opponent)
        measure(f"BoardVectorEnv 3x3 against {opponent}, 4,096 games", step, seconds, chance[opponent])
        measure(f"BoardEnv 3x3 against {opponent}", single("3x3", opponent), seconds, chance[opponent])
    for seed in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        learned = learn("3x3", games=100_000, seed=seed)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        assert learned.never_loses
        assert noughts.evaluate("3x3", learned.policy).never_loses
        said = f"never loses from {learned.flawless_from:,} games on"
        print(f"Q-learning, seed {seed}: {said}; {wall:.1f} s, {cpu:.1f} s of CPU")


if __name__ == "__main__":
    main()
