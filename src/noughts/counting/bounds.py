"""Lower bounds on the cost of a sweep, without finding its states: an engine refuses early, before it loads anything.

A line is under way when some of its cells are visited and some are not. Choose lines under way whose visited parts are
disjoint, and leave all other visited cells blank. Fill each part with X, with O or not at all. Each filling gives
another status of the lines, so there are at least as many states as fillings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.machine.budget import Limits
from noughts.rules.marks import Mask

_PLACES = 32
"""The states are bounded at this many steps at most, first half-way through the sweep."""

States = Sequence[tuple[int, int, int]]
"""For each number of cells: the states without a line, those where the first player has one, and the branches."""

Price = Callable[[States, int], Cost]
"""The cost of one step: of visiting the cell that leads to the states with this number."""


def cost_of(states: States, price: Price) -> Cost:
    """Return the cost of all steps so far."""
    return reduce(Cost.plus, (price(states, step) for step in range(1, len(states))), Cost())


def promising(
    pattern: Pattern, prices: dict[tuple[int, ...], Price], limits: Limits
) -> tuple[list[tuple[int, ...]], Cost]:
    """Return the orders that may stay within the limits, and the least cost where none does."""
    least = {order: hopeless(pattern, order, price, limits) for order, price in prices.items()}
    over = [cost for cost in least.values() if cost is not None]
    return [order for order, cost in least.items() if cost is None], min(over, key=lambda c: c.memory, default=Cost())


def hopeless(pattern: Pattern, order: Sequence[int], price: Price, limits: Limits) -> Cost | None:
    """Return a lower bound on the cost of a sweep in this order if it exceeds the limits, else None.

    Cost: milliseconds, proportional to lines times lines under way.
    """
    size = len(order)
    steps = {size * number // _PLACES for number in range(1, _PLACES)} - {0}
    for step in sorted(steps, key=lambda step: (abs(2 * step - size), step)):
        cost = layer_cost(price, step, least_states(pattern, order[:step]))
        if cost.exceeds(limits):
            return cost
    return None


def layer_cost(price: Price, step: int, states: int) -> Cost:
    """Return a lower bound on the cost of `states` states after `step` cells: each state leads to three at most."""
    return price([(states // 3, 0, 0)] * step + [(states, 0, 0)], step)


def least_states(pattern: Pattern, visited: Sequence[int]) -> int:
    """Return a lower bound on the number of states after these cells were visited."""
    seen = sum(1 << cell for cell in visited)
    triggers = [line.trigger for line in pattern.first]
    under_way = [(line & seen, line & ~seen) for line in triggers if line & seen and line & ~seen]
    parts, marks = (
        _disjoint_parts(under_way),
        3 if pattern.is_symmetric else 2,
    )  # the second player may have other lines
    while parts:
        filled = sum(parts)
        inside = [[part for part in parts if part & line] for line in triggers if not line & ~filled]
        share = 1.0 - sum((marks - 1) / marks ** len(met) for met in inside)  # of the fillings without a complete line
        if share >= 0.5:
            break
        parts.remove(max(parts, key=lambda part: sum(part in met for met in inside)))
    fillings = int(marks ** len(parts) * share) if parts else 1
    return max(1, fillings // 2 if pattern.is_symmetric else fillings)


def _disjoint_parts(lines: list[tuple[Mask, Mask]]) -> list[Mask]:
    """Return disjoint visited parts of lines under way; `lines` gives each with its cells to come.

    The shortest parts are chosen first. A part is left out where another line makes its status redundant: that line has
    no other cells to come, and its visited cells lie in other chosen parts.
    """
    taken, chosen = 0, []
    for line in sorted(lines, key=lambda line: (line[0].bit_count(), line)):
        if not line[0] & taken:
            taken |= line[0]
            chosen.append(line)
    return [
        part
        for part, rest in chosen
        if not any(not more & ~rest and not made & ~(taken ^ part) for made, more in lines if made != part)
    ]
