"""The picture of the three questions: docs/three-questions.svg, drawn from numbers computed on the spot."""

from __future__ import annotations

import sys
from itertools import pairwise, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts import count
from noughts.drawing.svg import Canvas, Svg

PICTURE = ROOT / "docs" / "three-questions.svg"

QUESTIONS = (
    ("Which moves are allowed?", ("any", "win"), ("any cell", "a win if there is one")),
    ("When is the game over?", ("line", "decided"), ("at a line", "when decided")),
    ("When are two games the same?", ("labelled", "choices"), ("by cells", "by choices")),
)

WIDTH, TOP, STEP, LEFT, RIGHT = 960.0, 96.0, 92.0, 250.0, 30.0
BOX = 30.0


def numbers() -> dict[tuple[str, str, str], int]:
    """Return the number of games of 3x3 for each answer to the three questions."""
    found = {}
    for moves, end, same in product(*(answers for _, answers, _ in QUESTIONS)):
        answers: dict[str, Any] = {"moves": moves, "end": end, "same": same}
        finished = count("3x3", **answers).totals.finished
        assert finished is not None
        found[moves, end, same] = finished
    return found


def places(level: int) -> list[float]:
    """Return the middles of the boxes of a level, from left to right."""
    many = 2**level
    room = (WIDTH - LEFT - RIGHT) / many
    return [LEFT + room * (i + 0.5) for i in range(many)]


def draw() -> Svg:
    """Return the picture: a tree of three questions with eight numbers at its leaves."""
    counted = numbers()
    canvas = Canvas("auto")
    canvas.text((LEFT + WIDTH - RIGHT) / 2, 40, "How many games of tic-tac-toe are there?", 13, bold=True)
    for level, (upper, lower) in enumerate(pairwise(range(4))):
        y = TOP + STEP * level
        for i, x in enumerate(places(lower)):
            start = places(upper)[i // 2]
            canvas.line([(start, y - STEP / 2 + BOX / 2 if level else 52), (x, y + STEP / 2 - BOX / 2)], "faint", 1.2)
    for level, (question, _, words) in enumerate(QUESTIONS, 1):
        y = TOP + STEP * level - STEP / 2
        canvas.text(20, y + 4, question, 8.5, anchor="start", bold=True)
        for i, x in enumerate(places(level)):
            wide = {1: 170.0, 2: 124.0, 3: 78.0}[level]
            tint = "x-tint" if i % 2 == 0 else "o-tint"
            canvas.rectangle(x - wide / 2, y - BOX / 2, wide, BOX, stroke="soft", fill=tint, radius=5)
            canvas.text(x, y + 3.2, words[i % 2], {1: 7.5, 2: 7.5, 3: 7.0}[level])
    bottom = TOP + STEP * 3 + 10
    for x, games in zip(places(3), counted.values(), strict=True):
        canvas.line([(x, TOP + STEP * 2.5 + BOX / 2), (x, bottom - 18)], "faint", 1.2)
        canvas.text(x, bottom, f"{games:,}", 9.5, bold=True)
    described = "; ".join(
        f"{moves} moves, end {end}, {same}: {games:,} games" for (moves, end, same), games in counted.items()
    )
    return canvas.picture(WIDTH, bottom + 24, "Three questions, eight numbers of games of tic-tac-toe", described)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
