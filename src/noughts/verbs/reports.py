"""The report of every result, as the command line prints it, for `str()` and notebooks; a sentence to print."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from noughts.counting.question import SOURCE, Question, in_print
from noughts.present.report import DIGITS, Block, Report
from noughts.present.text import as_text

REPORTS = {
    "Census": "count.report",
    "Conventions": "conventions.report",
    "Terms": "sequences.report",
    "PositionValue": "solve.report",
    "Solution": "solve.solution_report",
    "InfiniteValue": "infinite.report",
    "Meanings": "whatis.report",
    "SequenceMatches": "whatis.sequence_report",
    "Explanation": "explain.report",
    "OpeningTheory": "openings.report",
    "Punishments": "openings.punishment_report",
    "GameTree": "tree.report",
    "Patterns": "patterns.report",
    "Guarantee": "guarantee.report",
    "Payoff": "payoff.report",
    "Schemes": "payoff.comparison_report",
    "Fairest": "payoff.fairest_report",
    "Running": "payoff.running_report",
    "Match": "match.versus_report",
    "CrossTable": "match.report",
    "Assessment": "evaluate.report",
    "Menace": "menace.report",
    "Bred": "breed.report",
    "Crib": "crib.report",
    "CribPair": "crib.report",
    "Review": "review.report",
    "Puzzles": "puzzle.report",
    "Positions": "positions.report",
    "Comparison": "same.report",
    "GameComparison": "same.game_report",
    "Written": "export.file_report",
    "QueryResult": "export.report",
    "BlindAnswer": "blindfold_report.report",
    "Trial": "referee.report",
    "Worksheet": "worksheet.report",
}
"""The function of `noughts.verbs` that makes the report of a result, by class."""


def report_of(result: Any) -> Report:
    """Return the report of a result."""
    name = next(REPORTS[each.__name__] for each in type(result).__mro__ if each.__name__ in REPORTS)
    module, function = name.split(".")
    found: Report = getattr(import_module(f"noughts.verbs.{module}"), function)(result)
    return found


def text_of(result: Any) -> str:
    """Return the report of a result as text for a pipe, or its `repr`."""
    known = any(each.__name__ in REPORTS for each in type(result).__mro__)
    return as_text(report_of(result)).rstrip("\n") if known else repr(result)


def for_print(question: Question, games: int | None) -> list[Block | str]:
    """Return the paragraph to print elsewhere: a sentence and its source; nothing for an unknown or endless number."""
    if games is None or games >= 10 ** DIGITS[0]:
        return []
    return [f"To print: {in_print(question, games)} Source: {SOURCE}."]
