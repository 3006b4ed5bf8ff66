"""Engine `layered`: position classes ply by ply with exact path counts; any question."""

from __future__ import annotations

from math import factorial
from pathlib import Path

from noughts.counting.census import Census
from noughts.counting.classsums import class_rows
from noughts.counting.question import Question
from noughts.domain.budget import Estimate

__all__ = ["count", "estimate", "name", "refusal"]

name = "layered"


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    if question.board.cells > 64:
        return f"the engine layered takes boards of up to 64 cells, {question.board} has {question.board.cells}"
    return None


def estimate(question: Question) -> Estimate:
    """Return the cost, from the multinomial bound on each layer."""
    cells = question.board.cells
    layers = [
        factorial(cells) // (factorial((t + 1) // 2) * factorial(t // 2) * factorial(cells - t))
        for t in range(question.first_ply, question.last_ply + 1)
    ]
    classes = sum(layers) // question.group.order
    return Estimate(classes * 800, classes * 5e-5, f"at most {classes:,} position classes")


def count(question: Question, *, progress: object = None, threads: int = 2, resume: Path | None = None) -> Census:
    """Return the census by pushing path counts through the layers."""
    return Census(question, name, class_rows(question))
