"""What lies under and over a board on a page: completed lines, threats, a line of play, and the lines through a cell.

Lengths are a tenth of a cell. Several layers are drawn as a stack seen from above. Each leans to the right and is
flattened, as `static/board.css` leans and flattens its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from noughts.rules.marks import Cell
from noughts.rules.symmetry import Shape, coordinates

UNIT = 10
_LEAN, _FLAT, _ABOVE = 0.45, 0.62, 0.45
"""How far a stacked layer leans for each row, what is left of a row's height, and the room above, in cells."""
_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))

Point = tuple[float, float]
Threat = tuple[str, Sequence[Cell], Cell]
"""A player, the line that they can complete, and the cell that completes it."""


@dataclass(frozen=True)
class BoardPlan:
    """Where the cells of a board are: in one plane, with a ring of copies if it is a torus, or in a stack."""

    shape: Shape
    joined: bool = False

    @property
    def is_stacked(self) -> bool:
        """Whether it has several layers."""
        return self.shape[2] > 1

    @property
    def has_ring(self) -> bool:
        """Whether copies of its cells stand around it."""
        return self.joined and not self.is_stacked

    @property
    def box(self) -> str:
        """The part of the plane that a picture over the board covers, as SVG writes it."""
        rows, columns, layers = self.shape
        if self.is_stacked:
            return f"0 0 {UNIT * (columns + _LEAN * rows):g} {UNIT * layers * (rows * _FLAT + _ABOVE):g}"
        ring = self.has_ring
        return f"{-UNIT * ring} {-UNIT * ring} {UNIT * (columns + 2 * ring)} {UNIT * (rows + 2 * ring)}"

    def middle(self, row: float, column: float, layer: int) -> Point:
        """Return the middle of a cell."""
        rows = self.shape[0]
        if not self.is_stacked:
            return UNIT * (column + 0.5), UNIT * (row + 0.5)
        down = layer * (rows * _FLAT + _ABOVE) + _ABOVE + _FLAT * (row + 0.5)
        return UNIT * (column + 0.5 + _LEAN * (rows - row - 0.5)), UNIT * down

    def walks(self, line: Sequence[Cell]) -> list[list[Point]]:
        """Return a line as points to join; on a torus it runs on across the edges, and each of its copies is one."""
        if not self.has_ring:
            places = [coordinates(self.shape, cell) for cell in line]
            near = all(max(abs(a - b) for a, b in zip(p, q, strict=True)) <= 1 for p, q in pairwise(places))
            return [[self.middle(*place) for place in places]] if near or not self.joined else []
        rows, columns, _ = self.shape
        start, step = self._unrolled(line)
        found = []
        for down in (-rows, 0, rows):
            for right in (-columns, 0, columns):
                cells = [(start[0] + down + i * step[0], start[1] + right + i * step[1]) for i in range(len(line))]
                if any(-1 <= row <= rows and -1 <= column <= columns for row, column in cells):
                    found.append([self.middle(row, column, 0) for row, column in cells])
        return found

    def _unrolled(self, line: Sequence[Cell]) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return a cell and a step that give the line of a torus; the last way that does, as most stay inside."""
        rows, columns, _ = self.shape
        found = (0, 0), (0, 0)
        outside = len(line) + 1
        for cell in line:
            row, column, _ = coordinates(self.shape, cell)
            for down, right in _STEPS:
                cells = [(row + i * down, column + i * right) for i in range(len(line))]
                if {(r % rows) * columns + c % columns for r, c in cells} == set(line):
                    beyond = sum(not (0 <= r < rows and 0 <= c < columns) for r, c in cells)
                    if beyond < outside:
                        found, outside = ((row, column), (down, right)), beyond
        return found


def _path(name: str, data: str, more: str = "") -> str:
    return f'<path class="{name}" d="{data}"{more}/>' if data else ""


def _joined(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in points) + "h.1" * (len(points) == 1)


def _svg(name: str, plan: BoardPlan, inside: str) -> str:
    return inside and f'<svg class="{name}" viewBox="{plan.box}" aria-hidden="true" fill="none">{inside}</svg>'


def under_board(plan: BoardPlan, lines: Sequence[Sequence[Cell]]) -> str:
    """Return the bands below the marks of completed lines as an SVG element; empty without any."""
    walks = [walk for line in lines for walk in plan.walks(line)]
    return _svg("under", plan, "".join(_path("won", _joined(walk), ' pathLength="1"') for walk in walks))


def over_board(
    plan: BoardPlan,
    *,
    threats: Sequence[Threat] = (),
    play: Sequence[tuple[str, Cell]] = (),
    through: Sequence[Sequence[Cell]] = (),
) -> str:
    """Return what is shown over the cells on request as an SVG element; empty if there is nothing.

    `threats` are arrows to the cells that complete a line, `play` are marks with their cells, to number and join,
    `through` are the lines that a script lights for one cell, each with the numbers of its cells.
    """
    inside = "".join(
        _path("through", "".join(map(_joined, plan.walks(line))), f' data-cells="{" ".join(map(str, line))}"')
        for line in through
    )
    for player in ("X", "O"):
        arrows = "".join(_threat(plan, line, cell) for who, line, cell in threats if who == player)
        inside += _path(f"threatens {player.lower()}", arrows)
    return _svg("over", plan, inside + _played(plan, play))


def _threat(plan: BoardPlan, line: Sequence[Cell], cell: Cell) -> str:
    """Return an arrow from each end of a straight line to the cell that completes it."""
    if plan.joined:
        return ""
    to = plan.middle(*coordinates(plan.shape, cell))
    return "".join(
        _arrow(plan.middle(*coordinates(plan.shape, end)), to, 0.1) for end in (line[0], line[-1]) if end != cell
    )


def _arrow(start: Point, end: Point, before: float) -> str:
    """Return an arrow that stops some cells before its end."""
    (x0, y0), (x1, y1) = start, end
    length = hypot(x1 - x0, y1 - y0) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    x0, y0, x1, y1 = (x0 + ux * UNIT * before, y0 + uy * UNIT * before,
                      x1 - ux * UNIT * before, y1 - uy * UNIT * before)  # fmt: skip
    tips = [(x1 - 1.8 * ux + turn * uy, y1 - 1.8 * uy - turn * ux) for turn in (1.1, -1.1)]
    return f"M{x0:.4g} {y0:.4g}L{x1:.4g} {y1:.4g}" + "".join(f"M{x1:.4g} {y1:.4g}L{x:.4g} {y:.4g}" for x, y in tips)


def _played(plan: BoardPlan, play: Sequence[tuple[str, Cell]]) -> str:
    """Return the moves of a line of play: a disc with the number of each, and arrows from one to the next."""
    middles = [plan.middle(*coordinates(plan.shape, cell)) for _, cell in play]
    arrows = "".join(_arrow(start, end, 0.3) for start, end in pairwise(middles))
    discs = "".join(
        f'<g class="step {mark.lower()}"><circle cx="{x:.4g}" cy="{y:.4g}" r="2.2"/>'
        f'<text x="{x:.4g}" y="{y + 1.05:.4g}" text-anchor="middle" font-size="3">{number}</text></g>'
        for number, ((mark, _), (x, y)) in enumerate(zip(play, middles, strict=True), 1)
    )
    return f'<g class="plays">{_path("way", arrows)}{discs}</g>' if play else ""
