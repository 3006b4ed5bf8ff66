"""Rectangular boards in two and three dimensions, flat or on the torus: their lines and isometries.

A cell has coordinates (row, column, layer), each counted from 0; cells are numbered in reading order, layer by layer
and row by row. A shape is (rows, columns, layers).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import factorial, prod

from noughts.domain.bits import Cell

__all__ = ["Shape", "coordinates", "grid_lines", "index", "isometries", "isometry_generators", "isometry_order"]

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


def _directions() -> list[tuple[int, int, int]]:
    """Return one of each pair of opposite directions: 13, of which a flat board can use 4."""
    steps = [(row, column, layer) for row, column, layer in product((-1, 0, 1), repeat=3)]
    return [step for step in steps if step > (-step[0], -step[1], -step[2])]


def _starts(shape: Shape, step: tuple[int, ...], k: int, torus: bool) -> Iterator[tuple[int, ...]]:
    """Return the places from which k steps stay on the board, on the torus all of them."""
    if torus:
        return product(*map(range, shape))
    far = [(k - 1) * part for part in step]
    return product(*(range(max(0, -by), side - max(0, by)) for side, by in zip(shape, far, strict=True)))


def _walk(shape: Shape, start: tuple[int, ...], step: tuple[int, ...], k: int) -> list[Cell]:
    """Return the k cells from `start` along `step`, around the edges where it comes to one."""
    places = (
        tuple((at + i * part) % side for at, part, side in zip(start, step, shape, strict=True)) for i in range(k)
    )
    return [index(shape, place) for place in places]


def grid_lines(shape: Shape, k: int, torus: bool = False) -> tuple[tuple[Cell, ...], ...]:
    """Return the winning lines: all straight walks over k different cells, as sorted tuples without repetition.

    On the torus a walk wraps around; one that meets a cell twice is no line. Cost: cells * 13 * k.
    """
    if k > prod(shape):
        return ()
    lines = set()
    for step in _directions():
        for start in _starts(shape, step, k, torus):
            walk = _walk(shape, start, step, k)
            if len(set(walk)) == k:
                lines.add(tuple(sorted(walk)))
    return tuple(sorted(lines))


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
    """Return a few isometries whose products are all: mirrors, swaps of equal sides, on the torus shifts by one.

    At most nine, sorted, without the identity. Cost: a few times the cells.
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
    """Return where the places along one axis may go: onward or backward, on the torus from any of them on."""
    onward = tuple(range(side))
    shifts = range(side) if torus else (0,)
    return {way[by:] + way[:by] for way in (onward, onward[::-1]) for by in shifts}


def isometries(shape: Shape, torus: bool) -> tuple[tuple[Cell, ...], ...]:
    """Return the isometries of a board as sorted permutations, p[i] being the image of cell i; the identity is first.

    Turns and reflections of a box, and on the torus the translations too. Cost: their number times the cells.
    """
    axes = [order for order in permutations(range(3)) if all(shape[order[i]] == shape[i] for i in range(3))]
    places = list(_places(shape))
    found = set()
    for order, along in product(axes, product(*(_along(side, torus) for side in shape))):
        moved = ([to[place[axis]] for to, axis in zip(along, order, strict=True)] for place in places)
        found.add(tuple([index(shape, tuple(place)) for place in moved]))
    return tuple(sorted(found))
