"""Boards as text, for terminals and for the description inside each picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import pairwise
from math import hypot, inf

from noughts.drawing.glyphs import number, text_width, wrapped
from noughts.drawing.svg import Canvas, Svg
from noughts.rules.cells import are_numbered, column_name
from noughts.rules.symmetry import Shape, coordinates


def layer_rows(shape: Shape, marks: str) -> list[list[str]]:
    """The rows of each layer, `marks` being one of X, O or . for each cell in reading order."""
    rows, columns, layers = shape
    lines = [marks[start : start + columns] for start in range(0, len(marks), columns)]
    return [lines[layer * rows : (layer + 1) * rows] for layer in range(layers)]


def position_text(shape: Shape, marks: str) -> str:
    """The position on one line: rows joined by /, layers by |."""
    return "|".join("/".join(rows) for rows in layer_rows(shape, marks))


def board_text(shape: Shape, marks: str, names: bool = False, numbered: bool = False) -> str:
    """The board as rows of signs, layers side by side; with `names` the columns and rows are lettered and numbered.

    If cells have numbers as names, or the board is `numbered`, each blank cell shows its number instead.
    """
    rows, columns, layers = shape
    if names and (numbered or are_numbered()):
        return _numbered(shape, marks)
    spaced = [[" ".join(row) for row in layer] for layer in layer_rows(shape, marks)]
    lines = ["   ".join(layer[row] for layer in spaced) for row in range(rows)]
    if not names:
        return "\n".join(lines)
    margin = len(str(rows)) + 1
    # Letters beyond z take two signs; the header is then left out rather than shifted.
    head = (
        [" " * margin + "   ".join([" ".join(column_name(c) for c in range(columns))] * layers)]
        if columns <= 26
        else []
    )
    return "\n".join(head + [f"{row + 1:<{margin}}{line}" for row, line in enumerate(lines)])


def _numbered(shape: Shape, marks: str) -> str:
    rows, columns, layers = shape
    wide = len(str(len(marks)))
    signs = [(str(cell + 1) if mark == "." else mark).rjust(wide) for cell, mark in enumerate(marks)]
    starts = [[(layer * rows + row) * columns for layer in range(layers)] for row in range(rows)]
    return "\n".join("   ".join(" ".join(signs[start : start + columns]) for start in row) for row in starts)


# A board as a picture: marks, last move, completed lines, threats, arrows and a note on each blank cell.

CELL = 60.0
_CAPTION = 7.0
_NARROW = 200.0
"""The minimum width of a board with a caption."""
GAP = 40.0
"""The side of a cell, and the gap between layers."""


@dataclass(frozen=True)
class Note:
    """A word on a blank cell. `kind` draws a shape above it: win (up), draw (level), loss (down), or none."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class BoardPicture:
    """What to draw: plain values only, cells counted from 0 in reading order, layer by layer.

    `lines` are sets of cells to highlight; `threats` maps a player to the blank cells that complete a line of theirs;
    `arrows` are pairs of cells; `notes` go on blank cells; `caption` is written below the board;
    `numbered` names each cell by its number, as on a board given by its lines. `part` is what a layer is called.
    """

    shape: Shape
    marks: str
    last: int | None = None
    lines: Sequence[Sequence[int]] = ()
    threats: Mapping[str, Sequence[int]] = field(default_factory=dict)
    arrows: Sequence[tuple[int, int]] = ()
    notes: Mapping[int, Note] = field(default_factory=dict)
    names: bool = True
    numbered: bool = False
    title: str = ""
    caption: str = ""
    part: str = "layer"


@dataclass(frozen=True)
class Frame:
    """The places of a board's cells on the sheet: the top left corner, the side of a cell, the gap between layers."""

    shape: Shape
    x: float
    y: float
    cell: float
    gap: float

    @property
    def width(self) -> float:
        """Width of all layers together."""
        _, columns, layers = self.shape
        return layers * columns * self.cell + (layers - 1) * self.gap

    @property
    def height(self) -> float:
        """Height of a layer."""
        return self.shape[0] * self.cell

    def left(self, layer: int) -> float:
        """Left edge of a layer."""
        return self.x + layer * (self.shape[1] * self.cell + self.gap)

    def centre(self, cell: int) -> tuple[float, float]:
        """Centre of a cell."""
        rows, columns, _ = self.shape
        layer, rest = divmod(cell, rows * columns)
        row, column = divmod(rest, columns)
        return self.left(layer) + (column + 0.5) * self.cell, self.y + (row + 0.5) * self.cell


def draw_board(picture: BoardPicture, theme: str = "light") -> Svg:
    """The board as one picture, with its title, and the board in text as its description."""
    canvas = Canvas(theme)
    margin, top = board_margins(picture)
    frame = Frame(picture.shape, margin, top, CELL, GAP)
    draw_on(canvas, frame, picture)
    width = max(frame.width + margin + 20.0, _NARROW if picture.caption else 0.0)
    foot = top + frame.height + 20.0
    for line in wrapped(picture.caption, _CAPTION, width - 24.0):
        canvas.text(12.0, foot, line, _CAPTION, role="soft", anchor="start")
        foot += _CAPTION + 3.0
    described = "\n".join([board_text(picture.shape, picture.marks), *[picture.caption] * bool(picture.caption)])
    return canvas.picture(width, foot, picture.title or "Board", described)


def board_margins(picture: BoardPicture) -> tuple[float, float]:
    """Return the room left of a board and above it for the names of its cells and layers."""
    lettered = picture.names and not (picture.numbered or are_numbered())
    margin = 40.0 if lettered else 20.0
    return margin, margin + (18.0 if picture.shape[2] > 1 else 0.0)


def draw_on(canvas: Canvas, frame: Frame, picture: BoardPicture) -> None:
    """Draw a board with all its notes and names in a frame."""
    draw_cells(canvas, frame, picture.marks, picture.lines, picture.last)
    for player, cells in sorted(picture.threats.items()):
        for cell in cells:
            _threat(canvas, frame, player, cell, cell in picture.notes)
    for cell, note in sorted(picture.notes.items()):
        _note(canvas, frame, cell, note)
    for start, end in picture.arrows:
        draw_arrow(canvas, frame, start, end, picture.last, taken=picture.marks[end] in "XO")
    if picture.names and not (picture.numbered or are_numbered()):
        _draw_edge_names(canvas, frame, 9, up=10, left=10, down=4.5)
    elif picture.names:
        for cell in range(len(picture.marks)):
            x, y = frame.centre(cell)
            canvas.text(x, y - frame.cell * 0.385, str(cell + 1), 5.0, role="soft")
    if picture.shape[2] > 1:
        for layer in range(picture.shape[2]):
            middle, above = frame.left(layer) + frame.shape[1] * frame.cell / 2, 36.0 if picture.names else 16.0
            canvas.text(middle, frame.y - above, f"{picture.part} {layer + 1}", 9, role="soft")


def draw_cells(
    canvas: Canvas,
    frame: Frame,
    marks: str,
    lines: Sequence[Sequence[int]] = (),
    last: int | None = None,
    *,
    joined: bool = False,
) -> None:
    """The grid, highlighted lines, marks and last move of a board, at any size; joined edges are dashed."""
    pen = max(0.5, frame.cell / 40)
    for line in lines:
        _highlight(canvas, frame, line)
    _grid(canvas, frame, pen, joined=joined)
    for cell, mark in enumerate(marks):
        if mark == "X":
            _cross(canvas, *frame.centre(cell), frame.cell * 0.27, frame.cell * 0.1)
        elif mark == "O":
            canvas.circle(*frame.centre(cell), frame.cell * 0.29, stroke="o", pen=frame.cell * 0.1)
    if last is not None:
        draw_brackets(canvas, *frame.centre(last), frame.cell, pen)


def _grid(canvas: Canvas, frame: Frame, pen: float, *, joined: bool = False) -> None:
    rows, columns, layers = frame.shape
    for layer in range(layers):
        left, width = frame.left(layer), columns * frame.cell
        for row in range(1, rows):
            y = frame.y + row * frame.cell
            canvas.line([(left, y), (left + width, y)], "soft", pen)
        for column in range(1, columns):
            x = left + column * frame.cell
            canvas.line([(x, frame.y), (x, frame.y + frame.height)], "soft", pen)
        if joined:
            dash = f"{frame.cell / 5:.1f} {frame.cell / 7:.1f}"
            canvas.rectangle(left, frame.y, width, frame.height, stroke="soft", pen=pen * 1.5, dash=dash)
        else:
            canvas.rectangle(left, frame.y, width, frame.height, stroke="faint", pen=pen / 2)


def _cross(canvas: Canvas, x: float, y: float, arm: float, pen: float, dash: str = "") -> None:
    left, right, top, foot = map(number, (x - arm, x + arm, y - arm, y + arm))
    both = f"M{left} {top}L{right} {foot}M{right} {top}L{left} {foot}"
    canvas.path(both, stroke="x", width=pen, dash=dash)


def _threat(canvas: Canvas, frame: Frame, player: str, cell: int, crowded: bool) -> None:
    """A small dashed mark of the player who completes a line here: X at the top left, O at the top right."""
    (x, y), side = frame.centre(cell), frame.cell
    dy = -0.3 if crowded else 0.0
    small = 0.11 if crowded else 0.13
    draw_threat_mark(canvas, x + (-0.28 if player == "X" else 0.28) * side, y + dy * side, player, small * side, side)


def draw_threat_mark(canvas: Canvas, x: float, y: float, player: str, small: float, side: float) -> None:
    """The dashed mark of a player with this centre and half width, its pen by the side of a cell."""
    if player == "X":
        _cross(canvas, x, y, small, side * 0.035, "3 3")
    else:
        canvas.circle(x, y, small + 0.02 * side, stroke="o", pen=side * 0.035, dash="3 3")


def _note(canvas: Canvas, frame: Frame, cell: int, note: Note) -> None:
    (x, y), side = frame.centre(cell), frame.cell
    size = 8.0
    widest = side * 0.9
    if text_width(note.text, size) > widest:
        size *= widest / text_width(note.text, size)
    draw_note_shape(canvas, x, y - side * 0.08, note.kind, side * 0.11)
    canvas.text(x, y + side * 0.33 if note.kind else y + size / 2, note.text, size)


def draw_note_shape(canvas: Canvas, x: float, middle: float, kind: str, half: float) -> None:
    """The shape that goes with a verdict: a triangle up, a level bar, a filled triangle down; none without a kind."""
    if kind == "win":
        canvas.line([(x - half, middle + half), (x + half, middle + half), (x, middle - half)], "ink", 1.4, closed=True)
    elif kind == "loss":
        points = f"M{x - half:.2f} {middle - half:.2f}L{x + half:.2f} {middle - half:.2f}L{x:.2f} {middle + half:.2f}Z"
        canvas.path(points, stroke="ink", fill="ink", width=1.4)
    elif kind == "draw":
        canvas.rectangle(x - half, middle - half / 2, 2 * half, half, stroke="ink", pen=1.4)


def draw_arrow(canvas: Canvas, frame: Frame, start: int, end: int, last: int | None, *, taken: bool) -> None:
    """An arrow from cell to cell: into the middle of a blank one, else clear of its mark and the corners round it."""
    (x0, y0), (x1, y1), side = frame.centre(start), frame.centre(end), frame.cell
    length = hypot(x1 - x0, y1 - y0)
    if not length:
        return
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    outside = 0.47 / max(abs(ux), abs(uy))
    stop = outside if end == last else 0.34 if taken else 0.1
    away, before = (outside if start == last else 0.4) * side, stop * side
    ax, ay = x0 + ux * away, y0 + uy * away
    bx, by = x1 - ux * before, y1 - uy * before
    head, half = (side * 0.13, side * 0.075) if taken else (side * 0.17, side * 0.085)
    cx, cy = bx - ux * head, by - uy * head
    canvas.line([(ax, ay), (cx, cy)], "ink", side * 0.045)
    tip = f"M{bx:.2f} {by:.2f}L{cx - uy * half:.2f} {cy + ux * half:.2f}L{cx + uy * half:.2f} {cy - ux * half:.2f}Z"
    canvas.path(tip, stroke="ink", fill="ink", width=1)


def _highlight(canvas: Canvas, frame: Frame, line: Sequence[int]) -> None:
    """A band through the cells if they form a straight line in one layer; otherwise filled cells."""
    points = [frame.centre(cell) for cell in line]
    if _is_straight(frame, line):
        canvas.line([points[0], points[-1]] if len(points) > 1 else points * 2, "mark-line", frame.cell * 0.62)
        return
    inset = frame.cell * 0.06
    for x, y in points:
        left, top = x - frame.cell / 2 + inset, y - frame.cell / 2 + inset
        side = frame.cell - 2 * inset
        canvas.rectangle(left, top, side, side, fill="mark-line", radius=inset)


def _is_straight(frame: Frame, line: Sequence[int]) -> bool:
    places = [coordinates(frame.shape, cell) for cell in line]
    steps = {tuple(b - a for a, b in zip(p, q, strict=True)) for p, q in pairwise(places)}
    return len({layer for _, _, layer in places}) == 1 and len(steps) <= 1 and all(max(map(abs, s)) == 1 for s in steps)


def draw_brackets(canvas: Canvas, x: float, y: float, side: float, pen: float) -> None:
    """Four corners round the last move, in a cell with this centre and side."""
    reach, arm = side * 0.42, side * 0.13
    for sx in (-1, 1):
        for sy in (-1, 1):
            px, py = x + sx * reach, y + sy * reach
            canvas.line([(px - sx * arm, py), (px, py), (px, py - sy * arm)], "ink", pen * 1.5)


def draw_dot(canvas: Canvas, x: float, y: float, side: float) -> None:
    """A dot in the middle of a cell with this centre and side: for the next mark."""
    canvas.circle(x, y, side * 0.13, stroke="ink", pen=side * 0.02, fill="ink")


def draw_small_names(canvas: Canvas, frame: Frame, blanks: Sequence[int], edge: float = 0.28) -> None:
    """Names of the cells of a small board: letters and numbers at its edges, or the numbers of the blank cells.

    `edge` is how large the letters at the edges are, in cells.
    """
    if are_numbered():
        size = frame.cell * 0.36
        for cell in blanks:
            x, y = frame.centre(cell)
            canvas.text(x, y + size * 0.36, str(cell + 1), size, role="soft")
    else:
        size = frame.cell * edge
        _draw_edge_names(canvas, frame, size, up=size * 0.45, left=size * 0.5, down=size * 0.36)


def _draw_edge_names(canvas: Canvas, frame: Frame, size: float, *, up: float, left: float, down: float) -> None:
    """Letters above the columns and numbers left of the rows, so far from the board and from the middle of a row."""
    rows, columns, layers = frame.shape
    for layer in range(layers):
        for column in range(columns):
            x = frame.left(layer) + (column + 0.5) * frame.cell
            canvas.text(x, frame.y - up, column_name(column), size, role="soft")
    for row in range(rows):
        y = frame.y + (row + 0.5) * frame.cell + down
        canvas.text(frame.x - left, y, str(row + 1), size, role="soft", anchor="end")


@dataclass(frozen=True)
class Key:
    """An entry of a picture's key: its words, and a function that draws a sample round a centre, 24 units wide."""

    words: str
    sample: Callable[[Canvas, float, float], None]


def keys_width(keys: Sequence[Key], size: float) -> float:
    """Return the width of keys in a row."""
    return sum(50.0 + text_width(key.words, size) for key in keys) - 20.0 * bool(keys)


def draw_keys(
    canvas: Canvas, keys: Sequence[Key], left: float, middle: float, size: float, right: float = inf
) -> float:
    """Draw keys in rows between two edges, the first row round a height; return the height of the last row."""
    x = left
    for key in keys:
        width = keys_width([key], size)
        if x > left and x + width > right:
            x, middle = left, middle + 22.0
        key.sample(canvas, x + 12.0, middle)
        canvas.text(x + 30.0, middle + size * 0.4, key.words, size, anchor="start")
        x += width + 20.0
    return middle


# A small board for web pages: some hundred bytes of SVG, its colours left to the style sheet of the page. Shapes have
# classes: `g` the grid, `x` and `o` the marks, `l` completed lines, `n` the cell of the last move, `c` a dot on the
# cell to play, `t` the names of cells. Without a style sheet they are outlines in the colour of the text.

_CELL = 10
_WIDEST = 192
"""Maximum width of a picture in pixels; a cell has at most 24."""
_NAME = 5.0
"""The height of the names of cells, and nearly the room for one."""
_SIGNS = {
    "x": (-3, -3, "l6 6m0-6l-6 6"),
    "o": (3, 0, "a3 3 0 1 0-6 0a3 3 0 1 0 6 0"),
    "n": (-4, -2, "v-2h2m4 0h2v2m0 4v2h-2m-4 0h-2v-2"),
}
"""For each class the start of its sign, from the middle of a cell, and its strokes."""


def thumbnail(
    shape: Shape,
    marks: str,
    label: str,
    *,
    lines: Sequence[Sequence[int]] = (),
    last: Sequence[int] = (),
    call: int | None = None,
) -> str:
    """Return a board as an inline SVG element with a label for screen readers.

    `lines` are completed lines, `last` cells to highlight, `call` the cell to play; cells are counted in reading order.
    """
    frame, inside = _frame(shape), shapes(shape, marks, lines=lines, last=last)
    if call is not None:
        x, y = _middles(shape)[call]
        inside += f'<circle class="c" cx="{x}" cy="{y}" r="2" fill="currentColor"/>'
    return _element(label, inside, -1, -1, frame.width + 2, frame.height + 2, 2.4, _WIDEST)


def named_thumbnail(
    shape: Shape,
    marks: str,
    label: str,
    *,
    lines: Sequence[Sequence[int]] = (),
    last: Sequence[int] = (),
    numbered: bool = False,
    joined: bool = False,
    arrows: Sequence[tuple[int, int]] = (),
    part: str = "layer",
) -> str:
    """Return a board as `thumbnail` does, with letters and numbers at its edges, and the number of each layer.

    If cells have numbers as names, or the board is `numbered`, each blank cell shows its number instead.
    `joined` draws dashed edges, for a torus. `arrows` are pairs of cells. `part` is what a layer is called.
    """
    frame, (rows, columns, layers) = _frame(shape), shape
    if numbered or are_numbered():
        left = top = 0.0
        names = [(float(x), y + 2.0, str(i + 1)) for i, (x, y) in enumerate(_middles(shape)) if marks[i] == "."]
    else:
        left, top, beside = 3.0 + 3.4 * len(str(rows)), 7.0, -2.2 - 1.7 * len(str(rows))
        names = [
            (frame.left(layer) + (column + 0.5) * _CELL, -2.5, column_name(column))
            for layer in range(layers)
            for column in range(columns)
        ]
        names += [(beside, (row + 0.5) * _CELL + 2, str(row + 1)) for row in range(rows)]
    foot = 9.0 if layers > 1 else 0.0
    under = frame.height + 7.5
    names += [(frame.left(n) + columns * _CELL / 2, under, f"{part} {n + 1}") for n in range(layers * (layers > 1))]
    dashed = "".join(
        f'<rect class="g" x="{frame.left(layer):g}" y="0" width="{columns * _CELL}" height="{rows * _CELL}" '
        'stroke-dasharray="2.5 1.5"/>'
        for layer in range(layers * joined)
    )
    written = "".join(f'<text x="{x:g}" y="{y:g}">{text}</text>' for x, y, text in names)
    inside = (
        f"{dashed}{shapes(shape, marks, lines=lines, last=last)}{_small_arrows(shape, arrows)}"
        f'<g class="t" fill="currentColor" stroke="none" font-size="{_NAME:g}" text-anchor="middle">{written}</g>'
    )
    size = frame.width + left + 2, frame.height + top + foot + 2
    return _element(label, inside, -1 - left, -1 - top, *size, 3.6, 2 * _WIDEST)


def _frame(shape: Shape) -> Frame:
    return Frame(shape, 0, 0, _CELL, _CELL // 2)


def _element(
    label: str, inside: str, x: float, y: float, width: float, height: float, most: float, widest: float
) -> str:
    """Return an SVG element of a part of the plane, with a maximum scale in pixels per unit and a maximum width."""
    scale = min(most, widest / width)
    return (
        f'<svg class="b" viewBox="{x:g} {y:g} {width:g} {height:g}" width="{scale * width:.0f}" '
        f'height="{scale * height:.0f}" role="img" aria-label="{escape(label)}" fill="none" stroke="currentColor">'
        f"{inside}</svg>"
    )


def shapes(shape: Shape, marks: str, *, lines: Sequence[Sequence[int]] = (), last: Sequence[int] = ()) -> str:
    """Return the shapes of a board, its cells ten units wide, for a picture of several boards."""
    middles, bands = _middles(shape), ""
    for line in lines:
        points = "L".join(f"{middles[cell][0]} {middles[cell][1]}" for cell in line)
        bands += f"M{points}" + "h.1" * (len(line) == 1)
    parts = (f'<path class="l" d="{bands}"/>' if lines else "") + _grid_thumbnail(shape)
    crosses, rings = ([cell for cell, found in enumerate(marks) if found == mark] for mark in "XO")
    for name, cells in (("n", last), ("x", crosses), ("o", rings)):
        dx, dy, strokes = _SIGNS[name]
        drawn = "".join(f"M{middles[cell][0] + dx} {middles[cell][1] + dy}{strokes}" for cell in cells)
        parts += f'<path class="{name}" d="{drawn}"/>' if drawn else ""
    return parts


def _small_arrows(shape: Shape, arrows: Sequence[tuple[int, int]]) -> str:
    """Return arrows from the middles of cells to the middles of others; empty without arrows."""
    parts = ""
    for start, end in arrows:
        (x0, y0), (x1, y1) = _middles(shape)[start], _middles(shape)[end]
        length = hypot(x1 - x0, y1 - y0)
        ux, uy = 2 * (x1 - x0) / length, 2 * (y1 - y0) / length
        tips = [(x1 - ux + turn * uy, y1 - uy - turn * ux) for turn in (0.6, -0.6)]
        parts += f"M{x0} {y0}L{x1} {y1}" + "".join(f"M{x1} {y1}L{x:.1f} {y:.1f}" for x, y in tips)
    return f'<path class="a" d="{parts}"/>' if parts else ""


@lru_cache(maxsize=16)
def _middles(shape: Shape) -> tuple[tuple[int, int], ...]:
    """Return the middle of each cell."""
    centres = map(_frame(shape).centre, range(shape[0] * shape[1] * shape[2]))
    return tuple((int(x), int(y)) for x, y in centres)


@lru_cache(maxsize=16)
def _grid_thumbnail(shape: Shape) -> str:
    """Return the lines between the cells; empty for a board of one cell."""
    frame, (rows, columns, layers) = _frame(shape), shape
    if frame.width + frame.height <= 2 * _CELL:
        return ""
    parts = []
    for layer in range(layers):
        left, width = int(frame.left(layer)), columns * _CELL
        parts += [f"M{left} {row * _CELL}h{width}" for row in range(1, rows)]
        parts += [f"M{left + column * _CELL} 0v{rows * _CELL}" for column in range(1, columns)]
        if layers > 1 or min(rows, columns) == 1:
            parts.append(f"M{left} 0h{width}v{rows * _CELL}h-{width}z")
    return f'<path class="g" d="{"".join(parts)}"/>'
