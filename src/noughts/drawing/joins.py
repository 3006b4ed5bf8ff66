"""Lines that join a board to the place where it is drawn: upright and level, between the boards and never across one.

A line leaves at the foot of its source and ends at the head of its target. Between them it runs in lanes beside the
boards: the shortest way, a bend counting as a detour, found by Dijkstra's algorithm with the distance as a bound (A*)
on the grid of all lanes. Lines take their lanes in turn, so that few lie on one another.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from noughts.drawing.layout import Measures

__all__ = ["JOINED_BOARDS", "WIDEST_LANE", "joins"]

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
