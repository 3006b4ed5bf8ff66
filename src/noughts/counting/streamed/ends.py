"""How play under the rules ends from each position where that is decided: two bits a position, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from noughts.counting.question import Question
from noughts.counting.streamed.items import bench_for, path_rules, set_tables
from noughts.counting.streamed.threats import threats_after
from noughts.counting.streamed.values import NO_VALUES, LayerEnds, PositionValues
from noughts.domain.players import OUTCOMES
from noughts.domain.rules import MOVE_RULES
from noughts.kernels.index import lead
from noughts.kernels.paths.outcomes import outcomes_of_o, outcomes_of_x
from noughts.kernels.paths.records import LeadMoves, PathRules
from noughts.machine.progress import Progress
from noughts.machine.workers import Workers
from noughts.solving.index import PerfectIndex

__all__ = ["PositionEnds", "position_ends"]

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

SLICE_ENTRIES = 1 << 22
_CODES = np.array([0, 1, 2, 0, 3, 0, 0, 0], np.uint8)
"""By set of outcomes: how play ends if there is but one."""


@dataclass(frozen=True)
class PositionEnds:
    """How play ends from all positions, a table for each ply: 0 where that is not decided."""

    tables: tuple[Bytes, ...]

    def of_two_plies(self, ply: int) -> LayerEnds:
        """Return how it ends after X's move at a ply, and after O's."""
        return LayerEnds(self.tables[ply + 1], self.tables[min(ply + 2, len(self.tables) - 1)])

    @property
    def at_once(self) -> int:
        """How it ends from the empty board: 0 where that is not decided, else the outcome's place, from 1."""
        return int(self.tables[0][0, 0]) & 3


@dataclass(frozen=True)
class _Ply:
    """What the blocks of a ply share: the index, the rules, the values, the following ply, and what lines mean."""

    index: PerfectIndex
    rules: PathRules
    values: PositionValues | None
    ply: int
    following: Bytes
    ends: Bytes


def position_ends(
    question: Question, index: PerfectIndex, values: PositionValues | None, workers: Workers, progress: Progress
) -> PositionEnds:
    """Return how play ends from all positions; `values` where a rule looks at them.

    Cost: two bits for every set of O beside every canonical set of X without a line.
    """
    return PositionEnds(tuple(_tables(question, index, values, workers, progress))[::-1])


def _tables(
    question: Question, index: PerfectIndex, values: PositionValues | None, workers: Workers, progress: Progress
) -> Iterator[Bytes]:
    """Yield the tables of the full board first."""
    cells, board = index.cells, index.board
    x_rule, o_rule = (MOVE_RULES.index(rule) for rule in (question.x_moves, question.o_moves))
    rules = path_rules(cells, index.permutations)._replace(x_rule=x_rule, o_rule=o_rule)
    ends = np.array([1 << OUTCOMES.index(board.line_outcome(player)) for player in ("X", "O")], np.uint8)
    codes = np.zeros((0, 0), np.uint8)
    for ply in range(cells, -1, -1):
        shape = index.shape(ply, packed=True)
        if ply == cells:
            others = ((1 << cells) - 1) & ~index.layers[(ply + 1) // 2].masks
            lined = lead.threat_table(others, index.lines) & np.uint32(lead.HAS_LINE)
            codes = _packed(np.where(lined, ends[1], np.uint8(1 << OUTCOMES.index("draw")))[:, None])
        else:
            step = max(1, SLICE_ENTRIES // max(1, shape.size))
            cuts = list(pairwise([*range(0, shape.blocks, step), shape.blocks]))
            found = workers.map(_ends_of, _Ply(index, rules, values, ply, codes, ends), cuts)
            codes = np.concatenate([np.zeros((0, shape.stride), np.uint8), *found])
        progress(cells - ply, cells, f"what can still come on {board}")
        yield codes


def _ends_of(shared: _Ply, cut: tuple[int, int]) -> Bytes:
    """Return how play ends from the positions of some blocks."""
    index, rules, ply = shared.index, shared.rules, shared.ply
    blocks, cells, p, q = slice(*cut), index.cells, (ply + 1) // 2, ply // 2
    sets = set_tables(cells, index.lines, cells - p, q)
    values = shared.values.backward(ply, blocks) if shared.values is not None else NO_VALUES
    leads = _leads(shared, blocks)
    out = np.zeros((cut[1] - cut[0], len(sets.subsets)), np.uint8)
    with np.errstate(over="ignore"):
        if ply % 2:
            replies = set_tables(cells, index.lines, cells - p, q + 1)
            bench = bench_for(sets, replies, cells, p)
            outcomes_of_o(rules, leads, sets, replies, values, bench, shared.following[blocks], out)
            return _packed(out)
        fewer = set_tables(cells, index.lines, cells - p - 1, q)
        others = np.zeros(32, np.int64)
        outcomes_of_x(
            rules,
            leads,
            sets,
            fewer,
            values,
            bench_for(sets, sets, cells, p),
            others,
            shared.ends,
            shared.following,
            out,
        )
    return _packed(out)


def _leads(shared: _Ply, blocks: slice) -> LeadMoves:
    """Return the sets of X of some blocks, and where X's moves lead."""
    index, p = shared.index, (shared.ply + 1) // 2
    layer = index.layers[p]
    masks = layer.masks[blocks]
    forks = np.zeros((len(masks), 1), np.uint32)
    if shared.rules.x_rule == MOVE_RULES.index("fork") and shared.ply % 2 == 0:
        free = lead.blanks(masks, index.cells, index.cells - p).astype(np.int64)
        forks = threats_after(index.lines, masks[:, None], free)[:, 0].astype(np.uint32)
    return LeadMoves(masks, lead.threat_table(masks, index.lines), layer.child[blocks], layer.symmetry[blocks], forks)


def _packed(outcomes: Bytes) -> Bytes:
    """Return how play ends with such sets of outcomes, four entries a byte, the first in the lowest bits."""
    wide = np.zeros((len(outcomes), -(-outcomes.shape[1] // 4) * 4), np.uint8)
    wide[:, : outcomes.shape[1]] = _CODES[outcomes]
    packed: Bytes = wide[:, 0::4] | wide[:, 1::4] << 2 | wide[:, 2::4] << 4 | wide[:, 3::4] << 6
    return packed
