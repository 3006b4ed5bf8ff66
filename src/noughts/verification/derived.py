"""The values of empty boards derived again, each with its proof, which is judged: for `noughts verify --all`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from noughts.domain.errors import BudgetError, CheckError
from noughts.known import boards
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import format_duration
from noughts.machine.progress import Progress
from noughts.solving.api import prove
from noughts.verification.proofs.judge import judge_proof
from noughts.verification.verdict import Comparing, NumberCheck

__all__ = ["SLOWER", "derived_values"]

SLOWER = 5
"""A computation may take so many times as long as it was measured to take, before it counts as out of reach."""
_CLAIMS = {"X": "X wins", "O": "O wins", "draw": "draw"}


def derived_values(seconds: float | None, progress: Progress) -> Iterator[NumberCheck]:
    """Yield a verdict for every empty board whose value was found here: the value derived again, its proof judged.

    `seconds` bounds the search and the judging of each, None lets them take what they take.
    """
    rows = [row for row in boards() if "engine" in row]
    for number, row in enumerate(rows):
        progress(number, len(rows), "values derived again, each with its proof")
        yield _derived(row, seconds)
    progress(len(rows), len(rows), "values derived again, each with its proof")


def _derived(row: dict[str, Any], seconds: float | None) -> NumberCheck:
    verdict = Comparing(f"proof {row['board']}", "who wins from the empty board, derived again", "the proof, judged")
    if seconds is not None and row["seconds"] * SLOWER > seconds:
        verdict.out_of_reach.append(f"{row['board']}: it took {format_duration(row['seconds'])}")
        return verdict.done()
    claim = _CLAIMS[row["value"]]
    try:
        proof = prove(row["board"], engine=row["engine"], time=seconds)
        found = judge_proof(proof.text) if seconds is None else apart(seconds, judge_proof, proof.text)
        by = (row["engine"], "the judge")
        verdict.hold(
            f"{proof.size:,} bytes", f"{row['board']} {claim}", f"{found.board} {found.claim}", by, judged=True
        )
    except (BudgetError, TooLate) as error:
        verdict.out_of_reach.append(f"{row['board']}: {error or 'not judged in time'}")
    except CheckError as error:
        verdict.hold(row["board"], claim, str(error), [row["engine"]])
    return verdict.done()
