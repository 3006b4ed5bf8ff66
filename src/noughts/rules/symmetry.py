"""Rectangular boards in two and three dimensions, flat or on the torus: their lines and isometries.

A cell has coordinates (row, column, layer), each counted from 0; cells are numbered in reading order, layer by layer
and row by row. A shape is (rows, columns, layers).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations, pairwise, permutations, product
from math import factorial, prod
from operator import mod

from noughts.rules.arguments import whole_number
from noughts.rules.errors import BudgetError, InvalidType
from noughts.rules.marks import Cell, Mask, cells_of, mask_of
from noughts.rules.values import Frozen

Shape = tuple[int, int, int]


def index(shape: Shape, place: tuple[int, ...]) -> Cell:
    """Return the number of the cell at (row, column, layer)."""
    rows, columns, _ = shape
    row, column, layer = place
    return (layer * rows + row) * columns + column


def coordinates(shape: Shape, cell: Cell) -> tuple[int, int, int]:
    """Return (row, column, layer) of a cell."""
    rows, columns, _ = shape
    layer, rest = divmod(cell, rows * columns)
    row, column = divmod(rest, columns)
    return row, column, layer


def _places(shape: Shape) -> Iterator[tuple[int, int, int]]:
    rows, columns, layers = shape
    return ((row, column, layer) for layer in range(layers) for row in range(rows) for column in range(columns))


def _walks(shape: Shape, k: int, torus: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], list[Cell]]]:
    """Yield the straight walks over k different cells: start, step and cells; on the torus they wrap around."""
    for step in product((-1, 0, 1), repeat=3) if k <= prod(shape) else ():
        if step <= (0, 0, 0):  # of two opposite directions one is enough
            continue
        far = [0 if torus else (k - 1) * part for part in step]
        for start in product(*(range(max(0, -by), side - max(0, by)) for side, by in zip(shape, far, strict=True))):
            places = ([at + i * part for at, part in zip(start, step, strict=True)] for i in range(k))
            walk = [index(shape, tuple(map(mod, place, shape))) for place in places]
            if len(set(walk)) == k:
                yield start, step, walk


def grid_lines(shape: Shape, k: int, torus: bool = False) -> tuple[tuple[Cell, ...], ...]:
    """Return the winning lines: all straight walks over k different cells, as sorted tuples without repetition.

    On the torus a walk wraps around; a walk that meets a cell twice is not a line. Cost: cells * 13 * k.
    """
    return tuple(sorted({tuple(sorted(walk)) for _, _, walk in _walks(shape, k, torus)}))


def line_guards(shape: Shape, k: int, torus: bool = False) -> tuple[tuple[int, int], ...]:
    """Return each winning line with the line and the cells that would lengthen it at its ends, as two sets of cells.

    A line that is two different walks, as on a small torus, is there once for each. Cost: cells * 13 * k.
    """
    found = set()
    for start, step, walk in _walks(shape, k, torus):
        line = guard = mask_of(walk)
        for beyond in (-1, k):
            at = tuple([place + beyond * part for place, part in zip(start, step, strict=True)])
            if torus:
                at = tuple([place % side for place, side in zip(at, shape, strict=True)])
            if all(0 <= place < side for place, side in zip(at, shape, strict=True)):
                guard |= 1 << index(shape, at)
        found.add((line, guard))
    return tuple(sorted(found))


def isometry_order(shape: Shape, torus: bool = False) -> int:
    """Return the number of different isometries of a board, as permutations of cells, without listing them."""
    long = [side for side in shape if side > 1]
    order = prod(factorial(long.count(side)) for side in set(long))
    for side in long:
        if torus:
            order *= side * (2 if side > 2 else 1)
        else:
            order *= 2
    return order


def isometry_generators(shape: Shape, torus: bool = False) -> tuple[tuple[Cell, ...], ...]:
    """Return a few isometries that generate all: mirrors, swaps of equal sides, on the torus shifts by one.

    At most nine, sorted, without the identity. Cost: linear in the number of cells.
    """
    places = list(_places(shape))
    long = [axis for axis in range(3) if shape[axis] > 1]
    moved: list[list[list[int]]] = []
    for axis in long:
        moved.append([[shape[i] - 1 - at if i == axis else at for i, at in enumerate(place)] for place in places])
        if torus:
            moved.append([[(at + 1) % shape[i] if i == axis else at for i, at in enumerate(place)] for place in places])
    for first, second in combinations(long, 2):
        if shape[first] == shape[second]:
            swap = {first: second, second: first}
            moved.append([[place[swap.get(i, i)] for i in range(3)] for place in places])
    found = {tuple([index(shape, tuple(place)) for place in image]) for image in moved}
    return tuple(sorted(found - {tuple(range(len(places)))}))


def _along(side: int, torus: bool) -> set[tuple[int, ...]]:
    """Return the maps of the places along one axis: the identity and the mirror, on the torus with all shifts."""
    onward = tuple(range(side))
    shifts = range(side) if torus else (0,)
    return {way[by:] + way[:by] for way in (onward, onward[::-1]) for by in shifts}


def isometries(shape: Shape, torus: bool) -> tuple[tuple[Cell, ...], ...]:
    """Return the isometries of a board as sorted permutations: p[i] is the image of cell i, the identity is first.

    They are turns and reflections of a box, and on the torus also translations. Cost: their number times the cells.
    """
    axes = [order for order in permutations(range(3)) if all(shape[order[i]] == shape[i] for i in range(3))]
    places = list(_places(shape))
    found = set()
    for order, along in product(axes, product(*(_along(side, torus) for side in shape))):
        moved = ([to[place[axis]] for to, axis in zip(along, order, strict=True)] for place in places)
        found.add(tuple([index(shape, tuple(place)) for place in moved]))
    return tuple(sorted(found))


# Groups of permutations of cells: orbits, stabilisers, canonical forms.
#
# A permutation is a tuple p with p[i] the image of cell i. The canonical form of a pair of sets (x, o) is its least
# image, comparing x first and then o, as integers; so a lone X in a corner is canonical at a1.

Permutation = tuple[int, ...]

ELEMENT_LIMIT = 10_000
"""Largest order of a group whose elements are listed; larger groups have an order and generators only."""

_CHUNK = 9
_LOOKED_UP = 100_000
"""Largest product of elements and cells for look-up tables; beyond it they would soon take a gigabyte."""


def identity(degree: int) -> Permutation:
    """Return the identity permutation."""
    return tuple(range(degree))


def is_identity(permutation: Permutation) -> bool:
    """Tell whether a permutation is the identity."""
    return all(image == cell for cell, image in enumerate(permutation))


def compose(first: Permutation, then: Permutation) -> Permutation:
    """Return the permutation that applies `first`, then `then`."""
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
    """Return the inverse permutation."""
    back = [0] * len(permutation)
    for cell, image in enumerate(permutation):
        back[image] = cell
    return tuple(back)


def orbits_of(symmetry: Permutation) -> tuple[Mask, ...]:
    """Return the orbits of one permutation as sets of cells, by least cell."""
    seen, found = 0, []
    for cell in range(len(symmetry)):
        if seen >> cell & 1:
            continue
        orbit, image = 0, cell
        while not orbit >> image & 1:
            orbit |= 1 << image
            image = symmetry[image]
        seen |= orbit
        found.append(orbit)
    return tuple(found)


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


def _image_by_cell(permutation: Permutation) -> Callable[[Mask], Mask]:
    """Return a function that maps sets of cells, cell by cell, without tables."""
    return lambda mask: mask_of(permutation[cell] for cell in cells_of(mask))


class Group(Frozen):
    """A group of permutations of the cells of a board.

    `order` is always known. `elements` lists the group, the identity first, up to ELEMENT_LIMIT elements; beyond that
    it raises BudgetError, and so do the methods that need it. `generators` are few and always known. Two groups are
    equal when their elements are; groups too large to list are equal when their generators are.
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
        """Return the group for JSON, with its order as text."""
        return {"degree": self.degree, "order": str(self.order), "generators": [list(g) for g in self.generators]}

    @classmethod
    def trivial(cls, degree: int) -> Group:
        """Return the group of the identity alone."""
        return cls(degree, (), 1)

    @cached_property
    def generators(self) -> tuple[Permutation, ...]:
        """Permutations that generate the group: few, but for a stabiliser all of its elements."""
        given = self._given_generators
        return tuple(given()) if callable(given) else given

    @cached_property
    def elements(self) -> tuple[Permutation, ...]:
        """All permutations of the group, sorted, the identity first. Raises BudgetError beyond ELEMENT_LIMIT."""
        if self.order > ELEMENT_LIMIT:
            raise BudgetError(
                f"the symmetry group has {self.order:,} elements, more than {ELEMENT_LIMIT:,}: use --symmetry board or "
                "a smaller board"
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
        """For each element, in the order of `elements`, a function that maps a set of cells to its image."""
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
        """Return the least image of (x, o), and the first symmetry in `elements` that maps (x, o) to it."""
        images = self.images
        of_x = [image(x) for image in images]
        least = min(of_x)
        of_o, first = min((images[number](o), number) for number, also in enumerate(of_x) if also == least)
        return least, of_o, self.elements[first]

    def orbit(self, x: Mask, o: Mask) -> tuple[tuple[Mask, Mask], ...]:
        """Return all different images of the pair, sorted: the canonical form is first."""
        return tuple(sorted({(image(x), image(o)) for image in self.images}))

    def keeping(self, x: Mask, o: Mask) -> list[Permutation]:
        """Return the elements that map each of the two sets to itself, the identity first."""
        return [e for e, image in zip(self.elements, self.images, strict=True) if image(x) == x and image(o) == o]

    def stabiliser(self, x: Mask, o: Mask) -> Group:
        """Return the subgroup that maps each of the two sets to itself."""
        elements = self.keeping(x, o)
        return Group(self.degree, elements, len(elements), lambda: elements)

    def pointwise_stabiliser(self, cells: Mask) -> Group:
        """Return the subgroup that fixes each of the given cells."""
        fixed = tuple(cells_of(cells))
        elements = [e for e in self.elements if all(e[cell] == cell for cell in fixed)]
        return Group(self.degree, elements, len(elements), lambda: elements)


class CopiesGroup(Group):
    """The symmetries of several copies of a board side by side: those of each copy, and any order of the copies.

    Its canonical form is found copy by copy, so it needs no list of the elements.
    """

    part: Group
    copies: int

    def __init__(self, part: Group, copies: int) -> None:
        size, degree = part.degree, part.degree * copies
        found = [(*each, *range(size, degree)) for each in part.generators]
        for start in range(0, degree - size, size):
            swapped = list(range(degree))
            swapped[start : start + 2 * size] = [*range(start + size, start + 2 * size), *range(start, start + size)]
            found.append(tuple(swapped))
        super().__init__(degree, found, part.order**copies * factorial(copies))
        vars(self).update(part=part, copies=copies)

    def __reduce__(self) -> tuple[object, ...]:
        return CopiesGroup, (self.part, self.copies)

    def canonical(self, x: Mask, o: Mask) -> tuple[Mask, Mask]:
        """Return the least image of the pair (x, o): the least image of each copy, the least one in the last copy."""
        size, whole = self.part.degree, (1 << self.part.degree) - 1
        starts = range(0, self.degree, size)
        parts = sorted((self.part.canonical(x >> at & whole, o >> at & whole) for at in starts), reverse=True)
        pairs = list(zip(starts, parts, strict=True))
        return sum(own << at for at, (own, _) in pairs), sum(other << at for at, (_, other) in pairs)


# All permutations of cells that map winning lines to winning lines, computed from the lines.
#
# Colour refinement with individualisation, as in the graph-isomorphism literature (McKay and Piperno, "Practical graph
# isomorphism, II", 2014), with a stabiliser chain: the order is the product of the orbit sizes along a base, so it is
# exact for every size. Cells on the same lines are twins; factorials count their permutations.

Colours = tuple[int, ...]


class _Incidence:
    """Cells and lines, and the refinement of colourings of the cells."""

    def __init__(self, lines: list[tuple[int, ...]], cells: int) -> None:
        self.lines = lines
        self.line_set = set(lines)
        self.through: list[list[int]] = [[] for _ in range(cells)]
        for number, line in enumerate(lines):
            for cell in line:
                self.through[cell].append(number)

    def keys(self, colours: Colours) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
        """Return for each cell its colour and the colours along its lines, as comparable values."""
        along = [tuple(sorted([colours[cell] for cell in line])) for line in self.lines]
        return [
            (colours[cell], tuple(sorted([along[number] for number in lines])))
            for cell, lines in enumerate(self.through)
        ]

    def refine(self, source: Colours, target: Colours) -> tuple[Colours, Colours] | None:
        """Refine two colourings in the same way until they are stable; return None where they differ."""
        same = source == target
        count = len(set(source))
        while True:
            source_keys = self.keys(source)
            target_keys = source_keys if same else self.keys(target)
            if not same and sorted(source_keys) != sorted(target_keys):
                return None
            names = {key: number for number, key in enumerate(sorted(set(source_keys)))}
            source = tuple([names[key] for key in source_keys])
            target = tuple([names[key] for key in target_keys])
            if len(names) == count:
                return source, target
            count = len(names)

    def preserves(self, permutation: Permutation) -> bool:
        """Tell whether a permutation of cells maps lines to lines."""
        return all(tuple(sorted([permutation[cell] for cell in line])) in self.line_set for line in self.lines)


def _split(colours: Colours, cell: int) -> Colours:
    """Give one cell a colour of its own, just below the colour of its former class."""
    return tuple([2 * colour + (index != cell) for index, colour in enumerate(colours)])


def _first_class(colours: Colours) -> list[int]:
    """Return the cells of the first colour class with several cells; empty where all cells have different colours."""
    classes = defaultdict(list)
    for cell, colour in enumerate(colours):
        classes[colour].append(cell)
    shared = [cells for _, cells in sorted(classes.items()) if len(cells) > 1]
    return shared[0] if shared else []


def _match(incidence: _Incidence, source: Colours, target: Colours) -> Permutation | None:
    """Return an automorphism that maps one colouring to the other, or None; a depth-first search with backtracking."""
    refined = incidence.refine(source, target)
    if refined is None:
        return None
    source, target = refined
    cells = _first_class(source)
    if not cells:
        place = {colour: cell for cell, colour in enumerate(target)}
        permutation = tuple([place[colour] for colour in source])
        return permutation if incidence.preserves(permutation) else None
    cell = cells[0]
    choices = [image for image, colour in enumerate(target) if colour == source[cell]]
    choices.sort(key=lambda image: image != cell)
    for image in choices:
        found = _match(incidence, _split(source, cell), _split(target, image))
        if found is not None:
            return found
    return None


def _swap_or_match(incidence: _Incidence, colours: Colours, cell: int, image: int) -> Permutation | None:
    """Return an automorphism that keeps `colours` and maps cell to image; the swap of the two, if it is one."""
    swap = list(range(len(colours)))
    swap[cell], swap[image] = image, cell
    if incidence.preserves(tuple(swap)):
        return tuple(swap)
    return _match(incidence, _split(colours, cell), _split(colours, image))


def _orbit(cell: int, generators: Iterable[Permutation]) -> set[int]:
    found = {cell}
    frontier = [cell]
    while frontier:
        at = frontier.pop()
        for generator in generators:
            if generator[at] not in found:
                found.add(generator[at])
                frontier.append(generator[at])
    return found


def _chain(incidence: _Incidence, colours: Colours) -> tuple[list[Permutation], int]:
    """Return generators and the order of the group that keeps `colours`, computed from the deepest stabiliser up."""
    levels = []
    refined = incidence.refine(colours, colours)
    while refined is not None and (cells := _first_class(refined[0])):
        levels.append((refined[0], cells))
        split = _split(refined[0], cells[0])
        refined = incidence.refine(split, split)
    generators: list[Permutation] = []
    order = 1
    for level_colours, cells in reversed(levels):
        cell = cells[0]
        orbit = _orbit(cell, generators)
        outside: set[int] = set()
        for image in cells:
            if image in orbit or image in outside:
                continue
            found = _swap_or_match(incidence, level_colours, cell, image)
            if found is None:
                outside |= _orbit(image, generators)
            else:
                generators.append(found)
                orbit = _orbit(cell, generators)
        order *= len(orbit)
    return generators, order


def automorphism_group(cells: int, lines: Iterable[tuple[int, ...]]) -> Group:
    """Return the group of all permutations of cells that map lines to lines; its order is exact.

    Cost: well under a second up to 64 cells with the lines of a grid.
    """
    lines = list(lines)
    on: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(lines):
        for cell in line:
            on[cell].append(number)
    twins: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell in range(cells):
        twins[tuple(on[cell])].append(cell)
    classes = list(twins.values())
    number_of = {cell: number for number, members in enumerate(classes) for cell in members}
    small_lines = [tuple(sorted({number_of[cell] for cell in line})) for line in lines]
    incidence = _Incidence(small_lines, len(classes))
    generators, order = _chain(incidence, tuple([len(members) for members in classes]))
    lifted = [_lift(generator, classes) for generator in generators]
    for members in classes:
        order *= factorial(len(members))
        for first, second in pairwise(members):
            swap = list(identity(cells))
            swap[first], swap[second] = second, first
            lifted.append(tuple(swap))
    return Group(cells, lifted, order)


def _lift(permutation: Permutation, classes: list[list[int]]) -> Permutation:
    """Return the permutation of cells that applies a permutation of classes of twins."""
    pairs = [zip(classes[number], classes[image], strict=True) for number, image in enumerate(permutation)]
    return tuple([target for _, target in sorted(chain.from_iterable(pairs))])


# A board turned or flipped step by step: each image leads to the next, and the last one back to the first.

Parts = tuple[tuple[Cell, ...], ...]


def next_turn(group: Group, parts: Sequence[Sequence[Cell]]) -> Permutation | None:
    """Return the symmetry that maps sets of cells to the next of their images; None where there is only one image.

    Repeated calls visit all different images and return to the first. The sets of X and of O describe a position,
    sets of one cell each a game. Cost: one look-up for each cell and element. Raises BudgetError for a group that is
    too large to list.
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
