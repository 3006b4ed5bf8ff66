"""The picture of the three questions: docs/three-questions.svg, drawn from numbers computed on the spot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts import count
from noughts.drawing.questions import Way, draw_questions, ways
from noughts.drawing.svg import Svg

PICTURE = ROOT / "docs" / "three-questions.svg"


def numbers() -> dict[Way, int]:
    """Return the number of games of 3x3 for each answer to the three questions."""
    found: dict[Way, int] = {}
    for moves, end, same in ways():
        answers: dict[str, Any] = {"moves": moves, "end": end, "same": same}
        finished = count("3x3", **answers).totals.finished
        assert finished is not None
        found[moves, end, same] = finished
    return found


def draw() -> Svg:
    """Return the picture: a tree of three questions with eight numbers at its leaves."""
    return draw_questions(numbers(), "How many games of tic-tac-toe are there?", theme="auto")


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
