"""The values of empty boards derived again, each with its proof, which is judged: for `noughts verify --all`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from noughts.domain.board import Board
from noughts.domain.errors import BudgetError, CheckError
from noughts.domain.players import Outcome
from noughts.known import boards
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import format_duration
from noughts.machine.progress import Progress
from noughts.solving.api import prove
from noughts.solving.proofs import Proof
from noughts.verification.proofs.judge import LINES_A_SECOND, Judgement, judge_proof
from noughts.verification.verdict import Comparing, NumberCheck

__all__ = ["JUDGE", "SLOWER", "derived_values", "proved_outcome"]

JUDGE = "the judge"
"""Who judges proofs, where engines are named."""
SLOWER = 5
"""A computation may take so many times as long as it was measured to take, before it counts as out of reach."""
_CLAIMS: dict[Outcome, str] = {"X": "X wins", "O": "O wins", "draw": "draw"}
_OUTCOMES = {claim: outcome for outcome, claim in _CLAIMS.items()}


def derived_values(memory: int | str | None, seconds: float | None, progress: Progress) -> Iterator[NumberCheck]:
    """Yield a verdict for every empty board whose value was found here: the value derived again, its proof judged.

    `memory` bounds the engine, `seconds` the search and the judging of each; None lets them take what there is.
    """
    rows = [row for row in boards() if "engine" in row]
    for number, row in enumerate(rows):
        progress(number, len(rows), "values derived again, each with its proof")
        yield _derived(row, memory, seconds)
    progress(len(rows), len(rows), "values derived again, each with its proof")


def _derived(row: dict[str, Any], memory: int | str | None, seconds: float | None) -> NumberCheck:
    verdict = Comparing(f"proof {row['board']}", "who wins from the empty board, derived again", "the proof, judged")
    if seconds is not None and row["seconds"] * SLOWER > seconds:
        verdict.out_of_reach.append(f"{row['board']}: it took {format_duration(row['seconds'])}")
        return verdict.done()
    claim = _CLAIMS[row["value"]]
    try:
        proof, found = _proved(row["board"], row["engine"], memory, seconds)
        by = (row["engine"], JUDGE)
        verdict.hold(
            f"{proof.size:,} bytes", f"{row['board']} {claim}", f"{found.board} {found.claim}", by, judged=True
        )
    except (BudgetError, TooLate) as error:
        verdict.out_of_reach.append(f"{row['board']}: {error or 'not judged in time'}")
    except CheckError as error:
        verdict.hold(row["board"], claim, str(error), [row["engine"]])
    return verdict.done()


def proved_outcome(
    board: str, engine: str | None, seconds: float | None, *, memory: int | str | None = None
) -> Outcome:
    """Return who wins from the empty board as the judge reads it in a proof by an engine, the cheapest unless named.

    `memory` bounds the engine, `seconds` the search and the judging. Raises BudgetError where that ends one of them,
    CheckError where the proof is none, or of another board.
    """
    try:
        _, found = _proved(board, engine, memory, seconds)
    except TooLate as error:
        raise BudgetError(f"the proof of {board} is not judged in time") from error
    if Board.parse(found.board).spec != Board.parse(board).spec:
        raise CheckError(f"a proof of {board} was asked for, and one of {found.board} came")
    return _OUTCOMES[found.claim]


def _proved(board: str, engine: str | None, memory: int | str | None, seconds: float | None) -> tuple[Proof, Judgement]:
    """Return a proof for the empty board and what the judge says of it, who is ended in time where it may be long."""
    proof = prove(board, engine=engine, memory=memory, time=seconds)
    if seconds is None or proof.text.count("\n") < LINES_A_SECOND * seconds:
        return proof, judge_proof(proof.text)
    return proof, apart(seconds, judge_proof, proof.text)
