"""What is to be said of exact numbers where a program of somebody else played."""

from __future__ import annotations

__all__ = ["programs_told"]


def programs_told(*names: str) -> str:
    """Return how programs among these policies were asked, as a sentence after a blank; nothing where there is none."""
    if not any(name.startswith("program:") for name in names):
        return ""
    return (
        " A program was told each position once, by its marks in reading order, and some of them again by other moves, "
        "where it played the same: should it look at the order of moves elsewhere, it plays otherwise in games."
    )
