"""The sentence on a number of games that can stand in a newspaper, with its source."""

from __future__ import annotations

from noughts.counting.question import SOURCE, Question, in_print
from noughts.present.report import DIGITS, Block


def for_print(question: Question, games: int | None) -> list[Block | str]:
    """Return the paragraph to print elsewhere: a sentence and its source; nothing for an unknown or endless number."""
    if games is None or games >= 10 ** DIGITS[0]:
        return []
    return [f"To print: {in_print(question, games)} Source: {SOURCE}."]
