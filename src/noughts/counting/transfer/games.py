"""Engine `transfer-games`: the engine `transfer` without the won positions, so games only; half of the states.

It is the second witness of games where the engine `transfer` would not fit.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.counting.census import Census
from noughts.counting.question import Question
from noughts.counting.transfer import engine as transfer
from noughts.machine.budget import Estimate

if TYPE_CHECKING:
    from noughts.counting.engines import Progress

__all__ = ["count", "estimate", "estimate_within", "is_partial", "name", "refusal"]

name = "transfer-games"

START_SECONDS = transfer.START_SECONDS


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    if question.same == "choices" or question.end != "line":
        return "the engine transfer-games counts labelled games, or games up to symmetry, that end at a line"
    return transfer.refusal(question)


def is_partial(question: Question) -> bool:
    """Whether columns are missing that another engine may give: always, the positions."""
    return True


def estimate(question: Question) -> Estimate:
    """Return what the sweeps cost."""
    return estimate_within(question)


def estimate_within(question: Question, memory: float = inf, seconds: float = inf) -> Estimate:
    """Return the same, but stop reckoning where the costs exceed `memory` bytes or `seconds`."""
    return transfer.Sweeps(question, games=True).estimate(memory, seconds)


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census with the columns of positions empty. Otherwise as the engine `transfer`."""
    return Census(question, name, transfer.Sweeps(question, games=True).rows(progress, threads, resume))
