"""The value of the empty board from every engine that finds it within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf
from typing import Any

from noughts.judge.bench import Comparing, NumberCheck
from noughts.judge.proofs.judge import LINES_A_SECOND, Judgement, judge_proof
from noughts.known import boards, falling, load, proofs, ruled
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import Limits, Refusal, format_duration
from noughts.machine.workers import Progress, silent, workers_for
from noughts.rules.board import Board
from noughts.rules.cells import moves_on
from noughts.rules.errors import BudgetError, CheckError, NoughtsError
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Outcome, cells_of
from noughts.rules.position import Position
from noughts.solving import quotient, retrograde, search
from noughts.solving.api import prove
from noughts.solving.classgraph import class_graph
from noughts.solving.engines import COLUMNS, ENGINES, solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proofs import Proof
from noughts.solving.values import OUTCOME_OF_VALUE

NODES_A_SECOND = 1_500_000
SECOND_SECONDS = 20.0
"""Longest estimate of an engine that values all positions under gravity."""


def starting_outcomes(board: Board, *, memory: int, seconds: float) -> dict[str, Outcome]:
    """Return for each engine who wins from the empty board, leaving out engines that need more than the budget.

    For `retrograde` its estimate decides; `search` stops after as many nodes as it opens in the time.
    """
    problem = Problem(board, Position(board), search=SearchBudget(position=int(seconds * NODES_A_SECOND)))
    offers = {
        retrograde.NAME: retrograde.offer(problem, Limits(memory, seconds)),
        search.NAME: search.offer(problem, Limits()),
    }
    found: dict[str, Outcome] = {}
    for name, offer in offers.items():
        if not isinstance(offer, Refusal):
            try:
                found[name] = offer.solve(workers_for(), silent).outcome()
            except BudgetError:
                continue
    return found


def starting_outcome(board: Board, engine: str, *, seconds: float | None) -> Outcome:
    """Return who wins from the empty board, found by one engine. Raises BudgetError where it is out of time."""
    problem = Problem(board, Position(board), search=SearchBudget(seconds=seconds))
    return solve_problem(problem, engine=engine, limits=Limits()).outcome()


def falling_values(memory: int, seconds: float) -> Iterator[NumberCheck]:
    """Yield the verdict on who wins empty boards with gravity, and after how many plies."""
    what = "who wins from the empty board with gravity, and at which ply"
    verdict = Comparing("values: gravity", what, load("gravity.toml")["sources"]["tromp"])
    rows = [row for row in falling() if "after" not in row]
    for row in rows:
        if row.get("seconds", inf) * SLOWER > seconds:
            verdict.out_of_reach.append(row["board"])
            continue
        budget, found = SearchBudget(seconds=seconds), dict[str, str]()
        problem = Problem(Board.parse(row["board"]), search=budget, carried=False)
        searched = ENGINES[COLUMNS](problem, Limits(memory))  # the time of a search is limited by its problem
        valued = retrograde.offer(problem, Limits(memory, min(seconds, SECOND_SECONDS)))
        for name, offer in ((COLUMNS, searched), (retrograde.NAME, valued)):
            if isinstance(offer, Refusal):
                continue
            with suppress(BudgetError):
                value = offer.solve(workers_for(), silent).evaluate()
                found[name] = f"{value.outcome}, ply {value.remoteness}"
        for name, computed in found.items():
            verdict.hold(f"{row['board']} by {name}", f"{row['value']}, ply {row['plies']}", computed, found)
        if not found:
            verdict.out_of_reach.append(row["board"])
    if rows:
        yield verdict.done()


def ruled_values(memory: int, seconds: float) -> Iterator[NumberCheck]:
    """Yield for each source the verdict on who wins where marks do not name the players: the plies and the first moves.

    The engines are the class graph in plain Python, all positions by compiled kernels, and the misere quotient.
    """
    what = "who wins from the empty board where marks do not name the players"
    for key, source in load("rules.toml")["sources"].items():
        rows, verdict = [row for row in ruled() if row.get("source") == key], Comparing(f"values: {key}", what, source)
        for row in rows:
            if row.get("seconds", inf) * SLOWER > seconds:
                verdict.out_of_reach.append(row["board"])
                continue
            found = _ruled(Board.parse(row["board"]), memory, seconds)
            for engine, computed in found.items():
                known = [name for name in ("value", "plies", "first") if name in row and name in computed]
                published, ours = (", ".join(str(each[name]) for name in known) for each in (row, computed))
                verdict.hold(f"{row['board']} by {engine}", published, ours, found)
        if rows:
            yield verdict.done()


def _ruled(board: Board, memory: int, seconds: float) -> dict[str, dict[str, str]]:
    """Return for each engine who wins from the empty board, by which first moves, and after how many plies if known."""
    found, start = dict[str, dict[str, str]](), Position(board)
    if class_bound(start) <= QUICK_CLASSES:
        graph = class_graph(board)
        first = " ".join(map(str, moves_on(board, cells_of(graph.allowed("perfect")[0]))))
        value = OUTCOME_OF_VALUE[graph.values[0]]
        found["the class graph"] = {"value": value, "plies": str(graph.remoteness[0]), "first": first}
    problem = Problem(board, start, remoteness=None, carried=False)
    for engine in (retrograde.NAME, quotient.NAME):
        offer = ENGINES[engine](problem, Limits(memory, seconds))
        if not isinstance(offer, Refusal):
            solution = offer.solve(workers_for(), silent)
            best = [move.cell for move in solution.moves() if move.outcome == solution.outcome()]
            found[engine] = {"value": solution.outcome(), "first": " ".join(map(str, sorted(best)))}
            if solution.remoteness() is not None:
                found[engine]["plies"] = str(solution.remoteness())
    return found


# For `noughts verify --all`: values of empty boards derived again; the proof of each is judged.

JUDGE = "the judge"
"""The name of the judge of proofs among the names of engines."""
SLOWER = 5
"""Ratio of the time limit to the measured time of a computation, below which it counts as out of reach."""
_CLAIMS: dict[Outcome, str] = {"X": "X wins", "O": "O wins", "draw": "draw"}
_OUTCOMES = {claim: outcome for outcome, claim in _CLAIMS.items()}


def derived_values(memory: int | str | None, seconds: float | None, progress: Progress) -> Iterator[NumberCheck]:
    """Derive again the value of every empty board that was first solved here, judge its proof, and yield the verdict.

    `memory` limits the engine, `seconds` the search and the judging of each board; None sets no limit.
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
    """Return who wins from the empty board: an engine (default: the cheapest) writes a proof, and the judge reads it.

    `memory` limits the engine, `seconds` the search and the judging. Raises BudgetError beyond these limits, and
    CheckError where the proof does not hold or is about another board.
    """
    try:
        _, found = _proved(board, engine, memory, seconds)
    except TooLate as error:
        raise BudgetError(f"the judge did not finish the proof of {board} in time") from error
    if Board.parse(found.board).spec != Board.parse(board).spec:
        raise CheckError(f"the engine was to prove {board}, but its proof is about {found.board}")
    return _OUTCOMES[found.claim]


def _proved(board: str, engine: str | None, memory: int | str | None, seconds: float | None) -> tuple[Proof, Judgement]:
    """Return a proof for the empty board and its judgement; a long judgement runs in a process that ends in time."""
    proof = prove(board, engine=engine, memory=memory, time=seconds)
    if seconds is None or proof.text.count("\n") < LINES_A_SECOND * seconds:
        return proof, judge_proof(proof.text)
    return proof, apart(seconds, judge_proof, proof.text)


# For `noughts verify`: the certificates in the package are judged.


def judged_proofs(limits: Limits) -> Iterator[NumberCheck]:
    """Yield a verdict for every certificate in the package; those too long for the time are out of reach."""
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
