"""Groups of permutations of cells: orbits, stabilisers, canonical forms.

A permutation is a tuple p with p[i] the image of cell i. The canonical form of a pair of sets (x, o) is its least
image, comparing x first and then o, as integers; so a lone X in a corner is canonical at a1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from noughts.domain.arguments import whole_number
from noughts.domain.bits import Mask, cells_of, mask_of
from noughts.domain.errors import BudgetError, InvalidType
from noughts.domain.frozen import Frozen

__all__ = ["ELEMENT_LIMIT", "Group", "Permutation", "compose", "identity", "inverse", "is_identity"]

Permutation = tuple[int, ...]

ELEMENT_LIMIT = 10_000
"""Groups up to this order are listed; larger ones have an order and generators only."""

_CHUNK = 9
_LOOKED_UP = 100_000
"""Elements times cells up to which sets are mapped by look-up; the tables would take a gigabyte soon after."""


def identity(degree: int) -> Permutation:
    """Return the permutation that moves nothing."""
    return tuple(range(degree))


def is_identity(permutation: Permutation) -> bool:
    """Tell whether a permutation moves nothing."""
    return all(image == cell for cell, image in enumerate(permutation))


def compose(first: Permutation, then: Permutation) -> Permutation:
    """Return the permutation that does `first`, and `then` after it."""
    return tuple([then[image] for image in first])


def _permutations(degree: int, given: Iterable[Permutation]) -> tuple[Permutation, ...]:
    cells = list(range(whole_number("the degree of a group", degree)))
    try:
        found = tuple(tuple(permutation) for permutation in given)
        if all(sorted(permutation) == cells for permutation in found):
            return found
    except TypeError:
        pass
    raise InvalidType(f"generators are permutations of the cells 0 to {degree - 1}: give lists of images, cell by cell")


def inverse(permutation: Permutation) -> Permutation:
    """Return the permutation that undoes this one."""
    back = [0] * len(permutation)
    for cell, image in enumerate(permutation):
        back[image] = cell
    return tuple(back)


def _image_by_cell(permutation: Permutation) -> Callable[[Mask], Mask]:
    """Return a function that maps sets of cells, of which each is looked at: without tables."""
    return lambda mask: mask_of(permutation[cell] for cell in cells_of(mask))


def _image_function(permutation: Permutation) -> Callable[[Mask], Mask]:
    """Return a function that maps sets of cells, by look-up in chunks of nine cells."""
    tables = []
    for start in range(0, len(permutation), _CHUNK):
        chunk = permutation[start : start + _CHUNK]
        table = [0]
        for image in chunk:
            bit = 1 << image
            table += [entry | bit for entry in table]
        tables.append(table)
    if len(tables) == 1:
        return tables[0].__getitem__
    if len(tables) == 2:
        low, high = tables
        return lambda mask: low[mask & 511] | high[mask >> 9]

    def image_of(mask: Mask) -> Mask:
        result = 0
        for table in tables:
            result |= table[mask & 511]
            mask >>= _CHUNK
        return result

    return image_of


class Group(Frozen):
    """A group of permutations of the cells of a board.

    `order` is always known. `elements` are listed, the identity first, where there are at most ELEMENT_LIMIT of them;
    whatever needs them raises BudgetError beyond that. `generators` are few and always there. Groups are equal when
    their elements are; those too large to be listed, when their generators are.
    """

    degree: int
    order: int
    _given_generators: Callable[[], Iterable[Permutation]] | tuple[Permutation, ...]
    _list: Callable[[], Iterable[Permutation]] | None

    def __init__(
        self,
        degree: int,
        generators: Iterable[Permutation] | Callable[[], Iterable[Permutation]],
        order: int | None = None,
        elements: Callable[[], Iterable[Permutation]] | None = None,
    ) -> None:
        given = generators if callable(generators) else _permutations(degree, generators)
        vars(self).update(degree=degree, _given_generators=given, _list=elements)
        vars(self)["order"] = order if order is not None else len(self._closure(ELEMENT_LIMIT))

    def __reduce__(self) -> tuple[object, ...]:
        return Group, (self.degree, self.generators, self.order)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Group) or (self.degree, self.order) != (other.degree, other.order):
            return False
        return self.generators == other.generators or (self.order <= ELEMENT_LIMIT and self.elements == other.elements)

    def __hash__(self) -> int:
        return hash((self.degree, self.order))

    def __repr__(self) -> str:
        order = self.order if self.order < 10**20 else f"about 10^{len(str(self.order)) - 1}"
        return f"<Group of order {order} on {self.degree} cells>"

    def as_dict(self) -> dict[str, object]:
        """Return the group for JSON: the order as text, and permutations that generate it."""
        return {"degree": self.degree, "order": str(self.order), "generators": [list(g) for g in self.generators]}

    @classmethod
    def trivial(cls, degree: int) -> Group:
        """Return the group of the identity alone."""
        return cls(degree, (), 1)

    @cached_property
    def generators(self) -> tuple[Permutation, ...]:
        """Permutations whose products are the whole group: few, but for a stabiliser all of its elements."""
        given = self._given_generators
        return tuple(given()) if callable(given) else given

    @cached_property
    def elements(self) -> tuple[Permutation, ...]:
        """All permutations of the group, sorted, so the identity first; BudgetError beyond ELEMENT_LIMIT."""
        if self.order > ELEMENT_LIMIT:
            raise BudgetError(
                f"the symmetry group has {self.order:,} elements and only groups of up to {ELEMENT_LIMIT:,} are "
                "listed: ask with --symmetry board, or about a smaller board"
            )
        found = self._list() if self._list is not None else self._closure(self.order)
        return tuple(sorted(found))

    def _closure(self, limit: int) -> set[Permutation]:
        found = {identity(self.degree)}
        frontier = list(found)
        while frontier:
            fresh = []
            for element in frontier:
                for generator in self.generators:
                    product = compose(element, generator)
                    if product not in found:
                        found.add(product)
                        fresh.append(product)
            frontier = fresh
            if len(found) > limit:
                raise BudgetError(f"the given symmetries generate more than {limit:,} permutations")
        return found

    @cached_property
    def images(self) -> tuple[Callable[[Mask], Mask], ...]:
        """One function per element, in the order of `elements`, that maps a set of cells to its image."""
        made = _image_function if self.order * self.degree <= _LOOKED_UP else _image_by_cell
        return tuple(made(element) for element in self.elements)

    @cached_property
    def cell_images(self) -> tuple[tuple[Mask, ...], ...]:
        """For each cell its image, as a set, under each element in the order of `elements`."""
        return tuple(tuple(1 << element[cell] for element in self.elements) for cell in range(self.degree))

    def canonical(self, x: Mask, o: Mask) -> tuple[Mask, Mask]:
        """Return the least image of the pair (x, o). Cost: about one look-up per nine cells and element."""
        images = self.images
        of_x = [image(x) for image in images]
        least = min(of_x)
        if of_x.count(least) == 1:
            return least, images[of_x.index(least)](o)
        return least, min([image(o) for image, also in zip(images, of_x, strict=True) if also == least])

    def to_canonical(self, x: Mask, o: Mask) -> tuple[Mask, Mask, Permutation]:
        """Return the least image and a symmetry that takes (x, o) to it: the first in the order of `elements`."""
        pairs = [(image(x), image(o)) for image in self.images]
        best = min(pairs)
        return (*best, self.elements[pairs.index(best)])

    def orbit(self, x: Mask, o: Mask) -> tuple[tuple[Mask, Mask], ...]:
        """Return all different images of the pair, sorted: the canonical form is first."""
        return tuple(sorted({(image(x), image(o)) for image in self.images}))

    def keeping(self, x: Mask, o: Mask) -> list[Permutation]:
        """Return the elements that map each of the two sets to itself, the identity first."""
        return [e for e, image in zip(self.elements, self.images, strict=True) if image(x) == x and image(o) == o]

    def stabiliser(self, x: Mask, o: Mask) -> Group:
        """Return the subgroup that maps each of the two sets to itself."""
        kept = self.keeping(x, o)
        return Group(self.degree, kept, len(kept), lambda: kept)

    def pointwise_stabiliser(self, cells: Mask) -> Group:
        """Return the subgroup that fixes each of the given cells."""
        fixed = tuple(cells_of(cells))
        kept = [e for e in self.elements if all(e[cell] == cell for cell in fixed)]
        return Group(self.degree, kept, len(kept), lambda: kept)
