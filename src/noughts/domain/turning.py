"""A board turned or flipped step by step: every symmetry leads on to another, and the last back to the first."""

from __future__ import annotations

from collections.abc import Sequence

from noughts.domain.bits import Cell
from noughts.domain.symmetry import Group, Permutation, compose

__all__ = ["next_turn"]

Parts = tuple[tuple[Cell, ...], ...]


def next_turn(group: Group, parts: Sequence[Sequence[Cell]]) -> Permutation | None:
    """Return the symmetry that turns sets of cells into the next of their images; None where there is but one.

    Asked again and again it goes through all different images and back to the first. The sets of X and of O make a
    position, sets of one cell each a game. Cost: one look-up for each cell and element. Raises BudgetError where the
    group is too large to be listed.
    """

    def image(element: Permutation, of: Parts) -> Parts:
        return tuple([tuple(sorted([element[cell] for cell in part])) for part in of])

    here = tuple(tuple(sorted(part)) for part in parts)
    first, to_first = min((image(element, here), element) for element in group.elements)
    images: dict[Parts, Permutation] = {}
    for element in group.elements:
        images.setdefault(image(element, first), element)
    if len(images) == 1:
        return None
    order = list(images)
    following = order[(order.index(here) + 1) % len(order)]
    return compose(to_first, images[following])
