"""Bots as rows of alleles: how each does against an opponent, in whole numbers, and how bots do against each other.

An arena is a graph of position classes whose edges are listed node by node. Node n has the edges from ``first[n]`` to
``first[n + 1]``. ``child`` has the target of each: a later node, one ply on, so all ways to a node are equally long.
``kind`` from 0 on is the gene that plays at a node; its allele is the number of the edge among those of the node. Other
kinds are OVER, MIXED and WORST. Nothing is allocated.
"""

import numpy as np

from noughts.kernels.arrays import I64x1, I64x2, I64x3, U16x2
from noughts.kernels.bits import Int
from noughts.kernels.jit import helper, kernel

OVER = -1
"""The game is over."""
MIXED = -2
"""The edges are taken with chances in proportion to their ``weight``."""
WORST = -3
"""The opponent takes an edge that is worst for the bot."""


@helper
def walk(
    alleles: np.ndarray,
    bot: Int,
    first: np.ndarray,
    kind: np.ndarray,
    child: np.ndarray,
    met: np.ndarray,
    seen: np.ndarray,
) -> Int:
    """Write to ``met`` the nodes that a bot may come to, each after those that lead to it; return how many.

    ``seen``, int64[N], holds at those nodes the number of the bot plus 1, and no such number before.
    """
    met[0] = 0
    count = 1
    at = 0
    while at < count:
        node = met[at]
        at += 1
        what = kind[node]
        start, end = first[node], first[node + 1]
        if what >= 0:
            start += alleles[bot, what]
            end = start + 1
        for edge in range(start, end):
            then = child[edge]
            met[count] = then
            count += seen[then] != bot + 1
            seen[then] = bot + 1
    return count


@kernel
def judge(
    alleles: U16x2,
    first: I64x1,
    kind: I64x1,
    child: I64x1,
    weight: I64x1,
    wins: I64x1,
    losses: I64x1,
    met: I64x1,
    seen: I64x1,
    found: I64x2,
) -> None:
    """Write to ``found``, int64[B, 2], how often each bot wins and how often it loses, in units of the arena's scale.

    ``alleles``: uint16[B, G]; ``first``: int64[N + 1]; ``kind``: int64[N]; ``child``, ``weight``: int64[E]. ``wins``
    and ``losses``, int64[N], hold the numbers of nodes where the game is over, and are room to work in for the others,
    as are ``met``, int64[N + 1], and ``seen``, int64[N], which is 0. For each bot one pass from the last node it may
    come to back to the first. No number exceeds the scale, which the caller has proved to fit; arrays of Python
    integers do as well where it does not, uncompiled.
    """
    for bot in range(alleles.shape[0]):
        for at in range(walk(alleles, bot, first, kind, child, met, seen) - 1, -1, -1):
            node = met[at]
            what = kind[node]
            if what == OVER:
                continue
            start, end = first[node], first[node + 1]
            if what >= 0:
                then = child[start + alleles[bot, what]]
                wins[node] = wins[then]
                losses[node] = losses[then]
            elif what == MIXED:
                won, lost = 0, 0
                for edge in range(start, end):
                    won += weight[edge] * wins[child[edge]]
                    lost += weight[edge] * losses[child[edge]]
                wins[node] = won
                losses[node] = lost
            else:
                worst = child[start]
                for edge in range(start + 1, end):
                    then = child[edge]
                    if wins[then] - losses[then] < wins[worst] - losses[worst]:
                        worst = then
                wins[node] = wins[worst]
                losses[node] = losses[worst]
        found[bot, 0] = wins[0]
        found[bot, 1] = losses[0]


@kernel
def meet(
    alleles: U16x2,
    first: I64x1,
    kind: I64x1,
    child: I64x1,
    side: I64x1,
    ends: I64x1,
    found: I64x3,
) -> None:
    """Write to ``found`` how many of the other bots each beats, and to how many it loses, as X and as O.

    Each bot meets each other as X and as O, one game each. ``side``, int64[N], is 0 where X moves and 1 where O does;
    ``ends``, int64[N], is +1 where X has won and -1 where O has. No node has several edges but those of genes.
    ``found``: int64[B, 2, 2], for each bot as X and as O its wins and losses. Cost: B^2 games.
    """
    found[:] = 0
    for x in range(alleles.shape[0]):
        for o in range(alleles.shape[0]):
            if x == o:
                continue
            node = 0
            while kind[node] != OVER:
                what = kind[node]
                at = first[node]
                if what >= 0:
                    at += alleles[x if side[node] == 0 else o, what]
                node = child[at]
            if ends[node] > 0:
                found[x, 0, 0] += 1
                found[o, 1, 1] += 1
            elif ends[node] < 0:
                found[x, 0, 1] += 1
                found[o, 1, 0] += 1
