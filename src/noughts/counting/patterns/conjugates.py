"""The symmetries of a group by kind: those that leave equally many fillings alone are counted once."""

from __future__ import annotations

from noughts.counting.patterns.pattern import orbits_of
from noughts.domain.bits import Mask
from noughts.domain.symmetry import Group, Permutation, compose, inverse

__all__ = ["kinds_of_symmetry"]

_MOVERS = 64
"""At most this many elements are used to carry one partition to another; fewer only mean that less is merged."""

_Partition = tuple[Mask, ...]


def kinds_of_symmetry(group: Group) -> tuple[tuple[Permutation, int], ...]:
    """Return one symmetry of each kind, the identity first, with how many there are of the kind.

    What a symmetry leaves alone depends on its orbits only, and conjugate symmetries have orbits that some symmetry
    carries to each other. Cost: elements times kinds. Raises BudgetError where the elements are too many to list.
    """
    counts: dict[_Partition, int] = {}
    named: dict[_Partition, Permutation] = {}
    partitions = [orbits_of(element) for element in group.elements]
    for element, partition in zip(group.elements, partitions, strict=True):
        counts[partition] = counts.get(partition, 0) + 1
        named.setdefault(partition, element)
    movers = [(element, inverse(element)) for element in group.elements[:_MOVERS]]
    partition_of = dict(zip(group.elements, partitions, strict=True))
    kinds = []
    waiting = dict(counts)
    while waiting:
        partition = next(iter(waiting))
        total, reached = 0, [partition]
        while reached:
            current = reached.pop()
            if current not in waiting:
                continue
            total += waiting.pop(current)
            moved = (compose(compose(back, named[current]), mover) for mover, back in movers)
            reached += [partition_of[conjugate] for conjugate in moved]
        kinds.append((named[partition], total))
    return tuple(kinds)
