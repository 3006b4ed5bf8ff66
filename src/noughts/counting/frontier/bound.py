"""What a sweep takes at least, without a dry run: what is hopeless is refused before anything is compiled or loaded.

Choose lines under way whose visited parts have no cell in common, leave all other visited cells blank, and fill each
part with X, with O or not at all: then the lines tell the fillings apart, so there are as many states as fillings.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from noughts.counting.patterns.pattern import Pattern
from noughts.counting.patterns.residues import filling_bound
from noughts.counting.sweeps import Cost
from noughts.domain.bits import Mask, cells_of
from noughts.machine.budget import Limits

__all__ = ["cost_at", "entries_at", "growth_unfolding", "hopeless", "least_states"]

_PLACES = 32
"""At so many steps at most the states are bounded, those half-way first."""

_SECONDS_PER_ENTRY = 1.6e-9

_UNFOLDING = 250_000
"""States of a layer from which on it is asked whether every cell still tells its three marks apart, nearly."""

_THREEFOLD, _STEADY = 2.6, 5
"""How many times the states have grown then with each of so many last cells at least."""


def entries_at(visited: int, remaining: int, to_ply: int) -> int:
    """Return the entries of a value when cells weighing `visited` were visited and cells weighing `remaining` are left.

    They are all (t, p) that can still end with p - q in -1..1: t marks placed, p of them X, q the others.
    """
    slack = remaining + 1
    return sum(max(0, t - 2 * max(0, -((slack - t) // 2)) + 1) for t in range(min(visited, to_ply) + 1))


def hopeless(pattern: Pattern, order: Sequence[int], to_ply: int, limits: Limits) -> Cost | None:
    """Return what a sweep in this order takes at least, where that exceeds the limits; else None.

    Cost: milliseconds, in proportion to lines times lines under way.
    """
    weights = [pattern.weights[cell] for cell in order]
    size = len(order)
    steps = {size * number // _PLACES for number in range(1, _PLACES)}
    for step in sorted(steps, key=lambda step: (abs(2 * step - size), step)):
        cost = cost_at(step, least_states(pattern, order[:step]), weights, to_ply)
        if cost.exceeds(limits):
            return cost
    return None


def cost_at(step: int, states: int, weights: Sequence[int], to_ply: int) -> Cost:
    """Return what a sweep over cells of these weights takes at least, with so many states after so many cells."""
    entries = entries_at(sum(weights[:step]), sum(weights[step:]), to_ply)
    fillings = filling_bound(weights[:step])
    word = 4 if fillings < 1 << 32 else 8 if fillings < 1 << 64 else 16
    return Cost(0, states * entries * word, states * entries * _SECONDS_PER_ENTRY, states)


def growth_unfolding(sizes: Sequence[int], left: int) -> float:
    """Return by how much the states grow in `left` cells where nothing slows them yet, as on a torus; else 1.

    `sizes` are those after each cell so far. The pace is taken to last for three quarters of the cells: a guess.
    """
    last = sizes[-_STEADY - 1 :]
    if sizes[-1] < _UNFOLDING or len(last) <= _STEADY or left < 2:
        return 1.0
    pace = min(after / before for before, after in pairwise(last))
    return float(pace ** (left * 3 / 4)) if pace > _THREEFOLD else 1.0


def least_states(pattern: Pattern, visited: Sequence[int]) -> int:
    """Return a number of states that a sweep finds at least when these cells were visited."""
    seen = sum(1 << cell for cell in visited)
    under_way = [
        (line.trigger & seen, line.trigger & ~seen)
        for line in pattern.first
        if line.trigger & seen and line.trigger & ~seen
    ]
    parts = _told_apart(_disjoint(under_way), under_way)
    complete = [line.trigger for line in pattern.first if not line.trigger & ~seen]
    marks = 3 if pattern.is_symmetric else 2  # the second player's lines may be others
    share = 1.0
    while parts:
        number = {cell: i for i, (part, _) in enumerate(parts) for cell in cells_of(part)}
        filled = sum(part for part, _ in parts)
        inside = [{number[cell] for cell in cells_of(line)} for line in complete if not line & ~filled]
        share = 1.0 - sum((marks - 1) / marks ** len(met) for met in inside)
        if share >= 0.5:
            break
        worst = max(range(len(parts)), key=lambda i: sum(i in met for met in inside))
        parts = parts[:worst] + parts[worst + 1 :]
    fillings = int(marks ** len(parts) * share) if parts else 1
    return max(1, fillings // 2 if pattern.is_symmetric else fillings)


_Line = tuple[Mask, Mask]
"""The visited cells of a line under way, and its others."""


def _disjoint(lines: list[_Line]) -> list[_Line]:
    """Return lines whose visited parts have no cell in common: the shortest first."""
    taken, chosen = 0, []
    for line in sorted(lines, key=lambda line: (line[0].bit_count(), line)):
        if not line[0] & taken:
            taken |= line[0]
            chosen.append(line)
    return chosen


def _told_apart(chosen: list[_Line], lines: list[_Line]) -> list[_Line]:
    """Return the chosen lines without those that another may hide: one that lacks no other cell says all that it does.

    Such a line must be made of cells of other chosen parts, or it is dead.
    """
    kept = list(chosen)
    for part, rest in chosen:
        taken = sum(other for other, _ in kept if other != part)
        if any(not more & ~rest and not made & ~taken for made, more in lines if made != part):
            kept.remove((part, rest))
    return kept
