"""Engine `proof`: who wins from an empty board whose proof the package carries, where finding it anew takes long."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from noughts.known import boards, proofs
from noughts.machine.budget import Estimate, Limits, Refusal
from noughts.machine.workers import Progress, Workers
from noughts.rules.board import Board
from noughts.rules.marks import Outcome
from noughts.rules.position import Position
from noughts.rules.symmetry import Permutation
from noughts.solving.problem import SEARCHED_CELLS, Problem, SolvingOffer
from noughts.solving.proofs import Proof
from noughts.solving.published import lyings
from noughts.solving.solution import Evaluation, Solution
from noughts.solving.told import NAME, CarriedProof, CarriedSolution

__all__ = ["NAME", "carried_proof", "offer"]

FOUND_AT_ONCE = 0.5
"""Values that took fewer seconds are found anew: a search tells of all moves, a proof of one."""
SMALL_CELLS = 30
"""Boards of so many cells are solved as a whole, or within a second."""
ESTIMATE = Estimate(10_000_000, 0.1, "read from the package")
_OUTCOMES: dict[str, Outcome] = {"X wins": "X", "draw": "draw"}
_WIN = "win X"


def carried_proof(start: Position) -> CarriedProof | None:
    """Return the proof that the package carries about an empty board that takes long to solve; None without one.

    A proof of the board that lies another way, as 4x9:4 for 9x4:4, will do. It is not judged here: `noughts check` and
    `noughts verify` do so. Cost: milliseconds.
    """
    board = start.board
    if start.ply or not SMALL_CELLS < board.cells <= SEARCHED_CELLS or board.misere:
        return None
    rows = {row["board"]: row for row in boards() if row.get("seconds", 0.0) >= FOUND_AT_ONCE}
    for spec, turn in lyings(board):
        text = next((text for _, text in proofs() if f"\nboard {spec}\n" in text[:200]), None)
        if text is not None and spec in rows:
            return _told(start, text, rows[spec], turn)
    return None


def _told(start: Position, text: str, row: dict[str, Any], turn: Permutation) -> CarriedProof:
    """Return what a certificate says of an empty board: its own, or the same turned so that its cells are these."""
    board, spec = start.board, row["board"]
    proof = _proof(start if spec == board.spec else Position(Board.parse(spec)), text)
    whose, writes = "a proof", "--proof FILE"
    if spec != board.spec:
        whose, writes = f"a proof of {spec}, which is this board turned,", f"noughts solve {spec} --proof FILE"
    why = (
        f"by {whose} of {text.count(chr(10)):,} lines that the package carries, found by {row['engine']} in "
        f"{row['positions']:,} positions: {writes} writes it, and noughts check FILE judges it"
    )
    if proof.outcome == "draw":
        return CarriedProof(start, proof, Evaluation("draw", board.cells, f"draw, {why}"), None)
    first = int(next(after for title, after in pairwise(text.splitlines()) if title == _WIN).split()[0])
    evaluation = Evaluation("X", None, f"X wins, {why}", at_most=row["at_most"])
    return CarriedProof(start, proof, evaluation, turn.index(first))


def _proof(start: Position, text: str) -> Proof:
    """Return a certificate of the package with its sections: titles are the lines that begin with a letter."""
    lines = text.splitlines()
    claim = next(line.removeprefix("claim ") for line in lines if line.startswith("claim "))
    titles = [(number, line) for number, line in enumerate(lines) if line.split()[0] in ("win", "stop", "play")]
    ends = [*(number for number, _ in titles[1:]), len(lines)]
    sections = tuple((title, end - number - 1) for (number, title), end in zip(titles, ends, strict=True))
    return Proof(start, _OUTCOMES[claim], sections, text)


def offer(problem: Problem, limits: Limits) -> SolvingOffer | Refusal:
    """Offer what a carried proof says of an empty board, and of other positions what a search finds."""
    board = problem.board
    if problem.counts_only or problem.start is None:
        return Refusal(NAME, "a proof is about single positions, not how all are distributed")
    if problem.remoteness:
        return Refusal(NAME, "a proof tells in how many plies at most a game is won, not in how many")
    found = carried_proof(problem.start)
    if found is None:
        return Refusal(NAME, f"the package carries no proof that {board} needs")
    if not limits.allow(ESTIMATE):
        return Refusal(NAME, f"no proof of {board} is read in so little memory or time", ESTIMATE)

    def solve(workers: Workers, progress: Progress) -> Solution:
        return CarriedSolution(found, budget=problem.search, progress=progress)

    gone = problem.remoteness_preferred and found.evaluation.remoteness is None
    return SolvingOffer(NAME, ESTIMATE, solve, missing=("remoteness",) if gone else ())
