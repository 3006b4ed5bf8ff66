"""The layout of a tree: the places of its boards, and the lines between them.

A tidy layout after Reingold and Tilford: it lays out every subtree by itself, then pushes neighbours together until
their outlines touch. Children without children are placed in columns of `stack` boards beside a
bar, so that wide trees remain printable. Nothing overlaps: the outlines include the bars that the links run on.

Source: E. M. Reingold and J. S. Tilford, "Tidier drawings of trees", IEEE Trans. Softw. Eng. 7 (1981); the outline by
horizontal slices is a simplification for boxes of one size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]
_SLICE = 4.0


@dataclass(frozen=True)
class Measures:
    """Sizes in picture units: a card, the gaps between cards, and the room of the links."""

    card_width: float
    card_height: float
    beside: float = 10.0
    below: float = 30.0
    stacked: float = 15.0
    bar: float = 7.0


@dataclass(frozen=True)
class Forest:
    """The input of a layout: each node has at most one parent; `words` are boxes right of a node's stem."""

    roots: Sequence[int]
    children: Mapping[int, Sequence[int]]
    words: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    def is_leaf(self, node: int) -> bool:
        """Whether the node may be in a stack: it has neither children nor words at its foot."""
        return not self.children.get(node) and node not in self.words


@dataclass
class Placed:
    """Top left corners of the cards, the bars of the links as polylines, and the total size."""

    corners: dict[int, Point] = field(default_factory=dict)
    bars: list[list[Point]] = field(default_factory=list)
    ways: dict[int, list[Point]] = field(default_factory=dict)
    """For each child the path along the bars from the foot of its parent."""
    width: float = 0.0
    height: float = 0.0


def arrange(forest: Forest, size: Measures, stack: int) -> Placed:
    """Return the places of all nodes of a forest, trees side by side, leaves in columns of `stack`.

    Cost: about nodes times depth.
    """
    return _Layout(forest, size, stack).placed() if forest.roots else Placed()


def best_stack(forest: Forest, size: Measures, ratio: float) -> int:
    """Return the height of stacks with which a page of this ratio, width to height, shows the forest largest."""
    widest = max([len(found) for found in forest.children.values()] + [len(forest.roots)])

    def scale(stack: int) -> float:
        placed = arrange(forest, size, stack)
        return min(ratio / max(placed.width, 1), 1 / max(placed.height, 1))

    return max(range(1, min(40, max(2, widest + 1))), key=lambda stack: (scale(stack), -stack))


class _Part:
    """A laid-out subtree: its cards, and its outline as left and right ends by horizontal slice."""

    def __init__(self) -> None:
        self.corners: dict[int, Point] = {}
        self.left: dict[int, float] = {}
        self.right: dict[int, float] = {}

    def cover(self, x0: float, y0: float, x1: float, y1: float) -> None:
        for k in range(int(y0 // _SLICE), int(-(-y1 // _SLICE))):
            self.left[k] = min(self.left.get(k, x0), x0)
            self.right[k] = max(self.right.get(k, x1), x1)

    def join(self, other: _Part, gap: float) -> None:
        """Place another part to the right of this one, as close as their outlines allow."""
        shared = self.right.keys() & other.left.keys()
        dx = max((self.right[k] - other.left[k] for k in shared), default=0.0) + gap if shared else 0.0
        self.corners |= {node: (x + dx, y) for node, (x, y) in other.corners.items()}
        for k, x in other.left.items():
            self.left[k] = min(self.left.get(k, x + dx), x + dx)
        for k, x in other.right.items():
            self.right[k] = max(self.right.get(k, x + dx), x + dx)


@dataclass(frozen=True)
class _Layout:
    forest: Forest
    size: Measures
    stack: int

    def placed(self) -> Placed:
        grown = [root for root in self.forest.roots if not self.forest.is_leaf(root)]
        single = [root for root in self.forest.roots if self.forest.is_leaf(root)]
        parts = [self._subtree(root) for root in grown]
        parts += [self._column(column, 0.0, alone=True) for column in self._stacks(single)]
        whole = parts[0]
        for part in parts[1:]:
            whole.join(part, self.size.beside * 2)
        dx = min(whole.left.values())
        found = Placed({node: (x - dx, y) for node, (x, y) in whole.corners.items()})
        found.width = max(whole.right.values()) - dx
        found.height = max(y for _, y in found.corners.values()) + self.size.card_height
        for root in grown:
            self._link(root, found)
        return found

    def _stacks(self, leaves: Sequence[int]) -> list[Sequence[int]]:
        return [leaves[at : at + self.stack] for at in range(0, len(leaves), self.stack)]

    def _split(self, node: int) -> tuple[list[int], list[Sequence[int]], bool]:
        """Return the children with children or words, the others in columns, and whether the columns hang straight."""
        below = self.forest.children.get(node, ())
        inner = [child for child in below if not self.forest.is_leaf(child)]
        leaves = [child for child in below if self.forest.is_leaf(child)]
        return inner, self._stacks(leaves), len(below) == 1 or self.stack == 1

    def _subtree(self, root: int) -> _Part:
        """Lay out one subtree, deepest nodes first."""
        order, tops = [root], {root: 0.0}
        for node in order:
            for child in self.forest.children.get(node, ()):
                tops[child] = tops[node] + self.size.card_height + self.size.below
                order.append(child)
        parts: dict[int, _Part] = {}
        for node in reversed(order):
            if node == root or not self.forest.is_leaf(node):
                parts[node] = self._family(node, parts, tops[node])
        return parts[root]

    def _family(self, node: int, parts: dict[int, _Part], top: float) -> _Part:
        """Join the finished parts of a node's children, its leaves in columns, and put the node above them."""
        size = self.size
        inner, columns, alone = self._split(node)
        foot, row = top + size.card_height, top + size.card_height + size.below
        pieces = [parts.pop(child) for child in inner] + [self._column(column, row, alone) for column in columns]
        whole = pieces[0] if pieces else _Part()
        for piece in pieces[1:]:
            whole.join(piece, size.beside)
        anchors = self._anchors(whole.corners, inner, columns, alone)
        centre = (anchors[0] + anchors[-1]) / 2 if anchors else size.card_width / 2
        if len(anchors) == 1 and columns and not alone:
            centre += size.bar + size.card_width / 2
        if anchors:
            middle, left, right = row - size.below / 3, min(anchors), max(anchors)
            whole.cover(centre - 1, foot, centre + 1, middle)
            whole.cover(min(centre, left) - 1, middle, max(centre, right) + 1, middle)
            whole.cover(left - 1, middle, right + 1, row)
        if node in self.forest.words:
            width, height = self.forest.words[node]
            whole.cover(centre, foot, centre + width, foot + height)
        self._card(whole, node, centre - size.card_width / 2, top)
        return whole

    def _card(self, part: _Part, node: int, x: float, y: float) -> None:
        size = self.size
        part.corners[node] = (x, y)
        part.cover(x, y - size.stacked / 2, x + size.card_width, y + size.card_height + size.stacked / 2)

    def _column(self, column: Sequence[int], top: float, alone: bool) -> _Part:
        """Leaves below each other, hanging on a bar at their left; an only child hangs straight below its parent."""
        part, step = _Part(), self.size.card_height + self.size.stacked
        for i, leaf in enumerate(column):
            self._card(part, leaf, 0.0, top + i * step)
        if not alone:
            last = top + (len(column) - 1) * step + self.size.card_height / 2
            part.cover(-self.size.bar - 1, top, -self.size.bar + 1, last)
        return part

    def _anchors(
        self, corners: Mapping[int, Point], inner: Sequence[int], columns: Sequence[Sequence[int]], alone: bool
    ) -> list[float]:
        """Return where the links of a node end: at the middle of a child, or at the bar of a column."""
        half = self.size.card_width / 2
        found = [corners[child][0] + half for child in inner]
        return found + [corners[column[0]][0] + (half if alone else -self.size.bar) for column in columns]

    def _link(self, node: int, placed: Placed) -> None:
        """Add the bars and ways below a node, those of its children first."""
        size, corners, bars = self.size, placed.corners, placed.bars
        inner, columns, alone = self._split(node)
        for child in inner:
            self._link(child, placed)
        centre, foot = corners[node][0] + size.card_width / 2, corners[node][1] + size.card_height
        row, middle = foot + size.below, foot + size.below * 2 / 3
        half, hung = size.card_height / 2, [] if alone else columns
        for column in hung:
            for x, y in (corners[leaf] for leaf in column):
                bars.append([(x - size.bar, y + half), (x, y + half)])
            x, y = corners[column[-1]]
            bars.append([(x - size.bar, row), (x - size.bar, y + half)])
        anchors = self._anchors(corners, inner, columns, alone)
        if anchors:
            bars.append([(centre, foot), (centre, middle)])
            bars.append([(min(centre, *anchors), middle), (max(centre, *anchors), middle)])
            bars += [[(x, middle), (x, row)] for x in anchors]
        hanging = {leaf for column in hung for leaf in column}
        for child in self.forest.children.get(node, ()):
            left, y = corners[child]
            x = left - size.bar if child in hanging else left + size.card_width / 2
            end = [(x, y + half), (left, y + half)] if child in hanging else [(x, y)]
            placed.ways[child] = [(centre, foot), (centre, middle), (x, middle), *end]
