"""Where the boards of a tree go: a tidy layout in the manner of Reingold and Tilford, with leaves in stacks.

Every subtree is laid out by itself, and neighbours are pushed together until their outlines touch. Children without
children of their own stand in columns of `stack` boards beside a bar, so that wide trees stay printable. Nothing
overlaps: the outlines include the bars that the links run on.

Source: E. M. Reingold and J. S. Tilford, "Tidier drawings of trees", IEEE Trans. Softw. Eng. 7 (1981); the outline by
horizontal slices is a simplification for boxes of one size.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

SLICE = 4.0


@dataclass(frozen=True)
class Measures:
    """Sizes in picture units: a card, the gaps between cards, and the room of the links."""

    card_width: float
    card_height: float
    beside: float = 10.0
    below: float = 30.0
    stacked: float = 15.0
    bar: float = 7.0


@dataclass
class Placed:
    """Top left corners of the cards, the bars of the links as polylines, and the size of it all."""

    corners: dict[int, tuple[float, float]] = field(default_factory=dict)
    bars: list[list[tuple[float, float]]] = field(default_factory=list)
    ways: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """For each child the way along the bars from the foot of its parent to itself."""
    width: float = 0.0
    height: float = 0.0


class _Part:
    """A laid-out subtree: its cards and bars, and its outline as left and right ends by horizontal slice."""

    def __init__(self) -> None:
        self.corners: dict[int, tuple[float, float]] = {}
        self.bars: list[list[tuple[float, float]]] = []
        self.ways: dict[int, list[tuple[float, float]]] = {}
        self.left: dict[int, float] = {}
        self.right: dict[int, float] = {}

    def cover(self, x0: float, y0: float, x1: float, y1: float) -> None:
        for k in range(int(y0 // SLICE), int(-(-y1 // SLICE))):
            self.left[k] = min(self.left.get(k, x0), x0)
            self.right[k] = max(self.right.get(k, x1), x1)

    def card(self, node: int, x: float, y: float, size: Measures) -> None:
        self.corners[node] = (x, y)
        self.cover(x, y - size.stacked / 2, x + size.card_width, y + size.card_height + size.stacked / 2)

    def bar(self, points: list[tuple[float, float]]) -> None:
        self.bars.append(points)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self.cover(min(xs) - 1, min(ys), max(xs) + 1, max(ys))

    def moved(self, dx: float) -> _Part:
        part = _Part()
        part.corners = {node: (x + dx, y) for node, (x, y) in self.corners.items()}
        part.bars = [[(x + dx, y) for x, y in bar] for bar in self.bars]
        part.ways = {node: [(x + dx, y) for x, y in way] for node, way in self.ways.items()}
        part.left = {k: x + dx for k, x in self.left.items()}
        part.right = {k: x + dx for k, x in self.right.items()}
        return part

    def join(self, other: _Part, gap: float) -> float:
        """Put another part to the right of this one, as close as their outlines allow; return how far it moved."""
        shared = self.right.keys() & other.left.keys()
        dx = max((self.right[k] - other.left[k] for k in shared), default=0.0) + gap if shared else 0.0
        part = other.moved(dx)
        self.corners |= part.corners
        self.bars += part.bars
        self.ways |= part.ways
        for k, x in part.left.items():
            self.left[k] = min(self.left.get(k, x), x)
        for k, x in part.right.items():
            self.right[k] = max(self.right.get(k, x), x)
        return dx


@dataclass(frozen=True)
class Forest:
    """What to lay out: each node is the child of at most one other; `words` are boxes right of a node's stem."""

    roots: Sequence[int]
    children: Mapping[int, Sequence[int]]
    words: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    def is_leaf(self, node: int) -> bool:
        """Whether the node may stand in a stack: it has neither children nor words at its foot."""
        return not self.children.get(node) and node not in self.words


def arrange(forest: Forest, size: Measures, stack: int) -> Placed:
    """Return the places of all nodes of a forest, trees side by side, leaves in columns of `stack`.

    Cost: about nodes times depth.
    """
    if not forest.roots:
        return Placed()
    grown = [root for root in forest.roots if not forest.is_leaf(root)]
    single = [root for root in forest.roots if forest.is_leaf(root)]
    parts = [_subtree(root, forest, size, stack) for root in grown]
    parts += [_column(single[at : at + stack], size, 0.0, alone=True) for at in range(0, len(single), stack)]
    whole = parts[0]
    for part in parts[1:]:
        whole.join(part, size.beside * 2)
    return _settled(whole, size)


def best_stack(forest: Forest, size: Measures, ratio: float) -> int:
    """Return the height of stacks with which a page of this ratio, width to height, shows the forest largest."""
    widest = max([len(found) for found in forest.children.values()] + [len(forest.roots)])

    def scale(stack: int) -> float:
        placed = arrange(forest, size, stack)
        return min(ratio / max(placed.width, 1), 1 / max(placed.height, 1))

    return max(range(1, min(40, max(2, widest + 1))), key=lambda stack: (scale(stack), -stack))


def _subtree(root: int, forest: Forest, size: Measures, stack: int) -> _Part:
    """Lay out one subtree, deepest nodes first."""
    order, tops = [root], {root: 0.0}
    for node in order:
        for child in forest.children.get(node, ()):
            tops[child] = tops[node] + size.card_height + size.below
            order.append(child)
    parts: dict[int, _Part] = {}
    for node in reversed(order):
        if node == root or not forest.is_leaf(node):
            parts[node] = _family(node, forest, parts, size, stack, tops[node])
    return parts[root]


def _family(node: int, forest: Forest, parts: dict[int, _Part], size: Measures, stack: int, top: float) -> _Part:
    """Join the finished parts of a node's children, its leaves in columns, and put the node above them."""
    below = forest.children.get(node, ())
    inner = [child for child in below if not forest.is_leaf(child)]
    leaves = [child for child in below if forest.is_leaf(child)]
    row = top + size.card_height + size.below
    alone = len(below) == 1
    pieces = [parts.pop(child) for child in inner]
    pieces += [_column(leaves[at : at + stack], size, row, alone) for at in range(0, len(leaves), stack)]
    whole, anchors = _Part(), []
    for i, (piece, first) in enumerate(zip(pieces, inner + leaves[::stack], strict=True)):
        if i == 0:
            whole = piece
        else:
            whole.join(piece, size.beside)
        x = whole.corners[first][0]
        anchors.append(x + size.card_width / 2 if first in inner or alone else x - size.bar)
    centre = (anchors[0] + anchors[-1]) / 2 if anchors else size.card_width / 2
    if len(anchors) == 1 and leaves and not alone:
        centre += size.bar + size.card_width / 2
    foot, middle = top + size.card_height, row - size.below / 3
    if anchors:
        whole.bar([(centre, foot), (centre, middle)])
        whole.bar([(min(centre, *anchors), middle), (max(centre, *anchors), middle)])
    for x in anchors:
        whole.bar([(x, middle), (x, row)])
    for child in below:
        left, y = whole.corners[child]
        x = left - size.bar if child in leaves and not alone else left + size.card_width / 2
        end = [(x, y + size.card_height / 2), (left, y + size.card_height / 2)] if x < left else [(x, y)]
        whole.ways[child] = [(centre, foot), (centre, middle), (x, middle), *end]
    if node in forest.words:
        width, height = forest.words[node]
        whole.cover(centre, foot, centre + width, foot + height)
    whole.card(node, centre - size.card_width / 2, top, size)
    return whole


def _column(column: Sequence[int], size: Measures, top: float, alone: bool) -> _Part:
    """Leaves below each other, hanging on a bar at their left; an only child hangs straight below its parent."""
    part = _Part()
    step = size.card_height + size.stacked
    for i, leaf in enumerate(column):
        part.card(leaf, 0.0, top + i * step, size)
        if not alone:
            y = top + i * step + size.card_height / 2
            part.bar([(-size.bar, y), (0.0, y)])
    if not alone:
        last = top + (len(column) - 1) * step + size.card_height / 2
        part.bar([(-size.bar, top), (-size.bar, last)])
    return part


def _settled(part: _Part, size: Measures) -> Placed:
    """Shift everything so that it starts at (0, 0)."""
    dx = -min(part.left.values())
    settled = part.moved(dx)
    height = max(y for _, y in settled.corners.values()) + size.card_height
    return Placed(settled.corners, settled.bars, settled.ways, max(settled.right.values()), height)


# Lines that join a board to the place where it is drawn: upright and level, between the boards and never across one.
#
# A line leaves at the foot of its source and ends at the head of its target. Between them it runs in lanes beside the
# boards: the shortest way, a bend counting as a detour, found by Dijkstra's algorithm with the distance as a bound (A*)
# on the grid of all lanes. Lines take their lanes in turn, so that few lie on one another.

JOINED_BOARDS = 400
"""Boards up to which lines are drawn: each is a search among all lanes."""

_FIRST, _STEP, _LANES = 5.0, 2.2, 6
WIDEST_LANE = _FIRST + _STEP * (_LANES - 1)
"""How far from its board the outermost lane is."""

_CLEAR = 2.0
_BEND = 60.0

Point = tuple[float, float]


def joins(corners: Mapping[int, Point], pairs: Sequence[tuple[int, int]], size: Measures) -> list[list[Point]]:
    """Return a line for each pair of boards, source and target, as points. Cost: a search on the grid for each.

    `corners` are the top left corners of all boards, which are at least WIDEST_LANE and a little more apart.
    """
    grids = [_Lanes(corners, pairs, size, _FIRST + _STEP * lane) for lane in range(min(_LANES, len(pairs)))]
    return [grids[i % _LANES].way(*pair) for i, pair in enumerate(pairs)]


class _Lanes:
    """The lanes at one distance from the boards, and what lies across them."""

    def __init__(
        self, corners: Mapping[int, Point], pairs: Sequence[tuple[int, int]], size: Measures, away: float
    ) -> None:
        self.corners, self.size, self.away = corners, size, away
        xs, ys = set[float](), set[float]()
        for x, y in corners.values():
            xs |= {x - away, x + size.card_width + away}
            ys |= {y - away, y + size.card_height + away}
        for source, target in pairs:
            xs |= {self._out(source), self._in(target)}
        self.xs, self.ys = sorted(xs), sorted(ys)
        self.level: set[tuple[int, int]] = set()
        """Steps to the right, by where they begin, that a board lies across."""
        self.upright: set[tuple[int, int]] = set()
        """Steps down."""
        for x, y in corners.values():
            self._close(x - _CLEAR, y - _CLEAR, x + size.card_width + _CLEAR, y + size.card_height + _CLEAR)

    def _out(self, node: int) -> float:
        return self.corners[node][0] + self.size.card_width * 0.7

    def _in(self, node: int) -> float:
        return self.corners[node][0] + self.size.card_width * 0.3

    def _close(self, x0: float, y0: float, x1: float, y1: float) -> None:
        left, right = bisect_right(self.xs, x0), bisect_left(self.xs, x1)
        top, foot = bisect_right(self.ys, y0), bisect_left(self.ys, y1)
        self.level |= {(i, j) for i in range(left - 1, right) for j in range(top, foot)}
        self.upright |= {(i, j) for i in range(left, right) for j in range(top - 1, foot)}

    def way(self, source: int, target: int) -> list[Point]:
        """Return the shortest way from the foot of one board to the head of another."""
        foot = self.corners[source][1] + self.size.card_height
        head = self.corners[target][1]
        start = bisect_left(self.xs, self._out(source)), bisect_left(self.ys, foot + self.away)
        goal = bisect_left(self.xs, self._in(target)), bisect_left(self.ys, head - self.away)
        inner = [(self.xs[i], self.ys[j]) for i, j in self._search(start, goal)]
        return _straightened([(self._out(source), foot), *inner, (self._in(target), head)])

    def _search(self, start: tuple[int, int], goal: tuple[int, int]) -> list[tuple[int, int]]:
        end = self.xs[goal[0]], self.ys[goal[1]]
        first = (*start, 1)  # it comes from above
        best, before = {first: 0.0}, {first: first}
        work = [(0.0, 0.0, first)]
        while work:
            _, cost, state = heappop(work)
            if cost > best[state]:
                continue
            if state[:2] == goal and state[2] == 1:
                return _back(state, before)
            for i, j, upright, length in self._steps(state[0], state[1]):
                then = (i, j, upright)
                total = cost + length + _BEND * (upright != state[2])
                if total < best.get(then, float("inf")):
                    best[then], before[then] = total, state
                    left = abs(self.xs[i] - end[0]) + abs(self.ys[j] - end[1])
                    heappush(work, (total + left, total, then))
            turned = (state[0], state[1], 1 - state[2])
            if cost + _BEND < best.get(turned, float("inf")):
                best[turned], before[turned] = cost + _BEND, state
                left = abs(self.xs[state[0]] - end[0]) + abs(self.ys[state[1]] - end[1])
                heappush(work, (cost + _BEND + left, cost + _BEND, turned))
        raise AssertionError("around the boards there is always a way")

    def _steps(self, i: int, j: int) -> list[tuple[int, int, int, float]]:
        """Return the neighbours of a crossing of lanes: where, whether up or down, and how far."""
        found = []
        if i + 1 < len(self.xs) and (i, j) not in self.level:
            found.append((i + 1, j, 0, self.xs[i + 1] - self.xs[i]))
        if i and (i - 1, j) not in self.level:
            found.append((i - 1, j, 0, self.xs[i] - self.xs[i - 1]))
        if j + 1 < len(self.ys) and (i, j) not in self.upright:
            found.append((i, j + 1, 1, self.ys[j + 1] - self.ys[j]))
        if j and (i, j - 1) not in self.upright:
            found.append((i, j - 1, 1, self.ys[j] - self.ys[j - 1]))
        return found


def _back(
    state: tuple[int, int, int], before: Mapping[tuple[int, int, int], tuple[int, int, int]]
) -> list[tuple[int, int]]:
    way = [state[:2]]
    while before[state] != state:
        state = before[state]
        way.append(state[:2])
    return way[::-1]


def _straightened(points: Sequence[Point]) -> list[Point]:
    """Leave out the points on the way between two others."""
    found: list[Point] = []
    for point in points:
        if found and point == found[-1]:
            continue
        while len(found) > 1 and (found[-2][0] == found[-1][0] == point[0] or found[-2][1] == found[-1][1] == point[1]):
            found.pop()
        found.append(point)
    return found
