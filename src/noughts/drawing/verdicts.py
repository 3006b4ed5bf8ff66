"""The words for outcomes in pictures: one for a frame, on the board as in the key."""

from __future__ import annotations

from collections.abc import Iterable

from noughts.domain.position import Position
from noughts.drawing.tree import TreeBoard

__all__ = ["key_words", "verdict"]


def verdict(outcome: str | None, position: Position) -> str:
    """Return what stands under a board: who won, or who can win; `draw` for both."""
    if outcome is None:
        return "not found"
    if outcome == "draw":
        return "draw"
    return f"{outcome} wins" if position.is_terminal else f"{outcome} can win"


def key_words(nodes: Iterable[TreeBoard]) -> dict[str, str]:
    """Return for each outcome the words that stand first under its boards: what the key says of it."""
    found: dict[str, list[str]] = {"": ["open"]}
    for node in nodes:
        words = found.setdefault(node.outcome, [])
        if node.outcome and node.captions and node.captions[0] not in words:
            words.append(node.captions[0])
    return {outcome: ", ".join(sorted(words, reverse=True)) for outcome, words in found.items()}
