"""What a player who only must not lose can answer, compiled: see `solving.guarding`.

*Maker* wants a line. *Breaker* prevents it, and his own threats count: Maker must answer them. Families, pairs and
weights are those of `weak`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.kernels.arrays import I64x1, I64x2, ReadU64x1, U64x1, U64x3
from noughts.kernels.bits import ONE, ZERO, lowest, popcount
from noughts.kernels.jit import helper, kernel
from noughts.kernels.search.survey import image_of, plane_of
from noughts.kernels.search.weak import FamilyScratch, shared_pairs, strike, take

Array = npt.NDArray[Any]

SETTLED, OPEN = 0, 1


class GuardRoom(NamedTuple):
    """Room for a family, for the cells that are ``common`` to lines, and for what is found of each move.

    ``cells`` and ``weights`` are of moves, ``keys`` has three sets for each reply, ``pairs`` those that were chosen.
    """

    family: U64x1
    common: U64x1
    keys: U64x1
    cells: I64x1
    weights: I64x1
    pairs: I64x2


@helper
def minimal(lines: Array, count: int) -> int:
    """Leave out each set that contains another; return how many are left."""
    left = 0
    for i in range(count):
        line = lines[i]
        keep = True
        for j in range(left):
            if not lines[j] & ~line:
                keep = False
                break
        for j in range(i + 1, count):
            if lines[j] != line and not lines[j] & ~line:
                keep = False
                break
        if keep:
            lines[left] = line
            left += 1
    return left


@helper
def find_threats(own: Any, other: Any, lines: Array) -> Any:
    """Return the cells that complete a line of a player."""
    threats = ZERO
    for i in range(lines.size):
        left = lines[i] & ~own
        if not lines[i] & other and popcount(left) == 1:
            threats |= left
    return threats


@helper
def make_family(maker: Any, breaker: Any, lines: Array, out: Array) -> int:
    """Write what Maker lacks of each line without a mark of Breaker, supersets left out; return how many."""
    count = 0
    for i in range(lines.size):
        if not lines[i] & breaker:
            out[count] = lines[i] & ~maker
            count += 1
    return minimal(out, count)


@helper
def find_live(maker: Any, breaker: Any, lines: Array) -> tuple[Any, Any]:
    """Return the cells of the lines that Maker can still complete, and those of Breaker's."""
    makers, breakers = ZERO, ZERO
    for i in range(lines.size):
        if not lines[i] & breaker:
            makers |= lines[i]
        if not lines[i] & maker:
            breakers |= lines[i]
    return makers, breakers


@kernel
def list_answers(
    maker: np.uint64, breaker: np.uint64, lines: ReadU64x1, unit: int, bench: FamilyScratch, room: GuardRoom
) -> int:
    """Write Breaker's moves worth a look to ``room.cells``, by the least weight that pairs leave; return how many.

    Where Breaker completes a line, or must keep Maker from one, there is one move, of weight 0.
    """
    wins = find_threats(breaker, maker, lines)
    if not wins:
        wins = find_threats(maker, breaker, lines)
    if wins:
        room.cells[0], room.weights[0] = lowest(wins), 0
        return 1
    makers, breakers = find_live(maker, breaker, lines)
    members = make_family(maker, breaker, lines, room.family)
    rest = (makers | breakers) & ~(maker | breaker)
    total = 0
    while rest:
        cell = lowest(rest)
        bit = ONE << np.uint64(cell)
        rest ^= bit
        count = 0
        for i in range(members):
            if not room.family[i] & bit:
                bench.image[count] = room.family[i]
                count += 1
        count = strike(bench.image, count, bench.common)
        weight = shared_pairs(bench.image, count, unit, True, bench)[0]
        threats = find_threats(breaker | bit, maker, lines)
        if popcount(threats) > 1:
            weight = 0
        at = total
        while at > 0 and room.weights[at - 1] > weight:
            room.cells[at], room.weights[at] = room.cells[at - 1], room.weights[at - 1]
            at -= 1
        room.cells[at], room.weights[at] = cell, weight
        total += 1
    return total


@helper
def undominated(maker: Any, breaker: Any, lines: Array, common: Array) -> Any:
    """Return the blanks on live lines of either player, each but where another is on all of its live lines."""
    seen = ZERO
    for i in range(lines.size):
        if lines[i] & maker and lines[i] & breaker:
            continue
        rest = lines[i] & ~(maker | breaker)
        while rest:
            cell = lowest(rest)
            bit = ONE << np.uint64(cell)
            rest ^= bit
            common[cell] = common[cell] & lines[i] if seen & bit else lines[i]
            seen |= bit
    found, rest = ZERO, seen
    while rest:
        cell = lowest(rest)
        bit = ONE << np.uint64(cell)
        rest ^= bit
        others = common[cell] & seen & ~bit
        dominated = False
        while others:
            other = lowest(others)
            others ^= ONE << np.uint64(other)
            dominated = dominated or other < cell or not common[other] & bit
        if not dominated:
            found |= bit
    return found


@helper
def is_met(lines: Array, count: int, cell: int, unit: int, pairs: Array, chosen: int) -> bool:
    """Tell whether the pairs that a reply leaves keep the weight of a family below 1."""
    taken = ZERO
    for i in range(chosen):
        if pairs[i, 0] != cell and pairs[i, 1] != cell:
            taken |= ONE << np.uint64(pairs[i, 0]) | ONE << np.uint64(pairs[i, 1])
    total = 0
    for i in range(count):
        whole = False
        for j in range(chosen):
            both = ONE << np.uint64(pairs[j, 0]) | ONE << np.uint64(pairs[j, 1])
            whole = whole or (lines[i] & both == both and both & taken == both)
        if not whole:
            total += 1 << plane_of(popcount(lines[i] & ~taken), unit)
    return total < 1 << unit


@helper
def write_key(maker: Any, breaker: Any, lines: Array, images: Array, keys: Array, at: int) -> None:
    """Write the least image of the marks and blanks on live lines."""
    makers, breakers = find_live(maker, breaker, lines)
    blank = (makers | breakers) & ~(maker | breaker)
    maker, breaker = maker & makers, breaker & breakers
    keys[at], keys[at + 1], keys[at + 2] = maker, breaker, blank
    for element in range(images.shape[0]):
        one, two = image_of(maker, images, element), image_of(breaker, images, element)
        if one > keys[at] or (one == keys[at] and two > keys[at + 1]):
            continue
        three = image_of(blank, images, element)
        if one < keys[at] or two < keys[at + 1] or three < keys[at + 2]:
            keys[at], keys[at + 1], keys[at + 2] = one, two, three


@kernel
def list_replies(
    maker: np.uint64,
    breaker: np.uint64,
    lines: ReadU64x1,
    unit: int,
    images: U64x3,
    bench: FamilyScratch,
    room: GuardRoom,
) -> tuple[int, int, int]:
    """Write Maker's replies that pairs leave open to ``room.cells``, each with its key and the weight that pairs leave.

    Returns SETTLED or OPEN, how many replies are open, and how many pairs were chosen: those in ``room.pairs``. Assumes
    that Maker cannot complete a line.
    """
    threats = find_threats(breaker, maker, lines)
    if popcount(threats) > 1:
        return SETTLED, 0, 0
    family, pairs = room.family, room.pairs
    members = strike(family, make_family(maker, breaker, lines, family), bench.common)
    least, chosen = shared_pairs(family, members, unit, True, bench)
    for i in range(chosen):
        pairs[i, 0], pairs[i, 1] = bench.pairs[i, 0], bench.pairs[i, 1]
    if least < 1 << unit:
        return SETTLED, 0, chosen
    rest = threats if threats else undominated(maker, breaker, lines, room.common)
    total = 0
    while rest:
        cell = lowest(rest)
        bit = ONE << np.uint64(cell)
        rest ^= bit
        count = strike(bench.image, take(family, members, bit, bench.image), bench.common)
        if is_met(bench.image, count, cell, unit, pairs, chosen):
            continue
        room.cells[total] = cell
        room.weights[total] = shared_pairs(bench.image, count, unit, False, bench)[0]
        write_key(maker | bit, breaker, lines, images, room.keys, 3 * total)
        total += 1
    return OPEN, total, chosen
