"""Blocks of a layer computed from those of the next: what a work item of the backward pass does, and what it counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.index import lead, ranks, retrograde
from noughts.kernels.index.blocks import Blocks, LayerCodes, Rules, Scratch
from noughts.solving.codes import BYTE_CODES, PACKED_CODES, turned, value_code
from noughts.solving.plies import PlyValues, Split

__all__ = [
    "BlockSets",
    "LeadBlocks",
    "ReplyBlocks",
    "block_rules",
    "count_won_beside",
    "distribution",
    "fill_leads",
    "fill_replies",
    "new_tally",
    "won_distribution",
]

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


class BlockSets(NamedTuple):
    """What the blocks of one layer share: `taken` marks of O among `blanks` cells, all their sets, and all threats."""

    rules: Rules
    lines: tuple[int, ...]
    blanks: int
    taken: int
    subsets: Ints
    threats: npt.NDArray[np.uint32]


class LeadBlocks(NamedTuple):
    """Blocks in which X is to move: their sets of X, and for each move the block of the next layer and the symmetry."""

    leads: Ints
    child: npt.NDArray[np.int32]
    symmetry: npt.NDArray[np.uint16]


class ReplyBlocks(NamedTuple):
    """Blocks in which O is to move: their sets of X, and the same blocks of the next layer."""

    leads: Ints
    children: Bytes


def block_rules(permutations: Ints, cells: int, *, misere: bool, packed: bool) -> Rules:
    """Return what is the same for all layers of a board of so many cells, with the identity first."""
    return Rules(
        permutations,
        ranks.popcounts((cells + 1) // 2).copy(),
        ranks.binomials(cells),
        np.array(PACKED_CODES if packed else BYTE_CODES, np.uint8),
        np.array(turned(packed), np.uint8),
        int(packed),
        int(misere),
    )


def distribution(ply: int, tally: Ints, *, packed: bool) -> PlyValues:
    """Return how many positions and classes with an entry are X's, drawn and O's."""
    splits = []
    for row in tally.tolist():
        sums = {"win": 0, "draw": 0, "loss": 0}
        for code, number in enumerate(row):
            value = value_code(code, packed)
            if number and value is not None:
                sums[value] += number
        x_wins, o_wins = (sums["win"], sums["loss"]) if ply % 2 == 0 else (sums["loss"], sums["win"])
        splits.append(Split(x_wins, sums["draw"], o_wins))
    return PlyValues(ply, labelled=splits[0], symmetry=splits[1])


def won_distribution(ply: int, tally: Ints, *, x_wins: bool) -> PlyValues:
    """Return the positions and classes of a ply in which X has just completed a line."""
    labelled, symmetry = (Split(n, 0, 0) if x_wins else Split(0, 0, n) for n in tally[:, 0].tolist())
    return PlyValues(ply, labelled, symmetry)


def fill_leads(shared: tuple[BlockSets, tuple[int, Ints, Ints], LayerCodes], some: LeadBlocks, part: Bytes) -> Ints:
    """Write the codes of blocks in which X is to move; return how many there are of each (see `put_block`)."""
    sets, half_ranks, children = shared
    tally, out, scratch = new_tally(), LayerCodes(part, len(part) // len(some.leads), 0), _scratch(sets)
    blocks = _blocks(sets, some.leads)
    retrograde.lead_moves(sets.rules, blocks, some.child, some.symmetry, *half_ranks, children, out, scratch, tally)
    return tally


def fill_replies(shared: tuple[BlockSets, npt.NDArray[np.int32], int], some: ReplyBlocks, part: Bytes) -> Ints:
    """Write the codes of blocks in which O is to move; return how many there are of each."""
    sets, supersets, stride = shared
    tally, out, scratch = new_tally(), LayerCodes(part, len(part) // len(some.leads), 0), _scratch(sets)
    children = LayerCodes(some.children, stride, 0)
    retrograde.reply_moves(sets.rules, _blocks(sets, some.leads), supersets, children, out, scratch, tally)
    return tally


def count_won_beside(sets: BlockSets, leads: Ints) -> Ints:
    """Return how many positions and classes there are beside sets of X with a line."""
    tally = new_tally()
    blocks = Blocks(leads, np.zeros(len(leads), np.uint32), sets.subsets, sets.taken, sets.threats)
    retrograde.won_positions(sets.rules, blocks, sets.blanks, _scratch(sets), tally)
    return tally


def new_tally() -> Ints:
    """Return zeros for positions and for classes, by code."""
    return np.zeros((2, 256), np.int64)


def _blocks(sets: BlockSets, leads: Ints) -> Blocks:
    return Blocks(leads, lead.threat_table(leads, sets.lines), sets.subsets, sets.taken, sets.threats)


def _scratch(sets: BlockSets) -> Scratch:
    blanks = sets.blanks
    low = blanks // 2
    return Scratch(
        np.zeros((3, 32), np.int64),
        np.zeros((blanks + 1, 1 << low), np.int64),
        np.zeros((blanks + 1, 1 << (blanks - low)), np.int64),
        np.zeros((2, len(sets.subsets) + 4), np.uint8),
    )
