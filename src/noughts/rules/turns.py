"""The symmetries of a board in words, and the images of a position under each: turned, flipped, shifted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import permutations, product

from noughts.rules.board import Board
from noughts.rules.cells import cell_name
from noughts.rules.errors import BudgetError
from noughts.rules.marks import Mask, cells_of, mask_of
from noughts.rules.position import Position, PositionLike, parse_position
from noughts.rules.symmetry import Permutation, compose, coordinates, index, is_identity
from noughts.rules.values import FrozenDict

Place = tuple[int, int, int]
"""Row, column and layer of a cell."""

IMAGE_LIMIT = 200
"""The most symmetries of a board of which all images are listed."""


def images(board: Board | str, position: PositionLike) -> dict[str, Position]:
    """Return the image of a position under each symmetry of the board, by the symmetry in words, the identity first.

    Different symmetries may give the same image. Cost: one image for each symmetry. Raises InvalidPosition, and
    BudgetError for more than IMAGE_LIMIT symmetries.

    >>> str(images("3x3", "XO./.../...")["turn by 90 degrees clockwise"])
    '..X/..O/...'
    """
    on = Board.parse(board)
    at, group = parse_position(on, position), on.group()
    if group.order > IMAGE_LIMIT:
        raise BudgetError(f"{on} has {group.order:,} symmetries, and images are listed up to {IMAGE_LIMIT}")
    words = words_for(on)
    return FrozenDict(
        (words(each), Position(on, *(mask_of(each[cell] for cell in cells_of(marks)) for marks in (at.x, at.o))))
        for each in sorted_by_words(on, group.elements)
    )


def sorted_by_words(board: Board, symmetries: Sequence[Permutation]) -> list[Permutation]:
    """Return symmetries by the length of their words, the identity first."""
    words = words_for(board)
    phrases = {each: words(each) for each in symmetries}
    return sorted(
        symmetries,
        key=lambda each: (not is_identity(each), phrases[each].count(", then "), len(phrases[each]), phrases[each]),
    )


def words_for(board: Board) -> Callable[[Permutation], str]:
    """Return a function that gives a symmetry in words: a turn, a flip, a shift, or several steps.

    Turns are clockwise on the printed board. Other symmetries are given by their cycles of cells.
    """
    named = {permutation: name for name, permutation in reversed(_named(board))}

    def phrases(symmetry: Permutation) -> str:
        if is_identity(symmetry):
            return "leave it as it is"
        return named.get(symmetry) or f"move the cells {_cycles(board, symmetry)}"

    return phrases


def _named(board: Board) -> list[tuple[str, Permutation]]:
    """Return the symmetries that have names, the simplest names first."""
    if board.shape is None:
        return []
    plain: list[tuple[str, Permutation]] = [*_flat(board), *(_solid(board) if board.shape[2] > 1 else [])]
    if not board.torus:
        return plain
    shifts = _shifts(board)
    both = [
        (f"{turn}, then {shift}", compose(turning, shifting))
        for (turn, turning), (shift, shifting) in product(plain, shifts)
    ]
    return [*plain, *shifts, *both]


def _flat(board: Board) -> list[tuple[str, Permutation]]:
    """Return the turns and flips of every layer of a board."""
    assert board.shape is not None
    rows, columns, _ = board.shape
    down = _moved(board, lambda r, c, n: (rows - 1 - r, c, n))
    across = _moved(board, lambda r, c, n: (r, columns - 1 - c, n))
    found = [
        ("flip left to right", across),
        ("flip top to bottom", down),
        ("turn by 180 degrees", compose(down, across)),
    ]
    if rows == columns:
        mirror = _moved(board, lambda r, c, n: (c, r, n))
        found += [
            ("turn by 90 degrees clockwise", compose(mirror, across)),
            ("turn by 90 degrees anticlockwise", compose(mirror, down)),
            ("flip along the diagonal from the top left", mirror),
            ("flip along the diagonal from the top right", compose(mirror, compose(down, across))),
        ]
    return [(words, permutation) for words, permutation in found if not is_identity(permutation)]


def _moved(board: Board, place: Callable[[int, int, int], Place]) -> Permutation:
    """Return the permutation that maps each place, a row, column and layer, to another."""
    assert board.shape is not None
    image = [0] * board.cells
    for cell in range(board.cells):
        image[cell] = index(board.shape, place(*coordinates(board.shape, cell)))
    return tuple(image)


_AXES = ("rows", "columns", "layers")


def _solid(board: Board) -> list[tuple[str, Permutation]]:
    """Return the symmetries of a box in three dimensions: exchange axes of equal sides, then reverse some of them."""
    assert board.shape is not None
    shape, found = board.shape, []

    def tipped(order: Sequence[int], flips: Sequence[bool], *place: int) -> Place:
        moved = [place[axis] for axis in order]
        r, c, n = (side - 1 - at if turned else at for at, side, turned in zip(moved, shape, flips, strict=True))
        return r, c, n

    for order, flips in product(permutations(range(3)), product((False, True), repeat=3)):
        words = _box_words(order, flips)
        if words and all(shape[order[axis]] == shape[axis] for axis in range(3)):
            found.append((words, _moved(board, partial(tipped, order, flips))))
    return found


def _box_words(order: Sequence[int], flips: Sequence[bool]) -> str:
    steps = []
    if tuple(order) != (0, 1, 2):
        moved = [f"{_AXES[axis]} become {_AXES[place]}" for place, axis in enumerate(order) if axis != place]
        steps.append("tip the cube over so that " + ", ".join(moved))
    turned = [name for name, flip in zip(_AXES, flips, strict=True) if flip]
    if turned:
        steps.append("reverse the order of the " + " and of the ".join(turned))
    return ", then ".join(steps)


def _shifts(board: Board) -> list[tuple[str, Permutation]]:
    """Return the translations of a torus."""
    assert board.shape is not None
    shape, found = board.shape, []
    for by in product(*(range(side) for side in shape)):
        parts = [f"{n} {way}" for n, way in zip(by, ("down", "to the right", "layers on"), strict=True) if n]
        if parts:
            found.append((f"shift by {' and '.join(parts)}", _moved(board, partial(_shifted, shape, by))))
    return found


def _shifted(shape: Place, by: Sequence[int], *place: int) -> Place:
    r, c, n = ((at + step) % side for at, step, side in zip(place, by, shape, strict=True))
    return r, c, n


def _cycles(board: Board, symmetry: Permutation) -> str:
    """Return a permutation by its cycles: `(a1 c1) (b1 b3 b2)`; fixed cells are left out."""
    seen: Mask = 0
    parts = []
    for cell in cells_of((1 << len(symmetry)) - 1):
        cycle = []
        while not seen >> cell & 1:
            seen |= 1 << cell
            cycle.append(cell_name(board, cell))
            cell = symmetry[cell]
        if len(cycle) > 1:
            parts.append(f"({' '.join(cycle)})")
    return " ".join(parts)
