"""What a sweep takes at least, told without finding its states: what is hopeless is refused before anything is loaded.

Choose lines under way whose visited parts have no cell in common, leave all other visited cells blank, and fill each
part with X, with O or not at all: the lines tell the fillings apart, so there are as many states as fillings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from noughts.counting.patterns import Pattern
from noughts.counting.sweeps import Cost
from noughts.machine.budget import Limits
from noughts.rules.marks import Mask

_PLACES = 32
"""At so many steps at most the states are bounded, those half-way first."""

States = Sequence[tuple[int, int, int]]
"""For each number of cells the states in which nobody has a line, those in which the first player has, and branches."""

Price = Callable[[States, int], Cost]
"""The cost of visiting the cell that leads to the states of this number."""


def cost_of(states: States, price: Price) -> Cost:
    """Return the cost of all steps so far."""
    return reduce(Cost.plus, (price(states, step) for step in range(1, len(states))), Cost())


def promising(
    pattern: Pattern, prices: dict[tuple[int, ...], Price], limits: Limits
) -> tuple[list[tuple[int, ...]], Cost]:
    """Return the orders, given with their prices, that may be within the limits; and the least cost where none is."""
    least = {order: hopeless(pattern, order, price, limits) for order, price in prices.items()}
    over = [cost for cost in least.values() if cost is not None]
    return [order for order, cost in least.items() if cost is None], min(over, key=lambda c: c.memory, default=Cost())


def hopeless(pattern: Pattern, order: Sequence[int], price: Price, limits: Limits) -> Cost | None:
    """Return what a sweep in this order takes at least, where that exceeds the limits; else None.

    Cost: milliseconds, in proportion to lines times lines under way.
    """
    size = len(order)
    steps = {size * number // _PLACES for number in range(1, _PLACES)} - {0}
    for step in sorted(steps, key=lambda step: (abs(2 * step - size), step)):
        cost = layer_cost(price, step, least_states(pattern, order[:step]))
        if cost.exceeds(limits):
            return cost
    return None


def layer_cost(price: Price, step: int, states: int) -> Cost:
    """Return what so many states after so many cells cost at least: each state leads to three at most."""
    return price([(states // 3, 0, 0)] * step + [(states, 0, 0)], step)


def least_states(pattern: Pattern, visited: Sequence[int]) -> int:
    """Return a number of states that a sweep finds at least when these cells were visited."""
    seen = sum(1 << cell for cell in visited)
    triggers = [line.trigger for line in pattern.first]
    under_way = [(line & seen, line & ~seen) for line in triggers if line & seen and line & ~seen]
    parts, marks = _told_apart(under_way), 3 if pattern.is_symmetric else 2  # the second player's lines may be others
    while parts:
        filled = sum(parts)
        inside = [[part for part in parts if part & line] for line in triggers if not line & ~filled]
        share = 1.0 - sum((marks - 1) / marks ** len(met) for met in inside)  # of the fillings that complete no line
        if share >= 0.5:
            break
        parts.remove(max(parts, key=lambda part: sum(part in met for met in inside)))
    fillings = int(marks ** len(parts) * share) if parts else 1
    return max(1, fillings // 2 if pattern.is_symmetric else fillings)


def _told_apart(lines: list[tuple[Mask, Mask]]) -> list[Mask]:
    """Return the visited parts of lines under way, given with the cells they lack, that have no cell in common.

    The shortest are chosen first. Left out are lines that another may hide, which lacks no other cell and is made of
    cells of other chosen parts: where it is alive it says all that the hidden line does.
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
