"""Games by choices on boards that take minutes: their classes, and what two engines give in time of paths and games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from noughts.counting.api import ask
from noughts.counting.census import Census
from noughts.counting.engines import answer
from noughts.counting.question import Question
from noughts.domain.errors import BudgetError
from noughts.known import load
from noughts.verification.verdict import Bench, Comparing, NumberCheck

__all__ = ["choices_held"]

FIRST_PLIES = 7
"""How far a table is computed where the whole is out of reach: so far two engines take seconds."""
ENGINES = ("streamed", "layered")
_COLUMNS = ("positions", "paths", "x_wins", "o_wins", "draws")


def choices_held(bench: Bench) -> Iterator[NumberCheck]:
    """Yield a verdict for each table of games by choices, as far as it fits the limits of the bench.

    With a patient bench its classes are counted in all, by engines that do not meet them: seconds for each table.
    """
    for table in load("choices.toml")["table"]:
        question = ask(table["board"], same="choices")
        rows = [tuple(map(int, row)) for row in table["rows"]]
        verdict = Comparing(f"{table['board']} choices any line", "per-ply table of a large board", table["source"])
        if not _hold(verdict, question, rows, bench):
            verdict.out_of_reach.append(f"paths, games: plies {FIRST_PLIES + 1} to {rows[-1][0]}")
            _hold(verdict, replace(question, to_ply=FIRST_PLIES), rows[: FIRST_PLIES + 1], bench)
            if bench.patient:
                _hold_classes(verdict, replace(question, same="symmetry"), [row[:2] for row in rows], bench)
        yield verdict.done()


def _hold_classes(verdict: Comparing, question: Question, known: list[tuple[int, ...]], bench: Bench) -> None:
    """Hold the column of classes, or name it as out of reach."""
    try:
        classes, by = bench.column(question, ["positions"])
        verdict.hold("positions", str(known), str(classes), by)
    except BudgetError as error:
        verdict.out_of_reach.append(f"positions: {error}")


def _hold(verdict: Comparing, question: Question, known: list[tuple[int, ...]], bench: Bench) -> bool:
    """Hold all columns against each engine that fits; tell whether one does."""
    found = dict[str, Census]()
    for engine in ENGINES:
        try:
            found[engine] = answer(question, engine=engine, limits=bench.limits)
        except BudgetError:
            continue
    for engine, census in found.items():
        rows = [(row.ply, *(getattr(row, column) for column in _COLUMNS)) for row in census.plies]
        about = "all plies" if question.to_ply is None else f"to ply {question.to_ply}"
        verdict.hold(f"{about}, by {engine}", str(known), str(rows), list(found))
    return bool(found)
