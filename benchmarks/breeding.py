"""Bots of 3x3 judged exactly: how many a second by one pass each over arrays, and how many by `versus`.

    python benchmarks/breeding.py

Both judge the same bots, and results are asserted to be the same. The ratio is what the arrays gain. The loop of
breeding is timed too: what a generation costs besides its fitness. On 4x4 bots are judged at every gene.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from noughts.analysis.payoff.playout import versus
from noughts.analysis.policies.genome import gene_pool, genome
from noughts.analysis.policies.reading import policy
from noughts.bots.breeding import Dice, breed, next_generation
from noughts.bots.fitness import arena
from noughts.rules.board import Board
from noughts.rules.marks import Player

BOTS = 40_000
JUDGED_SLOWLY = 20


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return wall seconds, CPU seconds, and what the work gives."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    return time.perf_counter() - wall, time.process_time() - cpu, found


def rates(seat: Player, name: str) -> None:
    board = Board.parse("3x3")
    pool = gene_pool(board, "all", seat)
    place = arena(pool, seat, None if name == "best" else policy(board, name))
    alleles = Dice(1).below(np.array(pool.sizes, np.int64), BOTS, len(pool.sizes)).astype(np.uint16)
    place.judge(alleles[:10])
    wall, cpu, found = timed(lambda: place.judge(alleles))
    policies = [policy(board, genome(pool, row).text) for row in alleles[:JUDGED_SLOWLY]]

    def by_versus() -> list[tuple[Fraction, Fraction]]:
        if seat == "X":
            matches = [versus(board, x=bot, o=name) for bot in policies]
            return [(match.x_wins, match.o_wins) for match in matches]
        matches = [versus(board, x=name, o=bot) for bot in policies]
        return [(match.o_wins, match.x_wins) for match in matches]

    _, slow, results = timed(by_versus)
    exact = [tuple(Fraction(int(part), place.scale) for part in row) for row in found[:JUDGED_SLOWLY]]
    assert exact == results
    ratio = (slow / JUDGED_SLOWLY) / (cpu / BOTS)
    print(
        f"as {seat} against {name:8} {BOTS / wall:10,.0f} a second, {BOTS / cpu:10,.0f} a CPU second; "
        f"versus {JUDGED_SLOWLY / slow:6,.0f} a CPU second: ratio {ratio:,.0f}",
        flush=True,
    )


def loop() -> None:
    dice = Dice(1)
    sizes = np.array(gene_pool(Board.parse("3x3")).sizes, np.int64)
    alleles, order = dice.below(sizes, 500, len(sizes)).astype(np.uint16), np.arange(500)
    _, cpu, _ = timed(lambda: [next_generation(alleles, order, sizes, 8.0, dice) for _ in range(20)])
    print(f"a generation of 500 bots of 593 genes, besides its fitness: {cpu / 20 * 1000:.1f} ms of CPU", flush=True)
    for genes in ("real", "all"):
        wall, cpu, bred = timed(lambda genes=genes: breed("3x3", genes=genes, seed=1))  # type: ignore[misc]
        assert bred.never_loses
        print(f"{genes} genes, until a bot never loses: {bred.generations} generations, {wall:.1f} s, {cpu:.1f} s CPU")


def every_gene() -> None:
    wall, cpu, bred = timed(lambda: breed("4x4", seed=1))
    assert bred.never_loses
    genes = len(bred.bot.pool.genes)
    print(
        f"4x4, {genes:,} genes, until a bot never loses: {bred.generations} generations, {wall:.1f} s, {cpu:.1f} s CPU"
    )


if __name__ == "__main__":
    for player in ("X", "O"):
        for opponent in ("random", "block", "best"):
            rates(player, opponent)
    loop()
    every_gene()
