"""What is known of an empty board that no engine here settles: a value that was published, or that it is open."""

from __future__ import annotations

from noughts.domain.position import Position
from noughts.known import boards, load

__all__ = ["known_elsewhere"]

_WORDS = {"X": "published as won by X", "draw": "published as a draw"}


def known_elsewhere(start: Position | None) -> str | None:
    """Return what `known/boards.toml` says of a board of which it has no value found here; None where it says nothing.

    A position other than the empty board, and a board that an engine here settles, have nothing to be said of them.
    """
    if start is None or start.ply:
        return None
    row = next((row for row in boards() if row["board"] == start.board.spec and "engine" not in row), None)
    if row is None:
        return None
    if row["value"] == "open":
        return f"who wins {start.board} is open: {row['remark']}"
    sources: dict[str, str] = load("boards.toml")["sources"]
    return f"{start.board} is {_WORDS[row['value']]}, and not proved here: {sources[row['source']]}"
