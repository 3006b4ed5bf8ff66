"""Where the boards of a tree go, and the lines between them.

A tidy layout in the manner of Reingold and Tilford: every subtree is laid out by itself, and neighbours are pushed
together until their outlines touch. Children without children of their own stand in columns of `stack` boards beside a
bar, so that wide trees stay printable. Nothing overlaps: the outlines include the bars that the links run on.

Source: E. M. Reingold and J. S. Tilford, "Tidier drawings of trees", IEEE Trans. Softw. Eng. 7 (1981); the outline by
horizontal slices is a simplification for boxes of one size.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

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
    """What to lay out: each node is the child of at most one other; `words` are boxes right of a node's stem."""

    roots: Sequence[int]
    children: Mapping[int, Sequence[int]]
    words: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    def is_leaf(self, node: int) -> bool:
        """Whether the node may stand in a stack: it has neither children nor words at its foot."""
        return not self.children.get(node) and node not in self.words


@dataclass
class Placed:
    """Top left corners of the cards, the bars of the links as polylines, and the size of it all."""

    corners: dict[int, Point] = field(default_factory=dict)
    bars: list[list[Point]] = field(default_factory=list)
    ways: dict[int, list[Point]] = field(default_factory=dict)
    """For each child the way along the bars from the foot of its parent to itself."""
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
        """Put another part to the right of this one, as close as their outlines allow."""
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
        """Return the children that have children or words, the others in columns, and whether these hang straight."""
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
        """Return where the links of a node come down: at the middle of a child, or at the bar of a column."""
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


JOINED_BOARDS = 400
"""Boards up to which lines that join the same board are drawn: each is a search among all lanes."""
_FIRST, _STEP, _LANES = 5.0, 2.2, 6
WIDEST_LANE = _FIRST + _STEP * (_LANES - 1)
"""How far from its board the outermost lane is."""
_CLEAR, _BEND = 2.0, 60.0


def joins(corners: Mapping[int, Point], pairs: Sequence[tuple[int, int]], size: Measures) -> list[list[Point]]:
    """Return a line for each pair of boards, source and target, as points: upright and level, never across a board.

    A line leaves at the foot of its source and ends at the head of its target. Between them it runs in lanes beside
    the boards: the shortest way, a bend counting as a detour. Lines take their lanes in turn, so that few lie on one
    another. `corners` are the top left corners of all boards, which are at least WIDEST_LANE and a little more apart.
    """
    grids = [_Lanes(corners, pairs, size, _FIRST + _STEP * lane) for lane in range(min(_LANES, len(pairs)))]
    return [grids[i % _LANES].way(*pair) for i, pair in enumerate(pairs)]


_State = tuple[int, int, int]
"""A crossing of lanes by its numbers across and down, and whether a line comes to it level (0) or upright (1)."""


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
        self.blocked: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        """Steps to the right, and steps down, that a board lies across, by where they begin."""
        for x, y in corners.values():
            left, right = bisect_right(self.xs, x - _CLEAR), bisect_left(self.xs, x + size.card_width + _CLEAR)
            top, foot = bisect_right(self.ys, y - _CLEAR), bisect_left(self.ys, y + size.card_height + _CLEAR)
            self.blocked[0].update((i, j) for i in range(left - 1, right) for j in range(top, foot))
            self.blocked[1].update((i, j) for i in range(left, right) for j in range(top - 1, foot))

    def _out(self, node: int) -> float:
        return self.corners[node][0] + self.size.card_width * 0.7

    def _in(self, node: int) -> float:
        return self.corners[node][0] + self.size.card_width * 0.3

    def way(self, source: int, target: int) -> list[Point]:
        """Return the shortest way from the foot of one board to the head of another."""
        foot, head = self.corners[source][1] + self.size.card_height, self.corners[target][1]
        start = bisect_left(self.xs, self._out(source)), bisect_left(self.ys, foot + self.away)
        goal = bisect_left(self.xs, self._in(target)), bisect_left(self.ys, head - self.away)
        inner = [(self.xs[i], self.ys[j]) for i, j, _ in self._search((*start, 1), (*goal, 1))]
        return _straightened([(self._out(source), foot), *inner, (self._in(target), head)])

    def _search(self, start: _State, goal: _State) -> list[_State]:
        """Return the crossings of the shortest way, by Dijkstra's algorithm with the distance as a bound (A*)."""
        end, best, before = (self.xs[goal[0]], self.ys[goal[1]]), {start: 0.0}, {start: start}
        work = [(0.0, 0.0, start)]
        while work:
            _, cost, state = heappop(work)
            if state == goal:
                break
            if cost > best[state]:
                continue
            for then, length in self._steps(state):
                total = cost + length
                if total < best.get(then, float("inf")):
                    best[then], before[then] = total, state
                    left = abs(self.xs[then[0]] - end[0]) + abs(self.ys[then[1]] - end[1])
                    heappush(work, (total + left, total, then))
        way = [goal]
        while way[-1] != start:
            way.append(before[way[-1]])
        return way[::-1]

    def _steps(self, state: _State) -> Iterator[tuple[_State, float]]:
        """Yield what comes after a crossing: a turn, or the next crossing either way, with what it costs."""
        i, j, upright = state
        yield (i, j, 1 - upright), _BEND
        places, at = (self.ys, j) if upright else (self.xs, i)
        for step in (1, -1):
            begin = (i, j - (step < 0)) if upright else (i - (step < 0), j)
            if 0 <= at + step < len(places) and begin not in self.blocked[upright]:
                then = (i, j + step, upright) if upright else (i + step, j, upright)
                yield then, abs(places[at + step] - places[at])


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
