"""How free play ends from each position where that is decided: tables as for values, two bits a position, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from noughts.counting.streamed.items import bench_for, path_rules, set_tables
from noughts.counting.streamed.values import NOTHING_TOLD, LayerValues
from noughts.domain.board import Board
from noughts.domain.players import OUTCOMES
from noughts.domain.symmetry import Group
from noughts.kernels.index import lead
from noughts.kernels.paths.outcomes import outcomes_of_o, outcomes_of_x
from noughts.kernels.paths.records import HAS_LINE
from noughts.machine.progress import Progress
from noughts.machine.workers import Workers
from noughts.solving.index import PerfectIndex

__all__ = ["ended_at_once", "layer_ends"]

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

SLICE_ENTRIES = 1 << 22
_CODES = np.array([0, 1, 2, 0, 3, 0, 0, 0], np.uint8)
"""By set of outcomes: how play ends if there is but one."""


@dataclass(frozen=True)
class _Ply:
    """What the blocks of a ply share: the index, its marks of X, the following ply, and what lines of X and O mean."""

    index: PerfectIndex
    ply: int
    following: Bytes
    ends: Bytes


def layer_ends(board: Board, group: Group, workers: Workers, progress: Progress) -> tuple[LayerValues, ...]:
    """Return how play ends for each two plies, by the marks of X before them.

    Cost: two bits for every set of O beside every canonical set of X without a line, and two layers of a byte each.
    """
    index = PerfectIndex(board, group)
    rows = [NOTHING_TOLD, *_tables(index, workers, progress)][::-1]
    return tuple(LayerValues(rows[ply], rows[ply + 1], rows[ply + 2], 0) for ply in range(0, board.cells, 2))


def ended_at_once(tables: tuple[LayerValues, ...]) -> int:
    """Return how play ends from the empty board: 0 where that is not decided, else the outcome's place, from 1."""
    return int(tables[0].before[0, 0]) & 3


def _tables(index: PerfectIndex, workers: Workers, progress: Progress) -> Iterator[Bytes]:
    """Yield the tables of the full board first."""
    cells, board = index.cells, index.board
    ends = np.array([1 << OUTCOMES.index(board.line_outcome(player)) for player in ("X", "O")], np.uint8)
    rows = np.zeros((0, 0), np.uint8)
    for ply in range(cells, -1, -1):
        shape = index.shape(ply, packed=True)
        if ply == cells:
            others = ((1 << cells) - 1) & ~index.layers[(ply + 1) // 2].masks
            lined = lead.threat_table(others, index.lines) & np.uint32(HAS_LINE)
            rows = np.where(lined, ends[1], np.uint8(1 << OUTCOMES.index("draw")))[:, None]
        else:
            step = max(1, SLICE_ENTRIES // max(1, shape.size))
            cuts = list(pairwise([*range(0, shape.blocks, step), shape.blocks]))
            none = np.zeros((0, shape.size), np.uint8)
            rows = np.concatenate([none, *workers.map(_outcomes, _Ply(index, ply, rows, ends), cuts)])
        progress(cells - ply, cells, f"what can still come on {board}")
        yield _packed(_CODES[rows])


def _outcomes(shared: _Ply, cut: tuple[int, int]) -> Bytes:
    """Return the outcomes that play can have from the positions of some blocks."""
    index, ply = shared.index, shared.ply
    blocks, cells, p, q = slice(*cut), index.cells, (ply + 1) // 2, ply // 2
    layer = index.layers[p]
    sets = set_tables(cells, index.lines, cells - p, q)
    out = np.zeros((cut[1] - cut[0], len(sets.subsets)), np.uint8)
    with np.errstate(over="ignore"):
        if ply % 2:
            below = set_tables(cells, index.lines, cells - p, q + 1).below
            outcomes_of_o(below, shared.following[blocks], out)
            return out
        outcomes_of_x(
            path_rules(cells, index.permutations),
            layer.masks[blocks],
            layer.child[blocks],
            layer.symmetry[blocks],
            sets,
            set_tables(cells, index.lines, cells - p - 1, q),
            bench_for(sets, sets, cells, p),
            np.zeros(32, np.int64),
            shared.ends,
            shared.following,
            out,
        )
    return out


def _packed(codes: Bytes) -> Bytes:
    """Return four entries a byte, the first in the lowest bits."""
    wide = np.zeros((len(codes), -(-codes.shape[1] // 4) * 4), np.uint8)
    wide[:, : codes.shape[1]] = codes
    packed: Bytes = wide[:, 0::4] | wide[:, 1::4] << 2 | wide[:, 2::4] << 4 | wide[:, 3::4] << 6
    return packed
