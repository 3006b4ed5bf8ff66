"""The value of the empty board from every engine that finds it within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from math import inf
from operator import itemgetter
from typing import Any

from noughts.analysis.explain.facts import move_classes
from noughts.blindfold.judge import judge_proof as judge_mixes
from noughts.judge.bench import Bench, Comparing, Line, NumberCheck
from noughts.judge.proofs.judge import LINES_A_SECOND, Judgement, judge_proof
from noughts.known import boards, falling, load, openings, phantoms, proofs, ruled
from noughts.machine.apart import TooLate, apart
from noughts.machine.budget import Limits, Refusal, format_duration
from noughts.machine.workers import silent, workers_for
from noughts.rules.board import Board
from noughts.rules.cells import cell_name, moves_on
from noughts.rules.errors import BudgetError, CheckError, NoughtsError
from noughts.rules.game import QUICK_CLASSES, class_bound
from noughts.rules.marks import Outcome, cells_of
from noughts.rules.position import Position
from noughts.solving import quotient, retrograde, search
from noughts.solving.api import prove
from noughts.solving.classgraph import class_graph
from noughts.solving.engines import COLUMNS, ENGINES, solve_problem
from noughts.solving.problem import Problem, SearchBudget
from noughts.solving.proofs import Proof, carried_proof
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


def falling_lines() -> Iterator[Line]:
    """Yield the line on who wins empty boards with gravity, and after how many plies."""
    if rows := [row for row in falling() if "after" not in row]:
        yield Line("values: gravity", rows, _falling)


def _falling(rows: list[dict[str, Any]], bench: Bench) -> NumberCheck:
    what = "who wins from the empty board with gravity, and at which ply"
    verdict = Comparing("values: gravity", what, load("gravity.toml")["sources"]["tromp"])
    memory, seconds = bench.memory, bench.limits.seconds
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
    return verdict.done()


OPENING_POSITIONS = 30_000_000
"""Positions that the search opens at most for the moves of one position, for the openings in the package."""


def opening_lines() -> Iterator[Line]:
    """Yield for each board whose openings the package carries a line that searches them again."""
    for row in openings():
        yield Line(f"values: openings {row['board']}", row, _openings)


def _openings(row: dict[str, Any], bench: Bench) -> NumberCheck:
    what = "who wins after each first move and each reply"
    verdict = Comparing(f"values: openings {row['board']}", what, "found here first")
    if row["seconds"] * SLOWER > bench.limits.seconds:
        verdict.out_of_reach.append(row["board"])
        return verdict.done()
    for first, values in derived_openings(Board.parse(row["board"])).items():
        verdict.hold(f"{row['board']} {first}", str(row["after"][first]), str(values), [search.NAME])
    return verdict.done()


def derived_openings(board: Board) -> dict[str, dict[str, str]]:
    """Return for each first move up to symmetry its `value`, and its replies up to symmetry under theirs.

    Values are X, O, draw, or open where a search of OPENING_POSITIONS does not find them.
    """
    start, found = Position(board), dict[str, dict[str, str]]()
    budget = SearchBudget(position=OPENING_POSITIONS, moves=OPENING_POSITIONS, far_moves=OPENING_POSITIONS)
    solution = search.SearchSolution(board, carried=carried_proof(start), budget=budget)
    for move, _ in move_classes(start):
        after, replies = start.play(move), dict[str, list[str]]()
        with suppress(BudgetError):
            replies["value"] = [solution.outcome(after)]
        valued = {reply.cell: reply.outcome or "open" for reply in solution.moves(after)}
        for reply, _ in move_classes(after):
            replies.setdefault(valued[reply], []).append(cell_name(board, reply))
        best = next(value for value in ("O", "open", "draw", "X") if value in replies)  # O moves
        found[cell_name(board, move)] = {"value": best} | {key: " ".join(cells) for key, cells in replies.items()}
    return found


def ruled_lines() -> Iterator[Line]:
    """Yield for each source the line on who wins where marks do not name the players: the plies and the first moves.

    The engines are the class graph in plain Python, all positions by compiled kernels, and the misere quotient.
    """
    for key, source in load("rules.toml")["sources"].items():
        if rows := [row for row in ruled() if row.get("source") == key]:
            yield Line(f"values: {key}", {"source": source, "rows": rows}, partial(_ruled_rows, key))


def _ruled_rows(key: str, known: dict[str, Any], bench: Bench) -> NumberCheck:
    what = "who wins from the empty board where marks do not name the players"
    verdict = Comparing(f"values: {key}", what, known["source"])
    for row in known["rows"]:
        if row.get("seconds", inf) * SLOWER > bench.limits.seconds:
            verdict.out_of_reach.append(row["board"])
            continue
        found = _ruled(Board.parse(row["board"]), bench.memory, bench.limits.seconds)
        for engine, computed in found.items():
            named = [name for name in ("value", "plies", "first") if name in row and name in computed]
            published, ours = (", ".join(str(each[name]) for name in named) for each in (row, computed))
            verdict.hold(f"{row['board']} by {engine}", published, ours, found)
    return verdict.done()


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
LONGEST = 600.0
"""Seconds of a search that `verify --all` omits without `--time`."""
_CLAIMS: dict[Outcome, str] = {"X": "X wins", "O": "O wins", "draw": "draw"}
_OUTCOMES = {claim: outcome for outcome, claim in _CLAIMS.items()}


def derived_lines(seconds: float | None) -> Iterator[Line]:
    """Yield for each empty board that was first solved here the line that derives its value and judges its proof.

    Then come the boards on a torus and under misere, whose proofs are judged where they are written in seconds.
    `seconds` limits the search and the judging of each board; None leaves out those whose search alone takes longer
    than `LONGEST`. The shortest proofs come first.
    """
    for row in sorted((row for row in boards() if "engine" in row), key=itemgetter("bytes")):
        yield Line(f"proof {row['board']}", row, partial(_derived, seconds))
    for kind, rows in load("variants.toml").items():
        yield Line(f"values: {kind}", rows, partial(_variants, kind, seconds))


def _variants(kind: str, seconds: float | None, rows: list[dict[str, Any]], bench: Bench) -> NumberCheck:
    verdict = Comparing(f"values: {kind}", "who wins from the empty board", "found here first")
    longest = LONGEST if seconds is None else seconds
    for row in rows:
        if SLOWER * row.get("seconds", inf) > longest:
            verdict.out_of_reach.append(row["board"])
            continue
        board, found = Board.parse(row["board"]), dict[str, Outcome]()
        with suppress(BudgetError):
            found[JUDGE] = proved_outcome(
                row["board"], None, min(bench.limits.seconds, SECOND_SECONDS), memory=bench.memory
            )
        valued = retrograde.offer(Problem(board, Position(board)), Limits(bench.memory, SECOND_SECONDS))
        if not isinstance(valued, Refusal):
            found[retrograde.NAME] = valued.solve(workers_for(), silent).outcome()
        if not found:
            with suppress(BudgetError):
                found[search.NAME] = starting_outcome(board, search.NAME, seconds=longest)
        if not found:
            verdict.out_of_reach.append(row["board"])
        for name, computed in found.items():
            verdict.hold(f"{row['board']} by {name}", row["value"], computed, found, judged=JUDGE in found)
    return verdict.done()


def _derived(seconds: float | None, row: dict[str, Any], bench: Bench) -> NumberCheck:
    verdict = Comparing(f"proof {row['board']}", "who wins from the empty board, derived again", "the proof, judged")
    if row["seconds"] > (LONGEST if seconds is None else seconds / SLOWER):
        verdict.out_of_reach.append(f"{row['board']} (not derived again, it takes {format_duration(row['seconds'])})")
        return verdict.done()
    claim = _CLAIMS[row["value"]]
    try:
        proof, found = _proved(row["board"], row["engine"], bench.memory, seconds)
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


def certificate_lines(seconds: float | None) -> Iterator[Line]:
    """Yield a line for every certificate in the package, the shortest first; `seconds` limits each, None does not."""
    for name, text in sorted(proofs(), key=lambda each: len(each[1])):
        yield Line(f"certificate {name}", text, partial(_judged, name, seconds))
    for mixes in phantoms():
        yield Line(f"certificate {mixes['board']}, both blind", mixes, _judged_mixes)


def _judged(name: str, seconds: float | None, text: str, bench: Bench) -> NumberCheck:
    head = dict(line.split(" ", 1) for line in text.splitlines()[1:4] if " " in line)
    claim, lines = f"{head.get('board')} {head.get('claim')}", text.count("\n")
    verdict = Comparing(f"certificate {name}", f"{claim}, {lines:,} lines", "carried by the package")
    if seconds is not None and lines > LINES_A_SECOND * seconds:
        verdict.out_of_reach.append(f"{claim}: {lines:,} lines to judge")
        return verdict.done()
    try:
        judgement = judge_proof(text)
        verdict.hold(claim, claim, f"{judgement.board} {judgement.claim}", [JUDGE], judged=True)
    except NoughtsError as error:
        verdict.hold(claim, claim, str(error), [JUDGE])
    return verdict.done()


def _judged_mixes(mixes: dict[str, Any], bench: Bench) -> NumberCheck:
    claim, judged = f"value of {mixes['board']} with both players blind", judge_mixes(mixes)
    verdict = Comparing(f"certificate {mixes['board']}, both blind", claim, "carried by the package")
    verdict.hold(
        claim, f"{mixes['lower']} to {mixes['upper']}", f"{judged.lower} to {judged.upper}", [JUDGE], judged=True
    )
    return verdict.done()
