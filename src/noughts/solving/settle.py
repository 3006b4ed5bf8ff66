"""Values and settled outcomes of all classes that play can reach: layers kept on the way there, filled on the way back.

The compiled counterpart of `values`, for boards whose layers fit in memory. Numbers in, numbers out: outcomes are
ordered by how good they are for X, 0 (O wins), 1 (draw), 2 (X wins), and 3 stands for an outcome not yet settled.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from noughts.kernels.layers.advance import (
    NO_CHILDREN,
    Chunk,
    expand_layer,
    make_child_table,
    slices,
    start_layer,
)
from noughts.kernels.layers.geometry import prepare_leads
from noughts.kernels.layers.records import KIND_SHIFT, OPEN, Bytes, Children, Geometry, Groups, Ints, Masks
from noughts.kernels.layers.regroup import Buffers, sort_chunks
from noughts.kernels.layers.retreat import value_groups
from noughts.kernels.layers.terms import Terms

__all__ = ["Report", "Settled", "settle"]


@dataclass(frozen=True)
class Settled:
    """What the backward pass found.

    `children[t]` holds, for the unfinished classes of ply t that the graph reaches, the state bytes of their unfinished
    children: value under free play | settled outcome << 2 (the value only where the graph is that of free play).
    """

    start_value: int
    start_outcome: int
    children: dict[int, Children]

    def at(self, ply: int) -> Children:
        """The known children of a ply's classes; none at the last plies."""
        return self.children.get(ply, NO_CHILDREN)


@dataclass
class _Kept:
    """One layer of the graph: its classes, their children's marks, and where each class stood among its siblings."""

    layer: Groups
    met: Ints
    masks: Masks
    ends: Ints


Report = Callable[[str, int, int], Callable[[int], None]]
"""Called with what begins, its ply and the number of classes; returns what to call with each number of them done."""


def settle(executor: Executor, threads: int, geometry: Geometry, terms: Terms, report: Report) -> Settled:
    """Return value and settled outcome of every unfinished class that the graph's moves reach from the start.

    The graph holds all moves if a player's rule is `perfect`, else those of the rules; play ends at a line. Assumes
    that the start is unfinished.
    Memory: about 25 bytes for each class of all layers together, 9 of them afterwards.
    """
    kept = _forward(executor, threads, geometry, terms, report)
    children: dict[int, Children] = {}
    states = np.zeros(0, np.uint8)
    below = np.zeros(0, np.int64)
    for ply in range(terms.start_ply + len(kept) - 1, terms.start_ply - 1, -1):
        here = kept.pop()
        met = np.zeros(states.shape[0], np.uint8)
        met[below] = states
        children[ply] = Children(here.layer.leads, here.ends, here.masks, met)
        tick = report("values", ply, here.layer.others.shape[0])
        states = _backward(executor, threads, geometry, terms, ply, here.layer, children[ply], tick)
        below = here.met
    start = int(states[0])
    return Settled(start & OPEN, start >> KIND_SHIFT, children)


def _forward(executor: Executor, threads: int, geometry: Geometry, terms: Terms, report: Report) -> list[_Kept]:
    """List all unfinished classes, layer by layer."""
    layer = start_layer(*terms.sides(terms.start_ply), [0])
    kept: list[_Kept] = []
    for ply in range(terms.start_ply, terms.cells):
        met = layer.weights.astype(np.int64)
        prepare_leads(geometry, (ply + 2) // 2)
        tick = report("positions", ply, layer.others.shape[0])
        _, chunks = expand_layer(executor, threads, geometry, terms.graph_play(ply), layer, NO_CHILDREN, tick)
        bare = layer._replace(weights=np.zeros(0, np.uint64))
        kept.append(_Kept(bare, met, np.concatenate([chunk.masks for chunk in chunks]), _group_ends(chunks, layer)))
        if not any(chunk.leads.size for chunk in chunks):
            break
        layer = sort_chunks(executor, threads, terms.cells, 1, _numbered(chunks), Buffers())
    return kept


def _group_ends(chunks: list[Chunk], layer: Groups) -> Ints:
    """int64[groups + 1]: where the children of each group start."""
    ends = np.zeros(layer.leads.shape[0] + 1, np.int64)
    if not chunks[0].ends.size:
        return ends
    at, before = 1, 0
    for chunk in chunks:
        ends[at : at + chunk.ends.size] = chunk.ends + before
        at += chunk.ends.size
        before += chunk.leads.size
    return ends


def _numbered(chunks: list[Chunk]) -> list[Chunk]:
    """The chunks with the running number of each class in place of its weight."""
    before = 0
    for chunk in chunks:
        chunk.weights[:] = np.arange(before, before + chunk.leads.size, dtype=np.uint64)
        before += chunk.leads.size
    return chunks


def _backward(
    executor: Executor,
    threads: int,
    geometry: Geometry,
    terms: Terms,
    ply: int,
    layer: Groups,
    children: Children,
    tick: Callable[[int], None],
) -> Bytes:
    """The state bytes of a layer's classes, in their order."""
    states = np.zeros(layer.others.shape[0], np.uint8)
    play = terms.play(ply, 1, emit=False)
    largest = int(np.diff(children.offsets).max(initial=0))

    def work(bounds: tuple[int, int]) -> int:
        scratch = make_child_table(largest, play.columns, geometry.images.shape[0])
        value_groups(geometry, play, layer, children, scratch, states, *bounds)
        return int(layer.offsets[bounds[1]] - layer.offsets[bounds[0]])

    for done in executor.map(work, slices(layer.offsets, threads)):
        tick(done)
    return states
