"""The options that a command on the same start needs: where it begins, and as many classes as that may meet."""

from __future__ import annotations

import shlex

from noughts.domain.extent import LISTED_CLASSES, WAITED_FOR, class_bound
from noughts.domain.position import Position
from noughts.strategy.schemes import Points, named_points

__all__ = ["can_wait", "place", "points_option"]


def place(start: Position) -> str:
    """Return `--from` and `--limit` with a blank before each; neither where the command does without."""
    bound = class_bound(start)
    at = f" --from '{start}'" if start.ply else ""
    return at + (f" --limit {bound}" if bound > LISTED_CLASSES else "")


def can_wait(start: Position) -> bool:
    """Return whether somebody may be told to wait for all position classes from a start."""
    return class_bound(start) < WAITED_FOR


def points_option(points: Points) -> str:
    """Return `--points` with a blank before it, for a scheme of all endings; nothing for that of the default."""
    named = named_points(points)
    return f" --points {shlex.quote(named)}" if named else ""
