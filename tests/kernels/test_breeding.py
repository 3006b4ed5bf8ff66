"""Bots as rows of alleles: what the kernels write, against the same said in plain words of small random graphs."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest

from noughts.kernels import breeding

PLIES = [range(1), range(1, 4), range(4, 8), range(8, 12), range(12, 16), range(0)]
"""The nodes of each ply: an edge leads one ply on."""
NODES = 16
SEEDS = range(12)


@dataclass
class Arena:
    """A random graph whose nodes are of some kinds, one gene for each node of its own; and some bots."""

    rng: random.Random
    choose: Callable[[random.Random, int], int]
    """What the next node is, of which the number of genes so far is given."""
    kinds: list[int] = field(default_factory=list)
    edges: list[list[tuple[int, int]]] = field(default_factory=list)
    """Of each node where it leads and with which weight."""
    wins: list[int] = field(default_factory=list)
    losses: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for node in range(NODES):
            later = PLIES[self.ply(node) + 1]
            leads = sorted(self.rng.sample(later, min(len(later), self.rng.randrange(4) if node else 3)))
            self.edges.append([(then, self.rng.randrange(1, 6)) for then in leads])
            self.kinds.append(self.choose(self.rng, len(self.sizes)) if leads else breeding.OVER)
            self.wins.append(0 if leads else self.rng.randrange(9))
            self.losses.append(0 if leads else self.rng.randrange(9))
        self.bots = [[self.rng.randrange(size) for size in self.sizes] for _ in range(6)]

    @staticmethod
    def ply(node: int) -> int:
        return next(ply for ply, nodes in enumerate(PLIES) if node in nodes)

    @property
    def sizes(self) -> list[int]:
        """How many alleles each gene has."""
        return [len(edges) for kind, edges in zip(self.kinds, self.edges, strict=False) if kind >= 0]

    @property
    def alleles(self) -> np.ndarray:
        return np.array(self.bots, np.uint16).reshape(len(self.bots), len(self.sizes))

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        first = np.cumsum([0, *map(len, self.edges)])
        flat = np.array([edge for edges in self.edges for edge in edges], np.int64)
        return first, np.array(self.kinds), flat[:, 0].copy(), flat[:, 1].copy()

    def reached(self, bot: list[int]) -> set[int]:
        """The nodes that a bot may come to."""
        reached = {0}
        for node, kind in enumerate(self.kinds):
            if node in reached:
                reached.update(then for then, _ in (self.edges[node] if kind < 0 else [self.edges[node][bot[kind]]]))
        return reached

    def fortune(self, bot: list[int]) -> tuple[int, int]:
        """How often the bot wins and loses."""

        @cache
        def of(node: int) -> tuple[int, int]:
            kind, after = self.kinds[node], [of(then) for then, _ in self.edges[node]]
            if kind == breeding.OVER:
                return self.wins[node], self.losses[node]
            if kind == breeding.WORST:
                return min(after, key=lambda pair: pair[0] - pair[1])
            if kind == breeding.MIXED:
                shares = [weight for _, weight in self.edges[node]]
                return sum(share * won for share, (won, _) in zip(shares, after, strict=True)), sum(
                    share * lost for share, (_, lost) in zip(shares, after, strict=True)
                )
            return after[bot[kind]]

        return of(0)


def anything(rng: random.Random, genes: int) -> int:
    return rng.choice([breeding.MIXED, breeding.WORST, genes])


def always_a_gene(rng: random.Random, genes: int) -> int:
    return genes


@pytest.mark.parametrize("seed", SEEDS)
def test_walk_comes_to_what_a_bot_may_meet(seed: int) -> None:
    place = Arena(random.Random(seed), anything)
    first, kind, child, _ = place.arrays
    met, seen = np.zeros(NODES + 1, np.int64), np.zeros(NODES, np.int64)
    for number, bot in enumerate(place.bots):
        order = met[: breeding.walk(place.alleles, number, first, kind, child, met, seen)].tolist()
        assert sorted(order) == sorted(place.reached(bot))
        for node in order[1:]:
            assert any(node in dict(place.edges[before]) for before in order[: order.index(node)])


@pytest.mark.parametrize("seed", SEEDS)
def test_judge_says_how_often_each_bot_wins_and_loses(seed: int) -> None:
    place = Arena(random.Random(seed), anything)
    wins, losses = np.array(place.wins), np.array(place.losses)
    met, seen = np.zeros(NODES + 1, np.int64), np.zeros(NODES, np.int64)
    found = np.zeros((len(place.bots), 2), np.int64)
    breeding.judge(place.alleles, *place.arrays, wins, losses, met, seen, found)
    assert [tuple(row) for row in found.tolist()] == [place.fortune(bot) for bot in place.bots]


@pytest.mark.parametrize("seed", SEEDS)
def test_meet_plays_each_pair_as_both(seed: int) -> None:
    rng = random.Random(seed)
    place = Arena(rng, always_a_gene)
    first, kind, child, _ = place.arrays
    side, ends = np.array([rng.randrange(2) for _ in range(NODES)]), np.array(place.wins) - np.array(place.losses)
    expected = np.zeros((len(place.bots), 2, 2), np.int64)
    for x, as_x in enumerate(place.bots):
        for o, as_o in enumerate(place.bots):
            node = 0
            while place.edges[node]:
                node = place.edges[node][(as_o if side[node] else as_x)[place.kinds[node]]][0]
            if x != o and ends[node]:
                expected[x, 0, int(ends[node] < 0)] += 1
                expected[o, 1, int(ends[node] > 0)] += 1
    found = np.full_like(expected, 9)
    breeding.meet(place.alleles, first, kind, child, side, ends, found)
    assert found.tolist() == expected.tolist()
