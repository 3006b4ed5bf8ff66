"""Blocks of the perfect index for the backward pass: what describes them, and how their codes are written.

A block has one entry for every set of O among the cells that a canonical set of X leaves; see `retrograde` for the
codes. Two-bit tables pack four entries a byte, lowest bits first; a block starts on a byte. Nothing is checked and
nothing allocated; arrays are int64 unless said otherwise.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy.typing as npt

from noughts.kernels.jit import helper

__all__ = ["Blocks", "LayerCodes", "Rules", "Scratch", "list_blanks", "put_block"]

Array = npt.NDArray[Any]


class Rules(NamedTuple):
    """What is the same for all layers.

    ``permutations``: (g, cells), the identity first; ``marks``: `ranks.popcounts` of half a board; ``choose``:
    `ranks.binomials`; ``codes``: uint8, loss in 0, draw, win in 0, none; ``turn``: uint8[256]; ``packed``: 1 for two
    bits an entry; ``misere``: 1 where a line loses.
    """

    permutations: Array
    marks: Array
    choose: Array
    codes: Array
    turn: Array
    packed: int
    misere: int


class LayerCodes(NamedTuple):
    """One layer of a table: ``data`` uint8 with ``stride`` bytes a block; ``first`` is the first block at hand."""

    data: Array
    stride: int
    first: int


class Blocks(NamedTuple):
    """Some blocks of a layer: their canonical ``leads``, the cells that complete a line of each (uint32), and the sets.

    ``subsets``: all sets of ``taken`` marks of O among the blanks; ``threats``: `lead.threat_table` (uint32) of all
    sets of ``taken`` cells of the board by rank.
    """

    leads: Array
    own_threats: Array
    subsets: Array
    taken: int
    threats: Array


class Scratch(NamedTuple):
    """Memory of one thread: ``rows`` (3, 32), ``low`` and ``high`` (blanks + 1, 2**half).

    ``entries``: uint8 (2, size + 4), the codes of a block and which of its sets are least.
    """

    rows: Array
    low: Array
    high: Array
    entries: Array


@helper
def put_block(rules: Rules, out: LayerCodes, block: int, size: int, entries: Array, order: int, tally: Array) -> None:
    """Write a block of codes to its layer and add it to ``tally[0]`` (positions) and ``tally[1]`` (classes) by code."""
    weight = rules.permutations.shape[0] // order
    codes, least, data = entries[0], entries[1], out.data
    start = (out.first + block) * out.stride
    for r in range(size):
        tally[0, codes[r]] += weight
        tally[1, codes[r]] += least[r]
    if rules.packed:
        for r in range(size, size + 3):
            codes[r] = 3
        for r in range(0, size, 4):
            data[start + (r >> 2)] = codes[r] | (codes[r + 1] << 2) | (codes[r + 2] << 4) | (codes[r + 3] << 6)
    else:
        for r in range(size):
            data[start + r] = codes[r]


@helper
def list_blanks(lead: Any, threats: Any, cells: Array) -> int:
    """Fill ``cells`` with the blanks of a lead set; return, as a set of those blanks, the ones among ``threats``."""
    j = 0
    own = 0
    for c in range(30):
        if j < cells.size and lead >> c & 1 == 0:
            cells[j] = c
            if threats >> c & 1:
                own |= 1 << j
            j += 1
    return own
