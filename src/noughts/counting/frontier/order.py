"""Which orders of the cells may keep the frontier small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, permutations
from math import exp, log

from noughts.counting.patterns import Pattern, filling_bound
from noughts.counting.sweeps import Cost
from noughts.machine.budget import Limits
from noughts.rules.marks import Mask, cells_of

_ONE_ORDER = 31
"""Flat squares of so many cells are visited in reading order: it is the best known, and dry runs take seconds."""

_SMALL = 12
"""Up to so many cells any order will do."""


def _candidates(pattern: Pattern, lines: list[Mask], sides: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield orders worth trying: along each axis of a grid with these sides, and greedily by open lines."""
    size = pattern.size
    least = [next(cells_of(cells)) for cells in pattern.cells]
    yield tuple(range(size))
    if sides:
        columns, rows, _ = sides
        places = [(at % columns, at // columns % rows, at // (columns * rows)) for at in least]
        for axes in permutations(range(3)):
            keys = [tuple(place[axis] for axis in axes) for place in places]
            yield tuple(sorted(range(size), key=keys.__getitem__))
    if not sides or sides[2] > 1:
        yield from (_greedy(size, lines, start) for start in (0, size // 2))


def _greedy(size: int, lines: list[Mask], start: int) -> tuple[int, ...]:
    """Return an order in which each cell leaves as few lines open as can be, beginning with `start`."""
    through = [[line for line in lines if line >> cell & 1] for cell in range(size)]
    order, visited = [start], 1 << start
    while len(order) < size:

        def opened(cell: int, seen: int = visited) -> int:
            after = seen | 1 << cell
            return sum((not line & seen) - (not line & ~after) for line in through[cell] if line & (line - 1))

        best = min((cell for cell in range(size) if not visited >> cell & 1), key=lambda cell: (opened(cell), cell))
        order.append(best)
        visited |= 1 << best
    return tuple(order)


def _unlike(pattern: Pattern, orders: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the orders, of those that a symmetry of the pattern carries into each other only the first."""
    kept: list[tuple[int, ...]] = []
    for order in orders:
        if not any(_keeps(pattern, dict(zip(other, order, strict=True))) for other in kept):
            kept.append(order)
    return kept


def _keeps(pattern: Pattern, image: dict[int, int]) -> bool:
    """Tell whether a permutation of the cells carries the weights and each player's lines into themselves."""
    weights = pattern.weights
    if any(weights[cell] != weights[to] for cell, to in image.items()):
        return False

    def moved(cells: Mask) -> Mask:
        return sum(1 << image[cell] for cell in cells_of(cells))

    return all(
        {(moved(line.trigger), moved(line.core)) for line in lines} == {(line.trigger, line.core) for line in lines}
        for lines in {pattern.first, pattern.second}
    )


def orders_of(pattern: Pattern, sides: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the orders of the cells that are worth trying, those that a symmetry exchanges once.

    `sides` are the columns, rows and layers of a board that is a grid, otherwise empty.
    """
    lines = [line.trigger for line in pattern.first]
    if lines and pattern.size > _SMALL and (pattern.size < _ONE_ORDER or len(set(sides[:2])) != 1 or sides[2] > 1):
        return _unlike(pattern, list(dict.fromkeys(_candidates(pattern, lines, sides))))
    return [tuple(range(pattern.size))]


# What a frontier will grow to, foretold from its first rows by what its open lines can say.

_LARGE = 150_000
"""States from which on it is guessed what they will grow to."""

_ALIVE = 0.47
"""Chance that a cell keeps a line alive for one player: fitted to what the graphs of boards of up to 8x8 grow to."""


class Growth:
    """The growth of the frontier of a pattern whose cells are visited in this order."""

    def __init__(self, pattern: Pattern, order: Sequence[int]) -> None:
        self._pattern, self._order = pattern, tuple(order)

    def further(self, sizes: Sequence[int]) -> float:
        """Return by how much a layer will grow still, at a guess; 1 unless it is large and not yet half-way.

        `sizes` are the states after each number of cells so far, 0 included. The logarithm of the states is taken to
        follow what the open lines can say; half of what that foretells.
        """
        step, half = len(sizes) - 1, len(self._order) // 2
        if sizes[-1] < _LARGE or step >= half:
            return 1.0
        more = max(self._said[step : half + 1]) / self._said[step] - 1
        return max(1.0, 0.5 * exp(log(sizes[-1]) * min(more, 1.0)))

    @cached_property
    def _said(self) -> list[float]:
        """What the lines under way can say after each number of cells, up to half of them: see `_information`."""
        return [_information(self._pattern, self._order[:step]) for step in range(len(self._order) // 2 + 1)]


def _information(pattern: Pattern, visited: Sequence[int]) -> float:
    """Return the entropy of the lines under way, if each cell kept a line alive with the same chance.

    Of lines that lack the same cells the most alive speaks for all.
    """
    seen = sum(1 << cell for cell in visited)
    marked: dict[Mask, int] = {}
    for line in pattern.first:
        rest, taken = line.trigger & ~seen, (line.trigger & seen).bit_count()
        if rest and taken:
            marked[rest] = min(marked.get(rest, taken), taken)
    chances = (_ALIVE**taken for taken in marked.values())
    return sum(-2 * chance * log(chance) - (1 - 2 * chance) * log(1 - 2 * chance) for chance in chances)


# What a sweep takes at least, without a dry run: what is hopeless is refused before anything is compiled or loaded.
#
# Choose lines under way whose visited parts have no cell in common, leave all other visited cells blank, and fill each
# part with X, with O or not at all: then the lines tell the fillings apart, so there are as many states as fillings.

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
