"""The engine `transfer`: marks that still matter, as states, and the numbers of ways to reach them.

A state is three masks over the cells in the order of their visits. `x` and `o` are the marks that lie on a line under
way. `common` is what all lines completed so far share, all 64 bits before the first. A line under way is given by its
part, its visited cells; it is alive while they are all one player's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.arrays import I32x1, I32x2, U32x2, U64x1, U64x2
from noughts.kernels.bits import has_line
from noughts.kernels.frontier.hashing import find_or_add
from noughts.kernels.jit import helper, kernel

Masks = NDArray[np.uint64]
Indices = NDArray[np.int32]
Counts = NDArray[Any]

ZERO = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@helper
def shared_cells(marks: np.uint64, ends: Masks, cores: Masks) -> np.uint64:
    """Return the cells that the cores of those lines share that `marks` complete; all bits if there is none."""
    common = ALL
    for j in range(ends.shape[0]):
        if ends[j] & ~marks == ZERO:
            common &= cores[j]
    return common


@helper
def still_alive(marks: np.uint64, parts: Masks) -> np.uint64:
    """Return the marks that lie on a line under way which is all of these marks so far."""
    alive = ZERO
    for j in range(parts.shape[0]):
        if parts[j] & ~marks == ZERO:
            alive |= parts[j]
    return alive


@helper
def still_relevant(x: np.uint64, common: np.uint64, parts: Masks, cores: Masks, out: Masks) -> None:
    """Write to `out` the marks and the common cells that still matter once X has a line.

    A line that holds all common cells may be completed without changing them: it is not watched. A cell on no line that
    can still be completed changes nothing: it leaves the common cells, and if none is left no line may be completed.
    Each may make the other so, until nothing changes.
    """
    while True:
        alive, near = ZERO, ZERO
        for j in range(parts.shape[0]):
            if parts[j] & ~x == ZERO and (common == ZERO or common & ~cores[j] != ZERO):
                alive |= parts[j]
        for j in range(parts.shape[0]):
            if parts[j] & ~alive == ZERO:
                near |= cores[j]
        if alive == x and common & ~near == ZERO:
            break
        x = alive
        common &= near
    out[0] = x
    out[1] = common


@kernel
def expand(
    states: U64x2,
    begin: int,
    end: int,
    cell: np.uint64,
    x_ends: U64x1,
    x_end_cores: U64x1,
    o_ends: U64x1,
    x_parts: U64x1,
    x_cores: U64x1,
    o_parts: U64x1,
    table: I32x1,
    found: U64x2,
    count: int,
    edges: I32x2,
    key: U64x1,
) -> int:
    """Visit `cell` from the states `begin..end`, leaving it blank, to X or to O; return how many states are found.

    `..._ends` are the lines that end at the cell, `..._parts` the visited parts of those under way after it. States go
    to `found[:count]` and the hash table, `edges[choice, state]` becomes the state reached, -1 where it is refused: O
    may complete no line, X only lines that share a cell. `key` has room for a state, `found` for all that there can be.
    """
    for s in range(begin, end):
        for choice in range(3):
            x, o, common = states[s, 0], states[s, 1], states[s, 2]
            edges[choice, s] = -1
            if choice == 1:
                x |= cell
                common &= shared_cells(x, x_ends, x_end_cores)
                if common == ZERO and has_line(x, x_ends):
                    continue
            elif choice == 2:
                o |= cell
                if has_line(o, o_ends):
                    continue
            if common == ALL:
                key[0], key[1] = still_alive(x, x_parts), common
            else:
                still_relevant(x, common, x_parts, x_cores, key)
            key[2] = key[1]
            key[1] = still_alive(o, o_parts)
            target = find_or_add(table, found, count, key)
            edges[choice, s] = target
            count = max(count, target + 1)
    return count


@kernel
def push(target: U32x2 | U64x2, source: U32x2 | U64x2, edges: I32x1, out: int, into: int, length: int) -> None:
    """Add `source[s, out:out + length]` to `target[edges[s], into:into + length]` for all s; the word wraps around."""
    for s in range(edges.shape[0]):
        t = edges[s]
        if t >= 0:
            for n in range(length):
                target[t, into + n] += source[s, out + n]


@kernel
def push_modulo(
    target: U32x2 | U64x2, source: U32x2 | U64x2, edges: I32x1, out: int, into: int, length: int, modulus: np.uint64
) -> None:
    """As `push`, modulo a number below 2^63; all counts are below it."""
    for s in range(edges.shape[0]):
        t = edges[s]
        if t >= 0:
            for n in range(length):
                total = target[t, into + n] + source[s, out + n]
                target[t, into + n] = total if total < modulus else total - modulus
