"""The value of the empty board, by every engine that finds it within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from noughts.judge.bench import Comparing, NumberCheck
from noughts.judge.proofs.judge import LINES_A_SECOND, Judgement, judge_proof
from noughts.known import boards, proofs
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import Limits, Refusal, format_duration
from noughts.machine.workers import Progress, silent, workers_for
from noughts.rules.board import Board
from noughts.rules.errors import BudgetError, CheckError, NoughtsError
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.solving import retrograde, search
from noughts.solving.api import prove
from noughts.solving.engines import solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proofs import Proof

NODES_A_SECOND = 1_500_000


def starting_outcomes(board: Board, *, memory: int, seconds: float) -> dict[str, Outcome]:
    """Return by engine who wins from the empty board; engines that would take longer or need more are left out.

    `retrograde` goes by its estimate, `search` stops after as many nodes as it opens in that time.
    """
    problem = Problem(board, Position(board), search=SearchBudget(position=int(seconds * NODES_A_SECOND)))
    asked = {
        retrograde.NAME: retrograde.offer(problem, Limits(memory, seconds)),
        search.NAME: search.offer(problem, Limits()),
    }
    found: dict[str, Outcome] = {}
    for name, offer in asked.items():
        if not isinstance(offer, Refusal):
            try:
                found[name] = offer.solve(workers_for(), silent).outcome()
            except BudgetError:
                continue
    return found


def starting_outcome(board: Board, engine: str, *, seconds: float | None) -> Outcome:
    """Return who wins from the empty board by one engine. Raises BudgetError where it does not find it in time."""
    problem = Problem(board, Position(board), search=SearchBudget(seconds=seconds))
    return solve_problem(problem, engine=engine, limits=Limits()).outcome()


# The values of empty boards derived again, each with its proof, which is judged: for `noughts verify --all`.

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


# The certificates that the package carries, judged for `noughts verify`.


def judged_proofs(limits: Limits) -> Iterator[NumberCheck]:
    """Yield a verdict for every certificate that the package carries; those too long for the time are out of reach."""
    for name, text in proofs():
        head = dict(line.split(" ", 1) for line in text.splitlines()[1:4] if " " in line)
        claim, lines = f"{head.get('board')} {head.get('claim')}", text.count("\n")
        verdict = Comparing(f"certificate {name}", f"{claim}, {lines:,} lines", "carried by the package")
        if limits.seconds is not None and lines > LINES_A_SECOND * limits.seconds:
            verdict.out_of_reach.append(f"{claim}: {lines:,} lines to judge")
        else:
            try:
                judgement = judge_proof(text)
                verdict.hold(claim, claim, f"{judgement.board} {judgement.claim}", ["the judge"], judged=True)
            except NoughtsError as error:
                verdict.hold(claim, claim, str(error), ["the judge"])
        yield verdict.done()
