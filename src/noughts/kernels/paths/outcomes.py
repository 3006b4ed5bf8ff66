"""Which outcomes free play can still have, block by block and backward: where that is one, play is decided.

The layers are those of `index.retrograde`. An entry is a set of outcomes: 1 X wins, 2 O wins, 4 drawn. Each is what the
children have together. Nothing is checked and nothing allocated; sets of O are uint32, other arrays int64 unless said
otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from noughts.kernels.jit import kernel
from noughts.kernels.paths.records import HAS_LINE, PathBench, PathRules, SetTables
from noughts.kernels.paths.turned import blanks_of, fill_places, image_of, recall_threats

__all__ = ["outcomes_of_o", "outcomes_of_x"]

Array = npt.NDArray[Any]


@kernel
def outcomes_of_x(
    rules: PathRules, leads: Array, child: Array, symmetry: Array, sets: SetTables, fewer: SetTables, bench: PathBench,
    others: Array, ends: Array, children: Array, out: Array,
) -> None:  # fmt: skip
    """Fill the blocks of ``leads`` where X is to move from the layer with one X more.

    ``child`` (int32), ``symmetry`` (uint16): `index.lead.LeadLayer` of these blocks. ``sets``: those of O beside them;
    ``fewer``: those among one blank less. ``others`` (32): memory. ``ends``: the outcomes of a line of X, and of O;
    ``children``, ``out``: uint8, a row for each block.
    """
    blanks = child.shape[1]
    size, known = sets.subsets.size, bench.known[: sets.subsets.size]
    cells = bench.cells[:blanks]
    half, own = np.uint32(fewer.before), fewer.before_ranks
    mask = np.uint32((1 << fewer.before) - 1)
    for i in range(leads.size):
        lead = leads[i]
        blanks_of(lead, cells, blanks)
        out[i, :] = 0
        for j in range(blanks):
            for c in range(blanks - 1):
                others[c] = cells[c if c < j else c + 1]
            block, low = child[i, j], np.uint32((1 << j) - 1)
            places = bench.places[0, : fewer.subsets.size]
            if block >= 0:
                g = symmetry[i, j]
                target = image_of(lead | 1 << cells[j], rules.permutations, g)
                fill_places(others[: blanks - 1], blanks - 1, fewer.subsets, rules.permutations, g, target, fewer.half,
                            fewer.ranks, bench.tables, places, 0)  # fmt: skip
            for s in range(fewer.subsets.size):
                m = fewer.subsets[s]
                wider = (m & low) | (m & ~low) << np.uint32(1)
                rank = own[0, wider & mask] + own[1, wider >> half]
                out[i, rank] |= children[block, places[s]] if block >= 0 else ends[0]
        recall_threats(rules.marks, rules.choose, sets, cells, bench.board, known)
        for t in range(size):
            if known[t] & HAS_LINE:
                out[i, t] = ends[1]


@kernel
def outcomes_of_o(below: Array, children: Array, out: Array) -> None:
    """Fill blocks where O is to move from the same blocks with one O more; ``below``: see `SetTables`."""
    for i in range(out.shape[0]):
        out[i, :] = 0
        for s in range(below.shape[0]):
            for t in range(below.shape[1]):
                out[i, below[s, t]] |= children[i, t]
