"""The picture of a table that learns by play against itself: docs/pictures/q-learning.svg."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from noughts.drawing.svg import Svg
from noughts.training.learning import learn

PICTURE = ROOT / "docs" / "pictures" / "q-learning.svg"


def draw() -> Svg:
    """Return the exact values of the table that docs/how-to/training.md learns."""
    return learn("3x3", games=100_000, seed=0).chart("auto")


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
