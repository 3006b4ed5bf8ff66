"""Engine `games`: the frontier without the won positions, so games only; at a third of the memory and time.

Games follow from the positions that nobody has won. It is asked where the engine `frontier` would not fit.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.counting.census import Census
from noughts.counting.frontier import engine as frontier
from noughts.counting.patterns.tally import census_rows
from noughts.counting.question import Question
from noughts.machine.budget import Estimate

if TYPE_CHECKING:
    from noughts.counting.engines import Progress

__all__ = ["count", "estimate", "estimate_within", "is_partial", "name", "refusal"]

name = "games"

START_SECONDS = frontier.START_SECONDS


def refusal(question: Question) -> str | None:
    """Return why this engine cannot answer, or None."""
    if question.same == "choices" or question.end != "line":
        return "the engine games counts labelled games, or games up to symmetry, that end at a line"
    return frontier.refusal(question)


def is_partial(question: Question) -> bool:
    """Whether columns are missing that another engine may give: always, the positions."""
    return True


def estimate(question: Question) -> Estimate:
    """Return what the sweeps cost."""
    return frontier.estimate_within(question, games=True)


def estimate_within(question: Question, memory: float = inf, seconds: float = inf) -> Estimate:
    """Return the same, but stop reckoning where the costs exceed `memory` bytes or `seconds`."""
    return frontier.estimate_within(question, memory, seconds, games=True)


def count(
    question: Question, *, progress: Progress | None = None, threads: int = 2, resume: Path | None = None
) -> Census:
    """Return the census with the columns of positions empty. Otherwise as the engine `frontier`."""
    from noughts.counting.checkpoints import Checkpoints

    store = Checkpoints(resume) if resume is not None else None
    sweeper = frontier.Sweeper(question, progress, threads, store, games=True)
    return Census(question, name, census_rows(question, sweeper.tally))
