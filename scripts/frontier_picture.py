"""The picture of a frontier: docs/pictures/frontier.svg, a 4x4 board after six cells have been visited."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.drawing.svg import Canvas, Svg
from noughts.rules.board import Board

PICTURE = ROOT / "docs" / "pictures" / "frontier.svg"

VISITED = "XO.XXO"
SIDE, EDGE, TOP = 60.0, 60.0, 70.0


def middle(cell: int) -> tuple[float, float]:
    """Return the centre of a cell on the picture."""
    return EDGE + SIDE * (cell % 4 + 0.5), TOP + SIDE * (cell // 4 + 0.5)


def statuses() -> list[tuple[tuple[int, ...], str]]:
    """Return the open lines, those with a cell visited and one not, each as X, O or dead."""
    found = []
    for line in Board.parse("4x4").lines:
        seen = {VISITED[cell] for cell in line if cell < len(VISITED)}
        if seen and line[-1] >= len(VISITED):
            found.append((line, seen.pop() if len(seen) == 1 and seen != {"."} else "dead"))
    return found


def draw() -> Svg:
    """Return the picture: marks, the frontier as a thick line, and the lines that could still be completed."""
    canvas = Canvas("auto")
    canvas.text(EDGE + 2 * SIDE, 34, "A frontier", 11, bold=True)
    for cell in range(16):
        x, y = middle(cell)
        fill = "draw-tint" if cell < len(VISITED) else None
        canvas.rectangle(x - SIDE / 2, y - SIDE / 2, SIDE, SIDE, stroke="faint", fill=fill)
    counts = {"X": 0, "O": 0, "dead": 0}
    for line, status in statuses():
        counts[status] += 1
        if status != "dead":
            dash = "" if status == "X" else "5 4"
            canvas.line([middle(line[0]), middle(line[-1])], status.lower(), 2.0, dash=dash)
    for cell, mark in enumerate(VISITED):
        if mark != ".":
            x, y = middle(cell)
            canvas.text(x, y + 9, mark, 18, bold=True)
    bend = EDGE + 2 * SIDE
    corners = [(EDGE, TOP + 2 * SIDE), (bend, TOP + 2 * SIDE), (bend, TOP + SIDE), (EDGE + 4 * SIDE, TOP + SIDE)]
    canvas.line(corners, "ink", 4.0)
    words = [
        "above the thick line: visited",
        f"solid: {counts['X']} lines that are all X so far",
        f"dashed: {counts['O']} line that is all O so far",
        f"not drawn: {counts['dead']} dead lines, and those",
        "that no visited cell is on",
    ]
    for i, text in enumerate(words):
        canvas.text(EDGE + 4 * SIDE + 30, TOP + 50 + 30 * i, text, 7.5, anchor="start")
    described = f"A 4x4 board, cells visited in reading order: {VISITED}. " + "; ".join(words)
    return canvas.picture(580, TOP + 4 * SIDE + 30, "A frontier on a 4x4 board after six cells", described)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
